"""What installed packages add: mechanisms, commands, and requests that the page answers.

A package offers a mechanism by an entry point of the group :data:`GROUP`; Breakrank itself offers those of
:data:`OPTIONAL`, which only some cases need. Nothing that is offered acts by itself: a case or a call names
it. A command, or the view of the page that asks, goes by the name of its entry point, and nothing of the
package is imported before it is called for.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import importlib.metadata
import importlib.util
import sys
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from importlib.machinery import ModuleSpec
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

import breakrank
from breakrank.errors import UsageError, nearest
from breakrank.meaning import meaning

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    Handler = Callable[[Request], Awaitable[Response]]


GROUP = "breakrank.mechanisms"
"""The group of entry points by which packages offer mechanisms."""

OPTIONAL: Mapping[str, str] = MappingProxyType(
    {
        "opposition": "breakrank.mechanisms.civil_war.opposition:HomeOpposition",
        "war": "breakrank.mechanisms.civil_war.war:War",
        "composition": "breakrank.mechanisms.civil_war.composition:Composition",
        "cohesion": "breakrank.mechanisms.civil_war.cohesion:Cohesion",
        "local": "breakrank.mechanisms.civil_war.local:Local",
        "dissolution": "breakrank.mechanisms.civil_war.dissolution:Dissolution",
        "registers": "breakrank.mechanisms.registers:Registers",
        "unit_defection": "breakrank.mechanisms.civil_war.unit_defection:UnitDefection",
    }
)
"""Breakrank's own mechanisms that act only where a case names them."""

_OWN = {"breakrank", "numpy", "numba"}
"""Packages whose versions are part of every digest anyway."""


def offered() -> dict[str, EntryPoint]:
    """Return the mechanisms that may be added, by name: Breakrank's own, then those of installed packages."""
    own = [EntryPoint(name, value, GROUP) for name, value in OPTIONAL.items()]
    found = entry_points(group=GROUP)
    return {one.name: one for one in (*own, *sorted(found, key=lambda e: (e.name, e.value)))}


def hint(parameter: str) -> str:
    """Say how to add the installed mechanism that a parameter is of; empty if it is of none."""
    name = parameter.partition(".")[0]
    return f"Add the installed mechanism: --mechanisms {name}." if name in offered() else ""


@cache
def class_named(name: str) -> type:
    """Return the class that goes by a name: one that a package offers, or ``module:Class``.

    Raises
    ------
    UsageError
        where there is none, or it cannot be imported.
    """
    known = offered()
    values = sorted({one.value for one in entry_points(group=GROUP, name=name)})
    values += [OPTIONAL[name]] if name in OPTIONAL else []
    if len(values) > 1:
        raise UsageError(
            f"several packages offer a mechanism {name!r}: {', '.join(values)}\n  Remove all but one."
        )
    if name not in known and ":" not in name:
        raise UsageError(
            f"there is no mechanism {name!r} to add{nearest(name, known)}\n"
            f"  Known: {', '.join(known)}. Others come with the package that offers them: install it."
        )
    value = known[name].value if name in known else name
    module, _, path = value.partition(":")
    try:
        made: object = importlib.import_module(module)
        for part in path.split("."):
            made = getattr(made, part)
    except Exception as error:
        raise UsageError(
            f"the mechanism {name!r} ({value}) cannot be imported: {type(error).__name__}: {error}"
        ) from error
    if not isinstance(made, type):
        raise UsageError(f"the mechanism {name!r} ({value}) is no class")
    return made


def name_of(kind: type) -> str:
    """Return the name by which other processes find a class: as it is offered, or ``module:Class``.

    Raises
    ------
    UsageError
        for a class that no other process can import.
    """
    value = f"{kind.__module__}:{kind.__qualname__}"
    names = [*(name for name, one in offered().items() if one.value == value), value]
    if kind.__module__ == "__main__" or "<locals>" in value or class_named(names[0]) is not kind:
        raise UsageError(
            f"the mechanism {kind.__qualname__} cannot be imported by other processes\n"
            "  Put the class into a module of its own, and start Python anew after changing it."
        )
    return names[0]


def distribution(name: str) -> importlib.metadata.Distribution | None:
    """Return the distribution that offers a mechanism; ``None`` for a ``module:Class`` that none offers."""
    one = offered().get(name)
    return None if one is None else one.dist


def source_digest(kinds: tuple[type, ...]) -> str:
    """Return the SHA-256 (hexadecimal) of what the code does that classes come from.

    Every file counts of the packages or modules that hold the classes, and of what they import beside
    installed packages; of these, the version. Of Python files it is what they do (:mod:`breakrank.meaning`).
    Breakrank's own are left out: the model's digest holds them.
    """
    told, sources = hashlib.sha256(), dict[str, bytes]()
    todo = sorted({kind.__module__.partition(".")[0] for kind in kinds} - {"breakrank"})
    own, seen = set(todo), set(todo)
    while todo:
        name = todo.pop(0)
        spec = importlib.util.find_spec(name)
        if name not in own and _installed(spec):
            told.update(f"{name} {_versions(name)}\n".encode())
            continue
        for relative, path in _files(spec):
            content = path.read_bytes()
            imported = _imported(content) if path.suffix == ".py" else None
            if imported is None:
                told.update(f"{relative} {len(content)}\n".encode() + content)
                continue
            sources[relative] = content
            more = sorted(imported - seen)
            seen.update(more)
            todo += more
    if sources:
        told.update(meaning(sources, _declarations()).encode())
    return told.hexdigest()


