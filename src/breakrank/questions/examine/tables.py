"""What an examination looks like: rows for a table, a file of commas, one JSON object, and a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import breakrank
from breakrank.questions.examine.verdict import VERDICTS
from breakrank.results.json_files import json_ready
from breakrank.results.measure_table import find
from breakrank.results.outcome_names import called
from breakrank.runs.versions import ensemble_version
from breakrank.show.words import between, interval, mean

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.case.examination import Expectation, Intervention
    from breakrank.questions.examine.examine import Answer, Examination

COLUMNS = (
    *("part", "intervention", "title", "measure", "expected", "before", "after", "difference", "low", "high"),
    *("pairs", "paired", "verdict", "known_limit", "source", "because"),
)
SIGNS = {
    "more": "more",
    "less": "less",
    "same": "the same",
    "no_more": "not more",
    "no_less": "not less",
    "identical": "identical",
}


def told(one: Expectation) -> str:
    """Return an expectation in words, as ``less, 0.4 to 0.9 times``."""
    words = SIGNS[one.sign]
    if one.times is not None:
        return f"{words}, {one.times[0]:g} to {one.times[1]:g} times"
    return words if one.reaches is None else f"{words}, to {one.reaches[0]:g} to {one.reaches[1]:g}"


def measured(one: Expectation) -> str:
    """Return what is measured, in words."""
    words = [called(one.of)]
    words += [" and ".join(x) if isinstance(x, tuple) else str(x) for x in one.by.values()]
    words += [f"from {one.since}"] if one.since else []
    words += [f"by {one.date}"] if one.date else []
    return ", ".join(words)


def source(item: Intervention, case: Case) -> str:
    """Return who expects it: literature, reports with their paragraphs, or by construction."""
    seen = (case.ledger.observations[name] for name in item.evidence or ())
    words = [item.literature] if item.literature else []
    words += dict.fromkeys(f"{one.source}, paragraph {one.paragraph}" for one in seen)
    return "; ".join([*words, *["by construction"] * item.construction])


def cells(answer: Answer) -> tuple[str, ...]:
    """Return an answer as text: measure, expected, before, after, difference, interval, verdict."""
    one, seen = answer.expected, answer.found
    unit = find(one.of).unit
    limit = " (known limit)" if one.limit else ""
    verdict = (
        f"{answer.verdict}{limit}" if not (limit and answer.verdict == "right") else "right: limit mended"
    )
    return (
        measured(one),
        told(one),
        mean(seen.before, unit),
        mean(seen.after, unit),
        between(seen.mean, seen.low, seen.high, unit, sign=True),
        interval(seen.low, seen.high, unit, sign=True) + ("" if seen.paired else " (unpaired)"),
        verdict,
    )


def rows(made: Examination) -> Iterator[dict[str, object]]:
    """Return every answer as a row with :data:`COLUMNS`; what is no number is ``None``."""
    for answer in made.answers:
        item, one, seen = answer.item, answer.expected, answer.found
        numbers = (seen.before, seen.after, seen.mean, seen.low, seen.high)
        asks = (item.part, item.id, item.title, measured(one), told(one))
        ends = (answer.verdict, one.limit or "", source(item, made.case), " ".join(item.because.split()))
        values = (*asks, *json_ready(numbers), seen.pairs, seen.paired, *ends)
        yield dict(zip(COLUMNS, values, strict=True))


def as_csv(made: Examination) -> str:
    """Return the rows as a file of commas."""
    import pandas as pd

    return pd.DataFrame(rows(made), columns=COLUMNS).to_csv(index=False, lineterminator="\n")


def summary(made: Examination) -> list[str]:
    """Return what came out, in sentences."""
    count = Counter(answer.verdict for answer in made.answers)
    items = len({answer.item.id for answer in made.answers})
    tally = ", ".join(f"{count[v]} {v}" for v in VERDICTS if count[v])
    lines = [f"{items} interventions, {len(made.answers)} expectations: {tally}."]
    known = sum(a.expected.limit is not None and a.verdict != "right" for a in made.answers)
    lines += [f"Marked as known limits: {known}."] if known else []
    mended = dict.fromkeys(a.item.id for a in made.answers if a.expected.limit and a.verdict == "right")
    if mended:
        lines += [f"Right, but marked as a known limit (remove the mark): {', '.join(mended)}."]
    lines += [f"Changed nothing at all, in no run: {', '.join(made.idle)}."] if made.idle else []
    for kind, names in made.untouched.items():
        lines += [f"Not examined, {len(names)} {kind}: {', '.join(names)}."] if names else []
    return lines


def as_json(made: Examination) -> dict[str, object]:
    """Return the examination ready for JSON."""
    return {
        "case": made.case.id,
        "version": breakrank.__version__,
        "ensemble": ensemble_version(made.case) or None,
        "digest": made.case.digest,
        "seed": made.seed,
        "runs": made.runs,
        "answers": list(rows(made)),
        "idle": list(made.idle),
        "not_examined": {kind: list(names) for kind, names in made.untouched.items()},
    }


HOW_TO_READ = """\
Each row is one change of the case, made alone, and one expectation written down **before it was run**, with
its author and reason. The interventions are data (`examination.yaml` in the folder of the case) that anyone
may edit. The command at the end writes this page.

