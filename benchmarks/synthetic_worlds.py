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
import math
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
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
from breakrank.questions.calibrate.arrays import uniform_p
from breakrank.questions.calibrate.bank import bare
from breakrank.questions.calibrate.methods import Weighted, abc
from breakrank.questions.calibrate.record import Aim, TargetRecord, filled
from breakrank.questions.calibrate.regression import Array, effective
from breakrank.questions.condition.choose import FEW
from breakrank.questions.condition.condition import silently
from breakrank.questions.condition.filter import ALIVE, Continued, Lots, Series, filtered
from breakrank.questions.condition.lives import LivedWorlds
from breakrank.questions.condition.weights import density, shares, softening, start, systematic
from numpy.typing import NDArray

import breakrank
from benchmarks.tables import markdown
from breakrank.case import Case
from breakrank.case.draws import LuckPath
from breakrank.case.free_parameters import Free
from breakrank.case.models_evidence import Target
from breakrank.draws import luck_key
from breakrank.engine.replicate import Replicate
from breakrank.questions.hindcast.forecasters import KnownOnDay, baselines
from breakrank.results.collect import Collector
from breakrank.results.scores import covered, crps
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
WORLDS = 100
"""Worlds of one weight that the interval of a reader is made of."""
LEVELS = (0.5, 0.9)
SPOKEN = ("registered", "in_programme", "political_prisoners")
"""Judged counts of which the record spoke before."""
Line = dict[str, Any]


@dataclass(frozen=True)
class Size:
    """How much is lived: soldiers (`strength`), lives of the prior (`bank`), `draws`, `paths`, `forks`."""

    strength: int
    bank: int
    draws: int
    paths: int
    forks: int
    truths: int


@dataclass(frozen=True)
class ForecastOfTruth:
    """A forecast as of a day, and the truth.

    Attributes
    ----------
    case : with its force. day : last that is known.
    logs : logarithm of the evidence of each draw over its density (draws,).
    ahead : what is counted later in worlds of each draw (draws, forks, asked).
    asked : what is counted, in the same order. truth : what it is (asked,).
    known : what the record said by then.
    prior : what is counted in lives of the prior (lives, asked).
    """

    case: Case
    day: dt.date
    logs: Array
    ahead: Array
    asked: tuple[Target, ...]
    truth: Array
    known: tuple[Target, ...]
    prior: Array

    @cached_property
    def power(self) -> float:
        """To which weights are raised, as those of ``breakrank worlds`` are."""
        return softening(np.zeros(len(self.logs)), self.logs, min(FEW, len(self.logs) / 2))

    @cached_property
    def weights(self) -> Array:
        """Weights of draws (draws,)."""
        return shares(self.power * self.logs)

    def judged(self, luck: np.random.Generator) -> dict[str, Any]:
        """Return ranks of the truth, whether intervals hold it, scores, and what they could hold."""
        counts, each = self.ahead.reshape(-1, len(self.asked)), self._each(self.weights)
        worlds = counts[systematic(each, WORLDS, float(luck.random()))]
        ranks = _ranks(counts, each, self.truth, luck)
        flat = np.full(len(self.prior), 1.0 / len(self.prior))
        before = _ranks(self.prior, flat, self.truth, luck)
        figures = []
        for k, target in enumerate(self.asked):
            x, truth = worlds[:, k], float(self.truth[k])
            scores = {"worlds": crps(x, truth)}
            others = baselines(target, KnownOnDay(self.case, self.day, self.known, 0))
            scores |= {name: crps(draws, truth) for name, draws in others.items()}
            held = {f"in{100 * level:.0f}": covered(x, truth, truth, level) for level in LEVELS}
            figures.append({"measure": target.measure, "date": str(target.date), "truth": truth})
            figures[-1] |= {"rank": float(ranks[k]), "in_prior": float(before[k]), **held, "crps": scores}
        return {
            "as_of": str(self.day),
            "power": self.power,
            "effective": effective(self.weights),
            "sharp": effective(shares(self.logs)),
            "figures": figures,
            "could": self._could(luck),
            "joint": self._joint(counts, each, luck),
        }

    def _each(self, weights: Array) -> Array:
        """Return the weights of all worlds, of those of their draws."""
        forks = self.ahead.shape[1]
        return np.repeat(weights / forks, forks)

    def _could(self, luck: np.random.Generator) -> list[float]:
        """Return how often intervals would hold a truth that is a draw like the others, by level.

        Each draw is left out in turn and taken for the truth: so many draws cannot hold more.
        """
        counts = self.ahead.reshape(-1, len(self.asked))
        held = np.zeros(len(LEVELS))
        for k, weight in enumerate(self.weights):
            if weight > 1 - 1e-9:
                continue
            rest = self.weights.copy()
            rest[k] = 0.0
            for truth in self.ahead[k]:
                away = np.abs(_ranks(counts, self._each(rest / rest.sum()), truth, luck) - 0.5)
                held += weight * np.array([(away <= level / 2).mean() for level in LEVELS])
        return (held / self.ahead.shape[1]).tolist()

    def _joint(self, counts: Array, each: Array, luck: np.random.Generator) -> float:
        """Return the weight of what lies nearer to a life of the prior than the truth does (TARP)."""
        prior = np.log1p(self.prior)
        point, spread = prior[luck.integers(len(prior))], prior.std(0)
        away = np.linalg.norm((np.log1p(counts) - point) / spread, axis=1)
        mine = float(np.linalg.norm((np.log1p(self.truth) - point) / spread))
        return float(each @ (away < mine) + luck.random() * (each @ (away == mine)))


