"""What the check says of mechanisms that nothing comes of."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import breakrank
from tests.mechanisms.civil_war import write_civil_war
from tests.new_cases import without_priors


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return breakrank.load_case("syria-2011", "values").write(tmp_path / "syria-2011")


def told(folder: Path) -> list[str]:
    return [str(w) for w in breakrank.check_case(folder)]


def test_a_composition_without_cohesion(folder: Path) -> None:
    assert not [t for t in told(folder) if "composition acts through cohesion" in t]
    path = folder / "parameters.yaml"
    text = path.read_text("utf-8")
    for name in ("cohesion.norm_weight", "cohesion.solidarity_weight"):
        text, n = re.subn(
            rf"(?m)^{re.escape(name)}:\n  value: .*\n(  prior: .*\n(    .*\n)*)?",
            f"{name}:\n  value: 0\n",
            text,
        )
        assert n == 1
    path.write_text(text, "utf-8")
    (found,) = [t for t in told(folder) if "composition acts through cohesion" in t]
    assert "parameters.yaml:" in found


def test_units_cannot_go_over_where_there_is_no_opposition(tmp_path: Path) -> None:
    folder = without_priors(tmp_path / "montara")
    path = folder / "case.yaml"
    text = path.read_text("utf-8").rstrip()
    path.write_text(text + "\nmechanisms: [unit_defection]\n", "utf-8")
    (found,) = [t for t in told(folder) if "unit_defection" in t]
    assert "unit_defection does nothing without opposition" in found
    path.write_text(text + "\nmechanisms: [unit_defection, opposition]\n", "utf-8")
    assert not [t for t in told(folder) if "unit_defection" in t]


def test_units_cannot_dissolve_without_a_war(tmp_path: Path) -> None:
    folder = without_priors(tmp_path / "montara")
    path = folder / "case.yaml"
    path.write_text(path.read_text("utf-8").rstrip() + "\nmechanisms: [dissolution]\n", "utf-8")
    (found,) = [t for t in told(folder) if "dissolution" in t]
    assert "dissolution does nothing without war" in found
    assert "case.yaml:" in found


def test_units_cannot_dissolve_where_no_ground_is_held(tmp_path: Path) -> None:
    folder = write_civil_war(tmp_path / "montara")
    path, held = folder / "case.yaml", folder / "held.csv"
    path.write_text(
        path.read_text("utf-8").replace("[opposition, war", "[dissolution, opposition, war"), "utf-8"
    )
    assert not [t for t in told(folder) if "dissolution" in t]
    rows = [line.rsplit(",", 1)[0] for line in held.read_text("utf-8").splitlines()[1:]]
    held.write_text("date,state,value\n" + "".join(f"{row},0\n" for row in rows), "utf-8")
    (found,) = [t for t in told(folder) if "dissolution" in t]
    assert "the opposition holds no ground on any day" in found
    events = folder / "events.yaml"
    event = (
        "- {id: lost, date: 2025-03-01, title: The coast is lost, assumed: Invented.,\n"
        "   effects: [{field: held, op: set, value: 1, states: [XX-C]}]}\n"
    )
    events.write_text(events.read_text("utf-8").rstrip() + "\n" + event, "utf-8")
    assert not [t for t in told(folder) if "dissolution" in t]
