"""Uprisings: what becomes of the plots that launch, within a day.

All plots that launch on one day are one uprising. It begins as a mutiny of those who launch it and of the
units they command. It becomes a coup attempt once the commanders of other units hear of it within its hours,
through a public call or by its size (:mod:`breakrank.mechanisms.comrades`). Each then sees, with error, who
has joined and how strong the regime is. They join when they hold success likely enough for what they stand to
lose and to gain (:mod:`breakrank.mechanisms.regime_change`). The regime falls, or the uprising holds out for
a while, or it collapses. Whoever took part in a failed one is taken, runs, or surrenders.

The regime's strength, the share of all weight that must join, is a state and not a draw of the day:

    strength = usual + luck,  usual = base - WEAR worn

How likely the challenger is thought to win enters for commanders once, in what a success is worth: nobody
rewards those who bring a regime down if no challenger stands ready to keep their word. It moves neither the
strength nor what is believed of it, and who is opposed is each commander's own belief. ``luck`` nobody knows.
It is autoregressive, with standard deviation ``strength_spread`` and a memory of some months, so that a
second attempt soon after the first meets the same strength. ``worn`` is the share of the force that rose. It
heals in the same time, and faster under more surveillance. A column is noticed by its share of the force, so
that coup attempts grow less than mutinies with the size of the force. They still grow, since a public call is
heard by all plots there are.

Sources: Singh (2014), "Seizing power"; Morris and Shin (2003); Little (2017) on coups as coordination; Powell
and Thyne (2011), who count coup attempts (half of those since 1950 succeeded); Johnson (2021) on mutinies.

Units are rows of the force's table of units; `rose` is a bool (soldier,) column of who takes part.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import NOBODY, decision, normal, uniform
from breakrank.engine.codes import (
    DEFEATED,
    DETAINED,
    EV_ARRESTED,
    EV_FOLLOWED,
    EV_REFUSED,
    EV_RENEGED,
    EV_ROSE,
    EV_SURRENDERED,
    EV_UPRISING_COLLAPSED,
    EV_UPRISING_STALEMATE,
    EV_UPRISING_WON,
    OF_THE_HIGH_COMMAND,
    REPORT,
    RISE,
    SERVING,
    STAY,
)
from breakrank.engine.mechanism import Mechanism, Step
from breakrank.engine.moments import Moments
from breakrank.engine.records import RunRecords, move, record
from breakrank.engine.run import Now, Run, hold
from breakrank.engine.world import World
from breakrank.kernel import kernel, lean
from breakrank.mechanisms.challenger import Credit
from breakrank.mechanisms.comrades import OPPOSED, Expectations, expected, share_noticed
from breakrank.mechanisms.fear import punishment_by_rank
from breakrank.mechanisms.grievance import Grievances
from breakrank.mechanisms.high_command import Command, on_the_day, players_of_command
from breakrank.mechanisms.journeys import days_to_capital
from breakrank.mechanisms.plot_life import MEMBER, Plots
from breakrank.mechanisms.preference import Preferences, margin_of
from breakrank.mechanisms.regime import Watch
from breakrank.mechanisms.regime_change import HOURS, play, threshold_of
from breakrank.outputs import Measure, MeasureSource, daily, level
from breakrank.spec import parameters_of
from breakrank.table import Table, number

_NOBODY = int(NOBODY)
_STRENGTH = int(decision("rising.strength"))
_HEARD = int(decision("rising.heard"))
_PLAY = int(decision("rising.play"))
_FOLLOW = int(decision("rising.follow"))
_TAKEN = int(decision("rising.taken"))

WEAR = 3.0
"""Strength lost for each share of the force that rises.

It is missing from one side, stands on the other, and one who hesitates stands for each."""
REACH = 0.5
"""Days of road at which a unit's weight falls to 37%: power has a seat. Theory only: Singh 2014; size
assumed."""
ORDERED = 10
"""Nearest units, of the whole force, that are ordered against an uprising: some regiments."""
REFUSAL = 0.6
"""Belief in success, relative to joining, from which an order is refused: it risks less than joining."""
SIGHT = 0.01
"""Error with which commanders see what share has joined: a few hundred soldiers are soon miscounted."""
COMMAND = 0.3
"""Weight of the whole high command, relative to all units: it commands no troops itself. Theory only: Singh
2014; size assumed."""
STALEMATE = 0.5
"""Part of the needed weight at which an uprising is said to have held out instead of collapsed."""
COMPANY = 0.1
"""Share of the opposed in a plotter's unit who follow them though their commander does not join."""

