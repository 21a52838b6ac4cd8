"""Each mechanism can be off alone: the run works, its traces vanish, and before its first use no bit changes.

"Before any use" is bit for bit. For a mechanism that has a first use (a signal, an exit, a capture, a
confidence), the run ends on the day before it. One that weighs at every moment has none; there, all
its weights are set to nothing, and the two worlds have to be the same from the first day to the last.
"""

import datetime as dt
from collections.abc import Callable, Mapping

import numpy as np
import pytest

from breakrank.case import Case
from breakrank.engine.codes import EVENTS, OPTIONS
from breakrank.model import MECHANISMS, Model, catalogue
from tests.engine.hosts import hosting
from tests.engine.worlds import PLOTTING, Spy, assert_same_bits, busy, force_of, live, openly, spied

NAMES = tuple(m.name for m in MECHANISMS if f"{m.name}.on" in catalogue().parameters)


OTHERS_TOO = {"warned", "captured", "shot", "reneged", "pledged"}
"""Counts of a mechanism that another one adds to."""
HOSTED = ("reception", "asylum", "exile", "diaspora")
NO_PLOTS = {"plots.baseline_plan": 40, "plots.from_start": 0}
NO_REPORTS = {"counterintelligence.reluctance": 20, "counterintelligence.informers": 0}
PLOTS_AND_NO_PACTS = {
    **PLOTTING,
    "plots.from_start": 600,
    "detection.wiretaps": 3,
    "regime.purge": 0.5,
    "high_command.reluctance": 6,
}
SCENES: Mapping[str, Mapping[str, float]] = dict.fromkeys(NAMES, NO_PLOTS) | dict.fromkeys(
    ("regime", "plots", "detection", "uprising"), PLOTS_AND_NO_PACTS
)
SCENES = {**SCENES, "high_command": {**PLOTTING, "high_command.response": 12}}
"""What happens besides in the world in which a mechanism is switched off: nothing that hides its trace."""


def scene(name: str, strength: int) -> Case:
    """Return a world in which a mechanism has much to do."""
    if name == "decision":
        return openly(busy(strength).set({"decision.baseline_resign": 6}))
    return hosting(strength) if name in HOSTED else busy(strength).set(SCENES[name])


def chosen(spy: Spy) -> set[str]:
    """Return the options that a witness saw chosen."""
    return {OPTIONS[o] for seen in spy.all for o in np.unique(seen.moments.choice)}


def largest_terms(model: Model, spy: Spy) -> dict[str, float]:
    """Return the largest size each mechanism's terms ever had."""
    found: dict[str, float] = {}
    for row, term in enumerate(model.days.terms):
        name = term.name.split(".")[0]
        size = max(float(np.abs(seen.moments.terms[row]).max()) for seen in spy.all)
        found[name] = max(found.get(name, 0), size)
    return found


@pytest.mark.parametrize("name", NAMES)
def test_switched_off_alone_a_mechanism_leaves_no_trace(name: str) -> None:
    on = scene(name, 4_000)
    off = on.set({f"{name}.on": 0})
    (replicate, spy), (without, blind) = spied(on), spied(off)
    model = Model(off, force_of(off))
    mechanism = next(m for m in model.days.mechanisms if m.name == name)
    counts = [o.name for o in mechanism.outputs if o.events and o.name not in OTHERS_TOO]
    assert not counts or any(np.any(replicate.series[count]) for count in counts)
    assert not [count for count in counts if np.any(without.series[count])]
    options = {OPTIONS[o] for o, _ in mechanism.opens if isinstance(o, int)}
    assert options <= chosen(spy)
    assert not options & chosen(blind)
    assert largest_terms(model, blind).get(name, 0) == 0
    assert largest_terms(model, spy).get(name, 1) > 0
    assert [m.name for m in model.days.mechanisms if not m.on] == [name]
    lines = [line for line in model.plan().splitlines() if line.endswith("(switched off)")]
    assert {line.split()[0] for line in lines} <= {name}


def test_all_can_be_off_at_once() -> None:
    case = busy(500, **{f"{name}__on": 0 for name in NAMES})
    replicate, spy = spied(case)
    assert not replicate.events or not len(replicate.events["day"])
    assert not spy.all
    assert (replicate.series["fates"][:, 0] == 500).all()


def ended_before(case: Case, *events: str) -> Case:
    """Return the case ended on the day before any of the events first happens in it."""
    replicate = live(case)
    codes = [EVENTS.index(event) for event in events]
    first = int(replicate.events["day"][np.isin(replicate.events["event"], codes)].min())
    assert first > 5, "too early to say much"
    return case.until(case.calendar.start + dt.timedelta(first - 1))


def without_weights(scene: Mapping[str, float] | None = None, **values: float) -> Callable[[], Case]:
    return lambda: busy(3_000, **values).set(dict(scene or {}))


