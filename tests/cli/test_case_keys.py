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
