"""Fields by day: constants, tables, and what events do to them."""

import datetime as dt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from breakrank.case import Case, Counterfactual, load_case
from breakrank.case.changes import counterfactual
from breakrank.case.files import to_yaml
from breakrank.errors import CaseError
from breakrank.spec import Catalogue
from tests.case.conftest import edit

WHY = {"assumed": "a test"}


def event(name: str, date: str, *effects: dict[str, object]) -> dict[str, object]:
    return {"id": name, "date": date, "title": name, "effects": list(effects), **WHY}


def quiet(case: Case) -> Case:
    """The case without its own events."""
    for name in case.events.ids:
        case = case.without_event(name)
    return case


def test_the_array_is_the_callers_own(case: Case) -> None:
    case.daily("pay")[:] = 7
    assert case.daily("pay")[0].tolist() == [60, 100, 180]


def table(
    folder: Path, catalogue: Catalogue, text: str, dims: str = "[rank]", interpolate: str = "step"
) -> Case:
    edit(
        folder,
        "fields.yaml",
        "unrest:\n",
        f"unrest:\n  file: unrest.csv\n  dims: {dims}\n  interpolate: {interpolate}\n",
    )
    edit(folder, "fields.yaml", "unit: per day\n  value: 2\n", "unit: per day\n")
    (folder / "unrest.csv").write_text(text)
    return quiet(load_case(folder, catalogue))


def test_step_holds_and_starts_with_the_first_value(folder: Path, catalogue: Catalogue) -> None:
    unrest = table(folder, catalogue, "date,value\n2025-01-10,5\n2025-01-20,7\n", "[]").daily("unrest")
    assert unrest[:19].min() == unrest[:19].max() == 5
    assert (unrest[19:] == 7).all()


def test_linear_draws_straight_lines(folder: Path, catalogue: Catalogue) -> None:
    unrest = table(folder, catalogue, "date,value\n2025-01-11,20\n2025-01-01,10\n", "[]", "linear").daily(
        "unrest"
    )
    np.testing.assert_allclose(unrest[:11, 0, 0], np.arange(10, 21))
    assert (unrest[11:] == 20).all()


def test_dimensions_in_any_order_and_stars(folder: Path, catalogue: Catalogue) -> None:
    text = """date,rank,state,value
# a row that names more beats one with a star, wherever it stands
2025-01-01,sergeant,XX-B,9
2025-01-01,*,*,1
2025-01-01,sergeant,*,4
2025-01-05,*,XX-C,6
"""
    unrest = table(folder, catalogue, text, "[rank, state]").daily("unrest")
    assert unrest[0].tolist() == [[1, 4, 1], [1, 9, 1], [1, 4, 1]]  # state by rank
    assert unrest[4].tolist() == [[1, 4, 1], [1, 9, 1], [6, 6, 6]]


def test_effects_reach_only_whom_they_name(case: Case) -> None:
    effect = {"field": "unrest", "op": "set", "value": 5, "states": ["XX-C", "XX-A"], "ranks": ["officer"]}
    unrest = quiet(case).with_events([event("a", "2025-01-02", effect)]).daily("unrest")
    assert unrest[0].sum() == 18
    assert unrest[1].tolist() == [[2, 2, 5], [2, 2, 2], [2, 2, 5]]


def test_what_began_before_the_calendar_is_carried_in(case: Case) -> None:
    changed = quiet(case).with_events(
        [
            event("old", "2024-12-22", {"field": "credibility", "op": "add", "value": 0.8, "half_life": 10}),
            event("over", "2024-12-01", {"field": "unrest", "op": "add", "value": 5, "until": "2024-12-31"}),
            event("after", "2026-01-01", {"field": "unrest", "op": "set", "value": 500}),
        ]
    )
    np.testing.assert_allclose(changed.daily("credibility")[[0, 10]], [0.4, 0.2])
    assert (changed.daily("unrest") == 2).all()


