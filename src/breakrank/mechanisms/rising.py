"""Risings: what becomes of the plots that launch, within a day.

All plots that launch on one day are one rising. Its people and the units they command are in from the
first hour; every other unit commander sees, with error, who has joined and how strong the regime is,
and joins when his belief of success reaches what he stands to lose against what he stands to gain
(:mod:`breakrank.mechanisms.regime_change`). Pledges are kept or broken there, units near the seat are
ordered against the column and may refuse, and weight counts the less the farther away it stands. Then
the regime falls, or the rising holds out for a while, or collapses, and whoever took part is taken,
runs, or surrenders (Singh 2014, "Seizing power"; Morris and Shin 2003; Little 2017 on coups as
coordination).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import NOBODY, decision, normal
from breakrank.engine.codes import (
    DEFEATED,
    EV_FOLLOWED,
    EV_RISING_COLLAPSED,
    EV_RISING_STALEMATE,
    EV_RISING_WON,
    EV_ROSE,
    OF_THE_HIGH_COMMAND,
    REPORT,
    SERVING,
    STAY,
)
from breakrank.engine.mechanism import Mechanism, Step
from breakrank.engine.moments import Moments
from breakrank.engine.records import RunRecords, record
from breakrank.engine.run import Now, Run
from breakrank.engine.world import World
from breakrank.kernel import lean
from breakrank.mechanisms.challenger import Credit
from breakrank.mechanisms.fear import punishment_by_rank
from breakrank.mechanisms.grievance import Grievances
from breakrank.mechanisms.high_command import Command, on_the_day, players_of_command
from breakrank.mechanisms.learning import Expectations
from breakrank.mechanisms.plot_table import Launches, Plots
from breakrank.mechanisms.preference import Preferences
from breakrank.mechanisms.regime_change import play
from breakrank.mechanisms.rising_parameters import (
    COMMAND,
    COMPANY,
    FOLLOW,
    GAIN,
    HOURS,
    LOSS,
    MEASURES,
    NOISE,
    NOISE_FAR,
    ORDERED,
    OUTPUTS,
    PARAMETERS,
    PROMISE,
    REACH,
    REFUSAL,
    SIGHT,
    STALEMATE,
    STRENGTH,
    STRENGTH_SPREAD,
    TAKEN,
)
from breakrank.mechanisms.routes import days_to_capital
from breakrank.mechanisms.uprising import (
    Sides,
    bring_along,
    surrender,
    take_prisoners,
    tell_sides,
    those_who_launch,
    weigh_joining_in,
)
from breakrank.table import Table

_NOBODY = int(NOBODY)
_STRENGTH = int(decision("rising.strength"))
_PLAY = int(decision("rising.play"))
_FOLLOW = int(decision("rising.follow"))
_TAKEN = int(decision("rising.taken"))


class Risings(Table):
    """Risings by day: ``size`` soldiers who took part, ``taken`` of them where they stood."""

    size: NDArray[np.int32]
    taken: NDArray[np.int32]


@lean
def _launched(launches: Launches) -> bool:
    """Carry out the plots launched today."""
    return launches.rising > 0


@lean
def _surrender(now: Now, moments: Moments, r: Risings, records: RunRecords) -> None:
    """Those who neither run nor hide after a failed rising surrender."""
    if r.size[now.day] and moments.count[STAY] + moments.count[REPORT]:
        surrender(now, moments, records)


class Rising(Mechanism):
    """Rounds among commanders, and the aftermath. Off: plots to rise are never carried out."""

    name = "rising"
    subsystem = 9
    parameters = PARAMETERS
    outputs = OUTPUTS
    measures = MEASURES

    steps = (Step("act", _surrender), Step("rise", _launched, then="_rise"))

    def __init__(self, world: World) -> None:
        super().__init__(world)
        force = world.force
        self.leader = force.leader
        self.commanders = force.identity[np.maximum(self.leader, 0)]
        self.start = force.unit_start
        self.distance = days_to_capital(world)[force.units.state]
        self.near = np.exp(-self.distance / world[REACH.name])
        self.weight = np.diff(self.start) * self.near
        self.precision = 1 / (world[NOISE.name] * (1 + world[NOISE_FAR.name] * self.distance)) ** 2
        self.nearest = np.argsort(self.distance, kind="stable")
        self.punishment = punishment_by_rank(world)
        self.ordered = round(world[ORDERED.name] * world.scale)

    def begin(self, run: Run) -> None:
        """Nobody has risen."""
        self.rose = run.column("rising.rose", np.bool_)
        self.hunted = run.column("ways_out.hunted", np.bool_)
        self.part = np.empty(0, np.int32)
        self.risings = Risings(np.zeros(self.world.days, np.int32), np.zeros(self.world.days, np.int32))
        run.share(self.risings)
        run.tables["rising_size"], run.tables["taken"] = self.risings.size, self.risings.taken

    def _rise(self, run: Run) -> None:
        launches, p = run.view(Launches), run.view(Plots)
        plots = launches.plots[: launches.rising]
        plots = plots[
            run.records.fate[p.founder[plots]] == SERVING
        ]  # one may have declared himself meanwhile
        if not len(plots) or run.fallen >= 0:
            return
        day, world = run.day, self.world
        run.make_room(4 * len(self.leader) + int(np.diff(self.start).max()) * 64 + 4096)
        chief = self._chief(p, plots)
        sides = self._sides()
        self.rose[self.part] = False
        first = int(run.records.cursor[0])
        those_who_launch(p, run.records, day, plots, chief, world.force.unit, sides, self.rose)
        out, left = self._play(run, chief, sides, plots)
        tell_sides(run.records, day, chief, int(world[HOURS.name]), sides)
        run.make_room(int(np.diff(self.start)[(sides.joined >= 0) | (sides.plotters > 0)].sum()) * 4 + 4096)
        bring_along(
            run.key,
            _FOLLOW,
            run.records,
            day,
            sides,
            self.start,
            run.view(Preferences),
            run.view(Grievances),
            world[FOLLOW.name],
            world[COMPANY.name],
            self.rose,
        )
        self.part = self._who_rose(run, first, chief)
        size = int(np.count_nonzero(run.records.fate[self.part] == SERVING))
        self.risings.size[day] = size
        if out >= left:
            record(run.records, day, chief, EV_RISING_WON, -1, -1, float(size))
            run.fall(0, chief)
            return
        held = out >= world[STALEMATE.name] * left
        ended = EV_RISING_STALEMATE if held else EV_RISING_COLLAPSED
        record(run.records, day, chief, ended, -1, -1, float(size))
        free = take_prisoners(run.key, _TAKEN, run.records, day, self.part, world[TAKEN.name], self.hunted)
        self.risings.taken[day] = size - len(free)
        run.call(free, DEFEATED)

    def _chief(self, p: Plots, plots: NDArray[np.int32]) -> int:
        """Return the founder of the largest plot (the lowest position among equals)."""
        best = max(plots, key=lambda k: (int(p.largest[k]), -int(p.founder[k])))
        return int(p.founder[best])

    def _who_rose(self, run: Run, first: int, chief: int) -> NDArray[np.int32]:
        """Return who takes part, ascending, as the log says from row `first` on: no walk over the force."""
        end = int(run.records.cursor[0])
        rows = np.isin(run.records.event[first:end], (EV_ROSE, EV_FOLLOWED))
        return np.unique(np.append(run.records.who[first:end][rows], np.int32(chief)))

    def _sides(self) -> Sides:
        units = len(self.leader)
        return Sides(
            self.leader,
            np.full(units, -1, np.int16),
            np.full(units, -1, np.int16),
            np.zeros(units, np.bool_),
            np.zeros(units, np.int32),
            np.full(units, -1, np.int32),
        )

    def _play(self, run: Run, chief: int, sides: Sides, plots: NDArray[np.int32]) -> tuple[float, float]:
        """Play the day's rounds: unit commanders, holders of positions who have promised, the column."""
        world, units = self.world, len(self.leader)
        above = players_of_command(run, run.view(Plots).founder[plots])
        threshold, belief = np.ones(units), np.zeros(units)
        credit = float(run.view(Credit).today[0])
        offered = max(float(world.daily(field)[run.day]) for field in ("guarantees", "amnesty"))
        weigh_joining_in(
            run.records,
            run.day,
            sides,
            run.view(Preferences),
            run.view(Grievances),
            run.view(Expectations),
            world[LOSS.name] * self.punishment,
            world[GAIN.name] * credit * (1 + offered),
            world[PROMISE.name],
            credit,
            threshold,
            belief,
        )
        share = self.weight.sum() * world[COMMAND.name]
        silent = share * max(float(run.view(Command).weight.sum()) - above.weight.sum(), 0.0)
        column = float((sides.plotters * self.near).sum())
        # players: units, promised positions, the plotters without a command, the rest of the high command
        weight = np.concatenate([self.weight, share * above.weight, [column, silent]])
        players, kept = len(weight), slice(units, units + len(above.weight))
        joined = np.full(players, -1, np.int16)
        joined[:units], joined[players - 2] = sides.joined, 0
        ordered = np.zeros(players, np.bool_)
        led = (self.leader >= 0) & (run.records.fate[self.leader] == SERVING)
        free = self.nearest[(sides.joined[self.nearest] < 0) & led[self.nearest]]
        ordered[free[: self.ordered]] = True
        refused, success = np.empty(players, np.int16), np.empty(players)
        base, spread = world[STRENGTH.name], world[STRENGTH_SPREAD.name]
        luck = normal(run.key, _STRENGTH, _NOBODY, _NOBODY, run.day)
        result = play(
            run.key,
            _PLAY,
            run.day,
            np.concatenate([self.commanders, above.identity, [_NOBODY, _NOBODY]]).astype(np.uint32),
            weight / weight.sum(),
            np.concatenate([threshold, above.threshold, [1.0, 1.0]]),
            np.concatenate([belief, above.belief, [0.0, 0.0]]),
            np.concatenate([self.precision, np.full(len(above.weight), world[NOISE.name] ** -2), [0.0, 0.0]]),
            ordered,
            joined,
            refused,
            max(base + spread * luck, 0.0),
            base,
            1 / spread**2 if spread > 0 else 0.0,
            world[SIGHT.name],
            world[REFUSAL.name],
            int(world[HOURS.name]),
            success,
        )
        sides.joined[:], sides.refused[:] = joined[:units], refused[:units]
        keeps, _ = on_the_day(run, chief, above, success[kept])
        for q, holder in zip(above.position[keeps], above.holder[keeps], strict=True):
            record(run.records, run.day, int(holder), EV_ROSE, -1, chief, float(OF_THE_HIGH_COMMAND + q))
            self.rose[holder] = True
        return result
