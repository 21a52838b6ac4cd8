#!/usr/bin/env python3
"""Write the model's digest anew into what comes with the built-in cases: the posterior and the worlds.

Call it after a change of the model's source that leaves every bit as it was: the baseline says so
(`python -m tests.baseline.update`), and a test replays some of the worlds. After any other change they are
made again (`breakrank calibrate`, `breakrank worlds`).
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "src"))

from breakrank.case.worlds import ABOUT, renamed_model  # noqa: E402 (the folder above)
from breakrank.runs.identity import source_digest  # noqa: E402

LIBRARY = ROOT / "src" / "breakrank" / "case" / "library"


def main() -> None:
    """Write the digest into every file that holds one, and say which were changed."""
    digest = source_digest()
    for path in sorted(LIBRARY.glob("*/posterior/about.yaml")):
        text = path.read_text("utf-8")
        new = re.sub(r"(?m)^( *)model: [0-9a-f]{64}$", rf"\g<1>model: {digest}", text)
        if new != text:
            path.write_text(new, "utf-8", newline="\n")
            sys.stdout.write(f"{path.relative_to(ROOT)}\n")
    for path in sorted(LIBRARY.glob(f"*/worlds/{ABOUT}")):
        if renamed_model(path.parent, digest):
            sys.stdout.write(f"{path.relative_to(ROOT)}\n")


if __name__ == "__main__":
    main()
