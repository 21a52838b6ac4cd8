"""Days that scenarios share are lived once, and each comes out as it does alone, to the bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from breakrank import Case, load_case
from breakrank.engine import parting as module
from breakrank.engine.observe import Observer
from breakrank.engine.parting import Parting, may_part, parting
from breakrank.model import MECHANISMS, Model, model_of, replicate
from breakrank.spec import Field
from tests.engine.worlds import AGREED, PLOTTING, assert_same_bits, busy, force_of
from tests.mechanisms.civil_war import civil_war

CASE = busy(500, "2019-03-01", **{name.replace(".", "__"): value for name, value in PLOTTING.items()})
SWITCHES = [m.name for m in MECHANISMS if f"{m.name}.on" in CASE.catalogue.parameters]
AHEAD = ("asylum_staff", "registration")
"""What the first day asks for all days: where most files can be worked on, when registration will begin."""
FELT = ("credibility", "pay", "posting", "call", "protests", "host_word")
"""Fields whose change shows within three weeks, even in so small a force."""


@pytest.fixture(autouse=True)
def _any_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LEAST", 1)


@pytest.fixture(scope="module")
def war(tmp_path_factory: pytest.TempPathFactory) -> Case:
    case = civil_war(tmp_path_factory.mktemp("montara") / "montara")
    return case.set({"force.strength": 800}).until(case.calendar.date(80))


def effect(field: Field) -> dict[str, Any]:
    """Say something of a field that it hardly says already."""
    high = min(field.high, field.low + 40)
    return {"field": field.name, "op": "set", "value": field.low + 0.9 * (high - field.low)}


def changed(case: Case, day: int, *names: str) -> Case:
    fields = [case.catalogue.fields[name] for name in names]
    event = {
        "id": "change",
        "date": str(case.calendar.date(day)),
        "title": "A change",
        "about": "It is otherwise from this day on.",
        "assumed": "Invented.",
        "effects": [effect(field) for field in fields],
    }
    return case.with_events([event])


def assert_shared(case: Case, *others: Case, days: tuple[int, ...] = (), log: bool = True) -> None:
    """Live cases together and alone; with `days`, those from which on they part from the first."""
    force = force_of(case)
    alone = [Model(one, force).replicate(1, 3, log=log) for one in (case, *others)]
    first, *beside = (Model(one, force) for one in (case, *others))
    together = [first.replicate(1, 3, log=log, beside=beside)]
    waiting = [model.waiting for model in beside]
    assert [one[1].day for one in waiting if one and one[1].ready] == list(days)
    together += [model.replicate(1, 3, log=log) for model in beside]
    for one, other in zip(together, alone, strict=True):
        assert_same_bits(one, other)


@pytest.mark.parametrize("name", sorted(CASE.catalogue.fields))
@pytest.mark.parametrize("day", [1, 38])
def test_any_field_may_change_from_a_day_on(name: str, day: int) -> None:
    assert_shared(CASE, changed(CASE, day, name), days=() if name in AHEAD else (day,))


@pytest.mark.parametrize("name", ["contact", "credibility", "amnesty", "call", "scarcity", "posting"])
def test_in_a_war_with_an_opposition(war: Case, name: str) -> None:
    assert_shared(war, changed(war, 45, name), days=(45,))


@pytest.mark.parametrize("name", ["held", "call_up"])
def test_what_settles_later_days_at_once_is_lived_twice(war: Case, name: str) -> None:
    assert_shared(war, changed(war, 45, name))


@pytest.mark.slow
@pytest.mark.parametrize("off", SWITCHES)
def test_whatever_is_switched_off(off: str) -> None:
    case = CASE.set({f"{off}.on": 0})
    assert_shared(case, changed(case, 30, "credibility", "scarcity", "posting", "call"), days=(30,))


def test_without_a_log() -> None:
    assert_shared(CASE, changed(CASE, 40, "pay"), log=False, days=(40,))


def test_several_part_on_their_own_days() -> None:
    others = changed(CASE, 40, "pay"), changed(CASE, 12, "credibility"), changed(CASE, 40, "surveillance")
    assert_shared(CASE, *others, days=(40, 12, 40))


def test_a_moved_and_a_removed_event() -> None:
    late = changed(CASE, 20, "credibility", "revelation")
    assert_shared(
        late, changed(CASE, 35, "credibility", "revelation"), late.without_event("change"), days=(20, 20)
    )


def test_after_the_regime_has_fallen() -> None:
    case = CASE.set(dict(AGREED))
    holds = Model(case, force_of(case)).replicate(1, 3).series["regime_holds"]
    assert not holds[-1]
    late = int(np.argmin(holds)) + 5
    assert_shared(case, changed(case, late, "pay"), days=(late,))


@pytest.mark.parametrize("name", sorted(CASE.catalogue.fields.keys() - {*AHEAD}))
def test_nothing_of_later_days_is_in_the_run_before(name: str) -> None:
    force = force_of(CASE)
    models = Model(CASE, force), Model(changed(CASE, 30, name), force)
    runs = [model.begun(1, 3, log=True) for model in models]
    for model, run in zip(models, runs, strict=True):
        model.days.go_on(run, Observer(model.world), 0, 30)
    found = parting(models[0].days, runs[0], models[1].days, runs[1])
    assert found is not None
    assert found.day == 30
    if name in FELT:
        for model, run in zip(models, runs, strict=True):
            model.days.go_on(run, Observer(model.world), 30, 50)
        assert parting(models[0].days, runs[0], models[1].days, runs[1]) is None


@pytest.mark.parametrize(
    "values", [{"detection.taps": 0.3}, {"fear.on": 0}, {"opportunity.errands": 3}, {"rising.strength": 0.1}]
)
def test_another_value_holds_from_the_first_day(values: dict[str, float]) -> None:
    other = CASE.set(values)
    assert not may_part(CASE, other)
    models = Model(CASE, force_of(CASE)), Model(other, force_of(CASE))
    runs = [model.begun(1, 3, log=False) for model in models]
    assert parting(models[0].days, runs[0], models[1].days, runs[1]) is None


def test_other_luck_parts_at_once() -> None:
    models = Model(CASE, force_of(CASE)), Model(changed(CASE, 40, "pay"), force_of(CASE))
    runs = [model.begun(1, number, log=False) for number, model in enumerate(models)]
    assert parting(models[0].days, runs[0], models[1].days, runs[1]) is None


def test_too_few_days_are_not_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LEAST", 41)
    assert not may_part(CASE, changed(CASE, 40, "pay"))


def test_what_the_days_have_written_into_is_not_shared() -> None:
    models = Model(CASE, force_of(CASE)), Model(changed(CASE, 40, "pay"), force_of(CASE))
    runs = [model.begun(1, 3, log=False) for model in models]
    found = parting(models[0].days, runs[0], models[1].days, runs[1])
    assert isinstance(found, Parting)
    found.swapped[0][0][3] += 1
    found.keep(models[0].days, runs[0], Observer(models[0].world))
    assert not found.ready


def test_runs_under_draws_share_their_days() -> None:
    case = load_case("venezuela-2019", "posterior").set({"force.strength": 1000}).until("2019-04-01")
    other = changed(case, 70, "credibility")
    for run in (0, 1):
        alone = replicate(other, None, 5, run, log=True)
        model_of(case.until("2019-03-31"), 5, run + 7)  # another run, so that nothing is at hand
        replicate(case, None, 5, run, log=True, beside=[other])
        assert model_of(other, 5, run).waiting is not None
        assert_same_bits(replicate(other, None, 5, run, log=True), alone)
