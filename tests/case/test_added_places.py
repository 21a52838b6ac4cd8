"""What a case lacks of a country's map is added to it; what it says already stays."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from breakrank.case import check_case, load_case, new_case
from breakrank.case.added_places import READ, Additions, added_places
from breakrank.case.country import country
from breakrank.errors import CaseError
from breakrank.spec import Catalogue


def add(folder: Path, name: str, *, write: bool = True) -> Additions:
    made = added_places({n: (folder / n).read_text("utf-8") for n in READ}, folder, country(name))
    for file, text in made.files.items() if write else ():
        (folder / file).write_text(text, "utf-8")
    return made


def without(folder: Path, file: str, *parts: str) -> None:
    """Take lines that hold one of these parts out of a file."""
    lines = (folder / file).read_text("utf-8").splitlines(keepends=True)
    (folder / file).write_text("".join(x for x in lines if not any(p in x for p in parts)), "utf-8")


def test_a_case_that_has_the_map_gets_nothing(catalogue: Catalogue, tmp_path: Path) -> None:
    folder = new_case(tmp_path / "sudan", catalogue, country("SD"))
    made = add(folder, "SD")
    assert (made.files, made.kept, sum(made.new.values())) == ({}, [], 0)


def test_roads_and_points_that_were_lost_come_back_as_they_were(catalogue: Catalogue, tmp_path: Path) -> None:
    folder = new_case(tmp_path / "syria", catalogue, country("SY"))
    whole = load_case(folder, catalogue)
    without(folder, "routes.yaml", "from: SY-RD")
    without(folder, "places.geojson", '"SY-RD"', '"SY-HI"')
    with pytest.raises(CaseError, match="has no point"):
        load_case(folder, catalogue)
    made = add(folder, "SY")
    assert made.new["point"] == 2
    case = load_case(folder, catalogue)
    assert {(r.start, r.to, r.days) for r in case.roads} == {(r.start, r.to, r.days) for r in whole.roads}
    assert set(case.content.places.features) == set(whole.content.places.features)


def test_a_case_of_its_own_gets_the_map_beside_what_it_has(catalogue: Catalogue, tmp_path: Path) -> None:
    folder = new_case(tmp_path / "mine", catalogue)
    before = load_case(folder, catalogue)
    text = (folder / "routes.yaml").read_text("utf-8")
    made = add(folder, "Lesotho")
    case, found = load_case(folder, catalogue), country("LS")
    assert case.force.states.ids == (*before.force.states.ids, *(s.id for s in found.states))
    assert case.force.regions[-1].states == tuple(s.id for s in found.states)
    assert case.roads[: len(before.roads)] == before.roads
    assert len(case.roads) == len(before.roads) + len(found.roads) + len(found.ferries)
    assert case.crossings[: len(before.crossings)] == before.crossings
    assert {c.country for c in case.crossings[len(before.crossings) :]} == {"South Africa"}
    assert all(line in (folder / "routes.yaml").read_text("utf-8") for line in text.splitlines())
    assert [k.split(":")[0] for k in made.kept] == ["case.yaml", "force.yaml"]
    told = [w.text for w in check_case(folder, catalogue)]
    assert len([t for t in told if t.startswith("no troops are stationed in 10 places: 'LS-")]) == 1


def test_what_the_analyst_wrote_stays_and_is_told(catalogue: Catalogue, tmp_path: Path) -> None:
    folder = new_case(tmp_path / "syria", catalogue, country("SY"))
    routes = folder / "routes.yaml"
    (mine,) = [x for x in routes.read_text("utf-8").splitlines() if "{from: SY-RD, to: SY-SU" in x]
    routes.write_text(
        routes.read_text("utf-8").replace(mine, "  - {from: SY-SU, to: SY-RD, days: 9, checkpoints: 7}")
    )
    force = folder / "force.yaml"
    force.write_text(force.read_text("utf-8").replace("label: Idlib}", "label: Edlib}"), "utf-8")
    places = json.loads((folder / "places.geojson").read_text("utf-8"))
    (moved,) = [p for p in places["features"] if p["properties"]["id"] == "SY-HI"]
    moved["geometry"]["coordinates"] = [30, 30]
    (folder / "places.geojson").write_text(json.dumps(places, indent=2), "utf-8")
    without(folder, "routes.yaml", "from: SY-HI")
    made = add(folder, "SY")
    assert set(made.files) == {"routes.yaml"}
    case = load_case(folder, catalogue)
    assert [(r.days, r.checkpoints) for r in case.roads if {r.start, r.to} == {"SY-RD", "SY-SU"}] == [(9, 7)]
    assert [k[:30] for k in made.kept] == ["force.yaml: SY-ID is 'Edlib', ", "places.geojson: the point of S"]


def test_a_state_is_known_by_its_name_too(catalogue: Catalogue, tmp_path: Path) -> None:
    folder = new_case(tmp_path / "sudan", catalogue, country("SD"))
    for file in folder.iterdir():
        if file.is_file():
            file.write_text(file.read_text("utf-8").replace("SD-X3", "SD-GD"), "utf-8")
    without(folder, "routes.yaml", "from: SD-GD")
    made = add(folder, "Sudan")
    assert made.new == {"state": 0, "point": 0, "road": 4, "crossing": 0}
    assert load_case(folder, catalogue).force.states.ids.count("SD-GD") == 1


@pytest.mark.parametrize("roads", ["roads: []", "roads: [{from: LS-A, to: LS-B, days: 1, checkpoints: 0}]"])
def test_lists_in_brackets(roads: str, catalogue: Catalogue, tmp_path: Path) -> None:
    folder = new_case(tmp_path / "lesotho", catalogue, country("LS"))
    before = load_case(folder, catalogue).roads
    text = (folder / "routes.yaml").read_text("utf-8")
    start, end = text.index("roads:"), text.index("roads_basis:")
    (folder / "routes.yaml").write_text(f"{text[:start]}{roads}\n{text[end:]}", "utf-8")
    if roads.endswith("[]"):
        add(folder, "LS")
        assert load_case(folder, catalogue).roads == before
    else:
        with pytest.raises(CaseError, match="written in brackets") as raised:
            add(folder, "LS", write=False)
        assert "routes.yaml:" in str(raised.value)
