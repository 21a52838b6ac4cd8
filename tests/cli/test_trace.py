"""``breakrank trace``: one soldier's year in words, or as one JSON object."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from tests.cli.conftest import Outcome

Call = Callable[..., Outcome]


def test_json_is_one_object(call: Call, template: Path) -> None:
    done = call("trace", template, "--fate", "serving", "--json", "--seed", 3)
    life = json.loads(done.out)
    assert (done.code, done.err) == (0, "")
    assert (life["provenance"]["seed"], life["provenance"]["runs"]) == (3, 1)
    assert " still served, after " in life["finding"]


def test_what_does_not_exist_is_said(call: Call, template: Path) -> None:
    for arguments, named in (
        ((), "--soldier"),
        (("--soldier", 1, "--fate", "dead"), "--soldier"),
        (("--fate", "servign"), "serving"),
        (("--soldier", 10**9), "identities"),
        (("--soldier", 1, "--set", "feer.on=0"), "fear.on"),
    ):
        done = call("trace", template, *arguments)
        assert (done.code, done.out) == (2, "")
        assert named in done.err
