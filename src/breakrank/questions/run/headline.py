"""What leads an answer on the runs of a case: finding, doubt, fates on the last day, and what says more."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

from breakrank.answer.answer import MOST_WORDS
from breakrank.case.force_spec import apportion
from breakrank.labels import WHERE
from breakrank.questions.paired import doubt as usual_doubt
from breakrank.results.measures import in_steps
from breakrank.results.outcomes import leading_measure
from breakrank.results.uncertainty import FEW, chance_only, fixed, median_known, originals, worth
from breakrank.runs.undated import known
from breakrank.show.tables import Spread, labels, leaving, plain, share
from breakrank.show.tables import spread as spread_of
from breakrank.show.words import answer, between, day, ends_of, interval, people, percent, span, way, within
from breakrank.wording import capitalised, counted, listed

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.results.outcomes import Outcome
    from breakrank.results.result import Result


Kind = Literal["out", "hidden", "caught"]

RESERVE = "reserve"
"""The fate of those who have not been called up: they have not left."""
KINDS: Mapping[str, Kind] = {
    "registered": "out",
    "abroad": "out",
    "declared": "out",
    "embassy": "out",
    "opposition": "out",
    "resigned": "out",
    "travelling": "hidden",
    "hiding": "hidden",
    RESERVE: "hidden",
    "detained": "caught",
    "imprisoned": "caught",
    "prisoner": "caught",
    "dead": "caught",
    "discharged": "caught",
}
"""Fates of those who no longer serve, in order of drawing: got out, on the way or hiding, caught or dead."""


@dataclass(frozen=True, slots=True)
class Fate:
    """One fate on the last day: its share of the runs' average and its spread over runs."""

    id: str
    label: str
    kind: Kind
    mean: float
    spread: Spread


@dataclass(frozen=True, eq=False, slots=True)
class Becoming:
    """Where everyone stands on the last day.

    Averages over runs, not medians, because only averages add up over ranks and fates.

    Attributes
    ----------
    date : the last day, in words.
    strength, serving : soldiers at the start; average still serving on the last day.
    serving_spread : spread over runs of those who serve.
    opposed : median share privately opposed among those serving; ``None`` where it was not recorded.
    fates : the fates that occurred in any run.
    ranks : labels of ranks by their id, lowest first.
    flow : average soldiers by rank and fate, shape (rank, fate).
    """

    date: str
    strength: int
    serving: float
    serving_spread: Spread
    opposed: float | None
    fates: tuple[Fate, ...]
    ranks: dict[str, str]
    flow: npt.NDArray[np.float64]

    @property
    def gone(self) -> float:
        """Average who no longer serve."""
        return self.strength - self.serving

    def sum_of(self, kind: Kind) -> float:
        """Return the average of all fates of a kind."""
        return sum(one.mean for one in self.fates if one.kind == kind)


def becoming(result: Result) -> Becoming:
    """Return the fates of everyone in a result."""
    data, each = result.data, result.case.stands_for
    stock = data["fates"].isel(day=-1).transpose("run", "fate").values.astype(np.float64)
    by_rank = data["fate_rank"].transpose("run", "rank", "fate").values.mean(axis=0)
    ids = [str(f) for f in data["fate"].values]
    at = ids.index("serving")
    order = sorted(
        (i for i in range(len(ids)) if i != at and stock[:, i].any()),
        key=lambda i: list(KINDS).index(ids[i]) if ids[i] in KINDS else len(KINDS),
    )
    names = labels(result, "rank")
    return Becoming(
        date=day(data["day"].values[-1]),
        strength=round(float(stock.sum(axis=1).mean())),
        serving=float(stock[:, at].mean()),
        serving_spread=spread_of(stock[:, at], each),
        opposed=min(1.0, float(data["opposed"].isel(day=-1).median())) if "opposed" in data else None,
        fates=tuple(
            Fate(
                ids[i],
                WHERE.get(ids[i], plain(ids[i])),
                KINDS.get(ids[i], "hidden"),
                float(stock[:, i].mean()),
                spread_of(stock[:, i], each),
            )
            for i in order
        ),
        ranks={str(r): names.get(str(r), plain(str(r))) for r in data["rank"].values},
        flow=by_rank[:, order],
    )


