"""Amounts in other money: converted on reading at dated rates, with errors that name the place."""

from pathlib import Path

import numpy as np
import pytest

from breakrank.case import Case, load_case
from breakrank.case.library import open_case
from breakrank.errors import CaseError
from breakrank.spec import Catalogue
from tests.case.conftest import edit

RATES = """
- id: montars
  rates:
    - {date: 2025-01-01, per_unit: 40, assumed: Invented.}
    - {date: 2025-03-01, per_unit: 80, assumed: Invented.}
    - {date: 2025-12-31, per_unit: 100, assumed: Invented.}
"""


@pytest.fixture
def local(folder: Path) -> Path:
    """Return a case whose pay is written in montars, 4,000 for everyone at first and 8,000 from April."""
    (folder / "rates.yaml").write_text(RATES, "utf-8")
    text = (folder / "fields.yaml").read_text("utf-8")
    head, _, rest = text.partition("\npay:")
    rest = rest[rest.index("\n\n") :] if "\n\n" in rest else ""
    pay = "pay:\n  unit: montars a month\n  file: pay.csv\n  dims: [rank]\n  assumed: Invented.\n"
    (folder / "fields.yaml").write_text(f"{head}\n{pay}{rest}", "utf-8")
    (folder / "pay.csv").write_text(
        "date,rank,value\n2025-01-01,*,4000\n2025-04-01,*,8000\n2025-04-01,officer,9000\n", "utf-8"
    )
    return folder


def pay(case: Case, date: str, rank: str) -> float:
    return float(case.daily("pay")[case.calendar.day(date), case.force.ranks.position(rank)])


def test_pay_is_converted_on_its_days_and_on_those_of_the_rates(local: Path, catalogue: Catalogue) -> None:
    case = load_case(local, catalogue)
    for date, rank, value in (
        ("2025-02-28", "enlisted", 100),
        ("2025-03-01", "enlisted", 50),
        ("2025-04-01", "sergeant", 100),
        ("2025-04-01", "officer", 112.5),
    ):
        assert pay(case, date, rank) == pytest.approx(value)
    assert case.content.fields["pay"].unit == "US dollars a month"
    (told,) = open_case(local, catalogue).loaded.converted
    assert told == "pay: montars a month into US dollars a month, 50 to 112.5"


def test_a_straight_line_jumps_with_the_rate(local: Path, catalogue: Catalogue) -> None:
    edit(
        local, "fields.yaml", "  dims: [rank]\n  assumed", "  dims: [rank]\n  interpolate: linear\n  assumed"
    )
    case = load_case(local, catalogue)
    for date, days, rate in (("2025-02-20", 50, 40), ("2025-02-28", 58, 40), ("2025-03-01", 59, 80)):
        assert pay(case, date, "enlisted") == pytest.approx((4000 + 4000 * days / 90) / rate)


def test_a_constant_amount_is_the_same_however_it_runs(local: Path, catalogue: Catalogue) -> None:
    """So pay that holds and a basket that runs straight keep their ratio, whatever the rate does."""
    (local / "pay.csv").write_text("date,rank,value\n2025-01-01,*,4000\n2025-12-31,*,4000\n", "utf-8")
    held = load_case(local, catalogue).daily("pay")
    edit(
        local, "fields.yaml", "  dims: [rank]\n  assumed", "  dims: [rank]\n  interpolate: linear\n  assumed"
    )
    np.testing.assert_allclose(load_case(local, catalogue).daily("pay"), held)


def test_a_written_case_is_the_same(local: Path, catalogue: Catalogue, tmp_path: Path) -> None:
    case = load_case(local, catalogue)
    again = load_case(case.write(tmp_path / "again" / "montara"), catalogue)
    assert again.digest == case.digest
    assert np.array_equal(again.daily("pay"), case.daily("pay"))
    assert again.content.rates == case.content.rates, "the evidence of the rates stays"


def test_costs_and_funds(local: Path, catalogue: Catalogue) -> None:
    edit(
        local,
        "payers.yaml",
        "{date: 2025-02-15, amount: 30000}",
        "{date: 2025-02-15, amount: 80000, currency: montars}",
    )
    case = load_case(local, catalogue)
    assert 2000 in [f.amount for p in case.payers for f in p.funds or ()]
    assert all(f.currency is None for p in case.payers for f in p.funds or ())
    before = next(s for s in case.sites if s.cost_per_person_day.value)
    unit, value = before.cost_per_person_day.unit, before.cost_per_person_day.value
    text = (local / "sites.yaml").read_text("utf-8")
    assert unit in text
    (local / "sites.yaml").write_text(text.replace(unit, unit.replace("US dollars", "montars"), 1), "utf-8")
    changed = load_case(local, catalogue).sites.named(before.id).cost_per_person_day
    assert changed.unit == unit
    assert changed.value in (value / 40, value / 80)


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("rates.yaml", "2025-01-01", "2025-01-15", r"pay.csv:2.*no rate of montars for 2025-01-01"),
        ("rates.yaml", "per_unit: 40", "per_unit: 0", r"rates.yaml:\d+.*out of range, expected above 0"),
        ("rates.yaml", "2025-03-01", "2024-03-01", r"rates.yaml:\d+.*does not come after"),
        ("rates.yaml", "id: montars", "id: montas", r"fields.yaml:\d+.*the unit is 'montars a month'"),
    ],
)
def test_errors(local: Path, catalogue: Catalogue, file: str, old: str, new: str, said: str) -> None:
    edit(local, file, old, new)
    with pytest.raises(CaseError, match=said):
        load_case(local, catalogue)
