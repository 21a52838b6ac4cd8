"""Write the baseline anew: ``python tests/baseline/update.py``. Then say in CHANGELOG.md why it changed."""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def main() -> None:
    """Measure, write the file whole, and tell what changed."""
    sys.path[:0] = [str(ROOT), str(ROOT / "src")]
    from tests.baseline.measure import BASELINE, differences, everything, written

    old = written() if BASELINE.exists() else {"worlds": {}}
    new = everything()
    changed = differences(old, new)
    if not changed:
        print("Nothing changed.")
        return
    unfinished = BASELINE.with_suffix(".new")
    unfinished.write_text(json.dumps(new, indent=2) + "\n", encoding="utf-8")
    unfinished.replace(BASELINE)
    print("\n".join(changed))
    print("\nWritten. Say under **Numbers** in CHANGELOG.md what changed and why.")


if __name__ == "__main__":
    main()
