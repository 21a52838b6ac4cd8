"""Loading: names, paths, and what a case holds."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml  # type: ignore[import-untyped,unused-ignore]

import breakrank
from breakrank.case import Case, Listing, case_folder, list_cases, load_case, write
from breakrank.case.write import files_of
from breakrank.errors import UsageError
from breakrank.spec import Catalogue
from tests.case.conftest import edit


def test_built_in_cases_are_listed() -> None:
    assert "venezuela-2019" in list_cases()
    assert case_folder("venezuela-2019").name == "venezuela-2019"


def test_an_unknown_name_names_the_nearest(catalogue: Catalogue) -> None:
    with pytest.raises(UsageError, match="did you mean 'venezuela-2019'"):
        load_case("venezuela-2018", catalogue)
    with pytest.raises(UsageError, match="Built-in cases: "):
        load_case("", catalogue)


def test_what_a_case_holds(case: Case) -> None:
    assert (case.id, case.title, case.country, case.capital) == ("montara", "Montara", "Montara", "XX-A")
    assert case.currency == "US dollars"
    assert case.summary.startswith("A made-up country")
    assert case.calendar.days == 181
    assert case.force.branches.ids == ("army", "guard")
    assert case.force.ranks.ids == ("enlisted", "sergeant", "officer")
    assert case.force.regions.named("border").states == ("XX-B",)
    assert (case.force.formation_size, case.force.unit_size) == (1000, 100)
    assert case.crossings.ids == ("old-bridge", "hill-trail")
    assert case.crossings[0].stay.days == 0
    assert {r.start for r in case.roads} == {"XX-A"}
    assert case.places.named("old-bridge").longitude == 11.4
    assert case.places.named("old-bridge").latitude == 20.6
    assert case.sites.named("station-hotel").rules.hours_out == 8
    assert case.targets.named("registered-spring").range == (5, 60)
    assert case.targets.named("officers-stay").by == {"rank": ("officer",)}
    assert case.ledger.observations["strength-yearbook"].range == (5800, 6400)
    assert case.ledger.independent(["strength-ministry", "strength-yearbook"]) == 2


def test_shares_are_arrays_that_add_up(case: Case) -> None:
    force = case.force
    assert force.stations.shape == (3, 2)
    assert force.stations.dtype == np.float64
    np.testing.assert_allclose(force.stations.sum(axis=0), 1, atol=1e-15)
    np.testing.assert_allclose(force.rank_shares.sum(axis=0), 1, atol=1e-15)
    np.testing.assert_allclose(force.stations[:, 1], [0.3, 0.5, 0.2])
    assert force.region_of.tolist() == [0, 1, 0]
    with pytest.raises(ValueError, match="read-only"):
        force.stations[0, 0] = 1


def test_shares_may_differ_by_branch(folder: Path, catalogue: Catalogue) -> None:
    edit(folder, "force.yaml", "share: 0.7", "share: {army: 0.7, guard: 0.6}")
    edit(folder, "force.yaml", "share: 0.25", "share: {army: 0.25, guard: 0.35}")
    case = load_case(folder, catalogue)
    np.testing.assert_allclose(case.force.rank_shares, [[0.7, 0.6], [0.25, 0.35], [0.05, 0.05]])


def test_one_soldier_is_a_force(folder: Path, catalogue: Catalogue) -> None:
    edit(folder, "force.yaml", "value: 5000", "value: 1")
    edit(folder, "force.yaml", "range: [4000, 7000]", "range: [1, 1]")
    edit(folder, "force.yaml", "strength: 3500", "strength: 1")
    edit(folder, "force.yaml", "strength: 1500", "strength: 0")
    case = load_case(folder, catalogue)
    assert case.force.strength == case.value("force.strength") == 1


def test_a_byte_order_mark_and_windows_lines_do_no_harm(
    folder: Path, case: Case, catalogue: Catalogue
) -> None:
    for path in folder.rglob("*.*"):
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert load_case(folder, catalogue) == case


def test_originals_of_copies(folder: Path, catalogue: Catalogue) -> None:
    edit(
        folder,
        "evidence/sources.yaml",
        "  reliability: low ",
        "  copy_of: yearbook-2024\n  reliability: low ",
    )
    ledger = load_case(folder, catalogue).ledger
    assert ledger.original("ministry-2025").id == "yearbook-2024"
    assert ledger.independent(["strength-ministry", "strength-yearbook"]) == 1
    assert repr(ledger) == "Ledger of 4 observations from 3 sources (2 independent)"
    with pytest.raises(UsageError, match="did you mean 'herald-2025'"):
        ledger.original("herald")


def test_heights_on_the_map_are_dropped(folder: Path, case: Case, catalogue: Catalogue) -> None:
    edit(folder, "places.geojson", "[11.5, 20.6]", "[11.5, 20.6, 320]")
    assert load_case(folder, catalogue) == case
    assert case.places.named("station-hotel").kind == "site"
    assert case.places.named("station-hotel").label == "Station hotel"


def test_json_is_yaml_enough(folder: Path, case: Case, catalogue: Catalogue) -> None:
    import json

    for name, part in case.content.plain().items():
        (folder / name).write_text(json.dumps(part, indent=1))
    assert load_case(folder, catalogue) == case


def test_parameters(case: Case) -> None:
    weight = case.parameters["fear.weight"]
    assert (weight.value, weight.unit, weight.low, weight.high) == (1.5, "utility", 0, 20)
    assert weight.prior is None
    assert weight.assumed.startswith("Typical value")
    strength = case.parameters["force.strength"]
    assert strength.value == 5000
    assert strength.evidence == ("strength-ministry", "strength-yearbook")
    with pytest.raises(UsageError, match=r"did you mean 'fear\.weight'"):
        case.value("fear.wait")


def test_a_switch_left_out_is_on(folder: Path, catalogue: Catalogue) -> None:
    text = (folder / "parameters.yaml").read_text()
    (folder / "parameters.yaml").write_text(text[: text.index("# Switches")])
    case = load_case(folder, catalogue)
    assert case.value("fear.on") == 1.0
    assert case.set({"fear.on": 0}).value("fear.on") == 0.0


def test_a_prior_without_a_value_gives_its_median(folder: Path, catalogue: Catalogue) -> None:
    edit(folder, "parameters.yaml", "value: 60", "prior: {distribution: uniform, low: 20, high: 40}")
    parameter = load_case(folder, catalogue).parameters["fear.memory"]
    assert parameter.value == pytest.approx(30)
    assert parameter.prior is not None
    assert parameter.prior.quantile(0.25) == pytest.approx(25)


def test_printing(case: Case) -> None:
    assert (
        repr(case)
        == """\