STRENGTH_MEMORY = 120.0
"""Days in which strength returns 63% of the way to its usual: commands change hands within a season or two.
Theory only: Svolik 2012; size assumed."""


class Sides(Table):
    """Where every unit stands; arrays (unit,).

    ``leader`` position (-1 none), ``joined`` hour (-1 not), ``refused`` hour, ``pledged`` whether they have
    promised to come, ``plotters`` how many who do not command it, ``first`` one of them.
    """

    leader: NDArray[np.int32]
    joined: NDArray[np.int16]
    refused: NDArray[np.int16]
    pledged: NDArray[np.bool_]
    plotters: NDArray[np.int32]
    first: NDArray[np.int32]


@lean
def those_who_launch(
    p: Plots,
    records: RunRecords,
    day: int,
    plots: NDArray[np.int32],
    chief: int,
    unit: NDArray[np.int32],
    sides: Sides,
    rose: NDArray[np.bool_],
) -> None:
    """Put the members of the launching plots on the street; units that members command rise with them.

    `plots` int32, indices; `chief` position of the leader; `unit` int32 (soldier,). Fills `sides` and `rose`.
    """
    for plot in plots:
        row = p.rows[plot]
        while row >= 0:
            i = p.member[row]
            u = unit[i]
            if records.fate[i] == SERVING:
                leads = sides.leader[u] == i
                if p.role[row] == MEMBER and not rose[i]:
                    rose[i] = True
                    if leads:
                        sides.joined[u] = 0
                        record(records, day, i, EV_ROSE, -1, chief, 0.0)
                    else:
                        sides.plotters[u] += 1
                        sides.first[u] = i
                        if i != chief:
                            record(records, day, i, EV_FOLLOWED, -1, chief, 0.0)
                elif p.role[row] != MEMBER and leads:
                    sides.pledged[u] = True
            row = p.next[row]


@lean
def weigh_joining_in(
    records: RunRecords,
    day: int,
    sides: Sides,
    pr: Preferences,
    g: Grievances,
    m: Expectations,
    loss: NDArray[np.float64],
    gain: float,
    threshold: NDArray[np.float64],
    belief: NDArray[np.float64],
) -> None:
    """Write each commander's threshold (1: never) and belief, float64 (unit,), 0 to 1.

    Parameters
    ----------
    loss : (rank,) utility that a failure costs, without what rents add.
    gain : utility of having been on the side that wins, beside how far they are on the opposed side (below 0:
        on the other; they come to a success that is worth more to them than their loyalty).
    """
    for u in range(sides.leader.shape[0]):
        c = sides.leader[u]
        threshold[u], belief[u] = 1.0, 0.0
        if c < 0 or records.fate[c] != SERVING:
            continue
        belief[u] = expected(m, OPPOSED, day, c)
        wins = max(gain + margin_of(pr, g, day, c), 0.0)
        threshold[u] = threshold_of(loss[records.rank[c]] + pr.rents[records.rank[c]], wins)


@lean
def tell_sides(records: RunRecords, day: int, chief: int, hours: int, sides: Sides) -> None:
    """Write who joined after the first hour, who refused to march, and who did not keep a pledge."""
    for u in range(sides.leader.shape[0]):
        c = sides.leader[u]
        if sides.joined[u] > 0:
            record(records, day, c, EV_ROSE, -1, chief, float(sides.joined[u]))
        elif sides.refused[u] > 0:
            record(records, day, c, EV_REFUSED, -1, chief, float(sides.refused[u]))
        if sides.pledged[u] and sides.joined[u] < 0 and c >= 0 and records.fate[c] == SERVING:
            record(records, day, c, EV_RENEGED, -1, chief, float(hours))


@lean
def bring_along(
    now: Now,
    records: RunRecords,
    sides: Sides,
    start: NDArray[np.int64],
    pr: Preferences,
    g: Grievances,
    follow: float,
    rose: NDArray[np.bool_],
) -> None:
    """Let the opposed of a unit follow their commander, or a plotter among them.

    With a commander who joined each follows with chance `follow`; with k plotters and no commander, with
    chance 1 - (1 - COMPANY) ** k. `start` int64 (units + 1,): unit u stands at start[u]:start[u + 1].
    """
    for u in range(sides.leader.shape[0]):
        head = sides.leader[u] if sides.joined[u] >= 0 else sides.first[u]
        if sides.joined[u] > 0:
            rose[head] = True
        if sides.joined[u] < 0 and sides.plotters[u] == 0:
            continue
        chance = follow if sides.joined[u] >= 0 else 1.0 - (1.0 - COMPANY) ** sides.plotters[u]
        for i in range(start[u], start[u + 1]):
            opposed = not rose[i] and records.fate[i] == SERVING and margin_of(pr, g, now.day, i) > 0
            if opposed and uniform(now.key, _FOLLOW, records.identity[i], _NOBODY, now.day) < chance:
                rose[i] = True
                record(records, now.day, i, EV_FOLLOWED, -1, head, float(max(sides.joined[u], 0)))


