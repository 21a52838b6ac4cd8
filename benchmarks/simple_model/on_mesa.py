"""The simplified model in Mesa 3: one object for each soldier, activated every day by his ``AgentSet``."""

from __future__ import annotations

import math
from collections.abc import Callable

import mesa
import numpy as np
from mesa.agent import AgentSet

from benchmarks.simple_model import Begin, Inputs, Outcome, Parameters


class Soldier(mesa.Agent):  # type: ignore[misc]
    """One soldier: what he thinks, what he believes, whom he trusts, and who of these has gone."""

    def __init__(self, model: ForceModel, opposed: bool) -> None:
        super().__init__(model)
        self.opposed = opposed
        self.yes = model.p.prior_opposed
        self.no = model.p.prior_loyal
        self.ties: list[Soldier] = []
        self.serves = True
        self.gone = 0.0
        self.heard = 0

    @property
    def belief(self) -> float:
        """Return the share of comrades he believes opposed."""
        return self.yes / (self.yes + self.no)

    def wait(self) -> None:
        """Perhaps come to a moment of decision today."""
        if self.random.random() < self.model.chance:
            self.model.deciders.append(self)

    def confide(self) -> None:
        """Perhaps confide in a comrade who serves."""
        if not self.opposed or self.random.random() >= self.model.p.confide:
            return
        serving = [comrade for comrade in self.ties if comrade.serves]
        if not serving:
            return
        friend = self.random.choice(serving)
        friend.yes += 1
        if friend.opposed:
            self.yes += 1
        else:
            self.no += 1
        self.model.confidings[self.model.today] += 1

    def choose(self) -> None:
        """Stay or leave."""
        p, today = self.model.p, self.model.today
        odds = p.constant + p.belief_weight * self.belief
        if self.gone:
            gone = self.gone * math.exp((self.heard - today) / p.memory)
            odds += p.gone_weight * gone / (p.gone_half + gone)
        if self.random.random() < 1 / (1 + math.exp(-odds)):
            self.model.leavers.append(self)

    def leave(self) -> None:
        """Leave, and let one's comrades know."""
        self.serves = False
        today = self.model.today
        self.model.exits[today] += 1
        for comrade in self.ties:
            comrade.gone = 1.0 + comrade.gone * math.exp((comrade.heard - today) / self.model.p.memory)
            comrade.heard = today
        self.remove()


class ForceModel(mesa.Model):  # type: ignore[misc]
    """The force."""

    def __init__(self, inputs: Inputs, parameters: Parameters, days: int, seed: int) -> None:
        super().__init__(rng=seed)
        self.p = parameters
        self.chance = parameters.chance
        self.today = 0
        self.deciders: list[Soldier] = []
        self.leavers: list[Soldier] = []
        self.moments, self.confidings, self.exits = np.zeros((3, days), np.int64)
        soldiers = [Soldier(self, opposed) for opposed in inputs.opposed.tolist()]
        start, other = inputs.start.tolist(), inputs.other.tolist()
        for i, soldier in enumerate(soldiers):
            soldier.ties = [soldiers[j] for j in other[start[i] : start[i + 1]]]


def on_mesa(inputs: Inputs, parameters: Parameters, days: int) -> Begin:
    """Return the model in Mesa 3, activated by plain ``do``: nobody's day depends on the order."""

    def begin(seed: int) -> Callable[[], Outcome]:
        model = ForceModel(inputs, parameters, days, seed)

        def live() -> Outcome:
            for day in range(days):
                model.today, model.deciders, model.leavers = day, [], []
                model.agents.do("wait")
                model.moments[day] = len(model.deciders)
                deciders = AgentSet(model.deciders, random=model.random)
                deciders.do("confide")
                deciders.do("choose")
                for soldier in model.leavers:
                    soldier.leave()
            belief = model.agents.agg("belief", np.mean)
            return Outcome(model.exits, model.moments, model.confidings, float(belief))

        return live

    return begin
