"""Whether the parameters fit what the model reads."""

from __future__ import annotations

from breakrank.case.check_words import out_of_range
from breakrank.case.content import Loaded
from breakrank.case.models_parameters import PriorEntry
from breakrank.case.prior import Prior
from breakrank.case.values import Document, Step
from breakrank.errors import gathered, nearest
from breakrank.plugins import hint
from breakrank.spec import Catalogue, Parameter

STRENGTH = "force.strength"
"""The parameter that stands in force.yaml."""
OF_EVENTS = "events."
"""What names of parameters begin with that are sizes and half-lives of events; no mechanism is called so."""
LEAST_MASS = 1e-6
"""Probability that a prior must have within its range."""


def is_switch(parameter: Parameter) -> bool:
    """Return whether a parameter only switches a mechanism on or off (it may be left out: on)."""
    return parameter.name.endswith(".on")


def check_parameters(loaded: Loaded, catalogue: Catalogue) -> None:
    """Check names, units, ranges and priors, and that none is missing.

    Raises
    ------
    FaultyCaseError
        for all that does not fit.
    """
    document = loaded.documents["parameters.yaml"]
    names = [n for n in catalogue.parameters if n != STRENGTH]
    with gathered() as found:
        for name, entry in loaded.content.parameters.items():
            with found.kept():
                if name == STRENGTH:
                    raise document.error((name,), "the strength is written in force.yaml", "Remove it here.")
                declared = catalogue.parameters.get(name)
                if declared is None:
                    raise document.error(
                        (name,),
                        f"unknown parameter {name!r}{nearest(name, names)}",
                        hint(name) or "No mechanism of the model reads it; correct the name or remove it.",
                    )
                if entry.unit != declared.unit:
                    raise document.error(
                        (name, "unit"),
                        f"the unit is {entry.unit!r}, and {declared.unit!r} is expected",
                        f"{name}: {declared.about}. Convert the value, or correct the unit.",
                    )
                low, high = entry.range
                for end in (low, high) if entry.value is None else (low, high, entry.value):
                    problem = out_of_range(end, declared)
                    if problem:
                        raise document.error((name, "range" if end in (low, high) else "value"), problem)
                if entry.prior is not None:
                    check_prior(entry.prior, low, high, document, (name, "prior"))
        for k, name in enumerate(loaded.content.case.set_by_hand):
            with found.kept():
                _known(name, catalogue, loaded.documents["case.yaml"], ("set_by_hand", k))
        strength = loaded.content.force.strength
        if strength.prior is not None:
            with found.kept():
                force = loaded.documents["force.yaml"]
                check_prior(strength.prior, *strength.range, force, ("strength", "prior"))
        for name in names:
            declared = catalogue.parameters[name]
            if name not in loaded.content.parameters and not declared.assumed:
                missing = f"the parameter {name!r} is missing"
                found.append(document.error((), missing, what_to_write(declared)))


def _known(name: str, catalogue: Catalogue, document: Document, path: tuple[Step, ...]) -> None:
    """Raise a CaseError for a name of no parameter; events may have been taken out since."""
    if name not in catalogue.parameters and not name.startswith(OF_EVENTS):
        near = nearest(name, catalogue.parameters)
        raise document.error(path, f"unknown parameter {name!r}{near}", "Correct the name or remove it.")


def check_prior(
    entry: PriorEntry, low: float, high: float, document: Document, path: tuple[Step, ...]
) -> None:
    """Raise a CaseError when a prior lies (nearly) outside the range it is truncated to."""
    prior = Prior.of(entry, low, high)
    if low < high and not prior.mass >= LEAST_MASS:
        raise document.error(
            path,
            f"the prior has almost no probability within the range [{low:g}, {high:g}]",
            "Widen the range, or move the prior into it.",
        )


def what_to_write(parameter: Parameter) -> str:
    """Return the lines a case has to hold for a parameter."""
    return (
        f"{parameter.about}. Write\n    {parameter.name}:\n      value: {parameter.typical:g}\n"
        f"      unit: {parameter.unit}\n      range: [{parameter.low:g}, {parameter.high:g}]\n"
        f'      assumed: "the reason"    # or evidence: [observation-id]'
    )
