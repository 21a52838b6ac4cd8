"""The libraries of optional extras, asked for before the first chart, report or plan is made."""

from __future__ import annotations

import importlib

from breakrank.errors import UsageError


def require(what: str, *modules: str, extra: str = "report") -> None:
    """Make sure that the libraries behind charts, reports and plans are there.

    Raises
    ------
    UsageError
        naming the extra to install, where one of `modules` is missing.
    """
    for module in modules:
        try:
            importlib.import_module(module)
        except ImportError as error:
            raise UsageError(
                f"{what} needs {module}, which is not installed. "
                f"It comes with the optional extra {extra!r}: pip install 'breakrank[{extra}]'"
            ) from error
