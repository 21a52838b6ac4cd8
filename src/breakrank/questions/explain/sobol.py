"""Shares of the variance of an outcome: Sobol's indices of groups of parameters, and of luck.

An outcome is a function of the parameters and of luck, f(x, w). Luck is a group like any other, because a
run's luck is named by its number: the same number draws the same again, whatever the parameters are. So the
scheme of Saltelli and others (2010) needs no change. It takes two independent tables of draws, A and B, and
tables in which one group of A's columns comes from B:

    A with its own luck, B with its own          the first 2n prior simulations of the bank, so no new ones
    A with the columns of a group from B         n for each group, with A's luck
    A with B's luck, and B with A's              2n, which tell luck apart from all parameters together

First-order indices say what share of the variance would go if the group were known; total indices what
share would stay if all else were. Where the first-order indices do not add up to 1, the rest is interaction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from breakrank.questions.explain.screening import Screened
from breakrank.results.json_files import json_ready

Numbers = NDArray[np.float64]

LUCK = "luck"
TOGETHER = "all parameters"
RESAMPLES = 1000
"""How often rows are drawn again with replacement for the intervals."""
LEVELS = (0.025, 0.975)


@dataclass(frozen=True, slots=True)
class Group:
    """Parameters that are exchanged together: its name, and their columns in the table of draws."""

    name: str
    columns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Share:
    """The share of one group in the variance of one outcome, with 95% intervals from resampling the rows.

    Attributes
    ----------
    first : what share of the variance would go if the group were known.
    total : what share would stay if everything else were known; interactions count in.
    """

    group: str
    first: float
    first_low: float
    first_high: float
    total: float
    total_low: float
    total_high: float

    @property
    def told(self) -> bool:
        """Whether the total share can be told from zero by more than noise: its interval begins above 0.01.

        Estimates of a total share are means of squares and never negative, so zero itself says nothing.
        """
        return self.total_low > 0.01

    def as_json(self) -> dict[str, object]:
        """Return it ready for JSON; what is no finite number is ``None``."""
        told = {
            "group": self.group,
            "first": self.first,
            "first_interval95": (self.first_low, self.first_high),
            "total": self.total,
            "total_interval95": (self.total_low, self.total_high),
        }
        return json_ready(told)


def halves(table: Numbers, rows: int) -> tuple[Numbers, Numbers]:
    """Return A and B, (rows, parameter) each: the first and the second `rows` of a table of draws."""
    return table[:rows], table[rows : 2 * rows]


def exchanged(a: Numbers, b: Numbers, columns: Sequence[int]) -> Numbers:
    """Return A with some of its columns from B, (rows, parameter)."""
    out = a.copy()
    out[:, list(columns)] = b[:, list(columns)]
    return out


def swapped(a: Numbers, b: Numbers) -> Numbers:
    """Return B above A, (2 rows, parameter): run k then has the other table's luck."""
    return np.concatenate([b, a])


