"""A number in the documentation is made, observed or a definition; none is typed from memory."""

import json
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from tests.project.test_plain_english import prose

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs" / "_ext"))
import figures  # noqa: E402 (the documentation's own module)

from tools import renew_docs  # noqa: E402 (it imports that module too)

RECORDS = {"decisions"}
"""Folders of pages that record a day; what was measured then stays as it was."""
DEFINITIONS = {
    "explanation/architecture.md": {"160,000"},  # the size of the force in an example
    "explanation/inference.md": {"250", "1,000", "100", "402"},  # settings of the sampler, and an example
    "explanation/odd.md": {"3,660", "1,000", "10 million", "100,000"},  # bounds, and units of rates
    "explanation/performance.md": {"160,000", "365", "10,000"},  # sizes of what is timed
    "explanation/signs.md": {"3,000", "12,000", "5,000", "200,000", "10,000"},  # sizes of small forces
    "faq.md": {"300", "127.0"},  # advice on a number of runs; an address
    "how-to/clusters.md": {"a hundred", "a thousand"},  # what is asked for
    "how-to/calibrate.md": {"1,200", "100", "600"},  # defaults
    "how-to/code-reports.md": {"1,200", "1,140", "200"},  # an example of a hedged figure
    "how-to/plan-reception.md": {"300", "250", "2,100"},  # advice on a number of runs; standards of relief
    "how-to/use-the-page.md": {"127.0", "256"},  # an address; a bound on requests
    "how-to/write-a-case.md": {"1252"},  # the name of an encoding
    "reference/case-format.md": {"2100", "1000", "36,600"},  # bounds of the format
    "reference/cli.md": {"130", "143", "110"},  # exit codes; a width
}
"""By page, numbers that nobody measured: settings, bounds, standards, examples."""
WRITTEN = [
    page
    for page in sorted((ROOT / "docs").rglob("*.md"))
    if not {"generated", "_build", *RECORDS} & set(page.parts)
]
BLOCK = re.compile(r"<!-- made: .*?<!-- end -->", re.S)
NUMBER = re.compile(r"(?<![\w.,/-])\d[\d,]*\d(?:\.\d+)?(?![\w-])")
YEAR = re.compile(r"(1[5-9]|20)\d\d")
IN_WORDS = re.compile(
    r"\b(?:[0-9]+|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|fifty|some|sixteen)"
    r" (?:hundred|thousand|million)\b",
    re.I,
)


def as_many_lines(block: re.Match[str]) -> str:
    return "\n" * block[0].count("\n")


def page_name(page: Path) -> str:
    return page.relative_to(ROOT / "docs").as_posix()


def typed_numbers(page: Path) -> list[str]:
    """Return the numbers of three digits that are typed into a page's prose and are no definitions."""
    known = DEFINITIONS.get(page_name(page), set())
    found = []
    for line, text in prose(BLOCK.sub(as_many_lines, page.read_text("utf-8"))):
        for number in (*NUMBER.findall(text), *IN_WORDS.findall(text)):
            digits = re.sub(r"\D", "", number.partition(".")[0])
            typed = len(digits) >= 3 or not digits or " " in number
            if typed and number not in known and not YEAR.fullmatch(number):
                found.append(f"{page.name}:{line}: {number}")
    return found


def test_no_number_of_three_digits_is_typed_into_prose() -> None:
    found = [number for page in WRITTEN for number in typed_numbers(page)]
    advice = "write {made} or {observed} (docs/_ext/figures.py), or say in DEFINITIONS that it is one: "
    assert not found, advice + "; ".join(found)


def test_made_and_observed_figures_are_those_of_the_files() -> None:
    marks = [
        (page, *mark.groups()) for page in WRITTEN for mark in figures.ROLE.finditer(page.read_text("utf-8"))
    ]
    assert len(marks) > 30
    faults = {page_name(page): figures.fault(kind, text, name) for page, kind, text, name in marks}
    assert not {page: fault for page, fault in faults.items() if fault}


def test_what_was_made_names_its_command_seed_commit_and_machine() -> None:
    for name, made in figures.written().items():
        assert made.keys() == {"commands", "seed", "commit", "machine", "made", "state", "figures"}, name
        assert made["commands"]
        assert re.fullmatch(r"[0-9a-f]{8}", made["commit"]), name


def test_every_figure_and_block_of_a_page_is_made_by_the_tool() -> None:
    texts = [page.read_text("utf-8") for page in WRITTEN]
    blocks = {match[2] for text in texts for match in renew_docs.BLOCK.finditer(text)}
    roles = {match[3] for text in texts for match in figures.ROLE.finditer(text) if match[1] == "made"}
    assert {name.partition(".")[0] for name in blocks | roles} <= renew_docs.MAKERS.keys()
    assert figures.written().keys() == renew_docs.MAKERS.keys()
    for name in ("examination", "signs", "waits", "force-year", "engines"):
        assert any(block.startswith(f"{name}.") for block in blocks)


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a file in which everything was made with the numbers of today."""
    now = {
        name: {"commands": list(maker.commands), "state": figures.state(maker.commands), "figures": {}}
        for name, maker in renew_docs.MAKERS.items()
    }
    file = tmp_path / "figures.yaml"
    file.write_text(yaml.safe_dump(now), "utf-8")
    monkeypatch.setattr(figures, "FIGURES", file)
    monkeypatch.setattr(figures, "BASELINE", figures.BASELINE)
    figures.written.cache_clear()
    yield file
    figures.written.cache_clear()


def test_a_release_passes_with_fresh_figures(fresh: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert fresh.exists()
    assert renew_docs.main(check=True) == 0
    figures.warn(SimpleNamespace(builder=SimpleNamespace(format="html")), None)
    assert capsys.readouterr() == ("older than the model's numbers, or never made: none\n", "")


def test_a_release_fails_and_a_build_warns_once_the_numbers_move(
    fresh: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    baseline = json.loads(figures.BASELINE.read_text("utf-8"))
    baseline["worlds"]["moved"] = 1
    moved = tmp_path / "baseline.json"
    moved.write_text(json.dumps(baseline), "utf-8")
    monkeypatch.setattr(figures, "BASELINE", moved)
    assert renew_docs.main(check=True) == 1
    assert "signs" in capsys.readouterr().out
    figures.warn(SimpleNamespace(builder=SimpleNamespace(format="html")), None)
    assert "signs" in capsys.readouterr().err
