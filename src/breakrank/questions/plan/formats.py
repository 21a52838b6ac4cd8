"""In which formats a plan can be written, and what each needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from types import MappingProxyType

from breakrank.errors import UsageError, nearest

NEEDS: Mapping[str, tuple[tuple[str, ...], str]] = MappingProxyType(
    {
        "html": ((), ""),
        "pdf": (("typst",), "plan"),
        "xlsx": (("xlsxwriter",), "plan"),
        "csv": ((), ""),
        "svg": ((), ""),
        "png": ((), ""),
    }
)
"""The libraries that each format needs, and the optional extras they come with."""

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
        extras = ",".join(dict.fromkeys(e for n in left for e in NEEDS[n][1].split(",")))
        return found, f"not written: {', '.join(left)}; install them with pip install 'breakrank[{extras}]'"
    names = tuple(dict.fromkeys(asked))
    if names == (none,):
        return (), ""
    for name in names:
        if name not in NEEDS:
            raise UsageError(f"no format {name!r}{nearest(name, NEEDS)} (known: {', '.join(NEEDS)})")
        if missing := lacking(name):
            raise UsageError(
                f"writing {name} needs {' and '.join(missing)}, which is not installed. It comes with "
                f"optional extras: pip install 'breakrank[{NEEDS[name][1]}]'"
            )
    return names, ""


def lacking(name: str) -> tuple[str, ...]:
    """Return the libraries that a format needs and that are not installed."""
    return tuple(module for module in NEEDS[name][0] if find_spec(module) is None)
