"""Routes: choosing a way, the journey, groups led by an officer, and the three outcomes.

Who leaves picks a way by its risk, hardship and length (a logit among ways within the choice of
leaving, so that the whole is one multinomial logit). Leaders ask trusted comrades of their unit to
come along; the group shares one way and one luck with the patrols. Who arrives presents themselves
and is registered, or declares for the challenger besides, or stays unregistered. Who only deserts
hides at home or slips abroad. Who finds their way shut may wait for it: see ``route_waiting``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from breakrank.engine.codes import INVITED, LEAVE, LEAVE_WITH_FAMILY
from breakrank.engine.mechanism import Mechanism, Step, Term
from breakrank.engine.moments import Moment, Moments, Soldiers, TrustTies
from breakrank.engine.run import Run
from breakrank.engine.world import World
from breakrank.kernel import lean
from breakrank.mechanisms.arrivals import Border
from breakrank.mechanisms.decision import HEAD_START
from breakrank.mechanisms.fear import punishment_by_rank
from breakrank.mechanisms.ground import Ground, held_by_opposition, open_ground
from breakrank.mechanisms.journeys import (
    ALONE,
    FAMILY,
    HUNTED,
    POSTED,
    Journeys,
    Leaving,
    Roads,
    helped,
    no_roads,
    worth_alone,
    worth_with_family,
)
from breakrank.mechanisms.reception import DESK, SETTING_UP
from breakrank.mechanisms.regime import Watch
from breakrank.mechanisms.resignation import OPEN_RISK, goes_openly
from breakrank.mechanisms.route_graph import WaysToday, find_ways, logsumexp, ways_over
from breakrank.mechanisms.route_parameters import (
    ALERT,
    CHECKPOINT,
    COMPANY,
    DAYS,
    FAMILY_HARDSHIP,
    HARDSHIP,
    KIN_HELP,
    KIN_SLIP,
    LAG,
    POSTED_RISK,
    RISK,
    SHOT_TO_CAUGHT,
    SLIP,
    UNREGISTERED,
    WAYS_PARAMETERS,
)
from breakrank.mechanisms.route_steps import (
    Outlook,
    ask_along,
    changed,
    end_journeys,
    go_later,
    set_out,
)
from breakrank.mechanisms.route_waiting import Intentions, recall, remind
from breakrank.spec import Field


@lean
def _way_alone(at: Moment, r: Roads, j: Journeys, a: Leaving, soldiers: Soldiers) -> float:
    """What the ways are worth to them alone."""
    return helped(at, worth_alone(at, r, j), a, soldiers)


@lean
def _way_family(at: Moment, r: Roads, j: Journeys, a: Leaving, soldiers: Soldiers) -> float:
    """What the ways are worth to them with their family."""
    return helped(at, worth_with_family(at, r, j), a, soldiers)


@lean
def _kin(at: Moment, soldiers: Soldiers) -> float:
    """What relatives abroad are worth."""
    return KIN_HELP if soldiers.kin_abroad[at.who] else 0.0


@lean
def _group(at: Moment, a: Leaving) -> float:
    """What a leader's asking is worth."""
    return a.company if at.occasion == INVITED else 0.0


@lean
def _no_way_alone(at: Moment, r: Roads, j: Journeys) -> bool:
    """Whether no way is open to them alone."""
    return worth_alone(at, r, j) == -np.inf


@lean
def _no_way_with_family(at: Moment, r: Roads, j: Journeys) -> bool:
    """Whether no way is open to them with their family."""
    return worth_with_family(at, r, j) == -np.inf


def _desk(world: World, opens: int) -> NDArray[np.int64]:
    """Return how many the host can register on each day (day,), fewer on the days after it opens."""
    if not world.on("reception"):
        return np.full(world.days, world.force.n, np.int64)
    pace = np.ones(world.days)
    if opens:
        first = pace[opens : opens + len(SETTING_UP)]
        first[:] = SETTING_UP[: len(first)]
    return np.ceil(pace * int(world[DESK.name]) * world.scale).astype(np.int64)