def frame(one: Becoming) -> pd.DataFrame:
    """Return one row for each fate, serving first: average, quantiles over runs, averages of its ranks."""
    import pandas as pd

    serving = {"fate": "Serving", "mean": one.serving, **one.serving_spread.row}
    rows = [serving] + [
        {"fate": f.label, "mean": f.mean, **f.spread.row} | dict(zip(one.ranks, one.flow[:, i], strict=True))
        for i, f in enumerate(one.fates)
    ]
    return pd.DataFrame(rows)


def finding(result: Result) -> str:
    """Return the finding: what the runs say of what leads beside what was observed, or who leaves."""
    o = leading(result)
    if o is None:
        one = becoming(result.whole)
        return f"By {one.date}, {_leave(result, one)}."
    many = f" in the median of {o.runs:,} runs" if o.runs > 1 and not o.yes_or_no else ""
    taken_in = ", and assimilated" if o.used else ""
    seen = f"{middle(o)}{many}{_spread(result, o.runs, spread(o))}; observed{taken_in}: {observed(o)}."
    name = o.label.split()
    room = MOST_WORDS - len(seen.split())
    label = o.label if len(name) <= room else " ".join([*name[: room - 1], "…"])
    return f"{label}: {seen}"


def leading(result: Result) -> Outcome | None:
    """Return the outcome that leads: the case's headline; ``None`` where no figure of it was observed.

    Where the case chooses no headline, it is what its observed figures count most often. Of these the latest
    that a result covers is told, one of the whole force before one of a part.
    """
    measure = leading_measure(result.case)
    whole = {t.id for t in result.case.targets if not t.by and not t.against}
    told = [o for o in result.outcomes() if o.measure == measure and o.record and not math.isnan(o.median)]
    return max(
        told, key=lambda one: (one.id == result.case.headline, one.id in whole, one.date), default=None
    )


def _leave(result: Result, one: Becoming) -> str:
    left = leaving(result.whole)[0].last
    if one.gone <= 0:
        return f"nobody leaves, in {_runs(result)}"
    ends = _spread(result, result.runs, interval(left.q05, left.q95, "people"))
    return f"{people(left.median)} of {people(one.strength)} soldiers leave in {_runs(result)}{ends}"


def _runs(result: Result) -> str:
    return f"the median of {result.runs:,} runs" if result.runs > 1 else "the one run"


def _spread(result: Result, runs: int, ends: str) -> str:
    """Return the ends of a band in brackets; no interval is named where runs differ by chance alone."""
    if runs < 2 or not ends:
        return ""
    return f" ({within(runs) if chance_only(result.case) else ends_of(runs)} {ends})"


def doubt(result: Result) -> str:
    """Return how sure a finding is, in one line."""
    if result.runs < 2:
        return "One run has no spread, and another seed gives other numbers: not the certainty of a forecast."
    if result.runs >= FEW:
        return usual_doubt(result.case, result.runs)
    what = f" and hold {fixed(result.case)}" if chance_only(result.case) else ""
    return (
        f"Ranges are those of {result.runs} runs, too few for intervals ({FEW} are enough){what}; they are "
        "about the model, not the certainty of a forecast."
    )


def more(result: Result) -> tuple[str, ...]:
    """Return sentences that say who leaves, what those who stay think, and what became of everyone."""
    one = becoming(result.whole)
    gone = f"By {one.date}, {_leave(result, one)}"
    if one.gone > 0:
        gone += f", {percent(leaving(result.whole)[0].last.median / one.strength)} of the force"
    said = [f"{gone}.", minds(result, one)]
    found = finding(result)
    level = known(result.case)
    remains = "" if level is None else f"{capitalised(level.shortly)}, under the posterior."
    return tuple(text for text in (*said, totals(result, one), remains) if text and text != found)


def minds(result: Result, one: Becoming) -> str:
    """Return the opinions of those who still serve, and their beliefs of each other; empty if not known."""
    if one.opposed is None:
        return ""
    text = f"Of those who still serve, {percent(one.opposed)} are opposed"
    if "belief" not in result.data:
        return f"{text}."
    believed = share(result, "belief", "").last.median
    only = "and" if believed >= one.opposed else "though"
    only_of = "" if believed >= one.opposed else "only "
    return f"{text} in private, {only} they believe it of {only_of}{percent(believed)} of their comrades."


