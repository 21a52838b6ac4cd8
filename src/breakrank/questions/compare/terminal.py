"""What a comparison looks like: a table of paired differences, or one JSON object."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from breakrank.questions.compare.compare import query_of, said
from breakrank.results.uncertainty import FIXED, chance_only
from breakrank.runs.versions import heading
from breakrank.show.terminal import LABEL, NUMBER, WHOLE, labelled, say, say_table, title, wrapped
from breakrank.show.words import percent

if TYPE_CHECKING:
    from breakrank.case import Case, Counterfactual
    from breakrank.questions.compare.compare import Comparison, Needed, Precision
    from breakrank.results.paired import Difference

NEVER, NOT_TOLD = "none", "open"
"""In place of a number of pairs: no number is enough, and too few pairs to estimate one."""

VERDICTS = {
    "agrees": "the model agrees",
    "opposite": "the model shows the opposite",
    "unclear": "in the model the difference cannot be told from zero",
    "open": "either direction agrees",
}


@dataclass(frozen=True, slots=True)
class ComparisonRequest:
    """One comparison to make: the other case, what it is called, and its name in a store."""

    id: str
    title: str
    other: Case
    asked: Counterfactual | None
    name: str


def measures_of(
    question: ComparisonRequest, wanted: Precision | None, outcomes: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return the measures that are compared: the usual ones, those expected, and those asked for."""
    from breakrank.questions.compare.compare import compared

    expected = question.asked.expected if question.asked is not None else {}
    precise = wanted.of if wanted is not None else ()
    return tuple(dict.fromkeys((*outcomes, *compared(question.other), *expected, *precise)))


def tell(question: ComparisonRequest, made: Comparison, wanted: Precision) -> None:
    """Print the table of one comparison, and whether what was expected came out."""
    pairs = f"{made.runs} pair{'s' * (made.runs != 1)} of runs"
    say(title(f"{question.id}: {question.title} ({pairs})"))
    if chance_only(made.case):
        say(f"{FIXED.capitalize()}.")
    asked = wanted.share is not None or bool(wanted.of)
    split = any(not math.isnan(d.parameters) for d in made.differences)
    more = (*["par."] * split, *["needs"] * asked)
    heads = ("case", "other", "mean diff.", "95% interval", "sign", "factor", *more)
    needs = [_needed(d, wanted, made.case) for d in made.differences]
    rows = [
        (
            d.label,
            *said(d),
            _factor(d.reduction),
            *["" if math.isnan(d.parameters) else percent(d.parameters)] * split,
            *[_needs(need)] * asked,
        )
        for d, need in zip(made.differences, needs, strict=True)
    ]
    say_table([("On the last day", LABEL), *((head, NUMBER | WHOLE) for head in heads)], rows)
    if asked:
        say(wrapped(_explained(wanted)))
        for line in _beyond(needs, made.case):
            say(wrapped(line))
    for line in _expectations(question, made):
        say(line)
    say()


COLUMNS = (
    "sign: pairs of runs whose difference has the sign of the mean. factor: how many times as many runs it "
    "would take without pairing."
)
PARAMETERS = (
    "par.: share of the variance of the difference between runs that is due to the parameters; the rest "
    "is chance."
)


def apart(done: Iterable[tuple[ComparisonRequest, Comparison]]) -> str:
    """Return what the column par. means, if any table has it."""
    known = any(not math.isnan(d.parameters) for _, made in done for d in made.differences)
    return PARAMETERS if known else ""


def _explained(wanted: Precision) -> str:
    asked = [] if wanted.share is None else [f"{wanted.share:.3g} of the case's mean"]
    asked += [f"{half:g} for {name}" for name, half in wanted.of.items()]
    return (
        "needs: pairs of runs for a 95% interval with a half-width of at most "
        f"{', '.join(asked)}, estimated from the spread of these"
    )


def _needed(d: Difference, wanted: Precision, case: Case) -> Needed | None:
    from breakrank.questions.compare.compare import needed

    half = wanted.half_width(d)
    return None if half is None else needed(d, half, getattr(case, "draws", None))


