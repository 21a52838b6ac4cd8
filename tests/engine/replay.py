"""The log, replayed by hand: every fate follows from it, and every row from the fate before it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from breakrank.engine.codes import AS_CIVILIAN, FATES
from breakrank.force import Force
from breakrank.labels import OUTCOMES
from tests.engine.worlds import NO, Replicate, Row, rows

RECEIVED = (
    "lodged",
    "found no place",
    "moved on",
    "settled and works",
    "enlisted abroad",
    "stood down by the host",
    "ran to the border",
    "sent back by the host",
    "evicted from a site",
    "moved elsewhere by the authorities",
    "went back",
    "sent word home",
    "left a site for an offer",
)
"""What can befall anyone who crossed to the host."""
REGISTERED = ("asked for asylum", "granted asylum", "refused asylum", "got a permit", "expelled by the host")
"""What can befall whom the host has registered."""
BEFORE: Mapping[str, set[str]] = {
    "family shock": {"serving"},
    "confided": {"serving"},
    "reported": {"serving"},
    "arrested": {"serving", "resigned"},
    "ill-treated": {"detained", "imprisoned"},
    "released by a patron": {"detained"},
    "imprisoned": {"detained"},
    "set free after prison": {"imprisoned"},
    "died in custody": {"detained"},
    "deserted quietly": {"serving"},
    "left for the border": {"serving", "hiding", "resigned"},
    "resigned": {"serving"},
    "refused an order": {"serving"},
    "dismissed": {"detained"},
    "invited comrades": {"travelling"},
    "found his way shut": {"serving"},
    "captured on the way": {"travelling"},
    "shot on the way": {"travelling"},
    "crossed": {"travelling", "embassy"},
    "entered an embassy": {"travelling"},
    "slipped abroad unregistered": {"abroad"},
    "registered": {"abroad"},
    "declared for the challenger": {"declared", "serving"},  # serving: from a position of the high command
    "reprisal on relatives": set(FATES) - {"serving"},
    "caught in hiding": {"hiding"},
    "founded a plot": {"serving"},
    "approached someone for a plot": {"serving"},
    "joined a plot": {"serving"},
    "declined to join": {"serving"},
    "pledged to a plot": {"serving"},
    "overheard by a wiretap": {"serving"},
    "named under interrogation": {"serving"},
    "warned of a leak": {"serving"},
    "plot broken by arrests": {"detained", "imprisoned", "dead", "discharged"},
    "plot scattered": {"travelling", "hiding", "abroad", "registered", "declared", "embassy", "resigned"},
    "plot dissolved": set(FATES) - {"detained", "imprisoned", "dead", "discharged"},
    "plot launched": {"serving"},
    "joined an uprising with his unit": {"serving"},
    "followed into an uprising": {"serving"},
    "did not keep a pledge": {"serving"},
    "refused to march against an uprising": {"serving"},
    "uprising collapsed": {"serving"},
    "uprising held out, then ended": {"serving"},
    "uprising succeeded": {"serving"},
    "surrendered after an uprising": {"serving"},
    "returned to the regime's side": {"serving"},
    "joined a pact against the regime": {"serving"},
    "discharged in a purge": {"serving"},
    "regime fell": {"serving"},
    "sent across as an infiltrator": {"serving"},
    **{event: {"abroad", "registered", "declared"} for event in RECEIVED},
    **{event: {"registered", "declared"} for event in REGISTERED},
}
"""What a soldier can be when something befalls him."""

AFTER: Mapping[str, str] = {
    "arrested": "detained",
    "released by a patron": "serving",
    "imprisoned": "imprisoned",
    "set free after prison": "discharged",
    "died in custody": "dead",
    "deserted quietly": "hiding",
    "left for the border": "travelling",
    "crossed": "abroad",
    "entered an embassy": "embassy",
    "caught in hiding": "detained",
    "surrendered after an uprising": "detained",
    "discharged in a purge": "discharged",
    "resigned": "resigned",
    "refused an order": "resigned",
    "dismissed": "resigned",
    "declared for the challenger": "declared",
    "sent across as an infiltrator": "abroad",
}
"""What becomes of him, where the event alone says it."""
OPENLY = ("resigned", "refused an order", "dismissed")
"""What ends service at home, in the open."""
SETS_OUT: Mapping[str, float] = {"hiding": -1.0, "resigned": AS_CIVILIAN}
"""Value of setting out by what he was before; from his post the way in which he goes, 0 or more."""


def after(row: Row, fate: str, custody: bool, beside: bool) -> str:
    """Return what becomes of the soldier of a row of the log; `beside` if he was sent or resigned before."""
    _, soldier, event, _, other, value = row
    if event == "captured on the way":
        return "detained" if custody else "imprisoned"
    if event == "shot on the way":
        return "dead" if value == 1 else fate
    if event == "registered":
        return "declared" if other == soldier and not beside else "registered"
    if event == "expelled by the host":
        return ("abroad", "serving", "imprisoned")[int(value)]
    if event == "went back":
        return "imprisoned" if value else "hiding"
    return AFTER.get(event, fate)


@dataclass
class Replay:
    """What the log says: fates at dusk, and at most one way of leaving for each soldier."""

    fates: np.ndarray
    at_end: dict[int, str]
    exits: dict[str, np.ndarray] = field(default_factory=dict)
    outcome: dict[int, int] = field(default_factory=dict)


def outcome_of(row: Row) -> int:
    """Return the kind of leaving a row stands for: 0 quiet, 1 registered, 2 open, 3 resigned, -1 none.

    Who declares himself as he registers, was sent or resigned before, stands beside himself in the row.
    """
    _, soldier, event, _, other, value = row
    if event == "deserted quietly" or (event == "slipped abroad unregistered" and value == 1):
        return 0
    if event == "registered" and other != soldier:
        return 1
    if event in OPENLY[:2]:
        return 3
    return 2 if event == "declared for the challenger" else -1


def replay(replicate: Replicate, force: Force, days: int, custody: bool = True) -> Replay:
    """Walk through the log, asserting that each row can follow what came before."""
    fate = dict.fromkeys(force.identity.tolist(), "serving")
    position = {int(who): i for i, who in enumerate(force.identity)}
    found = Replay(np.zeros((days, len(FATES)), int), fate)
    ranks, branches = int(force.rank.max()) + 1, int(force.branch.max()) + 1
    found.exits = {
        "exits_rank": np.zeros((days, len(OUTCOMES), ranks), int),
        "exits_branch": np.zeros((days, len(OUTCOMES), branches), int),
    }
    log = rows(replicate)
    assert [row[0] for row in log] == sorted(row[0] for row in log)
    at, sent, openly = 0, set(), set()
    states, ways = len(force.labels.states), replicate.series["exits_route"].shape[1]
    for day in range(days):
        while at < len(log) and log[at][0] == day:
            row = log[at]
            at += 1
            _, soldier, event, place, other, value = row
            assert fate[soldier] in BEFORE[event], (row, fate[soldier])
            assert event not in WITH_SOMEBODY or fate[other] == "serving", (row, fate[other])
            assert event != "left for the border" or value == SETS_OUT.get(fate[soldier], max(value, 0))
            from_above = event == "declared for the challenger" and fate[soldier] == "serving"
            first, last = (states, states + ways) if event in PLACED else (states + ways, 10**6)
            somewhere = event in HOUSED or (event in PLACED and not from_above)
            assert first <= place < last if somewhere else place == -1, row
            if event == "sent across as an infiltrator":
                sent.add(soldier)
            if event in OPENLY:
                openly.add(soldier)
            fate[soldier] = after(row, fate[soldier], custody, soldier in sent | openly)
            if fate[soldier] == "serving":
                sent.discard(soldier)
            kind = outcome_of(row)
            if kind >= 0:
                assert soldier not in found.outcome, "nobody leaves in two ways"
                found.outcome[soldier] = kind
                i = position[soldier]
                found.exits["exits_rank"][day, kind, force.rank[i]] += 1
                found.exits["exits_branch"][day, kind, force.branch[i]] += 1
        values = list(fate.values())
        found.fates[day] = [values.count(name) for name in FATES]
    assert at == len(log), "a row beyond the run"
    assert all(row[4] == NO or row[4] in position for row in log)
    return found


WITH_SOMEBODY = {"confided", "reported", "approached someone for a plot", "joined a plot", "sent word home"}
"""Events after which the other one serves."""

PLACED = {
    "left for the border",
    "found his way shut",
    "captured on the way",
    "shot on the way",
    "crossed",
    "entered an embassy",
    "slipped abroad unregistered",
    "registered",
    "declared for the challenger",
    "sent across as an infiltrator",
}
"""Events that say which way."""

HOUSED = {"lodged", "evicted from a site", "moved elsewhere by the authorities", "left a site for an offer"}
"""Events that say at which site."""
