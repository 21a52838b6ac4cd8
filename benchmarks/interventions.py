"""Forty interventions that a referee argued for, run again: what each does, and whether that was argued.

    python -m benchmarks.interventions [--pairs 40] [--seed 5] [--out interventions.csv]

``interventions.yaml`` beside this script declares them. Run number k of the case and of a changed case share
all random numbers, also where the change makes another force; the interval is that of the mean paired
difference (95%, t). Verdicts are those of ``breakrank examine``. The CSV has a row for each thing expected;
``what_acts.py`` makes a table of it.
"""

from __future__ import annotations

import datetime as dt
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import cyclopts
import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pydantic import Field, TypeAdapter

from breakrank import Case, load_case
from breakrank.case.changes import counterfactual
from breakrank.case.check_fields import check_changes
from breakrank.case.dates import Day
from breakrank.case.documents import read_yaml
from breakrank.case.examination import Expectation
from breakrank.case.models_base import CaseModel, Id, Line
from breakrank.case.models_events import Changes
from breakrank.case.models_parameters import STRENGTH
from breakrank.case.source import read_file
from breakrank.case.values import validated
from breakrank.questions.examine import measured, told, verdict
from breakrank.questions.paired import PairedRuns, Reading, effect, run_pairs
from breakrank.results.measures import find
from breakrank.results.paired import Difference
from breakrank.runs.carry_out import Making
from breakrank.runs.study import Scenario, Study

FILE = Path(__file__).with_name("interventions.yaml")
END = dt.date(2019, 6, 30)
"""Last day of runs for which the declaration gives none."""
CASE = "case"
"""What the unchanged case is called among the changed ones."""
WORST = ("wrong sign", "no effect shown", "outside band", "too few pairs", "right")
"""Verdicts; of the parts of an intervention the first counts."""

Counts = NDArray[np.float64]


class Earlier(CaseModel):
    """The effect of an earlier event, than which another has to be smaller."""

    without: Id = Field(description="the change that takes the earlier event away")
    since: Day = Field(description="first day of its effect")
    date: Day = Field(description="last day of its effect")


class Part(Expectation):
    """One thing that is expected of an intervention."""

    than: Earlier | None = Field(default=None, description="set against the effect of an earlier event")


class Change(Changes):
    """A change of an intervention, and what was argued of it."""

    item: int = Field(description="number of the intervention")
    note: Line | None = Field(default=None, description="what was not written down, or is done otherwise")
    against: Id = Field(default=CASE, description="what it is compared with")
    pairs: int = Field(default=1, description="runs, as a multiple of those asked for")
    until: Day = Field(default=END, description="last day")
    expected: tuple[Part, ...] = Field(description="what was argued")


TABLE: TypeAdapter[tuple[Change, ...]] = TypeAdapter(tuple[Change, ...])


def declared(case: Case, path: Path = FILE) -> tuple[Change, ...]:
    """Return the changes that a file declares, checked against a case."""
    document = read_yaml(read_file(path), path)
    found = validated(TABLE, document, case.calendar)
    for place, each in enumerate(found):
        check_changes(place, each, document, case.content, case.catalogue)
    return found


def reading(part: Part, event: Earlier | None = None) -> Reading:
    """Return what a part reads off the runs, on its own days or on those of an earlier event."""
    days = event or part
    return Reading(part.of, days.date, days.since, part.by)


def findings(
    case: Case, changes: Sequence[Change], pairs: int, seed: int
) -> Iterator[tuple[Change, Part, Difference]]:
    """Yield what became of everything expected.

    Parameters
    ----------
    pairs : runs of each change, times its own multiple.
    """
    for until, times in dict.fromkeys((each.until, each.pairs) for each in changes):
        usual = case.until(until)
        mine = [each for each in changes if (each.until, each.pairs) == (until, times)]
        worlds = (Scenario(counterfactual(usual, each), each.id) for each in mine)
        study = Study((Scenario(usual, CASE), *worlds), pairs * times, seed)
        with Making(backend="serial") as making:
            runs = run_pairs(study, making, f"interventions until {until}")

            def read(name: str, what: Reading, runs: PairedRuns = runs) -> Counts:
                """Return one number for each run; of another force, as if it had the size of this."""
                scale = case.value(STRENGTH) / runs.cases[name].value(STRENGTH)
                return runs.read(name, what, whole=False) * scale

            for each in mine:
                for part in each.expected:
                    before, after = (read(name, reading(part)) for name in (each.against, each.id))
                    if part.than is not None:
                        names = (each.against, part.than.without)
                        as_it_is, without = (read(name, reading(part, part.than)) for name in names)
                        before, after = as_it_is - without, after - before
                    draw = np.arange(pairs * times)
                    yield each, part, effect(part.of, before, after, draw)


def judged(part: Part, seen: Difference) -> str:
    """Return the verdict on a part.

    A bound by an earlier effect is one on its size: that it has the argued sign is a part of its own.
    """
    found = verdict(part, seen)
    beyond = part.than is not None and found in ("wrong sign", "no effect shown")
    return "outside band" if beyond else found


def in_words(found: Difference, unit: str) -> str:
    """Return the mean paired difference with its interval: in percent, or in points of what is a share."""
    points = unit in ("share", "fraction", "1 or 0")
    base = 1.0 if points else abs(found.before)
    if not base:
        return f"{found.mean:+.2f} [{found.low:.2f}, {found.high:.2f}] (before: 0)"
    mean, low, high = (100 * x / base for x in (found.mean, found.low, found.high))
    digits = 0 if abs(mean) >= 10 else 1
    return f"{mean:+.{digits}f}{' points' if points else '%'} [{low:.{digits}f}, {high:.{digits}f}]"


def worst(verdicts: Iterable[str]) -> str:
    """Return the verdict on an intervention of which these are the parts."""
    return min(verdicts, key=WORST.index)


def row(change: Change, part: Part, seen: Difference) -> dict[str, object]:
    """Return the row of the CSV for a thing that was expected."""
    numbers = {"before": seen.before, "after": seen.after, "difference": seen.mean}
    numbers |= {"low": seen.low, "high": seen.high}
    return {
        "item": change.item,
        "change": change.id,
        "title": change.title,
        "short": measured(part),
        "argued": told(part) if part.than is None else "less than the first",
        **{name: f"{number:.6g}" for name, number in numbers.items()},
        "pairs": seen.runs,
        "in_words": in_words(seen, find(part.of).unit),
        "verdict": judged(part, seen),
        "note": change.note or "",
    }


def main(*, pairs: int = 40, seed: int = 5, out: Path | None = None) -> None:
    """Run the forty, each change so many times, and write what became of them: a CSV, printed by default."""
    case = load_case("venezuela-2019", "point")
    found = findings(case, declared(case), pairs, seed)
    rows = [row(*one) for one in sorted(found, key=lambda one: one[0].item)]
    pd.DataFrame(rows).to_csv(out or sys.stdout, index=False, lineterminator="\n")


if __name__ == "__main__":
    cyclopts.run(main)
