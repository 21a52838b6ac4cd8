"""Write the baseline anew: ``python tests/baseline/update.py``. Then say in CHANGELOG.md why it changed."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import cyclopts

ROOT = Path(__file__).parents[2]


def main() -> None:
    """Measure the baseline, write its files whole, and tell what changed; say in CHANGELOG.md why."""
    sys.path[:0] = [str(ROOT), str(ROOT / "src")]
    from tests.baseline.answers import ANSWERS, changed_answers, every_answer
    from tests.baseline.kernels import KEYS, keys
    from tests.baseline.measure import BASELINE, differences, everything, written

    old = written() if BASELINE.exists() else {"worlds": {}}
    new = everything()
    changed = differences(old, new)
    answers = every_answer()
    changed += changed_answers(json.loads(ANSWERS.read_text("utf-8")) if ANSWERS.exists() else {}, answers)
    found = keys()
    if not KEYS.exists() or json.loads(KEYS.read_text("utf-8")) != found:
        changed.append("keys of kernels")
    if not changed:
        print("Nothing changed.")
        return
    for path, told in ((BASELINE, new), (ANSWERS, answers), (KEYS, found)):
        unfinished = path.with_suffix(".new")
        unfinished.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
        unfinished.replace(path)
    print("\n".join(changed))
    print("\nWritten. Say under **Numbers** in CHANGELOG.md what changed and why.")


if __name__ == "__main__":
    cyclopts.run(main)