RARE: Mapping[str, float] = {"decision__baseline_leave": 15, "decision__baseline_desert": 9}
"""Rare departures, so that there are some weeks before the first."""


def before_any_departure() -> Case:
    # who reports would do so anyway, and without ways abroad nobody plans a crossing
    rare = RARE | {"belief__confide": 0}
    return ended_before(busy(1_000, **rare).set(NO_PLOTS), "deserted quietly", "left for the border")


def before_any_news() -> Case:
    rare = RARE | {"counterintelligence__informers": 0}
    news = ("deserted quietly", "crossed", "captured on the way", "arrested", "shot on the way")
    return ended_before(busy(1_000, **rare), *news, "reprisal on relatives")


def before_any_arrest() -> Case:
    quiet = {
        "belief__confide": 0,
        "counterintelligence__reprisals": 0,
        "counterintelligence__capture_rate": 0,
    }
    return ended_before(busy(1_000, **quiet, **RARE), "captured on the way")


def before_anyone_came() -> Case:
    return ended_before(busy(1_000, **RARE), "crossed")


def with_guests(**values: float) -> Callable[[], Case]:
    return lambda: hosting(2_000, "2019-02-28", **values)


def before_any_signal() -> Case:
    """Return the first two weeks, in which nobody has heard of a challenger or from abroad."""
    silent = [
        {
            "id": f"silent-{name}",
            "date": "2019-01-01",
            "title": "Nobody has heard of it",
            "assumed": "To see what the challenger changes before he appears.",
            "effects": [{"field": name, "op": "set", "value": 0, "until": "2019-01-14"}],
        }
        for name in ("credibility", "recognition", "host_reputation", "amnesty")
    ]
    return busy(3_000).with_events(silent).until("2019-01-14")


UNUSED: Mapping[str, Callable[[], Case]] = {
    "grievance": without_weights(
        grievance__hardship_weight=0, grievance__shock_rate=0, grievance__injury_weight=0
    ),
    "preference": without_weights(
        preference__weight=0, preference__rents_weight=0, preference__loyalty_weight=0
    ),
    "counterintelligence": before_any_arrest,
    "comrades": before_any_news,
    "belief": without_weights(belief__weight=0, belief__confide=0),
    "fear": without_weights(fear__risk_weight=0, fear__reprisal_weight=0, belief__confide=0),
    "challenger": before_any_signal,
    "opportunity": without_weights(opportunity__rate=0, opportunity__posting_reach=0, force__border_post=0),
    "decision": without_weights(NO_PLOTS, decision__baseline_desert=30, decision__baseline_leave=30),
    "routes": before_any_departure,
    "regime": without_weights(
        PLOTS_AND_NO_PACTS | {"regime.alarm_uprising": 0, "regime.pay_step": 0, "regime.purge": 0}
    ),
    "high_command": without_weights(PLOTTING | {"high_command.reluctance": 30}),
    "plots": without_weights(NO_PLOTS),
    # two reports say who leads a plot as two wiretaps do: nobody reports either
    "detection": without_weights(PLOTTING | {"detection.wiretaps": 0, "detection.chain": 0} | NO_REPORTS),
    "uprising": without_weights(PLOTTING | {"plots.baseline_plan": 40, "plots.from_start": 0}),
    "reception": before_anyone_came,
    "asylum": before_anyone_came,
    "exile": with_guests(
        exile__onward_kin=0,
        exile__onward_other=0,
        exile__settle=0,
        exile__return_rate=0,
        exile__willing=0,
        diaspora__contact=0,
        reception__tension_numbers=0,  # nobody is idle without exile
    ),
    "diaspora": with_guests(diaspora__weight=0, diaspora__contact=0),
}
"""A world in which each mechanism is there, and not used."""

BUT: Mapping[str, set[str]] = {
    "belief": {"opposed", "belief"},
    "high_command": {"command"},
    "uprising": {"regime_strength"},
    "exile": {"morale"},
    "diaspora": {"expected_treatment"},
}
"""What differs though nothing follows: public acts are heard and weigh nothing; loyal holders are counted;
how strong the regime is is told; those abroad lose heart; what is publicly expected is noted."""


@pytest.mark.parametrize("name", NAMES)
def test_before_any_use_a_mechanism_changes_no_bit(name: str) -> None:
    assert name in UNUSED, f"write into UNUSED a world in which {name} is there and not used"
    on = UNUSED[name]()
    off = on.set({f"{name}.on": 0})
    force = force_of(on)
    for seed in (1, 2) if on.calendar.days > 100 else (1,):
        one, other = live(on, force, seed), live(off, force, seed)
        assert_same_bits(one, other, but=BUT.get(name, ()))


def test_the_matrix_is_of_all_mechanisms() -> None:
    assert set(UNUSED) == set(NAMES)
    always = {m.name for m in MECHANISMS} - set(NAMES)
    assert always == {"opinion_survey"}, "a mechanism without a switch"
