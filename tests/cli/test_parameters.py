"""``--ensemble``: runs under the posterior that comes with a case, or under its fixed values."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from breakrank import load_case, load_result
from breakrank.case import Draws, Posterior, fitted_to, write_posterior
from breakrank.case.fitting import EARLIER, OTHER_FIGURES
from breakrank.case.library import LIBRARY
from breakrank.runs.identity import source_digest, versions
from breakrank.runs.undated import known
from tests.cli.conftest import Call

FEW = ("--runs", 24, "--until", "2025-02-15", "--log-runs", 2, "--workers", 1)
NAME = "decision.baseline_leave"


@pytest.fixture(scope="module")
def calibrated(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a case that comes with a posterior of one parameter."""
    folder = Path(shutil.copytree(template, tmp_path_factory.mktemp("calibrated") / "small"))
    values = np.linspace(3, 6, 12).reshape(-1, 1)
    case = load_case(folder)
    write_posterior(
        Posterior(Draws((NAME,), values, shuffled=True), {"fitted_to": fitted_to(case)}), folder / "posterior"
    )
    return folder


def test_the_posterior_is_used(call: Call, calibrated: Path, tmp_path: Path) -> None:
    done = call("run", calibrated, *FEW, "--out", tmp_path / "a")
    assert (done.code, done.err) == (0, "")
    assert "12 draws of 1 parameter" in " ".join(done.out.split())
    assert "parameter uncertainty" in (tmp_path / "a" / "report.html").read_text()
    assert load_result(tmp_path / "a").case.draws == load_case(calibrated).draws


def test_it_says_when_the_posterior_is_of_another_record(
    call: Call, calibrated: Path, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(calibrated, tmp_path / "small"))
    about = folder / "posterior" / "about.yaml"
    about.write_text("fitted_to: something else\n")
    done = call("run", folder, "--runs", 1, "--until", "2025-01-05", "--out", tmp_path / "a")
    assert done.code == 0
    assert "was fitted to other priors or other figures" in " ".join(done.out.split())


@pytest.mark.parametrize(
    ("file", "old", "new", "told", "assimilated"),
    [
        ("targets.yaml", "value: 1649", "value: 4649", OTHER_FIGURES, False),
        ("events.yaml", "op: add, value: -0.05", "op: add, value: -0.5", EARLIER, True),
    ],
)
def test_it_says_when_a_case_was_changed_since_its_ensemble_was_made(
    call: Call, tmp_path: Path, file: str, old: str, new: str, told: str, assimilated: bool
) -> None:
    """A figure that members have not seen was marked as assimilated, and nobody was told."""
    folder = Path(shutil.copytree(LIBRARY / "crimea-2014", tmp_path / "mine"))
    text = (folder / file).read_text("utf-8")
    assert old in text
    few = ("--runs", 1, "--workers", 1, "--json")
    same = call("run", folder, *few, "--out", tmp_path / "same.json")
    assert json.loads(same.out)["ensemble"] is None
    assert json.loads(same.out)["doubts"] == []
    (folder / file).write_text(text.replace(old, new, 1), "utf-8")
    done = call("run", folder, *few, "--out", tmp_path / "out.json")
    assert done.code == 0, done.err
    said = json.loads(done.out)
    assert ["calibrate again" in one for one in said["doubts"]] == [True]
    assert said["ensemble"] == told
    assert said["outcomes"]["moved-officers"].get("used", False) is assimilated
    assert versions(load_case(folder).set({"fear.on": 0}))["ensemble"] == told, "of the posterior too"
    assert "ensemble" not in versions(load_case(folder, "prior"))