@kernel
def take_prisoners(
    now: Now, name: int, records: RunRecords, rose: NDArray[np.int32], taken: float, hunted: NDArray[np.bool_]
) -> NDArray[np.int32]:
    """Arrest part of those who rose where they stand, and return the others: all of them are hunted.

    `rose` are positions, ascending; so are the others. `taken` is each one's chance of being arrested.
    """
    free = np.empty(rose.shape[0], np.int32)
    n = 0
    for i in rose:
        if records.fate[i] == SERVING:
            hunted[i] = True
            if uniform(now.key, name, records.identity[i], _NOBODY, now.day) < taken:
                move(records, now.day, i, DETAINED, EV_ARRESTED, -1, -1, 0.0)
            else:
                free[n] = i
                n += 1
    return free[:n]


@lean
def surrender(now: Now, moments: Moments, records: RunRecords) -> None:
    """Detain those who neither ran nor hid after a failed uprising."""
    for j in range(moments.who.shape[0]):
        if moments.occasion[j] == DEFEATED and moments.choice[j] in (STAY, REPORT):
            move(records, now.day, moments.who[j], DETAINED, EV_SURRENDERED, -1, -1, 0.0)


class Strength(Table):
    """The regime's strength, in shares of the force's weight.

    ``base`` and ``spread`` as the parameters of those names, ``keep`` what a day leaves of luck and wear;
    ``luck`` the unknown part, ``worn`` the share of the force that rose and is not yet replaced; ``usual``
    the strength without luck, which all know, ``today`` what it is; ``force`` soldiers; ``seen`` (day,).
    """

    base: float = number("uprising.strength")
    spread: float = number("uprising.strength_spread")
    keep: float
    luck: float
    worn: float
    usual: float
    today: float
    force: float
    seen: NDArray[np.float32]


@lean
def strength_today(now: Now, s: Strength, watch: Watch) -> None:
    """Let the unknown part of strength drift and wear heal by a day."""
    keep = s.keep if now.day > 0 else 0.0
    drawn = normal(now.key, _STRENGTH, _NOBODY, _NOBODY, now.day)
    s.luck = keep * s.luck + np.sqrt(1.0 - keep * keep) * s.spread * drawn
    s.worn *= s.keep ** watch.today[0]
    s.usual = max(s.base - WEAR * s.worn, 0.0)
    s.today = max(s.usual + s.luck, 0.0)
    hold(s.seen, now.day, s.today)


@lean
def wear_down(now: Now, s: Strength, records: RunRecords) -> None:
    """Count who rose today."""
    for k in range(now.first, records.cursor[0]):
        if records.event[k] in (EV_ROSE, EV_FOLLOWED):
            s.worn += 1.0 / s.force


class Uprisings(Table):
    """Uprisings by day: ``size`` soldiers who took part, ``taken`` of them where they stood."""

    size: NDArray[np.int32]
    taken: NDArray[np.int32]


@lean
def _launched(p: Plots) -> bool:
    """Carry out the plots launched today."""
    return p.used[3] > 0


@lean
def _surrender(now: Now, moments: Moments, r: Uprisings, records: RunRecords) -> None:
    """Those who neither run nor hide after a failed uprising surrender."""
    if r.size[now.day] and moments.count[STAY] + moments.count[REPORT]:
        surrender(now, moments, records)


