"""Papers, requests and decisions told plainly, day by day, with the plain queue of `test_asylum_queue`."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from breakrank.engine.codes import EV_FILED, EV_GRANTED, EV_PERMIT, EV_REFUSED_ASYLUM, EV_STATUS_LOST
from breakrank.mechanisms.guest_table import (
    ELSEWHERE,
    GRANTED,
    HELD,
    NO_DECISION,
    PRIVATE_HOME,
    REFUSED,
    SETTLED,
    WITH_KIN,
    Guests,
)
from tests.engine.stage import Stage
from tests.mechanisms.plain_guests import Host, some_guests

seeds = st.integers(0, 2**32)
share = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0, 1))


class Office:
    """The office: a pile of files in the order of asking, and desks."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.files: list[SimpleNamespace] = []
        self.desks = [0.0] * int(max(1, stage.world.daily("asylum_staff").max()))
        self.next = 0

    def value(self, name: str) -> float:
        return self.stage.world[f"asylum.{name}"]

    def open(self, host: Host) -> tuple[float, int, float]:
        """Let a day pass; return the mean wait of the day's decisions, files open and their mean age."""
        self.take_requests(host, [h for h in host.here if self.papers(host, h)])
        for file in self.files:
            h = file.household
            if not file.closed and ((h.stay > SETTLED and h.stay != HELD) or h.permit):
                file.closed = True
                if file.done == math.inf:
                    file.work = 0.0  # nobody has begun
        self.work(host)
        decided = [file for file in self.files if not file.closed and file.done < host.day + 1]
        for file in decided:
            self.decide(host, file)
        left = [host.day + 1 - file.asked for file in self.files if not file.closed]
        waits = [file.done - file.asked for file in decided]
        return mean(waits), len(left), mean(left)

    def papers(self, host: Host, h: SimpleNamespace) -> bool:
        """See to the papers of a household; return whether it asks for asylum today."""
        day = host.day
        if h.stay > SETTLED or h.registered < 0 or h.spy:
            return False
        comes = h.paper < 0
        if comes:
            national, *_ = host.four("asylum.papers", h)
            h.double = national < self.value("double_nationals")
            h.paper = day + int(self.value("paper_days"))
        if self.stage.world.daily("permit")[day] >= 0.5 and not h.permit and not h.double:
            takes, *_ = host.four("asylum.papers", h, 1_000_000 + day)
            if takes < self.value("uptake"):
                h.permit, h.lost = True, False
                host.record(h, EV_PERMIT)
        if h.permit or h.double or h.decided != NO_DECISION:
            return False
        if h.paper <= day:
            h.paper = day + int(self.value("paper_days"))
            renewed = host.one("asylum.papers", h, 2_000_000 + day) < self.value("renewed")
            if not renewed and not h.lost:
                host.record(h, EV_STATUS_LOST)
            h.lost = not renewed
        if comes:
            h.filed = True
            host.record(h, EV_FILED)
            return True
        return False

    def take_requests(self, host: Host, asking: list[SimpleNamespace]) -> None:
        today = []
        for h in asking:
            hour, work = (host.one("asylum.work", h, k) for k in (0, 1))
            asked = host.day + hour
            today.append(
                SimpleNamespace(
                    household=h,
                    asked=asked,
                    ready=asked + self.value("first_days"),
                    work=self.value("effort") * -math.log(work),
                    done=math.inf,
                    closed=False,
                )
            )
        self.files += sorted(today, key=lambda file: file.asked)

    def work(self, host: Host) -> None:
        staff = int(self.stage.world.daily("asylum_staff")[host.day])
        while staff and self.next < len(self.files):
            file = self.files[self.next]
            desk = min(range(staff), key=lambda s: self.desks[s])
            start = max(file.ready, self.desks[desk], float(host.day))
            if start >= host.day + 1:
                return
            file.done = self.desks[desk] = start + file.work
            self.next += 1

    def decide(self, host: Host, file: SimpleNamespace) -> None:
        file.closed = True
        granted = host.one("asylum.papers", file.household, 3_000_000) < self.value("recognised")
        file.household.decided = GRANTED if granted else REFUSED
        file.household.lost = not granted
        host.record(file.household, EV_GRANTED if granted else EV_REFUSED_ASYLUM)


def mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else math.nan


def shake(stage: Stage, host: Host, g: Guests) -> None:
    """Let something happen to some between two days, in both tellings."""
    for k, h in enumerate(host.all):
        if stage.rng.random() < 0.1:
            h.stay = g.stay[k] = int(stage.rng.choice([PRIVATE_HOME, HELD, WITH_KIN, ELSEWHERE]))
            h.site = g.site[k] = -1
        if h.registered < 0 and stage.rng.random() < 0.3:
            h.registered = g.registered[k] = stage.run.day


@settings(max_examples=75, deadline=None)
@given(
    seeds,
    st.tuples(share, share, share),
    st.integers(1, 20),
    st.floats(0, 4),
    st.floats(0.05, 3),
    st.integers(0, 4),
)
def test_papers_and_decisions_agree_with_a_plain_telling(
    seed: int,
    shares: tuple[float, float, float],
    paper: int,
    first: float,
    effort: float,
    most: int,
) -> None:
    values = dict(zip(("double_nationals", "renewed", "recognised"), shares, strict=True))
    values |= {"paper_days": paper, "first_days": first, "effort": effort}
    rng = np.random.default_rng(seed)
    fields = {"asylum_staff": rng.integers(0, most + 1, 30), "permit": rng.integers(0, 3, 30) == 0}
    stage = Stage(seed, {f"asylum.{k}": v for k, v in values.items()}, fields)
    g = some_guests(stage)
    g.filed[: g.used[0]] = g.decided[: g.used[0]] = False  # the office starts without files
    office, host, asylum = Office(stage), Host(stage), stage.play["asylum"]
    for _ in range(8):
        host.day = stage.run.day
        expected = office.open(host)
        asylum.receive(stage.run)
        host.assert_same()
        run, day = stage.run, stage.run.day
        age = run.measured["files_age"][day] if office.files else math.nan
        found = (run.tables["files_wait"][day], run.stocks["files_open"], age)
        assert tuple(float(x) for x in found) == pytest.approx(expected, rel=1e-6, nan_ok=True)
        for file in office.files:
            assert file.done >= file.ready, "nobody is decided before his request has rested"
        run.open_day(day + 1)
        shake(stage, host, g)


@settings(max_examples=60, deadline=None)
@given(seeds, st.integers(0, 5), st.integers(0, 5))
def test_more_staff_never_means_that_less_is_decided(seed: int, a: int, b: int) -> None:
    few, many = (decided_by_day(seed, staff) for staff in sorted((a, b)))
    assert (few <= many).all()


def decided_by_day(seed: int, staff: int) -> np.ndarray:
    """Return how many have been decided by each day; nobody comes or goes."""
    stage = Stage(seed, {"asylum.first_days": 1, "asylum.effort": 1.5}, {"asylum_staff": staff}, n=30)
    g = some_guests(stage)
    g.filed[: g.used[0]] = g.decided[: g.used[0]] = False
    decided = []
    for _ in range(8):
        stage.play["asylum"].receive(stage.run)
        decided.append(int((g.decided[: g.used[0]] != NO_DECISION).sum()))
        stage.run.open_day(stage.run.day + 1)
    return np.array(decided)


def test_who_is_refused_has_no_papers_any_more_and_who_is_recognised_keeps_them() -> None:
    for recognised, lost in ((0, True), (1, False)):
        values = {"recognised": recognised, "first_days": 0, "effort": 0.01, "renewed": 1}
        stage = Stage(5, {f"asylum.{k}": v for k, v in values.items()}, {"asylum_staff": 50}, n=40, days=60)
        g = some_guests(stage)
        g.filed[: g.used[0]] = g.decided[: g.used[0]] = False
        g.paper[: g.used[0]] = -1
        for _ in range(8):
            stage.play["asylum"].receive(stage.run)
            stage.run.open_day(stage.run.day + 1)
        decided = g.decided[: g.used[0]] != NO_DECISION
        assert decided.sum() > 3
        assert (g.lost[: g.used[0]][decided] == lost).all()
