"""The answers of the five views: what happened, why, what if, plan, and what next."""

from __future__ import annotations

import datetime as dt
import hashlib
import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.answer.answer import Basis, provenance
from breakrank.answer.files import with_call
from breakrank.case.changes import unselected
from breakrank.errors import UsageError
from breakrank.page.question import call_options, composed
from breakrank.page.shown import posted, rounded, short, towns
from breakrank.questions.compare import Change, Compared, answer_of, measures_of
from breakrank.questions.declared import LEVEL, STAFF, Explain, ForecastQuestion
from breakrank.questions.explain import explained
from breakrank.questions.paired import HOLDS, LEFT, PairedRuns
from breakrank.questions.plan.answer import answer_of as answer_of_plan
from breakrank.questions.plan.course import STAYS, course
from breakrank.questions.plan.plan import plan_of
from breakrank.questions.plan.scope import (
    HOST,
    check_reception,
    check_staff,
    find_period,
    find_where,
    host_label,
    hosts,
    share_of,
)
from breakrank.questions.plan.scope import towns as host_towns
from breakrank.questions.run.headline import leading
from breakrank.results.files import finite, write_whole
from breakrank.results.paired import difference, pairs_of
from breakrank.results.uncertainty import rows_of
from breakrank.runs.counterfactuals import changes
from breakrank.runs.study import exact
from breakrank.show.evidence import Evidence
from breakrank.wording import call_again

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from breakrank.answer.answer import Answer
    from breakrank.case import Case
    from breakrank.page.background import BackgroundMaking, Found
    from breakrank.page.question import PageQuestion, WantedView
    from breakrank.questions.plan.plan import PlanData
    from breakrank.results.paired import Difference
    from breakrank.results.result import Result
    from breakrank.runs.carry_out import Making


def places_that_differ(before: Result, after: Result) -> dict[str, Any] | None:
    """Return the paired mean difference of each state and each crossing, from the first day to the last.

    Nothing where no place differs by more than chance.
    A state's is of the share of those posted there who left; a state where nobody is posted is left out. A
    crossing's is of soldiers. Only a crossing that both answers have is there.
    """
    runs, i, j = pairs_of(before, after)
    draw = rows_of(before.case, before.seed, runs)

    def each(name: str, dim: str, ids: list[str], whole: NDArray[np.float64]) -> list[dict[str, Any]]:
        one, two = (
            r.data[name].sum("day").transpose("run", dim).values.astype(np.float64)[rows]
            for r, rows in ((before, i), (after, j))
        )
        return [
            _map_row(difference(id_, id_, "", one[:, k] / whole[k], two[:, k] / whole[k], draw))
            for k, id_ in enumerate(ids)
            if whole[k] > 0
        ]

    states = [s.id for s in before.case.force.states]
    ways = list(before.case.crossings.ids)
    same = ways == list(after.case.crossings.ids)
    found = {
        "states": each("exits_state", "state", states, posted(before)),
        "crossings": each("exits_route", "route", ways, np.ones(len(ways))) if same else [],
    }
    told = any(one["told"] for rows in found.values() for one in rows)
    return {**found, "towns": towns(before.case)} if told else None


def _map_row(one: Difference) -> dict[str, Any]:
    numbers = {name: finite(getattr(one, name)) for name in ("mean", "low", "high")}
    return {"id": one.id, "told": one.told, **numbers}


def _check_draws(before: Case, after: Case) -> None:
    """Check that run k of both lives under the same row of draws, but for what one of the two has fixed.

    Raises
    ------
    UsageError
        where one lives under draws and the other at values, or under other draws.
    """
    one, two = before.draws, after.draws
    same = one is None and two is None
    if one is not None and two is not None:
        both = [name for name in one.names if name in two.names]
        columns = [d.values[:, [d.names.index(name) for name in both]] for d in (one, two)]
        same = (one.each, one.shuffled) == (two.each, two.shuffled) and np.array_equal(columns[0], columns[1])
    if not same:
        raise UsageError(
            "the two use different draws of the parameters, so their runs cannot be paired\n"
            "  Ask both under the posterior, or both under the values."
        )


