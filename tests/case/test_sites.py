"""Sites and payers: what a case says of them, and what may be left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from breakrank.case import Case, check_case, load_case
from breakrank.spec import Catalogue
from tests.case.conftest import edit


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
