"""Sites and payers: what a case says of them, and what may be left out."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from breakrank.case import Case, Payer, check_case, load_case
from breakrank.model import catalogue as model_catalogue
from breakrank.spec import Catalogue
from tests.case.conftest import edit


def test_what_a_site_says(case: Case) -> None:
    hotel, house = case.sites
    assert (hotel.admits, hotel.stay_limit, hotel.crossing, hotel.closes) == ("registered", None, None, None)
    assert (house.admits, house.stay_limit) == ("anyone", 30)
    assert hotel.payers == {"host-government": 1}
    assert "2 sites for 80 persons, 2 payers" in repr(case)


def test_what_may_be_left_out(folder: Path, case: Case, catalogue: Catalogue) -> None:
    edit(folder, "sites.yaml", "  admits: registered        # anyone (who crossed), ", "  # ")
    assert load_case(folder, catalogue) == case
    edit(folder, "sites.yaml", "admits: anyone", "admits: permit")
    other = load_case(folder, catalogue)
    assert other.sites[1].admits == "permit"
    assert other != case


def test_money_adds_up_from_its_day_on(case: Case) -> None:
    host, parish = case.payers
    assert isinstance(host, Payer)
    days = [dt.date(2025, 2, 14), dt.date(2025, 2, 15), dt.date(2025, 3, 31), dt.date(2025, 4, 1)]
    assert [host.available(d) for d in days] == [0, 30000, 30000, 50000]
    assert parish.funds is None
    assert parish.available(days[0]) == float("inf")


def test_two_sums_on_one_day(folder: Path, catalogue: Catalogue) -> None:
    edit(folder, "payers.yaml", "date: 2025-04-01", "date: 2025-02-15")
    assert load_case(folder, catalogue).payers[0].available(dt.date(2025, 2, 15)) == 50000


def test_a_case_of_free_shelter_needs_no_payers(folder: Path, case: Case, catalogue: Catalogue) -> None:
    for cost, payer in (("12", "host-government"), ("5", "parish")):
        edit(folder, "sites.yaml", f"{{value: {cost},", "{value: 0,")
        edit(folder, "sites.yaml", f"  payers: {{{payer}: 1}}", "  # nobody")
    (folder / "payers.yaml").unlink()
    free = load_case(folder, catalogue)
    assert free.payers == ()
    assert "2 sites for 80 persons\n" in repr(free)
    assert free != case
    assert check_case(folder, catalogue) == []
    (folder / "payers.yaml").write_text("[]\n")
    assert load_case(folder, catalogue) == free


def test_a_case_without_reception(folder: Path, catalogue: Catalogue, tmp_path: Path) -> None:
    for file in ("sites.yaml", "targets.yaml"):
        (folder / file).write_text("[]\n")
    (folder / "payers.yaml").unlink()
    bare = load_case(folder, catalogue)
    assert (bare.sites, bare.payers) == ((), ())
    assert "reception   no site\n" in repr(bare)
    assert load_case(bare.write(tmp_path / "bare"), catalogue) == bare


def test_the_digest_sees_who_pays_how_much(folder: Path, case: Case, catalogue: Catalogue) -> None:
    edit(folder, "payers.yaml", "amount: 20000", "amount: 20001")
    assert load_case(folder, catalogue) != case
    edit(folder, "payers.yaml", "amount: 20001", "amount: 2.0e+4")
    assert load_case(folder, catalogue) == case
    edit(folder, "sites.yaml", "payers: {parish: 1}", "payers: {parish: 0.5, host-government: 0.5}")
    assert load_case(folder, catalogue) != case


def test_payers_are_written_and_read_again(folder: Path, catalogue: Catalogue, tmp_path: Path) -> None:
    edit(
        folder, "sites.yaml", "payers: {parish: 1}", "payers: {parish: 0.3333333, host-government: 0.6666667}"
    )
    edit(folder, "payers.yaml", "amount: 20000", "amount: 0.1")
    case = load_case(folder, catalogue)
    again = load_case(case.write(tmp_path / "again"), catalogue)
    assert again.payers == case.payers
    assert again.sites == case.sites
    assert again.digest == case.digest


@pytest.mark.parametrize("crossing", ["", "  crossing: hill-trail\n"])
def test_an_embassy_and_its_crossing(folder: Path, catalogue: Catalogue, crossing: str) -> None:
    edit(folder, "routes.yaml", "kind: trail", "kind: embassy")
    edit(folder, "sites.yaml", "  kind: church\n", "  kind: embassy\n" + crossing)
    assert load_case(folder, catalogue).sites[1].crossing == (crossing.strip()[10:] or None)
    strange = [w.text for w in check_case(folder, catalogue)]
    assert any("belongs to no crossing" in text for text in strange) == (not crossing)


def test_the_built_in_case_pays_for_every_site() -> None:
    case = load_case("venezuela-2019", model_catalogue())
    assert case.sites.named("embassy-caracas").crossing == "embassy-caracas"
    assert case.sites.named("church-house").admits == "anyone"
    rooms = case.sites.named("rented-rooms")
    assert (rooms.kind, rooms.admits, rooms.stay_limit, rooms.rules.work) == ("private", "permit", 180, True)
    for payer in case.payers:
        assert any(payer.id in site.payers for site in case.sites)
    start, end = case.calendar.start, case.calendar.end
    for name in ("colombia", "unhcr"):
        payer = case.payers.named(name)
        assert 0 == payer.available(start) < payer.available(end) < float("inf")
