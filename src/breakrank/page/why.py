"""Why it came so: each mechanism and each dated event taken away alone, with the same random numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.answer.answer import Answer, Column, Figure, Provenance, Table, brief
from breakrank.page.background import shipped
from breakrank.questions.explain.explain import HARDLY, switches, without
from breakrank.questions.paired import (
    PairedRuns,
    Reading,
    bases,
    doubt,
    effect_columns,
    provenance,
    unselected,
)
from breakrank.results.json_files import finite
from breakrank.results.measures import find
from breakrank.results.paired import Difference, difference
from breakrank.runs.scenario import Scenario
from breakrank.runs.study import Study
from breakrank.runs.undated import undated
from breakrank.runs.versions import versions
from breakrank.show.words import day, number
from breakrank.wording import call

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable

    from breakrank.case import Case
    from breakrank.page.background import Found, Tell
    from breakrank.runs.crew import Backend
    from breakrank.runs.memory_store import AnyStore

LEFT, HOLDS = "left", "regime_holds"
"""What the chart shows, and what the table has beside it."""
RUNS = 40
"""Runs of the case, and of the case without each cause."""
BASE = "case"


def causes(case: Case) -> Iterator[tuple[dict[str, str], Scenario]]:
    """Yield what can be taken away: each mechanism that is on, and each dated event, with its scenario."""
    for one in switches(case):
        row = {"kind": "mechanism", "id": one.mechanism, "label": one.called, "about": one.about}
        yield row, without(case, one.mechanism)
    for event in case.events:
        row = {"kind": "event", "id": event.id, "label": event.title, "about": day(event.date)}
        yield row, undated(case, [event], f"without the event {event.id}")


def key(case: Case) -> str:
    """Return the name under which the answer for a case is kept."""
    return f"why-{unselected(case).digest[:24]}"


def computed(
    case: Case,
    store: AnyStore,
    place: Callable[[threading.Event], Backend],
    stop: threading.Event,
    tell: Tell,
    runs: int = RUNS,
    seed: int = 0,
) -> Found:
    """Return the paired mean difference of everything that can be taken away, ready to be kept.

    Raises
    ------
    KeyboardInterrupt
        where it was stopped; finished runs are in the store.
    """
    from breakrank.runs.carry_out import carry_out

    case = unselected(case)
    some = list(causes(case))
    study = Study((Scenario(case, BASE), *(scenario for _, scenario in some)), runs, seed)
    what = f"{len(some)} causes taken away one by one"
    tell(0, study.runs * len(study.cells), what)
    account = carry_out(study, store, place(stop), lambda now: tell(now.done + now.failed, now.total, what))
    if account.interrupted:
        raise KeyboardInterrupt
    variables = {v for name in (LEFT, HOLDS) for v in find(name).sources[""].variables}
    pairs = PairedRuns.of_study(study, store, variables)
    draw = pairs.draw(BASE)
    draw = np.arange(runs) if draw is None else draw
    rows = []
    base = {name: pairs.read(BASE, Reading(name)) for name in (LEFT, HOLDS)}
    for (row, _), cell in zip(some, study.cells[1:], strict=True):
        if pairs.result(cell.name) is None:
            continue
        left, holds = (
            difference(name, name, find(name).unit, base[name], pairs.read(cell.name, Reading(name)), draw)
            for name in (LEFT, HOLDS)
        )
        rows.append(row | _numbers(left) | {"holds": finite(holds.mean), "held": finite(holds.before)})
    made = {"digest": case.digest, "runs": runs, "seed": seed, "ensemble": provenance(case, 1, 0).ensemble}
    return made | {"versions": dict(versions(case)), "rows": rows}


def _numbers(d: Difference) -> dict[str, Any]:
    names = ("before", "after", "mean", "low", "high", "same_sign")
    return {name: finite(getattr(d, name)) for name in names} | {"told": bool(d.told), "runs": d.runs}


def is_stale(case: Case, found: Found) -> bool:
    """Return whether a kept answer was computed for another state of the case."""
    return bool(found["digest"] != unselected(case).digest)


def answer(case: Case, found: Found) -> Answer:
    """Return the answer that a kept one comes to; it says so where it was made for an earlier state."""
    case = unselected(case)
    rows = sorted(found["rows"], key=lambda row: (not row["told"], -abs(row["mean"] or 0.0)))
    end = day(case.calendar.end)
    told = [row for row in rows if row["told"]]
    # What nothing is left without says only that all goes through it.
    said = [row for row in told if row["after"] > HARDLY * row["before"]]
    sentence = _sentence(said, len(rows), end)
    earlier = " Computed beforehand, for an earlier state of the case." if is_stale(case, found) else ""
    first = {row["id"] for row in said[:3]}
    strongest = [n for n in case.parameters if n.split(".")[0] in first and not n.endswith(".on")]
    note = f"Mean of {found['runs']:,} pairs of runs, 95% interval; grey: cannot be told from zero."
    return Answer(
        question="why",
        title=f"{case.title}: why",
        finding=sentence,
        doubt=f"{doubt(case)}{earlier}",
        tables=(_table(rows, note),),
        figures=(
            Figure(
                name="causes",
                title=f"Soldiers more or fewer who leave by {end} without each",
                kind="dots",
                table="causes",
                x="label",
                y=("mean",),
                low="low",
                high="high",
                note=note,
            ),
        ),
        evidence=bases(case, strongest[:12]),
        provenance=Provenance(
            case=case.id,
            title=case.title,
            ensemble=str(found["ensemble"]),
            runs=int(found["runs"]),
            seed=int(found["seed"]),
            digest=str(found["digest"]),
            command=call(["breakrank", "explain", case.id, "--outcome", LEFT, "--runs", str(found["runs"])]),
            versions=found.get("versions", {}),
            stands_for=case.stands_for,
        ),
    )


def _sentence(said: list[dict[str, Any]], of: int, end: str) -> str:
    """Return what holds most soldiers back, and what drives most away, in one sentence."""
    if not said:
        return brief(f"None of {of} mechanisms and events, taken away alone, clearly changes who leaves.")
    hold = max((row for row in said if row["mean"] > 0), key=lambda row: row["mean"], default=None)
    drive = min((row for row in said if row["mean"] < 0), key=lambda row: row["mean"], default=None)
    parts = [
        f"without {_short(row['label'])} {number(abs(row['mean']), 'people')} {word}"
        for row, word in ((hold, "more"), (drive, "fewer"))
        if row is not None
    ]
    text = f"{', '.join(parts)} would have left by {end}."
    return brief(text[:1].upper() + text[1:])


def _short(label: str, words: int = 7) -> str:
    """Return a label of a few words, in quotation marks where it is a title.

    >>> _short("fear"), _short("The Air Force general Yánez recognises the challenger at home")
    ('fear', '“The Air Force general Yánez recognises the …”')
    """
    parts = label.split()
    if len(parts) > words:
        label = f"{' '.join(parts[:words])} …"
    return f"“{label}”" if label[:1].isupper() else label


def _table(rows: list[dict[str, Any]], note: str) -> Table:
    columns = (
        Column(name="label", label="without", kind="text"),
        Column(name="kind", label="Kind", kind="text"),
        Column(name="id", label="Name", kind="text", shown=False),
        Column(name="about", label="What it is", kind="text"),
        *effect_columns("with it", "without it", "difference"),
        Column(name="same_sign", label="Pairs of that sign", kind="share"),
        Column(name="told", label="Told from zero", kind="flag", shown=False),
        Column(
            name="holds", label="Regime holds, difference in points", kind="number", unit="share", signed=True
        ),
        Column(name="runs", label="Pairs", kind="count", shown=False),
    )
    full = [{name: math.nan if v is None else v for name, v in row.items()} for row in rows]
    plain = [row | {"unit": find(LEFT).unit} for row in full]
    return Table.of("causes", "Everything that was taken away", columns, plain, key="id", note=note)


def dots(found: Answer) -> list[dict[str, Any]]:
    """Return the rows that the page draws as ranked dots, each with what a click asks."""
    names = ("kind", "id", "label", "about", "before", "after", "mean", "low", "high", "told")
    return [
        {name: finite(row[name]) if isinstance(row[name], float) else row[name] for name in names}
        | {"told": bool(row["told"])}
        for row in found["causes"].records()
    ]


def kept(case: Case) -> Found | None:
    """Return the answer that comes with Breakrank for a case, if one does."""
    return shipped(case.id, "why")
