"""Figures of the case and of what comes with it stand in prose as they stand in its files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import breakrank
from breakrank.engine.mechanism import PHASES

ROOT = Path(__file__).parents[2]
CALIBRATIONS = "docs/explanation/calibrations.md"


def prose(page: str) -> str:
    """Return the text of a page, each run of white space as one space."""
    return " ".join((ROOT / page).read_text(encoding="utf-8").split())


@pytest.mark.parametrize("name", breakrank.list_cases())
def test_the_page_of_calibrations_is_of_what_comes_with_the_cases(name: str) -> None:
    found, page = breakrank.load_case(name), prose(CALIBRATIONS)
    if found.posterior is None:
        assert f"{found.title} has none" in page
        return
    assert [line for line in found.posterior.about["verdict"] if " ".join(line.split()) not in page] == []


@pytest.mark.parametrize("name", breakrank.list_cases())
def test_every_built_in_case_has_a_card_with_its_evidence(name: str) -> None:
    found, card = breakrank.load_case(name), prose(f"docs/cases/{name}.md")
    assert card.startswith(f"# {found.title} ")
    ledger = found.ledger
    assert f"{len(ledger.observations)} observations from {len(ledger.sources)} sources" in card
    assert f"({name}.md)" in prose("docs/cases/index.md")
    if found.posterior is not None:
        informed, free = len(found.posterior.about["informed"]), len(found.posterior.draws.names)
        assert f"figures inform {informed} of {free} free parameters" in card
        assert f"{informed} of {free}" in prose("docs/explanation/limits.md")
    targets = found.targets
    assert f"| Figures | {len(targets)}" in card
    assert sum(target.construction is not None for target in targets) == card.count("*by construction* |")


def test_the_phases_of_a_day_are_those_of_the_engine() -> None:
    phases = [*PHASES[: PHASES.index("act")], "weigh", *PHASES[PHASES.index("act") :]]
    listed = (ROOT / "docs/reference/generated/odd-day.inc.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| \*\*(\w+)\*\* \|", listed, re.M)
    assert [phase for phase in told if phase not in ("choose", "observe")] == phases  # the engine's own
    assert ", ".join(f"`{name}`" for name in PHASES) in prose("docs/explanation/contribute.md")
    assert len(phases) == 9
    assert "[nine phases]" in prose("docs/explanation/contribute.md")
