"""Asylum: requests, the queue of decisions, permits to stay, and infiltrators among those who come.

Whoever registers asks for asylum at once, unless they are a national of the host. A request rests for a time
and is then decided, first come, first served, by so many caseworkers. With a constant staff, requests that
come at random and work that is exponential this is the queue M/M/c (Erlang 1917; Kendall 1953); nothing in it
needs the staff to be constant. A permit to stay and work, where the host offers one to those who take up
civilian life, ends the claim.

The services send some of their own across for those who leave (Greitens 2016 on what coercive services are
for; Lankov 2013 on agents among defectors). The host's screening finds some and errs about others; it expels
whomever it suspects. What an infiltrator learns is not followed up.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.draws import APART, NOBODY, decision, exponential, fraction, uniform, uniforms
from breakrank.engine.codes import (
    ABROAD,
    EV_EXPELLED,
    EV_FILED,
    EV_GRANTED,
    EV_PERMIT,
    EV_REFUSED_ASYLUM,
    EV_REGISTERED,
    EV_SENT,
    IMPRISONED,
    REGISTERED,
    SERVING,
    TAKEN,
)
from breakrank.engine.mechanism import Mechanism, Step
from breakrank.engine.records import RunRecords, longer, move, record
from breakrank.engine.run import Now, Run, hold
from breakrank.engine.world import OFFICER, World
from breakrank.kernel import lean
from breakrank.mechanisms.journeys import Journeys
from breakrank.mechanisms.lodging import (
    EXPELLED,
    GRANTED,
    REFUSED,
    Guests,
    Town,
    add_guest,
    draws_here,
    in_town,
    leave_site,
)
from breakrank.mechanisms.reception import ReceptionAccount
from breakrank.outputs import LogRows, Measure, MeasureSource, daily, level, stock
from breakrank.spec import Field, parameters_of
from breakrank.table import Table, array, number

_NOBODY = int(NOBODY)
_SEND = int(decision("screening.send"))
_SUSPECT = int(decision("screening.suspect"))
_VERDICT = 3 * APART
_CLAIM = int(decision("asylum.papers"))
_WORK = int(decision("asylum.work"))
_MOST = 100_000
_INFILTRATOR = 1.0
"""Value in the log of who is expelled for having been sent by the services: it tells them from innocents."""

UPTAKE = 0.05
"""Daily chance to take up a permit that is offered, while claims for asylum lapse.

