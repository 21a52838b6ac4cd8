"""Papers, the asylum queue and permits: refugee status determination as a queue with so many caseworkers.

Who registers gets a safe-conduct that has to be renewed, and asks for asylum at once unless he is a national
of the host. A request rests for a time and is then decided, first come, first served (see
``asylum_queue``). A permit to stay and work, where the host offers one to those who take up civilian life,
ends the claim.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import APART, NOBODY, WORDS, decision, exponential, fraction, uniform
from breakrank.engine.codes import (
    EV_FILED,
    EV_GRANTED,
    EV_PERMIT,
    EV_REFUSED_ASYLUM,
    EV_STATUS_LOST,
)
from breakrank.engine.mechanism import Mechanism, Step
from breakrank.engine.records import RunRecords, record
from breakrank.engine.run import Now, Run, hold
from breakrank.engine.world import World
from breakrank.kernel import kernel, lean
from breakrank.mechanisms.asylum_parameters import (
    ASYLUM_PARAMETERS,
    DOUBLE,
    EFFORT,
    FIRST,
    MEASURES,
    OUTPUTS,
    PAPER,
    RECOGNISED,
    RENEWED,
    UPTAKE,
)
from breakrank.mechanisms.asylum_queue import Queue, no_files, take_up, with_room
from breakrank.mechanisms.guest_table import GRANTED, HELD, NO_DECISION, REFUSED, Guests, draws_here, in_town
from breakrank.mechanisms.journeys import Journeys
from breakrank.spec import Field
from breakrank.table import Table, array

_NOBODY = int(NOBODY)
_RENEWAL, _VERDICT = 2 * APART, 3 * APART
_PAPERS = int(decision("asylum.papers"))
_WORK = int(decision("asylum.work"))
_MOST = 100_000


class Office(Table):
    """The office that gives papers and decides; see ``asylum_parameters``.

    By day: ``staff`` caseworkers, ``permit`` chance of taking one up. ``free`` (caseworker,) when each is
    free; ``files`` there are and ``taken`` up. ``waiting`` (1,) files open and ``age`` their mean age, days;
    ``wait`` (day,) mean days that today's decisions had waited.
    """

    staff: NDArray[np.int64] = array("day")
    permit: NDArray[np.float64] = array("day")
    free: NDArray[np.float64]
    files: int
    taken: int
    waiting: NDArray[np.int32]
    age: NDArray[np.float32]
    wait: NDArray[np.float32]
    own: NDArray[np.bool_]
    double: float
    paper: int
    renewed: float
    first: float
    effort: float
    recognised: float


@lean
def _needs_room(o: Office, queue: Queue, g: Guests) -> bool:
    """Return whether there is too little room for a request from everyone here."""
    return o.files + g.used[1] > queue.rows.shape[0]


@kernel
def _open(now: Now, o: Office, queue: Queue, g: Guests, journeys: Journeys, records: RunRecords) -> None:
    """Papers run out or are renewed, requests come in, permits are taken up, and files are decided."""
    if g.used[0] == 0:
        return
    here, day = g.used[1], now.day
    fresh = np.empty(here, np.int32)
    asked = _papers(now, o, g, journeys, records, fresh, np.empty((WORDS, here), np.uint32))
    _file(now, o, queue, g, fresh, asked)
    decisions, waited, still, age = _decide(now, o, queue, g, records)
    if decisions:
        o.wait[day] = waited / decisions
    o.waiting[0] = still
    hold(o.age, day, age / still if still else np.nan)


@lean
def _papers(
    now: Now,
    o: Office,
    g: Guests,
    journeys: Journeys,
    records: RunRecords,
    fresh: NDArray[np.int32],
    words: NDArray[np.uint32],
) -> int:
    """Issue and renew papers, take requests, grant permits; return how many ask today (rows in `fresh`)."""
    asked = 0
    key, day, permit = now.key, now.day, o.permit[now.day]
    if permit > 0:
        draws_here(key, _PAPERS, g, APART + day, words)
    for a in range(g.used[1]):
        k = g.here[a]
        # One question, put without branches, spares most of them all others.
        settled = g.permit[k] | g.double[k] | (g.decided[k] != NO_DECISION)
        runs_out = (g.paper[k] <= day) & ((not settled) | (g.paper[k] < 0))
        may = (permit > 0) & (not g.permit[k]) & (not g.double[k])
        concerned = (in_town(g.stay[k])) & (g.registered[k] >= 0) & (not g.spy[k])
        if not (concerned & (runs_out | may)):
            continue
        i = g.who[k]
        comes = g.paper[k] < 0
        if comes:
            double = 1.0 if o.own[journeys.route[i]] else o.double
            g.double[k] = uniform(key, _PAPERS, g.identity[k], _NOBODY, day) < double
            g.paper[k] = day + o.paper
        may = permit > 0 and not g.permit[k] and not g.double[k]
        if may and fraction(words[0, a]) < permit:
            g.permit[k], g.lost[k] = True, False
            record(records, day, i, EV_PERMIT, -1, -1, 0.0)
        if g.permit[k] or g.double[k] or g.decided[k] != NO_DECISION:
            continue
        if g.paper[k] <= day:
            g.paper[k] = day + o.paper
            renews = uniform(key, _PAPERS, g.identity[k], _NOBODY, _RENEWAL + day) < o.renewed
            if not renews and not g.lost[k]:
                record(records, day, i, EV_STATUS_LOST, -1, -1, 0.0)
            g.lost[k] = not renews
        if comes:
            g.filed[k] = True
            record(records, day, i, EV_FILED, -1, -1, 0.0)
            fresh[asked] = k
            asked += 1
    return asked


@lean
def _file(now: Now, o: Office, queue: Queue, g: Guests, fresh: NDArray[np.int32], asking: int) -> None:
    """Put today's requests, each at its hour, behind the files there are."""
    first, key, day = o.files, now.key, now.day
    for f in range(asking):
        k = fresh[f]
        asked = day + uniform(key, _WORK, g.identity[k], _NOBODY, 0)
        place = o.files
        while place > first and queue.asked[place - 1] > asked:
            queue.rows[place], queue.work[place] = queue.rows[place - 1], queue.work[place - 1]
            queue.asked[place] = queue.asked[place - 1]
            place -= 1
        queue.rows[place], queue.asked[place] = k, asked
        queue.work[place] = o.effort * exponential(key, _WORK, g.identity[k], _NOBODY, 1)
        o.files += 1
    for q in range(first, o.files):
        queue.ready[q] = queue.asked[q] + o.first
        queue.done[q], queue.closed[q] = np.inf, False


