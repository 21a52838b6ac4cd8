"""``breakrank trace``: one soldier's year in words, or as one JSON object."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Call


def test_json_is_one_object(call: Call, template: Path) -> None:
    done = call("trace", template, "--fate", "serving", "--json", "--seed", 3)
    life = json.loads(done.out)
    assert (done.code, done.err) == (0, "")
    assert (life["provenance"]["seed"], life["provenance"]["runs"]) == (3, 1)
    assert " still served, after " in life["finding"]
