"""The simplified model on Breakrank's engine: a world without a case, and four small mechanisms.

It also shows how the engine is extended: declare terms, act in the phases of the day, draw through
``breakrank.draws``, keep inner loops in kernels, change fates through ``records.move``.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from benchmarks.simple_model.declaration import YEAR, Inputs, Outcome, Parameters
from breakrank.draws import decision, fraction, words_each
from breakrank.engine.calendar import Process
from breakrank.engine.codes import (
    DESERT,
    EV_CONFIDED,
    EV_DESERTED,
    EVENTS,
    FATES,
    HIDING,
    LEAVE_PASS,
    OPTIONS,
    SERVING,
)
from breakrank.engine.day import Days
from breakrank.engine.mechanism import Mechanism, Term
from breakrank.engine.moments import Moment as Now
from breakrank.engine.moments import Moments
from breakrank.engine.observe import OUTPUTS, Observer
from breakrank.engine.records import RunRecords, move, record
from breakrank.engine.run import Run
from breakrank.engine.world import World
from breakrank.force import Force
from breakrank.force.force import ClassTable, FormationTable, Labels, Ties, UnitTable
from breakrank.kernel import kernel, lean
from breakrank.outputs import daily
from breakrank.table import Table

_MOMENT = int(decision("simple.moment"))
_CONFIDE = int(decision("simple.confide"))


def plain_force(inputs: Inputs) -> Force:
    """Return soldiers who differ in nothing but their identity and their ties."""
    n = inputs.n
    one = np.zeros(1, np.uint8)
    return Force(
        identity=np.arange(n, dtype=np.uint32),
        branch=np.zeros(n, np.uint8),
        rank=np.zeros(n, np.uint8),
        state=np.zeros(n, np.uint8),
        unit=np.zeros(n, np.int32),
        years=np.zeros(n, np.uint8),
        school_class=np.zeros(n, np.uint32),
        dependants=np.zeros(n, np.uint8),
        kin_abroad=np.zeros(n, np.bool_),
        access=np.zeros(n, np.uint8),
        units=UnitTable(np.zeros(1, np.int32), one, one, np.array([n], np.int32), np.zeros(1, np.bool_)),
        formations=FormationTable(one, one, one),
        classes=ClassTable(
            np.zeros(0, np.uint8), np.zeros(0, np.int16), np.zeros(0, np.int32), np.zeros(0, np.float64)
        ),
        labels=Labels(("region",), ("state",), ("branch",), ("rank",), ()),
        ties=Ties(inputs.start, inputs.other, np.zeros(len(inputs.other), np.uint8)),
    )


_EXITS = next(output for output in OUTPUTS if output.name == "exits_rank")


class PlainWorld(World):
    """A world without a case: the simplified model's parameters stand in its place."""

    outputs = (_EXITS, daily("confided", "Confided in a comrade", EV_CONFIDED))
    events = EVENTS
    options = OPTIONS
    fates = FATES

    def __init__(self, inputs: Inputs, parameters: Parameters, days: int) -> None:
        self.force = plain_force(inputs)
        self.days = days
        self.opposed = inputs.opposed
        self.parameters = parameters
        self.branch_ids, self.rank_ids, self.state_ids = ["branch"], ["rank"], ["state"]
        self.route_ids = []

    def __getitem__(self, parameter: str) -> float:
        """The engine asks for no parameter."""
        raise KeyError(parameter)

    def on(self, mechanism: str) -> bool:
        """Every mechanism of the simplified model is on."""
        return bool(mechanism)


class Simple(Mechanism):
    """What the mechanisms below have in common: they live in a :class:`PlainWorld`."""

    subsystem = 6

    def __init__(self, world: World) -> None:
        super().__init__(world)
        assert isinstance(world, PlainWorld)
        self.p = world.parameters
        self.opposed = world.opposed
        self.ties = world.force.ties


class Moment(Simple):
    """Moments of decision at a fixed rate."""

    name = "moment"

    def __init__(self, world: World) -> None:
        super().__init__(world)
        n = world.force.n
        cumulative = np.arange(1, world.days + 1, dtype=np.float64)[None, :] * (self.p.rate / YEAR)
        self.process = Process(LEAVE_PASS, _MOMENT, np.zeros(n, np.int32), np.ones(n, np.float32), cumulative)

    def begin(self, run: Run) -> None:
        """Draw the moments of the whole run."""
        days, who = self.process.draw(run.key, self.world.force.identity)
        run.processes.append((days, who, self.process.occasion))
        self.daily = np.zeros(self.world.days, np.int64)

    def meet(self, run: Run, moments: Moments) -> None:
        """Count today's deciders."""
        self.daily[run.day] = moments.n


@kernel
def _confide(
    key: np.uint64,
    name: int,
    records: RunRecords,
    day: int,
    who: NDArray[np.int32],
    identity: NDArray[np.uint32],
    start: NDArray[np.int64],
    other: NDArray[np.int32],
    opposed: NDArray[np.bool_],
    chance: float,
    yes: NDArray[np.float32],
    no: NDArray[np.float32],
) -> None:
    words = np.empty((4, who.shape[0]), np.uint32)
    words_each(key, name, identity, day, words)
    for j in range(who.shape[0]):
        i = who[j]
        if not opposed[i] or fraction(words[0, j]) >= chance:
            continue
        serving = 0
        for t in range(start[i], start[i + 1]):
            serving += records.fate[other[t]] == SERVING
        if serving == 0:
            continue
        left = int(fraction(words[1, j]) * serving)
        friend = -1
        for t in range(start[i], start[i + 1]):
            if records.fate[other[t]] == SERVING:
                if left == 0:
                    friend = other[t]
                    break
                left -= 1
        record(records, day, i, EV_CONFIDED, -1, friend, 0.0)
        yes[friend] += 1.0
        if opposed[friend]:
            yes[i] += 1.0
        else:
            no[i] += 1.0


