"""A made-up world of a few soldiers in which a test sets every number: the stage for one mechanism at a time.

World, force and run are the real ones; only the case behind them is a stand-in.
"""

import datetime as dt
from collections.abc import Collection, Iterable, Mapping
from types import SimpleNamespace
from typing import Any, get_type_hints

import numpy as np
from numpy.typing import NDArray

from breakrank.case.case import Case
from breakrank.case.models_routes import AT_HOME
from breakrank.engine.codes import FATES, INVITED
from breakrank.engine.day import Days
from breakrank.engine.moments import Moment, Moments, open_moments
from breakrank.engine.run import Run
from breakrank.engine.world import World
from breakrank.force import Force
from breakrank.force.force import ClassTable, FormationTable, Labels, Ties, UnitTable
from breakrank.model import MECHANISMS, catalogue
from tests.engine.plain_books import PlainBooks


def asked(function: Any, run: Run, known: dict[Any, Any]) -> Any:
    """Return what a formula says; it is given what it names."""
    hints = get_type_hints(function.py_func)
    names = function.py_func.__code__.co_varnames[: function.py_func.__code__.co_argcount]
    keys = [name if name in known else hints[name] for name in names]
    return function(*(known[key] if key in known else run.view(key) for key in keys))


def weigh_plainly(
    days: Days, run: Run, moments: Moments, mechanisms: Collection[str] = (), margin: float | None = None
) -> None:
    """Write margins, terms and what is open; of these mechanisms alone, if any are named.

    A `margin` that is given is everybody's.
    """
    mine = [m for m in days.mechanisms if (m.name in mechanisms if mechanisms else m.acts)]
    force = run.world.force
    moments.open[0] = True
    for j, i in enumerate(moments.who.tolist()):
        known: dict[Any, Any] = {"day": run.day, "who": i}
        own = [asked(m.margin, run, known) for m in days.mechanisms if m.margin is not None]
        moments.margin[j] = margin if margin is not None else own[0] if own else 0.0
        known[Moment] = Moment(
            run.day,
            i,
            int(moments.occasion[j]),
            int(moments.leader[j]),
            int(force.rank[i]),
            int(force.unit[i]),
            int(force.state[i]),
            int(force.dependants[i]),
            float(moments.margin[j]),
        )
        for m in days.mechanisms:
            known |= {name: asked(function, run, known) for name, function in m.quantities}
        for m in mine:
            for term in m.terms:
                moments.terms[days.term_row[term.name], j] = asked(term.of, run, known)
            for option, function in m.opens:
                code = run.world.options.index(option) if isinstance(option, str) else option
                moments.open[code, j] |= asked(function, run, known)
        for m in mine:
            for option, function in m.closes:
                moments.open[option, j] &= not asked(function, run, known)


STATES, BRANCHES, TIERS, LEADS = 3, 2, (0, 1, 3, 5), (1, 2, 1, 0)
FIELDS: dict[str, Any] = {"pay": (10, 40, 90, 150), "basket": 100, "scarcity": 0.5, "protests": 3}
FIELDS |= {"rents": (0, 0.1, 0.4, 0.9)}
PLAIN = {"intelligence": False, "resigns": (), "refuses": ()}
DIMS = {"state": STATES, "branch": BRANCHES, "rank": len(TIERS)}


def crossing(name: str, state: str, kind: str = "trail", **more: Any) -> SimpleNamespace:
    plain = {"days": 0.5, "capture": 0.2, "violence": 0.1, "hardship": 0.3, "schedule": ()}
    plain |= {"host": True, "family": True, "posted": False, "stay": SimpleNamespace(days=0)}
    inside = kind in AT_HOME
    plain |= {"at_home": inside, "inside": inside, "later": False, "capacity": None}
    plain |= {"country": "Norlund", "ranks": ()}
    return SimpleNamespace(id=name, state=state, kind=kind, **(plain | more))


CROSSINGS = (
    crossing("bridge", "A", "bridge", posted=True, capture=0.4),
    crossing("trail", "A", days=2.5),
    crossing("boat", "B", "sea", family=False, host=False),
    crossing("embassy", "C", "embassy", stay=SimpleNamespace(days=4), host=False, capture=0.1),
)
ROADS = (
    SimpleNamespace(start="A", to="B", days=1.2, checkpoints=2, cut=()),
    SimpleNamespace(start="B", to="C", days=0.4, checkpoints=1, cut=()),
)


