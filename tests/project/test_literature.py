"""The bibliography: its form, and that every citation has an entry and every entry a citation."""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
import yaml

from breakrank.literature import BIBLIOGRAPHY, OUTLETS, SOFTWARE, citations, cited, software, works
from breakrank.spec import defaults
from tests.project.trees import PACKAGE, parsed, sources
from tools.reference import PAGES

ROOT = Path(__file__).parents[2]
TEXTS = [
    path
    for folder, ending in (
        ("src", "*.py"),
        ("src", "*.yaml"),
        ("docs", "*.md"),
        ("examples", "*.py"),
        ("benchmarks", "*.yaml"),
    )
    for path in sorted((ROOT / folder).rglob(ending))
    if "generated" not in path.parts and "_build" not in path.parts
]
DATES = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d{4}$"
CASES = r"(?:Crimea 2014|East Germany 1989|Philippines 1986|Syria 2011|Venezuela 2019)$"
OTHER = {
    "By 2019",
    "IISS, Military Balance 2019",
    "NPR 2019",
    "Since 1950",
    "Sphere Handbook 2018",
    "The Military Balance 2019",
    "UNHCR's Mandate 2003",
    "Write 2019",
}
"""Capitals before a year that are no authors: reports cited by title, and beginnings of sentences."""


def unresolved(text: str) -> list[str]:
    found = [words for words, work in citations(text) if work is None and words not in OTHER]
    return [words for words in found if not re.search(f"{DATES}|{CASES}", words)]


def test_every_citation_has_an_entry() -> None:
    found = {path.relative_to(ROOT).as_posix(): unresolved(path.read_text("utf-8")) for path in TEXTS}
    assert {path: words for path, words in found.items() if words} == {}


def test_every_entry_is_cited() -> None:
    known = {work.key for work in cited(*(path.read_text(encoding="utf-8") for path in TEXTS))}
    assert set(works()) - known == set()


@pytest.mark.parametrize(
    "text",
    [
        "Kuran 1991",
        "(Kuran 1991; McAdam 1986)",
        "See Morris and Shin (1998)",
        "S. Morris and H. S. Shin (2003)",
        "Albrecht, Koehler and Schutz 2021",
        "Litz et al. 2009",
        "Bou Nassif 2015",
        "Costa\n# and Kahn 2003",
        "Craig, Goldstein, Seheult and Smith 1997",
    ],
)
def test_a_citation_is_found_however_it_is_written(text: str) -> None:
    assert len(cited(text)) == 1 + text.count(";")


def test_the_file_has_one_field_a_line() -> None:
    entries = BIBLIOGRAPHY.read_text(encoding="utf-8").split("\n@")[1:]
    for entry in entries:
        head, *fields, last = entry.strip().splitlines()
        assert re.fullmatch(r"\w+\{\w+,", head), head
        assert last == "}", head
        assert all(re.fullmatch(r"  \w+ = \{.+\},", line) for line in fields), head
    assert len(entries) == len(works()) + 1


def test_entries_are_whole_and_told_apart() -> None:
    for work in works().values():
        assert {"author", "year", "title", "keywords"} <= set(work.fields), work.key
        assert sum(name in work.fields for name in OUTLETS) == 1, work.key
        assert work.fields["keywords"] in ("theory", "method"), work.key
        assert work.fields.get("note", "not checked") == "not checked", work.key
    assert len({(work.surnames[0], work.fields["year"]) for work in works().values()}) == len(works())


def test_breakrank_is_cited_as_its_citation_file_says() -> None:
    said = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    entry = software(said["version"])
    assert f"title = {{{said['title']}}}" in entry
    assert said["authors"][0]["name"] in entry
    assert f"version = {{{said['version']}}}" in entry
    assert SOFTWARE not in works()


def test_a_number_from_the_literature_names_its_work() -> None:
    """An author beside a number means that the number is theirs, or the page says "theory only"."""
    page = "\n".join(PAGES["parameters"]())
    for name, entry in defaults().items():
        if entry["basis"] == "literature":
            assert cited(entry["source"]), name
        if entry.get("theory"):
            assert f"Theory only: *{entry['theory']}.*" in page, name


def has_number(tree: ast.AST) -> bool:
    return any(
        isinstance(node, ast.Constant) and isinstance(node.value, int | float) for node in ast.walk(tree)
    )


def notes_on_numbers() -> Iterator[tuple[str, str]]:
    """Yield the note under each numeric constant of the package, and comments on numbers of the cases."""
    for path in sources():
        for before, after in pairwise(parsed(path).body):
            note = after.value if isinstance(after, ast.Expr) else None
            assigns = isinstance(before, ast.Assign | ast.AnnAssign) and has_number(before)
            if assigns and isinstance(note, ast.Constant):
                yield f"{path.name}:{before.lineno}", str(note.value)
    for path in (PACKAGE / "case" / "library").rglob("parameters.yaml"):
        for comment in re.findall(r"(?:^ *#.*\n)+", path.read_text("utf-8"), re.M):
            yield f"{path.parent.name}: {comment[:40]}", comment


def is_attributed(note: str) -> bool:
    """Whether a note says of its authors that the number is theirs ("by ..."), or only the theory."""
    line = " ".join(note.split())
    named = re.search(r"\bby [A-Z]|\bby the [A-Z]", line.partition("Theory only:")[0])
    return not cited(note) or "theory only:" in line.lower() or named is not None


def test_an_author_beside_a_constant_gave_the_number_or_the_theory_only() -> None:
    notes = list(notes_on_numbers())
    assert sum(bool(cited(note)) for _, note in notes) > 15
    assert [where for where, note in notes if not is_attributed(note)] == []