class Routes(Mechanism):
    """Routes, journeys, groups and the three outcomes. Off: no way leads abroad; deserters hide at home."""

    name = "routes"
    subsystem = 7
    parameters = WAYS_PARAMETERS
    fields = (
        Field("registration", "switch", 0, 1, "the host registers those who present themselves", (), 0.0),
    )
    terms = (
        Term("routes.way_alone", "the ways that are open", {LEAVE: 1}, _way_alone),
        Term(
            "routes.way_family", "the ways that are open with a family", {LEAVE_WITH_FAMILY: 1}, _way_family
        ),
        Term("routes.kin", "relatives abroad", {LEAVE: 1, LEAVE_WITH_FAMILY: 1}, _kin),
        Term("routes.group", "a leader asks to come along", {LEAVE: 1, LEAVE_WITH_FAMILY: 1}, _group),
    )
    closes = ((LEAVE, _no_way_alone), (LEAVE_WITH_FAMILY, _no_way_with_family))

    steps = (
        Step("dawn", changed, then="_look"),
        Step("meet", recall),
        Step("act", set_out, then="_ask_along"),
        Step("travel", go_later),
        Step("travel", end_journeys),
    )

    def __init__(self, world: World) -> None:
        super().__init__(world)
        leaving = Leaving(
            vehicle=world[HEAD_START.name],
            slip_share=world[SLIP.name],
            company=world[COMPANY.name],
            openly=goes_openly(world),
        )
        # Whether the host will ever have a scheme is unknown before its first day, so nobody acts on it.
        scheme = world.daily("registration") >= 0.5
        opens = int(np.argmax(scheme)) if scheme.any() else world.days
        self.border = Border(
            scheme=scheme,
            scheme_ahead=np.maximum(np.arange(world.days), opens),
            custody=world.on("counterintelligence"),
            desk=_desk(world, opens),
            unregistered=world[UNREGISTERED.name],
            unregistered_kin=world[KIN_SLIP.name],
            lag=world[LAG.name],
            open_risk=world[OPEN_RISK.name],
        )
        self.given = (leaving, self.border)
        self.leads = np.array([r.leads for r in world.case.force.ranks], np.int64)
        self.epoch = np.zeros(world.days, np.int64)
        self.held = held_by_opposition(world)
        if not self.on:
            return
        self.ways = find_ways(world)
        self.known = np.maximum.accumulate(self.ways.open, axis=0)
        self.epoch = self.ways.epoch
        states = np.arange(len(world.state_ids))
        self.manned = (self.ways.home[None, :] == states[:, None]) & self.ways.posted[None, :]
        self.known_roads: dict[tuple[int, float, bytes, bytes], Roads] = {}

    def _worth(
        self, day: int, today: WaysToday, closed: NDArray[np.bool_]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Return the utility of open ways, (state, rank, mode, route), of known ones, and their log-sum.

        Modes: alone, with family, posted at the crossing of one's state, and hunted; see ``journeys``.
        Embassies take in the hunted only, and the hunted count with the alert.
        """
        world, ways = self.world, self.ways
        punishment = punishment_by_rank(world)
        pass_posts = (1 - world[CHECKPOINT.name]) ** today.checkpoints
        capture = today.capture[None, :]
        caught = 1 - (1 - capture) * pass_posts
        shot = SHOT_TO_CAUGHT * world[RISK.name] * ways.violence[day]
        effort = world[DAYS.name] * today.days + shot[None, :]
        usable = np.isfinite(today.days) & (ways.open[day] & ~closed)[None, :]
        modes, wishes = [], []
        for mode in (ALONE, FAMILY, POSTED, HUNTED):
            hardship = HARDSHIP * ways.hardship * (FAMILY_HARDSHIP if mode == FAMILY else 1)
            may = usable & ways.family[None, :] if mode == FAMILY else usable
            risk = caught
            if mode == HUNTED:
                risk = 1 - (1 - caught) ** (1 + world[ALERT.name])
            else:
                may = may & ~ways.embassy[None, :]
            if mode == POSTED:
                may = may | (self.manned & ~closed[None, :])  # a post that is relieved lets nobody through
                risk = np.where(self.manned, world[POSTED_RISK.name] * capture, caught)
            u = -world[RISK.name] * punishment[None, :, None] * risk[:, None, :]
            u = u - (effort + hardship[None, :])[:, None, :] + ways.usual
            modes.append(np.where(may[:, None, :] & ways.ranks[None, :, :], u, -np.inf))
            known = may | (self.known[day] & (ways.family | (mode == ALONE)) & ~ways.embassy)[None, :]
            known = known & np.isfinite(today.days) if mode in (ALONE, FAMILY) else may
            wishes.append(np.where(known[:, None, :] & ways.ranks[None, :, :], u, -np.inf))
        wished = np.stack(wishes, axis=2)
        return np.stack(modes, axis=2), wished, logsumexp(wished)

    def begin(self, run: Run) -> None:
        """Nobody is on the way yet."""
        self.journeys = Journeys(
            route=run.column("routes.route", np.int16, -1),
            leader=run.column("routes.leader", np.int32, -1),
            mode=run.column("routes.mode", np.uint8),
            slips=run.column("routes.slips", np.bool_),
            hunted=run.column("routes.hunted", np.bool_),
            arranged=np.full(len(self.world.route_ids), -1, np.int32),
        )
        run.share(self.journeys)
        closed = np.zeros(len(self.world.route_ids), np.bool_)
        run.share(Outlook(epoch=self.epoch, seen=-1, changes=-1, level=-1.0, closed=closed))
        self.intentions = Intentions(
            until=run.column("routes.until", np.int16, -1),
            resolve=run.column("routes.resolve", np.float32),
        )
        run.share(self.intentions)
        run.share(open_ground(self.held, len(self.world.force.units)))
        run.share(no_roads(len(self.world.state_ids), len(self.world.rank_ids), len(self.world.route_ids)))

    def roads(self, run: Run) -> Roads:
        """Return the ways as they are today; surveillance raises the risk of capture."""
        ways, day, watch = self.ways, run.day, run.view(Watch)
        level, epoch = float(watch.today[0]), int(self.ways.epoch[day])
        ground = run.view(Ground)
        taken = ground.held[day].tobytes() if ground.taken.any() else b""
        which = (epoch, level, watch.closed.tobytes(), taken)
        if which not in self.known_roads:
            shared = (epoch, -1.0, *which[2:])  # what the ways are worth does not depend on surveillance
            known = self.known_roads.get(shared)
            today = ways_over(self.world, ways, day, ground.held[day]) if taken else ways.on(day)
            utility, wished, hoped = (
                (known.utility, known.wished, known.hoped) if known else self._worth(day, today, watch.closed)
            )
            self.known_roads[which] = self.known_roads[shared] = Roads(
                utility=utility,
                value=logsumexp(utility),
                wished=wished,
                hoped=hoped,
                days=today.days,
                checkpoints=today.checkpoints,
                watched=today.watched,
                capture=np.minimum(today.capture * (level * today.guarded), 1.0),
                violence=ways.violence[day],
                host=ways.host,
                embassy=ways.embassy,
                inland=ways.inland,
                manned=self.manned,
                stay=ways.stay,
                checkpoint_risk=min(self.world[CHECKPOINT.name] * level, 1.0),
                posted_risk=self.world[POSTED_RISK.name],
                alert=self.world[ALERT.name],
            )
        return self.known_roads[which]

    def _look(self, run: Run) -> None:
        before = run.view(Roads)
        self.today = self.roads(run)
        run.share(self.today)
        nearer = np.asarray((self.today.value > before.value)[:, :, :2].any(axis=2))
        waiting = int(np.count_nonzero(self.intentions.until >= run.day)) if nearer.any() else 0
        if waiting:
            run.make_room(waiting)
            remind(run.now, run.view(Soldiers), self.intentions, nearer, run.records)

    def _ask_along(self, run: Run) -> None:
        """Let leaders who set out alone ask trusted comrades of their unit to come along."""
        views = run.view(Soldiers), run.view(Moments), run.view(TrustTies)
        friends, leaders = ask_along(run.now, *views, self.leads, run.records)
        run.call(friends, INVITED, leaders)
