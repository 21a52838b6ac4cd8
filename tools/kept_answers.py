"""Make an answer of the page's views Why and What next that comes with Breakrank, for a built-in case.

python tools/kept_answers.py why|next CASE
"""

from __future__ import annotations

import sys
from pathlib import Path

from breakrank import load_case
from breakrank.page import ahead, why
from breakrank.page.background import SHIPPED, BackgroundMaking, text_of
from breakrank.runs.backends import choose_backend

STORE = Path("breakrank-kept.store")


def main(view: str, name: str) -> None:
    """Compute the answer of a view for a case and write it into the package."""

    def tell(done: int, of: int, what: str) -> None:
        print(f"\r{what}: {done} of {of} runs", end="", flush=True)

    case, making = load_case(name), BackgroundMaking(STORE, choose_backend(None, None), tell)
    if view == "why":
        found = why.computed(case, making, why.RUNS)
    else:
        found = ahead.computed(case, ahead.usual_day(case), making)
    SHIPPED.mkdir(exist_ok=True)
    (SHIPPED / f"{name}-{view}.json").write_text(text_of(found.as_json()), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
