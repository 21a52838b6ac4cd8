"""A high command by itself: a made-up case of seven positions, and a world in which only it acts."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from breakrank.case import Case, load_case, new_case
from breakrank.draws import luck_key
from breakrank.engine.codes import EVENTS
from breakrank.engine.run import Run
from breakrank.engine.world import World
from breakrank.force import Force, build_force
from breakrank.force.establishment import PARAMETERS as FORCE_PARAMETERS
from breakrank.mechanisms.challenger import Credit
from breakrank.mechanisms.high_command import Command, HighCommand
from breakrank.mechanisms.regime import Watch
from breakrank.model import catalogue
from breakrank.spec import Catalogue, Field

CALL = Field("call", "fraction", 0, 1, "strength of a public call to rise", (), 0.0)
NAMES = {p.name.partition(".")[2]: p.name for p in HighCommand.parameters}
CATALOGUE = Catalogue.of(
    [*FORCE_PARAMETERS, *HighCommand.parameters],
    [*HighCommand.fields, CALL],
    catalogue().outputs.values(),
    catalogue().measures.values(),
)

POSITIONS = """\
- {id: minister, label: Minister, weight: 0.15, capital: true, rents: 1, contact: true,
   sanctioned: 2025-01-01, assumed: made up}
- {id: chief, label: Chief of staff, weight: 0.2, capital: true, rents: 0.95,
   sanctioned: 2025-03-01, assumed: made up}
- {id: army, label: Army, weight: 0.2, branch: army, capital: true, rents: 0.95, assumed: made up}
- {id: guard, label: Guard, weight: 0.2, branch: guard, capital: true, rents: 0.95, assumed: made up}
- {id: border, label: Border, weight: 0.1, branch: guard, region: border, capital: false, rents: 0.8,
   assumed: made up}
- {id: spies, label: Spies, weight: 0.1, capital: false, rents: 0.95, assumed: made up}
- {id: court, label: Court, weight: 0, capital: true, rents: 1, contact: true, assumed: made up}
"""


@cache
def made_up(positions: str = POSITIONS) -> Case:
    """Return the case, 5,000 soldiers and 181 days."""
    with tempfile.TemporaryDirectory() as folder:
        case = new_case(Path(folder) / "made-up", CATALOGUE)
        (case / "command.yaml").write_text(positions)
        return load_case(case, CATALOGUE)


@cache
def force_of(case: Case) -> Force:
    """Return the force of a case."""
    return build_force(case, luck_key(1, "force"))


@dataclass
class Stage:
    """One replicate in which only the high command acts; regime and challenger stand still."""

    run: Run
    command: HighCommand
    watch: Watch
    credit: Credit

    @property
    def view(self) -> Command:
        """The shared table of positions."""
        return self.run.view(Command)

    def dawn(self, day: int) -> None:
        """Open a day."""
        self.run.open_day(day)
        self.command.dawn(self.run)

    def days(self) -> Iterator[int]:
        """Live all days, one by one, until the regime falls."""
        for day in range(self.run.world.days):
            self.dawn(day)
            self.command.conspire(self.run)
            self.command.dusk(self.run)
            yield day
            if self.run.fallen >= 0:
                return

    def live(self) -> Stage:
        """Live all days."""
        for _ in self.days():
            pass
        return self

    def events(self, *names: str) -> list[tuple[int, int, str, int, float]]:
        """Return the log rows of some events (of all, if none is named): day, who, event, other, value."""
        b = self.run.records
        rows = [
            (int(b.day[k]), int(b.who[k]), EVENTS[b.event[k]], int(b.other[k]), float(b.value[k]))
            for k in range(int(b.cursor[0]))
        ]
        return [row for row in rows if not names or row[2] in names]


def stage(
    number: int = 0,
    values: Mapping[str, float] | None = None,
    *,
    guarantees: float = 0.0,
    sanctions: float = 0.0,
    credibility: float = 0.4,
    watch: float = 1.0,
    positions: str = POSITIONS,
    seed: int = 11,
    world: World | None = None,
) -> Stage:
    """Set a replicate up; `values` are parameters that the high command reads, without their prefix."""
    case = made_up(positions)
    world = world or World(case.set({NAMES[k]: v for k, v in (values or {}).items()}), force_of(case))
    command = HighCommand(world)
    run = Run(world, seed, number, True)
    ranks = len(world.rank_ids)
    here = np.ones(len(world.force.units))
    shut = np.zeros(len(world.route_ids), np.bool_)
    seen = Watch(np.array([watch]), here, here, np.ones(ranks), np.zeros(ranks), shut)
    credit = Credit(np.array([credibility]))
    run.share(seen)
    run.share(credit)
    command.begin(run)
    run.view(Command).guarantees[:] = guarantees
    run.view(Command).sanctions[:] = sanctions * (command.named if sanctions else 0.0)
    return Stage(run, command, seen, credit)
