"""What explains a case's results: the one object that commands, tables and sentences are made from."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from breakrank.outputs import YES_OR_NO
from breakrank.questions.explain.removal import ExplainedOutcome, Removal
from breakrank.results.folder import whole_folder
from breakrank.results.json_files import says_format, write_json
from breakrank.results.uncertainty import FIXED, chance_only
from breakrank.runs.cases import lived_under
from breakrank.runs.versions import heading
from breakrank.show import words
from breakrank.show.words import number, percent
from breakrank.wording import listed

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.case import Case
    from breakrank.questions.explain.removal import PairedEffect
    from breakrank.runs.carry_out import Account


def value(number: float, unit: str) -> str:
    """Return a mean with its unit.

    >>> value(1285.4, "soldiers"), value(2.375, "uprisings"), value(0.4, "share"), value(1, "1 or 0")
    ('1,285 soldiers', '2.4 uprisings', '40%', '100% of runs')
    """
    if unit == YES_OR_NO:
        return f"{percent(number)} of runs"
    return percent(number) if unit == "share" else f"{words.number(number)} {unit}".strip()


def signed(number: float, unit: str) -> str:
    """Return a difference with its sign and unit; of shares in percentage points.

    >>> signed(-34.25, "soldiers"), signed(0.031, "share"), signed(0.004, "soldiers")
    ('−34 soldiers', '+3.1 points', '+0.004 soldiers')
    """
    return words.signed(number, unit) + ("" if unit in words.PER_CENT else f" {unit}".rstrip())


def between(low: float, high: float, unit: str) -> str:
    """Return an interval of a difference in brackets, or nothing if there is none.

    >>> between(-3.2, 4.1, "soldiers"), between(0.02, 0.05, "share"), between(math.nan, math.nan, "")
    (' (95% interval −3.2 to +4.1)', ' (95% interval +2 to +5 points)', '')
    """
    if not (math.isfinite(low) and math.isfinite(high)):
        return ""
    return f" (95% interval {words.interval(low, high, unit, sign=True)})"


def called(mechanism: str) -> str:
    """Return a mechanism in words.

    >>> called("routes")
    'routes'
    """
    return mechanism.replace("_", " ")


def outcome(asked: ExplainedOutcome) -> str:
    """Return an outcome with its date, e.g. ``Crossed out of the country by 2019-03-23``."""
    return f"{asked.label} {asked.when}"


def changed(found: PairedEffect, asked: ExplainedOutcome) -> str:
    """Return what taking something out changes: after, before, difference, interval, sign."""
    return (
        f"{value(found.after, asked.unit)} instead of {value(found.before, asked.unit)}, a difference of "
        f"{signed(found.mean, asked.unit)}{between(found.low, found.high, asked.unit)} whose sign holds in "
        f"{percent(found.same_sign)} of {found.runs:,} pairs of runs"
    )


NAMED = 3
"""Mechanisms that are named."""


def sentences(found: Explanation) -> tuple[str, ...]:
    """Return the sentences of an explanation: those on mechanisms, then what the numbers rest on."""
    return (*on_mechanisms(found), *on_events(found), made(found))


def on_events(found: Explanation) -> tuple[str, ...]:
    """Say how much of the first two counts would have happened without any dated event."""
    counts = [a for a in found.asked if a.counted and found.without_events.get(a.measure, (0.0, 0.0))[0] > 0]
    said = []
    for asked in counts[:2]:
        before, after = found.without_events[asked.measure]
        said.append(
            f"{outcome(asked)}: {after / before:.0%} would have happened without any dated event, "
            f"{value(after, asked.unit)} instead of {value(before, asked.unit)}."
        )
    return tuple(said)


def on_mechanisms(found: Explanation) -> tuple[str, ...]:
    """Return the sentences on what switching off mechanisms does to each outcome, in order."""
    first, *others = found.asked
    more = (text for asked in others for text in strongest(found.removal, asked))
    return (*removals(found.removal, first), *more)


def removals(removal: Removal, asked: ExplainedOutcome) -> list[str]:
    """Say of the first outcome which mechanisms it takes, which carry it, which cannot be told from zero."""
    effects = removal.effects(asked.measure)
    vital = [e for e in effects if e.vital]
    rest = [e for e in effects if e.told and not e.vital]
    out = []
    if vital:
        names = listed([called(e.without[0]) for e in vital], "or")
        left = listed([number(e.after) for e in vital])
        out.append(
            f"{outcome(asked)}: without {names}, each switched off alone, almost nothing remains: {left} "
            f"instead of {value(vital[0].before, asked.unit)}, in all of {vital[0].runs:,} pairs of runs."
        )
    out += [_without(removal, one, asked) for one in rest[:NAMED]]
    unclear = [e for e in effects if e.runs > 1 and not e.told]
    if unclear:
        out.append(
            f"{outcome(asked)}: the effect of {len(unclear)} of {len(effects)} mechanisms, each switched "
            f"off alone, cannot be told from zero: {listed([called(e.without[0]) for e in unclear])}."
        )
    return out


def strongest(removal: Removal, asked: ExplainedOutcome) -> Iterator[str]:
    """Say of another outcome which mechanism changes it most, besides those that it takes."""
    effects = removal.effects(asked.measure)
    found = [e for e in effects if e.told and not e.vital]
    if found:
        yield _without(removal, found[0], asked)
    elif all(e.runs > 1 for e in effects) and not any(e.vital for e in effects):
        yield (
            f"{outcome(asked)}: {value(effects[0].before, asked.unit)}, and the effect of none of "
            f"{len(effects)} mechanisms, each switched off alone, can be told from zero."
        )


def _without(removal: Removal, found: PairedEffect, asked: ExplainedOutcome) -> str:
    (name,) = found.without
    about = removal.about(name)
    return f"{outcome(asked)}: without {called(name)} ({about}), {changed(found, asked)}."


def made(found: Explanation) -> str:
    """Say what the numbers rest on."""
    drawn = FIXED if chance_only(found.case) else str(found.case.draws)
    failed = f" {found.failed:,} runs failed." if found.failed else ""
    return (
        f"These are statements on the model, not on the country: {found.runs:,} runs of each variant with "
        f"{drawn}, seed {found.seed}, in pairs with common random numbers.{failed}"
    )


OWN = frozenset({"case", "explanation.json", "tables"})
"""What the folder of an explanation consists of; a new one replaces these and leaves all else where it is."""
FORMAT = 1
"""Version of the layout of ``explanation.json``."""


@dataclass(frozen=True, eq=False, repr=False)
class Explanation:
    """Which mechanism carries a result.

    Attributes
    ----------
    case : exactly as used; with draws of its parameters where it has a posterior.
    asked : the outcomes.
    seed, runs : of the mechanisms taken out.
    removal : what taking out mechanisms does.
    accounts : what came of each study.
    seconds : wall time.
    command : the call that makes it again.
    interrupted : whether it was stopped; what is there is of what had finished.
    without_events : means of each measure with dated events and without; empty for a case without events.
    """

    case: Case
    asked: tuple[ExplainedOutcome, ...]
    seed: int
    runs: int
    removal: Removal
    accounts: tuple[Account, ...] = ()
    seconds: float = 0.0
    command: str = ""
    interrupted: bool = False
    without_events: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    @property
    def failed(self) -> int:
        """Number of runs that failed."""
        return sum(len(account.failed) for account in self.accounts)

    def sentences(self) -> tuple[str, ...]:
        """Return the summary in plain language: every sentence is made from numbers, and holds them."""
        return sentences(self)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return all numbers as tables by name."""
        return tables(self)

    def as_json(self) -> dict[str, object]:
        """Return everything ready for JSON."""
        content: dict[str, object] = {
            "breakrank_explanation": FORMAT,
            **heading(self.case),
            "digest": self.case.digest,
            "seed": self.seed,
            "runs": self.runs,
            "parameters": lived_under(self.case),
            "command": self.command,
            "interrupted": self.interrupted,
            "outcomes": [a.as_json() for a in self.asked],
            "sentences": list(self.sentences()),
            "without_events": {m: list(both) for m, both in self.without_events.items()},
            "removals": {m: [e.as_json() for e in es] for m, es in self.removal.single.items()},
        }
        return content

    def __repr__(self) -> str:
        weighed = ", ".join(s.mechanism for s in self.removal.switches[:4])
        lines = [f"Explanation of {self.case.id}: {self.runs} runs of each variant, seed {self.seed}"]
        lines.append(f"├── outcomes: {', '.join(a.measure for a in self.asked)}")
        lines.append(f"├── {len(self.removal.switches)} mechanisms taken out; weightiest: {weighed}")
        if self.interrupted:
            lines.append("├── interrupted: of what had finished")
        lines.append(f"└── made in {self.seconds:.0f} s")
        return "\n".join(lines)


