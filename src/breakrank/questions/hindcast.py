"""Hindcasts: what would have been forecast on every day on which a figure was published, and its scores.

As of each such day the case is taken back to what was known then. The model and its null model are simulated
from there under draws of the prior, which weigh by the figures known; all forecasters of
:mod:`.forecasters` are scored on the figures that came later.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.answer.answer import Answer, Column, Figure, Provenance, Table, brief, hidden, text
from breakrank.case.dates import as_date
from breakrank.case.draws import Draws
from breakrank.errors import UsageError
from breakrank.inference.observed import ends, inside, with_targets
from breakrank.questions.forecasters import (
    BASELINES,
    FORECASTERS,
    MODEL,
    NULL,
    PARTS,
    POOL,
    Ensemble,
    KnownOnDay,
    Prediction,
    Workshop,
    as_of_dates,
    as_simulated,
    kind_of,
    predictions,
    prior_draws,
    simulate_ensemble,
    split,
)
from breakrank.results.outcomes import known_from
from breakrank.results.uncertainty import LEVELS, brier, covered, crps
from breakrank.runs.as_of import LEFT_IN, as_known
from breakrank.runs.counterfactuals import null_model
from breakrank.show.tables import COLUMNS
from breakrank.show.words import span
from breakrank.wording import counted

if TYPE_CHECKING:
    from breakrank.case import Case, Target
    from breakrank.case.dates import DateLike
    from breakrank.runs.carry_out import Making


Rows = Sequence[Mapping[str, Any]]
"""A row for each forecaster, figure and day, as :func:`score_rows` makes them."""
GOOD = 1e-3
"""Share of a score below which another is as good."""


def score_rows(
    question: Target, case: Case, day: dt.date | None, predicted: Mapping[str, Prediction]
) -> list[dict[str, Any]]:
    """Return a row for each forecaster of a figure: what it said, and its score.

    A figure is scored by the CRPS in its unit, a range at its middle; a bound and a yes or no by the Brier
    score, from the chance of what was observed.
    """
    low, high = ends(question)
    kind = kind_of(question)
    about = {
        "case": case.id,
        "as_of": "" if day is None else str(day),
        "target": question.id,
        "label": question.label,
        "unit": question.unit,
        "date": str(question.date),
        "known_on": str(known_from(question, case) or ""),
        "kind": kind,
        "observed_low": low,
        "observed_high": high,
    }
    rows = []
    for name, one in predicted.items():
        row: dict[str, Any] = {**about, "forecaster": name, "chance": None, "in50": None, "in90": None}
        row |= dict.fromkeys(COLUMNS)
        if isinstance(one, np.ndarray):
            row |= dict(zip(COLUMNS, np.quantile(one, LEVELS).tolist(), strict=True))
        if kind == "figure":
            x = np.asarray(one)
            row |= {"score_kind": "CRPS", "score": crps(x, (low + high) / 2)}
            row |= {f"in{level}": covered(x, low, high, level / 100) for level in (50, 90)}
        else:
            if kind == "bound":
                chance = float(((one >= low) & (one <= high)).mean())  # type: ignore[union-attr]
            else:
                chance = float(one) if low > 0 else 1.0 - float(one)
            row |= {"score_kind": "Brier", "score": brier(chance, True), "chance": chance}
        rows.append(row)
    return rows


def best(figure: Rows) -> list[str]:
    """Return the forecasters with the lowest score at one figure; several where they are as good."""
    least = min(row["score"] for row in figure)
    return [row["forecaster"] for row in figure if row["score"] <= least * (1 + GOOD) + 1e-9]


def ratios(rows: Rows, one: str, other: str) -> list[float]:
    """Return the CRPS of a forecaster as a share of another's, for each figure and day.

    Those where either is exact are left out, and those where both are one forecast, as where the pool has a
    single part.
    """
    scores: dict[str, dict[tuple[str, ...], float]] = {one: {}, other: {}}
    for row in rows:
        if row["score_kind"] == "CRPS" and row["score"] > 0 and row["forecaster"] in scores:
            scores[row["forecaster"]][row["case"], row["as_of"], row["target"]] = row["score"]
    both = [(score, scores[other][at]) for at, score in scores[one].items() if at in scores[other]]
    return [mine / its for mine, its in both if mine != its]


def by_case(rows: Rows) -> dict[str, Rows]:
    """Return the rows of each case, in their order."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        found.setdefault(row["case"], []).append(row)
    return dict(found)


def geometric_mean(shares: Sequence[float]) -> float:
    """Return the geometric mean of shares above 0; not a number where there is none."""
    return float(np.exp(np.log(shares).mean())) if shares else math.nan