def site(
    name: str, opens: int, closes: int | None, payers: Mapping[str, float], **more: Any
) -> SimpleNamespace:
    """Return a site that is open on some days of January 2019; rules and cost may be given by themselves."""
    plain: dict[str, Any] = {"kind": "hotel", "capacity": 6, "admits": "registered", "stay_limit": None}
    plain |= {"crossing": None, "rations_per_day": 3, "hours_out": 2.0, "work": False, "cost": 18.0}
    plain |= {"country": "Norlund"}
    plain |= more
    cost, hours, work = (plain.pop(name) for name in ("cost", "hours_out", "work"))
    return SimpleNamespace(
        id=name,
        opens=dt.date(2019, 1, opens),
        closes=closes and dt.date(2019, 1, closes),
        payers=payers,
        rules=SimpleNamespace(hours_out=hours, work=work, guard=True),
        cost_per_person_day=SimpleNamespace(value=cost),
        **plain,
    )


SITES = (
    site("hotel", 4, 20, {"state": 0.6, "agency": 0.4}),
    site("church", 1, None, {"church": 1}, admits="anyone", capacity=4, hours_out=24.0, cost=6.0),
    site("tents", 8, 28, {"agency": 1}, kind="tents", capacity=9, rations_per_day=2.5, cost=12.25),
    site("inside", 3, 25, {"state": 1}, kind="embassy", crossing="embassy", capacity=2, cost=5.0),
    site("hall", 2, 12, {}, admits="anyone", capacity=3, rations_per_day=0, hours_out=8.0, cost=0.0),
    site("camp", 1, None, {"agency": 0.5, "church": 0.5}, stay_limit=5, capacity=12, hours_out=11.0),
    site("rooms", 6, None, {"church": 1}, admits="permit", rations_per_day=0, hours_out=24.0, work=True),
)
PAYERS = (
    SimpleNamespace(
        id="state",
        funds=[
            SimpleNamespace(date=dt.date(2019, 1, 12), amount=200.0),
            SimpleNamespace(date=dt.date(2019, 1, 5), amount=300.0),
        ],
    ),
    SimpleNamespace(id="agency", funds=[SimpleNamespace(date=dt.date(2018, 12, 1), amount=500.0)]),
    SimpleNamespace(id="church", funds=None),
)


class MadeUpCase:
    """What a world reads of a case."""

    def __init__(self, days: int, values: Mapping[str, float], fields: Mapping[str, Any]) -> None:
        self.catalogue = catalogue()
        self.outputs = self.catalogue.outputs
        unknown = {*values, *fields} - {*self.catalogue.parameters, *self.catalogue.fields}
        assert not unknown, unknown
        self.values, self.fields = dict(values), FIELDS | dict(fields)
        self.calendar = SimpleNamespace(start=dt.date(2019, 1, 1), days=days)
        self.crossings: tuple[SimpleNamespace, ...] = CROSSINGS
        self.sites: tuple[SimpleNamespace, ...] = SITES
        self.payers: tuple[SimpleNamespace, ...] = PAYERS
        self.roads: tuple[SimpleNamespace, ...] = ROADS
        self.capital = "A"
        self.command: tuple[SimpleNamespace, ...] = ()
        self.force = SimpleNamespace(
            branches=[
                SimpleNamespace(id="guard", strength=60, repression=1.0, opportunity=1.5, **PLAIN),
                SimpleNamespace(id="army", strength=40, repression=0.25, opportunity=0.5, **PLAIN),
            ],
            ranks=[
                SimpleNamespace(id=f"rank {t}", tier=t, leads=k) for t, k in zip(TIERS, LEADS, strict=True)
            ],
            states=[SimpleNamespace(id=s) for s in "ABC"],
            regions=[],
            unit_size=8,
            rank_shares=np.array([[0.5, 0.6], [0.3, 0.3], [0.15, 0.06], [0.05, 0.04]]),
        )

    scale = 1.0
    route_daily = Case.route_daily

    def stated(self, name: str) -> NDArray[np.float64]:
        return self.daily(name)

    def value(self, name: str) -> float:
        return float(self.values.get(name, self.catalogue.parameters[name].typical))

    def daily(self, name: str) -> NDArray[np.float64]:
        declared = self.catalogue.fields[name]
        given = self.fields.get(name, declared.base)
        shape = (self.calendar.days, *(DIMS[d] for d in declared.dims))
        return np.array(np.broadcast_to(np.asarray(given, float), shape))


FEW = 1_000
"""Soldiers up to whom every pair is drawn by itself."""