def _needs(found: Needed | None) -> str:
    if found is None:
        return ""
    if found.pairs is not None:
        return f"{found.pairs:,}"
    return NOT_TOLD if math.isnan(found.floor) else NEVER


def _beyond(needs: Iterable[Needed | None], case: Case) -> Iterable[str]:
    """Say what it means where no number of pairs is told."""
    lacking = [one for one in needs if one is not None and one.pairs is None]
    if not lacking:
        return
    draws = case.draws
    assert draws is not None, "without draws there is always a number"
    of = f"{len(draws):,} draws of the parameters"
    if any(not math.isnan(one.floor) for one in lacking):
        yield f"{NEVER}: {of} are too few for this precision, with any number of runs"
    if any(math.isnan(one.floor) for one in lacking):
        once = f"{len(draws) * draws.each:,}"
        yield (
            f"{NOT_TOLD}: too few pairs to estimate; more than {once} are needed, which use each of {of} once"
        )


def _expectations(question: ComparisonRequest, made: Comparison) -> Iterable[str]:
    """Say of each measure of which something is expected whether it came out so."""
    if question.asked is None:
        return
    for name, direction in question.asked.expected.items():
        compared = [d for d in made.differences if d.id == name]
        for d in compared:
            said = VERDICTS[d.against(direction)]
            yield labelled(
                "", f"{d.label}: {direction} expected ({question.asked.literature}); {said}.", 0, 2
            )


def _factor(value: float) -> str:
    if math.isnan(value):
        return ""
    return "all" if math.isinf(value) else f"{value:.1f}" if value < 99.95 else f"{value:,.0f}"


def as_json(
    case: Case,
    seed: int,
    runs: int,
    done: Sequence[tuple[ComparisonRequest, Comparison]],
    wanted: Precision,
) -> object:
    """Return all comparisons ready for JSON."""

    def one(question: ComparisonRequest, made: Comparison) -> dict[str, object]:
        told: dict[str, object] = {
            "title": question.title,
            "pairs": made.runs,
            "digest": made.other.digest,
            "asked": query_of(case, question.other),
            "differences": {
                d.id: d.as_json() | _needed_json(_needed(d, wanted, made.case)) for d in made.differences
            },
        }
        if question.asked is not None:
            told["question"] = question.asked.question
            told["literature"] = question.asked.literature
            told["expected"] = {
                name: {"direction": way, "found": _verdict(made, name, way)}
                for name, way in question.asked.expected.items()
            }
        return told

    return {
        **heading(case),
        "digest": case.digest,
        "seed": seed,
        "runs": runs,
        "comparisons": {question.id: one(question, made) for question, made in done},
    }


def _needed_json(found: Needed | None) -> dict[str, object]:
    if found is None:
        return {}
    return {
        "needs": {
            "half_width": found.half_width,
            "pairs": found.pairs,
            "unpaired": found.unpaired,
            "draws": found.draws,
            "floor": None if math.isnan(found.floor) else found.floor,
        }
    }


def _verdict(made: Comparison, name: str, direction: str) -> str | None:
    found: list[Difference] = [d for d in made.differences if d.id == name]
    return found[0].against(direction) if found else None


def save(content: object, done: Sequence[tuple[ComparisonRequest, Comparison]], folder: Path) -> None:
    """Write all differences as one table, and the same as JSON with all else that is told; whole files only.

    Raises
    ------
    UsageError
        if the folder cannot be written.
    """
    import pandas as pd

    from breakrank.runs.atomic_file import write_files

    tables = {question.id: made.table() for question, made in done}
    table = pd.concat(tables, names=["counterfactual"]) if tables else pd.DataFrame()
    files = {
        "comparison.csv": table.to_csv(lineterminator="\n"),
        "comparison.json": json.dumps(content, indent=1, allow_nan=False) + "\n",
    }
    write_files(folder, files)
