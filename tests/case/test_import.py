"""Published data sets as they come, made up in their published layouts, become evidence of a case."""

import datetime as dt
from pathlib import Path

import pytest

import breakrank
from breakrank import Case, load_case
from breakrank.case.datasets.rows import layouts
from breakrank.cli import main
from tests.new_cases import without_priors

SAMPLES = Path(__file__).parent / "samples"
MUTINIES = "year=year,month=month,day=day,figure=troops_low,high=troops_high,place=location"
GOODS = ("--goods", "Rice (coarse, low quality)=30 KG", "--goods", "Maize=46 KG")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = without_priors(tmp_path / "testland")
    path = folder / "case.yaml"
    text = path.read_text("utf-8").replace("country: Montara", "country: Testland")
    path.write_text(text.replace("end: 2025-06-30", "end: 2025-12-31"), "utf-8")
    ledger = folder / "evidence" / "sources.yaml"  # else the template's papers are no source on Testland
    ledger.write_text(ledger.read_text("utf-8").replace(" (made up)", ""), "utf-8")
    return folder


def put(folder: Path, dataset: str, file: str | Path, *options: str) -> int:
    path = SAMPLES / file if isinstance(file, str) else file
    return main(["case", "import", dataset, str(path), "--into", str(folder), *options])


def added(folder: Path, before: Case) -> tuple[list[str], list[str], list[str]]:
    """Return the ids of the observations, events and targets that a case has more than before."""
    now = load_case(folder)
    return (
        [o for o in now.ledger.observations if o not in before.ledger.observations],
        [e.id for e in now.events if e.id not in {x.id for x in before.events}],
        [t.id for t in now.targets if t.id not in {x.id for x in before.targets}],
    )


def test_every_layout_is_imported_by_a_test() -> None:
    assert {name for name, *_ in ROWS} | {"wfp", "world-bank"} == {*layouts(), "own"}


ROWS = [
    ("acled", "acled.csv", (), 2, 2, 0),
    ("acled", "acled-answer.json", (), 1, 1, 0),
    ("acled", "acled.csv", ("--where", "sub_event_type=clash"), 1, 1, 0),
    ("acled", "acled.csv", ("--where", "admin1=North"), 2, 2, 0),
    ("ucdp", "ucdp.csv", (), 2, 2, 0),
    ("ucdp", "ucdp-candidate.csv", (), 2, 2, 0),
    ("unhcr", "unhcr.csv", (), 4, 0, 1),
    ("unhcr", "unhcr.csv", ("--host", "FAR"), 1, 0, 1),
    ("unhcr", "unhcr-answer.json", (), 2, 0, 0),
    ("unhcr-asylum", "unhcr-asylum.csv", (), 1, 0, 1),
    ("cow", "cow.csv", ("--country", "TST"), 1, 0, 0),
    ("coups", "coups.tsv", (), 3, 2, 1),
    ("coups-by-year", "coups-by-year.tsv", ("--source", "coups"), 3, 2, 1),
    ("own", "mutinies.csv", ("--columns", MUTINIES), 2, 0, 0),
    ("own", "mutinies.csv", ("--columns", MUTINIES, "--measure", "left"), 2, 0, 2),
    ("own", "mutinies.csv", ("--columns", "year=year,month=month,place=location"), 2, 2, 0),
]


@pytest.mark.parametrize(("dataset", "file", "options", "observations", "events", "targets"), ROWS)
def test_rows_become_evidence_and_never_an_effect(
    folder: Path,
    dataset: str,
    file: str,
    options: tuple[str, ...],
    observations: int,
    events: int,
    targets: int,
) -> None:
    before = load_case(folder)
    assert put(folder, dataset, file, *options) == 0
    now = load_case(folder)
    assert tuple(map(len, added(folder, before))) == (observations, events, targets)
    assert all(not event.effects for event in now.events if event.id not in {e.id for e in before.events})
    for field in now.catalogue.fields:
        assert (now.daily(field) == before.daily(field)).all(), "markers act on nothing"
    told = [str(warning) for warning in breakrank.check_case(folder)]
    assert not [one for one in told if "nothing rests on" in one]
    (source,) = (s for s in now.ledger.sources.values() if s.id not in before.ledger.sources)
    assert source.date == str(dt.date.today())
    assert file in (source.notes or "")


def test_dates_of_coarse_precision_become_spans(folder: Path) -> None:
    put(folder, "acled", "acled.csv")
    put(folder, "acled", "acled.csv", "--where", "sub_event_type=clash")
    put(folder, "ucdp", "ucdp.csv", "--accessed", "2026-02-03")
    case = load_case(folder)
    known = case.ledger.observations
    assert known["acled-TST102"].date == "2025-03"
    assert known["acled-TST103"].date == "2025-05-11/2025-05-17"
    assert known["acled-TST102"].confidence == "low"
    assert str(case.events.named("acled-TST102").date) == "2025-03-17"
    assert known["ucdp-900002"].date == "2025-04-01/2025-04-30"
    assert (known["ucdp-900002"].range, known["ucdp-900002"].unit) == ((20, 40), "deaths")
    assert case.ledger.sources["ucdp"].date == "2026-02-03"


