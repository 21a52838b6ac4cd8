"""Papers, the asylum queue and permits: refugee status determination as a queue with so many caseworkers.

Who registers gets a safe-conduct that has to be renewed, and asks for asylum unless he is a national of the
host. A request rests for a time and is then decided, first come, first served (see ``asylum_queue``). A
permit to stay and work, where the host offers one to those who take up civilian life, ends the claim.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import NOBODY, decision, exponential, fraction, uniform, uniforms
from breakrank.engine.books import Books, record
from breakrank.engine.codes import (
    EV_FILED,
    EV_GRANTED,
    EV_PERMIT,
    EV_REFUSED_ASYLUM,
    EV_STATUS_LOST,
)
from breakrank.engine.columns import longer
from breakrank.engine.mechanism import Mechanism
from breakrank.engine.run import Run
from breakrank.engine.world import World
from breakrank.kernel import lean
from breakrank.mechanisms.asylum_parameters import (
    ASYLUM_PARAMETERS,
    DOUBLE,
    EFFORT,
    FILES,
    FILING,
    FIRST,
    PAPER,
    RECOGNISED,
    RENEWED,
    UPTAKE,
)
from breakrank.mechanisms.asylum_queue import take_up
from breakrank.mechanisms.guest_table import GRANTED, HELD, NO_DECISION, REFUSED, Guests, draws_here, in_town
from breakrank.spec import Field

_NOBODY = int(NOBODY)
_PAPERS = int(decision("asylum.papers"))
_WORK = int(decision("asylum.work"))
_MOST = 100_000


class Queue(NamedTuple):
    """Requests in the order in which they were made.

    ``rows`` int32 rows of the table of guests; ``asked``, ``ready`` and ``done`` float64 times in days, of
    the request, from when it can be taken up, and of the decision (infinite before anyone took it up);
    ``work`` float64 caseworker days; ``closed`` bool, decided or lapsed.
    """

    rows: NDArray[np.int32]
    asked: NDArray[np.float64]
    ready: NDArray[np.float64]
    work: NDArray[np.float64]
    done: NDArray[np.float64]
    closed: NDArray[np.bool_]


def no_files(room: int = 512) -> Queue:
    """Return columns with room for so many requests."""
    asked, ready, work, done = np.zeros((4, room))
    return Queue(np.zeros(room, np.int32), asked, ready, work, done, np.zeros(room, np.bool_))


def first_files(queue: Queue, n: int) -> Queue:
    """Return the first `n` rows of the columns, to be read and written."""
    return Queue(**{name: getattr(queue, name)[:n] for name in Queue._fields})


def with_room(queue: Queue, files: int) -> Queue:
    """Return the same columns with room for `files` requests or more."""
    return Queue(**{name: longer(getattr(queue, name), 2 * files) for name in Queue._fields})


@lean
def _papers(
    key: np.uint64,
    name: int,
    books: Books,
    day: int,
    g: Guests,
    double: float,
    files: float,
    filing: float,
    paper: int,
    renewed: float,
    permit: float,
    fresh: NDArray[np.int32],
    words: NDArray[np.uint32],
) -> int:
    """Issue and renew papers, take requests, grant permits; return how many asked today (rows in `fresh`)."""
    asked = 0
    if permit > 0:
        draws_here(key, name, g, 1_000_000 + day, words)
    for a in range(g.used[1]):
        k = g.here[a]
        if not in_town(g.stay[k]) or g.registered[k] < 0 or g.spy[k]:
            continue
        i = g.who[k]
        if g.paper[k] < 0:
            national, asks, wait, _ = uniforms(key, name, g.identity[k], _NOBODY, day)
            g.double[k] = national < double
            g.paper[k] = day + max(1, paper // 6)
            if not g.double[k] and asks < files:
                g.filing[k] = day + int(-np.log(wait) * filing)
        may = permit > 0 and not g.permit[k] and not g.double[k]
        if may and fraction(words[0, a]) < permit:
            g.permit[k], g.lost[k] = True, False
            record(books, day, i, EV_PERMIT, -1, -1, 0.0)
        if g.permit[k] or g.double[k] or g.decided[k] != NO_DECISION:
            continue
        if g.paper[k] <= day:
            g.paper[k] = day + paper
            renews = uniform(key, name, g.identity[k], _NOBODY, 2_000_000 + day) < renewed
            if not renews and not g.lost[k]:
                record(books, day, i, EV_STATUS_LOST, -1, -1, 0.0)
            g.lost[k] = not renews
        if 0 <= g.filing[k] <= day and not g.filed[k]:
            g.filed[k] = True
            record(books, day, i, EV_FILED, -1, -1, 0.0)
            fresh[asked] = k
            asked += 1
    return asked


@lean
def _draw_work(
    key: np.uint64,
    name: int,
    identity: NDArray[np.uint32],
    hour: NDArray[np.float64],
    work: NDArray[np.float64],
) -> None:
    """Write at what time of the day each of these files comes in, and the work it makes (mean 1)."""
    for j in range(identity.shape[0]):
        hour[j] = uniform(key, name, identity[j], _NOBODY, 0)
        work[j] = exponential(key, name, identity[j], _NOBODY, 1)


@lean
def _decide(
    key: np.uint64,
    name: int,
    books: Books,
    day: int,
    g: Guests,
    queue: Queue,
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
    for q in range(queue.rows.shape[0]):
        k = queue.rows[q]
        here = in_town(g.stay[k]) or g.stay[k] == HELD
        if not queue.closed[q] and (not here or g.permit[k]):
            queue.closed[q] = True
            if q >= taken:
                queue.work[q] = 0.0
    taken = take_up(queue.ready, queue.work, taken, free, staff, float(day), day + 1.0, queue.done)
    decisions, waited, still, age = 0, 0.0, 0, 0.0
    for q in range(queue.rows.shape[0]):
        if queue.closed[q]:
            continue
        if q < taken and queue.done[q] < day + 1:
            queue.closed[q] = True
            k = queue.rows[q]
            i = g.who[k]
            decisions += 1
            waited += queue.done[q] - queue.asked[q]
            if uniform(key, name, g.identity[k], _NOBODY, 3_000_000) < grants:
                g.decided[k], g.lost[k] = GRANTED, False
                record(books, day, i, EV_GRANTED, -1, -1, 0.0)
            else:
                g.decided[k], g.lost[k] = REFUSED, True
                record(books, day, i, EV_REFUSED_ASYLUM, -1, -1, 0.0)
            continue
        still += 1
        age += day + 1 - queue.asked[q]
    return taken, decisions, waited, still, age


class Asylum(Mechanism):
    """Papers, requests, decisions and permits. Off: papers never run out, and nobody asks or decides."""

    name = "asylum"
    subsystem = 13
    parameters = ASYLUM_PARAMETERS
    fields = (
        Field("asylum_staff", "caseworkers", 0, _MOST, "caseworkers who decide on asylum", (), 0.0),
        Field(
            "permit", "switch", 0, 1, "the host grants permits to those who take up civilian life", (), 0.0
        ),
    )

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.staff = np.floor(world.daily("asylum_staff")).astype(np.int64)
        self.permit = (world.daily("permit") >= 0.5).astype(np.float64) * world[UPTAKE.name]

    def begin(self, run: Run) -> None:
        """Nobody has asked."""
        self.room = no_files()
        self.queue = first_files(self.room, 0)
        self.free = np.zeros(max(1, int(self.staff.max())))
        self.taken = 0
        run.stocks["files_open"] = np.array(0, np.int32)
        run.gauge("files_age", float("nan"))
        run.tables["files_wait"] = np.full(self.world.days, np.nan, np.float32)

    def receive(self, run: Run) -> None:
        """Papers run out or are renewed, requests come in, permits are taken up, and files are decided."""
        guests, world, day = run.view(Guests), self.world, run.day
        run.stocks["files_open"] = np.array(0, np.int32)
        if not guests.used[0]:
            return
        fresh = np.empty(int(guests.used[1]), np.int32)
        asked = _papers(
            run.key,
            _PAPERS,
            run.books,
            day,
            guests,
            world[DOUBLE.name],
            world[FILES.name],
            world[FILING.name],
            int(world[PAPER.name]),
            world[RENEWED.name],
            float(self.permit[day]),
            fresh,
            np.empty((4, int(guests.used[1])), np.uint32),
        )
        if asked:
            self._file(run, guests, fresh[:asked])
        self._serve(run, guests)

    def _file(self, run: Run, guests: Guests, fresh: NDArray[np.int32]) -> None:
        """Put today's requests at the end of the queue, each at its hour."""
        hour, work = np.empty(len(fresh)), np.empty(len(fresh))
        _draw_work(run.key, _WORK, guests.identity[fresh], hour, work)
        order = np.argsort(hour, kind="stable")
        asked = run.day + hour[order]
        n = len(self.queue.rows)
        if n + len(fresh) > len(self.room.rows):
            self.room = with_room(self.room, n + len(fresh))
        end = n + len(fresh)
        self.queue = first_files(self.room, end)
        self.queue.rows[n:] = fresh[order]
        self.queue.asked[n:] = asked
        self.queue.ready[n:] = asked + self.world[FIRST.name]
        self.queue.work[n:] = self.world[EFFORT.name] * work[order]
        self.queue.done[n:] = np.inf
        self.queue.closed[n:] = False

    def _serve(self, run: Run, guests: Guests) -> None:
        """Let the caseworkers take up what they can today, and hand down what is done."""
        if not len(self.queue.rows):
            return
        self.taken, decisions, waited, still, age = _decide(
            run.key,
            _PAPERS,
            run.books,
            run.day,
            guests,
            self.queue,
            self.taken,
            self.free,
            int(self.staff[run.day]),
            self.world[RECOGNISED.name],
        )
        if decisions:
            run.tables["files_wait"][run.day] = waited / decisions
        run.stocks["files_open"] = np.array(still, np.int32)
        run.gauge("files_age", age / still if still else float("nan"))
