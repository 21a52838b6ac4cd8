from __future__ import annotations

import sys
from pathlib import Path

ROOT = str(Path(__file__).parents[2])
if ROOT not in sys.path:  # the benchmarks are no part of the package: they stand beside it
    sys.path.append(ROOT)