class Beliefs(Table):
    """What soldiers believe of comrades: evidence (soldier,), and its weight in a choice."""

    yes: NDArray[np.float32]
    no: NDArray[np.float32]
    weight: float


@lean
def _believe(at: Now, b: Beliefs) -> float:
    return float(b.weight * b.yes[at.who] / (b.yes[at.who] + b.no[at.who]))


class Confiding(Simple):
    """Opposed soldiers confide in a comrade; both learn."""

    name = "confiding"
    terms = (Term("confiding.belief", "comrades are believed opposed", {DESERT: 1}, _believe),)

    def begin(self, run: Run) -> None:
        """Everyone begins with the same belief."""
        self.yes = run.column("confiding.yes", np.float32, self.p.prior_opposed)
        self.no = run.column("confiding.no", np.float32, self.p.prior_loyal)
        run.share(Beliefs(self.yes, self.no, self.p.belief_weight))

    def meet(self, run: Run, moments: Moments) -> None:
        """Some of today's opposed deciders confide."""
        who, identity, ties = moments.who, moments.identity, self.ties
        _confide(
            run.key,
            _CONFIDE,
            run.records,
            run.day,
            who,
            identity,
            ties.start,
            ties.other,
            self.opposed,
            self.p.confide,
            self.yes,
            self.no,
        )


@kernel
def _hear(
    records: RunRecords,
    first: int,
    day: int,
    start: NDArray[np.int64],
    other: NDArray[np.int32],
    memory: float,
    gone: NDArray[np.float32],
    heard: NDArray[np.int16],
) -> None:
    for k in range(first, records.cursor[0]):
        if records.event[k] == EV_DESERTED:
            i = records.who[k]
            for t in range(start[i], start[i + 1]):
                j = other[t]
                gone[j] = 1.0 + gone[j] * np.exp((heard[j] - day) / memory)
                heard[j] = day


class Leavers(Table):
    """Comrades gone as each remembers them (soldier,), as on the day ``heard``, and what they weigh."""

    gone: NDArray[np.float32]
    heard: NDArray[np.int16]
    memory: float
    weight: float
    half: float


@lean
def _remember(at: Now, g: Leavers) -> float:
    if g.gone[at.who] <= 0.0:
        return 0.0
    still = g.gone[at.who] * np.exp((g.heard[at.who] - at.day) / g.memory)
    return float(g.weight * still / (g.half + still))


class Comrades(Simple):
    """News of comrades gone, as a sum that fades."""

    name = "comrades"
    terms = (Term("comrades.gone", "comrades have gone", {DESERT: 1}, _remember),)

    def begin(self, run: Run) -> None:
        """Nobody has heard anything yet."""
        self.gone = run.column("comrades.gone", np.float32)
        self.heard = run.column("comrades.heard", np.int16)
        run.share(Leavers(self.gone, self.heard, self.p.memory, self.p.gone_weight, self.p.gone_half))

    def dusk(self, run: Run) -> None:
        """Tell the ties of those who left today."""
        start, other = self.ties.start, self.ties.other
        _hear(run.records, run.mark, run.day, start, other, self.p.memory, self.gone, self.heard)


@kernel
def _leave(records: RunRecords, day: int, who: NDArray[np.int32], choice: NDArray[np.uint8]) -> None:
    for j in range(who.shape[0]):
        if choice[j] == DESERT:
            move(records, day, who[j], HIDING, EV_DESERTED, -1, -1, 0.0)


class Duty(Table):
    """What holds everyone."""

    constant: float


@lean
def _holds(d: Duty) -> float:
    return d.constant


@lean
def _anyone(at: Now) -> bool:
    return at.who >= 0


class Exit(Simple):
    """Leaving, which is open to all, and what holds everyone."""

    name = "exit"
    terms = (Term("exit.constant", "what holds everyone", {DESERT: 1}, _holds),)
    opens = ((DESERT, _anyone),)

    def begin(self, run: Run) -> None:
        """The same holds all."""
        run.share(Duty(self.p.constant))

    def act(self, run: Run, moments: Moments) -> None:
        """Those who chose to leave are gone."""
        if moments.took(DESERT):
            _leave(run.records, run.day, moments.who, moments.choice)


class OnEngine:
    """The simplified model on Breakrank's engine."""

    def __init__(self, inputs: Inputs, parameters: Parameters, days: int) -> None:
        self.world = PlainWorld(inputs, parameters, days)
        self.days = Days(self.world, (Moment, Confiding, Comrades, Exit))

    def begin(self, seed: int) -> Callable[[], Outcome]:
        """Set up one replicate."""
        run = Run(self.world, seed, 0, False)
        observer = Observer(self.world)

        def live() -> Outcome:
            self.days.live(run, observer)
            return self._outcome(run, observer)

        return live

    def _outcome(self, run: Run, observer: Observer) -> Outcome:
        series = observer.series(run)
        moment, confiding, *_ = self.days.mechanisms
        assert isinstance(moment, Moment)
        assert isinstance(confiding, Confiding)
        serving = run.records.fate == SERVING
        yes, no = confiding.yes[serving].astype(float), confiding.no[serving].astype(float)
        return Outcome(
            exits=series["exits_rank"].sum(axis=(1, 2)).astype(np.int64),
            moments=moment.daily,
            confidings=series["confided"].astype(np.int64),
            belief=float((yes / (yes + no)).mean()),
        )
