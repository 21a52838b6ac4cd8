"""Write the pages of the reference, which are committed.

Building the documentation writes the pages too.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from breakrank import list_cases, load_case
from breakrank.answer.question import KeptRunsQuestion
from breakrank.case.ensemble import drawable
from breakrank.case.models_parameters import Basis
from breakrank.engine.codes import AGAINST, OPTIONS
from breakrank.literature import works
from breakrank.model import MECHANISMS, Model, build
from breakrank.questions.declared import QUESTIONS
from breakrank.results.measures import counted_until
from breakrank.results.outcomes import known_from
from breakrank.runs.reference import PAGES as OF_CASES
from breakrank.runs.reference import plain, table
from breakrank.wording import listed

if TYPE_CHECKING:
    from breakrank.answer.question import Option, Question

FOLDER = Path(__file__).parents[1] / "docs" / "reference" / "generated"
Row = tuple[str, ...]
CASE = "venezuela-2019"
SOLDIERS = 1000
"""Strength of the force that is built to be described: what is said does not depend on it."""


def built() -> Model:
    """Return the model of a built-in case, with a small force."""
    case = load_case(CASE, "point").set({"force.strength": SOLDIERS})
    return Model(case, build(case, seed=1))


def day() -> tuple[Row, Sequence[Row]]:
    """Return the steps of a day, in order: phase, mechanism, description."""
    rows, phase = [], ""
    for line in built().plan().splitlines()[1:]:
        if line.startswith("    "):
            name, _, said = line.strip().partition(" ")
            rows.append((phase, f"`{name}`", said.strip()))
            phase = ""
        else:
            phase = f"**{line.strip()}**"
    return ("phase", "mechanism", "what it does"), rows


def state() -> tuple[Row, Sequence[Row]]:
    """Return the tables that change in a run: what each holds, and its variables."""
    days = built().days
    given = {type(table) for mechanism in days.mechanisms for table in mechanism.given}
    rows = [
        (f"`{name}`", first_sentence(kind), ", ".join(f"`{field}`" for field, _, _ in kind.declared()))
        for kind, name in sorted(days.state.names.items(), key=lambda each: each[1])
        if kind not in given
    ]
    return ("table", "what it holds", "variables"), rows


def first_sentence(kind: object) -> str:
    """Return the first sentence of a docstring, without what it refers to."""
    text = " ".join((inspect.getdoc(kind) or "").split())
    return re.split(r"[;:,] see |\. |\.$", text)[0] + "."


def choice() -> tuple[Row, Sequence[Row]]:
    """Return every term of a utility: mechanism, what it says, and for which options it counts."""
    rows = []
    for kind in MECHANISMS:
        for term in kind.terms:
            counts: dict[str, list[str]] = {}
            for option, factor in term.options.items():
                name = option if isinstance(option, str) else OPTIONS[option]
                counts.setdefault(in_words(factor), []).append(name)
            said = "; ".join(f"{acts(names)}{factor}" for factor, names in counts.items())
            rows.append((f"`{term.name}`", term.about + (" (base rate)" if term.base else ""), said))
    return ("term", "what it says", "counts for"), rows


def acts(names: list[str]) -> str:
    """Return the names of options, or that they are all that are against the regime."""
    return "every act against the regime" if names == [OPTIONS[each] for each in AGAINST] else listed(names)


def in_words(factor: float | str) -> str:
    """Return with which factor a term counts, in words; nothing for 1."""
    if isinstance(factor, str):
        return f" (times `{factor}`)"
    return "" if factor == 1 else f" (times {factor:g})"


def draws() -> tuple[Row, Sequence[Row]]:
    """Return the named decisions of mechanisms and force, by the first word of their names."""
    found: dict[str, set[str]] = {}
    for package in ("force", "engine", "mechanisms"):
        whole = importlib.import_module(f"breakrank.{package}")
        for module in pkgutil.walk_packages(whole.__path__, f"{whole.__name__}."):
            source = inspect.getsource(importlib.import_module(module.name))
            for part, what in re.findall(r'\bdecision\(\s*"(\w+)\.(\w+)"', source):
                found.setdefault(part, set()).add(f"`{what}`")
    rows = [(f"`{part}`", ", ".join(sorted(each))) for part, each in sorted(found.items())]
    return ("mechanism", "decisions"), rows


def parameters_by_mechanism() -> tuple[Row, Sequence[Row]]:
    """Return how many parameters each mechanism has: free ones, and constants by what they come from."""
    case = load_case(CASE, "point")
    free, basis = drawable(case), {name: each.basis for name, each in case.parameters.items()}
    kinds = get_args(Basis)
    names = [name for name in basis if basis[name]]
    rows = []
    for part in dict.fromkeys(name.partition(".")[0] for name in names):
        mine = [name for name in names if name.startswith(f"{part}.")]
        inferred = ", ".join(f"`{name.partition('.')[2]}`" for name in mine if name in free)
        counts = (str(sum(basis[name] == kind for name in mine)) for kind in kinds)
        rows.append((f"`{part}`", str(len(mine)), inferred, *counts))
    return ("mechanism", "parameters", "of these inferred", *(f"by {kind}" for kind in kinds)), rows


def mechanisms() -> Iterator[str]:
    """Describe each mechanism by its own docstring, in the order of the day."""
    for kind in MECHANISMS:
        yield plain(kind.described()) + "\n"


def publication() -> Iterator[str]:
    """List the figures of the built-in cases by the day from which they are known."""
    for name in list_cases():
        case = load_case(name, "point")
        known = {t.id: known_from(t, case) for t in case.targets}
        yield f"### {case.title}\n"
        rows = [
            (t.label, f"{counted_until(t)}", f"{known[t.id] or 'never published'}")
            for t in sorted(case.targets, key=lambda t: (str(known[t.id]), t.date))
        ]
        yield from table(("figure", "counts until", "known from"), rows)


def literature() -> Iterator[str]:
    """List the works of the bibliography, those on people and armies first."""
    unchecked = sum(not work.is_checked for work in works().values())
    yield (
        f"{len(works())} works. Author, title, year and outlet of {len(works()) - unchecked} were compared "
        f"with another bibliography. {unchecked} could not be compared; they are marked *not checked*.\n"
    )
    for heading, group in (("Theory and evidence", "theory"), ("Methods", "method")):
        yield f"## {heading}\n"
        for work in works().values():
            if work.fields["keywords"] == group:
                yield f"- {work.reference('*')}{'' if work.is_checked else ' *Not checked.*'}"
        yield ""


def odd(described: Callable[[], tuple[Row, Sequence[Row]]]) -> Iterator[str]:
    """Show a table of the model's description after the ODD protocol."""
    head, rows = described()
    yield from table(head, [tuple(map(plain, row)) for row in rows])