def summarise(rows: Rows) -> list[dict[str, Any]]:
    """Return a row for each case and forecaster: scores beside the pool's, and coverage.

    ``figures`` scored by CRPS, ``in50`` and ``in90`` as shares of them; at those that are ``compared``, the
    ``crps`` as a share of the pool's (geometric mean); ``chances`` scored by Brier, ``brier`` their mean.
    """
    parts: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for row in rows:
        parts.setdefault((row["case"], row["forecaster"]), []).append(row)
    cases, out = by_case(rows), []
    for (case, name), part in parts.items():
        counts = [row for row in part if row["score_kind"] == "CRPS"]
        chances = [row["score"] for row in part if row["score_kind"] == "Brier"]
        beside = ratios(cases[case], name, POOL)
        out.append(
            {
                "case": case,
                "forecaster": name,
                "figures": len(counts),
                "compared": len(beside),
                "crps": geometric_mean(beside),
                "in50": _mean([row["in50"] for row in counts]),
                "in90": _mean([row["in90"] for row in counts]),
                "chances": len(chances),
                "brier": _mean(chances),
            }
        )
    return out


def _figures(found: Sequence[float]) -> str:
    return counted(len(found), "figure")


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else math.nan


def _nearer(rows: Rows) -> tuple[str, Sequence[float]]:
    """Return the baseline that is nearest beside the model, and the model's CRPS as shares of its CRPS."""
    beside = {name: found for name in BASELINES if (found := ratios(rows, MODEL, name))}
    return max(beside.items(), key=lambda one: geometric_mean(one[1]), default=("", ()))


def verdict(rows: Rows) -> Iterator[str]:
    """Yield conclusions from scores in sentences; a baseline that is nearer than the model comes first."""
    beside = {case: _nearer(part) for case, part in by_case(rows).items()}
    nearer = {case: one for case, one in beside.items() if geometric_mean(one[1]) > 1}
    for case, (name, found) in nearer.items():
        yield (
            f"A simple baseline forecast {case} better than the model: the model's error (CRPS) is "
            f"{geometric_mean(found):.2f} times that of the {name} (geometric mean, {_figures(found)})."
        )
    if not nearer and any(found for _, found in beside.values()):
        yield "No baseline is nearer than the model, as a geometric mean of CRPS."
    elif rows and not nearer:
        yield (
            "The simple baselines (last value, constant rate, curve) had nothing to continue, so no score "
            "sets one of them beside the model."
        )
    for name in PARTS:
        if found := ratios(rows, POOL, name):
            share = geometric_mean(found)
            yield f"The CRPS of the pool is {share:.2f} of that of the {name} ({_figures(found)})."
    pool = [row for row in rows if row["forecaster"] == POOL and row["score_kind"] == "CRPS"]
    if pool:
        met = ", ".join(f"{level}%: {sum(row[f'in{level}'] for row in pool)}" for level in (50, 90))
        yield f"Intervals of the pool that hold the figure, of {len(pool)}: {met}."


SCORES = (
    "Scores: CRPS in the unit of the figure, Brier (0 to 1) for yes or no and for bounds; lower is better, * "
    "is the best of a row. A range is scored at its middle. The pool is the mixture of the others: "
    "one half the model, one half the rest in equal parts."
)
"""How a table of scores is read."""
SHARE = (
    "CRPS / pool: geometric mean over figures and days at which the two differ, which are not independent."
)


def summary(name: str, title: str, rows: Rows) -> Table:
    """Return a row for each case and forecaster: scores beside the pool's, and coverage."""
    columns = (
        text("case", "Case"),
        text("forecaster", "Forecaster"),
        Column("figures", "Figures", kind="count"),
        Column("compared", "Compared", kind="count"),
        Column("crps", "CRPS / pool", meaning=SHARE),
        Column("least", "Least", shown=False),
        Column("most", "Most", shown=False),
        Column("in50", "In 50%", kind="share", meaning="figures in the 50% interval"),
        Column("in90", "In 90%", kind="share", meaning="figures in the 90% interval"),
        Column("chances", "Yes or no", kind="count"),
        Column("brier", "Brier"),
    )
    order = {who: k for k, who in enumerate(FORECASTERS)}
    found = sorted(summarise(rows), key=lambda one: (one["case"], order[one["forecaster"]]))
    cases = by_case(rows)
    return Table.of(name, title, columns, [one | _ends(cases[one["case"]], one) for one in found])


def _ends(rows: Rows, one: Mapping[str, Any]) -> dict[str, float]:
    beside = ratios(rows, one["forecaster"], POOL)
    return {"least": min(beside, default=math.nan), "most": max(beside, default=math.nan)}


