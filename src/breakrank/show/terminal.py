"""Words on the terminal: where they go and how wide."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Literal, TypedDict

from breakrank.errors import HIDDEN

NARROWEST, WIDEST = 40, 110


def width() -> int:
    """Return how many columns to use: COLUMNS or the terminal's within reason, else the widest."""
    if not sys.stdout.isatty() and not os.environ.get("COLUMNS"):
        return WIDEST
    return max(NARROWEST, min(WIDEST, shutil.get_terminal_size((WIDEST, 24)).columns))


_OWN = re.compile(r"(\033\[[0-4](?:;[0-4])*m)")
"""Bold, dim, slanted, underlined, plain: what headings and tables are drawn with."""


def visible(text: str) -> str:
    r"""Return a text in which what would act on a terminal, or hide what follows, is shown as ``\u001b``.

    Names of folders and files, and what is typed, may hold such characters; texts of a case may not.
    """
    parts = _OWN.split(text) if sys.stdout.isatty() or sys.stderr.isatty() else [text]
    parts[::2] = [HIDDEN.sub(lambda found: f"\\u{ord(found.group()):04x}", part) for part in parts[::2]]
    return "".join(parts)


_lost: list[str] = []
"""Why standard output takes no more, once it took something no more."""


def open_streams() -> None:
    """Have the three streams be there, and take every character: one they lack is written as a code.

    A stream that the caller closed would give its number, and what is written to it, to the next file that is
    opened. In its place standard output refuses all that is written, and standard error swallows it.
    """
    _lost.clear()
    for number, (name, access) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, os.O_WRONLY if name == "stderr" else os.O_RDONLY)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, access, encoding="utf-8", closefd=False))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def say(text: str = "") -> None:
    """Write a line to standard output; if that takes no more, say so once on standard error and go on."""
    with _as_far_as_it_takes():
        sys.stdout.write(f"{visible(text)}\n")


def say_saved(*lines: str) -> None:
    """Write where something was saved: to standard error where standard output takes no more."""
    for line in lines:
        say(line)
    if not output_taken():
        note("\n".join(filter(None, lines)))


def output_taken() -> bool:
    """Hand on what waits to be written, and tell whether standard output took all of it.

    Raises
    ------
    BrokenPipeError
        if its reader has seen enough.
    """
    with _as_far_as_it_takes():
        sys.stdout.flush()
    return not _lost


@contextmanager
def _as_far_as_it_takes() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        _lost.append(str(error.strerror or error))
        hush()
        note(f"breakrank: standard output cannot be written: {_lost[0]}; files are written all the same")


def note(text: str) -> None:
    """Write a line to standard error, where it does not mix with results; where that is full it is lost."""
    with suppress(OSError):
        sys.stderr.write(f"{visible(text)}\n")


class Head(TypedDict, total=False):
    """How rich lays out a column."""

    justify: Literal["left", "right"]
    no_wrap: bool
    width: int


NUMBER: Head = {"justify": "right"}
WHOLE: Head = {"no_wrap": True}
"""A column whose cells are never broken."""


def say_table(columns: Iterable[tuple[str, Head]], rows: Iterable[Iterable[str]]) -> None:
    """Write a table to standard output (not by rich itself, which ends the process when a pipe is closed).

    Parameters
    ----------
    columns : head of each, and how it is laid out.
    """
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for name, layout in columns:
        table.add_column(Text(name), **layout, overflow="ellipsis" if "no_wrap" in layout else "fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    output_taken()  # rich hands on what waits too, and would raise what that raises
    console = Console(width=width(), highlight=False, force_terminal=sys.stdout.isatty())
    with console.capture() as drawn:
        console.print(table)
    say(drawn.get().rstrip("\n"))


def hush() -> None:
    """Send standard output nowhere from now on: it takes no more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def say_json(content: object) -> None:
    """Write one JSON object to standard output."""
    plain = (sys.stdout.encoding or "utf-8").lower().replace("-", "") != "utf8"
    say(json.dumps(content, indent=2, ensure_ascii=plain, allow_nan=False))


def title(text: str) -> str:
    """Return a heading, bold on a terminal."""
    return f"\033[1m{text}\033[0m" if sys.stdout.isatty() else text


def wrapped(text: str, indent: int = 0) -> str:
    """Return a paragraph broken to the width in use, indented."""
    return _filled(text, " " * indent, " " * indent)


def labelled(label: str, text: str, indent: int = 2, column: int = 12) -> str:
    """Return ``label   text``, the text wrapped in a column of its own."""
    return _filled(text, " " * indent + f"{label:<{column}}", " " * (indent + column))


def _filled(text: str, first: str, later: str) -> str:
    lines = textwrap.wrap(
        " ".join(text.split()),
        width(),
        initial_indent=first,
        subsequent_indent=later,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines)


def clock(seconds: float) -> str:
    """Return a time for reading: ``0:42``, ``2:49`` or ``1:02:49``."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
