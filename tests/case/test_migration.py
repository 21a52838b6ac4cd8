"""Folders of an older format come to the present one, and what only their author knows is left to him."""

import json
import re
import shutil
from pathlib import Path

import pytest

import breakrank
from breakrank import check_case, load_case
from breakrank.case.country import CODES
from breakrank.case.library import case_folder
from breakrank.case.migration import MARK
from breakrank.cli import main
from breakrank.errors import FaultyCaseError, nearest
from breakrank.old_names import GONE, GONE_OF_COUNTRIES, MECHANISMS, NAMES, SUMS, UNITS
from breakrank.spec import defaults


def undone(folder: Path, name: str) -> Path:
    """Write a built-in case with all names as they were, as format 1, and return its folder."""
    shutil.copytree(case_folder(name), folder, ignore=shutil.ignore_patterns("posterior", "ensemble"))
    for path in folder.glob("*.yaml"):
        text = path.read_text("utf-8").replace("breakrank: 2", "breakrank: 1")
        for old, new in NAMES.items():
            if "." in old or " " in old:
                text = re.sub(rf"(?<![\w.]){re.escape(new)}(?![\w.])", old, text)
            elif path.name == "fields.yaml":
                text = re.sub(rf"^{new}:", f"{old}:", text, flags=re.M)
            else:
                text = re.sub(rf"((?:field|measure|unit): ){new}(?=[\s,}}])", rf"\g<1>{old}", text)
                text = re.sub(rf"([{{ ]){new}(: (?:more|less|either))", rf"\g<1>{old}\g<2>", text)
        for old, new in MECHANISMS.items():
            text = re.sub(rf"(?<![\w.]){new}\.(?=[a-z_]+)(?!yaml)", f"{old}.", text)
        path.write_text(text, "utf-8")
    return folder


@pytest.mark.parametrize("name", breakrank.list_cases())
def test_a_case_with_all_its_old_names_becomes_the_one_that_ships(name: str, tmp_path: Path) -> None:
    folder = undone(tmp_path / name, name)
    with pytest.raises(FaultyCaseError, match="of format 1, and 2 is the present one"):
        check_case(folder)
    assert main(["case", "migrate", str(folder)]) == 0
    now, ships = load_case(folder, "point"), load_case(name, "point")
    assert not [text for text in folder.glob("*.yaml") if MARK in text.read_text("utf-8")]
    assert now.events == ships.events
    assert now.targets == ships.targets
    assert now.counterfactuals == ships.counterfactuals
    assert {n: p.value for n, p in now.parameters.items()} == {
        n: p.value for n, p in ships.parameters.items()
    }
    assert {n: p.prior for n, p in now.parameters.items()} == {
        n: p.prior for n, p in ships.parameters.items()
    }
    assert [str(warning) for warning in check_case(folder)] == []


OLDER = """
opportunity.leave_passes: {value: 3, unit: per year, range: [0, 60], assumed: Passes are rare.}
opportunity.errands: {value: 1, unit: per year, range: [0, 60], assumed: Errands too.}
regime.closure: {value: 1000, unit: persons, range: [0, 5000], assumed: The border stays open.}
regime.closure_days: {value: 14, unit: days, range: [0, 60], assumed: Two weeks.}
plots.patience: {value: 300, unit: days, range: [0, 900], assumed: Psychological.}
cohesion.norm_weight: {value: 0, unit: utility, range: [0, 10], assumed: Unknown here.}
challenger.recognition_weight: {value: 0.004, unit: credibility per state, range: [0, 0.05], assumed: Mine.}
ways_out.alert: {value: 2, unit: days, range: [0, 60], assumed: In days.}
"""


@pytest.fixture
def older(tmp_path: Path) -> Path:
    folder = Path(shutil.copytree(case_folder("crimea-2014"), tmp_path / "older"))
    path = folder / "parameters.yaml"
    text = re.sub(r"(?m)^opportunity\.rate:\n(?: .*\n)+", "", path.read_text("utf-8"))
    text = re.sub(r"(?m)^(challenger\.recognition_weight|routes\.alert):\n(?: .*\n)+", "", text)
    same = defaults()["fear.risk_weight"]
    text = re.sub(r"(?m)^fear\.risk_weight:\n(?: .*\n)+", "", text)
    text += f"\n# How much risk weighs.\nfear.risk_weight: {{value: {same['value']}"
    text += f", prior: {same['prior']}" if "prior" in same else ""
    text += ", assumed: Carried over.}\n"
    path.write_text(text + OLDER, "utf-8")
    case = folder / "case.yaml"
    case.write_text(case.read_text("utf-8").replace("breakrank: 2", "breakrank: 1"), "utf-8")
    return folder