def _declarations() -> dict[str, bytes]:
    """Return Breakrank's modules with what mechanisms declare, which say what of a declaration is words."""
    root = Path(breakrank.__file__).parent
    names = ("spec.py", "outputs.py", "engine/mechanism.py")
    return {f"breakrank/{name}": (root / name).read_bytes() for name in names}


def _installed(spec: ModuleSpec | None) -> bool:
    place = Path(spec.origin).parts if spec is not None and spec.origin else ()
    return not {"site-packages", "dist-packages"}.isdisjoint(place)


def _files(spec: ModuleSpec | None) -> list[tuple[str, Path]]:
    """Return the files of a package or module with their relative names, sorted; none of what is built in."""
    if spec is None:
        return []
    if spec.submodule_search_locations is None:
        return [(Path(spec.origin).name, Path(spec.origin))] if spec.has_location and spec.origin else []
    return sorted(
        (path.relative_to(Path(root).parent).as_posix(), path)
        for root in spec.submodule_search_locations
        for path in Path(root).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    )


def _versions(name: str) -> str:
    dists = importlib.metadata.packages_distributions().get(name, ())
    return ", ".join(f"{one} {importlib.metadata.version(one)}" for one in sorted(set(dists)))


def _imported(source: bytes) -> set[str] | None:
    """Return the first parts of the names that a file imports, but for Python's own and Breakrank's.

    None for what is no Python, such as a template.
    """
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return None
    found = set()
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module]
        found |= {name.partition(".")[0] for name in names}
    return found - _OWN - sys.stdlib_module_names


COMMANDS = "breakrank.commands"
"""The group of entry points by which packages offer commands: each is a Cyclopts App of the same name."""
PAGE = "breakrank.page"
"""The group by which packages offer requests of the page: each is called as `open_desk` calls it."""
SEPARATE = {"desk": ("breakrank-desk", "packages/desk")}
"""What Breakrank's own further packages add: the package, and its folder in a checkout."""


def additions(group: str) -> dict[str, EntryPoint]:
    """Return what installed packages offer, by name.

    Raises
    ------
    UsageError
        where several packages offer one name.
    """
    found: dict[str, EntryPoint] = {}
    for one in entry_points(group=group):
        other = found.setdefault(one.name, one)
        if other.value != one.value:
            raise UsageError(
                f"several packages offer {one.name!r} ({group}): {other.value}, {one.value}\n"
                "  Remove all but one."
            )
    return found


def about(one: EntryPoint) -> str:
    """Return the summary of the package that offers something; its help in the list of commands."""
    return "" if one.dist is None else one.dist.metadata["Summary"]


def addition(group: str, name: str) -> Any:  # noqa: ANN401 (whatever the package offers)
    """Import and return what a package offers by a name.

    Raises
    ------
    UsageError
        where no installed package offers it, or it cannot be imported.
    """
    offered = additions(group)
    if name not in offered:
        package, folder = SEPARATE[name]
        raise UsageError(
            f"{package} is not installed; from a checkout of Breakrank: python -m pip install {folder}"
        )
    try:
        return offered[name].load()
    except Exception as error:
        raise UsageError(
            f"{name!r} ({offered[name].value}) cannot be imported: {type(error).__name__}: {error}\n"
            "  Install its package again, in the version of this Breakrank."
        ) from error


class AddedRequests(Protocol):
    """What a package answers: handlers by path, which begins with ``/api/``.

    A handler reads its request with :func:`breakrank.page.question.read`, and may raise any
    :class:`breakrank.errors.BreakrankError`, which the page tells.
    """

    @property
    def get(self) -> Mapping[str, Handler]:
        """What is only read."""

    @property
    def post(self) -> Mapping[str, Handler]:
        """What is sent as JSON."""

    def close(self) -> None:
        """End what works for it; the page ends."""


def open_desk(case: str | Path | None, reports: Path) -> AddedRequests:
    """Open the desk of a case, which ``breakrank-desk`` adds to the page.

    Parameters
    ----------
    case : id of a built-in case, or a case folder.
    reports : folder of the reports.

    Raises
    ------
    UsageError, CaseError
        where no case is named, breakrank-desk is not installed, or the desk cannot be opened.
    """
    if case is None:
        raise UsageError("name the case whose desk to open: breakrank ui my-country --desk reports")
    opened: AddedRequests = addition(PAGE, "desk")(case, reports)
    return opened
