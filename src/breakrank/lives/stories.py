"""The stories that the reports tell, counted over many runs, with one soldier named for each.

Whoever reads the reports asks of a model whether it contains such lives, and in what numbers. The patterns
are data of the case (:attr:`breakrank.case.Case.patterns`); here they are counted run by run. Soldiers are
synthetic; no pattern finds a person.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from breakrank.case import Case
from breakrank.case.models_patterns import Pattern
from breakrank.engine.replicate import Replicate
from breakrank.errors import UsageError, nearest
from breakrank.lives.happening import entries
from breakrank.lives.query import NOBODY, Lives, points, whose
from breakrank.lives.trace import Trace, traces, typical
from breakrank.model import kept_force, kept_model, model_of
from breakrank.runs.carry_out import result_of
from breakrank.runs.memory_store import MemoryStore
from breakrank.runs.scenario import Scenario
from breakrank.runs.study import Study
from breakrank.runs.worker import Simulator
from breakrank.wording import counted

if TYPE_CHECKING:
    from breakrank.engine.replicate import Failure
    from breakrank.force import Force
    from breakrank.lives.question import StoriesQuestion
    from breakrank.results.result import Result
    from breakrank.runs.making import Making


@dataclass(frozen=True, slots=True)
class StorySource:
    """What a report says, from the ledger of the case: observation, source, paragraph, paraphrase."""

    observation: str
    source: str
    paragraph: str
    what: str


@dataclass(frozen=True, slots=True)
class Story:
    """One pattern of lives over all runs.

    Attributes
    ----------
    id, title, about : its name, what a table calls it, and what exactly is counted.
    counts : soldiers of that pattern, by run.
    reports : what the case's ledger holds of it, the most important observation first; empty if nothing.
    run, soldier : an example: of the lives that show most of what the report tells beyond the pattern, in the
        first run that has any, a typical one; ``None`` where no run has one.
    """

    id: str
    title: str
    about: str
    counts: tuple[int, ...]
    reports: tuple[StorySource, ...]
    run: int | None
    soldier: int | None

    def quantile(self, level: float) -> float:
        """Return a quantile of the counts over runs (linear between runs: Hyndman and Fan 1996, type 7)."""
        return float(np.quantile(self.counts, level))

    @property
    def runs_with(self) -> int:
        """Number of runs in which it occurs."""
        return sum(count > 0 for count in self.counts)

    def to_dict(self) -> dict[str, Any]:
        """Return the story, ready for JSON."""
        return {
            "title": self.title,
            "about": self.about,
            "median": self.quantile(0.5),
            "interval90": [self.quantile(0.05), self.quantile(0.95)],
            "counts": list(self.counts),
            "runs_with": self.runs_with,
            "reports": [{name: getattr(r, name) for name in r.__slots__} for r in self.reports],
            "example": None if self.soldier is None else {"run": self.run, "soldier": self.soldier},
        }


@dataclass(frozen=True, eq=False)
class Stories:
    """The stories of a case, counted over runs; bands are the model's spread, not a forecast's certainty.

    Attributes
    ----------
    case : as used. seed : shared by all runs. runs : indices of the runs that finished.
    stories : one for each pattern. failed, interrupted : as for a result.
    """

    case: Case
    seed: int
    runs: tuple[int, ...]
    stories: tuple[Story, ...]
    failed: tuple[Failure, ...] = ()
    interrupted: bool = False

    def __getitem__(self, name: str) -> Story:
        for story in self.stories:
            if story.id == name:
                return story
        known = [s.id for s in self.stories]
        raise UsageError(f"there is no story {name!r}{nearest(name, known)}; known: {', '.join(known)}")

    def example(self, name: str) -> Trace:
        """Return the life told for one story.

        Raises
        ------
        UsageError
            for an unknown name, or a story that no run has.
        """
        story = self[name]
        if story.soldier is None or story.run is None:
            raise UsageError(f"no such life in {len(self.runs)} runs under seed {self.seed}: {name}")
        return traces(self.case, (story.soldier,), self.seed, story.run)[0]


def counted_lives(asked: StoriesQuestion, case: Case, making: Making) -> Stories:
    """Return the stories of the reports, counted over many runs; see the question's declaration."""
    simulator = Simulator(kept_force, _count, case.patterns.ids)
    study, store = Study((Scenario(case),), asked.runs, asked.seed, log_runs=asked.runs), MemoryStore()
    what = f"{case.title}, {counted(study.runs, 'run')}"
    account = making.carry(study, store, what, simulator=simulator)
    return _put_together(result_of(account, store, study))


def _count(case: Case, force: Force | None, seed: int, run: int, /, *, log: bool) -> Replicate:
    """Return one run as a log of one row for each pattern: how many, and whose life to tell."""
    assert log
    lives = Lives.of(kept_model(case, force) if force is not None else model_of(case, seed, run), seed, run)
    patterns = case.patterns
    found = [whose(lives, p.where) for p in patterns if p.where is not None]
    told = entries(lives.force, lives.log) + lives.moments
    who = np.full(len(patterns), NOBODY, np.uint32)
    traits = np.zeros(len(patterns), np.uint32)
    for k, (pattern, mask) in enumerate(zip(patterns, found, strict=True)):
        there = np.flatnonzero(mask)
        if there.size:
            more = points(lives, pattern)[there]
            best = typical(there[more == more.max()], told)
            who[k], traits[k] = lives.force.identity[best], max(0, int(more.max()))
    rows = len(patterns)
    return Replicate(
        run,
        {},
        {
            "day": np.zeros(rows, np.int16),
            "soldier": who,
            "event": np.arange(rows, dtype=np.uint8),
            "place": np.full(rows, -1, np.int16),
            "other": traits,
            "value": np.array([mask.sum() for mask in found], np.float32),
        },
    )


def _put_together(counted: Result) -> Stories:
    assert counted.events is not None
    case = counted.case
    finished = tuple(int(r) for r in counted.data["run"].values)
    shape = len(finished), len(case.patterns)
    columns = (counted.events[name].to_numpy().reshape(shape).T for name in ("soldier", "value", "other"))
    told = []
    for pattern, who, many, traits in zip(case.patterns, *columns, strict=True):
        has_one = np.flatnonzero(who != NOBODY)
        first = int(has_one[np.argmax(traits[has_one])]) if has_one.size else None
        told.append(
            Story(
                pattern.id,
                pattern.title or pattern.id,
                pattern.about or "",
                tuple(int(v) for v in many),
                _reports(case, pattern),
                None if first is None else finished[first],
                None if first is None else int(who[first]),
            )
        )
    return Stories(case, counted.seed, finished, tuple(told), counted.failed, counted.interrupted)


def _reports(case: Case, pattern: Pattern) -> tuple[StorySource, ...]:
    """Return the observations behind a pattern that a case's ledger holds; another case may hold none."""
    known = case.ledger.observations
    seen = [known[name] for name in pattern.observations if name in known]
    return tuple(StorySource(o.id, o.source, o.paragraph, o.what) for o in seen)
