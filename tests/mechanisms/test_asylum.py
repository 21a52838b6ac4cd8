"""Decisions: who is refused has no claim any more."""

from __future__ import annotations

import numpy as np

from breakrank.mechanisms.lodging import NO_DECISION, has_claim
from tests.engine.stage import Stage
from tests.mechanisms.plain_guests import some_guests


def test_who_is_refused_has_no_claim_any_more_and_who_is_recognised_keeps_it() -> None:
    for recognised in (0, 1):
        values = {"recognised": recognised, "first_days": 0, "effort": 0.01}
        stage = Stage(5, {f"asylum.{k}": v for k, v in values.items()}, {"asylum_staff": 50}, n=40, days=60)
        g = some_guests(stage)
        g.filed[: g.used[0]] = g.decided[: g.used[0]] = False
        g.permit[: g.used[0]] = False
        for _ in range(8):
            stage.play["asylum"].receive(stage.run)
            stage.run.open_day(stage.run.day + 1)
        decided = np.flatnonzero(g.decided[: g.used[0]] != NO_DECISION)
        assert len(decided) > 3
        assert {has_claim(g, k) for k in decided} == {bool(recognised)}
