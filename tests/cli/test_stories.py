"""``breakrank stories``: a table with lives, or one JSON object."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Outcome

Call = Callable[..., Outcome]


@pytest.mark.parametrize("columns", [80])
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
