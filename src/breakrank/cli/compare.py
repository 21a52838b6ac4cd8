"""``breakrank compare``: the effect of a change, with the same soldiers and the same random draws."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Protocol

from cyclopts import Parameter

from breakrank.cli.changed_case import Changed, change, values_of
from breakrank.cli.options import DONE, FAILED, INTERRUPTED, DatedOptions, OutputOptions, RunOptions, Whole
from breakrank.cli.progress import watched
from breakrank.cli.studies import carried_out
from breakrank.errors import BreakrankError, UsageError
from breakrank.questions.compare.terminal import ComparisonRequest, apart, as_json, measures_of, save, tell
from breakrank.runs.scenario_names import beside
from breakrank.show.terminal import note, say, wrapped

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.questions.compare.compare import Comparison
    from breakrank.results import Result
    from breakrank.runs.store import Store

With = Annotated[tuple[str, ...], Parameter(name="--with", negative="", show_default=False)]
Precise = Annotated[tuple[str, ...], Parameter(name="--precision", negative="", show_default=False)]


def compare(
    case: str,
    /,
    *,
    others: With = (),
    runs: Whole = 100,
    precision: Precise = (),
    out: Path | None = None,
    options: DatedOptions = DatedOptions(),
    where: RunOptions = RunOptions(),
    output: OutputOptions = OutputOptions(),
) -> int:
    """Compare a case with counterfactuals, run by run with common random numbers.

    Prints for each counterfactual the mean difference of the main measures on the last day, and its 95%
    interval (paired t). Also prints the share of runs with that sign, and the factor by which pairing reduces
    the variance. If runs share parameter draws, it adds the share of the variance due to the parameters.

    Parameters
    ----------
    case
        Name of a built-in case, or a case folder.
    others
        Name of a counterfactual of the case, or a file in the format of counterfactuals.yaml. May be given
        several times.
    runs
        Number of runs of each case.
    precision
        Estimate how many runs bring the half-width of a difference's 95% interval down to this value. Give 5%
        of the case's mean, or MEASURE=NUMBER in its unit, e.g. registered=20. The output says if the
        posterior has too few draws for that. May be given several times.
    out
        Folder for the table of all differences (comparison.csv) and the complete results (comparison.json).
        By default nothing is written.
    """
    from breakrank.questions.compare.compare import check_pair, paired
    from breakrank.questions.compare.precision import precision as asked_for
    from breakrank.results.uncertainty import holds

    where.needs_store()
    seed, quiet = options.seed, output.quiet
    made = change(case, options, None, quiet, later=True)
    wanted = asked_for(precision)
    plain = made.case
    questions = _questions(made, others, options.changes)
    for one in questions:
        check_pair(plain, one.other)
    done: list[tuple[ComparisonRequest, Comparison]] = []
    if where.store is None:
        maker: Maker = _InMemory(runs, seed, where.workers, quiet)
    else:
        maker = _stored(made, questions, runs, seed, where, quiet)
    if maker.interrupted and not maker.has(plain):
        return INTERRUPTED  # there is nothing to pair with yet
    before = latest = maker.made_of(plain, plain.title)
    for one in questions:
        if latest.interrupted or (maker.interrupted and not maker.has(one.other)):
            break
        latest = maker.made_of(one.other, one.id)
        done.append((one, paired(before, latest, measures_of(one, wanted))))
        if output.talks:
            tell(*done[-1], wanted)
    content = as_json(plain, seed, runs, done, wanted)
    if out is not None:
        save(content, done, out)
    end = f"Seed {seed}. Intervals include only {holds(plain)}. {apart(done)}"
    table = "" if out is None else f"\nTable  {out}"
    output.tell(lambda: content, lambda: say(wrapped(end) + table))
    if latest.interrupted or maker.interrupted:
        return INTERRUPTED
    return FAILED if before.failed or any(c.failed for _, c in done) else DONE


def _questions(made: Changed, others: Sequence[str], changes: Sequence[str]) -> list[ComparisonRequest]:
    """Return what to compare with; each has the values of ``--set`` beside its own changes."""
    from breakrank.case.changes import counterfactual
    from breakrank.runs.counterfactuals import asked as asked_for

    case = made.case
    values = values_of(changes)
    by_hand = ", ".join(f"{name} = {value:g}" for name, value in values.items())
    found = []
    for asked in asked_for(case, others):
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


class Maker(Protocol):
    """Where the two results of a comparison come from."""

    interrupted: bool

    def made_of(self, one: Case, name: str) -> Result:
        """Return the runs of a case."""

    def has(self, one: Case) -> bool:
        """Say whether there are any, or will be when asked for."""


class _InMemory:
    """Makes the runs of each case when they are asked for, and keeps none."""

    def __init__(self, runs: int, seed: int, workers: int | None, quiet: bool) -> None:
        self.interrupted = False
        self._runs, self._seed, self._workers, self._quiet = runs, seed, workers, quiet

    def has(self, one: Case) -> bool:  # noqa: ARG002
        return True

    def made_of(self, one: Case, name: str) -> Result:
        from breakrank import simulate

        runs = self._runs
        with watched(f"{name}, {runs} run{'s' * (runs != 1)}", self._quiet) as progress:
            made = simulate(
                one, runs=runs, seed=self._seed, workers=self._workers, log_runs=0, progress=progress
            )
        if made.failed:
            note(f"breakrank: {len(made.failed)} of {runs} runs failed; the first says: {made.failed[0]}")
        if made.interrupted:
            note("breakrank: interrupted; what is shown are the pairs of runs that had finished")
        return made


class _FromStore:
    """Reads of each case what a store holds, and only the variables that are compared."""

    def __init__(self, store: Store, seed: int, runs: int, only: Collection[str], interrupted: bool) -> None:
        self.interrupted = interrupted
        self._store, self._seed, self._runs, self._only = store, seed, runs, only

    def made_of(self, one: Case, name: str) -> Result:
        try:
            return self._store.result(one, self._seed, self._runs, only=self._only)
        except BreakrankError as error:
            raise BreakrankError(f"{name}: {error}") from error

    def has(self, one: Case) -> bool:
        return bool(self._store.stored(one, self._seed).finished(range(self._runs)))


def _stored(
    made: Changed,
    questions: Sequence[ComparisonRequest],
    runs: int,
    seed: int,
    where: RunOptions,
    quiet: bool,
) -> Maker:
    """Make all runs of all cases for a store, as one study, and return where they are read from."""
    from breakrank.questions.compare.compare import COMPARED, check_measures
    from breakrank.results.measures import read_by
    from breakrank.runs.scenario import Scenario
    from breakrank.runs.study import Study

    plain = made.case
    names = dict.fromkeys((*COMPARED, *(m for q in questions for m in measures_of(q, None))))
    scenarios = (Scenario(plain, made.name), *(Scenario(q.other, q.name) for q in questions))
    study = Study(scenarios, runs, seed)
    check_measures(tuple(names), plain)
    store = where.opened(plain.id)
    what = f"{plain.title} and {len(questions)} other{'s' * (len(questions) != 1)}, {runs} runs each"
    account = carried_out(study, store, what, where, quiet)
    only = {variable for name in names for variable in read_by(name)}
    return _FromStore(store, seed, runs, only, account.interrupted)
