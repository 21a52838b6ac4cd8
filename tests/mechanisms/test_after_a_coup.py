"""A case that starts on the day after a coup, and a state with more than one command."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from breakrank import Case, load_case, simulate
from breakrank.mechanisms.high_command_choice import Command
from breakrank.model import Model, build
from breakrank.results.measures import measure
from tests.new_cases import without_priors

COUP = """
- id: coup
  date: 2024-12-31
  title: Officers overthrow the government
  about: The day before the case starts. The new rulers are the regime, the ousted government the challenger.
  assumed: Invented.
  effects:
    - {field: credibility, op: add, value: 0.6, half_life: 20}
    - {field: revelation, op: add, value: 4, half_life: 30}
    - {field: surveillance, op: multiply, value: 0.4, until: 2025-01-31}
"""
TWO_COMMANDS = """
- {id: coast-army, label: Army on the coast, weight: 0.05, capital: false, branch: army, region: REGION,
   rents: 0.5, assumed: Invented.}
- {id: coast-guard, label: Guard on the coast, weight: 0.05, capital: false, branch: guard, region: REGION,
   rents: 0.5, assumed: Invented.}
"""
EASY = {"decision.habit_leave": 5, "decision.habit_desert": 5}


def add(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.write_text(path.read_text("utf-8").rstrip() + "\n" + text.lstrip("\n"), "utf-8")


@pytest.fixture(scope="module")
def after(tmp_path_factory: pytest.TempPathFactory) -> Case:
    folder = without_priors(tmp_path_factory.mktemp("cases") / "montara")
    add(folder, "events.yaml", COUP)
    return load_case(folder).set(EASY)


def test_what_the_coup_did_still_acts_on_the_first_day_and_fades(after: Case) -> None:
    before = after.without_event("coup")
    alone = np.arange(40)  # the days before the first appeal
    assert not before.daily("credibility")[alone].any()
    assert np.allclose(after.daily("credibility")[alone], 0.6 * 0.5 ** ((alone + 1) / 20))
    watch = after.daily("surveillance") / before.daily("surveillance")
    assert np.allclose(watch[:31], 0.4)
    assert np.allclose(watch[31:], 1.0)


def test_the_days_after_a_coup_are_those_in_which_soldiers_go(after: Case) -> None:
    runs = {"after": simulate(after, runs=4, seed=1, workers=1)}
    runs["settled"] = simulate(after.without_event("coup"), runs=4, seed=1, workers=1)

    def gone(name: str, first: str, last: str) -> float:
        data = runs[name].data
        return float(
            sum(measure(data, kind, last, first).sum() for kind in ("quiet_desertion", "left_abroad"))
        )

    early, late = ("2025-01-01", "2025-01-31"), ("2025-05-01", "2025-05-31")
    assert gone("after", *early) > 1.5 * gone("settled", *early)
    assert gone("after", *early) / gone("settled", *early) > gone("after", *late) / gone("settled", *late)


def test_two_branches_have_commands_of_their_own_in_one_region(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = without_priors(tmp_path_factory.mktemp("cases") / "montara")
    case = load_case(folder)
    region = case.force.regions[0]
    add(folder, "command.yaml", TWO_COMMANDS.replace("REGION", region.id))
    case = load_case(folder)
    model = Model(case, build(case, 1))
    run = model._run(1, 0, False)
    model.days.begin(run)
    command, force = run.view(Command), model.world.force
    states = [model.world.state_ids.index(s) for s in region.states]
    for q, position in enumerate(case.command):
        if position.id in ("coast-army", "coast-guard"):
            holder = command.holder[q]
            assert model.world.branch_ids[force.branch[holder]] == position.branch
            assert force.state[holder] in states
