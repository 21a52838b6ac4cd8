"""``breakrank calibrate`` on a small case, with the model itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

import breakrank
from breakrank.case import fits
from breakrank.cli import main
from breakrank.cli.options import BAD_INPUT, DONE
from tests.new_cases import without_priors

pytestmark = pytest.mark.thorough

FEW = ["--simulations", "100", "--worlds", "20", "--predictive", "20", "--workers", "1", "--seed", "4"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small case with three priors, in the current directory."""
    monkeypatch.chdir(tmp_path)
    made = without_priors(tmp_path / "montara")
    path = made / "parameters.yaml"
    entries: dict[str, Any] = yaml.safe_load(path.read_text("utf-8"))
    for name in ("decision.baseline_leave", "fear.risk_weight", "grievance.hardship_weight"):
        low, high = entries[name]["range"]
        entries[name]["prior"] = {"distribution": "uniform", "low": low, "high": high}
    path.write_text(yaml.safe_dump(entries), "utf-8")
    return made


def test_a_case_folder_is_given_its_posterior(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", str(folder), *FEW, "--out", "there", "--quiet"]) == DONE
    assert capsys.readouterr().out == ""
    assert not (folder / "posterior").exists(), "with --out the case is left alone"
    # the same again: nothing is simulated, and the numbers are the same
    assert main(["calibrate", str(folder), *FEW]) == DONE
    out, err = capsys.readouterr()
    assert "60 of 60 runs were in" in err
    words = " ".join(err.split())
    assert "The prior allows" in words
    assert words.index("60 of 60 runs were in") < words.index("The prior allows")
    assert words.index("The prior allows") < words.index("40 of 40 runs were in")
    assert "Calibration of" in out
    assert "free parameters" in " ".join(out.split())
    assert f"Posterior  {folder / 'posterior'}" in out
    case = breakrank.load_case(folder)
    assert case.posterior is not None
    assert len(case.posterior.draws) == 256
    assert fits(case.posterior, case)
    result = Path("breakrank-calibration-montara-4")
    draws = (folder / "posterior" / "draws.csv").read_bytes()
    assert (result / "posterior" / "draws.csv").read_bytes() == draws
    assert Path("there/posterior/draws.csv").read_bytes() == draws
    assert main(["calibrate", str(folder), *FEW, "--json", "--out", "there"]) == DONE
    told = json.loads(capsys.readouterr().out)
    assert told["case"] == "montara"
    assert set(told["tables"]["parameters"][0]) > {"parameter", "contraction", "informed", "coverage90"}
    assert breakrank.load_calibration("there").verdict == tuple(told["verdict"])


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--fix", "fear.wieght"], "no parameter 'fear.wieght'"),
        (["--simulations", "5"], "from 100"),
        (["--rounds", "two"], "whole number"),
    ],
)
def test_wrong_calls(folder: Path, capsys: pytest.CaptureFixture[str], more: list[str], message: str) -> None:
    assert main(["calibrate", str(folder), *more]) == BAD_INPUT
    assert message in capsys.readouterr().err
