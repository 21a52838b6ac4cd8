"""The parts of the reference that are written from the code, so that they cannot contradict it."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config

import breakrank.questions
from breakrank.runs.reference import plain, table
from tools.reference import PAGES


def clear_old(app: Sphinx, _: Config) -> None:
    """Remove the pages of modules that an earlier build wrote; those that still exist are written again."""
    for page in (Path(app.srcdir) / "reference" / "generated").glob("*.rst"):
        page.unlink()


def write_all(app: Sphinx) -> None:
    """Write the included files; a file that would stay the same is not touched."""
    folder = Path(app.srcdir) / "reference" / "generated"
    folder.mkdir(parents=True, exist_ok=True)
    module_pages(folder)
    for name, lines in (
        *((name, lines()) for name, lines in PAGES.items()),
        ("cli", commands()),
        ("weighing", weighing()),
    ):
        path, text = folder / f"{name}.inc.md", "\n".join(lines) + "\n"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


PACKAGES = ("case", "force", "engine", "mechanisms", "runs", "results", "lives", "show", "answer")
"""Packages that have a page each, with all of their modules; so has each question."""
FILES = ("errors", "plugins", "spec", "draws", "kernel", "table", "model")
"""Single modules, each with a page."""


def module_pages(folder: Path) -> None:
    """Write a page for each package, with its modules one after the other.

    A page for each module would cost most of the time of a build: the theme draws the tree of all pages anew
    for every page.
    """
    questions = sorted(m.name for m in pkgutil.iter_modules(breakrank.questions.__path__))
    names = (*PACKAGES, *(f"questions.{name}" for name in questions), *FILES)
    for name in names:
        whole = f"breakrank.{name}"
        heading = f"``{whole}``"
        lines = [heading, "=" * len(heading), "", f".. automodule:: {whole}", ""]
        for module in modules_of(whole):
            heading = f"``{module}``"
            lines += [heading, "-" * len(heading), "", f".. automodule:: {module}", ""]
        (folder / f"{whole}.rst").write_text("\n".join(lines), encoding="utf-8")


def modules_of(package: str) -> list[str]:
    """Return the modules of a package, those that it names if it does; none of a single module."""
    whole = importlib.import_module(package)
    inside = getattr(whole, "__path__", None)
    if inside is None:
        return []
    found = [m.name for m in pkgutil.walk_packages(inside, f"{package}.") if not m.name.endswith("__main__")]
    parts = getattr(whole, "__all__", None)
    return [name for name in found if parts is None or name.removeprefix(f"{package}.") in parts]


def commands() -> Iterator[str]:
    """Describe every command as its help does."""
    from cyclopts.docs.markdown import generate_markdown_docs

    from breakrank.cli.app import add_commands, app

    add_commands()
    yield generate_markdown_docs(
        app, heading_level=1, no_root_title=True, generate_toc=False, skip_preamble=True
    ).replace("\n# ", "\n## ")


def weighing() -> Iterator[str]:
    """Show the pass over deciders, its formulas, the state and the phases, for the built-in mechanisms."""
    import breakrank
    from breakrank.model import Model, build

    case = breakrank.load_case("venezuela-2019", "point").set({"force.strength": 1000})
    days = Model(case, build(case, seed=1)).days
    pass_over = days.weigh
    yield "```python"
    yield pass_over.source.rstrip()
    yield "```"
    yield ""
    yield "## The formulas"
    yield ""
    for name, function in pass_over.formulas().items():
        yield f"### {name}"
        yield ""
        yield "```python"
        yield inspect.getsource(function.py_func).rstrip()
        yield "```"
        yield ""
    yield "## The state of a run"
    yield ""
    for kind, name in sorted(days.state.names.items(), key=lambda named: named[1]):
        yield f"### {name}"
        yield ""
        yield plain(inspect.getdoc(kind) or "")
        yield ""
        rows = ((f"`{field}`", type_, axes) for field, type_, axes in kind.declared())
        yield from table(("field", "type", "axes"), rows)
        yield ""
    yield "## The phases of a day"
    yield ""
    for name, phase in days.phase.items():
        yield f"### {name.capitalize()}"
        yield ""
        yield "```python"
        yield phase.source.rstrip()
        yield "```"
        yield ""


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("config-inited", clear_old)
    app.connect("builder-inited", write_all)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