def test_people_are_an_upper_bound_and_it_is_said_who_is_counted(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put(folder, "unhcr", "unhcr.csv")
    put(folder, "unhcr-asylum", "unhcr-asylum.csv")
    assert "nearly all of them civilians" in " ".join(capsys.readouterr().err.split())
    case = load_case(folder)
    assert case.ledger.observations["unhcr-2024-asylum_seekers-Norlund"].range == (1, 5)
    assert case.ledger.observations["unhcr-asylum-2025-applied-Norlund"].range == (321, 325)
    assert case.targets.named("unhcr-2025").at_most == 2710
    asked = case.targets.named("unhcr-asylum-2025")
    assert (asked.measure, asked.at_most, str(asked.start)) == ("asylum_filed", 325, "2025-01-01")


def test_strengths_of_two_sources_are_one_range(folder: Path) -> None:
    put(folder, "cow", "cow.csv", "--country", "TST")
    put(folder, "world-bank", "world-bank-answer.json")
    strength = load_case(folder).content.force.strength
    assert (strength.value, strength.range) == (5000, (4000, 7500))
    assert (strength.evidence or ())[-2:] == ("cow-2024-strength", "world-bank-2024-strength")


def test_market_prices_become_the_basket_at_the_rates_beside_them(folder: Path) -> None:
    assert put(folder, "wfp", "wfp.csv", *GOODS) == 0
    case = load_case(folder)
    basket = case.daily("basket")
    # March: 30 kg at the median of 43 and 45, and 46 kg for 903; 80 of the money for a dollar.
    assert basket[case.calendar.day("2025-03-15")] == pytest.approx((30 * 44 + 903) / 80, rel=1e-4)


@pytest.mark.parametrize("left_out", ["nothing", '"FP.CPI.TOTL"'])
def test_an_index_of_prices_or_its_changes_move_the_basket(folder: Path, left_out: str) -> None:
    lines = (SAMPLES / "world-bank.csv").read_text("utf-8").splitlines()
    path = folder.parent / "indicators.csv"
    path.write_text("\n".join(line for line in lines if left_out not in line), "utf-8")
    assert put(folder, "world-bank", path, "--level", "8000", "--money", "pounds") == 0
    case = load_case(folder)
    basket = case.daily("basket")
    rise = 8000 + 4000 * (dt.date(2025, 1, 1) - dt.date(2024, 7, 1)).days / 365
    assert basket[0] == pytest.approx(rise / 90, rel=1e-4)
    assert basket[case.calendar.day("2025-07-01")] == pytest.approx(12000 / 90, rel=1e-4)


def test_coups_count_from_below_and_their_base_rate_is_kept(folder: Path) -> None:
    put(folder, "coups-by-year", "coups-by-year.tsv")
    case = load_case(folder)
    assert case.ledger.observations["coups-by-year-Testland-base-rate"].value == 1.0
    target = case.targets.named("coups-by-year-by-2025-03-09")
    assert (target.measure, target.at_least) == ("coup_attempts", 2)
    assert case.events.named("coups-by-year-Testland-2025-03-09").title == "Successful coup"


def test_a_sheet_of_excel_is_read_alike(folder: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for line in (SAMPLES / "cow.csv").read_text("utf-8").splitlines():
        book.active.append([float(c) if c.replace("-", "").isdigit() else c for c in line.split(",")])
    book.save(folder.parent / "cow.xlsx")
    assert put(folder, "cow", folder.parent / "cow.xlsx", "--country", "TST") == 0
    assert load_case(folder).ledger.observations["cow-2024-strength"].range == (6500, 7500)


WRONG = [
    ("acld", "acled.csv", (), "did you mean 'acled'"),
    ("acled", "nothing.csv", (), "cannot be read"),
    ("acled", "ucdp.csv", (), "Its columns are those of ucdp"),
    ("acled", "acled.csv", ("--country", "Tesland"), "did you mean 'Testland'"),
    ("acled", "acled.csv", ("--where", "actor1"), "a column and a word are expected"),
    ("acled", "acled.csv", ("--where", "actor=x"), "has no column 'actor', did you mean 'actor2'"),
    ("acled", "acled.csv", ("--where", "actor1=x-x"), "no row has 'x-x'"),
    ("acled", "acled.csv", ("--where", "event_id_cnty=TST104"), "no row lies within the calendar"),
    ("acled", "acled.csv", ("--columns", "date=event_date"), "--columns goes with own"),
    ("own", "mutinies.csv", (), "--columns that say which one holds the date"),
    ("own", "mutinies.csv", ("--columns", "dat=year"), "did you mean 'date'"),
    ("own", "mutinies.csv", ("--columns", "date=location"), "mutinies.csv:2 (location): 'Aville' is no date"),
    ("own", "mutinies.csv", ("--columns", "year=year,figure=location"), "'Aville' is no figure"),
    ("own", "mutinies.csv", ("--columns", MUTINIES, "--measure", "lft"), "did you mean 'left'"),
    ("unhcr", "unhcr.csv", ("--host", "Nowhere"), "Name the host as the file does"),
    ("wfp", "wfp.csv", (), "Maize, 46 KG: 7 months"),
    ("wfp", "wfp.csv", ("--goods", "Mais=2 KG"), "did you mean 'Maize'"),
    ("wfp", "wfp.csv", ("--goods", "Maize=2 L"), "Maize is sold by 46 KG"),
    ("wfp", "wfp.csv", ("--goods", "Maize=46"), "how much a family needs"),
    ("world-bank", "world-bank.csv", ("--level", "80"), "Name it with --money"),
    ("world-bank", "world-bank.csv", ("--money", "montars"), "rates.yaml has rates of montars already"),
    ("coups", "coups-by-year.tsv", (), "Its columns are those of coups-by-year"),
]


@pytest.mark.parametrize(("dataset", "file", "options", "said"), WRONG)
def test_nothing_is_written_where_something_is_wrong(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    dataset: str,
    file: str,
    options: tuple[str, ...],
    said: str,
) -> None:
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert put(folder, dataset, file, *options) == 2
    assert said in capsys.readouterr().err
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_figures_of_ones_own_table_are_read_as_case_count_reads_them(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    file.write_text("day,n\n2025-03-01,120-135\n2025-03-02,at least 130\n2025-03-03,1.200\n", "utf-8")
    columns = ("--columns", "date=day,figure=n")
    assert put(folder, "own", file, *columns, "--measure", "registered") == 0
    found = {str(one.date): one for one in load_case(folder).targets if one.id.startswith("registered-")}
    assert found["2025-03-01"].range == (120, 135)
    assert found["2025-03-02"].at_least == 130
    assert found["2025-03-03"].value == 1200
    assert put(folder, "own", file, *columns, "--source", "again", "--unit", "arrests") == 0
    every = load_case(folder).ledger.observations.values()
    stated = {one.date: one for one in every if one.unit == "arrests"}
    assert stated["2025-03-01"].range == (120, 135)
    assert (stated["2025-03-02"].value, stated["2025-03-02"].bound) == (130, "at_least")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("2025-03-01,3,9,4", "(low): 9 stands as low and 3 as figure"),
        ("3/4/2025,3,,", "(day): '3/4/2025' can be read as 2025-04-03 or as 2025-03-04"),
        ("2025-03-01,900000,,", "(n): 900,000 (line 2, table) is more than"),
        ("2025-03-01,,,", "no row has a figure"),
        ("2025-03-01,odd,,", "(n): 'odd' is no figure"),
    ],
)
def test_what_ones_own_table_cannot_mean_is_refused(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str, said: str
) -> None:
    file = tmp_path / "table.csv"
    file.write_text(f"day,n,low,high\n{content}\n", "utf-8")
    columns = ("--columns", "date=day,figure=n,low=low,high=high", "--measure", "registered")
    assert put(folder, "own", file, *columns) == 2
    assert said in capsys.readouterr().err


def test_the_same_rows_are_not_taken_twice(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(folder, "acled", "acled.csv")
    assert put(folder, "acled", "acled.csv") == 2
    assert "in the ledger already: acled-TST101 and acled-TST103" in capsys.readouterr().err
    assert put(folder, "acled", "acled.csv", "--where", "sub_event_type=clash") == 0
    assert [s for s in load_case(folder).ledger.sources if s == "acled"] == ["acled"]


def test_what_the_case_cannot_use_is_told_of_its_own_files(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder / "events.yaml"
    path.write_text(path.read_text("utf-8").replace("id: election", "id: acled-TST101", 1), "utf-8")
    assert put(folder, "acled", "acled.csv") == 2
    told = capsys.readouterr().err
    assert "the event 'acled-TST101' is there twice" in told
    assert str(path) in told


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "not a valid table"),
        (b"a\rb\x80\r\n\x00,\r,", "not a valid table"),
        (b"[" * 100_000, "not valid JSON"),
        (b"day,n\n" + b"2025-03-01,3\n" * 501, "more than 500 rows would become observations"),
    ],
)
def test_what_is_no_data_set_ends_with_one_message(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, said: str
) -> None:
    file = tmp_path / "table.csv"
    file.write_bytes(content)
    assert put(folder, "own", file, "--columns", "date=day,figure=n", "--measure", "registered") == 2
    assert said in capsys.readouterr().err