Set for Venezuela 2019, where it is not told how many took the permit: with the hotels closed and work allowed
for the first time, most are taken to have it within two months."""


class Screen(Table):
    """Whom the services send, and what the host's screening finds.

    ``agents`` positions of those who can be sent, ``identities`` theirs, in a force of ``strength``;
    ``scheme`` (day,) whether the host registers. ``sent`` a soldier who registers, ``found`` and ``wrong`` a
    day; ``caught`` chance that an innocent who is put across falls into the services' hands.
    """

    agents: NDArray[np.int64]
    identities: NDArray[np.uint32]
    strength: float = number("force.strength")
    scheme: NDArray[np.float64] = array("day")
    sent: float = number("screening.sent")
    found: float = number("screening.found")
    wrong: float = number("screening.wrong")
    caught: float = number("exile.return_caught")


@lean
def _send(
    now: Now,
    s: Screen,
    g: Guests,
    town: Town,
    account: ReceptionAccount,
    journeys: Journeys,
    records: RunRecords,
) -> None:
    """For some who register today the services send one of their own."""
    if town.registered[0] == 0 or s.agents.shape[0] == 0:
        return
    day = now.day
    for a in range(g.used[1]):  # grows by those sent, who are sent after nobody
        k = g.here[a]
        if g.registered[k] != day or g.spy[k]:
            continue
        i = g.who[k]
        chance, which, _, _ = uniforms(now.key, _SEND, g.identity[k], _NOBODY, day)
        if chance >= s.sent:
            continue
        # The next identity from a point on, so that a soldier more or less moves no other pick.
        at = np.searchsorted(s.identities, np.uint32(which * s.strength))
        agent = s.agents[min(at, s.agents.shape[0] - 1)]
        if records.fate[agent] != SERVING:
            continue
        way = int(journeys.route[i])
        journeys.route[agent] = way
        move(records, day, agent, ABROAD, EV_SENT, way, -1, 0.0)
        move(records, day, agent, REGISTERED, EV_REGISTERED, way, agent, s.scheme[day])
        g.registered[add_guest(g, agent, records.identity[agent], day, 0, 0, True)] = day
        account.arrived[0, day] += 1


@lean
def _expel(now: Now, s: Screen, g: Guests, town: Town, records: RunRecords) -> None:
    """The host expels suspects, infiltrators and innocents. That it happens is an incident."""
    expelled, day = 0, now.day
    for a in range(g.used[1]):
        k = g.here[a]
        if not in_town(g.stay[k]) or not 0 <= g.registered[k] < day:
            continue
        i, spy = g.who[k], bool(g.spy[k])
        suspected, taken, _, _ = uniforms(now.key, _SUSPECT, g.identity[k], _NOBODY, day)
        if suspected >= (s.found if spy else s.wrong):
            continue
        expelled = 1
        leave_site(g, k, town)
        g.stay[k], g.since[k] = EXPELLED, day
        if spy:
            move(records, day, i, SERVING, EV_EXPELLED, -1, -1, _INFILTRATOR)
        elif taken < s.caught:
            move(records, day, i, IMPRISONED, EV_EXPELLED, -1, -1, TAKEN)
        else:
            move(records, day, i, ABROAD, EV_EXPELLED, -1, -1, 0.0)
    town.incidents[0] += expelled


class Queue(Table):
    """Requests in the order in which they were made.

    ``rows`` rows of the table of guests; ``asked``, ``ready`` and ``done`` times in days, of the request,
    from when it can be taken up, and of the decision (infinite before anyone took it up); ``work`` caseworker
    days; ``closed``, decided or lapsed.
    """

    rows: NDArray[np.int32]
    asked: NDArray[np.float64]
    ready: NDArray[np.float64]
    work: NDArray[np.float64]
    done: NDArray[np.float64]
    closed: NDArray[np.bool_]


def no_files(room: int = 512) -> Queue:
    """Return columns with room for a number of requests."""
    return Queue.of_zeros(dict.fromkeys(Queue.names(), room))


@lean
def take_up(
    ready: NDArray[np.float64],
    work: NDArray[np.float64],
    first: int,
    free: NDArray[np.float64],
    staff: int,
    since: float,
    until: float,
    done: NDArray[np.float64],
) -> int:
    """Let `staff` caseworkers take up files from `first` on, one after the other, as long as they can start.

    Parameters
    ----------
    ready : float64 (file,), time in days from which a file can be taken up, ascending.
    work : float64 (file,), caseworker days that its decision takes.
    first : the first file that nobody has taken up.
    free : float64 (caseworkers at most,), when each is free; changed.
    staff : caseworkers at work between `since` and `until` (the first so many of `free`).
    since, until : times in days; nobody starts before `since`, and what cannot start before `until` waits.
    done : float64 (file,), time of the decision; written for each file taken up.

    Returns
    -------
    int
        the first file that still waits.
    """
    for k in range(first, ready.shape[0]):
        if staff <= 0:
            return k
        soonest = 0
        for s in range(1, staff):
            if free[s] < free[soonest]:
                soonest = s
        start = max(ready[k], free[soonest], since)
        if start >= until:
            return k
        done[k] = start + work[k]
        free[soonest] = done[k]
    return int(ready.shape[0])


class Office(Table):
    """The office that decides on asylum.

    By day: ``staff`` caseworkers, ``permit`` chance of taking one up. ``free`` (caseworker,) when each is
    free; ``files`` there are and ``taken`` up. ``waiting`` (1,) files open and ``age`` their mean age, days;
    ``wait`` (day,) mean days that today's decisions had waited. ``own`` (route,) whether a way stays inside
    the country; ``double`` and ``recognised`` chances, ``first`` days of rest, ``effort`` caseworker days.
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
    double: float = number("asylum.double_nationals")
    first: float = number("asylum.first_days")
    effort: float = number("asylum.effort")
    recognised: float = number("asylum.recognised")


@lean
def _needs_room(o: Office, queue: Queue, g: Guests) -> bool:
    """Return whether there is too little room for a request from everyone here."""
    return o.files + g.used[1] > queue.rows.shape[0]


@lean
def _open(now: Now, o: Office, queue: Queue, g: Guests, journeys: Journeys, records: RunRecords) -> None:
    """Requests come in, permits are taken up, and files are decided."""
    if g.used[0] == 0:
        return
    _ask(now, o, queue, g, journeys, records)
    decisions, waited, still, age = _decide(now, o, queue, g, records)
    if decisions:
        o.wait[now.day] = waited / decisions
    o.waiting[0] = still
    hold(o.age, now.day, age / still if still else np.nan)


@lean
def _ask(now: Now, o: Office, queue: Queue, g: Guests, journeys: Journeys, records: RunRecords) -> None:
    """Take requests and grant permits."""
    first, key, day, permit = o.files, now.key, now.day, o.permit[now.day]
    if permit > 0:
        draws_here(key, _CLAIM, g, APART + day)
    for a in range(g.used[1]):
        k = g.here[a]
        comes = not g.filed[k]
        if g.double[k] or g.permit[k] or not (comes or permit > 0):
            continue
        if not in_town(g.stay[k]) or g.registered[k] < 0 or g.spy[k]:
            continue
        i = g.who[k]
        if comes:
            double = 1.0 if o.own[journeys.route[i]] else o.double
            g.double[k] = uniform(key, _CLAIM, g.identity[k], _NOBODY, day) < double
            if g.double[k]:
                continue
        if permit > 0 and fraction(g.words[0, a]) < permit:
            g.permit[k] = True
            record(records, day, i, EV_PERMIT, -1, -1, 0.0)
        elif comes:
            g.filed[k] = True
            record(records, day, i, EV_FILED, -1, -1, 0.0)
            _file(now, o, queue, g, k, first)


