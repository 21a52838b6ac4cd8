"""``breakrank compare``: what a change does, with the same soldiers and the same luck."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from breakrank.cli.change import change, values_of
from breakrank.cli.options import DONE, FAILED, INTERRUPTED, Changes, Flag, Whole
from breakrank.cli.progress import watched
from breakrank.cli.text import labelled, note, say, say_json, say_table, title, wrapped
from breakrank.errors import UsageError
from breakrank.results.variables import YES_OR_NO

if TYPE_CHECKING:
    from breakrank.case import Case, Counterfactual
    from breakrank.results import Result
    from breakrank.study.compare import Comparison
    from breakrank.study.paired import Difference

With = Annotated[tuple[str, ...], Parameter(name="--with", negative="", show_default=False)]

VERDICTS = {
    "agrees": "so it is here",
    "opposite": "here it is the other way round",
    "unclear": "here it cannot be told from no difference",
    "open": "either would do",
}


@dataclass(frozen=True, slots=True)
class Question:
    """One comparison to make: the other case and what it is called."""

    id: str
    title: str
    other: Case
    asked: Counterfactual | None


def compare(
    case: str,
    /,
    *,
    others: With = (),
    changes: Changes = (),
    runs: Whole = 100,
    seed: Whole = 0,
    until: str | None = None,
    workers: Whole | None = None,
    json: Flag = False,
    quiet: Flag = False,
) -> int:
    """Compare a case with what might have been, run by run with the same luck.

    Prints for each counterfactual the mean difference of what counts on the last day, its 95% interval
    (paired t), the share of runs in which it has that sign, and the factor by which pairing the runs cuts its
    variance.

    Parameters
    ----------
    case
        Name of a built-in case, or a case folder.
    others
        Name of a counterfactual of the case, or a file in the format of counterfactuals.yaml. May be given
        several times.
    changes
        Set a parameter in the other case, as NAME=VALUE, e.g. fear.on=0, beside what --with changes or alone.
    runs
        Number of runs of each case.
    seed
        Names the world: the same case and seed give the same numbers.
    until
        Last day, e.g. 2019-06-30, if earlier than the case's own.
    workers
        Number of processes; by default as many as pay off on this machine's cores.
    json
        Print one JSON object on standard output and nothing else there.
    quiet
        Print nothing but errors.
    """
    from breakrank import simulate
    from breakrank.study.compare import check_pair, paired

    plain = change(case, (), None, until).case
    questions = _questions(plain, others, changes)
    for one in questions:
        check_pair(plain, one.other)
    done: list[tuple[Question, Comparison]] = []

    def made_of(one: Case, name: str) -> Result:
        with watched(f"{name}, {runs} run{'s' * (runs != 1)}", quiet) as progress:
            made = simulate(one, runs=runs, seed=seed, workers=workers, log_runs=0, progress=progress)
        if made.failed:
            note(f"breakrank: {len(made.failed)} of {runs} runs failed; the first says: {made.failed[0]}")
        if made.interrupted:
            note("breakrank: interrupted; what is shown are the pairs of runs that had finished")
        return made

    before = latest = made_of(plain, plain.title)
    for one in questions:
        if latest.interrupted:
            break
        latest = made_of(one.other, one.id)
        done.append((one, paired(before, latest, _measures(one))))
        if not (json or quiet):
            _tell(*done[-1])
    if json:
        say_json(_as_json(plain, seed, runs, done))
    elif not quiet:
        say(wrapped(f"Seed {seed}. Intervals hold the luck of the runs at fixed parameters, nothing else."))
    if latest.interrupted:
        return INTERRUPTED
    return FAILED if before.failed or any(c.failed for _, c in done) else DONE


def _questions(case: Case, others: Sequence[str], changes: Sequence[str]) -> list[Question]:
    """Return what to compare with; each has the values of ``--set`` beside its own changes."""
    from breakrank.case.changes import counterfactual
    from breakrank.study.asked import asked as asked_for

    values = values_of(changes)
    by_hand = ", ".join(f"{name} = {value:g}" for name, value in values.items())
    found = []
    for asked in asked_for(case, others):
        other = counterfactual(case, asked).set(values)
        found.append(Question(asked.id, "; ".join(filter(None, (asked.title, by_hand))), other, asked))
    if not others and values:
        found.append(Question("set", by_hand, case.set(values), None))
    if not found:
        known = ", ".join(case.counterfactuals.ids)
        there_are = f"this case has {known}" if known else "this case has none of its own"
        raise UsageError(
            f"nothing to compare {case.id} with; {there_are}\n"
            "  Name one with --with, or a file of them, or change a parameter with --set NAME=VALUE."
        )
    return found


def _measures(question: Question) -> tuple[str, ...]:
    from breakrank.study.compare import COMPARED

    expected = question.asked.expected if question.asked is not None else {}
    return tuple(dict.fromkeys((*COMPARED, *expected)))


def _tell(question: Question, made: Comparison) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    pairs = f"{made.runs} pair{'s' * (made.runs != 1)} of runs"
    say(title(f"{question.id}: {question.title} ({pairs})"))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("On the last day", ratio=1)
    for head in ("case", "other", "mean diff.", "95% interval", "sign", "factor"):
        table.add_column(head, justify="right", no_wrap=True)
    for d in made.differences:
        cells = (
            d.label,
            _level(d.before, d.unit),
            _level(d.after, d.unit),
            _signed(d.mean, d.unit),
            "" if math.isnan(d.low) else f"{_signed(d.low, d.unit)} to {_signed(d.high, d.unit)}",
            f"{100 * d.same_sign:.0f}%",
            _factor(d.reduction),
        )
        table.add_row(*(Text(cell) for cell in cells))
    say_table(table)
    for line in _expectations(question, made):
        say(line)
    say()


def _expectations(question: Question, made: Comparison) -> Iterable[str]:
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


def _share(unit: str) -> bool:
    return unit in ("share", YES_OR_NO)


def _level(value: float, unit: str) -> str:
    """Return a mean for reading; shares and yes or no as per cent."""
    if not math.isfinite(value):
        return "none"
    if _share(unit):
        return f"{100 * value:.1f}%"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def _signed(value: float, unit: str) -> str:
    """Return a difference with its sign; of shares in percentage points."""
    text = _level(abs(value), unit).removesuffix("%")
    if not math.isfinite(value) or not text.strip("0.,"):
        return text
    return f"{'+' if value > 0 else '−'}{text}"


def _factor(value: float) -> str:
    if math.isnan(value):
        return ""
    return "all" if math.isinf(value) else f"{value:.1f}" if value < 99.95 else f"{value:,.0f}"


def _as_json(case: Case, seed: int, runs: int, done: Sequence[tuple[Question, Comparison]]) -> object:
    import breakrank

    def one(question: Question, made: Comparison) -> dict[str, object]:
        told: dict[str, object] = {
            "title": question.title,
            "pairs": made.runs,
            "seconds": round(made.seconds, 3),
            "digest": made.other.digest,
            "differences": {d.id: d.as_json() for d in made.differences},
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
        "case": case.id,
        "version": breakrank.__version__,
        "digest": case.digest,
        "seed": seed,
        "runs": runs,
        "comparisons": {question.id: one(question, made) for question, made in done},
    }


def _verdict(made: Comparison, name: str, direction: str) -> str | None:
    found: list[Difference] = [d for d in made.differences if d.id == name]
    return found[0].against(direction) if found else None
