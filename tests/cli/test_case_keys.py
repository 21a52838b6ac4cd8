"""``breakrank case keys``: every file, and what it names."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Call


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ((), "targets"),
        (("targets", "pledges"), "Pledges given to a plot"),
        (("parameters", "kin_abroad"), "national"),
        (("patterns", "guards"), "fact of a soldier"),
        (("crossings", "capacity"), "In routes:"),
        (("mechanisms",), "In case:"),
        (("checkpoints",), "In routes:"),
        (("relatives who",), "In parameters:"),
        (("events", "revelation"), "add 0.2 to 2"),
    ],
)
def test_what_is_asked_is_told(call: Call, asked: tuple[str, ...], told: str) -> None:
    done = call("case", "keys", *asked)
    assert done.code == 0
    assert told in done.out
    assert "`" not in done.out


def test_a_wrong_name_is_told_all_files_with_a_line_each(call: Call) -> None:
    done = call("case", "keys", "crosings")
    assert done.code == 2
    assert "did you mean 'crossings'" in done.err
    lines = {words[0]: words[1:] for line in done.err.splitlines() if (words := line.split())}
    assert lines["routes"][:3] == ["roads,", "roads_basis,", "crossings"]
    assert "force," in lines["parameters"]
    assert {"case", "force", "fields", "targets", "patterns"} <= {*lines}
    plain = call("case", "keys")
    assert plain.out.splitlines() == [one for one in done.err.splitlines() if one.startswith("  ")]


def test_only_what_stands_below_a_key_is_told(call: Call) -> None:
    out = call("case", "keys", "crossings").out
    assert "checkpoints" not in out  # of a road
    assert "schedule" in out
    assert "war.opportunities" not in call("case", "keys", "high_command").out
