"""A made-up case, without a case folder: the attributes that results, charts and reports read."""

import datetime as dt
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import Any, Self

import numpy as np

from breakrank.case.dates import DateLike, as_date
from breakrank.case.models_base import Calendar
from breakrank.model import catalogue
from breakrank.spec import Catalogue, Field


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


def item(name: str, label: str, **extra: Any) -> Item:
    return Item(name, label, extra)


YEAR = Calendar(start=dt.date(2019, 1, 1), end=dt.date(2019, 12, 31))

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
    for code, name in (
        ("A", "Capital"),
        ("S", "Tachira"),
        ("V", "Zulia"),
        ("C", "Apure"),
        ("F", "Bolivar"),
        ("T", "Trujillo"),
    )
)
CROSSINGS = (
    item("simon-bolivar-bridge", "Simon Bolivar bridge", kind="bridge", state="VE-S", country="Colombia",
         host=True),
    item("urena-bridge", "Urena bridge", kind="bridge", state="VE-S", country="Colombia", host=True),
    item("trails", "Trails and dry ditches", kind="trail", state="VE-S", country="Colombia", host=True),
    item("arauca-river", "Arauca river", kind="river", state="VE-C", country="Colombia", host=True),
    item("brazil-road", "Pacaraima road", kind="road", state="VE-F", country="Brazil", host=False),
    item("embassies", "Embassies", kind="embassy", state="VE-A", country="", host=False),
)  # fmt: skip
DATED = (
    item("oath", "Oath", title="Oath of the challenger", date=dt.date(2019, 1, 23), about="", effects=()),
    item("aid-day", "Aid day", title="Aid convoy at the bridges", date=dt.date(2019, 2, 23), about="",
         effects=()),
    item("uprising", "Uprising", title="Uprising of 30 April", date=dt.date(2019, 4, 30), about="",
         effects=()),
)  # fmt: skip
KNOWN: dict[str, Any] = {"kind": "report", "reliability": "medium", "copy_of": None, "notes": None}
"""What every source of the ledger says."""
SAID: dict[str, Any] = {
    **dict.fromkeys(("value", "bound", "range", "unit", "text", "place")),
    "what": "",
    "confidence": "medium",
    "bears_on": (),
    "conflicts": (),
}
"""What every observation says."""
SOURCES = {
    "wire-march": item(
        "wire-march",
        "",
        publisher="A wire service",
        title="Soldiers at the border",
        date="2019-03-01",
        **KNOWN,
    ),
    "radio-march": item(
        "radio-march", "", publisher="A radio station", title="A lieutenant tells", date="2019-03-23", **KNOWN
    ),
}
OBSERVATIONS = {
    "o-registered": item(
        "o-registered",
        "",
        source="wire-march",
        says="migration agency",
        paragraph="4",
        date="2019-02-28",
        **(SAID | {"value": 567.0}),
    ),
    "o-thousand": item(
        "o-thousand",
        "",
        source="radio-march",
        says="officials",
        paragraph="2",
        date="2019-03-23",
        **(SAID | {"range": (900, 1000)}),
    ),
}


def target(name: str, label: str, measure: str, date: str, **more: Any) -> Any:
    base: dict[str, Any] = {
        "start": None,
        "by": None,
        "unit": "soldiers",
        "value": None,
        "range": None,
        "at_most": None,
        "at_least": None,
        "evidence": (),
        "assumed": "",
        "about": "",
        "spread": None,
        "lag": 0,
        "against": None,
        "conflicting": (),
        "construction": None,
    }
    return SimpleNamespace(
        id=name, label=label, measure=measure, date=dt.date.fromisoformat(date), **(base | more)
    )


def targets() -> tuple[Any, ...]:
    return (
        target("registered-february", "Registered by the end of February", "registered", "2019-02-28",
               value=567.0, evidence=("o-registered",)),
        target("registered-month", "Registered in the month from the aid day", "registered", "2019-03-23",
               start=dt.date(2019, 2, 23), range=(900.0, 1000.0), evidence=("o-thousand", "o-registered")),
        target("generals", "Generals registered in the year", "registered", "2019-12-31",
               by={"rank": "general"}, at_most=5.0, assumed="few were named"),
        target("acceleration", "Speed after the aid day over before", "rate_ratio", "2019-02-23",
               unit="ratio", at_least=3.0, evidence=("o-thousand",)),
    )  # fmt: skip


@dataclass(frozen=True)
class FakeCase:
    """Stands in for a case: the attributes results and charts read, and a folder it can be written to."""

    id: str = "made-up-2019"
    title: str = "A made-up force"
    summary: str = "No country; made up for tests."
    country: str = "Nowhere"
    capital: str = "VE-A"
    calendar: Calendar = YEAR
    strength: int = 160_000
    wave: float = 1.0
    scale: float = 1.0
    mechanisms: tuple[str, ...] = ()
    headline: str | None = None
    by_hand: frozenset[str] = frozenset()
    posterior: Any = None

    @property
    def content(self) -> Any:
        return SimpleNamespace(case=SimpleNamespace(no_ensemble=None))

    @property
    def force(self) -> Any:
        return SimpleNamespace(
            strength=self.strength,
            ranks=RANKS,
            branches=BRANCHES,
            states=STATES,
            regions=(item("west", "West", states=tuple(s.id for s in STATES)),),
        )

    @property
    def catalogue(self) -> Catalogue:
        return Catalogue(
            {},
            MappingProxyType(
                {
                    "credibility": Field("credibility", "share", 0, 1, "belief that the challenger will win"),
                    "pay": Field("pay", "US dollars a month", 0, 1000, "monthly pay", ("rank",)),
                }
            ),
            catalogue().outputs,
            catalogue().measures,
        )

    @property
    def outputs(self) -> Mapping[str, Any]:
        return self.catalogue.outputs

    crossings = CROSSINGS
    events = DATED
    sites = ()
    payers = ()
    roads = ()

    @property
    def stands_for(self) -> float:
        return 1 / self.scale

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
        return SimpleNamespace(sources=SOURCES, observations=OBSERVATIONS, original=SOURCES.__getitem__)

    def daily(self, name: str) -> np.ndarray[Any, np.dtype[np.float64]]:
        t = np.arange(self.calendar.days)
        if name == "credibility":
            return 0.2 + 0.5 * np.exp(-np.abs(t - 53) / 40.0)
        return np.outer(np.exp(-t / 900.0), [12.0, 13.0, 15.0, 20.0, 31.0])

    def until(self, date: DateLike) -> Self:
        end = as_date(date, "until")  # made-up calendars are made longer too
        return replace(self, calendar=Calendar(start=self.calendar.start, end=end))

    @property
    def digest(self) -> str:
        return f"{self.id}/{self.calendar.end}/{self.strength}/{self.wave}"

    def write(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        content: dict[str, object] = {
            "id": self.id,
            "end": str(self.calendar.end),
            "strength": self.strength,
            "wave": self.wave,
        }
        (folder / "case.yaml").write_text(json.dumps(content), "utf-8")


def read_case(folder: Path) -> Any:
    """Read what :meth:`FakeCase.write` wrote."""
    content = json.loads((folder / "case.yaml").read_text("utf-8"))
    calendar = Calendar(start=YEAR.start, end=content["end"])
    return FakeCase(id=content["id"], calendar=calendar, strength=content["strength"], wave=content["wave"])
