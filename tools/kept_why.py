"""Make the answers of the page's view Why that come with Breakrank, one for each built-in case.

python tools/kept_why.py CASE [RUNS]
"""

from __future__ import annotations

import sys
from pathlib import Path

from breakrank import load_case
from breakrank.page.background import SHIPPED, BackgroundMaking, text_of
from breakrank.page.why import RUNS, computed
from breakrank.runs.backends import choose_backend

STORE = "breakrank-kept.store"


def main(name: str, runs: int = RUNS, store: str = STORE) -> None:
    """Compute the answer for a case and write it into the package."""

    def tell(done: int, of: int, what: str) -> None:
        print(f"\r{what}: {done} of {of} runs", end="", flush=True)

    making = BackgroundMaking(Path(store), choose_backend(None, None), tell)
    found = computed(load_case(name), making, runs).as_json()
    SHIPPED.mkdir(exist_ok=True)
    (SHIPPED / f"{name}-why.json").write_text(text_of(found), "utf-8")


if __name__ == "__main__":
    given = dict(zip(("name", "runs", "store"), sys.argv[1:], strict=False))
    main(given["name"], int(given.get("runs", RUNS)), given.get("store", STORE))
