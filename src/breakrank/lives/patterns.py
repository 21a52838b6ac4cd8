"""The patterns of lives that the reports tell, each a query over one run.

A report tells one life; a run of the model has thousands. Each query says exactly which of them it takes
for that life and which report the life is from; :data:`PATTERNS` names the observations by their ids in the
ledger of the case ``venezuela-2019``. Nothing in the queries belongs to that case: they ask for occasions,
ways out, sites, dependants and dates that every case has. Soldiers are synthetic; no query finds a person.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from breakrank.lives.columns import Column, Lives, Mask
from breakrank.lives.exit_patterns import breadwinner, child, ditch, driver, loyal, shot, weeks_before
from breakrank.lives.reception_patterns import (
    escort,
    infiltrator,
    onward,
    traits_escort,
    traits_infiltrator,
    traits_onward,
    traits_waiting,
    waiting,
)
from breakrank.lives.voice_patterns import (
    colonels,
    lieutenant,
    promise,
    sergeant,
    traits_colonels,
    traits_lieutenant,
    traits_promise,
    traits_sergeant,
)


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern of lives.

    Attributes
    ----------
    id, title : its name, and what a table calls it.
    query : takes the lives of a run and returns whose they are, bool (soldier,).
    observations : what it was drawn from, by id in a case's ledger, the most important first.
    traits : counts how many more traits of the report's life each life shows, int (soldier,): of those that
        the query found, the one with most is told; ``None`` where there is no more to look for.
    """

    id: str
    title: str
    query: Callable[[Lives], Mask]
    observations: tuple[str, ...]
    traits: Callable[[Lives], Column] | None = None

    @property
    def about(self) -> str:
        """What exactly it counts."""
        paragraphs = (self.query.__doc__ or "").split("\n\n")
        return " ".join(" ".join(paragraphs[:2]).split())


PATTERNS: Final = (
    Pattern(
        "lieutenant",
        "The lieutenant's plan",
        lieutenant,
        (
            "plan-leaked-by-tap",
            "planned-unit-desertion-size",
            "canoe-across-river",
            "planned-unit-desertion-aim",
            "phone-tapped",
        ),
        traits_lieutenant,
    ),
    Pattern(
        "sergeant",
        "The failed rising",
        sergeant,
        (
            "january-tanks-stayed-away",
            "january-sergeant-escaped",
            "relatives-beaten",
            "january-rising-guard-units",
            "january-sergeant-escort-duty",
        ),
        traits_sergeant,
    ),
    Pattern(
        "breadwinner",
        "The breadwinner",
        breadwinner,
        (
            "errand-as-way-out",
            "breadwinner-waited-years",
            "family-left-no-name",
            "repression-orders-decided-him",
        ),
    ),
    Pattern(
        "driver",
        "The driver",
        driver,
        (
            "driver-vehicle",
            "driver-surrendered",
            "aid-day-posting-as-opportunity",
            "armoured-cars-through-bridge",
        ),
    ),
    Pattern(
        "ditch",
        "The ditch",
        ditch,
        ("ditch-vs-bridge", "first-across-by-trail-vehicle", "armed-civilians-at-bridge"),
    ),
    Pattern(
        "child",
        "The child",
        child,
        ("newborn-no-oxygen", "family-shock-lead-days", "child-medicine-lacking", "infant-without-milk"),
        weeks_before,
    ),
    Pattern("shot", "Shot at the second border", shot, ("shot-at-brazil-border",)),
    Pattern(
        "colonels",
        "The two colonels",
        colonels,
        (
            "classmates-tie-of-leaders",
            "rising-leaders-rank",
            "tradecraft-from-intelligence-post",
            "duty-gave-contact-with-opposition",
            "embassy-stay-months",
            "patron-frees-suspect",
        ),
        traits_colonels,
    ),
    Pattern(
        "promise",
        "The promise not kept",
        promise,
        ("pledges-dropped-at-last-minute", "pledged-seniors-claimed", "pledged-seniors-profess-loyalty"),
        traits_promise,
    ),
    Pattern(
        "waiting",
        "The waiting room",
        waiting,
        (
            "ran-to-bridge",
            "sent-back-to-hotels",
            "hotel-stay-months",
            "exiles-idle",
            "rule-no-work",
            "hotels-tightly-guarded",
            "feeling-abandoned",
        ),
        traits_waiting,
    ),
    Pattern(
        "escort",
        "The escort that was called off",
        escort,
        ("escort-enlisted", "escort-called-off", "host-forbids-armed-group"),
        traits_escort,
    ),
    Pattern(
        "infiltrator",
        "The infiltrator",
        infiltrator,
        ("infiltrator-expelled", "others-expelled-as-risks"),
        traits_infiltrator,
    ),
    Pattern(
        "onward",
        "The one who moves on",
        onward,
        ("onward-movement-first-days", "remaining-without-kin-abroad"),
        traits_onward,
    ),
    Pattern(
        "loyal",
        "Loyal though opposed",
        loyal,
        (
            "inaction-from-fear",
            "opposed-share-lieutenant",
            "opposed-share-special-police",
            "comrades-stay-from-terror",
        ),
    ),
)
"""The patterns, in the order in which a table shows them."""
