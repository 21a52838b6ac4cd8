"""What comes next, from simulations whose own course so far is that of the record.

A forecast takes two things from what is known: which parameters agree with it, and which courses of events
do. Simulations are made around what the record leaves of the prior, each over the whole time; their
importance weights take that choice back. Then, for each later figure, what is known is summed up in
one statistic, a regression of that figure on the known ones (semi-automatic; Fearnhead and Prangle 2012).
Simulations weigh by how near their statistic is to the record's, and are moved along a local line to where it
is (Beaumont, Zhang and Balding 2002), here for what is foretold instead of for parameters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from breakrank.case.free_parameters import Free
from breakrank.questions.calibrate.bank import bare, made, portion, portions
from breakrank.questions.calibrate.calibrate import equally
from breakrank.questions.calibrate.methods import Weighted, abc, epanechnikov
from breakrank.questions.calibrate.proposal import ParameterProposal, identity, keep_proposal, kept_proposal
from breakrank.questions.calibrate.record import Aim, TargetRecord, filled
from breakrank.questions.calibrate.regression import Array, features, ridge, scale_of
from breakrank.questions.validate.fit import Workshop, with_targets
from breakrank.results.measures import find, read, source_of
from breakrank.results.whole_force import whole_force

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import xarray as xr

    from breakrank.case import Case, Target
    from breakrank.runs.carry_out import Account
    from breakrank.runs.study import Study

DRAWS = 400
"""Equally weighted draws of each forecast."""
TIMES = 3
"""Simulations around what is known, as a multiple of the runs of other forecasters: some are far off."""
NEIGHBOURS = 60
"""Effective number of simulations that a forecast is made of."""


@dataclass(frozen=True)
class Ahead:
    """Simulations around what is known, over the whole time.

    Attributes
    ----------
    counts : what each later target counts (n,), in their order.
    aims : the later targets as likelihoods, whose scales they are moved on.
    daily : the course of one count by day (n, days); without columns where there is none.
    summaries : of the known targets, the record at 0 (n, d). weights : of importance (n,).
    seed : names the draws.
    """

    counts: list[Array]
    aims: tuple[Aim, ...]
    daily: Array
    summaries: Array
    weights: Array
    seed: int

    def draws(self, which: int, moved: bool = True) -> Array:
        """Return draws of a later target (400,), moved along the line or only weighted."""
        aim = self.aims[which]
        y = self.counts[which]
        told = np.isfinite(y)
        x = aim.scaled(y[told])
        near = self._near(x, told)
        if not moved:
            return self._equally(Weighted(y[told][near.taken, None], near.weights))[:, 0]
        return aim.unscaled(self._equally(Weighted(near.moved(x[:, None]), near.weights))[:, 0])

    def course(self, which: int) -> Array:
        """Return draws of the daily course (400, days), told by what tells of the target `which`."""
        y = self.counts[which]
        told = np.isfinite(y)
        near = self._near(self.aims[which].scaled(y[told]), told)
        moved = near.moved(np.log1p(self.daily[told]))
        return np.expm1(np.maximum(self._equally(Weighted(moved, near.weights)), 0.0))

    def _near(self, y: Array, told: NDArray[np.bool_]) -> Near:
        s, weights = self.summaries[told], self.weights[told]
        scale = scale_of(s)
        f, at = features(scale(s)), features(scale(np.zeros(s.shape[1])))
        if not scale.kept.size or np.ptp(y) == 0:
            everyone = np.arange(len(y))
            return Near(everyone, weights / weights.sum(), np.zeros(len(y)))
        fit = ridge(f, y[:, None], weights)
        own = (fit(f) - fit.hats(f, weights)[:, None] * y[:, None]) / (1 - fit.hats(f, weights))[:, None]
        away = own[:, 0] - float(fit(at)[0])
        kernel = epanechnikov(np.abs(away), weights, NEIGHBOURS)
        taken = np.flatnonzero(kernel > 0)
        return Near(taken, kernel[taken] / kernel[taken].sum(), away[taken])

    def _equally(self, found: Weighted) -> Array:
        return equally(found, DRAWS, self.seed)


@dataclass(frozen=True)
class Near:
    """The simulations near the record: which (m,), how they weigh (m,), and how far off they are (m,)."""

    taken: NDArray[np.int64]
    weights: Array
    away: Array

    def moved(self, y: Array) -> Array:
        """Return what they foretell (m, k), of (n, k), moved along a local line to where the record is."""
        here = y[self.taken]
        line = ridge(self.away[:, None], here, self.weights * len(self.taken), 1e-6)
        return np.asarray(here - line(self.away[:, None]) + line(np.zeros((1, 1))))


def ahead(
    until: Case,
    over: Case,
    known: Sequence[Target],
    later: Sequence[Target],
    head: Target | None,
    shop: Workshop,
) -> Ahead:
    """Return simulations around what was known on a day.

    Parameters
    ----------
    until, over : the case that ends on that day, and the same until the last later target.
    known, later : figures known on the day, and those to be foretold.
    head : the count whose daily course is kept.
    """

    def carry(what: str) -> Callable[[Study], Account]:
        return lambda study: shop.carry(study, shop.store, what)

    short = with_targets(until, known)
    free, record = Free.of(short), TargetRecord.of(short)
    first = list(portions(short, free, shop.simulations, shop.seed))
    bank = made(first, 0, record, shop.store, carry(f"simulations of the prior of {until.id}"), shop.code)
    s, _ = filled(bank.summaries(record, shop.seed))
    fitted = abc(bank.z, s, np.ones(len(bank)))
    plain = bare(over)
    # what another machine rounds otherwise would be another proposal, and all of its simulations others
    name = identity(shop.code, plain.digest, free.digest, record.digest, shop.seed, shop.simulations, "ahead")
    proposal = kept_proposal(shop.store.folder, name, 1)
    if proposal is None:
        proposal = ParameterProposal.around(fitted.posterior(record.observed), fitted.axes)
        keep_proposal(shop.store.folder, name, 1, proposal)

    whole = TargetRecord.of(with_targets(over, [*known, *later]))
    at = {name: k for k, name in enumerate(whole.ids)}
    count = TIMES * shop.runs
    z = proposal.drawn(free, shop.seed, "validate.ahead", count)
    further = portion(plain, free, z, count, shop.seed, "ahead")
    run = made([further], 1, whole, shop.store, carry(f"forecasts of {over.id}"), shop.code)
    told, _ = filled(run.summaries(whole, shop.seed)[:, [at[t.id] for t in known]])
    daily = [np.empty((len(run), 0))]
    if head is not None:
        study = further.study
        blocks = shop.store.blocks(further.case, study.seed, study.runs, only=whole.variables, code=shop.code)
        daily = [daily_of(whole_force(data, whole.stands_for), head) for data in blocks]
    return Ahead(
        [run.counts[at[t.id]][:, 0] for t in later],
        tuple(whole.aims[at[t.id]] for t in later),
        np.concatenate(daily),
        told,
        1.0 / proposal.ratio(run.z),
        shop.seed,
    )


def daily_of(data: xr.Dataset, target: Target) -> Array:
    """Return what a target counts by the end of each day (runs, days); without days where it has none."""
    by = {k: tuple(v) for k, v in (target.by or {}).items()}
    series = read(data, source_of(data, find(target.measure), by), by)
    if "day" not in series.dims:
        return np.empty((data.sizes["run"], 0))
    return np.asarray(np.cumsum(series.transpose("run", "day").values.astype(np.float64), axis=1))
