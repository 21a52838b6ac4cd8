"""What pages show works: commands, sessions, code of how-to guides, exercises of a lesson."""

import doctest
import re
from pathlib import Path
from shlex import split
from typing import Any

import pytest

from breakrank import load_case
from breakrank.cli.app import app
from tests.project.test_plain_english import PAGES

HOW_TO = Path(__file__).parents[2] / "docs" / "how-to"


def shown(page: str, language: str, number: int = 0) -> str:
    """Return a block of code of a page."""
    text = (HOW_TO / page).read_text(encoding="utf-8")
    blocks: list[str] = re.findall(rf"```{language}\n(.*?)```", text, re.S)
    return blocks[number]


def test_the_event_replaces_the_one_of_its_id(tmp_path: Path) -> None:
    file = tmp_path / "no-convoy.yaml"
    file.write_text(shown("change-an-assumption.md", "yaml"), encoding="utf-8")
    case = load_case("venezuela-2019", "point")
    changed = case.with_events(file)
    assert case.events.named("aid-convoy").effects
    assert not changed.events.named("aid-convoy").effects
    assert changed.events.ids == case.events.ids


def test_the_rumour_is_added_by_name_and_by_class(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(HOW_TO.parents[1] / "examples" / "breakrank-rumour" / "src")
    code = shown("add-a-mechanism.md", "python").replace("runs=20", 'runs=1, until="2019-01-10", workers=1')
    made: dict[str, Any] = {"__name__": "study"}
    exec(compile(code.replace('["rumour"]', "[Rumour]"), "add-a-mechanism.md", "exec"), made)
    assert made["result"].case.mechanisms == made["case"].mechanisms == ("breakrank_rumour:Rumour",)


def test_the_study_runs_and_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    code = shown("studies.md", "python").replace("runs=4", "runs=1")
    exec(compile(code, "studies.md", "exec"), {"__name__": "study"})
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["case", "fearless", "no-taps"]
    assert [p.name for p in tmp_path.iterdir()] == ["my.store"]


DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```\{doctest\}\n(.*?)^```", re.M | re.S)
OTHER = re.compile(r"^(?:```|:::)\{(?:testcode|testsetup|testoutput)\}", re.M)


def test_examples_in_the_text_give_what_they_say() -> None:
    tried = 0
    for page in sorted(DOCS.rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        assert not OTHER.search(text), f"{page}: only blocks of doctest are tried here"
        names: dict[str, object] = {}  # which the blocks of a page share
        for block in BLOCK.finditer(text):
            line = text.count("\n", 0, block.start())
            found = doctest.DocTestParser().get_doctest(block[1], names, page.name, str(page), line)
            told: list[str] = []
            result = doctest.DocTestRunner(verbose=False).run(found, out=told.append, clear_globs=False)
            assert not result.failed, "".join(told)
            names, tried = found.globs, tried + result.attempted
    assert tried >= 6


CONSOLE = re.compile(r"```console\n(.*?)```", re.S)
CONTINUED = re.compile(r"\\\n\s*")


def commands(text: str) -> list[str]:
    """Return the calls of Breakrank in blocks of a page, each on one line and without the remark after it."""
    lines = [line for block in CONSOLE.findall(text) for line in CONTINUED.sub("", block).splitlines()]
    calls = [line.removeprefix("$ breakrank ") for line in lines if line.startswith("$ breakrank ")]
    return [re.split(r"\s#\s", call)[0] for call in calls if not call.startswith("desk ")]


SHOWN = sorted({call for page in PAGES for call in commands(page.read_text("utf-8"))})


@pytest.mark.parametrize("call", SHOWN)
def test_a_command_that_a_page_shows_can_be_read(call: str) -> None:
    app.parse_args(split(call), exit_on_error=False, print_error=False)


TUTORIALS = Path(__file__).parents[2] / "docs" / "tutorials"
CELL = re.compile(r"```\{code-cell\} ipython3\n(?::tags:.*?\n\n)?(.*?)```", re.S)


def cells_of(page: str) -> list[str]:
    text = (TUTORIALS / page).read_text(encoding="utf-8")
    return CELL.findall(text)


@pytest.mark.slow
def test_the_exercises_have_the_answers_that_the_lesson_gives() -> None:
    names: dict[str, Any] = {"__name__": "lesson"}
    for number, cell in enumerate(cells_of("teaching.md")):
        exec(compile(cell, f"cell {number}", "exec"), names)
    width = names["bands"].loc[0.95] - names["bands"].loc[0.05]
    assert width["parameters from the priors"] > 10 * width["fixed parameters"]
    effects = names["effects"]
    assert (effects < 0).all(axis=None)
    assert effects["parameters from the priors"].min() < 5 * effects["parameters from the priors"].max()
    assert names["shares"][0.5] < names["now"].mean() / 2
