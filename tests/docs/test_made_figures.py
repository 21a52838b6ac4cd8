"""A number in the documentation is made, observed or a definition; none is typed from memory."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from tests.project.test_plain_english import prose

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs" / "_ext"))
import figures  # noqa: E402 (the documentation's own module)

RECORDS = {"decisions"}
"""Folders of pages that record a day; what was measured then stays as it was."""
GENERATED = {
    "explanation/calibrations.md": "benchmarks/calibrations.py",
    "explanation/examination.md": "breakrank examine",
    "explanation/hindcasts.md": "benchmarks/hindcasts.py",
    "explanation/what-acts.md": "benchmarks/what_acts.py",
}
"""Pages that a command writes whole."""
DEFINITIONS = {
    "explanation/architecture.md": {"160,000"},  # the size of the force in an example
    "explanation/hardening.md": {"2025.1", "2026.9"},  # versions of a library
    "explanation/inference.md": {"250", "1,000", "100", "402"},  # settings of the sampler, and an example
    "explanation/odd.md": {"3,660", "1,000", "10 million", "100,000"},  # bounds, and units of rates
    "explanation/performance.md": {
        "160,000",
        "365",
        "362,601",
        "170",
        "150",
        "10,000",
    },  # sizes of what is timed
    "explanation/signs.md": {"3,000", "12,000", "5,000", "200,000", "10,000"},  # sizes of small forces
    "faq.md": {"300", "127.0"},  # advice on a number of runs; an address
    "how-to/calibrate.md": {"1,200", "100", "600"},  # defaults
    "how-to/code-reports.md": {"1,200", "1,140", "200"},  # an example of a hedged figure
    "how-to/plan-reception.md": {"300", "250", "2,100"},  # advice on a number of runs; standards of relief
    "how-to/use-the-page.md": {"127.0", "256"},  # an address; a bound on requests
    "how-to/write-a-case.md": {"1252"},  # the name of an encoding
    "reference/case-format.md": {"2100", "1000", "36,600"},  # bounds of the format
    "reference/cli.md": {"130", "110"},  # an exit code; a width
}
"""By page, numbers that nobody measured: settings, bounds, standards, examples."""
WRITTEN = [
    page
    for page in sorted((ROOT / "docs").rglob("*.md"))
    if not {"generated", "_build", *RECORDS} & set(page.parts)
]
PAGES = [page for page in WRITTEN if page.relative_to(ROOT / "docs").as_posix() not in GENERATED]
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


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_no_number_of_three_digits_is_typed_into_prose(page: Path) -> None:
    known = DEFINITIONS.get(page_name(page), set())
    found = []
    for line, text in prose(BLOCK.sub(as_many_lines, page.read_text("utf-8"))):
        for number in (*NUMBER.findall(text), *IN_WORDS.findall(text)):
            digits = re.sub(r"\D", "", number.partition(".")[0])
            typed = len(digits) >= 3 or not digits or " " in number
            if typed and number not in known and not YEAR.fullmatch(number):
                found.append(f"{page.name}:{line}: {number}")
    advice = "write {made} or {observed} (docs/_ext/figures.py), or say in DEFINITIONS that it is one: "
    assert not found, advice + "; ".join(found)


def test_made_and_observed_figures_are_those_of_the_files() -> None:
    marks = [
        (page, *mark.groups()) for page in WRITTEN for mark in figures.ROLE.finditer(page.read_text("utf-8"))
    ]
    assert len(marks) > 30
    faults = {page_name(page): figures.fault(kind, text, name) for page, kind, text, name in marks}
    assert not {page: fault for page, fault in faults.items() if fault}


def test_a_figure_that_differs_is_found() -> None:
    made = figures.written()["venezuela-2019"]["figures"]["uprisings"]
    assert not figures.fault("made", made, "venezuela-2019.uprisings")
    assert "not 99" in figures.fault("made", "99", "venezuela-2019.uprisings")
    assert "no figure" in figures.fault("made", "99", "venezuela-2019.nothing")
    assert not figures.fault("observed", "1,285", "venezuela-2019.registered-april")
    assert "1,286" in figures.fault("observed", "1,286", "venezuela-2019.registered-april")


def test_what_was_made_names_its_command_seed_commit_and_machine() -> None:
    for name, made in figures.written().items():
        assert made.keys() == {"commands", "seed", "commit", "machine", "made", "state", "figures"}, name
        assert made["commands"]
        assert re.fullmatch(r"[0-9a-f]{8}", made["commit"]), name
