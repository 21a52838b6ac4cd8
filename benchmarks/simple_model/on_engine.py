"""The simplified model on Breakrank's engine: a world without a case, and three small mechanisms.

It also shows how the engine is extended: declare terms, act in the phases of the day, draw through
``breakrank.draws``, keep inner loops in kernels, change fates through ``records.move``.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from benchmarks.simple_model import YEAR, Begin, Inputs, Outcome, Parameters
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
_EXITS = next(output for output in OUTPUTS if output.name == "exits_rank")


def plain_force(inputs: Inputs) -> Force:
    """Return soldiers who differ in nothing but their identity and their ties."""
    n = len(inputs.opposed)
    one, bytes_each = np.zeros(1, np.uint8), np.zeros(n, np.uint8)
    return Force(
        identity=np.arange(n, dtype=np.uint32),
        branch=bytes_each,
        rank=bytes_each,
        state=bytes_each,
        unit=np.zeros(n, np.int32),
        years=bytes_each,
        school_class=np.zeros(n, np.uint32),
        dependants=bytes_each,
        kin_abroad=np.zeros(n, np.bool_),
        access=bytes_each,
        units=UnitTable(np.zeros(1, np.int32), one, one, np.array([n], np.int32), np.zeros(1, np.bool_)),
        formations=FormationTable(one, one, one),
        classes=ClassTable(
            np.zeros(0, np.uint8), np.zeros(0, np.int16), np.zeros(0, np.int32), np.zeros(0, np.float64)
        ),
        labels=Labels(("region",), ("state",), ("branch",), ("rank",), ()),
        ties=Ties(inputs.start, inputs.other, np.zeros(len(inputs.other), np.uint8)),
    )


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

    def begin(self, run: Run) -> None:
        """Draw the moments of the whole run."""
        n, days = self.world.force.n, self.world.days
        cumulative = np.arange(1, days + 1, dtype=np.float64)[None, :] * (self.p.rate / YEAR)
        process = Process(LEAVE_PASS, _MOMENT, np.zeros(n, np.int32), np.ones(n, np.float32), cumulative)
        run.processes.append((*process.draw(run.key, self.world.force.identity), process.occasion))
        self.daily = np.zeros(days, np.int64)

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
        asked = (run.key, _CONFIDE, run.records, run.day, moments.who, moments.identity)
        _confide(*asked, self.ties.start, self.ties.other, self.opposed, self.p.confide, self.yes, self.no)


@kernel
def _leave(
    records: RunRecords,
    day: int,
    who: NDArray[np.int32],
    choice: NDArray[np.uint8],
    start: NDArray[np.int64],
    other: NDArray[np.int32],
    memory: float,
    gone: NDArray[np.float32],
    heard: NDArray[np.int16],
) -> None:
    for k in range(who.shape[0]):
        if choice[k] == DESERT:
            i = who[k]
            move(records, day, i, HIDING, EV_DESERTED, -1, -1, 0.0)
            for t in range(start[i], start[i + 1]):
                j = other[t]
                gone[j] = 1.0 + gone[j] * np.exp((heard[j] - day) / memory)
                heard[j] = day


class Leavers(Table):
    """Comrades gone as each remembers them (soldier,), as on the day ``heard``, and what they weigh."""

    gone: NDArray[np.float32]
    heard: NDArray[np.int16]
    constant: float
    memory: float
    weight: float
    half: float


@lean
def _holds(g: Leavers) -> float:
    return g.constant


@lean
def _remember(at: Now, g: Leavers) -> float:
    if g.gone[at.who] <= 0.0:
        return 0.0
    still = g.gone[at.who] * np.exp((g.heard[at.who] - at.day) / g.memory)
    return float(g.weight * still / (g.half + still))


@lean
def _anyone(at: Now) -> bool:
    return at.who >= 0


class Exit(Simple):
    """Leaving, which is open to all, what holds everyone, and news of comrades gone, as a sum that fades."""

    name = "exit"
    terms = (
        Term("exit.constant", "what holds everyone", {DESERT: 1}, _holds),
        Term("exit.gone", "comrades have gone", {DESERT: 1}, _remember),
    )
    opens = ((DESERT, _anyone),)

    def begin(self, run: Run) -> None:
        """Nobody has heard anything yet."""
        p = self.p
        self.gone = run.column("exit.gone", np.float32)
        self.heard = run.column("exit.heard", np.int16)
        run.share(Leavers(self.gone, self.heard, p.constant, p.memory, p.gone_weight, p.gone_half))

    def act(self, run: Run, moments: Moments) -> None:
        """Those who chose to leave are gone, and their ties know: it counts from tomorrow on."""
        if moments.took(DESERT):
            asked = (run.records, run.day, moments.who, moments.choice, self.ties.start, self.ties.other)
            _leave(*asked, self.p.memory, self.gone, self.heard)


def on_engine(inputs: Inputs, parameters: Parameters, days: int) -> Begin:
    """Return the model on Breakrank's engine."""
    world = PlainWorld(inputs, parameters, days)
    mechanisms = Days(world, (Moment, Confiding, Exit))
    moment, confiding, _ = mechanisms.mechanisms
    assert isinstance(moment, Moment)
    assert isinstance(confiding, Confiding)

    def begin(seed: int) -> Callable[[], Outcome]:
        run, observer = Run(world, seed, 0, False), Observer(world)

        def live() -> Outcome:
            mechanisms.live(run, observer)
            series, serving = observer.series(run), run.records.fate == SERVING
            yes, no = confiding.yes[serving].astype(float), confiding.no[serving].astype(float)
            return Outcome(
                exits=series["exits_rank"].sum(axis=(1, 2)).astype(np.int64),
                moments=moment.daily,
                confidings=series["confided"].astype(np.int64),
                belief=float((yes / (yes + no)).mean()),
            )

        return live

    return begin
