"""The example of a mechanism in a package of its own: built, installed and used as a user would."""

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

import breakrank
from breakrank.cli.options import BAD_INPUT, DONE
from breakrank.plugins import OPTIONAL
from tests import programs
from tests.cli.conftest import Outcome
from tests.mechanisms import files
from tests.new_cases import without_priors

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "breakrank-rumour"
SOURCE = ROOT / "src"
FEW = ("--workers", "1", "--seed", "3")
TINY = ("--simulations", "100", "--members", "20", "--predictive", "20", "--waves", "1")


HEARD = """
- id: heard
  label: Heard the rumour
  measure: rumour_heard
  unit: soldiers
  date: 2025-02-28
  range: [0, 5000]
  assumed: made up
"""

WEIGHT = """
rumour.weight:
  value: 2
  unit: utility
  range: [0, 3]
  prior: {distribution: uniform, low: 0, high: 3}
  assumed: made up
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the package is installed, built from a copy of its source."""
    folder = tmp_path_factory.mktemp("installed")
    copy = shutil.copytree(EXAMPLE, folder / "source")
    options = ["--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check", "--quiet"]
    programs.python("-m", "pip", "install", *options, "--target", folder / "site", copy)
    return folder / "site"


@pytest.fixture
def case(tmp_path: Path) -> Path:
    """A small case that knows nothing of the rumour."""
    return without_priors(tmp_path / "montara")


def python(site: Path | None, *words: object, folder: Path) -> programs.Done:
    """Call Python where the package is installed, or is not."""
    path = os.pathsep.join(map(str, [*([] if site is None else [site]), SOURCE]))
    env = os.environ | {"PYTHONPATH": path, "PYTHONWARNINGS": "error"}
    return programs.ended(sys.executable, *words, folder=folder, env=env)


CALLS = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from breakrank.cli import main

for given in json.loads(sys.argv[1]):
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        if isinstance(given, str):
            code = exec(given) or 0
        else:
            code = main(given)
    print(json.dumps([code, out.getvalue(), err.getvalue()]))
"""


def calls(site: Path | None, *given: tuple[str, ...] | str, folder: Path) -> list[Outcome]:
    """Make several calls in one fresh Python: commands as tuples of words, programs as they are."""
    done = python(site, "-c", CALLS, json.dumps(given), folder=folder)
    assert done.returncode == 0, done.stderr
    return [Outcome(*json.loads(line)) for line in done.stdout.splitlines()]


def told(outcome: Outcome) -> Any:
    """Return the JSON that a command printed."""
    assert outcome.code == DONE, outcome.err
    return json.loads(outcome.out)


def test_the_package_passes_its_own_tests(site: Path, tmp_path: Path) -> None:
    done = python(site, "-m", "pytest", "-q", "-p", "no:cacheprovider", EXAMPLE / "tests", folder=tmp_path)
    assert done.returncode == 0, done.stdout
    assert "4 passed" in done.stdout


def test_what_is_installed_is_listed_and_acts_only_where_it_is_named(site: Path, case: Path) -> None:
    ask = "import breakrank; print(breakrank.load_case('montara').digest)"
    listed = ("mechanisms", "--json")
    there, text, with_it, unknown, forgotten = calls(
        site,
        listed,
        ("mechanisms", "rumour", "--json"),
        ask,
        ("run", "montara", "--mechanisms", "rumor"),
        ("run", "montara", "--set", "rumour.tell=1"),
        folder=case.parent,
    )
    *own, offered = told(there)["mechanisms"]
    assert [one["name"] for one in own] == list(OPTIONAL)
    assert {one["package"] for one in own} == {"breakrank"}
    assert (offered["name"], offered["package"], offered["version"]) == (
        "rumour",
        "breakrank-rumour",
        "0.1.0",
    )
    assert "Maki and Thompson" in offered["citation"]
    described = told(text)["text"]
    assert described.startswith("### Rumour\n\nA rumour that comrades are about to leave")
    assert "`rumour.tell` (probability, 0 to 1)" in described
    nothing, without = calls(None, listed, ask, folder=case.parent)
    assert told(nothing)["mechanisms"] == own
    assert with_it.out == without.out == breakrank.load_case(case).digest + "\n"
    assert unknown.code == forgotten.code == BAD_INPUT
    known = (
        f"Known: {', '.join(OPTIONAL)}, rumour. Others come with the package that offers them: install it."
    )
    assert (
        unknown.err == f"breakrank: there is no mechanism 'rumor' to add, did you mean 'rumour'?\n  {known}\n"
    )
    assert forgotten.err.endswith("\n  Add the installed mechanism: --mechanisms rumour.\n")


def test_a_case_that_names_it_needs_it_and_keeps_what_is_learnt_of_it(site: Path, case: Path) -> None:
    """Nothing is informed here: what the posterior says of itself has to be readable all the same."""
    here, file = case.parent, case / "case.yaml"
    file.write_text(file.read_text("utf-8") + "\nmechanisms: [rumour]\n", "utf-8")
    values = case / "parameters.yaml"
    files.calendar(case, "2025-01-01", "2025-02-28")  # which is soon calibrated
    files.write(case, {"targets.yaml": HEARD})
    values.write_text(values.read_text("utf-8") + WEIGHT, "utf-8")
    value, lived, learnt, names = calls(
        site,
        "import breakrank; print(breakrank.load_case('montara').value('rumour.weight'))",
        ("run", "montara", "--runs", "1", *FEW, "--json"),
        ("calibrate", "montara", *TINY, *FEW, "--json"),
        "import breakrank; print(breakrank.load_case('montara').posterior.draws.names)",
        folder=here,
    )
    assert value.out == "2.0\n"
    assert told(lived)["outcomes"]["heard"]["median"] > 0
    told(learnt)
    assert names.out == "('rumour.tell', 'rumour.weight')\n"
    (missing,) = calls(None, ("case", "check", "montara"), folder=here)
    assert missing.code == BAD_INPUT
    assert "montara/case.yaml:" in missing.err
    assert f"there is no mechanism 'rumour' to add\n  Known: {', '.join(OPTIONAL)}." in missing.err


def test_the_page_shows_its_parameters(site: Path, case: Path) -> None:
    program = """
import json
from pathlib import Path
from breakrank.page.state import PageState
from breakrank.runs.pool import Pool
from breakrank.page.scenario_file import python, scenario
from breakrank.page.question import PageQuestion, WantedView, command
state = PageState(Path("store"), Pool(1), Path("montara"), None, ["rumour"])
shown = state.shown("montara")
asked = PageQuestion(case="montara", set={"rumour.weight": 2.0})
made = state.made(asked)
calls = [command(asked, "montara", made.mechanisms)]
calls += [python(WantedView(view="happened", question=asked), made, "montara", None, "host")]
calls += [scenario(asked, made, "montara")]
print(json.dumps(shown | {"calls": calls}))
"""
    done = python(site, "-c", program, folder=case.parent)
    assert done.returncode == 0, done.stderr
    shown = json.loads(done.stdout)
    (rumour,) = [m for m in shown["mechanisms"] if m["name"] == "rumour"]
    assert rumour["about"].startswith("A rumour spreads along trust ties")
    assert rumour["subsystem_label"] == "private preference and belief"
    assert [p["name"] for p in rumour["parameters"]] == ["rumour.on", "rumour.tell", "rumour.weight"]
    call, program, scenario = shown["calls"]
    assert "--mechanisms rumour --set rumour.weight=2" in call
    assert "load_case('montara', \"point\", mechanisms=['rumour'])" in program
    assert "--mechanisms rumour" in scenario
