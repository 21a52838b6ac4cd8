"""Toys with known posteriors, and an engine that is one: counts that follow from two parameters of a case."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

import breakrank
from breakrank.case import Case
from breakrank.case.models_evidence import Target
from breakrank.case.models_parameters import PriorEntry
from breakrank.engine.replicate import Replicate
from breakrank.runs.worker import Simulator
from tests.new_cases import full_case
from tests.results.fake import EVENTS

WEIGHT, TRUST = "fear.risk_weight", "belief.candour"
"""The parameters on which the counts of the toy depend."""


@dataclass(frozen=True)
class Gaussian:
    """z is standard normal (p,), s = A z + noise: the posterior is normal and known."""

    A: Any
    sd: float

    @classmethod
    def of(cls, p: int, d: int, sd: float, seed: int) -> Gaussian:
        rng = np.random.default_rng(seed)
        A = np.zeros((d, p))
        for row in A:
            row[rng.choice(min(p, d + 2), 3, replace=False)] = rng.normal(size=3)
        return cls(A, sd)

    def drawn(self, n: int, seed: int) -> tuple[Any, Any]:
        rng = np.random.default_rng(seed)
        z = rng.normal(size=(n, self.A.shape[1]))
        return z, z @ self.A.T + self.sd * rng.normal(size=(n, len(self.A)))

    @property
    def gain(self) -> Any:
        return self.A.T @ np.linalg.inv(self.A @ self.A.T + self.sd**2 * np.eye(len(self.A)))

    @property
    def variance(self) -> Any:
        return np.diag(np.eye(self.A.shape[1]) - self.gain @ self.A)


def toy_case(folder: Path) -> Case:
    """Return the template's case with four free parameters, two of which nothing depends on."""
    case = breakrank.load_case(full_case(folder / "made-up"))
    free = {
        WEIGHT: {"distribution": "uniform", "low": 0.5, "high": 3.0},
        TRUST: {"distribution": "beta", "a": 2, "b": 2},
        "force.kin": {"distribution": "triangular", "low": 0.05, "mode": 0.3, "high": 1},
        "preference.spread": {"distribution": "lognormal", "median": 0.5, "sigma": 0.4},
    }
    parameters = {n: p.model_copy(update={"prior": None}) for n, p in case.content.parameters.items()}
    for name, prior in free.items():
        if name not in parameters:
            name = next(n for n in parameters if n not in free and not n.endswith(".on"))
            low, high = parameters[name].range
            prior = {"distribution": "uniform", "low": low, "high": high}
        parameters[name] = parameters[name].model_copy(update={"prior": PriorEntry(**prior)})
    content = replace(case.content, parameters=parameters, targets=(*targets(case),))
    return Case(content, case.catalogue)


def targets(case: Case) -> tuple[Target, ...]:
    end, assumed = str(case.calendar.end), "made up"
    told: list[dict[str, Any]] = [
        {"id": "registered", "measure": "registered", "unit": "soldiers", "value": 60, "spread": 0.1},
        {"id": "shot", "measure": "shot", "unit": "soldiers", "range": [18, 30], "spread": 0.1},
        {"id": "opposed", "measure": "opposed", "unit": "share", "at_most": 0.9},
    ]
    return tuple(Target(label=t["id"], date=end, assumed=assumed, **t) for t in told)


def build(case: Any, seed: int) -> Any:
    return SimpleNamespace(n=1000)


def replicate(case: Any, force: Any, seed: int, run: int, *, log: bool) -> Replicate:
    """Return a run in which who registers and who is shot follows from two parameters, and some luck."""
    lived = case.drawn(seed, run)
    rng = np.random.default_rng(case.lived(seed, run)[0][1:])
    days = case.calendar.days
    weight, trust = lived.value(WEIGHT), lived.value(TRUST)
    registered = rng.poisson(np.exp(2.5 + weight) / days, days)
    shot = rng.poisson(np.exp(2.0 + 2.0 * trust) / days, days)
    opposed = np.full(days, 0.6 + 0.1 * rng.random(), np.float32)
    series: dict[str, Any] = {
        "registered": registered.astype(np.int32),
        "shot": shot.astype(np.int32),
        "opposed": opposed,
    }
    return Replicate(run, series, None)


def fragile(case: Any, force: Any, seed: int, run: int, *, log: bool) -> Replicate:
    """Runs with much weight fail."""
    lived = case.drawn(seed, run)
    if lived.value(WEIGHT) > 2.7:
        raise ZeroDivisionError("too heavy")
    return replicate(case, force, seed, run, log=log)


def broken(case: Any, force: Any, seed: int, run: int, *, log: bool) -> Replicate:
    raise ZeroDivisionError("always")


TOY = Simulator(build, replicate, EVENTS)
FRAGILE = Simulator(build, fragile, EVENTS)
BROKEN = Simulator(build, broken, EVENTS)
