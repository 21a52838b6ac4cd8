"""``breakrank stories`` and ``breakrank trace``: tables and lives, or one JSON object."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Call


def test_json_is_one_object_and_until_cuts_the_year(call: Call, template: Path) -> None:
    from breakrank import load_case

    last = load_case(template).calendar.date(20)
    done = call("stories", template, "--runs", 2, "--seed", 4, "--until", last, "--json")
    answer = json.loads(done.out)
    assert (done.code, answer["provenance"]["seed"], answer["provenance"]["finished"]) == (0, 4, 2)
    (loyal,) = (one for one in answer["tables"]["stories"]["rows"] if one["id"] == "loyal")
    counts = [one["count"] for one in answer["tables"]["counts"]["rows"] if one["id"] == "loyal"]
    assert len(counts) == 2
    assert loyal["q05"] <= loyal["median"] <= loyal["q95"]
    soldier = loyal["soldier"].partition(" of run ")[0]
    told = call("trace", template, "--soldier", soldier, "--seed", 4, "--until", last, "--json")
    assert json.loads(told.out)["tables"]["events"]["rows"][-1]["date"] == last.isoformat()