def slow(case: Case, field: str) -> list[float]:
    """A plain reference for fields without dimensions: day by day, event by event."""
    declared, entry = case.catalogue.fields[field], case.content.fields[field]
    assert entry.value is not None
    out = []
    for day in range(case.calendar.days):
        today, value = case.calendar.date(day), entry.value
        for happening in sorted(case.events, key=lambda e: e.date):
            for effect in happening.effects:
                over = effect.until is not None and today > effect.until
                if effect.field != field or today < happening.date or over:
                    continue
                if effect.op == "set":
                    value = effect.value
                elif effect.op == "multiply":
                    value *= effect.value
                else:
                    age = (today - happening.date).days
                    value += effect.value * (
                        1 if effect.half_life is None else 0.5 ** (age / effect.half_life)
                    )
        out.append(min(max(value, declared.low), declared.high))
    return out


@st.composite
def happenings(draw: st.DrawFn) -> list[dict[str, object]]:
    days = st.dates(min_value=dt.date(2024, 12, 1), max_value=dt.date(2025, 8, 1))
    out = []
    for k in range(draw(st.integers(0, 5))):
        date = draw(days)
        op = draw(st.sampled_from(["add", "multiply", "set"]))
        value = (
            draw(st.floats(0, 1))
            if op == "set"
            else draw(st.floats(*((0, 3) if op == "multiply" else (-1, 1))))
        )
        effect: dict[str, object] = {"field": "scarcity", "op": op, "value": value}
        how = draw(st.sampled_from(["good", "until", "fading"]))
        if how == "until":
            effect["until"] = max(date, draw(days)).isoformat()
        elif how == "fading" and op == "add":
            effect["half_life"] = draw(st.floats(0.1, 1000))
        out.append(event(f"e{k}", date.isoformat(), effect))
    return out


@given(happenings())
@settings(deadline=None)
def test_a_slow_reference_agrees(case: Case, events: list[dict[str, object]]) -> None:
    changed = quiet(case).with_events(events)
    found = changed.daily("scarcity")
    np.testing.assert_allclose(found, slow(changed, "scarcity"), rtol=1e-12, atol=1e-12)
    assert found.min() >= 0
    assert found.max() <= 1


STORM = [
    *(
        event(
            f"e{k}", "2025-01-05", {"field": "unrest", "op": "multiply", "value": 1000, "ranks": ["officer"]}
        )
        for k in range(110)
    ),
    event("calm", "2025-02-01", {"field": "unrest", "op": "multiply", "value": 0}),
]


def test_events_that_lead_beyond_all_numbers_are_refused(case: Case, folder: Path, tmp_path: Path) -> None:
    """Infinite unrest times nothing would be no number, and no run would say so."""
    says = r"the event 'e102' takes the field 'unrest' beyond all numbers on 2025-01-05"
    with pytest.raises(CaseError, match=says):
        case.with_events(STORM)
    path = tmp_path / "storm.yaml"
    path.write_text(to_yaml(STORM))
    with pytest.raises(CaseError, match=says) as caught:
        case.with_events(path)
    line = path.read_text().splitlines().index("- id: e102") + 1
    assert caught.value.place.file == path
    assert line < (caught.value.place.line or 0) < line + 10
    events = (folder / "events.yaml").read_text()
    (folder / "events.yaml").write_text(events + path.read_text())
    with pytest.raises(CaseError, match=says) as caught:
        load_case(folder, case.catalogue)
    assert caught.value.place.file == folder / "events.yaml"
    assert caught.value.place.key == "e102.effects[0]"
    (folder / "events.yaml").write_text(events)
    whatif = [{"id": "storm", "title": "Storm", "question": "What if?", "events": STORM}]
    (folder / "counterfactuals.yaml").write_text(to_yaml(whatif))
    with pytest.raises(CaseError, match=says) as caught:
        load_case(folder, case.catalogue)
    assert caught.value.place.file == folder / "counterfactuals.yaml"
    asked = Counterfactual.model_validate(whatif[0])
    with pytest.raises(CaseError, match=says):
        counterfactual(case, asked)
