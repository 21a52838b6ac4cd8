"""Papers, the asylum queue and permits: refugee status determination as a queue with so many caseworkers.

Who registers gets a safe-conduct that has to be renewed, and asks for asylum at once unless he is a national
of the host. A request rests for a time and is then decided, first come, first served (see
``asylum_queue``). A permit to stay and work, where the host offers one to those who take up civilian life,
ends the claim.
"""

from __future__ import annotations

from typing import NamedTuple

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
from breakrank.engine.mechanism import Mechanism
from breakrank.engine.records import RunRecords, record
from breakrank.engine.run import Run
from breakrank.engine.world import World
from breakrank.kernel import lean
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
from breakrank.spec import Field

_NOBODY = int(NOBODY)
_RENEWAL, _VERDICT = 2 * APART, 3 * APART
_PAPERS = int(decision("asylum.papers"))
_WORK = int(decision("asylum.work"))
_MOST = 100_000


class Practice(NamedTuple):
    """How the office works: the parameters of ``asylum_parameters``, in short names."""

    double: float
    paper: int
    renewed: float
    first: float
    effort: float
    recognised: float


@lean
def _papers(
    key: np.uint64,
    name: int,
    records: RunRecords,
    day: int,
    g: Guests,
    practice: Practice,
    permit: float,
    fresh: NDArray[np.int32],
    words: NDArray[np.uint32],
) -> int:
    """Issue and renew papers, take requests, grant permits; return how many ask today (rows in `fresh`)."""
    asked = 0
    if permit > 0:
        draws_here(key, name, g, APART + day, words)
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
            g.double[k] = uniform(key, name, g.identity[k], _NOBODY, day) < practice.double
            g.paper[k] = day + practice.paper
        may = permit > 0 and not g.permit[k] and not g.double[k]
        if may and fraction(words[0, a]) < permit:
            g.permit[k], g.lost[k] = True, False
            record(records, day, i, EV_PERMIT, -1, -1, 0.0)
        if g.permit[k] or g.double[k] or g.decided[k] != NO_DECISION:
            continue
        if g.paper[k] <= day:
            g.paper[k] = day + practice.paper
            renews = uniform(key, name, g.identity[k], _NOBODY, _RENEWAL + day) < practice.renewed
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
def _file(
    key: np.uint64,
    day: int,
    g: Guests,
    queue: Queue,
    files: int,
    fresh: NDArray[np.int32],
    practice: Practice,
) -> int:
    """Put today's requests, each at its hour, behind the `files` there are; return how many there are now."""
    first = files
    for k in fresh:
        asked = day + uniform(key, _WORK, g.identity[k], _NOBODY, 0)
        place = files
        while place > first and queue.asked[place - 1] > asked:
            queue.rows[place], queue.work[place] = queue.rows[place - 1], queue.work[place - 1]
            queue.asked[place] = queue.asked[place - 1]
            place -= 1
        queue.rows[place], queue.asked[place] = k, asked
        queue.work[place] = practice.effort * exponential(key, _WORK, g.identity[k], _NOBODY, 1)
        files += 1
    for q in range(first, files):
        queue.ready[q] = queue.asked[q] + practice.first
        queue.done[q], queue.closed[q] = np.inf, False
    return files


@lean
def _decide(
    key: np.uint64,
    name: int,
    records: RunRecords,
    day: int,
    g: Guests,
    queue: Queue,
    files: int,
    taken: int,
    free: NDArray[np.float64],
    staff: int,
    grants: float,
) -> tuple[int, int, float, int, float]:
    """Let caseworkers take up what they can today, hand down what is done, and close what has lapsed.

    A file lapses when its person is gone or holds a permit; one not taken up yet then costs no work.
    Returns the first file not taken up; decisions and the days they had waited; files open and the days
    these wait.
    """
    first = 0
    while first < files and queue.closed[first]:
        first += 1
    for q in range(first, files):
        k = queue.rows[q]
        here = in_town(g.stay[k]) or g.stay[k] == HELD
        if not queue.closed[q] and (not here or g.permit[k]):
            queue.closed[q] = True
            if q >= taken:
                queue.work[q] = 0.0
    taken = take_up(queue.ready[:files], queue.work, taken, free, staff, float(day), day + 1.0, queue.done)
    decisions, waited, still, age = 0, 0.0, 0, 0.0
    for q in range(first, files):
        if queue.closed[q]:
            continue
        if q < taken and queue.done[q] < day + 1:
            queue.closed[q] = True
            k = queue.rows[q]
            i = g.who[k]
            decisions += 1
            waited += queue.done[q] - queue.asked[q]
            if uniform(key, name, g.identity[k], _NOBODY, _VERDICT) < grants:
                g.decided[k], g.lost[k] = GRANTED, False
                record(records, day, i, EV_GRANTED, -1, -1, 0.0)
            else:
                g.decided[k], g.lost[k] = REFUSED, True
                record(records, day, i, EV_REFUSED_ASYLUM, -1, -1, 0.0)
            continue
        still += 1
        age += day + 1 - queue.asked[q]
    return taken, decisions, waited, still, age


@lean
def _open(
    key: np.uint64,
    records: RunRecords,
    day: int,
    g: Guests,
    queue: Queue,
    files: int,
    taken: int,
    free: NDArray[np.float64],
    staff: int,
    permit: float,
    practice: Practice,
    fresh: NDArray[np.int32],
    words: NDArray[np.uint32],
) -> tuple[int, int, int, float, int, float]:
    """Open the office for a day: papers, requests, decisions; return how many files, and what it decided."""
    asked = _papers(key, _PAPERS, records, day, g, practice, permit, fresh, words)
    files = _file(key, day, g, queue, files, fresh[:asked], practice)
    taken, decisions, waited, still, age = _decide(
        key, _PAPERS, records, day, g, queue, files, taken, free, staff, practice.recognised
    )
    return files, taken, decisions, waited, still, age


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

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.staff = np.ceil(np.floor(world.daily("asylum_staff")) * world.scale).astype(np.int64)
        self.permit = ((world.daily("permit") >= 0.5) * world[UPTAKE.name]).tolist()
        self.practice = Practice(
            world[DOUBLE.name],
            int(world[PAPER.name]),
            world[RENEWED.name],
            world[FIRST.name],
            world[EFFORT.name],
            world[RECOGNISED.name],
        )

    def begin(self, run: Run) -> None:
        """Nobody has asked."""
        self.queue = no_files()
        self.files = self.taken = 0
        self.free = np.zeros(max(1, int(self.staff.max())))
        self.waiting = run.stocks["files_open"] = np.zeros((), np.int32)
        run.gauge("files_age", float("nan"))
        run.tables["files_wait"] = np.full(self.world.days, np.nan, np.float32)

    def receive(self, run: Run) -> None:
        """Papers run out or are renewed, requests come in, permits are taken up, and files are decided."""
        guests, day = run.view(Guests), run.day
        if not guests.used[0]:
            return
        here = int(guests.used[1])
        self.queue = with_room(self.queue, self.files + here)
        self.files, self.taken, decisions, waited, still, age = _open(
            run.key,
            run.records,
            day,
            guests,
            self.queue,
            self.files,
            self.taken,
            self.free,
            int(self.staff[day]),
            self.permit[day],
            self.practice,
            np.empty(here, np.int32),
            np.empty((WORDS, here), np.uint32),
        )
        if decisions:
            run.tables["files_wait"][day] = waited / decisions
        self.waiting[()] = still
        run.gauge("files_age", age / still if still else float("nan"))
