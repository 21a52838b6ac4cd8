"""In the whole model: absent, off or never used, the high command changes no bit of anything else."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from breakrank.case import Case, load_case, new_case
from breakrank.draws import luck_key
from breakrank.engine.day import Days
from breakrank.engine.observe import Observer
from breakrank.engine.records import event_columns
from breakrank.engine.run import Run
from breakrank.engine.world import World
from breakrank.force import build_force
from breakrank.mechanisms.high_command import HighCommand
from breakrank.model import MECHANISMS, catalogue
from breakrank.spec import Catalogue

KINDS = MECHANISMS if HighCommand in MECHANISMS else (*MECHANISMS, HighCommand)
LIVELY = {"decision.habit_leave": 5.0, "decision.habit_desert": 5.0, "belief.confide": 0.4}
UNWILLING = {"high_command.hedging": 30, "high_command.pledging": 30, "high_command.defecting": 60}
WILLING = {"high_command.hedging": 0, "high_command.pledging": 0, "high_command.fear_weight": 0}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return new_case(tmp_path_factory.mktemp("alone") / "made-up", whole())


def whole() -> Catalogue:
    """Return the catalogue of the model with its high command."""
    declared = catalogue()
    return Catalogue.of(
        [*declared.parameters.values(), *HighCommand.parameters],
        [*declared.fields.values(), *HighCommand.fields],
        declared.outputs.values(),
        declared.measures.values(),
    )


def lived(case: Case) -> Mapping[str, Any]:
    """Return the log and all series of one run."""
    world = World(case, build_force(case, luck_key(3, "force")))
    days = Days(world, KINDS)
    run, observer = Run(world, 3, 0, True), Observer(world)
    days.live(run, observer)
    return {**observer.series(run), **event_columns(run.records, len(world.state_ids))}


def differing(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    return [k for k in one if not np.array_equal(one[k], other[k], equal_nan=one[k].dtype.kind == "f")]


def test_absent_off_or_never_used_it_changes_no_bit(folder: Path) -> None:
    case = load_case(folder, whole()).set(LIVELY)
    off = lived(case.set({"high_command.on": 0}))
    assert len(off["day"]) > 100
    assert set(differing(off, lived(case.set(UNWILLING)))) <= {"command"}
    (folder / "command.yaml").write_text("[]\n")
    assert differing(off, lived(load_case(folder, whole()).set(LIVELY))) == []


def test_in_use_it_is_in_the_log(tmp_path: Path) -> None:
    case = load_case(new_case(tmp_path / "made-up", whole()), whole()).set(WILLING)
    off, on = lived(case.set({"high_command.on": 0})), lived(case)
    assert "event" in differing(off, on)
    assert (on["fates"].sum(axis=1) == case.force.strength).all()
