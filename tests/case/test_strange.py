"""Places that cannot be where a case puts them, and mechanisms that nothing comes of: told by the check."""

import json
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import breakrank
from breakrank import check_case, new_case
from breakrank.case.borders import outlines
from breakrank.case.country import country
from breakrank.case.warnings import within
from breakrank.errors import BreakrankError, CaseError
from tests.new_cases import without_priors

Coordinates = list[float]
EXCHANGED = "with latitude and longitude exchanged"
EAST, NORTH = "with the other sign of the longitude", "with the other sign of the latitude"


@pytest.fixture(scope="module")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return what gives the case of a country, or of a made-up one, of which nothing is strange."""

    @cache
    def case_of(code: str) -> Path:
        folder = new_case(tmp_path_factory.mktemp("country") / "some-case", country=code, full=True)
        assert told(folder) == []
        return folder

    return case_of


@pytest.fixture
def made(pristine: Callable[[str], Path], tmp_path: Path) -> Callable[[str], Path]:
    """Return what gives such a case to be spoilt."""
    return lambda code: Path(shutil.copytree(pristine(code), tmp_path / "some-case"))


def told(folder: Path) -> list[str]:
    return [f"{warning.text} {warning.remedy}" for warning in check_case(folder)]


def change(folder: Path, do: Callable[[Coordinates], Coordinates], *ids: str) -> int:
    """Change the coordinates of some points, or all; return how many."""
    path = folder / "places.geojson"
    places = json.loads(path.read_text("utf-8"))
    mine = [f for f in places["features"] if not ids or f["properties"]["id"] in ids]
    for one in mine:
        one["geometry"]["coordinates"] = do(one["geometry"]["coordinates"])
    path.write_text(json.dumps(places), "utf-8")
    return len(mine)


@pytest.mark.parametrize(
    ("do", "says"),
    [
        (lambda c: [c[1], c[0]], EXCHANGED),
        (lambda c: [-c[0], c[1]], EAST),
        (lambda _: [0, 0], "coordinates are 0, 0"),
    ],
)
def test_a_whole_layer_that_is_wrong_is_told_in_one_warning(
    made: Callable[[str], Path], do: Callable[[Coordinates], Coordinates], says: str
) -> None:
    folder = made("CO")
    number = change(folder, do)
    (warning,) = told(folder)
    assert says in warning
    assert f"{number} places: 'CO-NAR'" in warning
    assert "[longitude, latitude]" in warning


@pytest.mark.parametrize(
    ("code", "name", "do", "says"),
    [
        ("CO", "CO-CUN", lambda c: c[::-1], EXCHANGED),
        ("NG", "NG-TA", lambda c: c[::-1], EXCHANGED),  # still within the country, not within the state
        ("CL", "CL-AN", lambda c: [-c[0], -c[1]], "with the other sign of both"),
        ("US", "US-AK", lambda c: [-c[0], c[1]], EAST),
        ("CO", "CO-CUN", lambda c: [c[0] + 20, c[1]], "outside the state or country: 'CO-CUN'"),
        ("", "hill-trail", lambda _: [0, 0], "unknown ones: 'hill-trail'"),
    ],
)
def test_one_point_that_is_wrong_is_told(
    made: Callable[[str], Path], code: str, name: str, do: Callable[[Coordinates], Coordinates], says: str
) -> None:
    folder = made(code)
    assert change(folder, do, name) == 1
    (warning,) = told(folder)
    assert says in warning
    assert repr(name) in warning


def test_states_without_codes_are_held_against_their_country(made: Callable[[str], Path]) -> None:
    folder = made("")
    path = folder / "case.yaml"
    path.write_text(path.read_text("utf-8").replace("country: Montara", "country: Niger"), "utf-8")
    papers = folder / "evidence" / "sources.yaml"  # else they are no sources on Niger
    papers.write_text(papers.read_text("utf-8").replace(" (made up)", ""), "utf-8")
    assert told(folder) == []  # which is where they happen to lie
    change(folder, lambda c: c[::-1], "XX-B")
    assert any(EXCHANGED in text and "'XX-B'" in text for text in told(folder))


@pytest.mark.parametrize("code", ["EC", "FJ", "ID", "RU", "US"])
def test_countries_at_the_equator_the_meridian_and_the_date_line_are_right(code: str) -> None:
    home, known = outlines(code), country(code)
    for state in known.states:
        if state.id in home:
            assert within((home[state.id],), (state.longitude, state.latitude)), state
    for way in known.ways:
        assert within(home.values(), (way.longitude, way.latitude)), way


CRS84 = {"type": "name", "properties": {"name": "urn:ogc:def:crs:OGC:1.3:CRS84"}}


def rewritten(folder: Path, **members: Any) -> Path:
    """Write members into the layer of places, as geographic programs do."""
    path = folder / "places.geojson"
    places = json.loads(path.read_text("utf-8")) | members
    path.write_text(json.dumps(places), "utf-8")
    return path


@pytest.mark.parametrize("name", ["urn:ogc:def:crs:OGC:1.3:CRS84", "urn:ogc:def:crs:EPSG::4326", "WGS 84"])
def test_degrees_are_taken_by_any_of_their_names(made: Callable[[str], Path], name: str) -> None:
    folder = made("CO")
    rewritten(folder, crs={"type": "name", "properties": {"name": name}})
    assert told(folder) == []


@pytest.mark.parametrize("name", ["urn:ogc:def:crs:EPSG::3857", "EPSG:43260", ""])
def test_metres_are_refused_by_name(made: Callable[[str], Path], name: str) -> None:
    folder = made("CO")
    path = rewritten(folder, crs={"type": "name", "properties": {"name": name}})
    with pytest.raises(CaseError, match=f"the coordinates are in {name!r}, and degrees of WGS 84") as caught:
        check_case(folder)
    assert (caught.value.place.file, caught.value.place.key) == (path, "crs")


def test_what_geographic_programs_add_is_passed_over(made: Callable[[str], Path]) -> None:
    folder = made("CO")
    plain = json.loads((folder / "places.geojson").read_text("utf-8"))["features"]
    for k, one in enumerate(plain):
        one |= {"id": k, "bbox": [0, 0, 1, 1]}
        one["properties"] |= {"ADM1_PCODE": "CO52", "fid": k}
        one["geometry"] |= {"coordinates": [*one["geometry"]["coordinates"], 12.5], "meta": {}}
    rewritten(folder, crs=CRS84, name="layer", xy_coordinate_resolution=1e-9, features=plain)
    assert told(folder) == []


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return breakrank.load_case("syria-2011", "point").write(tmp_path / "syria-2011")


def texts(folder: Path) -> list[str]:
    return [str(w) for w in breakrank.check_case(folder)]


def test_units_cannot_go_over_where_there_is_no_opposition(tmp_path: Path) -> None:
    folder = without_priors(tmp_path / "montara")
    path = folder / "case.yaml"
    text = path.read_text("utf-8").rstrip()
    path.write_text(text + "\nmechanisms: [unit_defection]\n", "utf-8")
    (found,) = [t for t in texts(folder) if "unit_defection" in t]
    assert "unit_defection does nothing without opposition" in found
    path.write_text(text + "\nmechanisms: [unit_defection, opposition]\n", "utf-8")
    assert not [t for t in texts(folder) if "unit_defection" in t]


def test_units_cannot_dissolve_without_a_war(tmp_path: Path) -> None:
    folder = without_priors(tmp_path / "montara")
    path = folder / "case.yaml"
    path.write_text(path.read_text("utf-8").rstrip() + "\nmechanisms: [dissolution]\n", "utf-8")
    (found,) = [t for t in texts(folder) if "dissolution" in t]
    assert "dissolution does nothing without war" in found
    assert "case.yaml:" in found


def test_a_composition_needs_no_rows_for_ranks_that_a_branch_lacks(folder: Path) -> None:
    path, before = folder / "in_group.csv", breakrank.load_case(folder)
    rows = path.read_text("utf-8").splitlines(keepends=True)
    nobody = {
        (b.id, r.id)
        for b in before.force.branches
        for r in before.force.ranks
        if isinstance(r.share, dict) and r.share[b.id] == 0
    }
    assert nobody
    kept = [row for row in rows if tuple(row.split(",")[1:3]) not in nobody]
    assert len(kept) == len(rows) - len(nobody)
    path.write_text("".join(kept), "utf-8")
    after = breakrank.load_case(folder)
    shares = [
        r.share[b.id] if isinstance(r.share, dict) else r.share
        for b in after.force.branches
        for r in after.force.ranks
    ]
    served = (np.array(shares) > 0).reshape(len(after.force.branches), -1)
    one, other = before.daily("in_group"), after.daily("in_group")
    assert (one[:, served] == other[:, served]).all()
    assert (other[:, ~served] == 0).all()
    path.write_text("".join(kept[:-1]), "utf-8")
    with pytest.raises(BreakrankError, match="there is no row for"):
        breakrank.load_case(folder)
