"""Building blocks from open geodata: every shipped country gives a case that loads, and nothing is lost."""

import json
from pathlib import Path

import pytest

from breakrank.case import check_case, load_case, new_case
from breakrank.case.borders import shapes
from breakrank.case.country import CODES as BY_HAND
from breakrank.case.country import _data, country, kilometres
from breakrank.errors import UsageError
from breakrank.spec import Catalogue

CODES = [code for code in _data() if code != "names"]


@pytest.mark.parametrize("code", ["SY", "VE", "IS", "GB"])
def test_a_case_of_a_country_loads_without_a_warning(code: str, catalogue: Catalogue, tmp_path: Path) -> None:
    folder = new_case(tmp_path / f"case-{code.lower()}", catalogue, country(code))
    assert [str(w) for w in check_case(folder, catalogue)] == []
    case = load_case(folder, catalogue)
    found = country(code)
    assert case.country == found.name
    assert case.force.states.ids == tuple(s.id for s in found.states)
    assert case.capital == found.states[found.capital].id
    assert {c.country for c in case.crossings if c.host} == {found.host}
    assert all(road.days > 0 for road in case.roads)


@pytest.mark.parametrize("code", CODES)
def test_roads_and_ferries_join_all_states(code: str) -> None:
    found = country(code)
    assert len({s.id for s in found.states}) == len(found.states) > 1
    reached, edge = {0}, [0]
    links = [*found.roads, *found.ferries]
    while edge:
        here = edge.pop()
        for a, b, _ in links:
            for one, other in ((a, b), (b, a)):
                if one == here and other not in reached:
                    reached.add(other)
                    edge.append(other)
    assert len(reached) == len(found.states)
    assert all(abs(s.latitude) < 90 and abs(s.longitude) < 180 for s in (*found.states, *found.ways))
    assert all(kilometres(found.states[w.state], w) < 2500 for w in found.ways)


def test_well_known_neighbours() -> None:
    names = {s.id: k for k, s in enumerate(country("VE").states)}
    roads = {frozenset((a, b)) for a, b, _ in country("VE").roads}
    assert frozenset((names["VE-S"], names["VE-V"])) in roads, "Tachira and Zulia"
    assert frozenset((names["VE-S"], names["VE-A"])) not in roads
    assert {w.country for w in country("Syria").ways} == {"Turkey", "Iraq", "Jordan", "Lebanon", "Israel"}
    assert country("sy") is not country("VE")


def test_what_is_not_there_is_said() -> None:
    with pytest.raises(UsageError, match="did you mean 'Syria'"):
        country("Siria")
    with pytest.raises(UsageError, match="no country 'ZZ'"):
        country("ZZ")
    with pytest.raises(UsageError, match="no states of"):
        country("VA")


@pytest.mark.parametrize(("code", "states"), [("BY", 7), ("SD", 17), ("PL", 16)])
def test_states_have_codes_of_iso_and_older_cases_keep_their_map(code: str, states: int) -> None:
    ids = [state.id for state in country(code).states]
    assert len(ids) == states
    assert not [one for one in ids if "-X" in one]
    assert shapes(ids).keys() == {*ids}
    older = {new: old for old, new in json.loads(BY_HAND.read_text("utf-8")).items()}
    before = [older.get(one, one) for one in ids]
    assert shapes(before).keys() == {*before}
    assert shapes(before)[before[0]] == shapes(ids)[ids[0]]
