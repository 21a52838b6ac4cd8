"""``python -m breakrank`` is the same as ``breakrank``: it imports nothing from the current folder."""

import os
import sys

if __name__ == "__main__":
    if not sys.flags.safe_path and sys.path[0] != os.path.dirname(os.path.dirname(__file__)):  # noqa: PTH120
        del sys.path[0]  # the current folder, unless Breakrank itself is there
    try:
        from breakrank.cli import main
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(main())
