"""Sequential Monte Carlo over the dated figures of a record, with parameters and luck as what is unknown.

Worlds live to the next figure and weigh by how likely it is in them (Gordon, Salmond and Smith 1993). Where
few would carry the weight, the figure is told in steps (Del Moral, Doucet and Jasra 2006): after each, worlds
are resampled and moved, so that copies part (Gilks and Berzuini 2001). A move is a Metropolis step that keeps
the prior: all parameters go a little way (Neal 1998; Cotter and others 2013), or some are drawn afresh, or
the luck is another from some day on. What is not changed is the same: either world is lived from its first
day.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from breakrank.case.luck import LuckPath
from breakrank.case.normal import normal_below
from breakrank.questions.calibrate.likelihood import log_likelihood
from breakrank.questions.calibrate.record import TargetRecord
from breakrank.questions.calibrate.regression import Array, effective
from breakrank.questions.condition.lives import LivedWorlds
from breakrank.questions.condition.particles import Particles, shares, step_to, uniforms
from breakrank.results.measures import known_on

ENOUGH = 0.5
"""Share of the worlds that has to be effective; below, a figure is told in steps."""
STEPS = 40
"""Most steps in which the figures of one date are told."""
MOVES = 2
"""Moves of each world after each step."""
BLOCK = 0.1
"""Share of the parameters that a move draws afresh."""
FIRST_STRIDE = 0.4
"""How far the first moves of parameters go: 1 would be a fresh draw of the prior."""
TOGETHER = dt.timedelta(days=14)
"""Figures of such a time are told on its last day."""
TWICE = 0.95
"""Correlation over worlds above which two figures of one date count the same thing."""
MANY = 20
"""Worlds that it takes to say so."""
LOST = -1e6
"""Logarithm of the likelihood of a world that could not be lived."""


@dataclass(frozen=True)
class ToldFigure:
    """What one figure did.

    Attributes
    ----------
    id : of the target. date : on which it was told.
    before : share of the worlds that agreed with it before it was told.
    information : how much it told, in bits: of the weights that it alone would give.
    twice : the other figure of the same date that it counts again, so that it was left out; else empty.
    """

    id: str
    date: dt.date
    before: float
    information: float
    twice: str = ""


@dataclass
class Work:
    """What came of the work: worlds lived, steps, moves tried and made, by date.

    Attributes
    ----------
    lived : worlds that were lived. steps : by date, in how many steps its figures were told.
    effective : by date, how many effective worlds its figures would have left if told at once.
    moves : tried and made, by what they change.
    """

    lived: int = 0
    steps: dict[str, int] = field(default_factory=dict)
    effective: dict[str, float] = field(default_factory=dict)
    moves: dict[str, list[int]] = field(
        default_factory=lambda: {"all parameters": [0, 0], "some parameters": [0, 0], "luck": [0, 0]}
    )


class Conditioning:
    """Worlds told of a record, date by date.

    Parameters
    ----------
    lives : how worlds are lived.
    record : all that they are told of.
    given : last day of which they are told.
    worlds : how many there are.
    """

    def __init__(self, lives: LivedWorlds, record: TargetRecord, given: dt.date, worlds: int) -> None:
        self._lives, self._record, self._given = lives, record, given
        self._n = worlds
        self._step = self._used = 0
        self._stride = FIRST_STRIDE
        self._told: list[int] = []
        self.figures: list[ToldFigure] = []
        self.work = Work()

    def done(self) -> Particles:
        """Return the worlds, all of one weight."""
        numbers = np.arange(self._n)
        now = Particles.begun(self._lives.free.drawn(self._lives.seed, "worlds", numbers))
        for date, aims in self._dates():
            now = self._stage(now, date, aims)
            following = date + dt.timedelta(days=1)
            if following <= self._given:
                now = now.apart(following, self._numbers())
        if np.ptp(now.weights) > 0:
            self._step += 1
            now = now.resampled(self._lives.seed, self._step)
        return now

    def _dates(self) -> Iterator[tuple[dt.date, list[int]]]:
        """Yield days with the figures that are told on them: those of two weeks together."""
        known = sorted((min(known_on(aim.target), self._given), k) for k, aim in enumerate(self._record.aims))
        while known:
            first = known[0][0]
            here = [(day, k) for day, k in known if day <= first + TOGETHER]
            known = known[len(here) :]
            yield here[-1][0], [k for _, k in here]

    def _stage(self, now: Particles, date: dt.date, aims: list[int]) -> Particles:
        """Tell the worlds of the figures of one date."""
        likelihood, counts = self._lived(now, date, self._told + aims, f"worlds until {date}")
        before = len(self._told)
        fresh = self._note(now, date, aims, likelihood[:, before:], counts[before:])
        taken = [*range(before), *(before + k for k in fresh)]
        self._told += [aims[k] for k in fresh]
        now = replace(now, likelihood=likelihood[:, taken])
        whole = now.likelihood[:, before:].sum(axis=1)
        self.work.effective[str(date)] = effective(shares(now.weights + whole))
        told, steps = 0.0, 0
        while told < 1.0:
            new = now.likelihood[:, before:].sum(axis=1)
            part = step_to(now.weights, new, ENOUGH * self._n, 1.0 - told)
            part = 1.0 - told if steps == STEPS - 1 else part
            told, steps = min(1.0, told + part), steps + 1
            now = now.weighed(part * new)
            if told < 1.0 or effective(shares(now.weights)) < ENOUGH * self._n - 1e-6:
                self._step += 1
                now = now.resampled(self._lives.seed, self._step)
                for _ in range(MOVES):
                    now = self._moved(now, date, before, told)
        self.work.steps[str(date)] = steps
        return now

    def _moved(self, now: Particles, date: dt.date, before: int, told: float) -> Particles:
        """Return particles after a move of each, with `told` of the figures after the first `before` told."""
        self._step += 1
        n, seed, step = self._n, self._lives.seed, self._step
        kind = uniforms(seed, "kind of move", step, n)
        luck, few = kind < 1 / 3, kind > 2 / 3
        fresh = self._lives.free.drawn(seed, f"worlds move {step}", np.arange(n))
        z = np.sqrt(1.0 - self._stride**2) * now.z + self._stride * fresh
        which = normal_below(self._lives.free.drawn(seed, f"worlds block {step}", np.arange(n))) < BLOCK
        z[few] = np.where(which, fresh, now.z)[few]
        start = self._lives.case.calendar.start
        days = (uniforms(seed, "from which day", step, n) * ((date - start).days + 1)).astype(int)
        first = self._numbers()
        paths = tuple(
            path.branched(start + dt.timedelta(days=day), first + k) if day else LuckPath(first + k)
            for k, (path, day) in enumerate(zip(now.paths, days.tolist(), strict=True))
        )
        tried = replace(
            now,
            z=np.where(luck[:, None], now.z, z),
            paths=tuple(b if yes else a for yes, a, b in zip(luck, now.paths, paths, strict=True)),
        )
        likelihood, _ = self._lived(tried, date, self._told, f"worlds until {date}, moved")
        tried = replace(tried, likelihood=likelihood)
        weights = np.full(likelihood.shape[1], 1.0)
        weights[before:] = told
        gain = (tried.likelihood - now.likelihood) @ weights
        made = np.log(uniforms(seed, "accept", step, n)) < gain
        all_ = ~luck & ~few
        for what, these in (("all parameters", all_), ("some parameters", few), ("luck", luck)):
            self.work.moves[what][0] += int(these.sum())
            self.work.moves[what][1] += int((these & made).sum())
        rate = made[all_].mean() if all_.any() else 0.25
        self._stride = float(
            np.clip(self._stride * (1.25 if rate > 0.35 else 0.7 if rate < 0.15 else 1.0), 0.02, 0.95)
        )
        return now.where(made, tried)

    def _lived(self, now: Particles, date: dt.date, aims: list[int], what: str) -> tuple[Array, list[Array]]:
        """Return the likelihood (n, targets) of worlds by a day, and what they count."""
        self.work.lived += self._n
        record = replace(self._record, aims=tuple(self._record.aims[k] for k in aims))
        counts = self._lives.counts(now.z, now.paths, date, record, what)
        out = np.stack([log_likelihood(a, c) for a, c in zip(record.aims, counts, strict=True)], axis=1)
        lost = np.all([np.isnan(c).all(axis=1) for c in counts], axis=0)
        return np.where(lost[:, None], LOST, out), counts

    def _note(
        self, now: Particles, date: dt.date, aims: list[int], likelihood: Array, counts: list[Array]
    ) -> list[int]:
        """Note what the figures of a date tell, and return the places of those that are told."""
        told: list[int] = []
        weights = shares(now.weights)
        for k, number in enumerate(aims):
            aim = self._record.aims[number]
            mine = aim.scaled(counts[k][:, 0])
            twice = next((j for j in told if self._again(aims[j], number, counts[j], mine)), None)
            if twice is None:
                told.append(k)
            alone = shares(now.weights + likelihood[:, k])
            with np.errstate(divide="ignore", invalid="ignore"):
                bits = np.where(alone > 0, alone * np.log2(alone / weights), 0.0).sum()
            self.figures.append(
                ToldFigure(
                    aim.id,
                    date,
                    float(weights @ aim.agrees(counts[k][:, 0])),
                    max(0.0, float(bits)),
                    "" if twice is None else self._record.aims[aims[twice]].id,
                )
            )
        return told

    def _again(self, earlier: int, later: int, counts: Array, mine: Array) -> bool:
        """Return whether a figure counts again what another of the same date has counted."""
        one, other = self._record.aims[earlier], self._record.aims[later]
        return one.target.date == other.target.date and _alike(one.scaled(counts[:, 0]), mine)

    def _numbers(self) -> int:
        """Return the first of n numbers of luck that nobody has had."""
        self._used += self._n
        return self._used


def _alike(one: Array, other: Array) -> bool:
    """Return whether two counts rise and fall together, in worlds that count either."""
    told = np.isfinite(one) & np.isfinite(other) & (one != 0) & (other != 0)
    one, other = one[told], other[told]
    if len(one) < MANY or np.ptp(one) == 0 or np.ptp(other) == 0:
        return False
    return bool(np.corrcoef(one, other)[0, 1] > TWICE)