Run number *k* of the case and run number *k* of the changed case have the same soldiers and the same random
draws. So the difference is the effect of the change. The interval is that of the mean difference (95%,
paired t). If the change makes another force, nothing can be paired: the interval is that of two independent
means, and counts are taken per soldier if the strengths differ.

| verdict | meaning |
| --- | --- |
| right | the interval lies on the expected side, and the mean within the band if one was given |
| wrong sign | the interval lies on the other side |
| outside band | the sign is right, but the whole interval is smaller or larger than the band |
| no effect shown | a relevant effect (the near end of the band, or a tenth) would have been detected |
| too few pairs | this number of runs cannot decide |

*Not more* and *not less* are right if the interval excludes a tenth in the other direction. *The same* is
right if the interval lies within the band; *identical* if no run differs in any way. A *known limit* is a
failure that stands here until the model is corrected. A verdict is about the model, not about the country.
A right sign is no proof; it is the minimum for a theory. Of twenty effects that do not exist, about one is
told from zero by chance."""


def as_markdown(made: Examination, command: str, machine: str) -> str:
    """Return the examination as a page.

    Parameters
    ----------
    command : the call that makes it.
    machine : what it was made on and with, in words.
    """
    case = made.case
    lines = ["# The model examined by intervention", "", HOW_TO_READ, ""]
    span = f"{case.calendar.start} to {case.calendar.end}"
    size = f"{case.value('force.strength'):,.0f} soldiers"
    about = f"{case.title}, {size}, {span}, {made.runs} runs of each variant"
    lines += [f"{about}, seed {made.seed}.", "", *(f"- {line}" for line in summary(made))]
    heads = ("change", "measure", "expected", "before", "after", "difference", "interval", "verdict")
    part, before = "", ""
    for answer in made.answers:
        item = answer.item
        if item.part != part:
            part = item.part
            lines += ["", f"## {part}", "", _row(heads), _row(["---"] * len(heads))]
        change = f"**{item.title}** (`{item.id}`)" if item.id != before else ""
        change += f", against `{item.against}`" if change and item.against else ""
        before = item.id
        lines.append(_row((change, *cells(answer))))
    lines += ["", "## Why each was expected", ""]
    for item in {a.item.id: a.item for a in made.answers}.values():
        limits = dict.fromkeys(" ".join(e.limit.split()) for e in item.expected if e.limit)
        why = " ".join(item.because.split()).removesuffix(".")
        lines.append(f"- `{item.id}`: {why} ({source(item, case)}).")
        lines += [f"  Known limit: {limit}" for limit in limits]
    return "\n".join([*lines, "", "## Made with", "", f"`{command}`, {machine}.", ""])


def _row(texts: tuple[str, ...] | list[str]) -> str:
    return f"| {' | '.join(text.replace('|', '/') for text in texts)} |"
