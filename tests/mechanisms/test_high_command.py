"""The high command: who holds what, what makes holders pledge and go back on it, and how the regime falls."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from breakrank.case import Case, load_case, new_case
from breakrank.draws import decision, luck_key
from breakrank.engine.codes import DETAINED, EV_ARRESTED, EVENTS, OF_THE_HIGH_COMMAND, SERVING
from breakrank.engine.records import move
from breakrank.engine.run import Run
from breakrank.engine.world import World
from breakrank.force import Force, build_force
from breakrank.force.establishment import PARAMETERS as FORCE_PARAMETERS
from breakrank.mechanisms.challenger import Credit
from breakrank.mechanisms.high_command import (
    LOYAL,
    PLEDGED,
    Command,
    HighCommand,
    calls_raised,
    let_go,
    pull,
    seek_pledge,
)
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


EVERYONE = POSITIONS.replace("contact: true,", "").replace("weight:", "contact: true, weight:")
ABOVE = int(decision("plots.above"))


def test_each_position_has_a_holder_of_its_own_who_fits() -> None:
    s = stage()
    c, force = s.view, s.run.world.force
    assert len(set(c.holder.tolist())) == 7
    assert (force.rank[c.holder] == len(force.labels.ranks) - 1).all()
    branch = [force.labels.branches[b] for b in force.branch[c.holder]]
    state = [force.labels.states[k] for k in force.state[c.holder]]
    assert branch[2:5] == ["army", "guard", "guard"]
    assert [state[k] for k in (0, 1, 2, 3, 6)] == ["XX-A"] * 5
    assert state[4] == "XX-B"
    assert (c.stance == LOYAL).all()


def test_another_position_leaves_the_others_draws_alone() -> None:
    without = "".join(line + "\n" for line in POSITIONS.splitlines() if "spies" not in line)
    for number in range(5):
        more, fewer = stage(number), stage(number, positions=without)
        kept = [k for k in range(7) if k != 5]
        assert more.view.holder[kept].tolist() == fewer.view.holder.tolist()
        assert (more.view.opportunity[:, kept] == fewer.view.opportunity).all()


@pytest.mark.parametrize("branch", ["army", "guard"])
def test_a_force_too_small_takes_whom_it_has(branch: str) -> None:
    many = "".join(
        f"- {{id: p{k}, label: P, weight: 0, branch: {branch}, capital: true, rents: 1, assumed: made up}}\n"
        for k in range(60)
    )
    s = stage(positions=many)
    holder, force = s.view.holder, s.run.world.force
    assert len(set(holder.tolist())) == 60
    assert (force.branch[holder] == force.labels.branches.index(branch)).all()
    assert (np.diff(force.rank[holder].astype(int)) <= 0).all(), "the highest ranks first"


def test_a_call_makes_holders_decide_the_likelier_the_louder_it_is() -> None:
    case, loud = made_up(), stage().run.world
    event = {
        "id": "call",
        "date": "2025-03-01",
        "title": "A call",
        "assumed": "made up",
        "effects": [{"field": "call", "op": "add", "value": 0.8, "half_life": 3}],
    }
    world = type(loud)(case.with_events(event), force_of(case))
    called = calls_raised(world)
    assert np.flatnonzero(called).tolist() == [59]
    contact = stage().view.contact
    decided = [stage(number, world=world).view.opportunity[59][contact] for number in range(300)]
    assert np.mean(decided) == pytest.approx(0.8, abs=0.05)


def test_who_is_gone_is_replaced_by_a_loyal_one() -> None:
    s = stage()
    c, run = s.view, s.run
    s.dawn(0)
    gone = int(c.holder[2])
    c.stance[2], c.pledged_to[2] = PLEDGED, 7
    move(run.records, 0, gone, DETAINED, EV_ARRESTED, -1, -1, 0.0)
    s.dawn(1)
    assert c.holder[2] != gone
    assert run.records.fate[c.holder[2]] == SERVING
    assert (c.stance[2], c.pledged_to[2]) == (LOYAL, -1)
    run.records.fate[gone] = SERVING  # let free: the place is taken
    run.records.fate[c.holder[2]] = DETAINED
    s.dawn(2)
    assert c.holder[2] != gone


def _pull(values: dict[str, float] | None = None, pledged: tuple[int, ...] = (), **world: float) -> float:
    s = stage(0, values, **world)
    s.dawn(120)
    s.view.stance[list(pledged)] = PLEDGED
    return pull(s.run, 0)


@pytest.mark.parametrize(
    ("more", "less"),
    [
        (_pull(credibility=0.6), _pull(credibility=0.3)),
        (_pull(guarantees=1.0), _pull()),
        (_pull(sanctions=1.0), _pull()),
        (_pull(pledged=(1, 2)), _pull()),
        (_pull(), _pull(watch=1.5)),
        (_pull({"rents_weight": 0.0}), _pull()),
        (_pull({"reluctance": 1.0}), _pull()),
    ],
)
def test_what_speaks_for_a_pledge_and_against_it(more: float, less: float) -> None:
    assert more > less


def test_a_promise_is_mostly_kept_at_the_next_opportunity() -> None:
    stood_by = promised = 0
    for number in range(60):
        s = stage(number, {"reluctance": 1.0}).live()
        stood_by += len(s.events("returned to the regime's side"))
        promised += len(s.events("pledged to a plot"))
    assert 0 < stood_by < promised


def _asked() -> Stage:
    s = stage(1, {"reluctance": 0.0, "response": 20.0}, credibility=1.0)
    s.dawn(0)
    return s


def test_a_plot_asks_who_has_dealings_or_commands_its_branch() -> None:
    s = _asked()
    force, c = s.run.world.force, s.view
    founder = int(np.flatnonzero(force.branch == force.labels.branches.index("army"))[0])
    assert seek_pledge(s.run, founder, ABOVE)
    (row,) = s.events("pledged to a plot")
    position = int(row[4]) - OF_THE_HIGH_COMMAND
    assert (row[1], row[3]) == (c.holder[position], founder)
    assert c.contact[position] or c.branch[position] == force.branch[founder]
    assert c.pledged_to[position] == founder
    let_go(s.run, np.array([founder], np.int32))
    assert c.pledged_to[position] == -1
    assert c.stance[position] == PLEDGED


def test_half_of_the_command_together_ends_the_regime() -> None:
    fell = 0
    for number in range(20):
        s = stage(number, {"reluctance": 0.0}, credibility=1.0, guarantees=1.0, positions=EVERYONE).live()
        partners = s.events("joined a pact against the regime")
        fallen = s.events("regime fell")
        assert bool(partners) == bool(fallen) == (s.run.fallen >= 0)
        if fallen:
            fell += 1
            weight = sum(s.view.weight[int(row[4])] for row in partners)
            assert weight >= 0.5 * s.view.weight.sum() - 1e-9
            assert fallen[0][1] in {row[1] for row in partners}
    assert fell > 10
