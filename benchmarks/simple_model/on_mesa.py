"""The simplified model in Mesa 3: one object for each soldier, activated every day by his ``AgentSet``."""

from __future__ import annotations

import math
from collections.abc import Callable

import mesa
import numpy as np
from mesa.agent import AgentSet

from benchmarks.simple_model.declaration import Inputs, Outcome, Parameters


class Soldier(mesa.Agent):
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
        self.model.exits[self.model.today] += 1
        for comrade in self.ties:
            comrade.hear()
        self.remove()

    def hear(self) -> None:
        """Learn that a comrade has gone today."""
        today = self.model.today
        self.gone = 1.0 + self.gone * math.exp((self.heard - today) / self.model.p.memory)
        self.heard = today


class ForceModel(mesa.Model):
    """The force. `activate` is ``"shuffle_do"``, as agents are usually activated, or ``"do"``."""

    def __init__(
        self, inputs: Inputs, parameters: Parameters, days: int, seed: int, activate: str = "shuffle_do"
    ) -> None:
        super().__init__(rng=seed)
        self.p = parameters
        self.chance = parameters.chance
        self.activate = activate
        self.today = 0
        self.deciders: list[Soldier] = []
        self.leavers: list[Soldier] = []
        self.moments, self.confidings, self.exits = ([0] * days for _ in range(3))
        soldiers = [Soldier(self, opposed) for opposed in inputs.opposed.tolist()]
        start, other = inputs.start.tolist(), inputs.other.tolist()
        for i, soldier in enumerate(soldiers):
            soldier.ties = [soldiers[j] for j in other[start[i] : start[i + 1]]]

    def step(self) -> None:
        """Live one day."""
        self.deciders, self.leavers = [], []
        getattr(self.agents, self.activate)("wait")
        self.moments[self.today] = len(self.deciders)
        deciders = AgentSet(self.deciders, random=self.random)
        getattr(deciders, self.activate)("confide")
        getattr(deciders, self.activate)("choose")
        for soldier in self.leavers:
            soldier.leave()
        self.today += 1


class OnMesa:
    """The simplified model in Mesa 3."""

    activate = "shuffle_do"

    def __init__(self, inputs: Inputs, parameters: Parameters, days: int) -> None:
        self.inputs, self.p, self.days = inputs, parameters, days

    def begin(self, seed: int) -> Callable[[], Outcome]:
        """Set up one replicate."""
        model = ForceModel(self.inputs, self.p, self.days, seed, self.activate)

        def live() -> Outcome:
            for _ in range(self.days):
                model.step()
            exits, moments, confidings = (
                np.array(series, np.int64) for series in (model.exits, model.moments, model.confidings)
            )
            belief = model.agents.agg("belief", np.mean) if len(model.agents) else math.nan
            return Outcome(exits, moments, confidings, float(belief))

        return live


class OnMesaUnshuffled(OnMesa):
    """The same without shuffling, which this model does not need: nobody's day depends on the order."""

    activate = "do"
