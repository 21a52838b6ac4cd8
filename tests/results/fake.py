"""A made-up case, run and result that look plausible, for tests of everything downstream of the engine.

``fake_result()`` gives 100 runs of 365 days in about a second, without engine or case folder. The
numbers mean nothing; stocks and counts are consistent with one another.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import Any, cast

import numpy as np

from breakrank.results.replicate import Replicate
from breakrank.results.variables import FATES, OUTCOMES
from breakrank.spec import Catalogue, Field

EVENTS = ("left", "crossed", "registered", "deserted quietly", "declared for the challenger", "shot on the way")


@dataclass(frozen=True)
class Item:
    """Anything with an id and a label."""

    id: str
    label: str
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "extra":
            raise AttributeError(name)
        try:
            return self.extra[name]
        except KeyError:
            raise AttributeError(name) from None


def item(id: str, label: str, **extra: Any) -> Item:
    return Item(id, label, extra)


@dataclass(frozen=True)
class Calendar:
    start: dt.date = dt.date(2019, 1, 1)
    end: dt.date = dt.date(2019, 12, 31)

    @property
    def days(self) -> int:
        return (self.end - self.start).days + 1

    def day(self, date: dt.date) -> int:
        return (date - self.start).days

    def date(self, day: int) -> dt.date:
        return self.start + dt.timedelta(days=day)


RANKS = (
    item("enlisted", "Enlisted", tier=0, share=0.55),
    item("nco", "Non-commissioned", tier=1, share=0.30),
    item("junior", "Junior officers", tier=2, share=0.11),
    item("senior", "Senior officers", tier=3, share=0.032),
    item("general", "Generals", tier=4, share=0.008),
)
BRANCHES = (
    item("army", "Army", strength=63000, share=0.45),
    item("guard", "National Guard", strength=58000, share=0.35),
    item("navy", "Navy", strength=25500, share=0.13),
    item("police", "Special police", strength=13500, share=0.07),
)
STATES = tuple(
    item(f"VE-{code}", name)
    for code, name in (("A", "Capital"), ("S", "Tachira"), ("V", "Zulia"), ("C", "Apure"), ("F", "Bolivar"), ("T", "Trujillo"))
)
CROSSINGS = (
    item("simon-bolivar-bridge", "Simon Bolivar bridge", kind="bridge", state="VE-S", country="Colombia", host=True),
    item("urena-bridge", "Urena bridge", kind="bridge", state="VE-S", country="Colombia", host=True),
    item("trails", "Trails and dry ditches", kind="trail", state="VE-S", country="Colombia", host=True),
    item("arauca-river", "Arauca river", kind="river", state="VE-C", country="Colombia", host=True),
    item("brazil-road", "Pacaraima road", kind="road", state="VE-F", country="Brazil", host=False),
    item("embassies", "Embassies", kind="embassy", state="VE-A", country="", host=False),
)
DATED = (
    item("oath", "Oath", title="Oath of the challenger", date=dt.date(2019, 1, 23), about="", effects=()),
    item("aid-day", "Aid day", title="Aid convoy at the bridges", date=dt.date(2019, 2, 23), about="", effects=()),
    item("rising", "Rising", title="Rising of 30 April", date=dt.date(2019, 4, 30), about="", effects=()),
)
SOURCES = {
    "wire-march": item("wire-march", "", publisher="A wire service", title="Soldiers at the border", date="2019-03-01", kind="report"),
    "radio-march": item("radio-march", "", publisher="A radio station", title="A lieutenant tells", date="2019-03-23", kind="report"),
}
OBSERVATIONS = {
    "o-registered": item("o-registered", "", source="wire-march", says="migration agency", paragraph="4", value=567.0, date="2019-02-28"),
    "o-thousand": item("o-thousand", "", source="radio-march", says="officials", paragraph="2", range=(900, 1000), date="2019-03-23"),
}


def target(id: str, label: str, measure: str, date: str, **more: Any) -> Any:
    base: dict[str, Any] = {
        "since": None, "by": {}, "unit": "soldiers", "value": None, "range": None, "at_most": None,
        "at_least": None, "evidence": (), "assumed": "", "about": "",
    }
    return SimpleNamespace(id=id, label=label, measure=measure, date=dt.date.fromisoformat(date), **(base | more))


def targets() -> tuple[Any, ...]:
    return (
        target("registered-february", "Registered by the end of February", "registered", "2019-02-28",
               value=567.0, evidence=("o-registered",)),
        target("registered-month", "Registered in the month from the aid day", "registered", "2019-03-23",
               since=dt.date(2019, 2, 23), range=(900.0, 1000.0), evidence=("o-thousand", "o-registered")),
        target("generals", "Generals registered in the year", "registered", "2019-12-31",
               by={"rank": "general"}, at_most=5.0, assumed="few were named"),
        target("acceleration", "Speed after the aid day over before", "rate_ratio", "2019-02-23",
               unit="ratio", at_least=3.0, evidence=("o-thousand",)),
    )


@dataclass(frozen=True)
class FakeCase:
    """Stands in for a case: the attributes results and charts read, and a folder it can be written to."""

    id: str = "made-up-2019"
    title: str = "A made-up force"
    summary: str = "No country; made up for tests."
    country: str = "Nowhere"
    capital: str = "VE-A"
    calendar: Calendar = Calendar()
    strength: int = 160_000
    wave: float = 1.0

    @property
    def force(self) -> Any:
        return SimpleNamespace(strength=self.strength, ranks=RANKS, branches=BRANCHES, states=STATES,
                               regions=(item("west", "West", states=tuple(s.id for s in STATES)),))

    @property
    def catalogue(self) -> Catalogue:
        return Catalogue({}, MappingProxyType({
            "credibility": Field("credibility", "share", 0, 1, "belief that the challenger will win"),
            "pay": Field("pay", "US dollars a month", 0, 1000, "monthly pay", ("rank",)),
        }))

    crossings = CROSSINGS
    events = DATED
    sites = ()
    roads = ()

    @property
    def places(self) -> Mapping[str, Any]:
        return {}

    @property
    def parameters(self) -> Mapping[str, Any]:
        return {}

    @property
    def targets(self) -> tuple[Any, ...]:
        return tuple(t for t in targets() if t.date <= self.calendar.end)

    @property
    def ledger(self) -> Any:
        return SimpleNamespace(sources=SOURCES, observations=OBSERVATIONS)

    def daily(self, name: str) -> np.ndarray[Any, np.dtype[np.float64]]:
        t = np.arange(self.calendar.days)
        if name == "credibility":
            return 0.2 + 0.5 * np.exp(-np.abs(t - 53) / 40.0)
        return np.outer(np.exp(-t / 900.0), [12.0, 13.0, 15.0, 20.0, 31.0])

    def until(self, date: dt.date | str) -> FakeCase:
        end = dt.date.fromisoformat(date) if isinstance(date, str) else date
        return replace(self, calendar=Calendar(self.calendar.start, end))

    @property
    def digest(self) -> str:
        return f"{self.id}/{self.calendar.end}/{self.strength}/{self.wave}"

    def write(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        content = {"id": self.id, "end": str(self.calendar.end), "strength": self.strength, "wave": self.wave}
        (folder / "case.yaml").write_text(json.dumps(content), "utf-8")


def read_case(folder: Path) -> Any:
    """Read what :meth:`FakeCase.write` wrote."""
    content = json.loads((folder / "case.yaml").read_text("utf-8"))
    calendar = Calendar(end=dt.date.fromisoformat(content["end"]))
    return FakeCase(id=content["id"], calendar=calendar, strength=content["strength"], wave=content["wave"])


def fake_case() -> Any:
    """Return the made-up case."""
    return FakeCase()


def fake_build(case: Any, seed: int) -> Any:
    """Stand in for building the force."""
    return SimpleNamespace(n=case.strength)


def fake_replicate(case: Any, force: Any, seed: int, run: int, *, log: bool) -> Replicate:
    """Return one made-up run: a pure function of (case, seed, run)."""
    rng = np.random.default_rng([seed, run])
    days, n = case.calendar.days, force.n
    t = np.arange(days)
    luck = rng.lognormal(0.0, 0.25)
    wave = case.wave * luck * np.where(t < 53, 1.5, 1.5 + 42 * np.exp(-np.maximum(t - 53, 0) / 20.0))
    rates = {"quiet_desertion": 0.3 * wave + 9, "registered_exit": wave, "open_defection": 0.03 * wave + 12 * (t == 119)}
    leaving = np.stack([rng.poisson(rates[o]) for o in OUTCOMES])
    kind, day = np.repeat(np.indices(leaving.shape).reshape(2, -1), leaving.ravel(), axis=1)
    m = len(day)
    rank = rng.choice(5, m, p=[0.58, 0.32, 0.085, 0.0148, 0.0002])
    branch = rng.choice(4, m, p=[b.share for b in BRANCHES])
    state = rng.choice(6, m, p=[0.15, 0.4, 0.2, 0.1, 0.1, 0.05])
    route = rng.choice(5, m, p=[0.4, 0.15, 0.3, 0.1, 0.05])
    out = (kind == 1) | ((kind == 0) & (rng.random(m) < 0.3))
    arrested, shot = rng.poisson(0.4 + 0.02 * wave), rng.poisson(0.002 * wave)

    def count(*keys_sizes: tuple[Any, int], where: Any = slice(None)) -> np.ndarray[Any, np.dtype[np.int32]]:
        keys, sizes = [k[where] for k, _ in keys_sizes], [s for _, s in keys_sizes]
        return np.bincount(np.ravel_multi_index(keys, sizes), minlength=int(np.prod(sizes))).reshape(sizes).astype(np.int32)

    registered = count((day, days), where=kind == 1)
    routes = np.pad(count((day, days), (route, 5), where=out), ((0, 0), (0, 1)))
    total = {name: np.cumsum(v) for name, v in (
        ("hiding", count((day, days), where=(kind == 0) & ~out)), ("abroad", count((day, days), where=(kind == 0) & out)),
        ("registered", registered), ("declared", count((day, days), where=kind == 2)), ("arrested", arrested), ("dead", shot))}
    fate = np.zeros((days, len(FATES)), np.int32)
    at = {f: i for i, f in enumerate(FATES)}
    embassy = np.where((t >= 119) & (t < 340), np.minimum(16, total["declared"]), 0)
    for name in ("hiding", "abroad", "registered", "dead"):
        fate[:, at[name]] = total[name]
    fate[:, at["declared"]] = total["declared"] - embassy
    fate[:, at["embassy"]] = embassy
    fate[:, at["detained"]] = total["arrested"] // 4
    fate[:, at["imprisoned"]] = total["arrested"] - total["arrested"] // 4
    fate[:, 0] = n - fate.sum(1)
    series = {
        "exits_rank": count((day, days), (kind, 3), (rank, 5)),
        "exits_branch": count((day, days), (kind, 3), (branch, 4)),
        "exits_state": count((day, days), (state, 6)),
        "exits_route": routes,
        "fates": fate,
        "fates_rank": _split(fate[-1], [r.share for r in RANKS]),
        "registered": registered,
        "arrested": arrested.astype(np.int32),
        "released": rng.poisson(0.2, days).astype(np.int32),
        "shot": shot.astype(np.int32),
        "shocks": rng.poisson(60, days).astype(np.int32),
        "confided": rng.poisson(200, days).astype(np.int32),
        "reported": rng.poisson(5, days).astype(np.int32),
        "opposed": np.repeat((0.55 + 0.3 * t / 365 + rng.normal(0, 0.01)).astype(np.float32)[::7], 7)[:days],
        "belief": np.repeat((0.2 + 0.3 * t / 365 + rng.normal(0, 0.02)).astype(np.float32)[::7], 7)[:days],
        "moments": np.array(550_000 + rng.integers(0, 20_000), np.int32),
    }
    events = None
    if log:
        order = np.argsort(day, kind="stable")
        events = {
            "day": day[order].astype(np.int16),
            "soldier": rng.choice(n, m, replace=False).astype(np.uint32),
            "event": np.array([3, 2, 4], np.uint8)[kind[order]],
            "place": (len(STATES) + route[order]).astype(np.int16),
            "other": np.full(m, 0xFFFFFFFF, np.uint32),
            "value": rng.random(m).astype(np.float32),
        }
    return Replicate(run, cast(Any, series), events)


def _split(totals: Any, shares: list[float]) -> Any:
    """Split each total by shares into whole numbers that add up to it."""
    parts = np.floor(np.outer(totals, shares)).astype(np.int32)
    parts[:, 0] += totals - parts.sum(1)
    return parts


@cache
def fake_result(runs: int = 100, seed: int = 7, wave: float = 1.0) -> Any:
    """Return a made-up result; the same object for the same arguments."""
    from breakrank.results.collect import Collector
    from breakrank.results.result import Result

    case = FakeCase(wave=wave)
    force = fake_build(case, seed)
    collector = Collector(cast(Any, case), runs, EVENTS)
    for run in range(runs):
        collector.add(fake_replicate(case, force, seed, run, log=run < 4))
    return Result(
        data=collector.dataset(), case=cast(Any, case), seed=seed, seconds=1.0,
        command=f'simulate(load_case("{case.id}"), runs={runs}, seed={seed})',
        versions={"breakrank": "0", "python": "3", "numpy": "2", "numba": "0", "platform": "made up"},
        events=collector.events(),
    )