HEAD = ("on the command line", "in Python", "default", "range", "meaning")


def reference(kinds: Iterable[type[Question]]) -> Iterator[str]:
    """Yield the lines of a page: each question in its own words, with a table of its options."""
    for kind in kinds:
        yield f"## `breakrank {kind.name}`\n"
        yield f"{plain(inspect.getdoc(kind) or '')}\n"
        yield from table(HEAD, (_row(one) for one in kind.options() if not one.shared))
    yield "## Options of every question that runs answer\n"
    yield from table(HEAD, map(_row, KeptRunsQuestion.options()))


def _row(one: Option) -> tuple[str, ...]:
    default = "obligatory" if one.required else f"`{one.default}`" if one.says_default else ""
    flag = "" if one.typed is object else f"`{one.flag}`"
    return flag, f"`{one.name}`", default, one.range, one.help


PAGES: Mapping[str, Callable[[], Iterator[str]]] = {
    **OF_CASES,
    "mechanisms": mechanisms,
    "publication": publication,
    "literature": literature,
    "odd-day": partial(odd, day),
    "odd-state": partial(odd, state),
    "odd-choice": partial(odd, choice),
    "odd-draws": partial(odd, draws),
    "odd-parameters": partial(odd, parameters_by_mechanism),
    "questions": partial(reference, QUESTIONS),
}
"""The pages by name; they are committed under docs/reference/generated."""


def page(name: str) -> str:
    """Return one of :data:`PAGES`."""
    return "\n".join(PAGES[name]()) + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in PAGES:
        (FOLDER / f"{name}.inc.md").write_text(page(name), encoding="utf-8")