def whatif(before: Result, after: Result, other: PageQuestion, command: str) -> Answer:
    """Return the answer to a what-if: mean paired differences, whether the regime survives first.

    Raises
    ------
    UsageError
        for answers that cannot be paired: another force, calendar or seed, other draws of the parameters.
    """
    case = before.case
    _check_draws(case, after.case)
    title = other.called(case)
    title = "the other case" if title == "case" else title
    pairs = PairedRuns.of_results(before, after)
    change = Change("asked", title, after.case, composed(other, case), "after")
    one = Compared(pairs, "before", "after", change, measures_of(case, change))
    made = provenance(case, before.runs, before.seed, failed=(*before.failed, *after.failed), command=command)
    found = answer_of([one], f"{case.title}: {title}", made)
    figures = tuple(replace(f, note=f"{f.note}; {title}") if k else f for k, f in enumerate(found.figures))
    return replace(found, figures=figures)


SPREAD = ("q05", "q25", "median", "q75", "q95")
STRIP = (*SPREAD, "observed_low", "observed_high")
"""Numbers that a strip is made of."""


def drawn_here(result: Result) -> dict[str, Any]:
    """Return the fan of what leads the answer, the strips of what was observed, and what each chart finds.

    Of a fan, ``record`` are the observed figures that count the same. Strips stand in the order of the
    answer's table; a strip is ``None`` of what is answered with yes or no.
    """
    answer = result.answer
    beside = answer["outcomes"].rows if "outcomes" in {table.name for table in answer.tables} else None
    return {
        "fan": _fan(answer, beside, result),
        "outcomes": [] if beside is None else [_strip(row) for _, row in beside.iterrows()],
        "titles": {figure.name: figure.title for figure in answer.figures},
    }


def _fan(answer: Answer, beside: pd.DataFrame | None, result: Result) -> dict[str, Any]:
    """Return the days of what the headline counts; of all who left, where it has no value by day."""
    daily, lead, marks = answer["daily"].rows, leading(result), None
    rows = daily[daily["group"] == "left"]
    label = "Soldiers who left"
    if beside is not None and lead is not None:
        series = beside.set_index("id").loc[lead.id, "series"]
        if series:
            rows = daily[(daily["group"] == "record") & (daily["id"] == series)]
            label, marks = rows["label"].iloc[0], beside[beside["series"] == series]
    unit = rows["unit"].iloc[0]
    return {
        "label": label,
        "unit": unit,
        "runs": result.runs,
        "days": rows["date"].tolist(),
        **{name: rounded(rows[name].to_numpy(), unit == "share") for name in SPREAD},
        "record": [] if marks is None else [_mark(row) for _, row in marks.iterrows()],
    }


def _mark(row: pd.Series) -> dict[str, Any]:
    low, high = (short(row[name]) for name in ("observed_low", "observed_high"))
    return {"target": row["id"], "label": row["label"], "date": row["date"], "low": low, "high": high}


def _strip(row: pd.Series) -> dict[str, Any]:
    known = math.isfinite(row["low"])
    return {"id": row["id"], "strip": {name: short(row[name]) for name in STRIP} if known else None}


OUTCOMES = (LEFT, HOLDS)
"""What is asked of every cause; the chart shows the first."""
WHY_RUNS = 40
"""Runs of the case, and of the case without each cause."""
KINDS = {"removals": "mechanism", "each-event": "event"}
"""What is taken away, by the table of the answer that tells of it."""


def why_key(case: Case) -> str:
    """Return the name under which the answer for a case is kept."""
    return f"why-{unselected(case).digest[:24]}"


