"""Maps of a war: shapes of states, how full they are, and a circle for those who left."""

import json
from importlib.resources import files
from itertools import pairwise

import pytest

from breakrank import load_case
from breakrank.case.borders import Shape, middle, shapes
from breakrank.case.country import country


@pytest.fixture(scope="module")
def states() -> tuple[str, ...]:
    return tuple(state.id for state in load_case("syria-2011", "point").force.states)


def test_shapes_hold_their_states_or_there_are_none(states: tuple[str, ...]) -> None:
    found = shapes(states)
    assert list(found) == list(states)
    west, north = middle(found["SY-ID"])
    assert (west, north) == (pytest.approx(36.7, abs=0.3), pytest.approx(35.8, abs=0.3))
    assert shapes(("XX-A",)) == {}
    assert shapes((*states, "XX-A")) == {}
    assert shapes(()) == {}


def test_a_country_of_open_geodata_has_shapes_where_its_states_lie() -> None:
    for code in ("LY", "YE", "MM"):
        made = country(code)
        found = shapes([state.id for state in made.states])
        for state in made.states:
            x, y = middle(found[state.id])
            assert (x, y) == (pytest.approx(state.longitude, abs=0.6), pytest.approx(state.latitude, abs=0.6))
            _turned_as_maps_ask(found[state.id])
    assert shapes(("LY-BU", "LY-NONE")) == shapes(("LY-BU", "YE-LA")) == {}


def test_every_state_that_a_new_case_may_have_has_a_shape() -> None:
    states = json.loads((files("breakrank.case") / "geo.json").read_text("utf-8"))
    for code, one in states.items():
        if code != "names":
            found = shapes([state[0] for state in one["states"]])
            assert len(found) == len(one["states"]), code


def _turned_as_maps_ask(shape: Shape) -> None:
    for outer, *_ in shape["coordinates"]:
        assert outer[0] == outer[-1]
        assert sum(x * v - u * y for (x, y), (u, v) in pairwise(outer)) < 0, "clockwise"
