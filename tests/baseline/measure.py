"""A few small runs whose numbers are written down, to the last bit."""

from __future__ import annotations

import hashlib
import json
import platform
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from breakrank.case import Case
from breakrank.engine.codes import EVENTS, FATES
from breakrank.engine.observe import OUTCOMES
from breakrank.model import Model, build
from breakrank.runs.cases import load_case

BASELINE = Path(__file__).with_name("baseline.json")
SEED, RUNS, STRENGTH, UNTIL = 0, 3, 5_000, "2019-04-30"

PUSHED = {
    "decision.baseline_desert": 5,
    "decision.baseline_leave": 5,
    "belief.confide": 0.4,
    "counterintelligence.informers": 0.1,
    "counterintelligence.reluctance": 1,
    "counterintelligence.capture_rate": 3,
}
"""With these almost everything that single soldiers do happens, also in a force of 5,000."""

PLOTTING = {
    "plots.baseline_plan": 9,
    "plots.baseline_join": 0,
    "plots.from_start": 3000,
    "plots.approaches": 100,
    "plots.planned_strength": 7,
    "detection.wiretaps": 4,
    "detection.chain": 0.8,
    "regime.purge": 0.5,
    "uprising.loss": 2,
    "uprising.strength": 0.6,
    "uprising.taken": 0.1,
    "high_command.reluctance": 0.5,
}
"""With these almost everything that plots, the services and the high command do happens."""


RECEIVED = {
    **PUSHED,
    "asylum.first_days": 5,
    "asylum.effort": 0.5,
    "screening.wrong": 0.02,
    "reception.tension_numbers": 20,
    "reception.tension_incident": 1,
}
POLICIES = [
    {
        "id": "policies-of-the-host",
        "date": "2019-04-10",
        "title": "Permits, and people moved elsewhere",
        "assumed": "So that everything happens in a small world.",
        "effects": [
            {"field": "permit", "op": "set", "value": 1},
            {"field": "dispersal", "op": "set", "value": 0.1},
        ],
    }
]
"""With these almost everything that a host does happens."""


OTHERS = ("crimea-2014", "east-germany-1989", "syria-2011")
"""Cases that are measured over their whole calendar, with the optional mechanisms that they name."""


def worlds() -> dict[str, Case]:
    """Return the worlds that are measured.

    120 days of the built-in case, as it is and with more of everything; its whole year; and other cases.
    """
    year = load_case("venezuela-2019", "point").set({"force.strength": STRENGTH})
    case = year.until(UNTIL)
    others = {name: load_case(name, "point").set({"force.strength": STRENGTH}) for name in OTHERS}
    return {
        "as it is": case,
        "a year": year,
        **others,
        "pushed": case.set(PUSHED),
        "plotting": case.set(PLOTTING),
        "received": case.set(RECEIVED).with_events(POLICIES),
    }


def measure(case: Case) -> dict[str, Any]:
    """Return the totals, digests and mean gauges of the runs of a world.

    Digests are of whole numbers, but for that of the values of the log, whose last digits another kind of
    processor may round otherwise.
    """
    model = Model(case, build(case, SEED))
    runs = [model.replicate(SEED, run, log=True) for run in range(RUNS)]
    series, log, values_of_log = (hashlib.sha256() for _ in range(3))
    totals: dict[str, int] = {}
    gauges: dict[str, float] = {}
    for one in runs:
        for name in sorted(one.series):
            values = np.asarray(one.series[name])
            if values.dtype.kind == "f":
                level = values[np.isfinite(values)].astype(np.float64)
                gauges[name] = gauges.get(name, 0.0) + (float(level.mean()) if level.size else 0.0) / RUNS
            else:
                series.update(name.encode() + values.astype("<i8").tobytes())
        for name, column in sorted(one.events.items()):
            if column.dtype.kind == "f":
                values_of_log.update(name.encode() + column.astype("<f8").tobytes())
            else:
                log.update(name.encode() + column.astype("<i8").tobytes())
        outcomes = one.series["exits_rank"].sum(axis=(0, 2))
        counted = named(EVENTS, np.bincount(one.events["event"], minlength=len(EVENTS)), "event")
        counted |= dict(zip(OUTCOMES, outcomes, strict=True))
        ended = named(FATES, one.series["fates"][-1], "fate")
        counted |= {f"{fate} at the end": n for fate, n in ended.items()}
        counted["moments of decision"] = one.series["decision_opportunities"]
        for name, number in counted.items():
            totals[name] = totals.get(name, 0) + int(number)
    return {
        "totals": totals,
        "gauges": gauges,
        "series": series.hexdigest(),
        "log": log.hexdigest(),
        "values": values_of_log.hexdigest(),
    }


def named(names: Sequence[str], numbers: Iterable[int], kind: str) -> dict[str, int]:
    """Return numbers by name; those that optional mechanisms add go by their place."""
    found = enumerate(numbers)
    return {names[k] if k < len(names) else f"{kind} {k}, optional": int(n) for k, n in found}


def kind_of_machine() -> str:
    """Return what has to be alike for exact numbers to be expected alike: system and processor family."""
    return f"{sys.platform} {platform.machine()}"


def everything() -> dict[str, Any]:
    """Return the whole baseline as measured here and now."""
    return {
        "made on": kind_of_machine(),
        "what": f"sums over {RUNS} runs of {STRENGTH} soldiers until {UNTIL}, seed {SEED}",
        "worlds": {name: measure(case) for name, case in worlds().items()},
    }


def written() -> dict[str, Any]:
    """Return the baseline as it stands in the file."""
    found: dict[str, Any] = json.loads(BASELINE.read_text(encoding="utf-8"))
    return found


def differences(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """Return in words what differs between two baselines."""
    lines = []
    for world in sorted(old["worlds"].keys() | new["worlds"].keys()):
        a, b = (side["worlds"].get(world, {}) for side in (old, new))
        before, after = (side.get("totals", {}) for side in (a, b))
        lines += [
            f"{world}: {name}: {before.get(name)} -> {after.get(name)}"
            for name in sorted(before.keys() | after.keys())
            if before.get(name) != after.get(name)
        ]
        bits = [name for name in ("series", "log", "values") if a.get(name) != b.get(name)]
        lines += [f"{world}: {name} to the last bit" for name in bits]
    return lines