def shares(
    f_a: Numbers,
    f_b: Numbers,
    f_ab: Mapping[str, Numbers],
    swap: Numbers,
    seed: int,
    resamples: int = RESAMPLES,
) -> tuple[Share, ...]:
    """Return the shares of luck, of all parameters together, and of each group.

    First-order indices are by Saltelli and others (2010, table 2, b), total indices by Jansen (1999), over
    the variance of A and B together. Rows that lack a run are left out.

    Parameters
    ----------
    f_a, f_b : the outcome of A and of B with their own luck, float64 (rows,).
    f_ab : by group, of A with that group from B, float64 (rows,).
    swap : of :func:`swapped`, float64 (2 rows,): B with A's luck, then A with B's.
    seed : of the resampling.
    """
    n = len(f_a)
    b_with_a, a_with_b = swap[:n], swap[n:]
    # (x of A, luck of B) is A with its luck exchanged, (x of B, luck of A) is A with all else exchanged;
    # each is also what the other is to B, so that both groups are estimated from either side
    names = [LUCK, TOGETHER, *f_ab]
    from_a = np.stack([a_with_b, b_with_a, *f_ab.values()])
    from_b = np.stack([b_with_a, a_with_b])
    kept = np.isfinite(np.concatenate([[f_a, f_b], from_a])).all(0)
    f_a, f_b, from_a, from_b = f_a[kept], f_b[kept], from_a[:, kept], from_b[:, kept]
    if kept.sum() < 2 or np.ptp(np.concatenate([f_a, f_b])) == 0:
        return tuple(Share(name, *(np.nan,) * 6) for name in names)
    rows = np.arange(len(f_a))
    found = _indices(f_a, f_b, from_a, from_b, rows[None])
    rng = np.random.default_rng([seed, 0x50B01])
    again = _indices(f_a, f_b, from_a, from_b, rng.integers(0, len(rows), (resamples, len(rows))))
    low, high = np.nanquantile(again, LEVELS, axis=1)
    return tuple(
        Share(
            name,
            *(
                float(v)
                for v in (found[0, 0, k], low[0, k], high[0, k], found[1, 0, k], low[1, k], high[1, k])
            ),
        )
        for k, name in enumerate(names)
    )


def _indices(
    f_a: Numbers, f_b: Numbers, from_a: Numbers, from_b: Numbers, rows: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return first-order and total indices, (2, resample, group), of rows drawn (resample, row)."""
    a, b = f_a[rows], f_b[rows]
    both = np.concatenate([a, b], axis=1)
    variance, mean = both.var(1), both.mean(1, keepdims=True)
    variance[variance == 0] = np.nan
    first, total = [], []
    for k in range(len(from_a)):
        ab = from_a[k][rows]
        one, rest = ((b - mean) * (ab - a)).mean(1), 0.5 * ((a - ab) ** 2).mean(1)
        if k < len(from_b):
            ba = from_b[k][rows]
            one = 0.5 * (one + ((a - mean) * (ba - b)).mean(1))
            rest = 0.5 * (rest + 0.5 * ((b - ba) ** 2).mean(1))
        first.append(one / variance)
        total.append(rest / variance)
    return np.array([np.stack(first, 1), np.stack(total, 1)])


OTHERS = "all others"
"""The group of every parameter of a mechanism without an index of its own."""


def mechanism(parameter: str) -> str:
    """Return the mechanism that reads a parameter."""
    return parameter.partition(".")[0]


def groups(names: Sequence[str], screened: Sequence[Sequence[Screened]], number: int) -> tuple[Group, ...]:
    """Return the groups between which variance is shared out; together they hold every parameter once.

    Parameters
    ----------
    names : the parameters drawn, in the order of their columns.
    screened : by outcome, what screening found. A mechanism counts with the largest sum, over the outcomes,
        of the shares of its parameters that can be told from chance; where there are too few of those, with
        its largest share.
    number : of mechanisms with a group of their own; the rest makes up one more.
    """
    sums: dict[str, list[float]] = {mechanism(name): [0.0, 0.0] for name in names}
    for outcome in screened:
        mine: dict[str, float] = {}
        for one in outcome:
            group = mechanism(one.name)
            if one.told:
                mine[group] = mine.get(group, 0.0) + one.most
            if np.isfinite(one.most):  # else the outcome does not vary
                sums[group][1] = max(sums[group][1], one.most)
        for group, value in mine.items():
            sums[group][0] = max(sums[group][0], value)
    order = sorted(sums, key=lambda g: (-sums[g][0], -sums[g][1]))
    own = order[:number]
    if len(order) == number + 1:  # a rest of one is no rest
        own = order
    found = [Group(g, tuple(k for k, n in enumerate(names) if mechanism(n) == g)) for g in own]
    rest = tuple(k for k, n in enumerate(names) if mechanism(n) not in own)
    return (*found, Group(OTHERS, rest)) if rest else tuple(found)
