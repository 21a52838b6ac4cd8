"""The reference of questions as Markdown, written from their declarations."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from breakrank.answer.question import KeptRunsQuestion
from breakrank.runs.reference import plain, table

if TYPE_CHECKING:
    from breakrank.answer.question import Option, Question

HEAD = ("on the command line", "in Python", "default", "range", "meaning")


def reference(kinds: Iterable[type[Question]]) -> Iterator[str]:
    """Yield the lines of a page: each question in its own words, with a table of its options."""
    for kind in kinds:
        yield f"## `breakrank {kind.name}`\n"
        yield f"{plain(inspect.getdoc(kind) or '')}\n"
        yield from table(HEAD, (_row(one) for one in kind.options() if not one.shared))
    yield "## Options of every question that runs answer\n"
    yield from table(HEAD, map(_row, KeptRunsQuestion.options()))


def _row(one: Option) -> tuple[str, ...]:
    default = "obligatory" if one.required else f"`{one.default}`" if one.says_default else ""
    flag = "" if one.typed is object else f"`{one.flag}`"
    return flag, f"`{one.name}`", default, one.range, one.help
