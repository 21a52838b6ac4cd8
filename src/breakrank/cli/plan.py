"""``breakrank plan``: what a border town has to provide, as a table, files and a two-page document."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from breakrank.cli.ensemble import case_as_of, ensemble_case
from breakrank.cli.options import (
    DONE,
    FAILED,
    INTERRUPTED,
    CaseOptions,
    DatedOptions,
    Events,
    OutputOptions,
    RunOptions,
    Whole,
    call_again,
    refuse_early,
    unused,
)
from breakrank.cli.progress import carried_out
from breakrank.errors import UsageError
from breakrank.runs.interrupts import AtOnceError, undisturbed
from breakrank.show.terminal import note, say_saved

if TYPE_CHECKING:
    from breakrank.questions.plan.result import Plan
    from breakrank.runs.carry_out import Account
    from breakrank.runs.memory_store import AnyStore
    from breakrank.runs.study import Study

At = Annotated[tuple[str, ...], Parameter(name=("--place", "--at"), negative="", show_default=False)]
With = Annotated[tuple[str, ...], Parameter(name="--with", negative="", show_default=False)]
Since = Annotated[str | None, Parameter(name="--from")]
Until = Annotated[str | None, Parameter(name="--to")]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class PlaceOptions:
    """Where and when people are received.

    Attributes
    ----------
    at
        "host" for all who are received, in all towns (the default), or a country, a town, the id of a site,
        or a kind of site, e.g. hotel. Where sites stand in several countries, name one. May be given several
        times. `breakrank evidence CASE` lists sites. A country or a town consists of its sites. People in
        private homes or without a roof, and asylum files, are known for the host only. A place is counted
        with its share of those in no site, in proportion to its places.
    since
        First day, e.g. 2019-02-23; by default the case's own.
    until
        Last day, e.g. 2019-06-30; by default the case's own.
    """

    at: At = ()
    since: Since = None
    until: Until = None


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ScenarioOptions:
    """What is run beside the case, and how often.

    Attributes
    ----------
    others
        A scenario to compare: name of one of the case's counterfactuals, or a file in the format of
        counterfactuals.yaml. It uses the same random draws. May be given several times.
    arrivals
        How many times as many people come, e.g. 2: in each scenario, or beside the case in one that changes
        nothing else. The host keeps its places, funds and caseworkers.
    as_of
        Plan from what was known on this day, e.g. 2019-03-10: what came later is taken out, and the ensemble
        agrees with the figures published by then. With --ensemble, the folder that `breakrank forecast --out`
        kept of that day. The plan begins on the day after.
    runs
        Number of runs of the case and of each scenario, each about a second of one core.
    """

    others: With = ()
    arrivals: float = 1.0
    events: Events = None
    as_of: str | None = None
    runs: Whole = 100


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class NeedOptions:
    """What is asked of the numbers.

    Attributes
    ----------
    staff
        Numbers of caseworkers to try on the asylum requests of the runs, separated by commas. 0 means nobody
        from the first day of the period on.
    assurance
        Per cent of runs in which the beds must suffice on every day, separated by commas. Use at least 60
        runs for 95 and 300 for 99; with fewer, the result is close to the worst run.
    """

    staff: str = "5,10,20,40"
    assurance: str = "50,80,95"


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class PlanFiles:
    """What is written.

    Attributes
    ----------
    out
        Folder for the plan. An earlier plan there is replaced. By default breakrank-plan-CASE-SEED in the
        current directory, with a number added if that is taken.
    formats
        Formats to write, separated by commas: html, pdf, xlsx, csv, svg and png; none writes nothing. The
        default is the first four, if their libraries are installed.
    paper
        Size of the pages of the PDF.
    """

    out: Path | None = None
    formats: Annotated[str | None, Parameter(name="--format")] = None
    paper: Literal["a4", "letter"] = "a4"


def plan(
    case: str,
    /,
    *,
    place: PlaceOptions = PlaceOptions(),
    scenario: ScenarioOptions = ScenarioOptions(),
    needs: NeedOptions = NeedOptions(),
    files: PlanFiles = PlanFiles(),
    options: CaseOptions = CaseOptions(),
    where: RunOptions = RunOptions(),
    output: OutputOptions = OutputOptions(),
) -> int:
    """Estimate what a host must provide for arrivals: beds, meals, asylum files, money.

    Runs the case many times, for a place and a period. Prints how many beds suffice with what assurance, who
    is in which site, and the needs by humanitarian standards. Prints how long asylum takes with how many
    caseworkers, the full cost of assistance, what each payer pays of it, and when funds run out. Leaves
    the same as a two-page document (HTML, PDF), a workbook (XLSX) and tables (CSV).

    Parameters
    ----------
    case
        Name of a built-in case, or a case folder.
    """
    from breakrank.questions.plan.folder import chosen, is_plan
    from breakrank.questions.plan.plan import plan as planned
    from breakrank.questions.plan.terminal import show

    where.needs_store()
    seed, quiet = options.seed, output.quiet
    asked = DatedOptions(**vars(options))
    if scenario.as_of is None:
        made = ensemble_case(case, asked, scenario.events, scenario.runs, quiet)
    else:
        made = case_as_of(case, asked, scenario.events, scenario.as_of, scenario.runs, where, quiet)
    kinds, lacking = chosen(_parts(files.formats), _NONE)
    folder = (files.out or unused(Path(f"breakrank-plan-{made.case.id}-{seed}"))) if kinds else None
    if folder is not None:
        refuse_early(folder, is_plan, "no plan of Breakrank's")
    numbers, levels = _numbers(needs.staff), _levels(needs.assurance)
    command = call_again(
        "plan",
        case,
        place=place.at,
        from_=place.since,
        to=place.until,
        events=scenario.events,
        as_of=scenario.as_of,
        ensemble=options.ensemble,
        with_=scenario.others,
        arrivals=None if scenario.arrivals == 1 else f"{scenario.arrivals:g}",
        set=options.changes,
        mechanisms=options.mechanisms,
        staff=needs.staff,
        assurance=needs.assurance,
        runs=scenario.runs,
        seed=seed,
    )
    what = f"{made.case.title}, {scenario.runs} run{'s' * (scenario.runs != 1)}"

    def carry(study: Study, kept: AnyStore) -> Account:
        return carried_out(study, kept, what, where, quiet)

    try:
        result = planned(
            made.case,
            at=place.at or ("host",),
            since=place.since or _next_day(scenario.as_of),
            until=place.until,
            runs=scenario.runs,
            seed=seed,
            scenarios=scenario.others,
            arrivals=scenario.arrivals,
            staff=numbers,
            assurance=levels,
            command=command,
            store=where.store,
            carry=carry,
            changed=made.changes,
        )
    except AtOnceError:
        raise
    except KeyboardInterrupt:
        note(
            "breakrank: interrupted before the first run had finished: there is no plan, and nothing is "
            "written"
        )
        return INTERRUPTED
    output.tell(result.as_json, lambda: show(result, made.told), "")
    with undisturbed():  # saved whole: an interrupt waits until that is done
        written = () if folder is None else result.save(folder, kinds, paper=files.paper)
    if output.talks:
        for path in written:
            say_saved(f"{_NAMES.get(path.suffix, 'Tables'):9} {path}")
    if lacking and not quiet:
        note(lacking)
    return _ended(result)


_NONE = "none"
_NAMES = {".html": "Document", ".pdf": "Document", ".xlsx": "Workbook"}


def _next_day(as_of: str | None) -> str | None:
    from breakrank.case.dates import as_date

    return None if as_of is None else str(as_date(as_of, "--as-of") + dt.timedelta(days=1))


def _ended(result: Plan) -> int:
    if result.interrupted:
        rest = f"; no run of {', '.join(result.missing)} had, so missing" if result.missing else ""
        note(f"breakrank: interrupted; the plan is of the {result.runs:,} runs that had finished{rest}")
        return INTERRUPTED
    return FAILED if result.failed else DONE


def _parts(text: str | None) -> list[str] | None:
    return None if text is None else [part.strip() for part in text.split(",") if part.strip()]


def _numbers(text: str) -> list[int]:
    """Return numbers of caseworkers, with commas between, as typed."""
    from breakrank.case.values import whole

    try:
        return [whole(part) for part in _parts(text) or ()]
    except ValueError:
        raise UsageError(
            f"--staff {text}: numbers of caseworkers are expected, whole, with commas between\n  Write it "
            "like --staff 5,10,20."
        ) from None


def _levels(text: str) -> list[float]:
    from breakrank.case.values import number

    try:
        return [number(part.removesuffix("%").strip()) for part in _parts(text) or ()]
    except ValueError:
        raise UsageError(
            f"--assurance {text}: per cent of runs are expected, with commas between\n  Write it like "
            "--assurance 50,80,95."
        ) from None
