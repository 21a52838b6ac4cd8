"""One soldier's year: the numbers are those of the run, and every word of the log has its sentence."""

from __future__ import annotations

import json
import math
import re
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from breakrank import load_case
from breakrank.case import Case
from breakrank.engine.codes import (
    EV_CROSSED,
    EV_DESERTED,
    EV_FOUNDED,
    EV_LEFT,
    EVENTS,
    FATES,
    HAD_LEFT,
    INVITED,
    JOIN,
    LEAVE,
    LEAVE_WITH_FAMILY,
    PLAN_CROSSING,
    REPORT,
)
from breakrank.engine.run import Run
from breakrank.engine.witness import Witness
from breakrank.errors import UsageError
from breakrank.lives.abroad import ABROAD
from breakrank.lives.conspiracy import VOICE
from breakrank.lives.happening import CAME_ALONG, SHARED, SUMMED, happenings
from breakrank.lives.short import turning_point
from breakrank.lives.trace import Trace, find_soldier, informers, trace, traces
from breakrank.mechanisms.counterintelligence import Counterintelligence
from breakrank.model import Model, build, model_of

SEED, RUN = 3, 1
NOBODY = 0xFFFFFFFF


@pytest.fixture(scope="module")
def case() -> Case:
    return load_case("venezuela-2019", "values").set({"force.strength": 3000})


@pytest.fixture(scope="module")
def model(case: Case) -> Model:
    return Model(case, build(case, SEED))


@pytest.fixture(scope="module")
def lives(case: Case) -> tuple[Trace, ...]:
    return traces(case, range(0, 3000, 3), SEED, RUN)


def test_weights_add_up_to_the_odds_of_every_option(case: Case, lives: tuple[Trace, ...]) -> None:
    options, ceiling = 0, case.value("decision.ceiling")
    for life in lives:
        for moment in life.moments:
            stay = moment.options[0]
            assert (stay.code, stay.weights) == (0, ())
            assert math.isclose(sum(o.chance for o in moment.options), 1, rel_tol=1e-12)
            for option in moment.options[1:]:
                odds = math.exp(option.utility)
                if option.code not in (REPORT, JOIN) and moment.code < INVITED:
                    odds /= 1 + odds * (1 - ceiling) / ceiling
                assert math.isclose(option.chance / stay.chance, odds, rel_tol=1e-9)
                assert [abs(w.value) for w in option.weights] == sorted(
                    (abs(w.value) for w in option.weights), reverse=True
                )
                options += 1
    assert options > 1000


def test_a_life_is_the_one_of_the_ensemble(model: Model, lives: tuple[Trace, ...]) -> None:
    plain = model.replicate(SEED, RUN, log=True)
    assert plain.events is not None
    log = plain.events
    aside = np.isin(log["event"], SHARED)
    for life in lives:
        me = life.soldier.identity
        one_by_one = ~np.isin(log["event"], SUMMED)
        rows = np.flatnonzero(((log["soldier"] == me) | ((log["other"] == me) & aside)) & one_by_one)
        told = [e.event for e in life.events if e.event in EVENTS and EVENTS.index(e.event) not in SUMMED]
        assert told == [EVENTS[e] for e in log["event"][rows]]
    assert {life.fate for life in lives} > {"serving"}, "nobody's fate changed"


def test_watching_changes_nothing(model: Model) -> None:
    watched, witness = model.live(SEED, RUN, range(0, 3000, 7))
    plain = model.replicate(SEED, RUN, log=True)
    assert plain.events is not None
    assert watched.events is not None
    for name in plain.events:
        np.testing.assert_array_equal(plain.events[name], watched.events[name])
    assert witness.seen


def test_it_can_be_told_short(lives: tuple[Trace, ...]) -> None:
    for life in lives:
        story = life.story()
        sentences = len(re.findall(r"\.(?: |$)", story))
        plotted = any(e.event in VOICE for e in life.events)
        lived_abroad = any(e.event in ABROAD for e in life.events)
        heard = any(e.event == "sent word home" for e in life.events)
        assert 3 <= sentences <= 6 + 4 * plotted + 4 * lived_abroad + heard, story
        assert not re.search(r"\b(None|nan|inf)\b", story)
        if life.fate == "registered":
            turn = turning_point(life.moments)
            assert turn is not None
            assert turn.choice in (LEAVE, LEAVE_WITH_FAMILY, JOIN, PLAN_CROSSING)
            assert "registered" in story
            assert re.search("Colombia|Brazil|Cura|out of the embassy", story)


def test_comrades_gone_are_those_of_the_log(model: Model, lives: tuple[Trace, ...]) -> None:
    log = model.replicate(SEED, RUN, log=True).events
    assert log is not None
    force = model.world.force
    counted = 0
    for life in lives:
        position = force.position(life.soldier.identity)
        trusted = set(force.identity[force.ties.of(position)].tolist())
        for moment in life.moments:
            rows = (log["day"] < moment.day) & np.isin(log["event"], (EV_DESERTED, EV_CROSSED))
            gone = trusted & set(log["soldier"][rows].tolist())
            assert len(gone) == moment.gone
            counted += moment.gone
    assert counted > 0


