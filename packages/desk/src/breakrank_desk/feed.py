"""From a quantity to the case.

A target, a dated field or a prior as text to paste, its evidence filled in.
"""

from __future__ import annotations

import csv
import io
import math
import statistics
from typing import Any

from breakrank.case.cells import short
from breakrank.case.content import Ledger
from breakrank.case.dates import last_day
from breakrank.case.files import to_yaml
from breakrank.case.models_evidence import Observation
from breakrank.errors import UsageError
from breakrank_desk.context import Context
from breakrank_desk.quantities import Quantity, conflicts, interval

SPREAD = {"high": 0.05, "medium": 0.15, "low": 0.3}
"""One standard deviation of a prior as a share of its middle, by confidence."""


def _members(quantity: Quantity, ledger: Ledger) -> list[Observation]:
    found = [ledger.observations[m] for m in quantity.members if m in ledger.observations]
    counted = sorted((o for o in found if interval(o) is not None), key=lambda o: (last_day(o.date), o.id))
    if not counted:
        raise UsageError(f"the quantity {quantity.id!r} has no observation with a figure")
    return counted


def as_target(quantity: Quantity, context: Context, measure: str = "") -> str:
    """Return a target of ``targets.yaml``.

    The latest figure, those that agree as evidence, the others as conflicting.

    Parameters
    ----------
    context : of the desk; the case is loaded for the unit of a measure.
    measure : what the model counts; a place to fill in where it is left out.

    Raises
    ------
    UsageError, CaseError
        where the quantity has no figure, there is no such measure, or the case cannot be loaded.
    """
    ledger = context.ledger
    counted = _members(quantity, ledger)
    latest = counted[-1]
    against = {
        x for c in conflicts(quantity, ledger) for x in (c.one, c.two) if latest.id in (c.one, c.two)
    } - {latest.id}
    span = _near(latest, counted, quantity)
    entry: dict[str, Any] = {
        "id": f"{quantity.id}-{last_day(latest.date):%Y-%m}", "label": quantity.label,
        "measure": measure or "registered",
        "date": str(last_day(latest.date)), "unit": _unit(quantity, context, measure),
    }  # fmt: skip
    entry.update(_figure(latest))
    agree = [o.id for o in span if o.id not in against]
    if against and {"value", "range"} & set(entry):
        entry["conflicting"] = sorted(against)
    entry["evidence"] = agree or [latest.id]
    note = (
        "" if measure else "# measure: put what the model counts (breakrank case check names the measures)\n"
    )
    return note + to_yaml([entry])


def _unit(quantity: Quantity, context: Context, measure: str) -> str:
    """Return the quantity's unit; that of the measure where both count people."""
    own = context.unit_of(measure) if measure else ""
    return own if own == "soldiers" and quantity.unit == "persons" else quantity.unit


def _near(latest: Observation, counted: list[Observation], quantity: Quantity) -> list[Observation]:
    return [o for o in counted if (last_day(latest.date) - last_day(o.date)).days <= quantity.holds_for]


def _figure(o: Observation) -> dict[str, Any]:
    if o.range is not None:
        return {"range": [short(x) for x in o.range]}
    assert o.value is not None
    if o.bound in ("at_least", "at_most"):
        return {o.bound: short(o.value)}
    return {"value": short(o.value)}


def as_field(quantity: Quantity, ledger: Ledger) -> str:
    """Return a table of a dated field.

    A row for each day on which the figure is known, the middle of intervals.
    """
    counted = _members(quantity, ledger)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["date", "value"])
    rows = {str(last_day(o.date)): _middle(o) for o in counted}
    writer.writerows([d, repr(short(v))] for d, v in sorted(rows.items()))
    entry = {quantity.id: {"file": f"{quantity.id}.csv", "evidence": [o.id for o in counted]}}
    return f"# fields.yaml\n{to_yaml(entry)}# {quantity.id}.csv\n{out.getvalue()}"


def _middle(o: Observation) -> float:
    if o.range is not None:
        return (o.range[0] + o.range[1]) / 2
    assert o.value is not None
    return o.value


def as_prior(quantity: Quantity, ledger: Ledger) -> str:
    """Return a prior of ``parameters.yaml``.

    A normal around the figures, as wide as they and their confidence leave it.

    The spread joins what lies between parents with what confidence leaves of each.
    """
    counted = _members(quantity, ledger)
    best: dict[str, Observation] = {}
    for o in counted:
        best[ledger.original(o.source).id] = o  # the latest of each parent
    middles = [_middle(o) for o in best.values()]
    mean = statistics.fmean(middles)
    between = statistics.stdev(middles) if len(middles) > 1 else 0.0
    own = max(SPREAD[o.confidence] * abs(_middle(o)) for o in best.values())
    wide = max((o.range[1] - o.range[0]) / 3.92 if o.range else 0.0 for o in best.values())
    spread = math.sqrt(between**2 + max(own, wide) ** 2 / len(middles))
    entry: dict[str, Any] = {
        "value": float(f"{mean:.4g}"), "unit": quantity.unit,
        "prior": {"distribution": "normal", "mean": float(f"{mean:.4g}"), "sd": float(f"{spread:.3g}")},
        "evidence": [o.id for o in counted],
    }  # fmt: skip
    return f"# parameters.yaml; put the parameter's name\n{to_yaml({quantity.id: entry})}"
