"""Named quantities.

Which observations count the same thing, whether they agree, and where they cannot both be so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Literal, get_args

from breakrank.case.content import Ledger
from breakrank.case.dates import first_day, last_day
from breakrank.case.files import CaseFileError
from breakrank.case.models_evidence import Observation
from breakrank_desk.store import QUANTITIES, DeskStore

Reading = Literal["level", "cumulative", "flow", "share"]


@dataclass(frozen=True)
class Quantity:
    """Something that several reports count.

    Attributes
    ----------
    id, label, unit : its name, in words, and its unit.
    reading : a level at a time, a count that only grows, a flow over a span, or a share.
    scope : of whom, in words.
    holds_for : days for which a figure holds; figures further apart do not contradict each other.
    members : ids of observations.
    feeds : what of the case it feeds, e.g. ``targets/registered-month``.
    """

    id: str
    label: str
    unit: str
    reading: Reading = "level"
    scope: str = ""
    holds_for: int = 30
    members: tuple[str, ...] = ()
    feeds: tuple[str, ...] = ()

    def plain(self) -> dict[str, Any]:
        """Return it as written into a file."""
        out: dict[str, Any] = {"id": self.id, "label": self.label, "unit": self.unit, "reading": self.reading}
        if self.scope:
            out["scope"] = self.scope
        return {**out, "holds_for": self.holds_for, "members": list(self.members), "feeds": list(self.feeds)}


@dataclass(frozen=True)
class Conflict:
    """Two observations of one quantity that cannot both be so.

    Attributes
    ----------
    settled : whether the ledger names them as conflicting already.
    """

    quantity: str
    one: str
    two: str
    why: str
    settled: bool


@dataclass(frozen=True)
class Agreement:
    """How far the figures of a quantity agree.

    Attributes
    ----------
    parents : sources behind its figures, copies of one original counted once.
    agreeing : parents whose figure lies with the latest one's interval, within the days for which it holds.
    """

    quantity: str
    figures: int
    parents: int
    agreeing: int


def quantities(store: DeskStore) -> tuple[Quantity, ...]:
    """Return the named quantities of a case.

    Raises
    ------
    CaseFileError
        for an entry that is none.
    """
    out = []
    for e in store.entries(QUANTITIES):
        try:
            if e.get("reading", "level") not in get_args(Reading):
                raise ValueError
            texts = {k: str(e.get(k, "")) for k in ("id", "label", "unit", "scope")}
            out.append(
                Quantity(
                    **texts, reading=e.get("reading", "level"), holds_for=int(e.get("holds_for", 30)),
                    members=tuple(map(str, e.get("members", ()))), feeds=tuple(map(str, e.get("feeds", ()))),
                )
            )  # fmt: skip
        except (TypeError, ValueError):
            raise CaseFileError(
                f"{QUANTITIES}: {e.get('id')!r} is no quantity\n"
                f"  reading is one of {', '.join(get_args(Reading))}."
            ) from None
    return tuple(out)


def with_member(all_: Sequence[Quantity], ident: str, observation: str, unit: str) -> list[Quantity]:
    """Return the quantities with an observation in one of them, which is made where there is none."""
    if not any(q.id == ident for q in all_):
        all_ = [*all_, Quantity(ident, ident.replace("-", " ").capitalize(), unit)]
    return [
        replace(q, members=(*q.members, observation)) if q.id == ident and observation not in q.members else q
        for q in all_
    ]


def without_member(all_: Sequence[Quantity], observation: str) -> list[Quantity]:
    """Return the quantities without an observation."""
    return [replace(q, members=tuple(m for m in q.members if m != observation)) for q in all_]


def interval(o: Observation) -> tuple[float, float] | None:
    """Return the figure of an observation as an interval; "about" counts as a point here."""
    if o.range is not None:
        return o.range
    if o.value is None:
        return None
    return {"at_least": (o.value, math.inf), "at_most": (-math.inf, o.value)}.get(
        o.bound or "", (o.value, o.value)
    )


def conflicts(quantity: Quantity, ledger: Ledger) -> list[Conflict]:
    """Return the pairs of members whose figures lie apart within the days for which a figure holds.

    For a cumulative quantity also a later figure below an earlier one, however far apart. One source may
    contradict
    itself.
    """
    members = [ledger.observations[m] for m in quantity.members if m in ledger.observations]
    out = []
    for a, b in combinations(sorted(members, key=lambda o: (first_day(o.date), o.id)), 2):
        why = _apart(quantity, a, b)
        if why:
            out.append(Conflict(quantity.id, a.id, b.id, why, b.id in a.conflicts))
    return out


def _apart(quantity: Quantity, a: Observation, b: Observation) -> str:
    one, two = interval(a), interval(b)
    if one is None or two is None or a.unit != b.unit:
        return ""
    gap = max(0, (first_day(b.date) - last_day(a.date)).days, (first_day(a.date) - last_day(b.date)).days)
    if quantity.reading == "cumulative":
        early, late = (a, b) if last_day(a.date) <= last_day(b.date) else (b, a)
        before, after = interval(early), interval(late)
        assert before is not None
        assert after is not None
        if last_day(early.date) < last_day(late.date) and after[1] < before[0]:
            return f"it only grows, and {late.id} is later and lower"
        if last_day(early.date) < last_day(late.date) and after[0] >= before[0] and gap > 0:
            return ""  # it grew
    if gap <= quantity.holds_for and (one[1] < two[0] or two[1] < one[0]):
        return f"the figures lie apart, {gap} days between them"
    return ""


def agreement(quantity: Quantity, ledger: Ledger) -> Agreement:
    """Return how many parents agree with the latest figure of a quantity."""
    members = [ledger.observations[m] for m in quantity.members if m in ledger.observations]
    counted = [o for o in members if interval(o) is not None]
    parents = {ledger.original(o.source).id for o in counted}
    if not counted:
        return Agreement(quantity.id, 0, 0, 0)
    latest = max(counted, key=lambda o: (last_day(o.date), o.id))
    here = interval(latest)
    assert here is not None
    agree = set()
    for o in counted:
        low, high = interval(o) or (math.inf, -math.inf)
        near = abs((last_day(latest.date) - last_day(o.date)).days) <= quantity.holds_for
        if near and o.unit == latest.unit and low <= here[1] and here[0] <= high:
            agree.add(ledger.original(o.source).id)
    return Agreement(quantity.id, len(counted), len(parents), len(agree))
