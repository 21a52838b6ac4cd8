"""The compiled step of :mod:`breakrank.classics.epstein`."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import fraction
from breakrank.kernel import kernel

FREE, QUIET, ACTIVE, COP = 0, 1, 2, 3
"""What a site holds."""


class Torus(NamedTuple):
    """Who is where. People are numbered citizens first; written to by :func:`live`.

    ``in_sight`` uint32 (site, other) the sites in sight of each site; ``holds`` uint8 (site,) what a site
    holds and ``holder`` int32 (site,) who, -1 where it is free; ``at`` int32 (person,) his site, or where
    he was arrested; ``inside`` bool (person,) in jail, or out of it and not yet back on the torus; ``back``
    int64 (person,) the step in which he is let out.
    """

    in_sight: NDArray[np.uint32]
    holds: NDArray[np.uint8]
    holder: NDArray[np.int32]
    at: NDArray[np.int32]
    inside: NDArray[np.bool_]
    back: NDArray[np.int64]


class Citizens(NamedTuple):
    """What citizens think: ``hardship`` and ``risk_aversion`` float64 (person,), the rest alike for all."""

    hardship: NDArray[np.float64]
    risk_aversion: NDArray[np.float64]
    threshold: float
    k: float
    rounding: bool


def settle(in_sight: NDArray[np.uint32], at: NDArray[np.int32], citizens: int) -> Torus:
    """Return a torus with people at the given sites: so many `citizens`, all quiet, and then the cops."""
    sites, people = len(in_sight), len(at)
    holds, holder = np.zeros(sites, np.uint8), np.full(sites, -1, np.int32)
    holds[at[:citizens]], holds[at[citizens:]] = QUIET, COP
    holder[at] = np.arange(people)
    return Torus(in_sight, holds, holder, at.copy(), np.zeros(people, np.bool_), np.zeros(people, np.int64))


@kernel
def _move(torus: Torus, i: int, word: int, near: NDArray[np.int64]) -> bool:
    """Send i to a free site in sight (out of jail: or where he was); return whether he is on the torus."""
    free = 0
    for site in torus.in_sight[torus.at[i]]:
        near[free] = site  # kept if it counts: a branch here would be mispredicted for every fourth site
        free += torus.holds[site] == FREE
    if torus.inside[i] and torus.holds[torus.at[i]] == FREE:
        near[free] = torus.at[i]
        free += 1
    if free > 0:
        if not torus.inside[i]:
            _leave(torus, torus.at[i])
        torus.at[i] = near[int(fraction(word) * free)]
    return free > 0 or not torus.inside[i]


@kernel
def _leave(torus: Torus, site: int) -> None:
    torus.holds[site] = FREE
    torus.holder[site] = -1


@kernel
def _stand(torus: Torus, i: int, site: int, what: int) -> None:
    torus.inside[i] = False
    torus.at[i] = site
    torus.holds[site] = what
    torus.holder[site] = i


@kernel
def _rebels(torus: Torus, minds: Citizens, i: int, legitimacy: float) -> bool:
    """Return whether citizen i is active, given those in sight; he counts himself among the active."""
    cops, active = 0, 1
    for site in torus.in_sight[torus.at[i]]:
        if torus.holds[site] == COP:
            cops += 1
        elif torus.holds[site] == ACTIVE:
            active += 1
    ratio = float(cops // active) if minds.rounding else cops / active
    risk = 1 - math.exp(-minds.k * ratio)
    net = minds.hardship[i] * (1 - legitimacy) - minds.risk_aversion[i] * risk
    return bool(net > minds.threshold)


@kernel
def _suspect(torus: Torus, i: int, word: int, near: NDArray[np.int64]) -> int:
    """Return an active citizen in sight of cop i, -1 if there is none."""
    seen = 0
    for site in torus.in_sight[torus.at[i]]:
        if torus.holds[site] == ACTIVE:
            near[seen] = torus.holder[site]
            seen += 1
    return near[int(fraction(word) * seen)] if seen > 0 else -1


@kernel
def live(
    torus: Torus,
    minds: Citizens,
    order: NDArray[np.int64],
    luck: NDArray[np.uint32],
    step: int,
    legitimacy: float,
    jail: int,
) -> None:
    """Let everyone live through one step, in the given order of persons.

    The words of a person's luck, uint32 (4, person), say: his turn (in `order` already), where he goes, whom
    he arrests, and for how long he goes to jail if he is arrested.
    """
    citizens = len(minds.hardship)
    near = np.empty(torus.in_sight.shape[1] + 1, np.int64)
    for i in order:
        if torus.inside[i] and step < torus.back[i]:
            continue
        if not _move(torus, i, luck[1, i], near):
            continue
        here = torus.at[i]
        if i < citizens:
            # he has left his old site, and does not see his own
            _stand(torus, i, here, ACTIVE if _rebels(torus, minds, i, legitimacy) else QUIET)
            continue
        _stand(torus, i, here, COP)
        suspect = _suspect(torus, i, luck[2, i], near)
        if suspect >= 0:
            _leave(torus, here)
            _stand(torus, i, torus.at[suspect], COP)
            torus.inside[suspect] = True
            torus.back[suspect] = step + 1 + int(fraction(luck[3, suspect]) * jail)
