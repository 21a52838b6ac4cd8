"""``breakrank stories``: a table with lives, or one JSON object."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Outcome

Call = Callable[..., Outcome]


def test_it_prints_a_table_and_lives(call: Call) -> None:
    done = call("stories", "venezuela-2019", "--runs", 2, "--set", "force.strength=3000", "--workers", 1)
    assert done.code == 0
    for words in (
        "median",
        "all 2 runs",
        "Changed: force.strength = 3000",
        "The breadwinner",
        "[r002 17]",
        "a life      soldier",
        "%)",
    ):
        assert words in done.out
    assert "No real person" in done.out


@pytest.mark.parametrize("columns", [60, 80])
def test_it_keeps_to_the_width(
    call: Call, template: Path, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    done = call("stories", template, "--runs", 2, "--workers", 1)
    assert max(len(line) for line in done.out.splitlines()) <= columns
    assert "Loyal though opposed" in done.out


def test_json_is_one_object_and_until_cuts_the_year(call: Call, template: Path) -> None:
    from breakrank import load_case

    last = load_case(template).calendar.date(20)
    done = call("stories", template, "--runs", 2, "--seed", 4, "--until", last, "--json")
    answer = json.loads(done.out)
    assert (done.code, answer["seed"], answer["runs"]) == (0, 4, [0, 1])
    life = answer["stories"]["loyal"]["example"]
    told = call("trace", template, "--soldier", life["soldier"], "--seed", 4, "--until", last, "--json")
    assert json.loads(told.out)["last"] == last.isoformat()


def test_a_mistake_is_one_message(call: Call, template: Path) -> None:
    for arguments, named in (
        (("--runs", 0), "runs"),
        (("--until", "soon"), "soon"),
        (("--set", "feer.on=0"), "fear.on"),
    ):
        done = call("stories", template, *arguments)
        assert (done.code, done.out) == (2, "")
        assert named in done.err
