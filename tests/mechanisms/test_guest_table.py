"""The table of guests against lists: rows in the order of coming, and who is still here."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from breakrank.draws import decision, fraction
from breakrank.mechanisms.guest_table import OF_GUEST, draws_here, with_room
from tests.engine.stage import Stage
from tests.mechanisms.plain import four
from tests.mechanisms.plain_guests import households, some_guests

seeds = st.integers(0, 2**32)


def test_room_is_made_and_nothing_lost() -> None:
    stage = Stage(1, n=30)
    g = some_guests(stage)
    before = households(g)
    assert with_room(g, len(g.who) - int(g.used[0])) is g
    room = len(g.who)
    larger = with_room(g, room)
    assert len(larger.who) >= int(g.used[0]) + room
    assert households(larger) == before
    assert larger.here[: g.used[1]].tolist() == g.here[: g.used[1]].tolist()
    assert all(getattr(larger, name).dtype == getattr(g, name).dtype for name in OF_GUEST)
    assert larger.row is g.row
    assert larger.used is g.used


@given(seeds, st.integers(0, 3_000_000))
def test_draws_of_those_here_are_their_own(seed: int, when: int) -> None:
    stage = Stage(seed)
    g = some_guests(stage)
    out = np.empty((4, int(g.used[1])), np.uint32)
    draws_here(stage.run.key, int(decision("exile.live")), g, when, out)
    for a, k in enumerate(g.here[: g.used[1]]):
        assert tuple(fraction(word) for word in out[:, a]) == four(
            stage, "exile.live", int(g.who[k]), when=when
        )
