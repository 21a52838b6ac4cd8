"""One rule for dates, wherever one is given: what is taken, and which year cannot be meant."""

import datetime as dt
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import xarray as xr

from breakrank.case import Case, check_case, load_case
from breakrank.case.changes import counterfactuals
from breakrank.case.dates import as_date, read_when
from breakrank.case.values import SlipError
from breakrank.errors import CaseError, UsageError
from breakrank.spec import Catalogue
from tests.case.conftest import edit, line_of

DAY = dt.date(2025, 3, 1)


@pytest.mark.parametrize(
    "value",
    [
        DAY,
        "2025-03-01",
        dt.datetime(2025, 3, 1),
        dt.datetime(2025, 3, 1, tzinfo=dt.UTC),
        np.datetime64("2025-03-01"),
        np.datetime64("2025-03-01", "ns"),
        pd.Timestamp("2025-03-01"),
        pd.Timestamp("2025-03-01", tz="America/Caracas"),
        xr.DataArray(np.array(["2025-03-01"], "datetime64[ns]"), dims="day")[0],
    ],
)
def test_dates_of_other_libraries_are_taken(case: Case, value: object) -> None:
    assert as_date(value, "until") == DAY
    assert case.until(value).calendar.end == DAY


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (dt.datetime(2025, 3, 1, 14, 30), "'2025-03-01 14:30:00' is not a date"),
        (np.datetime64("2025-03"), "'2025-03' is not a date"),
        (pd.Period("2025-03-01"), "a Period is not a date"),
        (20250301, "20250301 is not a date"),
        ("0025-03-01", "0025-03-01 lies in the year 25; one from 1700 to 2100 is expected"),
        ("9999-12-31", "9999-12-31 lies in the year 9999"),
    ],
)
def test_what_is_no_date_is_refused(case: Case, value: object, says: str) -> None:
    with pytest.raises(UsageError, match=f"^until: {re.escape(says)}.*\n  Write year-month-day"):
        case.until(value)


@pytest.mark.parametrize("when", ["0025", "2019-01/9999-01", "9999-Q1"])
def test_a_period_of_an_impossible_year_is_refused(when: str) -> None:
    with pytest.raises(SlipError, match="one from 1700 to 2100 is expected"):
        read_when(when)


ACTING = [
    ("events.yaml", "date: 2025-02-10", "date: {}", "date"),
    ("events.yaml", "until: 2025-03-31", "until: {}", "until"),
    ("routes.yaml", "from: 2025-03-01", "from: {}", "from"),
    ("targets.yaml", "date: 2025-06-30", "date: {}", "date"),
    ("pay.csv", "2025-01-01,sergeant", "{},sergeant", "date"),
]
LASTING = [
    ("sites.yaml", "opens: 2025-02-15", "opens: {}", "opens"),
    ("payers.yaml", "date: 2025-02-15", "date: {}", "date"),
    ("rates.yaml", "date: 2025-01-01", "date: {}", "date"),
    ("command.yaml", "sanctioned: 2025-02-01", "sanctioned: {}", "sanctioned"),
]
EVIDENCE = [
    ("evidence/sources.yaml", "date: 2025-01-15", "date: {}", "date"),
    ("evidence/observations.yaml", "date: 2025-04-30", "date: {}", "date"),
]


@pytest.mark.parametrize(("file", "old", "new", "key"), [*ACTING, *LASTING, *EVIDENCE])
def test_an_impossible_year_is_an_error_in_every_file(
    folder: Path, catalogue: Catalogue, file: str, old: str, new: str, key: str
) -> None:
    date = "9999-02-03" if key == "date" else "0025-02-03"
    edit(folder, file, old, new.format(date))
    with pytest.raises(CaseError, match="one from 1700 to 2100 is expected") as caught:
        load_case(folder, catalogue)
    assert caught.value.place.file == folder / file
    assert caught.value.place.line == line_of(folder / file, new.format(date))
    assert caught.value.place.key.endswith(key)


@pytest.mark.parametrize(
    ("rows", "years"), [(ACTING, (21, 100)), (LASTING, (81, 100)), (EVIDENCE, (151, 200))], ids=str
)
def test_a_year_too_far_before_the_calendar_is_an_error(
    folder: Path, catalogue: Catalogue, rows: list[tuple[str, str, str, str]], years: tuple[int, int]
) -> None:
    for file, old, new, _ in rows:
        kept = (folder / file).read_text("utf-8")
        for gap in years:
            edit(folder, file, old, new.format(f"{2025 - gap}-02-03"))
            with pytest.raises(
                CaseError, match=rf"lies {gap} years before the calendar \(2025-01-01 to 2025"
            ):
                load_case(folder, catalogue)
            (folder / file).write_text(kept, "utf-8")


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("pay.csv", "2025-01-01,sergeant", "2005-01-01,sergeant"),
        ("routes.yaml", "from: 2025-03-01", "from: 2005-03-01"),
        ("routes.yaml", "to: 2025-03-31", "to: 2099-12-31"),
        ("sites.yaml", "opens: 2025-02-15", "opens: 1950-01-01"),
        ("command.yaml", "sanctioned: 2025-02-01", "sanctioned: 1988-08-08"),
        ("evidence/sources.yaml", "date: 2025-01-15", "date: 1948"),
    ],
)
def test_what_began_long_ago_is_taken(
    folder: Path, catalogue: Catalogue, file: str, old: str, new: str
) -> None:
    edit(folder, file, old, new)
    told = [w for w in check_case(folder, catalogue) if "was published by 1948" not in w.text]
    assert told == []


def test_an_event_of_years_ago_that_still_acts_is_told(folder: Path, catalogue: Catalogue) -> None:
    edit(folder, "events.yaml", "date: 2025-02-10", "date: 2015-02-10")
    (warning,) = check_case(folder, catalogue)
    assert "acts from the first day, 9 years after its date" in warning.text
    assert warning.line == line_of(folder / "events.yaml", "date: 2015-02-10")


def test_events_that_are_added_are_near_the_calendar(case: Case, tmp_path: Path) -> None:
    event = {"id": "x", "title": "An event", "assumed": "Invented.", "date": "1925-02-03"}
    with pytest.raises(CaseError, match="1925-02-03 lies 100 years before the calendar"):
        case.with_events([event])
    file = tmp_path / "what-if.yaml"
    file.write_text(
        "- {id: a, title: A, question: Q, events: [{id: x, title: T, assumed: I, date: 1925-02-03}]}\n"
    )
    with pytest.raises(CaseError, match="1925-02-03 lies 100 years before the calendar"):
        counterfactuals(case, file)
    assert case.with_events([event | {"date": pd.Timestamp("2025-02-03")}]).events.named("x").date.day == 3
