"""The house: imports between packages go one way, and those between questions too, also inside functions.

A package may import what is named here, and no other package of Breakrank. The rows stand from the ground up.
"""

import ast
from functools import cache
from pathlib import Path

import pytest

from tests.project.trees import DESK, PACKAGE, nodes, sources

GROUND = {
    "draws",
    "errors",
    "kernel",
    "kernel_files",
    "leftovers",
    "literature",
    "old_names",
    "plugins",
    "spec",
    "table",
    "wording",
}
"""Single files that any package may import."""
GROUND |= {"units"}

LAYERS: dict[str, set[str]] = {
    "case": set(),
    "force": {"case"},
    "engine": {"case", "force"},
    "mechanisms": {"case", "force", "engine"},
    "model": {"case", "force", "engine", "mechanisms"},
    "results": {"case", "engine", "model"},
    "show": {"case", "results"},
    "runs": {"case", "force", "engine", "model", "results"},
    "answer": {"case", "results", "show", "runs"},
    "inference": {"answer", "case", "force", "engine", "model", "results", "show", "runs"},
    "questions": {
        *("answer", "case", "force", "inference", "lives", "mechanisms", "model", "results", "show", "runs")
    },
    "lives": {"answer", "case", "force", "engine", "mechanisms", "model", "results", "runs", "show"},
    "page": {"answer", "case", "force", "lives", "model", "questions", "results", "runs", "show"},
    "cli": {"answer", "case", "page", "questions", "results", "runs", "show"},
}
QUESTIONS: dict[str, set[str]] = {
    "declared": set(),
    "paired": set(),
    "run": {"paired"},
    "compare": {"declared", "paired"},
    "sweep": {"declared", "paired"},
    "examine": {"declared", "paired"},
    "guide": {"declared", "paired"},
    "plan": {"declared", "paired"},
    "explain": {"declared", "paired"},
    "forecasters": set(),
    "hindcast": {"forecasters"},
    "forecast": {"forecasters", "hindcast", "plan"},
}
METHODS = {("breakrank.results.result", to) for to in ("answer", "questions", "show")}
"""A result draws itself and writes its report: the only arrows back, inside methods."""
DECLARED = "breakrank.questions.declared"
"""Calls what answers a question, inside methods too."""


def imported(path: Path, inside: bool = True, of: str = "breakrank") -> set[tuple[str, ...]]:
    """Return what a file imports of a package, also inside functions: each name in parts."""
    out = set()
    functions = [n for n in nodes(path) if isinstance(n, ast.FunctionDef) and not inside]
    hidden = {id(n) for function in functions for n in ast.walk(function)}
    for node in nodes(path):
        if id(node) in hidden:
            continue
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == of:
            parts = node.module.split(".")[1:]
            out |= {(*parts, alias.name) for alias in node.names}
        elif isinstance(node, ast.Import):
            out |= {tuple(a.name.split(".")[1:]) for a in node.names if a.name.startswith(f"{of}.")}
    return out


@cache
def arrows() -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """Return every import inside the package: who, his parts, and the parts of what he imports."""
    out = []
    for path in sources():
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        if len(parts) > 1 or parts[0] == "model":
            parts = parts[:-1] if parts[-1] == "__init__" else parts
            out += [(".".join(("breakrank", *parts)), parts, to) for to in imported(path)]
    return out


def test_every_package_has_its_row() -> None:
    folders = {p.parent.name for p in PACKAGE.glob("*/__init__.py")}
    assert folders | {"model"} == set(LAYERS)
    assert {p.stem for p in PACKAGE.glob("questions/[!_]*")} == set(QUESTIONS)


@pytest.mark.parametrize("table", [LAYERS, QUESTIONS], ids=["packages", "questions"])
def test_the_tables_hold_no_circle(table: dict[str, set[str]]) -> None:
    left = dict(table)
    while left:
        free = [name for name, below in left.items() if not below & left.keys()]
        assert free, f"a circle among {sorted(left)}"
        for name in free:
            del left[name]


