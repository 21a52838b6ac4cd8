"""One simplified model, declared in ``benchmarks/README.md``, in three implementations."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.simple_model.declaration import Implementation, Inputs, Parameters

NAMES = {
    "engine": "Breakrank's engine",
    "masked": "NumPy, masked",
    "mesa_do": "Mesa 3, `do`",
    "mesa": "Mesa 3, `shuffle_do`",
}
"""The implementations by key, as tables call them; the first is what the others are compared with."""


def implementation(key: str) -> Callable[[Inputs, Parameters, int], Implementation]:
    """Return the class of an implementation; only its own libraries are imported.

    Raises
    ------
    KeyError
        for a key that is not in :data:`NAMES`.
    """
    if key == "engine":
        from benchmarks.simple_model.on_engine import OnEngine

        return OnEngine
    if key == "masked":
        from benchmarks.simple_model.masked import Masked

        return Masked
    from benchmarks.simple_model import on_mesa

    return {"mesa": on_mesa.OnMesa, "mesa_do": on_mesa.OnMesaUnshuffled}[key]