class Uprising(Mechanism):
    """Rounds among commanders, and the aftermath. Off: plots to rise are never carried out."""

    name = "uprising"
    subsystem = 9
    parameters = parameters_of(name, "plots to rise are carried out")
    outputs = (
        daily(
            "uprisings",
            "Uprisings",
            EV_UPRISING_COLLAPSED,
            EV_UPRISING_STALEMATE,
            EV_UPRISING_WON,
            unit="uprisings",
            primary=8,
        ),
        daily("coup_attempts", "Uprisings that commanders elsewhere heard of", unit="uprisings"),
        daily("collapsed", "Uprisings that collapsed", EV_UPRISING_COLLAPSED, unit="uprisings"),
        daily("stalemates", "Uprisings that held out, then ended", EV_UPRISING_STALEMATE, unit="uprisings"),
        daily("won", "Uprisings that succeeded", EV_UPRISING_WON, unit="uprisings", measure="uprisings_won"),
        daily("refused", "Units that refused to march against an uprising", EV_REFUSED, unit="units"),
        daily("rose", "Units that rose", EV_ROSE, unit="units"),
        daily("followed", "Followed their commander into an uprising", EV_FOLLOWED),
        daily("uprising_size", "Took part in an uprising"),
        daily("taken", "Taken on the spot after an uprising"),
        daily("surrendered", "Surrendered after an uprising", EV_SURRENDERED),
        level("regime_strength", "Strength of the regime", "fraction of the force's weight"),
    )
    measures = (
        Measure(
            "uprising_arrested",
            "Taken or surrendered after an uprising",
            "soldiers",
            "caught",
            {"": MeasureSource("surrendered")},
        ),
        Measure(
            "success_of_attempts",
            "Coup attempts that succeeded",
            "fraction",
            "quotient",
            {"": MeasureSource("won")},
            over="coup_attempts",
        ),
    )

    steps = (
        Step("dawn", strength_today),
        Step("act", _surrender),
        Step("rise", _launched, then="_rise"),
        Step("dusk", wear_down),
    )

    def __init__(self, world: World) -> None:
        super().__init__(world)
        force = world.force
        self.leader = force.leader
        self.commanders = force.identity[np.maximum(self.leader, 0)]
        self.start = force.unit_start
        self.distance = days_to_capital(world)[force.units.state]
        self.near = np.exp(-self.distance / REACH)
        self.weight = np.diff(self.start) * self.near
        self.nearest = np.argsort(self.distance, kind="stable")
        self.punishment = punishment_by_rank(world)
        self.call = world.daily("call")
        self.noticed = world["uprising.noticed"] * world.scale
        self.ordered = round(ORDERED * world.scale)

    def begin(self, run: Run) -> None:
        """Nobody has risen."""
        self.rose = run.column("uprising.rose", np.bool_)
        self.hunted = run.column("routes.hunted", np.bool_)
        self.part = np.empty(0, np.int32)
        world = self.world
        self.strength = Strength(
            keep=float(np.exp(-1 / STRENGTH_MEMORY)),
            luck=0.0,
            worn=0.0,
            usual=world["uprising.strength"],
            today=world["uprising.strength"],
            force=float(world.force.n),
            seen=run.gauge("regime_strength"),
        )
        run.share(self.strength)
        self.attempts = run.tables["coup_attempts"] = np.zeros(world.days, np.int32)
        self.uprisings = Uprisings.of_zeros(dict.fromkeys(Uprisings.names(), world.days))
        run.share(self.uprisings)
        run.tables["uprising_size"], run.tables["taken"] = self.uprisings.size, self.uprisings.taken

    def _rise(self, run: Run) -> None:
        p = run.view(Plots)
        plots = p.launching[: p.used[3]]
        # a founder may have declared himself meanwhile
        plots = plots[(p.aim[plots] == RISE) & (run.records.fate[p.founder[plots]] == SERVING)]
        if not len(plots) or run.fallen >= 0:
            return
        day, world = run.day, self.world
        run.make_room(4 * len(self.leader) + int(np.diff(self.start).max()) * 64 + 4096)
        # of the largest plot; of the lowest position among equals
        chief = int(p.founder[max(plots, key=lambda k: (int(p.largest[k]), -int(p.founder[k])))])
        sides = self._sides()
        self.rose[self.part] = False
        first = int(run.records.cursor[0])
        those_who_launch(p, run.records, day, plots, chief, world.force.unit, sides, self.rose)
        out, left = self._play(run, chief, sides, plots, HOURS if self._is_heard(run, sides) else 0)
        tell_sides(run.records, day, chief, HOURS, sides)
        run.make_room(int(np.diff(self.start)[(sides.joined >= 0) | (sides.plotters > 0)].sum()) * 4 + 4096)
        bring_along(
            run.now,
            run.records,
            sides,
            self.start,
            run.view(Preferences),
            run.view(Grievances),
            world["uprising.follow"],
            self.rose,
        )
        end = int(run.records.cursor[0])  # the log says who takes part: no walk over the force
        rows = np.isin(run.records.event[first:end], (EV_ROSE, EV_FOLLOWED))
        self.part = np.unique(np.append(run.records.who[first:end][rows], np.int32(chief)))
        size = int(np.count_nonzero(run.records.fate[self.part] == SERVING))
        self.uprisings.size[day] = size
        if out >= left:
            record(run.records, day, chief, EV_UPRISING_WON, -1, -1, float(size))
            run.fall(0, chief)
            return
        held = out >= STALEMATE * left
        ended = EV_UPRISING_STALEMATE if held else EV_UPRISING_COLLAPSED
        record(run.records, day, chief, ended, -1, -1, float(size))
        free = take_prisoners(run.now, _TAKEN, run.records, self.part, world["uprising.taken"], self.hunted)
        self.uprisings.taken[day] = size - len(free)
        run.call(free, DEFEATED)

    def _is_heard(self, run: Run, sides: Sides) -> bool:
        """Return whether commanders elsewhere hear of it in time, so that it becomes a coup attempt."""
        units = np.diff(self.start)[sides.joined == 0].sum()
        heard = share_noticed(float(sides.plotters.sum() + units), self.noticed)
        heard = max(heard, float(self.call[run.day]))
        is_heard = uniform(run.key, _HEARD, _NOBODY, _NOBODY, run.day) < heard
        self.attempts[run.day] = is_heard
        return is_heard

    def _sides(self) -> Sides:
        units = len(self.leader)
        return Sides(
            leader=self.leader,
            joined=np.full(units, -1, np.int16),
            refused=np.full(units, -1, np.int16),
            pledged=np.zeros(units, np.bool_),
            plotters=np.zeros(units, np.int32),
            first=np.full(units, -1, np.int32),
        )

    def _play(
        self, run: Run, chief: int, sides: Sides, plots: NDArray[np.int32], rounds: int
    ) -> tuple[float, float]:
        """Play the day's rounds: unit commanders, holders of positions who have promised, the column."""
        world, units = self.world, len(self.leader)
        above = players_of_command(run, run.view(Plots).founder[plots])
        threshold, belief = np.ones(units), np.zeros(units)
        offered = max(float(world.daily(field)[run.day]) for field in ("guarantees", "amnesty"))
        weigh_joining_in(
            run.records,
            run.day,
            sides,
            run.view(Preferences),
            run.view(Grievances),
            run.view(Expectations),
            world["uprising.loss"] * self.punishment,
            world["uprising.gain"] * float(run.view(Credit).today[0]) * (1 + offered),
            threshold,
            belief,
        )
        share = self.weight.sum() * COMMAND * run.view(Command).weight[above.position]
        identities = run.records.identity[above.holder]
        column = float((sides.plotters * self.near).sum())
        # players: units, positions that have promised, the plotters without a command
        weight = np.concatenate([self.weight, share, [column]])
        players, kept = len(weight), slice(units, units + len(share))
        joined = np.full(players, -1, np.int16)
        joined[:units], joined[players - 1] = sides.joined, 0
        ordered = np.zeros(players, np.bool_)
        led = (self.leader >= 0) & (run.records.fate[self.leader] == SERVING)
        free = self.nearest[(sides.joined[self.nearest] < 0) & led[self.nearest]]
        ordered[free[: self.ordered]] = True
        refused, success = np.empty(players, np.int16), np.empty(players)
        strength, precision = self.strength, world["uprising.noise"] ** -2
        result = play(
            run.key,
            _PLAY,
            run.day,
            np.concatenate([self.commanders, identities, [_NOBODY]]).astype(np.uint32),
            weight / weight.sum(),
            np.concatenate([threshold, above.threshold, [1.0]]),
            np.concatenate([belief, above.belief, [0.0]]),
            np.append(np.full(players - 1, precision), 0.0),
            ordered,
            joined,
            refused,
            strength.today,
            strength.usual,
            strength.spread**-2 if strength.spread > 0 else 0.0,
            SIGHT,
            REFUSAL,
            rounds,
            success,
        )
        sides.joined[:], sides.refused[:] = joined[:units], refused[:units]
        keeps = on_the_day(run, chief, above, success[kept])
        for q, holder in zip(above.position[keeps], above.holder[keeps], strict=True):
            record(run.records, run.day, int(holder), EV_ROSE, -1, chief, float(OF_THE_HIGH_COMMAND + q))
            self.rose[holder] = True
        return result
