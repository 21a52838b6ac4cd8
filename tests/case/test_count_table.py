"""A table of dated counts becomes observations and targets, or nothing is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from breakrank import load_case
from breakrank.case.counts import count_table
from breakrank.case.dates import read_when
from breakrank.cli import main
from breakrank.errors import CaseError
from tests.new_cases import without_priors

HEAD = "date,measure,figure,source\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return without_priors(tmp_path / "small")


def table(folder: Path, *rows: str) -> Path:
    path = folder.parent / "counts.csv"
    path.write_text(HEAD + "\n".join(rows) + "\n", "utf-8")
    return path


def test_counts_become_evidence_and_targets(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = load_case(folder)
    rows = (
        '2025-03-10,registered,"nearly 1,000",ministry-2025',
        "2025-Q1,left_abroad,hundreds,herald-2025",
        "2025-05,registered,1100 to 1200,herald-2025",
        "2025-05-31,registered,at least 1250,ministry-2025",
        "2025-05-31,registered,about 1150,yearbook-2024",
    )
    assert main(["case", "count", str(folder), str(table(folder, *rows))]) == 0
    case = load_case(folder)
    new = {o for o in case.ledger.observations if o not in before.ledger.observations}
    assert len(new) == 5
    targets = {t.id: t for t in case.targets[len(before.targets) :]}
    nearly, quarter, may = targets.values()
    assert (nearly.range, nearly.evidence) == ((950, 1000), ("registered-2025-03-10-ministry-2025",))
    assert (str(quarter.start), str(quarter.date), quarter.range) == ("2025-01-01", "2025-03-31", (200, 999))
    assert may.range == (1100, 1200)
    assert may.evidence == ("registered-2025-05-herald-2025", "registered-2025-05-31-yearbook-2024")
    assert may.conflicting == ("registered-2025-05-31-ministry-2025",)
    assert case.ledger.observations["registered-2025-05-31-ministry-2025"].bound == "at_least"
    assert main(["case", "check", str(folder), "--quick"]) == 0
    found, said = capsys.readouterr()  # the template's own figure of April is lower than that of March
    assert "falls from 950 to 1,000 (line 2, ministry-2025) by 2025-03-10 to 5 to 60" in said
    assert "6 warnings above" in said
    assert "'ministry-2025' was published by 2025-01-15" in found, "and counts until March"


def test_a_count_may_be_of_a_part_of_the_force(folder: Path) -> None:
    case = load_case(folder)
    rank, other = [one.id for one in case.force.ranks][:2]
    rows = (
        f"2025-03-10,registered:rank={rank},40 to 60,ministry-2025",
        f'2025-03-10,"registered:rank={rank}+{other}",90,ministry-2025',
    )
    assert main(["case", "count", str(folder), str(table(folder, *rows))]) == 0
    one, two = load_case(folder).targets[len(case.targets) :]
    assert (one.id, one.measure, one.by) == (
        f"registered-rank-{rank}-2025-03-10",
        "registered",
        {"rank": (rank,)},
    )
    assert two.by == {"rank": (rank, other)}
    assert f"(rank {rank})" in one.label


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("2025-03-10,registered,many,ministry-2025", "'many' is no figure"),
        ("2025-03-10,registered,20 or so with 30 more,ministry-2025", "is no figure"),
        ("2025-03-10,registered:rank,20,ministry-2025", "names no part of the force"),
        ("2025-03-10,registered:rank=nobody,20,ministry-2025", "nobody"),
        ("2025-13-10,registered,20,ministry-2025", "is not a date or range of dates"),
        ("2030-01-01,registered,20,ministry-2025", "does not lie within the calendar"),
        ("2025-03-10,registred,20,ministry-2025", "'registered'"),
        ("2025-03-10,registered,20,ministry", "no source 'ministry'"),
    ],
)
def test_what_cannot_be_used_is_told_and_nothing_written(folder: Path, row: str, said: str) -> None:
    files = [folder / "evidence" / "observations.yaml", folder / "targets.yaml"]
    before = [path.read_bytes() for path in files]
    good = "2025-03-11,registered,20,ministry-2025"
    with pytest.raises(CaseError, match=said) as raised:
        count_table(load_case(folder), folder, table(folder, good, row), load_case)
    assert "counts.csv:3" in str(raised.value)
    assert [path.read_bytes() for path in files] == before


def test_a_count_is_not_added_twice(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = table(folder, "2025-03-11,registered,20,ministry-2025")
    assert main(["case", "count", str(folder), str(path)]) == 0
    assert main(["case", "count", str(folder), str(path)]) == 2
    assert "already says" in capsys.readouterr().err
    assert main(["case", "count", "venezuela-2019", str(path)]) == 2
    assert "built-in cases stay as they are" in capsys.readouterr().err


def test_periods_are_read_as_their_months() -> None:
    periods = {"2021-Q3": "2021-07/2021-09", "2021Q1": "2021-01/2021-03", "early 2022": "2022-01/2022-04"}
    assert {text: read_when(text) for text in periods} == periods
