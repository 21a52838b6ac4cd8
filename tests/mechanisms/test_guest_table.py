"""The table of guests against lists: rows in the order of coming, and who is still here."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from breakrank.draws import decision, fraction
from breakrank.mechanisms.guest_table import (
    ELSEWHERE,
    HELD,
    IN_SITE,
    NOT_PLACED,
    OF_GUEST,
    PRIVATE_HOME,
    SETTLED,
    STAYS,
    STREET,
    add_guest,
    draws_here,
    in_care,
    in_town,
    let_go,
    no_guests,
    with_room,
)
from tests.engine.stage import Stage
from tests.mechanisms.plain import four
from tests.mechanisms.plain_guests import households, just_come, some_guests

seeds = st.integers(0, 2**32)
N = 12


def test_names_and_codes_of_stays_belong_together() -> None:
    named = {"site": IN_SITE, "private": PRIVATE_HOME, "street": STREET, "settled": SETTLED, "held": HELD}
    assert all(STAYS[code] == name for name, code in named.items())
    assert [STAYS[s] for s in range(len(STAYS)) if in_care(s)] == ["site", "private", "street"]
    assert [STAYS[s] for s in range(len(STAYS)) if in_town(s)] == ["site", "private", "street", "settled"]
    assert in_care(NOT_PLACED)
    assert in_town(NOT_PLACED)
    assert not in_town(ELSEWHERE)


comings = st.lists(
    st.tuples(st.integers(0, N - 1), st.integers(0, 5), st.sampled_from(range(len(STAYS))), st.booleans()),
    max_size=30,
)


@settings(max_examples=100, deadline=None)
@given(comings)
def test_coming_going_and_coming_again_agrees_with_lists(days: list[tuple[int, int, int, bool]]) -> None:
    """Each day one comes if he is not here, ends up somewhere, and the gone are counted in the evening."""
    g = no_guests(np.zeros(N, np.int32), room=2)
    order: list[int] = []  # by soldier, as they first came
    here: list[int] = []
    where: dict[int, tuple[int, int]] = {}
    for day, (i, relatives, stay, spy) in enumerate(days):
        if i not in here:
            g = with_room(g, 1)
            k = add_guest(g, i, 100 + i, day, relatives, relatives // 2, spy, 0.25)
            order += [] if i in order else [i]
            here.append(i)
            assert k == order.index(i)
            where[i] = NOT_PLACED, relatives
            assert vars(households(g)[k]) == just_come(i, 100 + i, day, relatives, relatives // 2, spy, 0.25)
        k = order.index(i)
        g.stay[k] = stay
        where[i] = stay, where[i][1]
        let_go(g)
        here = [j for j in here if where[j][0] in (NOT_PLACED, *range(SETTLED + 1), HELD)]
        assert g.used.tolist() == [len(order), len(here)]
        assert [int(g.who[k]) for k in g.here[: g.used[1]]] == here
        assert g.row.tolist() == [order.index(j) + 1 if j in order else 0 for j in range(N)]
        for s in range(len(STAYS)):
            gone = [where[j] for j in order if j not in here and where[j][0] == s]
            assert g.gone[:, s].tolist() == [len(gone), sum(family for _, family in gone)]


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


@settings(max_examples=30, deadline=None)
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
