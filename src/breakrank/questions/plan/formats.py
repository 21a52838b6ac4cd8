"""In which formats a plan can be written, and what each needs."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

from breakrank.errors import UsageError, nearest

NEEDS = {"html": "", "pdf": "typst", "xlsx": "xlsxwriter", "csv": "", "svg": "", "png": ""}
"""The library that each format needs; both come with the optional extra ``plan``."""

USUAL = ("html", "pdf", "xlsx", "csv")
"""The formats written unless others are asked for."""


def chosen(asked: Sequence[str] | None, none: str = "") -> tuple[tuple[str, ...], str]:
    """Return the formats to write, and a sentence on what is left out for want of a library, or nothing.

    Without a wish these are the usual ones, as far as they can be made.

    Raises
    ------
    UsageError
        for a format that there is not, or one asked for by name whose library is not installed.
    """
    if asked is None:
        found = tuple(name for name in USUAL if not lacking(name))
        left = [name for name in USUAL if name not in found]
        if not left:
            return found, ""
        return found, f"not written: {', '.join(left)}; install them with pip install 'breakrank[plan]'"
    names = tuple(dict.fromkeys(asked))
    if names == (none,):
        return (), ""
    for name in names:
        if name not in NEEDS:
            raise UsageError(f"no format {name!r}{nearest(name, NEEDS)} (known: {', '.join(NEEDS)})")
        if lacking(name):
            raise UsageError(
                f"writing {name} needs {NEEDS[name]}, which is not installed. It comes with an optional "
                "extra: pip install 'breakrank[plan]'"
            )
    return names, ""


def lacking(name: str) -> bool:
    """Return whether a format needs a library that is not installed."""
    return bool(NEEDS[name]) and find_spec(NEEDS[name]) is None
