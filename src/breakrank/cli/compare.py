"""``breakrank compare``: the effect of a change, with the same soldiers and the same random draws."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from breakrank.case.changes import counterfactual
from breakrank.cli.changed_case import Changed, values_of
from breakrank.cli.ensemble import compared_case
from breakrank.cli.options import (
    DONE,
    FAILED,
    INTERRUPTED,
    DatedOptions,
    Outcomes,
    OutputOptions,
    RunOptions,
    Whole,
)
from breakrank.cli.progress import carried_out
from breakrank.errors import UsageError
from breakrank.questions.compare.compare import acts_from, query_of
from breakrank.questions.compare.terminal import (
    COLUMNS,
    ComparisonRequest,
    apart,
    as_json,
    measures_of,
    save,
    tell,
)
from breakrank.results.measures import read_by
from breakrank.results.uncertainty import holds
from breakrank.runs.scenario_names import beside
from breakrank.show.provenance import drawn_in_part
from breakrank.show.terminal import note, say, wrapped

if TYPE_CHECKING:
    from breakrank.questions.compare.compare import Comparison, Precision
    from breakrank.runs.carry_out import Account
    from breakrank.runs.memory_store import AnyStore
    from breakrank.runs.study import Study

With = Annotated[tuple[str, ...], Parameter(name="--with", negative="", show_default=False)]
Precise = Annotated[tuple[str, ...], Parameter(name="--precision", negative="", show_default=False)]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ComparedOutcomes:
    """What is compared besides the primary outcomes, and how precisely.

    Attributes
    ----------
    outcomes
        A measure to compare besides the primary outcomes; may be given several times. A part of the force
        is asked for as in left:rank=general or left_post:state=SY-ID, with the names that targets use.
    precision
        Estimate how many runs bring the half-width of a difference's 95% interval down to this value. Give 5%
        of the case's mean, or MEASURE=NUMBER in its unit, e.g. registered=20. The output says if the
        posterior has too few draws for that. May be given several times.
    """

    outcomes: Outcomes = ()
    precision: Precise = ()


def compare(
    case: str,
    /,
    *,
    others: With = (),
    runs: Whole = 100,
    asked: ComparedOutcomes = ComparedOutcomes(),
    out: Path | None = None,
    options: DatedOptions = DatedOptions(),
    where: RunOptions = RunOptions(),
    output: OutputOptions = OutputOptions(),
) -> int:
    """Compare a case with counterfactuals, run by run with common random numbers.

    Prints for each counterfactual the mean difference of the main measures on the last day, and its 95%
    interval (paired t). Also prints the share of runs with that sign, and the factor by which pairing reduces
    the variance. If runs share parameter draws, it adds the share of the variance due to the parameters.
    Parameters are those of the posterior. Members of the ensemble, whose random seeds agree with the observed
    figures, are asked only of a change that acts after the last figure.

    Parameters
    ----------
    case
        Name of a built-in case, or a case folder.
    others
        Name of a counterfactual of the case, or a file in the format of counterfactuals.yaml. May be given
        several times.
    runs
        Number of runs of each case.
    out
        Folder for the table of all differences (comparison.csv) and the complete results (comparison.json).
        By default nothing is written.
    """
    from breakrank.questions.compare.compare import check_pair, paired
    from breakrank.questions.compare.compare import precision as read
    from breakrank.runs.ensemble import result_of

    where.needs_store()
    seed, quiet = options.seed, output.quiet

    def acts(made: Changed) -> dt.date:
        others_of = (one.other for one in _questions(made, others, options.changes))
        return min(acts_from(made.case, other) for other in others_of)

    made = compared_case(case, options, runs, quiet, acts)
    wanted = read(asked.precision)
    plain = made.case
    questions = _questions(made, others, options.changes)
    for one in questions:
        check_pair(plain, one.other)
    account, store, study, only = _made(made, questions, wanted, asked.outcomes, runs, where, seed, quiet)
    done: list[tuple[ComparisonRequest, Comparison]] = []
    try:
        before = result_of(account, store, study, only=only)
        for k, one in enumerate(questions, 1):
            after = result_of(account, store, study, k, only=only)
            done.append((one, paired(before, after, measures_of(one, wanted, asked.outcomes))))
            if output.talks:
                tell(*done[-1], wanted)
                say(wrapped(query_of(plain, one.other)["told"]) + "\n")
    except KeyboardInterrupt:
        if not done:
            return INTERRUPTED  # there is nothing to pair yet
    content = as_json(plain, seed, runs, done, wanted)
    if out is not None:
        save(content, done, out)
    end = f"Seed {seed}. Intervals include only {holds(plain)}. {COLUMNS} {apart(done)}".rstrip()
    ends = [wrapped(text) for text in (drawn_in_part(plain.stands_for), end) if text]
    table = () if out is None else (f"Table  {out}",)
    output.tell(lambda: content, lambda: say("\n\n".join(ends)), *table)
    if account.interrupted:
        note("breakrank: interrupted; what is shown are the pairs of runs that had finished")
        return INTERRUPTED
    return FAILED if before.failed or any(c.failed for _, c in done) else DONE


def _questions(made: Changed, others: Sequence[str], changes: Sequence[str]) -> list[ComparisonRequest]:
    """Return what to compare with; each has the values of ``--set`` beside its own changes."""
    from breakrank.runs.counterfactuals import counterfactuals_named

    case = made.case
    values = values_of(changes)
    by_hand = ", ".join(f"{name} = {value:g}" for name, value in values.items())
    found = []
    for asked in counterfactuals_named(case, others):
        other = counterfactual(case, asked).set(values)
        title = "; ".join(filter(None, (asked.title, by_hand)))
        found.append(
            ComparisonRequest(asked.id, title, other, asked, made.changes.name(beside(asked.id), values))
        )
    if not others and values:
        found.append(
            ComparisonRequest("set", by_hand, case.set(values), None, made.changes.name(values=values))
        )
    if not found:
        known = ", ".join(case.counterfactuals.ids)
        there_are = f"this case has {known}" if known else "this case has none of its own"
        raise UsageError(
            f"nothing to compare {case.id} with; {there_are}\n"
            "  Name one with --with, or a file of them, or change a parameter with --set NAME=VALUE."
        )
    return found


def _made(
    made: Changed,
    questions: Sequence[ComparisonRequest],
    wanted: Precision,
    outcomes: Sequence[str],
    runs: int,
    where: RunOptions,
    seed: int,
    quiet: bool,
) -> tuple[Account, AnyStore, Study, set[str]]:
    """Make all runs of all cases as one study, and return where they are and which variables are read."""
    from breakrank.questions.compare.compare import check_measures
    from breakrank.runs.scenario import Scenario
    from breakrank.runs.study import Study

    plain = made.case
    names = dict.fromkeys(
        (*plain.catalogue.primary, *(m for q in questions for m in measures_of(q, wanted, outcomes)))
    )
    check_measures(tuple(names), plain)
    only = {variable for name in names for variable in read_by(name)}
    study = Study((Scenario(plain, made.name), *(Scenario(q.other, q.name) for q in questions)), runs, seed)
    store = where.kept(plain.id, only)
    what = f"{plain.title} and {len(questions)} other{'s' * (len(questions) != 1)}, {runs} runs each"
    return carried_out(study, store, what, where, quiet), store, study, only
