"""Known models with known answers: to verify Breakrank's parts against, and to teach with.

Each is small, stands alone, and is tested against published numbers:

- :mod:`~breakrank.classics.granovetter`: threshold cascades (Granovetter 1978);
- :mod:`~breakrank.classics.kuran`: preference falsification and the surprise of revolutions (Kuran 1991);
- :mod:`~breakrank.classics.morris_shin`: the global game of regime change (Morris and Shin 2003);
- :mod:`~breakrank.classics.epstein`: civil violence, model I (Epstein 2002).

>>> from breakrank.classics import granovetter
>>> granovetter.cascade(range(100)).acting
100
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from breakrank.classics import epstein, granovetter, kuran, morris_shin

__all__ = ["epstein", "granovetter", "kuran", "morris_shin"]


def __getattr__(name: str) -> object:
    """Import a model when it is first used: only two of them compile anything."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return importlib.import_module(f"{__name__}.{name}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
