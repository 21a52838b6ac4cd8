"""Counts of a table: read alike for ledger and forecasts, what becomes of them, and what cannot be."""

from pathlib import Path

import pytest

import breakrank
from breakrank import load_case
from breakrank.case.counts import Count, count_table, existing, read_counts
from breakrank.case.dates import read_when
from breakrank.case.tables import Warning_
from breakrank.case.warnings import check_case
from breakrank.cli import main
from breakrank.errors import CaseError
from breakrank.model import catalogue
from breakrank.questions.forecast import with_observations
from tests.new_cases import without_priors

HEAD = "date,measure,figure,source\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small case without figures of its own: 5,000 soldiers, 250 officers, 80 places."""
    made = without_priors(tmp_path_factory.mktemp("counts") / "small")
    (made / "targets.yaml").write_text("[]\n", "utf-8")
    case = (made / "case.yaml").read_text("utf-8")
    (made / "case.yaml").write_text(
        "\n".join(line for line in case.split("\n") if not line.startswith("headline:")), "utf-8"
    )
    return made


@pytest.fixture(scope="module")
def case(folder: Path) -> breakrank.Case:
    return breakrank.load_case(folder, "point")


def read(case: breakrank.Case, tmp_path: Path, *rows: str) -> tuple[list[Count], list[Warning_]]:
    file = tmp_path / "counts.csv"
    file.write_text(HEAD + "".join(f"{row}\n" for row in rows), "utf-8")
    counts, remarks = read_counts(case, file)
    made, same = with_observations(case, file)
    told = [(t.measure, t.by or {}, t.start, t.date) for t in made.targets[len(case.targets) :]]
    assert told == [(c.measure.id, c.part, c.since, c.day) for c in counts], "both read it alike"
    assert remarks == same
    return counts, remarks


def test_a_table_is_read_alike_for_the_ledger_and_for_a_forecast(
    case: breakrank.Case, tmp_path: Path
) -> None:
    rows = (
        "2025-01-31,registered,less than 5,herald",
        '2025-02-28,registered,"1,200",herald',
        "2025-03,registered,1300-1900,herald",
        "2025-04-30,registered,2e3,herald",
        "2025-Q2,left,nearly 1000,herald",
        "early 2025,arrested,hundreds,herald",
        "2025-05-01/2025-05-31,left:rank=officer,8,herald",
    )
    counts, remarks = read(case, tmp_path, *rows)
    assert not remarks
    assert [c.read for c in counts[:3]] == ["at most 4 (less than 5)", "1,200", "1,300 to 1,900 (1300-1900)"]
    assert [(c.figure.low, c.figure.high) for c in counts] == [
        *((0, 4), (1200, 1200), (1300, 1900), (2000, 2000)),
        *((950, 1000), (200, 999), (8, 8)),
    ]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("2025-03-10,registered,850000,herald", "is more than the 5,000 soldiers who exist"),
        ("2025-03-10,left:rank=officer,251 to 300,herald", "the 250 soldiers (rank officer) who exist"),
        ("2025-03-10,left:rank=oficer,3,herald", "unknown rank 'oficer', did you mean 'officer'"),
        ("2025-04-30,persons_in_sites,99000,herald", "the 80 places that are open on 2025-04-30"),
        ("2025-03-10,registered,1,200", "'200' names no source"),
        ("2024-12-01/2025-01-31,registered,5,herald", "does not lie within the calendar"),
    ],
)
def test_what_cannot_be_is_refused_with_its_line(
    case: breakrank.Case, tmp_path: Path, row: str, said: str
) -> None:
    with pytest.raises(CaseError) as raised:
        read(case, tmp_path, row)
    assert said in str(raised.value)
    assert "counts.csv:2" in str(raised.value)
    assert raised.value.remedy


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (("2025-01,registered,40,a", "2025-02,registered,150,a", "2025-03,registered,120,a"),
         "counts.csv:4 (figure): Registered at the host falls from 150 (line 3, a) by 2025-02-28 to "
         "120 (line 4, a) by 2025-03-31, and a total cannot fall\n"
         "  Where it is what happened within a period, write the period: 2025-03-01/2025-03-31."),
        (("2025-03-10,left,20,a", "2025-03-10,left:rank=officer,30,a"),
         "the part is 30 (line 3, a), and the whole 20 (line 2, a)"),
        (("2025-03-10,left,20,a", "2025-03-10,left:rank=officer,15,a", "2025-03-10,left:rank=enlisted,6,a"),
         "15 (line 3, a) and 6 (line 4, a) add up to 21, and the whole is 20 (line 2, a)"),
        (("2025-03-31,left,20,a", "2025-03-01/2025-03-31,left,30,a"),
         "the part is 30 (line 3, a), and the whole 20 (line 2, a)"),
        (("2025-03-10,serving,3200,a", "2025-03-10,serving:branch=army,3201,a"),
         "the part is 3,201 (line 3, a), and the whole 3,200 (line 2, a)"),
    ],
)  # fmt: skip
def test_figures_that_contradict_each_other_are_told(
    case: breakrank.Case, tmp_path: Path, rows: tuple[str, ...], said: str
) -> None:
    _, remarks = read(case, tmp_path, *rows)
    assert said in "\n".join(map(str, remarks))


