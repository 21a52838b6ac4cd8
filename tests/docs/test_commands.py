"""Commands that pages show can be read: they exist, with the options and values that they are given."""

from __future__ import annotations

import re
from shlex import split

import pytest

from breakrank.cli.app import app
from tests.project.test_plain_english import PAGES

BLOCK = re.compile(r"```console\n(.*?)```", re.S)
CONTINUED = re.compile(r"\\\n\s*")


def commands(text: str) -> list[str]:
    """Return the calls of Breakrank in blocks of a page, each on one line and without the remark after it."""
    lines = [line for block in BLOCK.findall(text) for line in CONTINUED.sub("", block).splitlines()]
    calls = [line.removeprefix("$ breakrank ") for line in lines if line.startswith("$ breakrank ")]
    return [re.split(r"\s#\s", call)[0] for call in calls if not call.startswith("desk ")]


SHOWN = sorted({call for page in PAGES for call in commands(page.read_text("utf-8"))})


@pytest.mark.parametrize("call", SHOWN)
def test_a_command_that_a_page_shows_can_be_read(call: str) -> None:
    app.parse_args(split(call), exit_on_error=False, print_error=False)


def test_an_option_that_does_not_exist_is_noticed() -> None:
    (call,) = commands("```console\n$ breakrank run crimea-2014 \\\n      --rums 3  # a slip\n```")
    with pytest.raises(Exception, match="rums"):
        app.parse_args(split(call), exit_on_error=False, print_error=False)
