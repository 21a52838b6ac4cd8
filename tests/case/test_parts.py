"""The shortest case, its optional parts, and what must not stay of the template."""

import re
from pathlib import Path

import pytest

from breakrank import check_case, load_case, new_case, simulate
from breakrank.case.content import LATER, OPTIONAL
from breakrank.case.template import PARTS
from breakrank.cli import main
from breakrank.errors import FaultyCaseError, UsageError

COMMENT = re.compile(r"\s*(#.*)?")


@pytest.fixture
def short(tmp_path: Path) -> Path:
    return new_case(tmp_path / "short")


def test_a_new_case_is_short_invents_no_paper_and_runs(short: Path) -> None:
    files = [path for path in short.rglob("*") if path.is_file()]
    lines = [line for path in files for line in path.read_text("utf-8").splitlines()]
    assert len(files) == 8
    assert sum(not COMMENT.fullmatch(line) for line in lines) <= 66
    case = load_case(short)
    assert not case.ledger.sources
    assert not case.targets
    assert check_case(short) == []
    assert simulate(case, runs=1, workers=1).runs == 1


def test_what_a_case_may_leave_out_is_as_if_it_held_nothing(short: Path) -> None:
    left_out = {name for name in OPTIONAL if not (short / name).exists()}
    assert left_out == OPTIONAL
    case = load_case(short)
    for name in OPTIONAL - LATER:
        (short / name).parent.mkdir(exist_ok=True)
        (short / name).write_text("{}\n" if name == "parameters.yaml" else "[]\n", "utf-8")
    assert load_case(short).digest == case.digest
    assert load_case(case.write(short.parent / "again")).digest == case.digest


@pytest.mark.parametrize("country", ["", "SY"])
@pytest.mark.parametrize("part", PARTS)
def test_each_part_fits_the_case(part: str, country: str, tmp_path: Path) -> None:
    folder = new_case(tmp_path / "mine", country=country, days=("2020-06-01", "2021-07-31"))
    assert main(["case", "add", part, str(folder)]) == 0
    assert check_case(folder) == []
    assert main(["case", "add", part, str(folder)]) == (0 if part in ("evidence",) else 2)


def test_all_parts_together_are_read_and_act(short: Path) -> None:
    before = load_case(short)
    for part in PARTS:
        assert main(["case", "add", part, str(short)]) == 0
    case = load_case(short)
    assert check_case(short) == []
    assert (len(case.sites), len(case.command), len(case.counterfactuals)) == (2, 3, 1)
    pay = case.daily("pay")[0]
    assert list(pay) == [60, 100, 180]
    assert (before.daily("pay") == 100).all()
    assert case.daily("registration").max() == 1


def test_help_names_each_part(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["case", "add", "--help"]) == 0
    told = capsys.readouterr().out
    assert all(part in told for part in PARTS)


def test_a_part_needs_what_it_rests_on(short: Path, capsys: pytest.CaptureFixture[str]) -> None:
    routes = short / "routes.yaml"
    routes.write_text(routes.read_text("utf-8").replace("host: true", "host: false"), "utf-8")
    before = {path: path.read_bytes() for path in short.rglob("*") if path.is_file()}
    assert main(["case", "add", "reception", str(short)]) == 2
    assert "no crossing leads to a host" in capsys.readouterr().err
    assert main(["case", "add", "recepton", str(short)]) == 2
    assert "did you mean 'reception'" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in short.rglob("*") if path.is_file()} == before


def test_dates_move_with_the_first_day(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["case", "new", str(tmp_path / "a"), "--start", "1989-05-01", "--end", "1989-12-31"]) == 0
    case = load_case(tmp_path / "a")
    assert (str(case.calendar.start), str(case.calendar.end)) == ("1989-05-01", "1989-12-31")
    assert [str(event.date) for event in case.events] == ["1989-06-29", "1989-07-08"]
    assert main(["case", "new", str(tmp_path / "b"), "--full", "--start", "2019-01-01"]) == 0
    assert load_case(tmp_path / "b").calendar.days == load_case(new_case(tmp_path / "c")).calendar.days
    assert check_case(tmp_path / "b") == []
    assert main(["case", "new", str(tmp_path / "d"), "--start", "2020-01-01", "--end", "2019-01-01"]) == 2
    assert "before it starts" in capsys.readouterr().err
    with pytest.raises(UsageError, match="the first day"):
        new_case(tmp_path / "e", days=("soon", "2020-01-01"))


def test_no_paper_of_the_template_is_the_record_of_a_country(tmp_path: Path) -> None:
    folder = new_case(tmp_path / "full", full=True)
    assert check_case(folder) == []
    path = folder / "case.yaml"
    path.write_text(path.read_text("utf-8").replace("country: Montara", "country: Belarus"), "utf-8")
    with pytest.raises(FaultyCaseError, match="is the template's, and no source on Belarus") as found:
        check_case(folder)
    assert len(found.value.errors) == 3
    real = load_case(new_case(tmp_path / "by", country="BY", full=True))
    assert not real.ledger.sources
    assert not [one for one in real.counterfactuals if one.literature]


def test_the_part_on_resigning_lets_ranks_above_the_lowest_resign(short: Path) -> None:
    assert main(["case", "add", "resignation", str(short)]) == 0
    case = load_case(short)
    assert [branch.resigns for branch in case.force.branches] == [("sergeant", "officer")] * 2
    assert case.parameters["decision.baseline_resign"].prior is not None
    assert (case.daily("offer").shape[1], case.daily("exposure").ndim) == (2, 1)
    often = case.set({"decision.baseline_resign": 3})
    assert simulate(often, runs=1, workers=1).data["exits_rank"].sel(outcome="resigned").sum() > 0


def test_an_offer_to_nobody_and_refusals_of_nothing_are_strange(short: Path) -> None:
    fields, force = short / "fields.yaml", short / "force.yaml"
    fields.write_text(
        fields.read_text("utf-8") + "offer: {unit: months of pay, value: 3, assumed: Invented.}\n", "utf-8"
    )
    assert [w.text for w in check_case(short)] == ["nobody can resign, so offer has no effect"]
    text = force.read_text("utf-8").replace("repression: 0.2,", "repression: 0, refuses: [officer],")
    force.write_text(text, "utf-8")
    assert [w.text for w in check_case(short)] == [
        "'army' can refuse orders to repress, and is given none: its repression is 0"
    ]
