"""``breakrank calibrate`` on a small case, with the model itself."""

import json
from pathlib import Path

import pytest

import breakrank
from breakrank.case import fits
from breakrank.case.ensemble import load_ensemble
from breakrank.cli import main
from breakrank.cli.options import BAD_INPUT, DONE
from tests.new_cases import with_three_priors, without_priors

pytestmark = pytest.mark.thorough

FEW = [
    *("--simulations", "100", "--waves", "2", "--members", "4", "--predictive", "20"),
    *("--workers", "1", "--seed", "4"),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small case with three priors, in the current directory."""
    monkeypatch.chdir(tmp_path)
    return with_three_priors(without_priors(tmp_path / "montara"))


def test_a_case_folder_is_given_its_posterior_and_ensemble(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calibrate", str(folder), *FEW, "--out", "there", "--quiet"]) == DONE
    assert capsys.readouterr().out == ""
    for part in ("posterior", "ensemble"):
        assert not (folder / part).exists(), "with --out the case is left alone"
    # the same again: nothing is simulated, and the numbers are the same
    assert main(["calibrate", str(folder), *FEW]) == DONE
    out, err = capsys.readouterr()
    words = " ".join(err.split())
    assert "The prior allows" in words
    assert "simulations of the prior" not in words, "they are found in the store"
    told = " ".join(out.split())
    assert "Calibration of" in told
    assert "100 runs, seed 4, simulations in 2 waves" in told
    assert "free parameters" in told
    assert "The ensemble has 4 members" in told
    assert f"Ensemble  {folder}" in out
    case = breakrank.load_case(folder)
    assert len(case.posterior.draws) == 256
    assert fits(case.posterior, case)
    assert case.draws is not None
    assert case.draws == load_ensemble("there", breakrank.load_case(folder, "point")).draws
    result = Path("breakrank-calibration-montara-4")
    for file in ("posterior/draws.csv", "ensemble/members.csv", "ensemble/draws.csv"):
        made = (folder / file).read_bytes()
        assert (result / file).read_bytes() == made
        assert (Path("there") / file).read_bytes() == made
    assert main(["calibrate", str(folder), *FEW, "--json", "--out", "there"]) == DONE
    found = json.loads(capsys.readouterr().out)
    assert found["case"] == "montara"
    assert found["ensemble"]["members"] == 4
    assert set(found["tables"]["parameters"][0]) > {"parameter", "contraction", "informed", "felt", "r_hat"}
    assert breakrank.load_calibration("there").verdict == tuple(found["verdict"])


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--fix", "fear.wieght"], "no parameter 'fear.wieght'"),
        (["--simulations", "5"], "from 100"),
        (["--waves", "two"], "whole number"),
        (["--as-of", "soon"], "'soon'"),
        (["--as-of", "2025-01-02"], "had been published by 2025-01-02"),
    ],
)
def test_wrong_calls(folder: Path, capsys: pytest.CaptureFixture[str], more: list[str], message: str) -> None:
    assert main(["calibrate", str(folder), *more]) == BAD_INPUT
    assert message in " ".join(capsys.readouterr().err.split())
