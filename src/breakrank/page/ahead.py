"""What next: a forecast as of a day, the pool beside its parts with their scores so far."""

from __future__ import annotations

import datetime as dt
import math
from typing import TYPE_CHECKING, Any

from breakrank.answer.answer import Answer, Column, Figure, Provenance, Table, brief
from breakrank.page.background import shipped
from breakrank.show.words import between, day, interval, percent
from breakrank.wording import call

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable

    from breakrank.case import Case
    from breakrank.page.background import Found, Tell
    from breakrank.runs.crew import Backend
    from breakrank.runs.store import Store

MEMBERS = 40
"""Members of the ensemble that is made for a forecast."""


def key(case: Case, as_of: str) -> str:
    """Return the name under which a forecast of a case is kept."""
    return f"next-{case.with_draws(None).digest[:24]}-{as_of}"


def kept(case: Case, as_of: str | None) -> Found | None:
    """Return the forecast that comes with Breakrank for a case, if one does as of this day, or of any."""
    found = shipped(case.id, "next")
    return found if found is not None and as_of in (None, found["as_of"]) else None


def usual_day(case: Case) -> str:
    """Return the day as of which one asks first: half-way from the first to the last observed figure."""
    days = sorted(t.date for t in case.targets if case.calendar.start <= t.date < case.calendar.end)
    start, end = (days[0], days[-1]) if days else (case.calendar.start, case.calendar.end)
    middle = start + (end - start) / 2
    return str(min(middle, case.calendar.end - dt.timedelta(days=1)))


def computed(
    case: Case,
    as_of: str,
    store: Store,
    place: Callable[[threading.Event], Backend],
    stop: threading.Event,
    tell: Tell,
) -> Found:
    """Return a forecast, ready to be kept.

    Raises
    ------
    KeyboardInterrupt
        where it was stopped; finished runs are in the store.
    UsageError
        for a day after which nothing is left.
    """
    from breakrank.questions.forecast.forecast import forecast
    from breakrank.runs.carry_out import carry_out

    where = place(stop)

    def carry(study: Any, kept: Any, what: str, **_: object) -> Any:  # noqa: ANN401 (as Carry has it)
        account = carry_out(study, kept, where, lambda now: tell(now.done + now.failed, now.total, what))
        if stop.is_set():
            raise KeyboardInterrupt
        return account

    found = forecast(case, as_of, MEMBERS, store=store, carry=carry).as_json()
    return found | {"digest": case.with_draws(None).digest}


def answer(case: Case, found: Found) -> Answer:
    """Return the answer that a kept forecast comes to."""
    as_of = dt.date.fromisoformat(str(found["as_of"]))
    heads = found["headlines"]
    counts = [one for one in heads if "chance" not in one]
    events = [one for one in heads if "chance" in one]
    label = counts[0]["label"] if counts else ""
    course = [one for one in counts if one["label"] == label]
    return Answer(
        question="forecast",
        title=f"{case.title}: forecast as of {day(as_of)}",
        finding=_sentence(course, events, as_of),
        doubt=_doubt(case, found),
        tables=(_counts(counts), _chances(events), _scores(found), _beds(found)),
        figures=(
            Figure(
                name="ahead",
                title=f"{label}, ahead of {day(as_of)}",
                kind="dots",
                table="counts",
                x="head",
                y=("median",),
                low="low",
                high="high",
                where=(("label", label),),
                note="median and 90% interval of the pooled forecast",
            ),
        )
        if course
        else (),
        notes=tuple(str(note) for note in found.get("notes", ())),
        provenance=Provenance(
            case=case.id,
            title=case.title,
            ensemble=f"{MEMBERS} members made from what was published by {as_of}",
            runs=MEMBERS,
            seed=0,
            digest=str(found.get("digest", "")),
            command=call(["breakrank", "forecast", case.id, "--as-of", str(as_of)]),
            stands_for=case.stands_for,
        ),
    )


