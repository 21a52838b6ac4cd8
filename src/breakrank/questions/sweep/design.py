"""Where a sweep looks: a grid, a Latin hypercube (McKay and others 1979) or Sobol's sequence (1967)."""

from __future__ import annotations

import importlib
import itertools
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

from breakrank.case.models_parameters import STRENGTH
from breakrank.case.values import number
from breakrank.errors import UsageError, nearest

if TYPE_CHECKING:
    from breakrank.case import Case

Design = Literal["grid", "latin", "sobol"]
Point = tuple[float, ...]

STEPS = {1: 11, 2: 7}
"""Points along an axis of a grid with so many axes, where the call does not say."""


@dataclass(frozen=True, slots=True)
class Axis:
    """A parameter and the range that it is swept over.

    Attributes
    ----------
    name, unit : of the parameter.
    low, high : first and last value.
    steps : points along it in a grid.
    """

    name: str
    unit: str
    low: float
    high: float
    steps: int

    def at(self, place: float) -> float:
        """Return the value at a place from 0 (low) to 1 (high), in six digits so that it can be typed."""
        value = float(f"{self.low + place * (self.high - self.low):.6g}")
        return float(round(value)) if self.name == STRENGTH else value

    def place(self, value: float) -> float:
        """Return where a value lies, 0 (low) to 1 (high)."""
        return (value - self.low) / (self.high - self.low)


def axes(texts: Sequence[str], case: Case) -> tuple[Axis, ...]:
    """Return the axes that are asked for in words such as ``fear.weight=0:2`` or ``fear.weight=0:2:9``.

    Raises
    ------
    UsageError
        for anything else, an unknown parameter, a value out of its range, or none or more than two of them.
    """
    if len(texts) not in STEPS:
        raise UsageError(f"a sweep is over one or two parameters, not {len(texts)}; name them with --over")
    found = []
    for text in texts:
        match = re.fullmatch(r"\s*([^=\s]+)\s*=([^:]+):([^:]+?)(?::\s*([0-9]+)\s*)?", text)
        try:
            assert match is not None
            name, low, high = match[1], number(match[2].strip()), number(match[3].strip())
        except (AssertionError, ValueError):
            raise UsageError(
                f"--over {text!r} is not NAME=LOW:HIGH or NAME=LOW:HIGH:STEPS, as in --over fear.on=0:1:2"
            ) from None
        declared = case.declared.get(name)
        if declared is None:
            raise UsageError(f"there is no parameter {name!r}{nearest(name, case.declared)}")
        if not declared.low <= low < high <= declared.high:
            raise UsageError(
                f"--over {text}: rising numbers from {declared.low:g} to {declared.high:g} {declared.unit} "
                "are expected"
            )
        steps = int(match[4]) if match[4] else 2 if declared.unit == "switch" else STEPS[len(texts)]
        if steps < 2 or (declared.unit == "switch" and (steps, low, high) != (2, 0, 1)):
            least = (
                "a switch is swept as 0:1:2" if declared.unit == "switch" else "at least 2 steps are expected"
            )
            raise UsageError(f"--over {text}: {least}")
        found.append(Axis(name, declared.unit, low, high, steps))
    if len({a.name for a in found}) < len(found):
        raise UsageError(f"--over {found[0].name} is given twice")
    return tuple(found)


def points(
    over: Sequence[Axis], design: Design = "grid", number: int | None = None, seed: int = 0
) -> list[Point]:
    """Return the points of a design, each a value for every axis.

    Parameters
    ----------
    over : the axes.
    design : ``grid``, ``latin`` or ``sobol``; the latter two need scipy.
    number : of points; for a grid its axes say.
    seed : of the Latin hypercube's and Sobol's scrambling.

    Raises
    ------
    UsageError
        for an unknown design, one that a switch cannot be part of, or where scipy is missing.
    """
    if design not in get_args(Design):
        raise UsageError(f"no design {design!r}{nearest(design, get_args(Design))} (grid, latin, sobol)")
    if design == "grid":
        if number is not None:
            raise UsageError("the axes of a grid say how many points it has; leave out --points")
        places = [[k / (a.steps - 1) for k in range(a.steps)] for a in over]
        return [tuple(a.at(p) for a, p in zip(over, at, strict=True)) for at in itertools.product(*places)]
    if any(a.unit == "switch" for a in over):
        raise UsageError(f"a switch is 0 or 1, so it takes a grid, not the design {design}")
    qmc = scipy_part("stats.qmc", f"the design {design}")
    wanted = number if number is not None else 32 * len(over)
    if wanted < 2:
        raise UsageError(f"--points {wanted}: at least 2 points are expected")
    if design == "latin":
        sample = qmc.LatinHypercube(len(over), rng=seed).random(wanted)
    else:  # the first 2**m points are what is even, so no fewer are made
        sample = qmc.Sobol(len(over), rng=seed).random_base2(math.ceil(math.log2(wanted)))[:wanted]
    return [tuple(a.at(float(p)) for a, p in zip(over, at, strict=True)) for at in sample]


def scipy_part(name: str, what: str) -> Any:  # noqa: ANN401 (scipy is not typed)
    """Return a part of scipy; UsageError saying which extra brings it."""
    try:
        return importlib.import_module(f"scipy.{name}")
    except ImportError as error:
        raise UsageError(
            f"{what} needs scipy, which is not installed. "
            "It comes with the optional extra 'sweep': pip install 'breakrank[sweep]'"
        ) from error