def explanation(case: Case, making: Making, runs: int = WHY_RUNS, seed: int = 0) -> Answer:
    """Return the effect of taking away each mechanism and each dated event by the last day.

    Raises
    ------
    KeyboardInterrupt
        where it was stopped; finished runs are in the store.
    """
    question = Explain(outcomes=OUTCOMES, date=case.calendar.end, runs=runs, seed=seed)
    return with_call(explained(question, case, making), call_again("explain", case.id, **question.flags()))


def dots(found: Answer) -> list[dict[str, Any]]:
    """Return the rows that the page draws as ranked dots, each with what a click asks; clear ones first."""
    rows = [
        {"kind": kind, "id": row["without"], "label": row["without"].replace("_", " "), "about": row["about"]}
        | ({"label": row["about"], "about": ""} if kind == "event" else {})
        | {name: finite(row[name]) for name in ("mean", "low", "high")}
        | {"told": bool(row["told"])}
        for table, kind in KINDS.items()
        if table in {one.name for one in found.tables}
        for row in found[table].records()
        if row["outcome"] == LEFT
    ]
    return sorted(rows, key=lambda row: (not row["told"], -abs(row["mean"] or 0.0)))


def place_of(case: Case, place: str) -> str:
    """Return the place that is planned for: of several hosts the first, where none of them is named."""
    several = hosts(case)
    return several[0] if place == HOST and len(several) > 1 else place


def places(case: Case) -> list[dict[str, str]]:
    """Return the places of a plan: the host or hosts, their towns, and their sites."""
    lodging = [k for k, site in enumerate(case.sites) if site.kind != "embassy"]
    several = hosts(case)
    found = [("host", HOST, f"{host_label(case)}, all towns")]
    if len(several) > 1:  # the first is what the page shows of the host until another is chosen
        found = [("host", HOST if one == several[0] else one, f"{one}, all towns") for one in several]
    found += [("town", town, town) for town in host_towns(case, lodging)]
    found += [("site", case.sites[k].id, case.sites[k].label) for k in lodging]
    return [{"kind": kind, "id": name, "label": label} for kind, name, label in found]


def plan(
    asked: WantedView, result: Result, stated: Case | None, source: str, plain: Case
) -> tuple[Answer, dict[str, Any]]:
    """Return the plan of the runs of a question, and what the bar of the view offers.

    Parameters
    ----------
    stated : the case whose host takes in those who come, where each stands for several.
    source : by what name the command line loads the case. plain : the case without the changes.

    Raises
    ------
    UsageError
        for a place or a period that there is not, or runs that record nothing of reception.
    """
    case = stated or result.case
    check_reception(case, "case")
    place = place_of(case, asked.place)
    where, period = find_where(case, place), find_period(case.calendar, asked.since, asked.until)
    where = replace(where, base=plain)
    change, times = composed(asked.question, plain), asked.question.arrivals
    said = () if change is None else changes(change, plain)
    said += (STAYS,) if times != 1 else ()
    title = asked.question.called(plain)
    world = course(result, where, "case", title, said, times=times, stated=case)
    planned = plan_of(
        [world], where, period, share_of(asked.level), check_staff(staff_of(asked)), result.seed
    )
    planned = replace(planned, asked=result.runs + len(result.failed))
    made = provenance(
        result.case,
        result.runs,
        result.seed,
        failed=result.failed,
        command=plan_command(asked, place, source, result.case),
    )
    offered = {"places": places(plain), "start": str(period.start), "end": str(period.end)}
    return answer_of_plan(planned, made), offered | {"staff": _usual_staff(planned), "runs": result.runs}


def staff_of(asked: WantedView) -> str:
    """Return the numbers of caseworkers that a plan tries: the usual ones, and the one that is asked for."""
    return STAFF if asked.staff is None else f"{STAFF},{asked.staff}"