def test_a_folder_with_the_name_of_a_built_in_case_is_told_apart(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever edited a copy here was answered with the built-in case."""
    shutil.copytree(LIBRARY / "crimea-2014", tmp_path / "crimea-2014")
    monkeypatch.chdir(tmp_path)
    few = ("--runs", 1, "--until", "2014-02-22", "--workers", 1, "--out", "a.json")
    said = "crimea-2014 is the built-in case; write ./crimea-2014 for the folder here"
    assert call("run", "crimea-2014", *few).err.count(said) == 1
    assert said in call("evidence", "crimea-2014", "fear.risk_weight").err
    assert said not in call("run", "./crimea-2014", *few).err


def test_what_a_posterior_says_is_not_said_of_other_draws(call: Call, tmp_path: Path) -> None:
    asked = ("run", "venezuela-2019", "--runs", 1, "--until", "2019-01-03", "--workers", 1)
    failing = "fails checks of its own"
    assert failing in call(*asked, "--set", "fear.on=0", "--out", tmp_path / "a.json").out
    done = call(*asked, "--ensemble", "prior", "--out", tmp_path / "b.json")
    assert failing not in done.out
    plan = ("plan", *asked[1:4], "--to", "2019-01-03", "--workers", 1, "--out", tmp_path / "c.json")
    members = "effective sample size of the 40 members"
    for more, said, unsaid in (((), members, failing), (("--arrivals", 2), failing, members)):
        shown = " ".join(call(*plan, *more).out.split())
        for told in (shown, " ".join(json.loads((tmp_path / "c.json").read_text())["notes"])):
            assert told.count(said) == 1
            assert unsaid not in told
    assert known(load_case("crimea-2014")) is not None
    assert known(load_case("crimea-2014", "prior")) is None


def test_it_says_once_when_the_posterior_is_of_another_model(
    call: Call, calibrated: Path, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(calibrated, tmp_path / "small"))
    about, few = folder / "posterior" / "about.yaml", ("--until", "2025-01-05", "--workers", 1)
    plain = about.read_text().partition("\nchecksum: ")[0] + "\n"  # without a seal, as older ones are
    over = ("--over", "fear.risk_weight=1:2:2", "--refine", 0, "--store", tmp_path / "store")
    asked: dict[str, tuple[object, ...]] = {
        "run": ("--runs", 1, "--out", tmp_path / "run"),
        "compare": ("--set", "fear.on=0", "--runs", 2),
        "sweep": ("--runs", 1, "--out", tmp_path / "sweep", *over),
    }
    for made, times in (("another", 1), (source_digest(), 0)):
        about.write_text(f"{plain}made:\n  model: {made}\n")
        for command, more in asked.items():
            done = call(command, folder, *more, *few)
            assert done.code == 0, done.err
            assert " ".join(done.out.split()).count("was made with another version") == times, command
            assert "another version" not in done.err
    about.write_text(f"{plain}made:\n  model: another\n")
    done = call("run", folder, *asked["run"], *few, "--ensemble", "point")
    assert "another version" not in done.out


def test_a_shipped_ensemble_of_another_model_is_used_and_it_says_so(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In JSON, and in what the result and its report say of their making."""
    asked = ("run", "venezuela-2019", "--runs", 1, "--until", "2019-01-03", "--workers", 1)
    for model, times in (("another", 1), (None, 0)):
        said = load_case("venezuela-2019").draws
        known = said.luck.model if said is not None and said.luck is not None else ""
        monkeypatch.setattr("breakrank.runs.identity.source_digest", lambda m=model or known, **_: m)
        out = tmp_path / f"{times}"
        done = call(*asked, "--out", out, "--out", f"{out}.html", "--json")
        assert done.code == 0, done.err
        assert " ".join(json.loads(done.out)["doubts"]).count("made with another version") == times
        found = "of another version of the model" if times else None
        assert json.loads(done.out)["ensemble"] == found
        assert load_result(out).versions.get("ensemble") == found
        report = out.with_suffix(".html").read_text()
        assert ("ensemble of another version of the model" in report) == bool(times)
        told = " ".join(load_result(out).answer.notes)
        assert ("was made with another version of the model" in told) == bool(times)
        assert load_result(out).case.draws is not None
