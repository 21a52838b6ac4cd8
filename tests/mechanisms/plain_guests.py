"""Guests of a host: households at random, and the table of them as plain values."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from breakrank.engine.codes import ABROAD, DECLARED, REGISTERED
from breakrank.mechanisms.lodging import (
    GRANTED,
    IN_SITE,
    NO_DECISION,
    NOT_PLACED,
    OF_GUEST,
    REFUSED,
    SETTLED,
    STAYS,
    STREET,
    Guests,
    add_guest,
    with_room,
)
from tests.engine.stage import SITES, Stage
from tests.mechanisms.plain import set_the_mood

EMBASSY = [s.kind == "embassy" for s in SITES]


def households(g: Guests) -> list[SimpleNamespace]:
    """Return the rows in use, each as an object of plain values."""
    columns = {name: getattr(g, name)[: g.used[0]].tolist() for name in OF_GUEST}
    return [
        SimpleNamespace(**dict(zip(columns, values, strict=True)))
        for values in zip(*columns.values(), strict=True)
    ]


def some_guests(stage: Stage, share: float = 0.7) -> Guests:
    """Set the mood, and let some soldiers be abroad in all states that there are; return their table."""
    set_the_mood(stage)
    run, rng, reception = stage.run, stage.rng, stage.play["reception"]
    stage.any_fates(0.4)
    g = with_room(run.view(Guests), stage.n)
    reception.guests = g
    run.share(g)
    day = run.day
    for i in rng.permutation(stage.some(share)).tolist():
        family = int(rng.integers(0, 4)) if rng.random() < 0.5 else 0
        k = add_guest(g, i, stage.force.identity[i], day, family, int(rng.integers(0, family + 1)), False)
        settle_down(stage, g, k)
    records = run.records
    records.stock[:] = 0
    np.add.at(records.stock, (records.fate, records.rank), 1)
    gone = np.flatnonzero(g.stay[: g.used[0]] > SETTLED)
    # some of them are gone since today, and are taken off the list in the evening
    off = gone[rng.random(len(gone)) < 0.5]
    kept = [k for k in range(int(g.used[0])) if k not in set(off.tolist())]
    g.here[: len(kept)], g.used[1] = kept, len(kept)
    for k in off.tolist():
        g.gone[0, g.stay[k]] += 1
        g.gone[1, g.stay[k]] += g.relatives[k]
    some_bills(stage)
    return g


def settle_down(stage: Stage, g: Guests, k: int) -> None:
    """Give a household a past at random."""
    rng, day, town = stage.rng, stage.run.day, stage.play["reception"].town
    stage.run.records.fate[g.who[k]] = rng.choice([ABROAD, REGISTERED, REGISTERED, DECLARED])
    stay = int(rng.choice([NOT_PLACED, *[IN_SITE] * 8, *range(len(STAYS)), STREET, STREET, SETTLED]))
    g.stay[k], g.since[k] = stay, day - rng.integers(0, 9)
    if stay == IN_SITE:
        g.site[k] = rng.choice([s for s, embassy in enumerate(EMBASSY) if not embassy])
        town.persons[g.site[k]] += 1 + g.relatives[k]
    for name, often in FLAGS.items():
        getattr(g, name)[k] = rng.random() < often
    g.came[k], g.registered[k] = day - rng.integers(0, 9), rng.choice([-1, day - 5, day - 1, day, day])
    g.decided[k] = rng.choice([NO_DECISION, NO_DECISION, GRANTED, REFUSED])
    g.filed[k] |= g.decided[k] != NO_DECISION
    g.morale[k], g.quality[k] = rng.random(2)
    g.idle[k] = rng.integers(0, 90)


FLAGS = {"left": 0.2, "served": 0.2, "spy": 0.15, "double": 0.2, "filed": 0.5, "permit": 0.2, "enlisted": 0.2}


def some_bills(stage: Stage) -> None:
    """Let bills be open for some days at some sites, some money be spent, and the town be tense."""
    rng, town = stage.rng, stage.play["reception"].town
    sites, payers = len(town.persons), len(town.spent)
    town.unpaid[:] = rng.choice([0, 0, 0, 1, 3, 5], sites)
    town.owed[:] = np.where(town.unpaid > 0, rng.random(sites), 0.0)
    town.spent[:] = rng.choice([0.0, 120.5, 299.0, 300.0, 499.0], payers)
    town.tension[:] = rng.random(1) * 2
    town.inside[:] = rng.integers(0, 4, len(town.inside))
    town.registered[:] = 1
