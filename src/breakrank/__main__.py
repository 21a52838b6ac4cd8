"""``python -m breakrank`` is the same as ``breakrank``."""

from __future__ import annotations

import sys

if __name__ == "__main__":
    try:
        from breakrank.cli import main
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(main())