def test_packages_import_what_is_below_them() -> None:
    wrong = [
        f"{who} imports breakrank.{'.'.join(to)}"
        for who, parts, to in arrows()
        if to[0] in LAYERS and to[0] != parts[0] and to[0] not in LAYERS[parts[0]]
        if (who, to[0]) not in METHODS
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("package", [PACKAGE, DESK], ids=["core", "desk"])
def test_no_files_import_each_other_not_even_for_types(package: Path) -> None:
    """Imports for types and inside functions count too, but those inside the methods of :data:`METHODS`.

    So do not those with which an answer calls what shows it, and a question what answers it.
    """
    files = {path.relative_to(package).with_suffix("").parts: path for path in sources(package)}
    files = {(p[:-1] if p[-1] == "__init__" else p): path for p, path in files.items()}
    methods = {tuple(who.split(".")[1:]) for who, _ in METHODS} | {("answer", "answer")}
    methods |= {who for who in files if who[:1] != ("answer",) and who[-1:] == ("question",)}
    methods.add(("questions", "declared"))
    left: dict[tuple[str, ...], set[tuple[str, ...]]] = {}
    for who, path in files.items():
        names = imported(path, who not in methods, package.name)
        left[who] = {to if to in files else to[:-1] for to in names} & files.keys() - {who, ()}
    left.pop(())  # the public names, which are loaded when they are asked for
    while left:
        above = set().union(*left.values())
        free = [who for who, below in left.items() if not below & left.keys() or who not in above]
        assert free, "a circle among " + ", ".join(sorted(".".join(who) for who in left))
        for who in free:
            del left[who]


def test_the_core_imports_nothing_of_the_desk() -> None:
    """Not by an import, and not by a name that something else may import."""
    assert not [str(path) for path, text in sources().items() if "breakrank_desk" in text]


def test_the_desk_imports_the_reading_and_writing_of_a_case_and_what_any_addition_may() -> None:
    allowed = {
        *(("case",), ("load_case",)),
        *(("errors",), ("wording",)),
        *(("cli", "options"), ("show", "terminal")),
        *(("plugins",), ("page", "state"), ("page", "question")),
    }
    names = {(path.name, to) for path in sources(DESK) for to in imported(path)}
    assert not [one for one in names if not {one[1][:1], one[1][:2]} & allowed]
    assert not [one for one in allowed if not any(to[: len(one)] == one for _, to in names)]


def test_questions_import_what_is_below_them() -> None:
    wrong = [
        f"{who} imports breakrank.{'.'.join(to)}"
        for who, parts, to in arrows()
        if parts[0] == to[0] == "questions" and len(parts) > 1 and who != DECLARED
        if to[1] != parts[1] and to[1] not in QUESTIONS[parts[1]]
    ]
    assert not wrong, "\n".join(wrong)


def test_every_allowed_arrow_is_there() -> None:
    """A table that allows more than there is would not notice when it comes back."""
    there = {(p[0], t[0]) for _, p, t in arrows()}
    inside = {
        (p[1], t[1])
        for who, p, t in arrows()
        if p[0] == t[0] == "questions" and len(p) > 1 and who != DECLARED
    }
    assert not {(a, b) for a, below in LAYERS.items() for b in below} - there
    assert not {(a, b) for a, below in QUESTIONS.items() for b in below} - inside
    assert {(who, to) for who, to in METHODS} <= {(w, t[0]) for w, _, t in arrows()}


def test_no_file_at_the_ground_imports_a_package() -> None:
    wrong = [
        f"{name} imports breakrank.{'.'.join(to)}"
        for name in sorted(GROUND)
        if (PACKAGE / f"{name}.py").exists()
        for to in imported(PACKAGE / f"{name}.py")
        if to[0] in LAYERS
    ]
    assert not wrong, "\n".join(wrong)


def test_nothing_but_what_a_case_names_imports_the_civil_war() -> None:
    for path in PACKAGE.rglob("*.py"):
        if (
            "civil_war" not in path.parts and path.name != "plugins.py"
        ):  # which tells the names a case may use
            assert "civil_war" not in path.read_text("utf-8"), path
