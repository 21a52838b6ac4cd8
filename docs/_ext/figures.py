"""Figures in the documentation: each stands in ``docs/figures.yaml`` with the command that made it.

In a page, ``{made}`3.2 <venezuela-2019.uprisings>``` shows 3.2 and is an error where the file says otherwise.
``{observed}`1,285 <venezuela-2019.registered-april>``` is an error where no figure of that target or
observation of the case holds the number. `python tools/renew_docs.py` makes figures anew.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from collections.abc import Iterable

    from docutils.nodes import Node, system_message
    from docutils.parsers.rst.states import Inliner
    from sphinx.application import Sphinx

DOCS = Path(__file__).resolve().parents[1]
FIGURES = DOCS / "figures.yaml"
BASELINE = DOCS.parent / "tests" / "baseline" / "baseline.json"
CASES = DOCS.parent / "src" / "breakrank" / "case" / "library"
ROLE = re.compile(r"\{(made|observed)\}`([^`<]+?) <([^`>]+)>`")
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


@cache
def written() -> dict[str, dict[str, Any]]:
    """Return what was made, by name: commands, seed, commit, machine, day, state, figures."""
    found: dict[str, dict[str, Any]] = yaml.safe_load(FIGURES.read_text("utf-8")) or {}
    return found


def state(commands: Iterable[str]) -> str:
    """Return a digest of the numbers that something was made with, by the commands that made it.

    They are those of a few small runs of the model, written down to the last bit, and the ensembles of the
    cases that commands of `breakrank` name; benchmarks run cases at fixed values. An edit that moves neither
    leaves it, and with it every figure, as it was.
    """
    worlds = json.loads(BASELINE.read_text("utf-8"))["worlds"]
    found = hashlib.sha256(json.dumps(worlds, sort_keys=True).encode())
    asked = (match for command in commands for match in re.findall(r"\bbreakrank [^|]*", command))
    named = {word for command in asked for word in re.findall(r"[\w-]+", command)}
    for name in sorted(named):
        for file in sorted((CASES / name / "ensemble").glob("*.csv")):
            found.update(file.read_bytes())
    return found.hexdigest()[:12]


def old() -> list[str]:
    """Return the names of what was made with other numbers than today's."""
    return [name for name, made in written().items() if made["state"] != state(made["commands"])]


def fault(kind: str, text: str, name: str) -> str:
    """Return what is wrong with a figure in a page; nothing where it is right.

    Parameters
    ----------
    kind : ``made`` or ``observed``. text : as the page shows it. name : what it names, ``part.figure``.
    """
    part, _, figure = name.partition(".")
    if kind == "made":
        found = written().get(part, {}).get("figures", {}).get(figure)
        if found is None:
            return f"docs/figures.yaml has no figure {name}; tools/renew_docs.py lists those that it makes"
        return "" if str(found) == text else f"{name} is {found} in docs/figures.yaml, not {text}"
    known = observed(part, figure)
    missing = [number for number in NUMBER.findall(text) if float(number.replace(",", "")) not in known]
    return f"no figure of {name} is {', '.join(missing)}" if missing else ""


@cache
def observed(case: str, name: str) -> frozenset[float]:
    """Return the numbers of a target, an observation or the strength of a built-in case, by its name."""
    import breakrank

    found = breakrank.load_case(case, "point")
    rows: list[Any] = [one for one in found.targets if one.id == name]
    rows += [one for one in found.ledger.observations.values() if one.id == name]
    numbers: list[float | None] = [found.value("force.strength")] if name == "strength" else []
    for row in rows:
        bounds = (getattr(row, "at_least", None), getattr(row, "at_most", None))
        numbers += [row.value, *(row.range or ()), *bounds]
    return frozenset(float(number) for number in numbers if number is not None)


def role(
    kind: str,
    rawtext: str,
    text: str,
    lineno: int,
    inliner: Inliner,
    options: dict[str, Any] | None = None,  # noqa: ARG001 (what docutils hands over)
    content: list[str] | None = None,  # noqa: ARG001
) -> tuple[list[Node], list[system_message]]:
    """Return a figure as text, or an error where the files say otherwise."""
    from docutils import nodes

    shown, _, name = text.removesuffix(">").partition(" <")
    wrong = fault(kind, shown, name)
    if wrong:
        return [], [inliner.reporter.error(wrong, line=lineno)]
    node = nodes.inline(rawtext, shown, classes=["figure"])
    return [node], []


def warn(app: Sphinx, _: Exception | None) -> None:
    """Say which figures are older than the model's numbers, also in a quiet build; a release fails then."""
    names = old()
    if names and app.builder.format == "html":
        advice = "Make them anew: python tools/renew_docs.py"
        sys.stderr.write(f"Figures older than the model: {', '.join(names)}. {advice}\n")


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the two roles and the warning."""
    for kind in ("made", "observed"):
        app.add_role(kind, role)
    app.connect("build-finished", warn)
    return {"parallel_read_safe": True}