def _ranks(counts: Array, each: Array, truth: Array, luck: np.random.Generator) -> Array:
    """Return the weight of worlds below a truth (asked,); where counts are the same, chance places it."""
    return np.asarray(each @ (counts < truth) + luck.random(len(truth)) * (each @ (counts == truth)))


class Forking(Continued):
    """Paths of which some also go on to the last day with luck of their own, at each date."""

    def __init__(self, case: Case, seed: int, run: int, forks: int, names: frozenset[str]) -> None:
        super().__init__(case, seed, run, names)
        self._case, self._forks, self._names = case, forks, names
        self._until: dt.date | None = None
        self.ahead: list[list[dict[str, NDArray[Any]]]] = []

    def on(
        self, ancestors: NDArray[np.int64], numbers: NDArray[np.int64], until: dt.date, last: bool
    ) -> Iterator[Series]:
        """See :class:`Continued`."""
        before, self._until = self._until, until
        begins = until != before
        if last:  # the way to the last day is a forecast in itself
            if begins:
                self.ahead.append([])
            for series in super().on(ancestors, numbers, until, last):
                self.ahead[-1].append({name: series[name] for name in self._names})
                yield series
            return
        self._turn_to(until)
        if begins and before is not None:
            self._fork(ancestors, numbers)
        yield from super().on(ancestors, numbers, until, last)

    def _fork(self, ancestors: NDArray[np.int64], numbers: NDArray[np.int64]) -> None:
        self.ahead.append([])
        for place in systematic(np.ones(len(ancestors)), self._forks, 0.5).tolist():
            state, observer = self._snapshot(int(ancestors[place])).open(self._days)
            state.turns = ((self._since, luck_key(self._under, "ahead", int(numbers[place]))),)
            self._days.go_on(state, observer, self._since, self._case.calendar.days)
            series = observer.series(state)
            self.ahead[-1].append({name: series[name].copy() for name in self._names})


class SyntheticWorlds:
    """Truths of a case, and forecasts of what they knew.

    Parameters
    ----------
    name : of the case. size : how much is lived. seed : names all draws. store : keeps lives and lines.
    """

    def __init__(self, name: str, size: Size, seed: int, store: Path) -> None:
        whole = breakrank.load_case(name, "point").with_draws(None)
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