@lean
def _decide(
    now: Now, o: Office, queue: Queue, g: Guests, records: RunRecords
) -> tuple[int, float, int, float]:
    """Let caseworkers take up what they can today, hand down what is done, and close what has lapsed.

    A file lapses when its person is gone or holds a permit; one not taken up yet then costs no work.
    Returns decisions and the days they had waited; files open and the days these wait.
    """
    first, files, day = 0, o.files, now.day
    while first < files and queue.closed[first]:
        first += 1
    for q in range(first, files):
        k = queue.rows[q]
        here = in_town(g.stay[k]) or g.stay[k] == HELD
        if not queue.closed[q] and (not here or g.permit[k]):
            queue.closed[q] = True
            if q >= o.taken:
                queue.work[q] = 0.0
    o.taken = take_up(
        queue.ready[:files], queue.work, o.taken, o.free, o.staff[day], float(day), day + 1.0, queue.done
    )
    decisions, waited, still, age = 0, 0.0, 0, 0.0
    for q in range(first, files):
        if queue.closed[q]:
            continue
        if q < o.taken and queue.done[q] < day + 1:
            queue.closed[q] = True
            k = queue.rows[q]
            i = g.who[k]
            decisions += 1
            waited += queue.done[q] - queue.asked[q]
            if uniform(now.key, _PAPERS, g.identity[k], _NOBODY, _VERDICT) < o.recognised:
                g.decided[k], g.lost[k] = GRANTED, False
                record(records, day, i, EV_GRANTED, -1, -1, 0.0)
            else:
                g.decided[k], g.lost[k] = REFUSED, True
                record(records, day, i, EV_REFUSED_ASYLUM, -1, -1, 0.0)
            continue
        still += 1
        age += day + 1 - queue.asked[q]
    return decisions, waited, still, age


class Asylum(Mechanism):
    """Papers, requests, decisions and permits. Off: papers never run out, and nobody asks or decides."""

    name = "asylum"
    subsystem = 13
    parameters = ASYLUM_PARAMETERS
    outputs = OUTPUTS
    measures = MEASURES
    fields = (
        Field("asylum_staff", "caseworkers", 0, _MOST, "caseworkers who decide on asylum", (), 0.0),
        Field(
            "permit", "switch", 0, 1, "the host grants permits to those who take up civilian life", (), 0.0
        ),
    )

    steps = (Step("receive", _needs_room, then="_make_room"), Step("receive", _open))

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.staff = np.ceil(np.floor(world.daily("asylum_staff")) * world.scale).astype(np.int64)
        self.permit = np.where(world.daily("permit") >= 0.5, world[UPTAKE.name], 0.0)

    def begin(self, run: Run) -> None:
        """Nobody has asked."""
        world, waiting = self.world, np.zeros(1, np.int32)
        run.stocks["files_open"] = waiting.reshape(())
        wait = run.tables["files_wait"] = np.full(world.days, np.nan, np.float32)
        self.queue = no_files()
        run.share(self.queue)
        self.office = Office(
            staff=self.staff,
            permit=self.permit,
            free=np.zeros(max(1, int(self.staff.max()))),
            files=0,
            taken=0,
            waiting=waiting,
            age=run.gauge("files_age"),
            wait=wait,
            own=np.array([c.inside for c in world.case.crossings], np.bool_),
            double=world[DOUBLE.name],
            paper=int(world[PAPER.name]),
            renewed=world[RENEWED.name],
            first=world[FIRST.name],
            effort=world[EFFORT.name],
            recognised=world[RECOGNISED.name],
        )
        run.share(self.office)

    def _make_room(self, run: Run) -> None:
        with_room(self.queue, self.office.files + int(run.view(Guests).used[1]))