def test_figures_that_agree_are_not_told(case: breakrank.Case, tmp_path: Path) -> None:
    rows = (
        "2025-01,registered,40,a",
        "2025-02-01/2025-02-28,registered,150,a",
        "2025-03-01/2025-03-31,registered,120,a",
        "2025-03-31,registered,300 to 400,b",
        "2025-04-15,registered,at least 300,b",
        "2025-03-31,registered:rank=officer,100,b",
        "2025-02-28,serving,4900,b",
        "2025-03-31,serving,4700,b",
        "2025-03-31,serving:rank=officer,240,b",
    )
    assert read(case, tmp_path, *rows)[1] == []


def test_who_exists_is_counted_by_rank_branch_and_state(case: breakrank.Case) -> None:
    content = case.content
    assert existing(content, {}) == 5000
    assert existing(content, {"rank": ("officer",)}) == 250
    for branch in content.force.branches:
        assert existing(content, {"branch": (branch.id,)}) == branch.strength
        assert 0 < existing(content, {"branch": (branch.id,), "rank": ("officer",)}) < 250
    ranks = tuple(rank.id for rank in content.force.ranks)
    assert existing(content, {"rank": ranks}) == 5000


def test_the_check_of_a_case_tells_the_same_of_its_targets(folder: Path) -> None:
    target = "- {{id: {}, label: A, measure: {}, date: {}, unit: soldiers, value: {}, assumed: Invented}}\n"
    file = folder / "targets.yaml"
    before = file.read_text("utf-8")
    rows = (
        ("half", "registered", "2025-02-01", "1.2"),
        ("many", "registered", "2025-03-01", "850000"),
        ("fewer", "registered", "2025-04-01", "610"),
    )
    try:
        file.write_text("".join(target.format(*row) for row in rows), "utf-8")
        said = "\n".join(map(str, check_case(folder, catalogue())))
    finally:
        file.write_text(before, "utf-8")
    assert "targets.yaml:1: 1.2 (the target 'half'): soldiers are counted one by one" in said
    assert "targets.yaml:2: 850,000 (the target 'many') is more than the 5,000 soldiers who exist" in said
    assert "targets.yaml:3: Registered at the host falls from 850,000" in said


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    return without_priors(tmp_path / "small")


def table(ledger: Path, *rows: str) -> Path:
    path = ledger.parent / "counts.csv"
    path.write_text(HEAD + "\n".join(rows) + "\n", "utf-8")
    return path


def test_counts_become_evidence_and_targets(ledger: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = load_case(ledger)
    rows = (
        '2025-03-10,registered,"nearly 1,000",ministry-2025',
        "2025-Q1,left_abroad,hundreds,herald-2025",
        "2025-05,registered,1100 to 1200,herald-2025",
        "2025-05-31,registered,at least 1250,ministry-2025",
        "2025-05-31,registered,about 1150,yearbook-2024",
    )
    assert main(["case", "count", str(ledger), str(table(ledger, *rows))]) == 0
    case = load_case(ledger)
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
    assert main(["case", "check", str(ledger), "--quick"]) == 0
    found, said = capsys.readouterr()  # the template's own figure of April is lower than that of March
    assert "falls from 950 to 1,000 (line 2, ministry-2025) by 2025-03-10 to 5 to 60" in said
    assert "6 warnings above" in said
    assert "'ministry-2025' was published by 2025-01-15" in found, "and counts until March"


def test_a_count_may_be_of_a_part_of_the_force(ledger: Path) -> None:
    case = load_case(ledger)
    rank, other = [one.id for one in case.force.ranks][:2]
    rows = (
        f"2025-03-10,registered:rank={rank},40 to 60,ministry-2025",
        f'2025-03-10,"registered:rank={rank}+{other}",90,ministry-2025',
    )
    assert main(["case", "count", str(ledger), str(table(ledger, *rows))]) == 0
    one, two = load_case(ledger).targets[len(case.targets) :]
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
        ("2025-03-10,registered:rank,20,ministry-2025", "names no part of the force"),
        ("2025-03-10,registered:rank=nobody,20,ministry-2025", "nobody"),
        ("2025-13-10,registered,20,ministry-2025", "is not a date or range of dates"),
        ("2025-03-10,registred,20,ministry-2025", "'registered'"),
        ("2025-03-10,registered,20,ministry", "no source 'ministry'"),
    ],
)
def test_what_cannot_be_used_is_told_and_nothing_written(ledger: Path, row: str, said: str) -> None:
    files = [ledger / "evidence" / "observations.yaml", ledger / "targets.yaml"]
    before = [path.read_bytes() for path in files]
    good = "2025-03-11,registered,20,ministry-2025"
    with pytest.raises(CaseError, match=said) as raised:
        count_table(load_case(ledger), ledger, table(ledger, good, row), load_case)
    assert "counts.csv:3" in str(raised.value)
    assert [path.read_bytes() for path in files] == before


def test_a_count_is_not_added_twice(ledger: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = table(ledger, "2025-03-11,registered,20,ministry-2025")
    assert main(["case", "count", str(ledger), str(path)]) == 0
    assert main(["case", "count", str(ledger), str(path)]) == 2
    assert "the ledger has a figure of registered" in capsys.readouterr().err
    assert main(["case", "count", "venezuela-2019", str(path)]) == 2
    assert "built-in cases stay as they are" in capsys.readouterr().err


def test_periods_are_read_as_their_months() -> None:
    periods = {"2021-Q3": "2021-07/2021-09", "2021Q1": "2021-01/2021-03", "early 2022": "2022-01/2022-04"}
    assert {text: read_when(text) for text in periods} == periods