def random_ties(rng: np.random.Generator, n: int, mean: float) -> Ties:
    """Return ties between any two at random, each with the same chance."""
    chance = mean / max(n - 1, 1)
    if n <= FEW:
        pairs = np.triu(rng.random((n, n)) < chance, 1)
        who, other = np.nonzero(pairs | pairs.T)
    else:  # as many draws as pairs would fill the memory
        drawn = rng.integers(0, n, (rng.binomial(n * (n - 1) // 2, chance), 2))
        drawn = drawn[drawn[:, 0] != drawn[:, 1]]
        who, other = np.unique(np.concatenate((drawn, drawn[:, ::-1])), axis=0).T
    start = np.searchsorted(who, np.arange(n + 1)).astype(np.int64)
    return Ties(start, other.astype(np.int32), np.zeros(len(other), np.uint8))


def random_force(rng: np.random.Generator, n: int, mean_ties: float = 8) -> Force:
    """Return soldiers with columns at random, in four units of two formations, their identities with gaps."""
    unit = np.sort(rng.integers(0, 4, n)).astype(np.int32)
    unit_state, unit_branch = (rng.integers(0, k, 4).astype(np.uint8) for k in (STATES, BRANCHES))
    return Force(
        identity=np.sort(rng.choice(5 * n, n, replace=False)).astype(np.uint32),
        branch=unit_branch[unit],
        rank=rng.integers(0, len(TIERS), n).astype(np.uint8),
        state=unit_state[unit],
        unit=unit,
        years=rng.integers(0, 30, n).astype(np.uint8),
        school_class=np.zeros(n, np.uint32),
        dependants=rng.integers(0, 4, n).astype(np.uint8),
        kin_abroad=rng.random(n) < 0.3,
        access=rng.integers(0, 16, n).astype(np.uint8),
        units=UnitTable(
            np.repeat(np.arange(2, dtype=np.int32), 2),
            unit_state,
            unit_branch,
            np.full(4, n, np.int32),
            np.zeros(4, np.bool_),
        ),
        formations=FormationTable(*(np.zeros(2, np.uint8) for _ in range(3))),
        classes=ClassTable(*(np.zeros(0, t) for t in (np.uint8, np.int16, np.int32, np.float64))),
        labels=Labels(("north",), tuple("ABC"), ("guard", "army"), tuple(f"rank {t}" for t in TIERS), ()),
        ties=random_ties(rng, n, mean_ties),
    )


class Stage:
    """One run in the making, all mechanisms begun, with what a test needs to set the scene."""

    def __init__(
        self,
        seed: int,
        values: Mapping[str, float] | None = None,
        fields: Mapping[str, Any] | None = None,
        *,
        n: int | None = None,
        days: int = 30,
        crossings: tuple[SimpleNamespace, ...] = CROSSINGS,
        sites: tuple[SimpleNamespace, ...] = SITES,
        payers: tuple[SimpleNamespace, ...] = PAYERS,
    ) -> None:
        self.rng = np.random.default_rng(seed)
        case: Any = MadeUpCase(days, values or {}, fields or {})
        case.crossings, case.sites, case.payers = crossings, sites, payers
        n = int(self.rng.integers(1, 40)) if n is None else n
        self.force = random_force(self.rng, n)
        self.world = World(case, self.force)
        self.days = Days(self.world, MECHANISMS)
        self.play: dict[str, Any] = {m.name: m for m in self.days.mechanisms}
        self.run = Run(self.world, seed, 0, True, self.days.rows)
        self.days.begin(self.run)

    @property
    def n(self) -> int:
        return self.force.n

    @property
    def records(self) -> PlainBooks:
        """A plain copy of the books as they are now."""
        return PlainBooks(self.run.records)

    def set_fates(self, fates: Iterable[int]) -> None:
        """Give everyone a fate at random out of `fates`, in books that stay consistent."""
        records = self.run.records
        records.fate[:] = self.rng.choice(np.array(list(fates), np.uint8), self.n)
        records.stock[:] = 0
        np.add.at(records.stock, (records.fate, records.rank), 1)

    def any_fates(self, serving: float = 0.5) -> None:
        """Let about the share `serving` serve, and anything have become of the others."""
        others = len(FATES) - 1
        self.set_fates([0] * max(1, round(others * serving / (1 - serving))) + list(range(1, others + 1)))

    def some(self, share: float = 0.5) -> NDArray[np.int32]:
        """Return some positions, ascending."""
        return np.flatnonzero(self.rng.random(self.n) < share).astype(np.int32)

    def moments(
        self, who: NDArray[np.int32], occasion: int | None = None, leader: NDArray[np.int32] | None = None
    ) -> Moments:
        """Return moments of decision of `who`, on any ordinary occasions unless one is given."""
        kinds = self.rng.integers(0, INVITED, len(who)) if occasion is None else np.full(len(who), occasion)
        leader = np.full(len(who), -1, np.int32) if leader is None else leader
        return open_moments(
            self.run.now,
            self.days.soldiers,
            who,
            kinds.astype(np.uint8),
            leader,
            self.days.factor.shape,
            watched=True,
        )

    def weigh(self, moments: Moments, *mechanisms: str, margin: float | None = None) -> None:
        """Let these mechanisms say their terms and open their options, each formula by itself."""
        if self.play["routes"].acts:
            self.play["routes"].dawn(self.run)
        weigh_plainly(self.days, self.run, moments, mechanisms, margin)

    def term(self, moments: Moments, name: str) -> list[float]:
        """Return one named term of the moments."""
        return moments.terms[self.days.term_row[name]].tolist()
