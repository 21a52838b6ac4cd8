"""Worlds of known truth: see how often forecasts hold it.

``python benchmarks/synthetic_worlds.py --store FOLDER`` draws truths from the prior of the built-in case, and
lives each on a small force. What the record would say of it is drawn with the record's own errors, on three
dates. As of each date it is forecast what comes later, by the steps of ``breakrank forecast``, and the truth
is looked up. What is lived for a truth is kept in the folder, so that the same call goes on where it was.

Beside ``breakrank forecast`` there are these economies. All truths share the lives of the prior that teach
where a record points. The draws of parameters are those of the first date, and one filter takes them through
all three: at each date some of its paths also go on to the last day with luck of their own.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

if __name__ == "__main__":  # run as a script: the project is where the benchmarks are
    sys.path[0:1] = [
        str(Path(__file__).resolve().parents[1]),
        str(Path(__file__).resolve().parents[1] / "src"),
    ]

import numpy as np
from numpy.typing import NDArray

import breakrank
from benchmarks.synthetic_forecasts import ForecastOfTruth
from benchmarks.synthetic_paths import Forking
from benchmarks.synthetic_tables import tables
from breakrank.case import Case
from breakrank.case.free_parameters import Free
from breakrank.case.luck import LuckPath
from breakrank.case.models_targets import Target
from breakrank.engine.replicate import Replicate
from breakrank.questions.calibrate.bank import bare
from breakrank.questions.calibrate.methods import Weighted, abc
from breakrank.questions.calibrate.record import Aim, TargetRecord, filled
from breakrank.questions.calibrate.regression import Array
from breakrank.questions.condition.condition import silently
from breakrank.questions.condition.filter import ALIVE, Lots, filtered
from breakrank.questions.condition.lives import LivedWorlds
from breakrank.questions.condition.weights import density, start, systematic
from breakrank.results.collect import Collector
from breakrank.runs.atomic_file import write_whole
from breakrank.runs.backends import choose_backend
from breakrank.runs.identity import code_digest

DATES = (dt.date(2019, 2, 28), dt.date(2019, 3, 31), dt.date(2019, 4, 30))
"""Days as of which it is forecast; the record speaks of each."""
END = dt.date(2019, 6, 30)
TOLD = {
    "registered-april": None,
    "programme-may": None,
    "political-prisoners-august": None,
    "in-the-embassy": None,
    "january-rising": "2019-01-01",
    "january-caught": "2019-01-01",
}
"""Figures of the case whose like is told on each date, with the same error; and the first day that counts."""
JUDGED = (
    "registered",
    "in_programme",
    "in_sites",
    "political_prisoners",
    "left_abroad",
    "quiet_desertion",
    "arrested",
)
"""Counts that are forecast, a month after each date and by the last day; the last three are never told."""
FIRST = 1_000_000
"""Number of the luck of the first draw that is filtered: no life of the prior has one as high."""


@dataclass(frozen=True)
class Size:
    """How much is lived: soldiers (`strength`), lives of the prior (`bank`), `draws`, `paths`, `forks`."""

    strength: int
    bank: int
    draws: int
    paths: int
    forks: int
    truths: int


class SyntheticWorlds:
    """Truths of a case, and forecasts of what they knew.

    Parameters
    ----------
    name : of the case. size : how much is lived. seed : names all draws. store : keeps lives and lines.
    """

    def __init__(self, name: str, size: Size, seed: int, store: Path) -> None:
        whole = breakrank.load_case(name, "values").with_draws(None)
        self.case = whole.set({"force.strength": size.strength}).until(str(END))
        self.size, self.seed, self._store = size, seed, store
        self._lives = LivedWorlds(
            self.case, Free.of(self.case), seed, silently(choose_backend(None, 1)), store, code_digest(None)
        )
        known = {target.id: target for target in whole.targets}
        self._told = [_moved(known[one], since, date) for date in DATES for one, since in TOLD.items()]
        self.later = [_later(name, date) for name in JUDGED for date in sorted({*_ahead(), END})]
        self.record = TargetRecord.of(self._with([*self._told, *self.later]))

    @cached_property
    def bank(self) -> tuple[Array, list[Array]]:
        """Parameters in z-space (lives, p), and what each target counts; first the bank, then the truths."""
        z, counts = [], []
        for first in range(0, self.size.bank + self.size.truths, 250):
            numbers = np.arange(first, first + 250)
            z.append(self._lives.free.drawn(self.seed, "worlds 0", numbers))
            draws = self._lives.draws(z[-1], [LuckPath(int(k)) for k in numbers], END)
            counts.append(self._lives.counts(draws, self.record, "lives of the prior"))
            _say(f"{first + 250:,} lives of the prior")
        return np.concatenate(z), [np.concatenate(one) for one in zip(*counts, strict=True)]

    def lines(self) -> Iterator[dict[str, Any]]:
        """Yield what forecasts of each truth say of it; what is lived for it is found or made."""
        for truth in range(self.size.truths):
            size = "-".join(str(n) for n in list(vars(self.size).values())[:-1])
            path = self._store / "truths" / size / f"{truth}.json"
            if not path.is_file():
                path.parent.mkdir(parents=True, exist_ok=True)
                write_whole(path, json.dumps(self._lived(truth)) + "\n")
            yield self._line(truth, json.loads(path.read_text("utf-8")))

    def _lived(self, truth: int) -> dict[str, Any]:
        """Return what is lived for a truth: evidence, density, and what is counted ahead of each date."""
        begun = time.process_time()
        z, counts = (self.bank[0][: self.size.bank], self.bank[1])
        reports = self._reports(truth)
        first = [k for k, target in enumerate(self._told) if target.date == DATES[0]]
        record = TargetRecord.of(self._with([reports[k] for k in first]))
        s, _ = filled(
            record.summaries(
                [counts[k][: self.size.bank] for k in first],
                self.seed,
                "worlds",
                np.arange(self.size.bank),
            )
        )
        learned = abc(z, s, np.ones(self.size.bank))
        found = learned.posterior(record.observed)
        which = systematic(found.weights, self.size.draws, start(self.seed, "filtered", truth))
        posterior = Weighted(found.z[which], np.full(self.size.draws, 1.0 / self.size.draws))
        evidence, ahead = self._filtered(posterior.z, reports, truth)
        _say(f"truth {truth}: {time.process_time() - begun:.1f} s")
        return {
            "z": np.round(posterior.z, 4).tolist(),
            "evidence": evidence.tolist(),
            "density": density(posterior, learned.axes).tolist(),
            "ahead": [one.tolist() for one in ahead],
        }

    def _true(self, truth: int) -> Array:
        return np.array([count[self.size.bank + truth, 0] for count in self.bank[1]])

    def _reports(self, truth: int) -> list[Target]:
        luck, true = np.random.default_rng([self.seed, truth]), self._true(truth)
        return [self._reported(k, true[k], luck) for k in range(len(self._told))]

    def _line(self, truth: int, lived: dict[str, Any]) -> dict[str, Any]:
        """Return what forecasts of a truth say of it."""
        luck, reports = np.random.default_rng([self.seed, truth, 1]), self._reports(truth)
        evidence, over = np.array(lived["evidence"]), np.array(lived["density"])
        of_prior = np.stack([c[: self.size.bank, 0] for c in self.bank[1]], axis=1)
        dates = []
        for k, day in enumerate(DATES):
            asked = [j for j, target in enumerate(self.later) if target.date in (_ahead()[k], END)]
            every = [len(self._told) + j for j in asked]
            one = ForecastOfTruth(
                self.case,
                day,
                evidence[:, : k + 1].sum(1) - over,
                np.array(lived["ahead"][k])[:, :, asked],
                tuple(self.later[j] for j in asked),
                self._true(truth)[every],
                tuple(target for target in reports if target.date <= day),
                of_prior[:, every],
            )
            dates.append(one.judged(luck))
        return {"truth": truth, "dates": dates}

    def _filtered(self, z: Array, reports: list[Target], truth: int) -> tuple[Array, list[Array]]:
        """Return the evidence by draw and date, and what is counted ahead of each date (draws, forks)."""
        last = _later("registered", END).model_copy(update={"at_least": None, "at_most": 1e9})
        case = self._with([*reports, last])
        names = frozenset(self.record.variables)
        numbers = FIRST + truth * self.size.draws + np.arange(self.size.draws)
        paths = [LuckPath(int(k)) for k in numbers]
        made = case.with_draws(self._lives.draws(z, paths, case.calendar.start))
        evidence: list[Array] = []
        ahead: list[list[dict[str, NDArray[Any]]]] = [[] for _ in DATES]
        size = self.size.paths
        scale = size / ALIVE.size
        lots = Lots(size, ALIVE.enough * scale, round(ALIVE.most * scale), ahead=False)
        for row in range(self.size.draws):
            lives: list[Forking] = []

            def begin(case: Case, seed: int, run: int, kept: list[Forking] = lives) -> Forking:
                kept.append(Forking(case, seed, run, self.size.forks, names))
                return kept[0]

            evidence.append(filtered(made, begin, self.seed, row, lots).evidence[: len(DATES)])
            for kept, runs in zip(ahead, lives[0].ahead, strict=True):
                kept += runs
        counts = [self._counted(runs) for runs in ahead]
        return np.array(evidence), [count.reshape(self.size.draws, -1, count.shape[1]) for count in counts]

    def _counted(self, runs: list[dict[str, NDArray[Any]]]) -> Array:
        """Return what some runs count later (runs, judged)."""
        kept = Collector(self.case, len(runs), ())
        for k, series in enumerate(runs):
            kept.add(Replicate(k, series))
        return np.stack([c[:, 0] for c in self.record.counts(kept.dataset())], axis=1)[:, len(self._told) :]

    def _reported(self, which: int, count: float, luck: np.random.Generator) -> Target:
        """Return what the record would say of a count, with its own error."""
        aim, told = self.record.aims[which], self._told[which].model_copy(update={"value": count})
        soft = Aim(told, aim.figures, aim.scale).softness(replace(aim.figures[0], low=count, high=count))
        y = float(aim.scaled(np.array(count))) + soft * luck.normal()
        return told.model_copy(update={"value": float(aim.unscaled(np.array(max(y, 0.0))))})

    def _with(self, targets: list[Target]) -> Case:
        """Return the case with a record that counts, as any does, the whole force."""
        plain = bare(self.case)
        return Case(replace(plain.content, targets=tuple(targets)), plain.catalogue)


def _moved(target: Target, since: str | None, date: dt.date) -> Target:
    begin = None if since is None else dt.date.fromisoformat(since)
    named = {"id": f"{target.measure.replace('_', '-')}-{date}", "date": date, "start": begin}
    return target.model_copy(update={**named, "conflicting": (), "lag": 0})


def _later(measure: str, date: dt.date) -> Target:
    return Target(
        id=f"later-{measure.replace('_', '-')}-{date}",
        label=f"{measure} by {date}",
        measure=measure,
        date=str(date),
        unit="soldiers",
        at_least=0.0,
        assumed="counted in the truth",
    )


def _ahead() -> tuple[dt.date, ...]:
    return (*DATES[1:], DATES[-1] + dt.timedelta(days=30))


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def main() -> None:
    """Make what is missing, and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--case", default="venezuela-2019", metavar="NAME", help="built-in case or a folder")
    parser.add_argument("--store", type=Path, required=True, help="keeps lives and a line a truth")
    parser.add_argument("--seed", type=int, default=0, metavar="N")
    for name, default in (("strength", 8_000), ("bank", 2_000), ("draws", 48), ("paths", 8), ("forks", 2)):
        parser.add_argument(f"--{name}", type=int, default=default, metavar="N")
    parser.add_argument("--truths", type=int, default=100, metavar="N")
    asked = parser.parse_args()
    size = Size(asked.strength, asked.bank, asked.draws, asked.paths, asked.forks, asked.truths)
    study = SyntheticWorlds(asked.case, size, asked.seed, asked.store)
    sys.stdout.write(tables(list(study.lines())) + "\n")


if __name__ == "__main__":
    main()
