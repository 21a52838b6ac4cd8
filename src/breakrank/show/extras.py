"""The libraries of optional extras, asked for before the work that needs them begins."""

from __future__ import annotations

import importlib

from breakrank.errors import UsageError


def require(what: str, *modules: str, extra: str) -> None:
    """Make sure that the libraries of an optional extra are installed.

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
