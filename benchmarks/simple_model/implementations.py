"""The implementations by their keys; only the libraries of the one that is asked for are imported."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.simple_model.declaration import Implementation, Inputs, Parameters


def implementation(key: str) -> Callable[[Inputs, Parameters, int], Implementation]:
    """Return the class of an implementation.

    Raises
    ------
    KeyError
        for a key that is not in :data:`benchmarks.simple_model.NAMES`.
    """
    if key == "engine":
        from benchmarks.simple_model.on_engine import OnEngine

        return OnEngine
    if key == "masked":
        from benchmarks.simple_model.masked import Masked

        return Masked
    from benchmarks.simple_model import on_mesa

    return {"mesa": on_mesa.OnMesa, "mesa_do": on_mesa.OnMesaUnshuffled}[key]
