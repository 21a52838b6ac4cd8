"""``breakrank case keys``: every file, and what it names."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cli.conftest import Outcome

Call = Callable[..., Outcome]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ((), "targets"),
        (("targets",), "at_least"),
        (("targets", "pledges"), "Pledges given to a plot"),
        (("fields", "basket"), "basket"),
        (("parameters", "decision.habit_desert"), "psychological"),
        (("parameters", "kin_abroad"), "national"),
        (("parameters",), "prior"),
        (("routes", "host"), "host"),
        (("patterns", "enlisted"), "enlisted abroad"),
        (("patterns", "guards"), "fact of a soldier"),
        (("rates",), "per_unit"),
        (("crossings",), "capture"),
        (("crossings", "capacity"), "In routes:"),
        (("mechanisms",), "In case:"),
        (("high_command",), "high_command.on"),
        (("branches",), "relative share of orders to repress"),
    ],
)
def test_what_is_asked_is_told(call: Call, asked: tuple[str, ...], told: str) -> None:
    done = call("case", "keys", *asked)
    assert done.code == 0
    assert told in done.out
    assert "`" not in done.out


def test_what_is_not_there_is_said(call: Call) -> None:
    assert "targets" in call("case", "keys", "target").err
    assert call("case", "keys", "targets", "xyzzy").code == 2


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
    assert "war.moments" not in call("case", "keys", "high_command").out


def test_mechanisms_that_only_some_cases_name_are_known(call: Call) -> None:
    assert "share of the units in a state that fight" in call("case", "keys", "fields", "contact").out
    moments = call("case", "keys", "parameters", "war.moments").out
    assert "0.02" in moments
    assert "went_over" in call("case", "keys", "targets", "went").out
    assert "surrendered in the field" in call("case", "keys", "patterns", "surrendered in the").out
    assert "state, rank, branch in any combination" in call("case", "keys", "targets", "serving").out
    assert call("case", "keys", "fields", "public call").out.count("call  ") == 1
    assert "`war.moments` 0.02" in call("mechanisms", "war").out
