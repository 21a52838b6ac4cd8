"""The committed pages of the reference say what the code says, and prose the figures of the cases."""

import re
import sys
from pathlib import Path

import pytest

import breakrank
from breakrank.case.content import FILES
from breakrank.case.examination import FILE, TABLE
from breakrank.engine.mechanism import PHASES
from tools.reference import PAGES, page

DOCS = Path(__file__).parents[2] / "docs"
sys.path.insert(0, str(DOCS / "_ext"))
GENERATED = DOCS / "reference" / "generated"


@pytest.mark.parametrize("name", PAGES)
def test_a_committed_page_is_fresh(name: str) -> None:
    committed = (GENERATED / f"{name}.inc.md").read_text(encoding="utf-8")
    assert committed == page(name), "build the documentation, or call tools/reference.py, and commit the page"


def test_what_a_page_includes_is_committed_or_said_to_be_built() -> None:
    for one in DOCS.rglob("*.md"):
        text = one.read_text(encoding="utf-8")
        missing = set(re.findall(r"^```{include} .*/(.+)\.inc\.md$", text, re.M)) - {*PAGES}
        said = "is written when the documentation is built" in " ".join(text.split())
        assert said or not missing, f"whoever reads {one} without building it finds an empty section"


@pytest.mark.parametrize("file", [*FILES, FILE])
def test_every_key_of_a_file_of_a_case_is_explained(file: str) -> None:
    schema = {**FILES, FILE: TABLE}[file].json_schema(by_alias=True)
    for part in (schema, *schema.get("$defs", {}).values()):
        for key, value in part.get("properties", {}).items():
            assert value.get("description"), f"{file}: {key}"


def test_what_stands_behind_a_colon_is_text_and_no_type() -> None:
    from docstrings import Docstring

    def read(*lines: str, **of: str) -> str:
        return "\n".join(Docstring(list(lines), **of).lines())

    attributes = read("Attributes", "----------", "before, left : files open", "    on a day.", "most : one.")
    assert "**before, left** -- files open" in attributes
    assert "**most** -- one." in attributes
    parameters = read("Parameters", "----------", "seed, run : which world;", "    any.")
    assert (
        parameters
        == ":param seed: which world;\n             any.\n:param run: which world;\n            any.\n"
    )
    assert read("Halved: they know.", what="data", name="breakrank.HALF") == "Halved: they know."
    assert ":returns: The rank: the lowest" in read("Returns", "-------", "The rank: the lowest", "of all.")


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
