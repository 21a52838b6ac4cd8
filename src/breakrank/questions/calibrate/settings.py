"""What a calibration is asked for, checked, and as a call that asks for it again."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from breakrank.errors import UsageError
from breakrank.runs.whole_number import whole_number

FIRST = 0.6
"""Share of the simulations that are of the prior, where there are more rounds than one."""


@dataclass(frozen=True)
class Settings:
    """What a calibration was asked for: see :func:`calibrate`."""

    simulations: int
    rounds: int
    seed: int
    worlds: int
    predictive: int
    fixed: tuple[str, ...]

    def sizes(self) -> tuple[int, ...]:
        """Return how many simulations each round has."""
        if self.rounds == 1:
            return (self.simulations,)
        first = round(FIRST * self.simulations)
        later = np.diff(np.linspace(first, self.simulations, self.rounds).round()).astype(int)
        return (first, *(int(n) for n in later))


def checked(
    simulations: int,
    rounds: int,
    seed: int,
    worlds: int,
    predictive: int,
    fixed: Collection[str],
) -> Settings:
    """Return the settings of a calibration.

    Raises
    ------
    UsageError
        for one that makes no sense.
    """
    if isinstance(fixed, str):
        raise UsageError("fixed is a list of parameters, not a text")
    asked = (
        ("simulations", simulations, 100, 10_000_000),
        ("rounds", rounds, 1, 10),
        ("seed", seed, 0, 2**64 - 1),
        ("worlds", worlds, 20, 100_000),
        ("predictive", predictive, 20, 1_000_000),
    )
    whole: dict[str, int] = {}
    wrong = []
    for name, value, low, high in asked:
        try:
            whole[name] = whole_number(name, value, low, high)
        except UsageError as error:
            wrong.append(str(error))
    if wrong:
        raise UsageError("\n".join(wrong))
    return Settings(**whole, fixed=tuple(sorted(set(fixed))))


def call_of(case: str, settings: Settings) -> str:
    """Return the call in Python that makes the calibration of a case again."""
    parts = [f'calibrate("{case}"', f"simulations={settings.simulations}", f"rounds={settings.rounds}"]
    parts += [f"seed={settings.seed}", f"worlds={settings.worlds}"]
    parts += [f"predictive={settings.predictive}"]
    if settings.fixed:
        parts.append(f"fixed={list(settings.fixed)!r}")
    return ", ".join(parts) + ")"
