"""Several hosts with registers of their own: who presents themselves to which host, by route and rank.

The register that lodges, feeds and hears soldiers is that of one host. Those who flee one war find shelter
with several neighbours (Salehyan 2009, "Rebels without borders"), each of whom counts in its own way and
from its own date, so that a record may name several. Whoever presents themselves beyond a route stands on
the register of the host there, if it keeps one that day. The ways of a country together are its register.
"""

from __future__ import annotations

import numpy as np

from breakrank.engine.codes import EV_REGISTERED
from breakrank.engine.mechanism import Mechanism
from breakrank.engine.run import Run
from breakrank.engine.world import World
from breakrank.outputs import daily
from breakrank.spec import Field, parameters_of

REGISTER = Field("register", "switch", 0, 1, "the host beyond a route keeps a register", ("route",), 1.0)


class Registers(Mechanism):
    """Counts those who present themselves, by route and rank. Off: only the one host counts."""

    name = "registers"
    subsystem = 13
    citation = "Salehyan, I. (2009), Rebels without borders"
    parameters = parameters_of(name, "hosts keep registers of their own")
    fields = (REGISTER,)
    outputs = (daily("on_register", "On the registers of the hosts", by=("route", "rank")),)

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.keeps = world.daily(REGISTER.name) >= 0.5

    def begin(self, run: Run) -> None:
        """Nobody is on any register yet."""
        world = self.world
        shape = (world.days, len(world.route_ids), len(world.rank_ids))
        run.tables["on_register"] = np.zeros(shape, np.int32)

    def dusk(self, run: Run) -> None:
        """Count those who presented themselves today where the host keeps a register."""
        records = run.records
        today = slice(run.mark, int(records.cursor[0]))
        came = np.flatnonzero(records.event[today] == EV_REGISTERED) + run.mark
        way, rank = records.place[came], records.rank[records.who[came]]
        kept = self.keeps[run.day, way]
        np.add.at(run.tables["on_register"][run.day], (way[kept], rank[kept]), 1)
