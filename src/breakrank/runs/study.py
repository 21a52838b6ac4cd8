"""A study: scenarios and runs, and which of them are still to be made."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from breakrank.errors import UsageError, whole_number
from breakrank.runs.scenario import Scenario

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