_EFFECT = ("before", "after", "mean", "low", "high", "low90", "high90", "same_sign", "size", "told", "runs")


def tables(found: Explanation) -> dict[str, pd.DataFrame]:
    """Return the tables by name: ``removals`` holds the effects."""
    import pandas as pd

    effects = [_effect(e) for effects in found.removal.single.values() for e in effects]
    return {"removals": pd.DataFrame(effects)} if effects else {}


def _effect(found: PairedEffect) -> dict[str, object]:
    about = {"outcome": found.outcome, "without": " and ".join(found.without)}
    return about | {name: getattr(found, name) for name in _EFFECT}


def save(found: Explanation, folder: Path) -> Path:
    """Write an explanation: ``explanation.json``, a CSV file for each table, and the case exactly as used.

    An older one in its place is replaced once the new one is complete.

    Raises
    ------
    BreakrankError
        if the folder holds something else, or the disk refuses.
    """
    with whole_folder(folder, is_explanation, OWN) as staging:
        write_json(staging / "explanation.json", found.as_json())
        (staging / "tables").mkdir()
        for name, table in found.tables().items():
            table.to_csv(staging / "tables" / f"{name}.csv", index=False, lineterminator="\n")
        found.case.write(staging / "case")
    return folder


def is_explanation(folder: Path) -> bool:
    """Say whether a folder is that of an explanation."""
    return says_format(folder / "explanation.json", "breakrank_explanation")