def test_json_holds_everything(lives: tuple[Trace, ...]) -> None:
    life = max(lives, key=lambda t: len(t.events))
    told = json.loads(json.dumps(life.to_dict(), allow_nan=False))
    assert told["soldier"]["identity"] == life.soldier.identity
    assert len(told["moments"]) == len(life.moments)
    assert len(told["events"]) == len(life.events)
    assert told["fate"] in FATES
    for moment in told["moments"]:
        assert moment["choice"] in [o["option"] for o in moment["options"]]


@pytest.mark.parametrize("event", range(len(EVENTS)))
@pytest.mark.parametrize("value", [0.0, 1.0])
def test_every_event_of_the_log_has_words(case: Case, model: Model, event: int, value: float) -> None:
    states = len(case.force.states)
    force = model.world.force
    for route in range(len(case.crossings)):
        for other in (NOBODY, 5):
            if other == NOBODY and EVENTS[event] in ("confided", "reported", "sent word home"):
                continue
            log = {
                "day": np.array([9], np.int16),
                "soldier": np.array([7], np.uint32),
                "event": np.array([event], np.uint8),
                "place": np.array([states + route], np.int16),
                "other": np.array([other], np.uint32),
                "value": np.array([value], np.float32),
            }
            found = happenings(case, force, log, force.position(7))
            if (event, value) == (EV_DESERTED, HAD_LEFT):
                assert not found, "that he was turned away is told"
                continue
            (told,) = found
            assert told.event == EVENTS[event]
            assert told.text[0].islower()
            assert not told.text.endswith(".")


def test_those_who_came_along_are_counted_once(case: Case, model: Model) -> None:
    force = model.world.force
    rows = 3
    log = {
        "day": np.full(rows, 9, np.int16),
        "soldier": np.array([7, 8, 9], np.uint32),
        "event": np.array([EV_LEFT, EV_LEFT, EV_LEFT], np.uint8),
        "place": np.full(rows, len(case.force.states), np.int16),
        "other": np.array([NOBODY, 7, 7], np.uint32),
        "value": np.zeros(rows, np.float32),
    }
    told = happenings(case, force, log, force.position(7))
    assert [e.event for e in told] == [EVENTS[EV_LEFT], CAME_ALONG]
    assert "2 comrades" in told[1].text
    assert told[1].value == 2


def test_find_soldier_finds_one_who_ended_so(case: Case) -> None:
    for fate in ("registered", "serving"):
        assert trace(case, find_soldier(case, fate, SEED, RUN), SEED, RUN).fate == fate


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"soldier": 3000}, "0 to 2999"),
        ({"soldier": -1}, "-1"),
        ({"soldier": 7, "seed": -1}, "seed"),
        ({"soldier": 7, "run": 1.5}, "run"),
    ],
)
def test_what_does_not_exist_is_one_clear_error(case: Case, arguments: dict[str, Any], named: str) -> None:
    with pytest.raises(UsageError, match=re.escape(named)):
        trace(case, **arguments)


def test_a_fate_that_is_none_names_the_nearest(case: Case) -> None:
    with pytest.raises(UsageError, match="'registered'"):
        find_soldier(case, "registred")
    with pytest.raises(UsageError, match="serving"):
        find_soldier(case.set({"decision.on": 0, "belief.on": 0}), "registered")


def test_no_sentence_is_told_twice(case: Case) -> None:
    many = case.set({"plots.habit_rising": 7, "plots.habit_crossing": 7})
    model = model_of(many, SEED, RUN)
    told = model.witnessed(SEED, RUN, Witness(())).events
    assert told is not None
    founders = list(dict.fromkeys(told["soldier"][told["event"] == EV_FOUNDED].tolist()))[:20]
    assert len(founders) > 5
    for life in traces(many, founders, SEED, RUN):
        for paragraph in life.paragraphs():
            said = paragraph.partition(": ")[2].split(". ")
            assert all(a.rstrip(".") != b.rstrip(".") for a, b in pairwise(said)), paragraph
        assert life.story().count("began to plan a") == sum(
            e.event == EVENTS[EV_FOUNDED] for e in life.events
        ), life.story()


def test_informers_are_those_whom_the_run_recruited(case: Case, model: Model) -> None:
    run = Run(model.world, SEED, RUN, False)
    Counterintelligence(model.world).begin(run)
    recruited = run.column("counterintelligence.informer", np.bool_)
    assert recruited.any()
    assert (informers(case, model.world.force, model.first_key(SEED, RUN)) == recruited).all()
    everyone = case.set({"counterintelligence.informers": 1})
    assert informers(everyone, model.world.force, model.first_key(SEED, RUN)).all()
    assert not informers(
        everyone.set({"counterintelligence.on": 0}), model.world.force, model.first_key(SEED, RUN)
    ).any()