def test_what_is_gone_is_dropped_and_what_was_chosen_is_asked(
    older: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {path.name: path.read_bytes() for path in older.iterdir() if path.is_file()}
    assert main(["case", "migrate", str(older)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    text = (older / "parameters.yaml").read_text("utf-8")
    marked = [line for line in text.splitlines() if line.startswith(MARK)]
    assert len(marked) == 2
    assert "regime.closure was 1000, 400 in a new case; it is gone" in marked[0] + marked[1]
    assert "ways_out.alert was 2 in 'days'; its unit is" in marked[0] + marked[1]
    assert all(line.removeprefix(MARK).strip() in said for line in marked)
    for gone in ("closure_days", "plots.patience", "cohesion.", "opportunity.errands:", "fear.risk_weight"):
        assert gone not in text, gone
    case = load_case(older)
    assert case.value("opportunity.rate") == 4
    assert case.value("challenger.recognition_weight") == 0.004
    assert check_case(older) == []
    kept = older.with_name("older-before-migration")
    assert {path.name: path.read_bytes() for path in kept.iterdir() if path.is_file()} == before


def test_it_is_done_once(older: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["case", "migrate", str(older)])
    capsys.readouterr()
    assert main(["case", "migrate", str(older)]) == 0
    assert "is of the present format" in capsys.readouterr().out
    assert len([path for path in older.parent.iterdir() if "before-migration" in path.name]) == 1


def test_a_mechanism_that_was_part_of_every_case_is_named(older: Path) -> None:
    path = older / "parameters.yaml"
    text = path.read_text("utf-8").replace("norm_weight: {value: 0,", "norm_weight: {value: 1,")
    path.write_text(text, "utf-8")
    main(["case", "migrate", str(older)])
    case = load_case(older)
    assert case.mechanisms == ("cohesion",)
    assert case.value("cohesion.norm_weight") == 1


def test_an_entry_that_cannot_be_used_becomes_a_comment_with_the_reason(older: Path) -> None:
    path = older / "targets.yaml"
    path.write_text(
        path.read_text("utf-8") + "\n- id: disarmed\n  label: Disarmed\n  measure: disarmed\n"
        "  date: 2014-04-01\n  unit: soldiers\n  value: 3\n  assumed: Invented.\n",
        "utf-8",
    )
    path = older / "counterfactuals.yaml"
    path.write_text(
        path.read_text("utf-8") + "\n- id: patient\n  title: Plots wait\n  question: What if?\n"
        "  set: {plots.patience: 500}\n",
        "utf-8",
    )
    main(["case", "migrate", str(older)])
    assert f"{MARK} unknown measure 'disarmed'" in (older / "targets.yaml").read_text("utf-8")
    told = (older / "counterfactuals.yaml").read_text("utf-8")
    assert "'plots.patience'; it is gone, and nothing stands in its place" in told
    assert "#   set: {plots.patience: 500}" in told
    assert check_case(older) == []


def test_what_cannot_be_left_out_is_told_and_nothing_is_written(
    older: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = older / "force.yaml"
    path.write_text(path.read_text("utf-8").replace("value: ", "valeu: ", 1), "utf-8")
    before = {path: path.read_bytes() for path in older.parent.rglob("*") if path.is_file()}
    assert main(["case", "migrate", str(older)]) == 2
    assert f"{path}" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in older.parent.rglob("*") if path.is_file()} == before


def test_a_calibration_of_an_older_model_is_taken_away(older: Path) -> None:
    (older / "worlds").mkdir()
    (older / "worlds" / "x.csv").write_text("1\n", "utf-8")
    main(["case", "migrate", str(older)])
    assert not (older / "worlds").exists()
    assert (older.with_name("older-before-migration") / "worlds" / "x.csv").is_file()


def test_names_that_are_gone_are_gone_and_messages_say_so() -> None:
    known = breakrank.load_case("syria-2011", "point").catalogue.parameters
    assert not GONE & {*known, *NAMES}
    assert GONE_OF_COUNTRIES.keys() <= GONE
    assert set(SUMS) | set(UNITS) <= set(known)
    assert nearest("wiretaps", ("rents", "detection.wiretaps")) == ", did you mean 'detection.wiretaps'?"
    assert nearest("plots.patience", known) == "; it is gone, and nothing stands in its place"
    assert nearest("opportunity.errands", known) == "; it is part of 'opportunity.rate' now"


def test_states_get_their_codes_of_iso(tmp_path: Path) -> None:
    folder = breakrank.new_case(tmp_path / "belarus", country="BY")
    now = load_case(folder)
    codes = json.loads(CODES.read_text("utf-8"))
    for path in folder.iterdir():
        text = path.read_text("utf-8")
        for old, new in codes.items():
            if new.startswith("BY-"):
                text = re.sub(rf"\b{new}\b", old, text)
        path.write_text(text, "utf-8")
    assert load_case(folder).capital == "BY-X7"
    assert main(["case", "migrate", str(folder)]) == 0
    assert load_case(folder).digest == now.digest
