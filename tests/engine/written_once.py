"""The texts of compiled passes, written once for the same mechanisms instead of for each of many stages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
import pytest
from numpy.typing import NDArray

from breakrank.engine import day
from breakrank.engine.mechanism import Mechanism, Term
from breakrank.engine.phase import Phase
from breakrank.engine.steps import RunState
from breakrank.engine.weighing import Weighing

Pass = TypeVar("Pass", Weighing, Phase)

WRITTEN: dict[Any, tuple[dict[str, Any], dict[Any, str]]] = {}
"""What was written, and the names of the tables by then; all by what the mechanisms declare as classes."""


def weighing_of(
    mechanisms: Sequence[Mechanism], terms: Sequence[Term], factor: NDArray[np.float64], state: RunState
) -> Weighing:
    """Return the pass of a list of mechanisms, with the text of an earlier one of the same kinds."""
    options = mechanisms[0].world.options if mechanisms else ()
    key = ("weigh", options, tuple(map(type, mechanisms)), tuple(state.names))
    own = {"_mechanisms": mechanisms, "_terms": terms, "_factor": factor, "_state": state}
    own["on"] = np.array([m.acts for m in mechanisms], np.bool_)
    if key not in WRITTEN:
        made = Weighing(mechanisms, terms, factor, state)
        WRITTEN[key] = {name: kept for name, kept in vars(made).items() if name not in own}, dict(state.names)
        return made
    return _again(Weighing, key, own, state)


def phase_of(name: str, mechanisms: Sequence[Mechanism], state: RunState) -> Phase:
    """Return a phase of the day, with the text of an earlier one of the same kinds of which the same act."""
    acts = tuple(m.acts for m in mechanisms)
    key = (name, acts, tuple(map(type, mechanisms)), tuple(state.names))
    own: dict[str, Any] = {"on": np.array(acts, np.bool_)}
    if key not in WRITTEN:
        made = Phase(name, mechanisms, state)
        text = {name: kept for name, kept in vars(made).items() if name not in (*own, "_methods")}
        place = {id(m): k for k, m in enumerate(mechanisms)}
        methods: list[tuple[Any, bool]] = list(made._methods)
        text["where"] = [(place[id(m.__self__)], m.__name__, more) for m, more in methods]
        WRITTEN[key] = text, dict(state.names)
        return made
    own["_methods"] = [(getattr(mechanisms[k], n), more) for k, n, more in WRITTEN[key][0]["where"]]
    return _again(Phase, key, own, state)


def written_once(patch: pytest.MonkeyPatch) -> None:
    """Let every day that is put together from now on share its texts with others."""
    patch.setattr(day, "Weighing", weighing_of)
    patch.setattr(day, "Phase", phase_of)


def _again(kind: type[Pass], key: Any, own: dict[str, Any], state: RunState) -> Pass:
    made = kind.__new__(kind)
    text, names = WRITTEN[key]
    vars(made).update(text | own)
    state.names.update(names)
    return made
