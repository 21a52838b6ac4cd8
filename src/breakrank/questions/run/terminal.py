"""The short table at the end of a run: each outcome with its spread, the record, and who said so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from breakrank.outputs import YES_OR_NO
from breakrank.questions.run.headline import TRIVIAL
from breakrank.results.outcome import comparison_title
from breakrank.results.outcome_names import APART, AT_HOME
from breakrank.results.quantiles import FEW
from breakrank.results.uncertainty import FIXED, chance_only
from breakrank.runs.undated import known
from breakrank.show.provenance import changes, drawn_in_part, unfinished
from breakrank.show.terminal import LABEL, NUMBER, WHOLE, labelled, say, say_table, title, wrapped
from breakrank.show.words import answer, between, interval, span, way, within

if TYPE_CHECKING:
    from breakrank.results import Outcome, Result

PHRASES = 2
"""Sources named for each figure of the record; the rest is counted."""


def show(result: Result) -> None:
    """Print the headline outcomes of a result to standard output."""
    outcomes = result.outcomes()
    runs = f"{result.runs} run{'s' * (result.runs != 1)}"
    say(title(f"{result.case.title}: {runs}, seed {result.seed}, {result.seconds:.1f} s"))
    fixed = chance_only(result.case)
    under = FIXED if fixed else f"{result.case.draws!r}"
    for name, text in (("Under:", under), ("Changed:", changes(result)), ("Missing:", unfinished(result))):
        if text:
            say(labelled(name, text, 0, 9))
    if sized := drawn_in_part(result.case.stands_for):
        say(wrapped(sized))
        say()
    beside = [o for o in outcomes if o.record is not None]
    beside.sort(key=lambda o: o.id != result.case.headline)
    beyond = [o for o in outcomes if o.record is None]
    title_of_beside = comparison_title(o.used for o in beside)
    for heading, rows in ((title_of_beside, beside), ("Beyond the record", beyond)):
        if rows:
            _print(heading, rows, result.runs, numbered=rows is beside)
    if beside:
        say(title("Who says so"))
        for number, outcome in enumerate(beside, 1):
            assert outcome.record is not None
            say(labelled(f"[{number}]", _shortened(outcome.record.source), 0, 5))
        say(f"More: breakrank evidence {result.case.id} {beside[0].id}")
        say()
    if any(o.measure == "registered" for o in outcomes):
        say(wrapped(APART + (AT_HOME if "went_over" in result.data else "")))
        say()
    if (level := known(result.case)) is not None:
        say(wrapped(level.said))
    say(wrapped(_caution(result.runs, fixed=fixed)))


def _caution(runs: int, *, fixed: bool) -> str:
    if runs < 2:
        return "One run has no spread, and another seed gives other numbers: not the certainty of a forecast."
    what = (
        f"{FIXED}: what is not known of the parameters is far more"
        if fixed
        else "the spread of the model over its runs, not the certainty of a forecast"
    )
    if runs < FEW:
        return (
            f"Ranges are the minimum and the maximum of {runs} runs, too few for intervals ({FEW} are "
            f"enough). They show {what}."
        )
    return f"Intervals show {what}."


def _print(heading: str, rows: Sequence[Outcome], runs: int, numbered: bool) -> None:
    spread = ("50%", "90%") if runs >= FEW else (within(runs),) if runs > 1 else ()
    heads = ("median" if runs > 1 else "value", *spread, *(("record",) if numbered else ()))
    columns = [(heading, LABEL), *((name, NUMBER | WHOLE) for name in heads), *([("", WHOLE)] * numbered)]
    cells_of = []
    for number, o in enumerate(rows, 1):
        unit = _unit(o)
        middle = answer(o.share, o.runs) if o.yes_or_no else between(o.median, *o.ends, unit)
        cells = [o.label + ("" if o.unit in _PLAIN else f" ({o.unit})"), middle]
        cells += ["" if o.yes_or_no else interval(o.q25, o.q75, unit)] if runs >= FEW else []
        cells += ["" if o.yes_or_no else interval(*o.ends, unit)] if runs > 1 else []
        if o.record is not None:
            sure = o.trivial or o.by_construction
            marks = "+" * bool(o.used) + "*" * (o.meets_record is False) + "=" * sure
            cells += [said(o), f"[{number}]{marks}"]
        cells_of.append(cells)
    say_table(columns, cells_of)
    say()
    if any(o.used for o in rows):
        say("+ assimilated: the runs were conditioned on this figure, so that it is met is no success")
        say()
    if any(o.trivial or o.by_construction for o in rows):
        say(f"= {TRIVIAL}: all runs have one value, none comes near the bound, or a constant was set from it")
        say()
    if any(o.meets_record is False for o in rows):
        beyond = "the 90% interval" if runs >= FEW else "all runs" if runs > 1 else "the run"
        say(f"* the record lies outside {beyond}")
        say()


_PLAIN = ("soldiers", "share", "ratio", "plots", "uprisings", YES_OR_NO)
"""Units that the label makes plain."""


def _unit(outcome: Outcome) -> str:
    return way(outcome.unit)


def said(outcome: Outcome) -> str:
    """Return what the record says of an outcome, e.g. ``"950 to 1,000"`` or ``"at most 10"``."""
    record = outcome.record
    if record is not None and outcome.yes_or_no:
        return "yes" if record.low > 0 else "no"
    return "" if record is None else span(record.low, record.high, _unit(outcome))


def _shortened(source: str) -> str:
    phrases = source.split("; ")
    more = len(phrases) - PHRASES
    return "; ".join(phrases[:PHRASES]) + (f"; and {more} more" if more > 0 else "")