def figures(rows: Rows) -> Table:
    """Return a row for each figure and forecaster: what was observed, what was forecast, and its score."""
    columns = (
        text("label", "Figure"),
        text("observed", "Observed"),
        text("forecaster", "Forecaster"),
        text("unit", "Unit", shown=False),
        Column("median", "Forecast", low="q05", high="q95", interval="90%", whole=True, unit_in="unit"),
        *hidden("q05", "q95"),
        Column("chance", "Chance", kind="share", meaning="what was observed had, as forecast"),
        Column("score", "Score"),
        text("best", "Best"),
    )
    found = []
    for target in dict.fromkeys(row["target"] for row in rows):
        these = [row for row in rows if row["target"] == target]
        winners = best(these)
        found += [
            {
                name: row.get(name, math.nan)
                for name in ("label", "forecaster", "unit", "median", "q05", "q95", "score")
            }
            | {
                "observed": observed(row),
                "chance": row["chance"] if row.get("chance") is not None else math.nan,
                "best": "*" if row["forecaster"] in winners else "",
            }
            for row in these
        ]
    note = f"Chance: of what was observed. {SCORES}"
    return Table.of("figures", "Scores of later figures", columns, found, note=note)


def observed(figure: Mapping[str, Any]) -> str:
    """Return the observed figure in words."""
    low, high = figure["observed_low"], figure["observed_high"]
    if figure["kind"] == "yes or no":
        return "yes" if low > 0 else "no"
    return span(low, high, figure["unit"])


CARRIED, OWN = "other cases", "own prior"
"""Forecasters of a left-out case: psychological parameters from the other cases, or all from its prior."""


def without_record(rows: Rows) -> Iterator[str]:
    """Yield for each case without its own record how parameters from the other cases forecast it."""
    for case, its in by_case(rows).items():
        if found := ratios(its, CARRIED, OWN):
            yield (
                f"Leave one case out, {case}: with psychological parameters from the other cases, the CRPS "
                f"is {geometric_mean(found):.2f} of that of its own prior ({len(found)} figures)."
            )
        else:
            yield f"Leave one case out, {case}: its record has no figure to compare."


def answer_of(rows: Rows, left_out: Rows, days: Rows, skipped: Sequence[str], made: Provenance) -> Answer:
    """Return who carries the forecasts, and the scores of each forecaster for each case.

    Parameters
    ----------
    rows : one for each forecaster, figure and day. left_out : the same for cases without their own record.
    days : one for each case and day, with the effective sample size of the model's runs.
    skipped : cases of whose record no day can be forecast from, and why.
    """
    lead, *rest = (
        *verdict(rows),
        *without_record(left_out),
        f"Not removed from any forecast: {'; '.join(LEFT_IN)}.",
    )
    scores = Figure(
        name="scores",
        title=lead,
        kind="dots",
        table="summary",
        x="forecaster",
        y=("crps",),
        low="least",
        high="most",
        by="case",
        note="Dot: geometric mean; line: least and most. Left of 1 is nearer than the pool.",
    )
    kept = {
        "forecasts": ("Every forecast and its score", [*rows, *left_out]),
        "days": ("Days that are forecast from", days),
    }
    return Answer(
        question="hindcast",
        title=made.title,
        finding=brief(lead),
        doubt=SHARE,
        tables=(
            summary("summary", "Scores by case and forecaster", rows),
            *(_in_files(name, title, each) for name, (title, each) in kept.items() if each),
        ),
        figures=(scores,) if rows else (),
        notes=(*rest, *(f"Skipped: {one}." for one in skipped)),
        provenance=made,
    )


def _in_files(name: str, title: str, rows: Rows) -> Table:
    """Return a table of all that rows have, which documents do not show."""
    names = dict.fromkeys(name for row in rows for name in row)
    texts = {name for row in rows for name, value in row.items() if isinstance(value, str)}
    columns = [
        Column(one, one.replace("_", " "), kind="text" if one in texts else "number", shown=False)
        for one in names
    ]
    return Table.of(name, title, columns, rows)


