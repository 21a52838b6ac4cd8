"""Counter-intelligence: who informs, how long custody lasts, whom a patron frees, when prison ends."""

import math

from hypothesis import given
from hypothesis import strategies as st

from breakrank.engine import codes
from breakrank.engine.records import schedule
from tests.engine.stage import Stage
from tests.mechanisms.plain import column, one

seeds = st.integers(0, 2**32)
SERVICE = "counterintelligence"


@given(seeds, st.floats(0, 1), st.floats(0, 1))
def test_informers_are_drawn_once_and_more_of_them_include_the_fewer(seed: int, a: float, b: float) -> None:
    few, many = (Stage(seed, {f"{SERVICE}.informers": share}) for share in sorted((a, b)))
    for share, stage in zip(sorted((a, b)), (few, many), strict=True):
        drawn = [one(stage, f"{SERVICE}.informer", i) < share for i in range(stage.n)]
        assert column(stage, f"{SERVICE}.informer").tolist() == drawn
    assert not (column(few, f"{SERVICE}.informer") & ~column(many, f"{SERVICE}.informer")).any()


def test_whoever_has_served_his_sentence_is_let_out_and_out_of_the_force() -> None:
    stage = Stage(1, {f"{SERVICE}.prisoners_at_start": 100, f"{SERVICE}.sentence_days": 10}, n=30)
    stage.set_fates((codes.IMPRISONED,))
    for i in range(10):
        schedule(stage.run.records, 0, codes.DUE_FREED, i)
    stage.play[SERVICE].dawn(stage.run)
    assert stage.run.records.fate.tolist() == [codes.DISCHARGED] * 10 + [codes.IMPRISONED] * 20
    stage.play[SERVICE].dusk(stage.run)
    # those of the year before are let out at the same rate; the ten were not counted when they went in
    assert int(stage.run.stocks["political_prisoners"]) + int(stage.run.stocks["held_for_leaving"]) == (
        round(100 * math.exp(-0.1) * stage.world.scale) - 10
    )


def test_a_patron_never_frees_who_was_caught_fleeing() -> None:
    stage = Stage(1, {f"{SERVICE}.patron": 1, f"{SERVICE}.death_in_custody": 0}, n=30)
    stage.set_fates((codes.DETAINED,))
    column(stage, f"{SERVICE}.fugitive")[:15] = True
    for i in range(30):
        schedule(stage.run.records, 0, codes.DUE_VERDICT, i)
    stage.play[SERVICE].dawn(stage.run)
    assert stage.run.records.fate.tolist() == [codes.IMPRISONED] * 15 + [codes.SERVING] * 15
