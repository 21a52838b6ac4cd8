"""What mechanisms say of one soldier, in plain Python: references that compiled code has to meet exactly."""

import math

import numpy as np

from breakrank.draws import NOBODY, decision, uniform, uniforms
from breakrank.mechanisms.comrades import EXPECTATIONS, OPPOSED, Expectations, News
from tests.engine.stage import TIERS, Stage

NO = int(NOBODY)


def column(stage: Stage, name: str) -> np.ndarray:
    """Return a column of the run that is known to exist."""
    assert name in stage.run._columns, name
    return stage.run._columns[name]


def one(stage: Stage, name: str, who: int, whom: int = NO, when: int = 0) -> float:
    """Return one draw, by position of `who`; `whom` and `when` as given."""
    return uniform(stage.run.key, int(decision(name)), int(stage.force.identity[who]), whom, when)


def four(stage: Stage, name: str, who: int, whom: int = NO, when: int = 0) -> tuple[float, ...]:
    """Return four draws, by position of `who`; `whom` and `when` as given."""
    return uniforms(stage.run.key, int(decision(name)), int(stage.force.identity[who]), whom, when)


def tier(stage: Stage, i: int) -> int:
    return TIERS[stage.force.rank[i]]


def ties(stage: Stage, i: int) -> list[int]:
    return stage.force.ties.of(i).tolist()


def mind(stage: Stage, what: int, i: int) -> float:
    """Return what soldier i expects of the share `what`, from what all know and what he has seen himself."""
    minds = stage.run.view(Expectations)
    yes, no, day = (float(minds.own[i, k]) for k in (2 * what, 2 * what + 1, 2 * EXPECTATIONS))
    share, weight = (float(x) for x in minds.public[what])
    if yes + no <= 0:
        return share
    left = math.exp(-(stage.run.day - day) / stage.world["comrades.memory"])
    return (weight * share + yes * left) / (weight + (yes + no) * left)


def belief(stage: Stage, i: int) -> float:
    """Return soldier i's mean belief about the share of comrades opposed."""
    return mind(stage, OPPOSED, i)


def set_the_mood(stage: Stage) -> None:
    """Give everyone a past at random: shocks, news of comrades, beliefs, confidences; and start a day."""
    run, rng, n = stage.run, stage.rng, stage.n
    run.open_day(int(rng.integers(1, stage.world.days - 8)))
    column(stage, "grievance.shock_day")[:] = rng.choice([-10_000, run.day - 9, run.day - 1, run.day], n)
    own, news = run.view(Expectations).own, run.view(News)
    shape = (n, 2 * EXPECTATIONS)
    own[:, :-1] = rng.integers(0, 3, shape) * rng.random(shape)
    own[:, -1] = rng.integers(0, run.day + 1, n)
    news.told.counts[:] = rng.random(4) * 4
    column(stage, "counterintelligence.informer")[:] = rng.random(n) < 0.3
    column(stage, "belief.confidant")[:] = np.where(rng.random(n) < 0.5, rng.integers(0, n, n), -1)
    for name in ("regime", "grievance", "preference", "challenger", "belief", "fear", "diaspora"):
        stage.play[name].dawn(run)