Case montara: Montara
├─ calendar    2025-01-01 to 2025-06-30 (181 days)
├─ force       5,000: Army 3,500, National Guard 1,500
│              3 ranks, 3 states in 2 regions, 3 positions of command
├─ ways out    2 crossings (1 closed at times), 2 roads
├─ fields      6 given, 6 events
├─ parameters  6, 1 with evidence, the others assumed
├─ reception   2 sites for 80 persons, 2 payers
├─ record      3 targets, 1 counterfactual
└─ evidence    4 observations from 3 sources"""
    )
    assert repr(case.force) == "Force of 5,000: 2 branches, 3 ranks, 3 states in 2 regions"
    assert repr(case.ledger) == "Ledger of 4 observations from 3 sources (3 independent)"


def test_a_case_is_frozen_and_travels(case: Case) -> None:
    with pytest.raises(AttributeError):
        case.title = "other"  # type: ignore[misc]
    copy = pickle.loads(pickle.dumps(case))
    assert copy == case
    assert hash(copy) == hash(case)
    assert copy.catalogue == case.catalogue
    assert isinstance(copy.events, Listing)


def test_a_listing_names_the_nearest(case: Case) -> None:
    with pytest.raises(UsageError, match="did you mean 'guard'"):
        case.force.branches.named("gard")


def test_route_daily_follows_the_schedule(case: Case) -> None:
    is_open, capture = case.route_daily("open"), case.route_daily("capture")
    first, last = case.calendar.day("2025-03-01"), case.calendar.day("2025-03-31")
    assert is_open.shape == (181, 2)
    assert is_open[:, 0].sum() == 181 - 31
    assert not is_open[first : last + 1, 0].any()
    assert is_open[first - 1, 0] == is_open[last + 1, 0] == 1
    assert set(capture[:, 0]) == {0.05, 0.2}
    assert set(case.route_daily("violence")[:, 0]) == {0.01}
    assert is_open[:, 1].all()
    with pytest.raises(UsageError, match="none of open"):
        case.route_daily("closed")  # type: ignore[arg-type]


def test_calendar(case: Case) -> None:
    assert case.calendar.day("2025-01-31") == 30
    assert case.calendar.date(30).isoformat() == "2025-01-31"
    for wrong in ("2024-12-31", "2025-07-01", "tomorrow", "2025-02-30"):
        with pytest.raises(UsageError):
            case.calendar.day(wrong)
    for day in (-1, 181):
        with pytest.raises(UsageError):
            case.calendar.date(day)


@pytest.mark.parametrize("name", sorted(list_cases()))
def test_a_case_is_written_alike_without_libyaml(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    content = breakrank.load_case(name).content
    quick = files_of(content)
    own = vars(write._Dumper)
    plain: Any = type("Plain", (yaml.SafeDumper,), {k: own[k] for k in own if not k.startswith("__")})
    monkeypatch.setattr(write, "_Dumper", plain)
    write._entry.cache_clear()
    assert files_of(content) == quick
