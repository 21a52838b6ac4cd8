"""Maps of a war: shapes of states, how full they are, and a circle for those who left."""

from __future__ import annotations

import datetime as dt
import json
from importlib.resources import files
from itertools import pairwise

import numpy as np
import pytest

from breakrank import load_case
from breakrank.case.borders import Shape, middle, shapes
from breakrank.case.country import country
from breakrank.questions.run.ground_map import GroundMaps


@pytest.fixture(scope="module")
def one() -> GroundMaps:
    force = load_case("syria-2011", "point").force
    states = tuple(s.id for s in force.states)
    held = np.zeros((2, len(states)))
    left = np.zeros((2, len(states)))
    held[1, states.index("SY-ID")] = 0.6
    left[1, states.index("SY-ID")], left[1, states.index("SY-HL")] = 300, 40
    dates = (dt.date(2011, 12, 31), dt.date(2012, 8, 31))
    names = tuple(s.label for s in force.states)
    return GroundMaps(states, names, shapes(states), dt.date(2011, 3, 15), dates, held, left)


def test_shapes_hold_their_states_or_there_are_none(one: GroundMaps) -> None:
    assert list(one.shapes) == list(one.states)
    west, north = middle(one.shapes["SY-ID"])
    assert (west, north) == (pytest.approx(36.7, abs=0.3), pytest.approx(35.8, abs=0.3))
    assert shapes(("XX-A",)) == {}
    assert shapes((*one.states, "XX-A")) == {}
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
