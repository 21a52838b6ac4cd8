"""Start ``breakrank run CASE`` and end it after its first replicate.

``python -m benchmarks.real_model.start CASE`` prints when that replicate began and ended,
in seconds of the system's clock, as one JSON line.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any


def main(case: str) -> int:
    """Run the command; it does not come back unless it fails."""
    from breakrank import model
    from breakrank.cli import main as command

    make = model.Model.replicate

    def first(self: model.Model, *given: Any, **named: Any) -> None:  # noqa: ANN401 (as the model's own)
        begun = time.time()
        make(self, *given, **named)
        line = json.dumps({"begun": begun, "ended": time.time()})
        os.write(1, f"{line}\n".encode())
        os._exit(0)

    model.Model.replicate = first  # type: ignore[method-assign,assignment]
    return command(["run", case])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]) or 1)