def tables(lines: Sequence[Line]) -> str:
    """Return all tables: how often intervals hold, joint checks, and scores beside naive forecasters."""
    dates = [[line["dates"][k] for line in lines] for k in range(len(lines[0]["dates"]))]
    heads = ["as of", "50% hold", "could", "90% hold", "could", "as shown", "joint p", "power", "draws worth"]
    shares = ["count", "50% hold", "90% hold", "below 5%", "above 95%", "p of ranks", "p in the prior"]
    scores = ["by", "count", "forecaster", "mean CRPS", "worlds better"]
    parts = [
        f"{len(lines)} truths",
        markdown(heads, [_of_date(date) for date in dates]),
        markdown(["as of", *shares], [row for date in dates for row in _of_counts(date)]),
        markdown(["as of", *scores], [row for date in dates for row in _scores(date)]),
    ]
    return "\n\n".join(parts)


def _of_date(date: list[Line]) -> list[str]:
    figures = [one["figures"] for one in date]
    row = [date[0]["as_of"]]
    for k, level in enumerate(LEVELS):
        row.append(held([[abs(f["rank"] - 0.5) <= level / 2 for f in of] for of in figures]))
        row.append(_percent(np.mean([one["could"][k] for one in date])))
    sharp, worth = (np.median([one[key] for one in date]) for key in ("sharp", "effective"))
    return [
        *row,
        " and ".join(_percent(np.mean([f[key] for of in figures for f in of])) for key in ("in50", "in90")),
        f"{uniform_p(np.array([one['joint'] for one in date])):.3f}",
        f"{np.median([one['power'] for one in date]):.2f}",
        f"{worth:.0f}, unsoftened {sharp:.0f}",
    ]


def _of_counts(date: list[Line]) -> Iterable[list[str]]:
    for name in dict.fromkeys(f["measure"] for f in date[0]["figures"]):
        ranks, before = (
            np.array([[f[key] for f in one["figures"] if f["measure"] == name] for one in date])
            for key in ("rank", "in_prior")
        )
        yield [
            date[0]["as_of"],
            name.replace("_", " ") + ("" if name in SPOKEN else ", never told"),
            *(held((np.abs(ranks - 0.5) <= level / 2).tolist()) for level in LEVELS),
            _percent((ranks < 0.05).mean()),
            _percent((ranks > 0.95).mean()),
            *(f"{_uniform(found):.3f}" for found in (ranks, before)),
        ]


def _scores(date: list[Line]) -> Iterable[list[str]]:
    for k, figure in enumerate(date[0]["figures"]):
        if figure["measure"] not in SPOKEN:
            continue
        each = [one["figures"][k]["crps"] for one in date]
        for name in each[0]:
            both = [(e["worlds"], e[name]) for e in each if name in e]
            better = np.mean([(mine < other) + 0.5 * (mine == other) for mine, other in both])
            count = figure["measure"].replace("_", " ")
            told = "" if name == "worlds" else _percent(better)
            score = f"{np.mean([other for _, other in both]):.1f}"
            yield [date[0]["as_of"], figure["date"], count, name, score, told]


def held(of_truths: Sequence[Sequence[bool]]) -> str:
    """Return a share with its interval of 95%, all figures of one truth taken as one answer."""
    means = np.array([np.mean(of) for of in of_truths])
    share, n = float(means.mean()), len(means)
    spread = float(means.var())
    # as many independent yes or no answers as have this spread; the interval is that of Wilson (1927)
    worth = float(n) if spread == 0 else max(1.0, share * (1 - share) / (spread / n))
    z = 1.96
    middle = (share + z * z / (2 * worth)) / (1 + z * z / worth)
    half = z / (1 + z * z / worth) * math.sqrt(share * (1 - share) / worth + (z / (2 * worth)) ** 2)
    return f"{_percent(share)} ({_percent(middle - half)} to {_percent(middle + half)})"


def _uniform(ranks: Array) -> float:
    """Return the p-value of ranks (truths, dates) being uniform, allowing for several dates (Bonferroni)."""
    return min(1.0, ranks.shape[1] * min(uniform_p(column) for column in ranks.T))


def _percent(share: float) -> str:
    return f"{100 * share:.0f}%"


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
