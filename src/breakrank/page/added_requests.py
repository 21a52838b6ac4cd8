"""Requests that an installed package answers in the page, beside the page's own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from breakrank.additions import PAGE, addition
from breakrank.errors import UsageError

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    Handler = Callable[[Request], Awaitable[Response]]


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
