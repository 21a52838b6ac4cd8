"""What to cite for a result: the works behind the mechanisms that are on, and behind the ensemble."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from breakrank.literature import Work, cited

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.engine.mechanism import Mechanism
    from breakrank.spec import Parameter

CHOICE, FORCE = "choice", "force"
"""What the rule by which soldiers choose, and their ties, are called; they belong to no mechanism."""
INFERENCE = Path(__file__).parents[1] / "inference"
"""The package that makes ensembles."""


def works_of_model(case: Case) -> Mapping[str, tuple[Work, ...]]:
    """Return the works behind each mechanism that is on, behind the force, and behind the choice of soldiers.

    They are those that the mechanism's own module cites, the modules that it takes functions and tables from,
    and its parameters. A mechanism that cites none has none.
    """
    from breakrank.engine import weighing
    from breakrank.force.establishment import PARAMETERS
    from breakrank.model import assembly

    kinds = assembly(case.mechanisms).mechanisms
    found = {CHOICE: cited(inspect.getsource(weighing)), FORCE: cited(*_said_of(PARAMETERS))}
    for kind in kinds:
        switch = f"{kind.name}.on"
        if switch not in case.catalogue.parameters or case.value(switch) >= 0.5:
            texts = (inspect.getsource(module) for module in _modules(kind, kinds))
            found[kind.name] = cited(*texts, *_said_of(kind.parameters))
    return found


def works_of_inference() -> tuple[Work, ...]:
    """Return the works whose methods make a calibration and a posterior ensemble."""
    return cited(*(path.read_text(encoding="utf-8") for path in sorted(INFERENCE.glob("*.py"))))


def _said_of(parameters: Iterable[Parameter]) -> Iterator[str]:
    for parameter in parameters:
        yield f"{parameter.theory}. {parameter.assumed}"


def _modules(kind: type[Mechanism], kinds: Sequence[type[Mechanism]]) -> Iterator[ModuleType]:
    """Yield the module of a mechanism, and those that it takes from which belong to no other mechanism."""
    own = sys.modules[kind.__module__]
    others = {other.__module__ for other in kinds}
    names = (getattr(getattr(value, "py_func", value), "__module__", "") for value in vars(own).values())
    yield own
    for name in dict.fromkeys(names):
        if isinstance(name, str) and name.startswith("breakrank.mechanisms.") and name not in others:
            yield sys.modules[name]