def scored(cases: Sequence[Case], making: Making, as_of: DateLike | None, draws: int, seed: int) -> Answer:
    """Score what would have been forecast on every day on which a figure was published.

    Raises
    ------
    UsageError
        for a case that is named twice, or a day that leaves nothing to forecast.
    BreakrankError
        if no run finished.
    KeyboardInterrupt
        for Ctrl-C; what has finished is kept.
    """
    chosen = _each_once(cases)
    day = None if as_of is None else as_date(as_of, "as_of")
    shop = Workshop(making.store, making.carry, draws, seed)
    rows: list[dict[str, Any]] = []
    skipped: list[str] = []
    forecast_from: list[dict[str, Any]] = []
    for case in chosen:
        days = as_of_dates(case) if day is None else (day,)
        if len(chosen) > 1 and day is not None and not _leaves_a_figure(case, day):
            days = ()
        if not days:
            skipped.append(f"{case.id}: its record leaves no figure to forecast as of a day that it knows")
        for one in days:
            found, ensemble = forecast_rows(case, one, shop)
            rows += found
            forecast_from.append({"case": case.id, "as_of": str(one), "ess": round(ensemble.ess, 1)})
    left_out = leave_one_out(chosen, shop) if len(chosen) > 1 else []
    named = ", ".join(dict.fromkeys(row["case"] for row in rows)) or "no case"
    made = Provenance(
        case=named,
        title=f"Hindcasts of {named}",
        ensemble=f"{draws:,} draws of the prior as of each day",
        runs=draws,
        seed=seed,
        digest="",
        command=making.command,
    )
    return answer_of(rows, left_out, forecast_from, skipped, made)


def _leaves_a_figure(case: Case, day: dt.date) -> bool:
    return case.calendar.start <= day < case.calendar.end and bool(split(case, day)[1])


def forecast_rows(case: Case, day: dt.date, shop: Workshop) -> tuple[list[dict[str, Any]], Ensemble]:
    """Return the scored forecasts of all later figures as of a day, and the ensemble of the model.

    Raises
    ------
    UsageError
        for a day that leaves nothing to forecast.
    """
    then = as_known(case, day).case
    known, later = split(case, day)
    if not later:
        raise UsageError(f"no figure of the record of {case.id} is of a day after {day}; name an earlier day")
    ensembles = {
        name: simulate_ensemble(made, known, later, shop, f"{case.title} as of {day}, {name}")
        for name, made in ((MODEL, then), (NULL, null_model(then)))
    }
    asked = KnownOnDay(case, day, known, shop.seed)
    rows: list[dict[str, Any]] = []
    for target in later:
        rows += score_rows(target, case, day, predictions(target, asked, ensembles))
    return rows, ensembles[MODEL]


def scores_so_far(case: Case, known: Sequence[Target], day: dt.date, shop: Workshop) -> list[dict[str, Any]]:
    """Return the scored forecasts as of all earlier days, of figures that were known on a day."""
    then = with_targets(case, known)
    earlier = [one for one in as_of_dates(then) if one < day]
    return [row for one in earlier for row in forecast_rows(then, one, shop)[0]]


def leave_one_out(cases: Sequence[Case], shop: Workshop) -> list[dict[str, Any]]:
    """Return the scored forecasts of each case without its record, from its own prior and from other cases.

    Psychological parameters come from the other cases, as their whole records leave them, in equal parts; a
    row of them stays together. All else, and what another case does not draw, comes from the own prior.
    """
    asked = {case.id: inside(case) for case in cases}
    whole = {c.id: simulate_ensemble(c, asked[c.id], (), shop, f"{c.title}, its record") for c in cases}
    rows: list[dict[str, Any]] = []
    for case in cases:
        others = [(other, whole[other.id]) for other in cases if other.id != case.id]
        drawn = carried_draws(prior_draws(case, shop), others)
        own = whole[case.id]
        ensembles = {
            OWN: replace(own, weights=np.ones_like(own.weights)),
            CARRIED: simulate_ensemble(case, (), asked[case.id], shop, f"{case.title}, others", drawn),
        }
        nothing = KnownOnDay(case, case.calendar.start - dt.timedelta(days=1), (), shop.seed)
        for target in asked[case.id]:
            for name, ensemble in ensembles.items():
                rows += score_rows(target, case, None, as_simulated(target, nothing, ensemble, name))
    return rows


def carried_draws(own: Draws, others: Sequence[tuple[Case, Ensemble]]) -> Draws:
    """Return draws with the psychological parameters of the other cases' ensembles, in equal parts."""
    values = own.values.copy()
    column = {name: k for k, name in enumerate(own.names)}
    for row in range(len(values)):
        other, ensemble = others[row % len(others)]
        assert ensemble.draws is not None
        taken = ensemble.draws.values[ensemble.rows[row * len(ensemble.rows) // len(values)]]
        for name, value in zip(ensemble.draws.names, taken, strict=True):
            if name in column and other.declared[name].scope == "psychological":
                values[row, column[name]] = value
    return Draws(own.names, values)


def _each_once(cases: Sequence[Case]) -> tuple[Case, ...]:
    ids = [case.id for case in cases]
    if len(set(ids)) < len(ids):
        raise UsageError(f"the case {max(ids, key=ids.count)!r} is named twice")
    return tuple(case.with_draws(None) for case in cases)
