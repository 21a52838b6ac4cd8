"""The libraries of the ``report`` extra, asked for before the first chart or report is made."""

from __future__ import annotations

import importlib

from breakrank.errors import UsageError


def require(what: str, *modules: str) -> None:
    """Make sure that the libraries behind charts and reports are there.

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
                "It comes with the optional extra 'report': pip install 'breakrank[report]'"
            ) from error
