"""A small model and a small case that fits it, made from the template."""

import shutil
from pathlib import Path

import pytest

from breakrank.case import Case, load_case, new_case
from breakrank.model import catalogue
from breakrank.spec import Catalogue, Field, Parameter, switch

TURNS = "".join(map(chr, [*range(0x2028, 0x202F), *range(0x2066, 0x206A)]))
"""Characters that turn the direction of writing or break lines unseen: refused in case files."""

CATALOGUE = Catalogue.of(
    [
        Parameter("force.strength", "persons", 1, 10_000_000, 5000, "soldiers", scope="national"),
        Parameter("fear.weight", "utility", 0, 20, 1.5, "weight of risk", "Opp 1990"),
        Parameter("fear.memory", "days", 1, 3650, 60, "time in which bad news fades"),
        Parameter("host.chance", "probability", 0, 1, 0.4, "chance of being taken in", scope="national"),
        Parameter("cells.size", "persons", 1, 100, 10, "size of a cell", scope="technical"),
        switch("fear", "fear of punishment"),
    ],
    [
        Field("pay", "US dollars a month", 0, 1e6, "pay by rank", ("rank",)),
        Field("scarcity", "fraction", 0, 1, "scarcity of goods"),
        Field("unrest", "per day", 0, 1000, "protests", ("state", "rank"), 2.0),
        Field("surveillance", "ratio to usual", 0, 20, "effort of surveillance", (), 1.0),
        Field("credibility", "fraction", 0, 1, "credibility of the challenger", (), 0.0),
        Field("registration", "switch", 0, 1, "the host registers", (), 0.0),
    ],
    catalogue().outputs.values(),
    catalogue().measures.values(),
)


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return CATALOGUE


@pytest.fixture(scope="session")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return new_case(tmp_path_factory.mktemp("pristine") / "montara", CATALOGUE)


@pytest.fixture
def folder(pristine: Path, tmp_path: Path) -> Path:
    """A case folder to be spoilt."""
    return Path(shutil.copytree(pristine, tmp_path / "montara"))


@pytest.fixture(scope="session")
def case(pristine: Path) -> Case:
    return load_case(pristine, CATALOGUE)


def edit(folder: Path, file: str, old: str, new: str) -> None:
    """Replace a text that occurs in a file (its first occurrence)."""
    path = folder / file
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{old!r} is not in {file}"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def line_of(path: Path, text: str) -> int:
    """Return the number of the last line that holds a text."""
    lines = path.read_text(encoding="utf-8").splitlines()
    numbers = [number for number, line in enumerate(lines, 1) if text in line]
    assert numbers, f"{text!r} is not in {path}"
    return numbers[-1]