def _sentence(course: list[Found], events: list[Found], as_of: dt.date) -> str:
    """Return the pooled forecast of the furthest day in one sentence."""
    if not course:
        return brief(f"As of {day(as_of)} nothing of this case can be counted ahead.")
    last = course[-2:][0]  # the last day of a case is often too far ahead to tell anything of
    low, high = last["interval90"]
    middle = between(last["median"], low, high, "people")
    said = f"As of {day(as_of)}: {middle} ({interval(low, high, 'people')}) {last['label'].lower()}"
    said += f" by {day(dt.date.fromisoformat(last['date']))}"
    holds = [one for one in events if one["label"] == "Regime in place"]
    if holds:
        said += f"; regime in place at the end: {percent(holds[-1]['chance'])}"
    return brief(f"{said}.")


def _doubt(case: Case, found: Found) -> str:
    """Return the track record of the pooled forecast in a line."""
    pool = next((one for one in found.get("scores_so_far", ()) if one.get("forecaster") == "pool"), None)
    text = "No figure could have been forecast earlier, so no score tells yet which part to trust."
    if pool is not None and pool["figures"]:
        inside = round(pool["in90"] * pool["figures"])
        text = (
            f"Track record: {inside} of {pool['figures']} earlier figures lay within the pooled 90% interval."
        )
    if found.get("digest") not in ("", None, case.with_draws(None).digest):
        text += " Computed beforehand, for an earlier state of the case."
    return f"{text} The spread of a model, not a promise."


def _parts(one: Found) -> dict[str, float]:
    return {name: float(value) for name, value in one.get("parts", {}).items()}


def _counts(counts: list[Found]) -> Table:
    parts = list(dict.fromkeys(name for one in counts for name in _parts(one)))
    columns = (
        Column(name="label", label="what", kind="text"),
        Column(name="date", label="day", kind="date"),
        Column(name="head", label="Day in words", kind="text", shown=False),
        Column(name="median", label="pooled", unit="people", low="low", high="high", interval="90% interval"),
        Column(name="low", label="from", unit="people", shown=False),
        Column(name="high", label="to", unit="people", shown=False),
        *(Column(name=f"part_{k}", label=one, unit="people") for k, one in enumerate(parts)),
    )
    rows = [
        {
            "label": one["label"],
            "date": one["date"],
            "head": f"by {day(dt.date.fromisoformat(one['date']))}",
            "median": one["median"],
            "low": one["interval90"][0],
            "high": one["interval90"][1],
        }
        | {f"part_{k}": _parts(one).get(name, math.nan) for k, name in enumerate(parts)}
        for one in counts
    ]
    return Table.of("counts", "Forecast beside its parts", columns, rows, note="Parts: their medians.")


def _chances(events: list[Found]) -> Table:
    columns = (
        Column(name="label", label="event", kind="text"),
        Column(name="date", label="by", kind="date"),
        Column(name="chance", label="chance, pooled", kind="share"),
    )
    rows = [{name: one[name] for name in ("label", "date", "chance")} for one in events]
    return Table.of("chances", "Chances of events", columns, rows)


def _scores(found: Found) -> Table:
    columns = (
        Column(name="forecaster", label="forecaster", kind="text"),
        Column(name="figures", label="figures", kind="count"),
        Column(name="in50", label="within 50%", kind="share"),
        Column(name="in90", label="within 90%", kind="share"),
        Column(name="crps", label="CRPS, log scale", meaning="less is better"),
        Column(name="brier", label="Brier score", meaning="of chances; less is better"),
    )
    some = found.get("scores_so_far") or []
    rows = [{c.name: math.nan if one.get(c.name) is None else one[c.name] for c in columns} for one in some]
    note = "Of figures known by the day, forecast as of earlier days. Less is better for both scores."
    return Table.of("scores", "Scores so far", columns, rows, note=note)


def _beds(found: Found) -> Table:
    columns = (
        Column(name="week", label="week from", kind="date"),
        Column(name="50%", label="beds at 50%", kind="count"),
        Column(name="80%", label="at 80%", kind="count"),
        Column(name="95%", label="at 95%", kind="count"),
    )
    rows = [
        {"week": one["from"]} | {name: one["beds"].get(name, math.nan) for name in ("50%", "80%", "95%")}
        for one in found.get("beds", [])
    ]
    return Table.of("beds", "Beds in the weeks ahead", columns, rows)