@lean
def _file(now: Now, o: Office, queue: Queue, g: Guests, k: int, first: int) -> None:
    """Put the request of household k, at its hour, among those of today, which begin at `first`."""
    asked = now.day + uniform(now.key, _WORK, g.identity[k], _NOBODY, 0)
    place = o.files
    while place > first and queue.asked[place - 1] > asked:
        queue.rows[place], queue.work[place] = queue.rows[place - 1], queue.work[place - 1]
        queue.asked[place], queue.ready[place] = queue.asked[place - 1], queue.ready[place - 1]
        place -= 1
    queue.rows[place], queue.asked[place], queue.ready[place] = k, asked, asked + o.first
    queue.work[place] = o.effort * exponential(now.key, _WORK, g.identity[k], _NOBODY, 1)
    queue.done[o.files], queue.closed[o.files] = np.inf, False
    o.files += 1


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
        if not queue.closed[q] and (not in_town(g.stay[k]) or g.permit[k]):
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
            if uniform(now.key, _CLAIM, g.identity[k], _NOBODY, _VERDICT) < o.recognised:
                g.decided[k] = GRANTED
                record(records, day, i, EV_GRANTED, -1, -1, 0.0)
            else:
                g.decided[k] = REFUSED
                record(records, day, i, EV_REFUSED_ASYLUM, -1, -1, 0.0)
            continue
        still += 1
        age += day + 1 - queue.asked[q]
    return decisions, waited, still, age


class Asylum(Mechanism):
    """Requests, decisions, permits and infiltrators. Off: nobody asks, decides, is sent or is suspected."""

    name = "asylum"
    subsystem = 13
    parameters = (
        *parameters_of(name, "the host decides on asylum, grants permits and screens who comes"),
        *parameters_of("screening"),
    )
    outputs = (
        daily("asylum_filed", "Asked for asylum", EV_FILED, unit="requests"),
        daily("asylum_granted", "Asylum granted", EV_GRANTED, unit="decisions"),
        daily("asylum_refused", "Asylum refused", EV_REFUSED_ASYLUM, unit="decisions"),
        daily("permits", "Permits granted", EV_PERMIT, unit="permits"),
        stock("files_open", "Asylum files open", "files"),
        level("files_age", "Mean age of the open asylum files", "days"),
        level("files_wait", "Mean time from request to decision, of the day's decisions", "days"),
        daily("infiltrators_sent", "Infiltrators sent", EV_SENT),
        daily(
            "infiltrators_found",
            "Infiltrators found",
            LogRows(EV_EXPELLED, low=_INFILTRATOR, below=TAKEN),
            primary=12,
        ),
        daily(
            "wrongly_suspected",
            "Wrongly expelled as infiltrators",
            LogRows(EV_EXPELLED, below=_INFILTRATOR),
            LogRows(EV_EXPELLED, low=TAKEN),
        ),
        daily("expelled", "Expelled by the host", EV_EXPELLED),
    )
    measures = (
        Measure(
            "asylum_decided",
            "Asylum decisions",
            "decisions",
            "total",
            {"": MeasureSource("asylum_granted", also=("asylum_refused",))},
            primary=11,
        ),
    )
    fields = (
        Field("asylum_staff", "caseworkers", 0, _MOST, "caseworkers who decide on asylum", (), 0.0),
        Field(
            "permit", "switch", 0, 1, "the host grants permits to those who take up civilian life", (), 0.0
        ),
    )

    steps = (
        Step("receive", _send),
        Step("receive", _expel),
        Step("receive", _needs_room, then="_make_room"),
        Step("receive", _open),
    )

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.staff = np.ceil(np.floor(world.daily("asylum_staff")) * world.scale).astype(np.int64)
        below = world.tier[world.force.rank] < OFFICER
        agents = np.flatnonzero(world.intelligence & below)
        self.agents = agents if len(agents) else np.flatnonzero(below)

    def begin(self, run: Run) -> None:
        """Nobody has asked, and nobody has been found."""
        world, waiting = self.world, np.zeros(1, np.int32)
        run.stocks["files_open"] = waiting.reshape(())
        wait = run.tables["files_wait"] = np.full(world.days, np.nan, np.float32)
        self.queue = no_files()
        run.share(self.queue)
        self.office = Office(
            staff=self.staff,
            permit=np.where(world.daily("permit") >= 0.5, UPTAKE, 0.0),
            free=np.zeros(max(1, int(self.staff.max()))),
            files=0,
            taken=0,
            waiting=waiting,
            age=run.gauge("files_age"),
            wait=wait,
            own=np.array([c.inside for c in world.case.crossings], np.bool_),
        )
        run.share(self.office)
        run.share(
            Screen(
                agents=self.agents,
                identities=world.force.identity[self.agents],
                scheme=(world.daily("registration") >= 0.5).astype(np.float64),
            )
        )

    def _make_room(self, run: Run) -> None:
        files = self.office.files + int(run.view(Guests).used[1])
        for name in Queue.names():
            setattr(self.queue, name, longer(getattr(self.queue, name), 2 * files))
