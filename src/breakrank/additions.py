"""What installed packages add to Breakrank: commands, and requests that the page answers.

A package offers each by an entry point, whose name is that of the command, or of the view that asks. Nothing
of the package is imported before it is called for.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from breakrank.errors import UsageError

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    Handler = Callable[[Request], Awaitable[Response]]


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

    A handler reads its request with :func:`breakrank.page.request_body.read`, and may raise any
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
