"""``breakrank compare``: what a change does, in a table or as one JSON object."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from breakrank import load_case
from breakrank.case import Draws
from breakrank.questions.compare.compare import Comparison
from breakrank.questions.compare.precision import Precision
from breakrank.questions.compare.terminal import ComparisonRequest, tell
from breakrank.results.paired import difference
from tests.cli.conftest import Outcome, process

Call = Callable[..., Outcome]
FEW = ("--runs", 3, "--seed", 5, "--workers", 1)
MINE = """\
- id: fearless
  title: Nobody is afraid
  question: How much of loyalty is fear?
  set: {fear.on: 0}
  expected: {left_abroad: more, shot: more}
  literature: McLauchlin 2014
"""


def test_a_table_of_each(call: Call, template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    (tmp_path / "mine.yaml").write_text(MINE, encoding="utf-8")
    done = call("compare", template, "--with", "no-appeal", "--with", tmp_path / "mine.yaml", *FEW)
    assert done.code == 0, done.err
    assert "no-appeal: The challenger never appeals to soldiers (3 pairs of runs)" in done.out
    assert "Fixed assumptions, chance only." in done.out
    assert "fearless: Nobody is afraid" in done.out
    for words in ("mean diff.", "95% interval", "Crossed out of the", "Regime still in"):
        assert done.out.count(words) >= 2
    assert "country: more expected (McLauchlin 2014); the model agrees" in " ".join(done.out.split())
    assert "Shot: more expected" in " ".join(done.out.split())  # though not compared by default
    assert max(map(len, done.out.splitlines())) <= 80
    assert "Traceback" not in done.err


def test_json_is_one_object_and_the_same_in_a_fresh_process(
    call: Call, template: Path, tmp_path: Path
) -> None:
    done = process("compare", template, "--with", "no-appeal", *FEW[:-1], 2, "--json", folder=tmp_path)
    assert done.code == 0, done.err
    answer = json.loads(done.out)
    keys = {"case", "version", "ensemble", "digest", "seed", "runs", "comparisons"}
    assert keys == answer.keys()
    one = answer["comparisons"]["no-appeal"]
    assert one["expected"]["left_abroad"]["direction"] == "less"
    left = one["differences"]["left_abroad"]
    assert left["mean"] == pytest.approx(left["after"] - left["before"])
    assert list(tmp_path.iterdir()) == []
    again = json.loads(call("compare", template, "--with", "no-appeal", *FEW, "--json").out)
    assert again["comparisons"]["no-appeal"]["differences"] == one["differences"]


def test_set_alone_and_beside(call: Call, template: Path) -> None:
    done = call("compare", template, "--set", "fear.on=0", *FEW, "--json")
    assert list(json.loads(done.out)["comparisons"]) == ["set"]
    both = call("compare", template, "--with", "no-appeal", "--set", "fear.on=0", *FEW, "--json")
    (one,) = json.loads(both.out)["comparisons"].values()
    assert one["title"] == "The challenger never appeals to soldiers; fear.on = 0"
    assert one["digest"] != json.loads(done.out)["comparisons"]["set"]["digest"]


def test_quiet_is_quiet_and_what_was_asked_for_is_written(call: Call, template: Path, tmp_path: Path) -> None:
    asked = ("compare", template, "--with", "no-appeal", *FEW, "--until", "2025-01-31")
    done = call(*asked, "--quiet", "--out", tmp_path / "out")
    assert (done.code, done.out, done.err) == (0, "", "")
    rows = (tmp_path / "out" / "comparison.csv").read_text("utf-8").splitlines()
    assert rows[0].startswith("counterfactual,id,")
    printed = json.loads(call(*asked, "--json").out)
    assert json.loads((tmp_path / "out" / "comparison.json").read_text("utf-8")) == printed
    assert len(rows) - 1 == len(printed["comparisons"]["no-appeal"]["differences"])
    (tmp_path / "file").write_text("taken")
    done = call(*asked, "--quiet", "--out", tmp_path / "file")
    assert done.code == 2
    assert str(tmp_path / "file") in done.err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--with", "no-apeal"), "did you mean 'no-appeal'"),
        (("--with", "nowhere.yaml"), "does not exist"),
        ((), "nothing to compare small with; this case has no-appeal"),
        (("--set", "force.strength=100"), "different forces (force.strength"),
        (("--set", "fear.on"), "is not NAME=VALUE"),
        (("--with", "no-appeal", "--runs", "0"), "runs must be from 1"),
    ],
)
def test_what_cannot_be_compared(call: Call, template: Path, arguments: tuple[str, ...], says: str) -> None:
    done = call("compare", template, *arguments)
    assert done.code == 2
    assert says in done.err
    assert "Traceback" not in done.err
    assert done.out == ""


def test_how_many_runs_a_precision_needs(call: Call, template: Path) -> None:
    asked = ("--with", "no-appeal", *FEW, "--precision", "10%", "--precision", "registered=2")
    done = call("compare", template, *asked, "--json")
    differences = json.loads(done.out)["comparisons"]["no-appeal"]["differences"]
    assert differences["registered"]["needs"]["half_width"] == 2
    left = differences["left_abroad"]
    assert left["needs"]["half_width"] == pytest.approx(0.1 * left["before"])
    assert left["needs"]["pairs"] >= 2
    assert "needs" in call("compare", template, *asked).out
    assert "needs" not in call("compare", template, *FEW, "--with", "no-appeal").out


@pytest.fixture
def drawn(template: Path, tmp_path: Path) -> Path:
    """Return the folder of the same case with twelve draws that two runs share."""
    case = load_case(template)
    values = np.linspace(0.5, 2.5, 12)[:, None]
    case.with_draws(Draws(("fear.risk_weight",), values, each=2)).write(tmp_path / "drawn")
    return tmp_path / "drawn"


def test_luck_and_parameters_stand_apart_where_runs_share_draws(
    call: Call, drawn: Path, template: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    many = ("--with", "no-appeal", "--runs", 24, "--until", "2025-02-28", "--workers", 1)
    asked = (*many, "--precision", "left_abroad=1e-9", "--precision", "serving=1e6")
    told = json.loads(call("compare", drawn, *asked, "--json").out)
    differences = told["comparisons"]["no-appeal"]["differences"]
    left, serving = differences["left_abroad"], differences["serving"]
    assert left["draws"] == 12
    assert 0 <= left["parameters"] <= 1
    assert left["needs"]["draws"] == 12
    assert (left["needs"]["pairs"] is None) == (left["needs"]["floor"] > 1e-9) == (left["parameters"] > 0)
    assert serving["needs"]["pairs"] == 4, "two draws are the fewest that tell anything"
    done = call("compare", drawn, *many)
    assert done.code == 0, done.err
    assert " par." in done.out
    assert "is due to the parameters; the rest is chance" in " ".join(done.out.split())
    assert max(map(len, done.out.splitlines())) <= 80
    assert "par." not in call("compare", template, "--with", "no-appeal", *FEW).out


def test_the_table_says_what_no_number_of_runs_can_do(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    rng = np.random.default_rng(9)
    draw = np.repeat(np.arange(40), 2)
    before = rng.normal(20_000, 500, 80)
    moved = before - 900 + 300 * rng.standard_normal(40)[draw] + 100 * rng.standard_normal(80)
    found = [
        difference("left_abroad", "Crossed out of the country", "soldiers", before, moved, draw),
        difference("plots_founded", "Plots founded", "plots", before, before + rng.normal(0, 9, 80), draw),
    ]
    draws = Draws(("fear.risk_weight",), np.linspace(0.5, 2.5, 40)[:, None], each=2)
    case: Any = SimpleNamespace(draws=draws)
    made = Comparison(case, case, tuple(found), 5, 80)
    tell(ComparisonRequest("mine", "Mine", case, None, "mine"), made, Precision(None, {"left_abroad": 20}))
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    assert sum(line.rstrip().endswith(" none") for line in out.splitlines()) == 1, "in the column needs"
    assert "none: 40 draws of the parameters are too few for this precision, with any number" in " ".join(
        out.split()
    )
    tell(ComparisonRequest("mine", "Mine", case, None, "mine"), made, Precision(None, {"plots_founded": 5}))
    assert "too few" not in capsys.readouterr().out
    few = [difference("left_abroad", "Crossed out", "soldiers", before[:8], moved[:8], draw[:8])]
    made = Comparison(case, case, tuple(few), 5, 8)
    tell(ComparisonRequest("mine", "Mine", case, None, "mine"), made, Precision(None, {"left_abroad": 20}))
    words = " ".join(capsys.readouterr().out.split())
    assert "open: too few pairs to estimate; more than 80 are needed" in words


def test_selected_runs_give_way_to_the_posterior_in_every_row(call: Call) -> None:
    """In worlds the regime holds by selection, so any change seemed to make it fall."""
    asked = ("--with", "no-taps", "--until", "2019-01-05", "--runs", 2, "--workers", 1, "--json")
    plain = json.loads(call("compare", "venezuela-2019", *asked).out)
    drawn = json.loads(call("compare", "venezuela-2019", *asked, "--parameters", "posterior").out)
    assert plain == drawn
    one = plain["comparisons"]["no-taps"]
    assert one["asked"]["kind"] == "at large"
    assert "draws from the posterior" in one["asked"]["told"]
    assert {"registered", "regime_holds"} <= one["differences"].keys()
    waits_for_no_worlds = call("compare", "venezuela-2019", *asked, "--given", "2019-01-04")
    assert json.loads(waits_for_no_worlds.out) == drawn


@pytest.mark.parametrize("given", ["5", "x%", "-5%", "registerd=2", "registered=0"])
def test_a_precision_that_is_none(call: Call, template: Path, given: str) -> None:
    done = call("compare", template, "--with", "no-appeal", *FEW, "--precision", given)
    assert done.code == 2
    assert "--precision" in done.err or "did you mean 'registered'" in done.err


def test_a_store_gives_the_same_and_makes_nothing_twice(call: Call, template: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(MINE, encoding="utf-8")
    asked = ("--with", "no-appeal", "--with", tmp_path / "mine.yaml", *FEW)
    plain = json.loads(call("compare", template, *asked, "--json").out)
    for times in range(2):
        done = call("compare", template, *asked, "--store", tmp_path / "store", "--json")
        assert done.code == 0, done.err
        assert ("9 of 9 runs were in" in done.err) == bool(times)
        kept = json.loads(done.out)
        for name, one in kept["comparisons"].items():
            assert one["differences"] == plain["comparisons"][name]["differences"]
    done = call("compare", template, *asked, "--backend", "serial")
    assert (done.code, "needs --store" in done.err) == (2, True)
