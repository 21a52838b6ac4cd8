"""Guests in plain Python: households at random to begin with, and lists beside the compiled table."""

from types import SimpleNamespace
from typing import Any

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
from tests.mechanisms.plain import four, one, set_the_mood

COLUMNS = OF_GUEST
"""Of the town: several of its columns side by side, which are looked at one by one."""
EMBASSY = [s.kind == "embassy" for s in SITES]


def households(g: Guests) -> list[SimpleNamespace]:
    """Return the rows in use, each as an object of plain values."""
    columns = {name: getattr(g, name)[: g.used[0]].tolist() for name in COLUMNS}
    return [
        SimpleNamespace(**dict(zip(columns, values, strict=True)))
        for values in zip(*columns.values(), strict=True)
    ]


class Host:
    """Everybody who came over, the list of those who are here, and the town, told plainly."""

    def __init__(self, stage: Stage) -> None:
        g, town = stage.run.view(Guests), stage.play["reception"].town
        self.stage, self.day, self.records = stage, stage.run.day, stage.records
        self.all = households(g)
        self.here = [self.all[k] for k in g.here[: g.used[1]].tolist()]
        self.town = SimpleNamespace(**{name: getattr(town, name).tolist() for name in town.names()})

    def four(self, name: str, h: SimpleNamespace, when: int | None = None) -> tuple[float, ...]:
        """Return four draws of a household."""
        return four(self.stage, name, h.who, when=self.day if when is None else when)

    def one(self, name: str, h: SimpleNamespace, when: int) -> float:
        """Return one draw of a household."""
        return one(self.stage, name, h.who, when=when)

    def may_stay(self, h: SimpleNamespace, admits: str) -> bool:
        """Whether these are admitted: whoever has enlisted gets no help but charity."""
        if admits == "anyone":
            return True
        claim = h.registered >= 0 and (h.decided != REFUSED or h.permit)
        return bool(not h.enlisted and (h.permit if admits == "permit" else claim))

    def leave_site(self, h: SimpleNamespace) -> None:
        if h.stay == IN_SITE:
            self.town.persons[h.site] -= 1 + h.relatives
        h.site, h.stay = -1, NOT_PLACED

    def record(self, h: SimpleNamespace, event: int, place: int = -1, value: float = 0.0) -> None:
        self.records.record(self.day, h.who, event, place, -1, value)

    def assert_same(self) -> None:
        """Assert that table, list, town and books are exactly this."""
        run, g = self.stage.run, self.stage.run.view(Guests)
        assert households(g) == self.all
        assert [int(g.who[k]) for k in g.here[: g.used[1]]] == [h.who for h in self.here]
        town: Any = self.stage.play["reception"].town
        for name in vars(self.town):
            assert getattr(town, name).tolist() == getattr(self.town, name), name
        self.records.assert_same(run.records)


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
