"""``python -m breakrank`` is the same as ``breakrank``."""

from __future__ import annotations

import sys

from breakrank.cli import main

if __name__ == "__main__":
    sys.exit(main())
