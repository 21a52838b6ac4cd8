"""Whether a specification is valid Vega-Lite: the schema that comes with Altair says so."""

from collections.abc import Mapping
from typing import Any

import pytest

altair: Any = pytest.importorskip("altair")
KINDS = {"vconcat": altair.VConcatChart, "hconcat": altair.HConcatChart, "layer": altair.LayerChart}


def validated(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return a specification that is valid."""
    made = dict(spec)
    next(KINDS[kind] for kind in KINDS if kind in made).validate(made)
    return made