def _usual_staff(plan: PlanData) -> dict[str, int] | None:
    """Return the fewest and the most caseworkers of the case in a period; ``None`` where nobody decides."""
    if plan.rules is None:
        return None
    mine = plan.rules.staff[plan.period.first : plan.period.last + 1]
    return {"least": int(mine.min()), "most": int(mine.max())}


def plan_command(asked: WantedView, place: str, source: str, case: Case) -> str:
    """Return the call of the command line that makes the same plan, as far as it can be said in one."""
    question = asked.question
    more = any((question.events, question.without_events, question.places, question.funds))
    options = call_options(question, case.mechanisms) | {
        "until": None,
        "with": question.file if more else question.counterfactuals,
        "arrivals": exact(question.arrivals) if question.arrivals != 1 else None,
        "place": place if place != HOST else None,
        "from": asked.since,
        "to": asked.until or question.until,
        "level": exact(asked.level) if asked.level != LEVEL else None,
        "staff": None if asked.staff is None else staff_of(asked),
    }
    return call_again("plan", source, **options)


OBSERVED = ("assimilated", "figures")
"""Tables of observed figures: those that the forecast rests on, and later ones that score it."""


def next_key(case: Case, as_of: str, observations: str = "") -> str:
    """Return the name under which a forecast of a case is kept, with a table of figures beside its record."""
    more = f"-{hashlib.sha256(observations.encode()).hexdigest()[:12]}" if observations else ""
    return f"next-{case.with_draws(None).digest[:24]}-{as_of}{more}"


def day_of(found: Found) -> str:
    """Return the day as of which a kept forecast was made, ISO: the last word of its title."""
    return str(found["title"]).split()[-1]


def usual_day(case: Case) -> str:
    """Return the day as of which one asks first: half-way from the first to the last observed figure."""
    days = sorted(t.date for t in case.targets if case.calendar.start <= t.date < case.calendar.end)
    start, end = (days[0], days[-1]) if days else (case.calendar.start, case.calendar.end)
    middle = start + (end - start) / 2
    return str(min(middle, case.calendar.end - dt.timedelta(days=1)))


def forecast(
    case: Case, as_of: str, making: BackgroundMaking, file: Path | None = None, table: str = ""
) -> Answer:
    """Return a forecast; finished runs are kept in the store of its making.

    Parameters
    ----------
    file, table : what the figures that it takes in beside the record are written to, and they as CSV.

    Raises
    ------
    KeyboardInterrupt
        where it was stopped.
    UsageError
        for a day after which nothing is left.
    CaseError
        for a table that cannot be used.
    """
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, table.encode())
    question = ForecastQuestion(as_of, observations=file)
    making.command = call_again(question.name, case.id, **question.flags())
    return question.answer(case, making).answer


def forecast_numbers(found: Answer, case: Case) -> list[dict[str, Any]]:
    """Return the counts ahead with their measures, and the chances; `head` is the day in words."""
    from breakrank.questions.forecast import counted

    measures = counted(case)
    texts, numbers = ("label", "date", "head", "parts"), ("median", "low", "high", "model")
    counts = [
        {name: row[name] for name in texts}
        | {name: finite(row[name]) for name in numbers}
        | {"measure": measures.get(row["label"], "")}
        for row in found["counts"].records()
    ]
    names = {"label": "label", "head": "date", "chance": "chance"}
    return counts + [{to: row[name] for to, name in names.items()} for row in found["chances"].records()]


def with_evidence(found: Answer, case: Case) -> Answer:
    """Return a forecast that tells who says the observed figures that it shows."""
    evidence, targets = Evidence(case), {target.label: target for target in case.targets}
    labels = [row["label"] for table in found.tables if table.name in OBSERVED for row in table.records()]
    known = [targets[label] for label in dict.fromkeys(labels) if label in targets]
    bases = (Basis(of=one.label, says=evidence.behind(one.evidence, one.assumed)) for one in known)
    return replace(found, evidence=tuple(bases))
