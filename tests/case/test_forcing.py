"""What events do, where it has a prior, is drawn, set and kept like any other parameter."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from breakrank.case import Case, Draws, load_case
from breakrank.case.ensemble import Free
from breakrank.case.fitting import fitted_to
from breakrank.case.models_parameters import STRENGTH, PriorEntry
from breakrank.errors import CaseError, UsageError
from breakrank.runs.as_of import as_known
from breakrank.show.provenance import told
from breakrank.spec import Catalogue

SIZE, LIFE = "events.oath.credibility.value", "events.oath.credibility.half_life"
FACTOR = "events.later.watching.value"


def _events() -> list[dict[str, Any]]:
    beta = {"distribution": "beta", "a": 2, "b": 5}
    slow = {"distribution": "lognormal", "median": 40, "sigma": 0.5}
    factor = {"distribution": "uniform", "low": 0.5, "high": 2}
    oath = {"field": "credibility", "op": "add", "value": 0.2, "half_life": 30}
    watching = {"id": "watching", "field": "surveillance", "op": "multiply", "value": 1.1, "prior": factor}
    return [
        {
            "id": "oath",
            "date": "2025-02-01",
            "title": "An oath",
            "assumed": "Nobody asked.",
            "effects": [{**oath, "prior": beta, "half_life_prior": slow}],
        },
        {
            "id": "later",
            "date": "2025-05-01",
            "title": "Later",
            "assumed": "Later on.",
            "effects": [watching, {"field": "surveillance", "op": "multiply", "value": 2}],
        },
    ]


@pytest.fixture(scope="module")
def forced(case: Case) -> Case:
    return case.with_events(_events())


def _row(case: Case, **values: float) -> Case:
    return case.with_draws(Draws(tuple(values), np.array([list(values.values())])))


def _added(case: Case, before: NDArray[np.float64]) -> NDArray[np.float64]:
    return case.daily("credibility") - before


def test_parts_with_a_prior_are_parameters_and_nothing_else_is(case: Case, forced: Case) -> None:
    assert set(forced.parameters) - set(case.parameters) == {SIZE, LIFE, FACTOR}
    size = forced.parameters[SIZE]
    assert (size.value, size.unit, size.low, size.high) == (0.2, "fraction", -1, 1)
    assert size.assumed == "Nobody asked."
    assert (forced.parameters[LIFE].unit, forced.parameters[FACTOR].unit) == ("days", "ratio")
    assert case.forcing == {}
    assert case.declared is case.catalogue.parameters
    assert fitted_to(forced) != fitted_to(case)


def test_priors_are_drawn_and_move_no_draw_of_another(case: Case, forced: Case) -> None:
    wide = {"distribution": "uniform", "low": 0, "high": 1}
    entry = case.content.parameters["fear.weight"]
    free = entry.model_copy(update={"prior": PriorEntry.model_validate(wide)})
    one, two = (
        replace(c, content=replace(c.content, parameters={**c.content.parameters, "fear.weight": free}))
        for c in (case, forced)
    )
    plain, more = Free.of(one), Free.of(two)
    assert more.names == (*plain.names, SIZE, LIFE, FACTOR)
    assert STRENGTH not in more.names
    numbers = np.arange(20)
    np.testing.assert_array_equal(more.drawn(3, "x", numbers)[:, : len(plain)], plain.drawn(3, "x", numbers))


def test_what_is_set_is_what_the_field_does(case: Case, forced: Case) -> None:
    changed = forced.set({SIZE: 0.5, LIFE: 10})
    day = changed.calendar.day("2025-02-01")
    without = case.daily("credibility")
    assert _added(changed, without)[[day, day + 10]].tolist() == pytest.approx([0.5, 0.25])
    np.testing.assert_array_equal(changed.daily("unrest"), forced.daily("unrest"))
    assert _added(forced, without)[day] == pytest.approx(0.2)  # the case itself stays as it is
    assert told(changed) == f"{SIZE} = 0.5; {LIFE} = 10"
    assert changed.by_hand == {SIZE, LIFE}
    assert changed.parameters[SIZE].assumed == "Set to 0.5 by hand."
    assert changed.set({SIZE: 0.4}).by_hand == changed.by_hand
    assert changed.events.named("oath").assumed == forced.events.named("oath").assumed


@pytest.mark.parametrize("value", [1.5, float("nan"), True])
def test_a_size_out_of_range_is_refused(forced: Case, value: float) -> None:
    with pytest.raises(UsageError, match="from -1 to 1 fraction"):
        forced.set({SIZE: value})
    with pytest.raises(UsageError, match="did you mean"):
        forced.set({SIZE.replace("oath", "oat"): 0.5})


def test_draws_of_an_event_that_is_not_there_are_left_aside(case: Case, forced: Case) -> None:
    drawn = _row(forced, **{SIZE: 0.6, FACTOR: 1.5, "fear.weight": 2.0})
    for other in (drawn.without_event("oath"), case.with_draws(drawn.draws)):
        assert SIZE not in other.draws.names
        assert other.drawn(0, 0).value("fear.weight") == 2
    only = _row(forced, **{SIZE: 0.6})
    assert only.without_event("oath").draws is None


def test_what_came_later_is_not_known_before(forced: Case) -> None:
    drawn = _row(forced, **{SIZE: 0.6, FACTOR: 1.5})
    then = as_known(drawn, drawn.calendar.date(drawn.calendar.day("2025-03-01"))).case
    assert FACTOR not in then.parameters
    assert FACTOR not in Free.of(then).names
    assert then.draws.names == (SIZE,)


def test_a_moved_event_keeps_its_draws_if_it_keeps_its_prior(case: Case, forced: Case) -> None:
    moved = {**_events()[0], "date": "2025-04-01"}
    run = _row(forced, **{SIZE: 0.6}).with_events([moved]).drawn(0, 0)
    day = run.calendar.day("2025-04-01")
    added = _added(run, case.daily("credibility"))
    assert added[[day - 1, day]].tolist() == pytest.approx([0.0, 0.6])


def test_written_and_read_again(forced: Case, catalogue: Catalogue, tmp_path: Path) -> None:
    drawn = _row(forced.set({LIFE: 12}), **{SIZE: 0.6})
    again = load_case(drawn.write(tmp_path / "used"), catalogue)
    assert again.digest == drawn.digest
    assert again.draws == drawn.draws
    assert again.by_hand == {LIFE}
    assert again.value(LIFE) == 12


def test_a_counterfactual_sets_what_is_there_in_it(
    forced: Case, catalogue: Catalogue, tmp_path: Path
) -> None:
    folder = forced.write(tmp_path / "forced")
    asked = f"- id: loud\n  title: Louder\n  question: How loud?\n  set: {{{SIZE}: 0.9}}\n"
    (folder / "counterfactuals.yaml").write_text(asked)
    loud = load_case(folder, catalogue).counterfactual("loud")
    assert loud.value(SIZE) == 0.9
    (folder / "counterfactuals.yaml").write_text(asked + "  without: [oath]\n")
    with pytest.raises(CaseError, match=r"counterfactuals\.yaml:4.*unknown parameter"):
        load_case(folder, catalogue)
