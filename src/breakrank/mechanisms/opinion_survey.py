"""The opinion survey: what is measured of those who serve, once a week, without touching anything.

The share privately opposed and the mean belief about comrades are read off a fixed sample of
soldiers (every k-th identity, some ten thousand of them; all in a small force).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.codes import SERVING
from breakrank.engine.mechanism import Mechanism, Step
from breakrank.engine.records import RunRecords
from breakrank.engine.rows import AHEAD, fetch
from breakrank.engine.run import Now, Run, hold
from breakrank.engine.world import World
from breakrank.kernel import lean
from breakrank.mechanisms.comrades import OPPOSED, Expectations, expected
from breakrank.mechanisms.grievance import Grievances
from breakrank.mechanisms.plot_life import Plots
from breakrank.mechanisms.preference import Preferences, margin_of, margins
from breakrank.outputs import SHARE, at_end, level
from breakrank.table import Table
from breakrank.units import DAYS_A_WEEK

SAMPLE = 10_000


class Survey(Table):
    """Who is asked, positions ascending; the ``last`` day of the run; ``opposed`` and ``belief`` gauges."""

    sample: NDArray[np.int64]
    last: int
    opposed: NDArray[np.float32]
    belief: NDArray[np.float32]


@lean
def _measure(
    now: Now, s: Survey, records: RunRecords, p: Preferences, g: Grievances, m: Expectations
) -> bool:
    """Measure opposition and belief, once a week, and the chain of command at the end."""
    if now.day % DAYS_A_WEEK == 0:
        serving = opposed = 0
        believed = 0.0
        for k in range(s.sample.shape[0]):
            fetch(p.disposition, s.sample[min(k + AHEAD, s.sample.shape[0] - 1)])
            i = s.sample[k]
            if records.fate[i] == SERVING:
                serving += 1
                believed += expected(m, OPPOSED, now.day, i)
                opposed += margin_of(p, g, now.day, i) > 0  # no branch: no processor guesses who is opposed
        hold(s.opposed, now.day, opposed / serving if serving else np.nan)
        hold(s.belief, now.day, believed / serving if serving else np.nan)
    return now.day == s.last or now.fallen


class OpinionSurvey(Mechanism):
    """Weekly measurements of opinion among those who serve; they change nothing."""

    name = "opinion_survey"
    outputs = (
        level("opposed", "Privately opposed among those serving", SHARE),
        level("belief", "Comrades believed opposed", SHARE),
        at_end(
            "strength_region", "Strength at the start, by branch and region", "soldiers", "branch", "region"
        ),
        at_end(
            "gone_region",
            "No longer serving at the end, by branch and region",
            "soldiers",
            "branch",
            "region",
        ),
        at_end("plotted_region", "Ever in a plot, by branch and region", "soldiers", "branch", "region"),
        at_end(
            "opposed_region",
            "Privately opposed among those serving at the end",
            SHARE,
            "branch",
            "region",
            dtype="float32",
        ),
    )
    subsystem = 4
    steps = (Step("dusk", _measure, then="_by_command"),)

    def __init__(self, world: World) -> None:
        super().__init__(world)
        identity = world.force.identity
        step = max(1, int(identity[-1] + 1) // SAMPLE) if len(identity) else 1
        force = world.force
        self.cells = (len(force.labels.branches), len(force.labels.regions))
        region = force.formations.region[force.formation].astype(np.int64)
        self.cell = force.branch.astype(np.int64) * self.cells[1] + region
        self.strength = self._count(np.ones(force.n, np.bool_))
        self.sample = np.flatnonzero(identity % step == 0)

    def begin(self, run: Run) -> None:
        """Nobody has been asked."""
        run.share(
            Survey(
                sample=self.sample,
                last=self.world.days - 1,
                opposed=run.gauge("opposed"),
                belief=run.gauge("belief"),
            )
        )

    def _by_command(self, run: Run) -> None:
        """Count, by branch and region, who is gone, who ever plotted, and who of those serving is opposed."""
        serving = run.records.fate == SERVING
        opposed = serving & (margins(run) > 0)
        plotted = run.view(Plots).first >= 0
        gone = self._count(~serving)
        serve = self.strength - gone
        run.tables["strength_region"] = self.strength.astype(np.int32)
        run.tables["gone_region"] = gone.astype(np.int32)
        run.tables["plotted_region"] = self._count(plotted).astype(np.int32)
        with np.errstate(invalid="ignore"):
            share = np.where(serve > 0, self._count(opposed) / serve, np.nan)
        run.tables["opposed_region"] = share.astype(np.float32)

    def _count(self, which: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return how many soldiers of each branch and region are among `which`, bool (soldier,)."""
        found = np.bincount(self.cell[which], minlength=self.cells[0] * self.cells[1])
        return found.astype(np.int64).reshape(self.cells)