def _adding_up(whole: int, serving: float, *parts: float) -> list[int]:
    """Return what serving and other parts leave of a whole, and the others, in whole numbers.

    With those who serve, rounded as the table of fates has them, they add up to the whole.

    >>> _adding_up(320_000, 319_573.75, 0.0, 37.75), _adding_up(15_087, 9_235.45, 0.0, 13.35)
    ([388, 0, 38], [5839, 0, 13])
    """
    rest = whole - math.floor(serving + 0.5)
    shared: list[int] = apportion(rest, [max(0.0, whole - serving - sum(parts)), *parts]).tolist()
    return shared


def totals(result: Result, one: Becoming) -> str:
    """Return how the parts of the force add up, and how well the median of all who leave is known."""
    each = result.case.stands_for
    caught = [f for f in one.fates if f.kind == "caught" and f.mean >= 0.5]
    waiting = sum(f.mean for f in one.fates if f.id == RESERVE)
    out, waiting, taken = _adding_up(
        one.strength, one.serving, waiting if waiting >= 0.5 else 0.0, sum(f.mean for f in caught)
    )
    parts = [f"{people(out)} have left or hide"]
    if waiting:
        parts.append(f"{people(waiting)} are in reserve, not called up")
    if caught:
        named = listed([f.label[:1].lower() + f.label[1:] for f in caught])
        parts.append(f"{people(taken)} are out otherwise ({named})")
    whose = "On average of the runs, " if result.runs > 1 else ""
    serve = f"{people(one.serving)} still serve"
    words = f"{whose}{', '.join(parts)} and {serve}: together {people(one.strength)}."
    exits = result.whole.data["exits_rank"]
    left = exits.sum([d for d in exits.dims if d != "run"]).values.astype(np.float64)
    runs = result.data["run"].values
    once = originals(result.case, result.seed, runs)
    count = worth(result.case, result.seed, runs[once])
    known = median_known(left[once], count)
    if once.size < result.runs:
        words += f" Only {once.size:,} of the runs differ: the others repeat a member."
    if known is None or once.size < FEW:
        return words
    low, high = (in_steps(x, each) for x in known)
    words += f" The median of all who leave is itself known to {interval(low, high, 'people')} (90%)"
    return f"{words}; runs that share draws count as {count:,}." if count < once.size else f"{words}."


def verdict(outcomes: Sequence[Outcome]) -> str:
    """Return in a sentence how many observed figures the spreads meet; empty without any.

    Figures that were assimilated are counted apart: to meet them is no success.
    """
    known = [o for o in outcomes if o.record is not None and not math.isnan(o.median)]
    every = [o for o in known if not o.by_construction]
    asked = [o for o in every if not o.used]
    if not asked:
        given = [o for o in known if o.by_construction]
        put_in = f" and {len(given)} follow from what was put in" if given else ""
        if lost := sum(o.meets_record is False for o in given):
            put_in += f" ({lost} {'is' if lost == 1 else 'are'} missed)"
        were = "was" if len(every) == 1 else "were"
        taken = f"Of {counted(len(known), 'observed figure')} {len(every)} {were} assimilated{put_in}"
        return f"{taken}; none is left to test the model." if every else ""
    met = sum(bool(o.meets_record) for o in asked)
    sure = sum(bool(o.meets_record) and o.trivial for o in asked)
    runs = max(o.runs for o in asked)
    spreads = (
        "90% intervals" if runs >= FEW else f"ranges of {runs} runs" if runs > 1 else "values of the run"
    )
    missed = f", {sure} of which could not be missed" if sure else ""
    which = "observed figures" if len(asked) == len(every) else "figures that were not assimilated"
    return f"The {spreads} meet {met or 'none'} of {len(asked)} {which}{missed}."


def middle(o: Outcome) -> str:
    """Return the median; of what is answered with yes or no, the share of runs that say yes."""
    return answer(o.share, o.runs) if o.yes_or_no else between(o.median, *o.ends, way(o.unit))


def spread(o: Outcome) -> str:
    """Return the ends of its band; empty for what is answered with yes or no, and for one run."""
    return "" if o.yes_or_no or o.runs < 2 else interval(*o.ends, way(o.unit))


def observed(o: Outcome) -> str:
    """Return the observed figure, e.g. ``"950 to 1,000"``, ``"at most 10"`` or ``"yes"``."""
    assert o.record is not None
    if o.yes_or_no:
        return "yes" if o.record.low > 0 else "no"
    return span(o.record.low, o.record.high, way(o.unit))
