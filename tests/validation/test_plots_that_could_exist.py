"""Plots that could exist: one at a time to a founder, no early asking again, none of too few launched."""

from __future__ import annotations

from functools import cache

import breakrank
from breakrank.engine.codes import BY_AIM, EVENTS
from breakrank.model import Model, build

PARAMETERS = {"force.strength": 16_000, "plots.from_start": 200}
"""Ten times as many plots, so that what must not happen has many occasions."""
ASKED, DECLINED = "approached someone for a plot", "declined to join"
LAUNCH = "plot launched"
ENDED = ("plot broken by arrests", "plot scattered", "plot dissolved", LAUNCH)
LEAST = 3
WARY = 90
"""Days for which whoever declined is left alone, and a founder whose plot ended plans nothing."""


@cache
def logs() -> list[list[tuple[int, int, str, int, float]]]:
    """Return day, who, event, the other and value of all that happened in eight half-years of many plots."""
    case = breakrank.load_case("venezuela-2019", "point").until("2019-06-30")
    case = case.set(
        {**PARAMETERS, "comrades.memory": WARY, "high_command.on": 0, "plots.planned_strength": 1}
    )
    model, out = Model(case, build(case, 3)), []
    for run in range(8):
        log = model.replicate(3, run, log=True).events
        names = [EVENTS[code] for code in log["event"]]
        columns = (log[name].tolist() for name in ("day", "soldier", "other", "value"))
        day, who, other, value = columns
        out.append(list(zip(day, who, names, other, value, strict=True)))
    return out


def test_a_founder_has_one_live_plot_and_is_cautious_after_it_ended() -> None:
    plots = 0
    for log in logs():
        lives: set[int] = set()
        lost: dict[int, int] = {}
        for day, who, event, _, _ in log:
            if event == "founded a plot":
                assert who not in lives
                assert day == 0 or day - lost.get(who, -WARY) >= WARY
                lives.add(who)
                plots += 1
            elif event in ENDED:
                lives.discard(who)
                if event != LAUNCH:
                    lost[who] = day
    assert plots > 100


def test_whoever_declined_is_left_alone_for_a_time() -> None:
    approaches = 0
    for log in logs():
        declined: dict[int, int] = {}
        for day, who, event, other, _ in log:
            if event == DECLINED:
                declined[who] = day
            elif event == ASKED:
                assert day - declined.get(other, -WARY) >= WARY
                approaches += 1
    assert approaches > 100


def test_what_launches_has_the_least_strength_or_someone_of_rank() -> None:
    sizes = []
    for log in logs():
        pledged: set[int] = set()  # founders to whose plot someone promised to come
        for _, who, event, other, value in log:
            if event == "founded a plot":
                pledged.discard(who)
            elif event == "pledged to a plot":
                pledged.add(other)
            elif event == LAUNCH:
                size = int(value) % BY_AIM
                assert size >= LEAST or who in pledged
                sizes.append(size)
    assert len(sizes) > 20
