"""Make an answer of the page that comes with Breakrank, for a built-in case.

python tools/kept_answers.py happened|plan|why|next CASE

Of What happened and Plan the whole view is kept, as the page shows it until its own runs are finished.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from breakrank import load_case
from breakrank.answer.files import FORMAT, MARK
from breakrank.page import answers
from breakrank.page.background import SHIPPED, BackgroundMaking
from breakrank.page.question import WantedView
from breakrank.page.state import PageState
from breakrank.page.views import BEFOREHAND, ViewRoutes
from breakrank.results.files import json_text
from breakrank.runs.backends import choose_backend
from breakrank.runs.carry_out import StudyProgress, carry_out
from breakrank.runs.pool import Pool

STORE = Path("breakrank-kept.store")


def tell(done: int, of: int, what: str) -> None:
    """Print how far the runs are."""
    print(f"\r{what}: {done} of {of} runs", end="", flush=True)


def whole_view(view: str, name: str) -> dict[str, Any]:
    """Return a view of a case as it stands, with the digest of the case."""
    state = PageState(STORE, Pool(1))
    try:
        question = state.baseline(name)
        case = state.made(question)

        def watch(now: StudyProgress) -> None:
            tell(now.done + now.failed, now.total, view)

        carry_out(state.study(question), state.store, choose_backend(None, None), watch)
        shown = ViewRoutes(state).told(WantedView(view=view, question=question))  # type: ignore[arg-type]
    finally:
        state.close()
    return {MARK: FORMAT, "digest": case.digest, "shown": shown}


def main(view: str, name: str) -> None:
    """Compute the answer of a view for a case and write it into the package."""
    if view in BEFOREHAND:
        found = whole_view(view, name)
        text = json.dumps(found, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n"
    else:
        case, making = load_case(name), BackgroundMaking(STORE, choose_backend(None, None), tell)
        if view == "why":
            answer = answers.explanation(case, making)
        else:
            answer = answers.forecast(case, answers.usual_day(case), making)
        text = json_text(answer.as_json(), 1)
    SHIPPED.mkdir(exist_ok=True)
    (SHIPPED / f"{name}-{view}.json").write_text(text, "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
