"""A study: scenarios and runs, and which of them are still to be made.

A name of a scenario is for people, in tables, messages and lists of what a store holds. What is run, and
found again, goes by the case's digest alone.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from breakrank.errors import UsageError, whole_number
from breakrank.wording import counted

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.case.draws import Draws


@dataclass(frozen=True, repr=False)
class Study:
    """Scenarios times runs, all under one seed.

    Run number k has the same luck in every scenario (common random numbers), and is the same bits whichever
    study asks for it.

    Attributes
    ----------
    scenarios : what is run; names differ.
    runs : number of runs of each scenario. Of members of an ensemble that agree to the last day there are at
        most as many as members, whatever is asked for: their parameters and random numbers are all that a
        run depends on. Run again, one would only weigh more than the others.
    seed : 0 to 2**64 - 1.
    log_runs : so many first runs keep their events, which take far more room than all series.
    """

    scenarios: tuple[Scenario, ...]
    runs: int = 100
    seed: int = 0
    log_runs: int = 0

    def __post_init__(self) -> None:
        whole_number("runs", self.runs, 1, 2**31 - 1)
        whole_number("seed", self.seed, 0, 2**64 - 1)
        whole_number("log_runs", self.log_runs, 0, 2**31 - 1)
        if not self.scenarios:
            raise UsageError("a study needs at least one scenario")
        names = [one.name for one in self.scenarios]
        for name in names:
            if not name or not name.isprintable():
                raise UsageError(f"a scenario cannot be called {name!r}; give it a name of a few words")
            if names.count(name) > 1:
                raise UsageError(f"two scenarios are called {name!r}; names have to differ")
        different = [_different(one.case, self.runs) for one in self.scenarios]
        object.__setattr__(self, "runs", min(different))

    @property
    def size(self) -> int:
        """Number of different runs that the study consists of."""
        return len({one.case.digest for one in self.scenarios}) * self.runs

    def __repr__(self) -> str:
        head = f"Study of {len(self.scenarios)} scenarios, {self.runs} runs each, seed {self.seed}"
        names = [f"├── {one.name} of {one.case.id}" for one in self.scenarios]
        return "\n".join([head, *names, f"└── {self.size} runs in all"])


def _different(case: Case, runs: int) -> int:
    """Return how many of so many runs of a case are different ones."""
    draws: Draws | None = getattr(case, "draws", None)  # a model of one's own may have none
    if draws is None or draws.luck is None or draws.luck.until < case.calendar.end:
        return runs
    return min(runs, len(draws))


def missing(
    digests: Sequence[str], runs: int, finished: Mapping[str, Collection[int]], without: Collection[int] = ()
) -> list[int]:
    """Return the numbers of the runs still to be made, scenario by scenario: scenario times `runs` plus run.

    Parameters
    ----------
    digests : of the scenarios. Where two are the same, the first stands for both.
    runs : wanted of each.
    finished : by digest, the runs that are there.
    without : numbers that are not to be made (again).
    """
    first = {digest: which for which, digest in reversed([*enumerate(digests)])}
    return [
        which * runs + run
        for digest, which in sorted(first.items(), key=lambda one: one[1])
        for run in range(runs)
        if run not in finished.get(digest, ()) and which * runs + run not in without
    ]


CASE = "case"
"""The case as it is."""


class Scenario(NamedTuple):
    """A case by a name: as it stands, or with what is different in it."""

    case: Case
    name: str = CASE


@dataclass(frozen=True, slots=True)
class NamedChanges:
    """What is changed in a case, and in all that stands beside it.

    Attributes
    ----------
    under : ``"values"`` where runs live under the parameters' values though there is a posterior.
    values : parameters that are set.
    events : name of a file of events, and how many they are.
    until : last day, if earlier than the case's own.
    mechanisms : that are added to the model's own.
    """

    under: str = ""
    values: Mapping[str, float] = field(default_factory=dict)
    events: tuple[str, int] | None = None
    until: dt.date | None = None
    mechanisms: tuple[str, ...] = ()

    def name(
        self, of: str = CASE, values: Mapping[str, float] | None = None, until: dt.date | None = None
    ) -> str:
        """Return a name such as ``case with fear.on=0 and 2 events of rumours.yaml until 2019-03-01``.

        Values stand by name, so that the same changes have one name in whatever order they were given.

        Parameters
        ----------
        of : what it starts from: the case, or a counterfactual by its id.
        values, until : further changes.

        >>> NamedChanges(values={"fear.on": 0}).name("no-taps", {"belief.candour": 0.25})
        'no-taps with belief.candour=0.25, fear.on=0'
        """
        every = {**self.values, **(values or {})}
        changes = [", ".join(f"{name}={exact(value)}" for name, value in sorted(every.items()))]
        if self.events is not None:
            file, many = self.events
            changes.append(f"{counted(many, 'event')} of {file}")
        end = until or self.until
        words = [of]
        words += [f"plus {', '.join(self.mechanisms)}"] if self.mechanisms else []
        words += [f"under {self.under}"] if self.under else []
        words += [f"with {' and '.join(filter(None, changes))}"] if any(changes) else []
        words += [f"until {end}"] if end is not None else []
        return "".join(c if c.isprintable() else "?" for c in " ".join(words))


def beside(counterfactual: str) -> str:
    """Return what a counterfactual goes by, which is not what the case goes by, whatever its id."""
    return counterfactual if counterfactual != CASE else f"counterfactual {CASE}"


def under(case: Case) -> str:
    """Return ``"values"`` for a case whose runs leave its posterior aside, else nothing."""
    return "values" if case.posterior is not None and case.draws is None else ""


def exact(value: float) -> str:
    """Return a number in the fewest digits that read back as the same number.

    >>> exact(1234567.0), exact(0.123456789)
    ('1234567', '0.123456789')
    """
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(float(value))
