"""The studies that an explanation consists of, and how many runs each takes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from breakrank.case.draws import Draws
from breakrank.errors import UsageError
from breakrank.questions.explain import prior_runs, removal, sobol
from breakrank.runs.scenario import Scenario
from breakrank.runs.study import Study
from breakrank.runs.whole_number import whole_number

if TYPE_CHECKING:
    from breakrank.case import Case

GROUPS = 6
"""Mechanisms with an index of their own, where the call does not say; the rest makes up one more."""
DRAWS = 1024
"""Prior simulations, where the call does not say."""
FEWEST = 64
"""Prior simulations without which screening and shares say nothing."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much work an explanation is.

    Attributes
    ----------
    runs : of the case, and without each mechanism and pair.
    pairs : mechanisms among which pairs are taken out; 0 for none.
    draws : prior simulations; 0 leaves out all that is said of variance.
    rows : of the design that shares variance out; 0 leaves it out.
    groups : mechanisms with an index of their own.
    watched : runs of which every moment of decision is looked at; 0 for none.

    Raises
    ------
    UsageError
        for numbers that make no sense.
    """

    runs: int = 40
    pairs: int = 5
    draws: int = 1024
    rows: int = 128
    groups: int = GROUPS
    watched: int = 4

    def __post_init__(self) -> None:
        whole_number("runs", self.runs, 2, 2**31 - 1)
        whole_number("pairs", self.pairs, 0, 100)
        whole_number("groups", self.groups, 1, 100)
        whole_number("rows", self.rows, 0, 2**30)
        whole_number("watched", self.watched, 0, 2**31 - 1)
        if whole_number("draws", self.draws, 0, 2**31 - 1) and self.draws < FEWEST:
            raise UsageError(
                f"draws is {self.draws}; screening needs at least {FEWEST} prior simulations, or 0"
            )
        most = min(self.draws // 2, prior_runs.MOST_ROWS)
        if self.draws and self.rows > most:
            raise UsageError(
                f"rows is {self.rows:,}; the design takes two tables of so many rows from the first "
                f"{2 * most:,} of {self.draws:,} prior simulations, so at most {most:,}"
            )

    def count(self, case: Case) -> tuple[int, int]:
        """Return how many runs it takes at most: of the case without mechanisms, and under prior draws."""
        alone = 1 + len(removal.switches(case))
        taken = (alone + math.comb(min(self.pairs, alone - 1), 2)) * self.runs
        design = (min(self.groups, _mechanisms(case)) + 1 + 2) * self.rows if self.draws else 0
        return taken, self.draws + design


def size_of(
    case: Case, runs: int, pairs: int, draws: int | None, rows: int | None, groups: int, watched: int
) -> Size:
    """Return how much work is asked for; :func:`breakrank.explain` says what is meant where nothing is said.

    Raises
    ------
    UsageError
        for numbers that make no sense, or prior simulations of a case without priors.
    """
    if draws:
        prior_runs.from_prior(case, 1, 0)  # which refuses a case without priors
    usual = DRAWS if prior_runs.free(case) else 0
    wanted = usual if draws is None else draws
    usual_rows = min(wanted // 8, prior_runs.MOST_ROWS)
    return Size(runs, pairs, wanted, usual_rows if rows is None else rows, groups, watched)


def _mechanisms(case: Case) -> int:
    return len({name.partition(".")[0] for name in prior_runs.free(case)})


def single_study(case: Case, size: Size, seed: int) -> Study:
    """Return the study of the case, and of it without each mechanism."""
    taken = (removal.without(case, s.mechanism) for s in removal.switches(case))
    return Study((Scenario(case), *taken), size.runs, seed)


def pair_study(case: Case, pairs: Sequence[tuple[str, str]], size: Size, seed: int) -> Study:
    """Return the study of the case without each of some pairs of mechanisms."""
    return Study(tuple(removal.without(case, *pair) for pair in pairs), size.runs, seed)


@dataclass(frozen=True, eq=False)
class Design:
    """The runs of a scheme of Saltelli's beyond the prior simulations; see :mod:`.sobol`.

    Attributes
    ----------
    a, b : the two tables, float64 (rows, parameter).
    groups : what is exchanged between them.
    seed : of the runs of both tables.
    """

    case: Case
    names: tuple[str, ...]
    a: NDArray[np.float64]
    b: NDArray[np.float64]
    groups: tuple[sobol.Group, ...]
    seed: int

    @classmethod
    def of(cls, prior: prior_runs.PriorRuns, rows: int, groups: Sequence[sobol.Group]) -> Design:
        """Return the design whose tables are the first rows of the prior simulations."""
        a, b = sobol.halves(prior.values, rows)
        return cls(prior.plain, prior.names, a, b, tuple(groups), prior.seed)

    def exchanged(self, group: sobol.Group) -> Case:
        """Return the case under A with one group from B."""
        return self._drawn(sobol.exchanged(self.a, self.b, group.columns))

    @property
    def swapped(self) -> Case:
        """The case under B with A's luck, then under A with B's."""
        return self._drawn(sobol.swapped(self.a, self.b))

    def studies(self) -> tuple[Study, Study]:
        """Return the studies that make them: with groups exchanged, and with luck exchanged."""
        rows = len(self.a)
        named = tuple(Scenario(self.exchanged(g), f"{g.name} exchanged") for g in self.groups)
        swapped = Scenario(self.swapped, "luck exchanged")
        return Study(named, rows, self.seed), Study((swapped,), 2 * rows, self.seed)

    def _drawn(self, values: NDArray[np.float64]) -> Case:
        return self.case.with_draws(Draws(self.names, values))
