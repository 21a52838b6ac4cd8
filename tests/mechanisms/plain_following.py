"""Who follows a commander to the other side, written plainly: loops, lists and one draw for each soldier."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from breakrank.draws import NOBODY, decision, uniform
from breakrank.engine.codes import SERVING
from breakrank.engine.run import Run
from breakrank.mechanisms.cohesion import Units
from breakrank.mechanisms.following import Commands
from breakrank.mechanisms.preference import Preferences, margins

_FOLLOWS = int(decision("unit_defection.follows"))


def chance(log_odds: float) -> float:
    return 1.0 / (1.0 + float(np.exp(-log_odds)))


@dataclass
class PlainFollowing:
    """What becomes of commanders who take their units over, and of their men."""

    run: Run
    over: list[int] = field(default_factory=list)
    failed: list[int] = field(default_factory=list)
    with_them: set[int] = field(default_factory=set)
    went_home: set[int] = field(default_factory=set)
    refused: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.c, self.force = self.run.view(Commands), self.run.world.force
        self.margin, self.units = margins(self.run), self.run.view(Units)
        self.loyalty = self.run.view(Preferences).numbers[2]
        self.serves = set(np.flatnonzero(self.run.records.fate == SERVING).tolist())

    def men(self, u: int) -> list[int]:
        here = np.flatnonzero(self.force.unit == u).tolist()
        return [i for i in here if i in self.serves and i != self.c.leader[u]]

    def by_himself(self, i: int) -> float:
        u, margin = self.force.unit[i], float(self.margin[i])
        stance = margin if margin > 0 else self.loyalty * margin
        return self.c.authority + stance + float(self.units.norm[u]) + float(self.units.solidarity[u])

    def log_odds(self, asked: list[int]) -> dict[int, float]:
        own = {i: self.by_himself(i) for i in asked}
        inclined = sum(chance(x) for x in own.values()) / max(len(own), 1)
        return {i: x + self.c.comrades * (2 * inclined - 1) for i, x in own.items()}

    def share(self, u: int) -> float:
        odds = self.log_odds(self.men(u))
        return sum(chance(x) for x in odds.values()) / max(len(odds), 1)

    def follows(self, asked: list[int]) -> dict[int, bool]:
        def draw(i: int) -> float:
            return uniform(self.run.key, _FOLLOWS, int(self.force.identity[i]), int(NOBODY), self.run.day)

        return {i: draw(i) < chance(x) for i, x in self.log_odds(asked).items()}

    def commands(self, u: int) -> bool:
        stands = bool(self.c.stands[u]) and u not in self.over and self.c.over[u] == -1
        return stands and int(self.c.leader[u]) in self.serves

    def take_over(self, u: int) -> bool:
        head, answers = int(self.c.leader[u]), self.follows(self.men(u))
        if sum(answers.values()) < self.c.needed * len(answers):
            self.failed.append(head)
            return False
        for i, yes in answers.items():
            if yes:
                self.with_them.add(i)
                self.serves.remove(i)
            else:
                self.refused.append(i)
                if self.margin[i] > 0:
                    self.went_home.add(i)
                    self.serves.remove(i)
        self.with_them.add(head)
        self.serves.remove(head)
        self.over.append(u)
        return True

    def all(self) -> PlainFollowing:
        """Go through all units whose commanders have chosen it, those who command a formation first."""
        chosen = set(np.flatnonzero(self.c.chosen).tolist())
        formation = self.force.units.formation
        first = {u for u in range(len(formation)) if u == 0 or formation[u] != formation[u - 1]}
        for u in sorted(chosen & first):
            if self.commands(u) and self.take_over(u):
                beside = [
                    v for v in range(len(formation)) if formation[v] == formation[u] and self.commands(v)
                ]
                answers = self.follows([int(self.c.leader[v]) for v in beside])
                for v, yes in zip(beside, answers.values(), strict=True):
                    if yes:
                        chosen.add(v)
                    else:
                        self.refused.append(int(self.c.leader[v]))
        for u in sorted(chosen - first):
            if self.commands(u):
                self.take_over(u)
        return self
