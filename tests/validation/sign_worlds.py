"""The experiments behind the sign tests: what is varied, in which world, and what is counted.

``python -m tests.validation.sign_worlds SECTION`` runs those of a section and prints the tables that
``docs/explanation/signs.md`` shows; the sections are those of :data:`SECTIONS`.
"""

import math
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.report import markdown
from breakrank.case import Case
from breakrank.engine import codes
from breakrank.mechanisms.comrades import OPPOSED, Expectations, expected
from breakrank.mechanisms.plots import PlotsMechanism
from breakrank.mechanisms.preference import Preference, margins
from breakrank.model import build
from tests.mechanisms import files
from tests.validation.signs import Companies, Founder, Scene, by_whom, land, told

Numbers = NDArray[np.float64]

# Who leads (Singh 2014).

RISKY: Mapping[str, float] = {
    "plots.from_start": 0,
    "plots.baseline_plan": 40,
    "plots.planned_strength": 1,
    "plots.approaches": 60,
    "plots.baseline_join": 0,
    "decision.baseline_desert": 12,
    "decision.baseline_leave": 14,
    "fear.prior_mean": 0.1,
    "detection.wiretaps": 0.2,
    "preference.rents_weight": 0.5,
    "preference.rank_loyalty": 0.1,
    "belief.prior_mean": 0.4,
    "uprising.strength": 0.26,
    "uprising.strength_spread": 0.05,
    "uprising.loss": 0.5,
    "uprising.gain": 4,
}
"""One plot at a time, which recruits freely; a regime that is neither safe nor lost."""
LEADERS: Mapping[str, tuple[tuple[int, ...], bool | None]] = {
    "bottom: enlisted, sergeants, junior officers": ((0, 1, 2), None),
    "middle, without a unit": ((2, 3, 4), False),
    "middle: officers up to colonel who lead a unit": ((2, 3, 4), True),
    "top: generals": ((5,), None),
}
BOTTOM, STAFF, MIDDLE, TOP = LEADERS


@cache
def uprisings_led_by(who: str, strength: int = 3_000, forces: int = 4, runs: int = 40) -> tuple[int, int]:
    """Return how many launched uprisings succeeded, and how many were launched, over several forces."""
    tiers, leads = LEADERS[who]
    kind = type("Founded", (Founder,), {"tiers": tiers, "leads": leads})
    case = land(strength, "2019-03-02", RISKY)
    won = launched = 0
    for seed in range(1, forces + 1):
        scene = Scene(case, (kind, PlotsMechanism), force=build(case, seed))
        for number in range(runs):
            run = scene.live(number)
            launched += bool(told(run, codes.EV_LAUNCHED).any())
            won += bool(told(run, codes.EV_UPRISING_WON).any())
    return won, launched


# Who hides what he thinks (Makowsky and Rubin 2013).

SHOWN = (
    codes.EV_CONFIDED,
    codes.EV_FOUNDED,
    codes.EV_JOINED,
    codes.EV_ROSE,
    codes.EV_FOLLOWED,
    codes.EV_DESERTED,
    codes.EV_LEFT,
    codes.EV_DECLARED,
)
"""What shows others, by word or deed, that somebody is opposed."""


def centre(times: float) -> list[dict[str, object]]:
    """Return an event that changes surveillance from the second day on."""
    effects = [{"field": "surveillance", "op": "set", "value": times}]
    why = "To see what more eyes and ears do."
    return [{"id": "watch", "date": "2019-01-02", "title": "A watch", "assumed": why, "effects": effects}]


@cache
def hidden(
    ties: float = 1, informers: float = 1, watch: float = 1, confide: float = 0.15, runs: int = 10
) -> Numbers:
    """Return, by run, the share of the opposed who never showed it, and the gap of belief; (runs, 2).

    `ties`, `informers` and `watch` are relative to typical values. The gap is the share opposed less the
    share that soldiers believe opposed, among those still serving.
    """
    typical = {"force.comrades": 5.0, "force.classmates": 2.0, "force.kin": 0.3}
    values = {name: value * ties for name, value in typical.items()}
    values |= {"counterintelligence.informers": 0.03 * informers, "belief.confide": confide}
    scene = Scene(land(5_000, "2019-12-31", values).with_events(centre(watch)))
    found = []
    for number in range(runs):
        run = scene.live(number)
        opposed = margins(run) > 0
        never = opposed & ~by_whom(run, *SHOWN)
        serving = run.records.fate == codes.SERVING
        minds = run.view(Expectations)
        believed = [expected(minds, OPPOSED, run.day, i) for i in np.flatnonzero(serving)]
        gap = opposed[serving].mean() - np.mean(believed)
        found.append((never.sum() / opposed.sum(), gap))
    return np.array(found)


# What the press adds to a protest (Casper and Tyson 2014).

RESTLESS: Mapping[str, float] = {
    "plots.from_start": 200,
    "plots.baseline_plan": 12,
    "plots.approaches": 40,
    "plots.baseline_join": 2,
    "preference.rents_weight": 0.5,
    "preference.rank_loyalty": 0.1,
    "uprising.strength": 0.25,
    "uprising.loss": 1,
    "uprising.gain": 2,
}
"""Many small plots, and commanders who might join in."""
PROTEST = 45
"""First day of the protest, which lasts a fortnight."""
COUNTED = ("uprisings launched", "units that joined in", "people", "successes")


def told_by_a_press(case: Case, protest: bool, press: float, standing: float = 0.0) -> Case:
    """Return a case with a protest or without, as far as the press may tell of it (0 not at all, 1 freely).

    Whether or not anyone writes about it, units are ordered out. The press makes it a public call, and
    evidence of what others think; `standing` is what it tells of that all the time.
    """

    def event(name: str, date: str, effects: list[dict[str, Any]]) -> dict[str, Any]:
        return {"id": name, "date": date, "title": "Made up", "assumed": "A test.", "effects": effects}

    events = []
    if protest:
        last = {"until": "2019-02-28"}
        effects: list[dict[str, Any]] = [{"field": "protests", "op": "add", "value": 40, **last}]
        if press:
            effects.append({"field": "call", "op": "add", "value": 0.5 * press, **last})
            effects.append({"field": "revelation", "op": "add", "value": 6 * press, "half_life": 10})
        events.append(event("protest", "2019-02-15", effects))
    if standing:
        events.append(event("press", "2019-01-02", [{"field": "revelation", "op": "add", "value": standing}]))
    return case.with_events(events) if events else case


@cache
def after_a_protest(protest: bool, press: float, standing: float = 0.0, runs: int = 60) -> Numbers:
    """Return, by run, uprisings launched since the protest began, units that joined, people, successes."""
    case = told_by_a_press(land(5_000, "2019-03-31", RESTLESS), protest, press, standing)
    scene = Scene(case)
    found = []
    for number in range(runs):
        run = scene.live(number)
        b, n = run.records, run.records.cursor[0]
        since, value = b.day[:n] >= PROTEST, b.value[:n]
        ended = (
            told(run, codes.EV_UPRISING_COLLAPSED, codes.EV_UPRISING_STALEMATE, codes.EV_UPRISING_WON) & since
        )
        launched = told(run, codes.EV_LAUNCHED) & (value >= 1000) & since
        joined = told(run, codes.EV_ROSE) & (value > 0) & (value < 100) & since
        won = told(run, codes.EV_UPRISING_WON) & since
        found.append((launched.sum(), joined.sum(), value[ended].sum(), won.sum()))
    return np.array(found, float)


# Who serves with whom (McLauchlin 2015; Bearman 1991; Costa and Kahn 2003).

SERVICE: Mapping[str, float] = {"opportunity.rate": 6, "cohesion.sorting": 0}
LEAST_HABIT = 4.4
GROUPS = 8


@cache
def companies(norm: float, habit: float = LEAST_HABIT, runs: int = 40) -> tuple[Numbers, Numbers]:
    """Return desertion in two months by share of conscripts, and how much own status and company tell.

    First: per cent, by company (0, 1/4, 1/2, 3/4, all conscripts) and own status (volunteer, conscript,
    both); (5, 3). Second: log-odds that go with being a conscript and with a company of conscripts only,
    estimated together on each of :data:`GROUPS` groups of runs; (groups, 2).
    """
    values = SERVICE | {
        "cohesion.norm_weight": norm,
        "cohesion.solidarity_weight": 0,
        "decision.baseline_desert": habit,
    }
    scene = Scene(land(5_000, "2019-03-01", values, "cohesion"), (Companies, Preference))
    made = scene.the(Companies)
    seen = []
    for number in range(runs):
        run = scene.live(number)
        gone = by_whom(run, codes.EV_DESERTED, codes.EV_LEFT)
        seen.append(
            np.stack([made.conscript, made.share[scene.world.force.unit], gone], axis=1).astype(float)
        )
    own, share, gone = np.concatenate(seen).T
    table = np.full((5, 3), np.nan)
    for k in range(5):
        here = np.abs(share - k / 4) <= (0.0 if k in (0, 4) else 0.125)
        for j, of in enumerate((here & (own == 0), here & (own == 1), here)):
            table[k, j] = 100 * gone[of].mean() if of.any() else np.nan
    groups = [np.concatenate(seen[g::GROUPS]) for g in range(GROUPS)]
    return table, np.array([log_odds(x[:, :2], x[:, 2])[1:] for x in groups])


def log_odds(x: Numbers, y: Numbers) -> Numbers:
    """Return the constant and the coefficients of a logistic regression of y on the columns of x."""
    design = np.column_stack([np.ones(len(x)), x])
    found = np.zeros(design.shape[1])
    for _ in range(25):
        p = 1 / (1 + np.exp(-design @ found))
        found += np.linalg.solve(design.T @ (design * (p * (1 - p))[:, None]), design.T @ (y - p))
    return found


@cache
def solidarity(opposed: float, runs: int = 40) -> Numbers:
    """Return, by run, how many more leave (of 10,000) when units of one mind stand together than when not."""
    gone = []
    for weight in (0.0, 2.0):
        values = {
            "preference.opposed_at_start": opposed,
            "cohesion.sorting": 0.6,
            "cohesion.norm_weight": 0,
            "cohesion.solidarity_weight": weight,
            "decision.baseline_desert": 4,
            "opportunity.rate": 6,
        }
        values |= files.off_but("cohesion")
        scene = Scene(land(5_000, "2019-03-01", values, *files.EVERY.split(", ")))
        lives = (by_whom(scene.live(n), codes.EV_DESERTED, codes.EV_LEFT) for n in range(runs))
        gone.append([1e4 * went.mean() for went in lives])
    return np.array(gone[1]) - np.array(gone[0])


# The tables of the documentation.


def mean(values: Numbers, digits: int = 2) -> str:
    """Return a mean with its standard error."""
    return f"{values.mean():.{digits}f} ± {values.std(ddof=1) / math.sqrt(len(values)):.{digits}f}"


def leaders() -> Iterator[str]:
    """Yield the tables of success by who leads, one for each size of the force."""
    for strength in (3_000, 12_000):
        found = {who: uprisings_led_by(who, strength) for who in LEADERS}
        rows = [(who, str(all_), str(won), f"{won / all_:.2f}") for who, (won, all_) in found.items()]
        yield markdown((f"founder, force of {strength:,}", "launched", "succeeded", "share"), rows)


def opinions() -> Iterator[str]:
    """Yield the table of who hides their opinion."""
    changes: Mapping[str, Mapping[str, float]] = {
        "a tenth of the ties": {"ties": 0.1},
        "three tenths of the ties": {"ties": 0.3},
        "typical (6.3 ties a soldier)": {},
        "three times the ties": {"ties": 3},
        "nobody confides, a tenth of the ties": {"ties": 0.1, "confide": 0},
        "nobody confides": {"confide": 0},
        "four times the informers": {"informers": 4},
        "four times the surveillance": {"watch": 4},
        "four times both": {"informers": 4, "watch": 4},
    }
    rows = [(name, *(mean(x, 3) for x in hidden(**change).T)) for name, change in changes.items()]
    yield markdown(("change", "never showed it", "gap of belief"), rows)


def press() -> Iterator[str]:
    """Yield the table of what the press adds to a protest."""
    changes = {
        "no protest": (False, 0.0, 0.0),
        "protest, no press": (True, 0.0, 0.0),
        "protest, press 0.25": (True, 0.25, 0.0),
        "protest, press 0.5": (True, 0.5, 0.0),
        "protest, press 1": (True, 1.0, 0.0),
        "no protest, others' views known": (False, 0.0, 6.0),
        "protest, press 0.25, others' views known": (True, 0.25, 6.0),
    }
    digits = (2, 1, 0, 2)
    rows = [
        (name, *(mean(x, n) for x, n in zip(after_a_protest(*change).T, digits, strict=True)))
        for name, change in changes.items()
    ]
    yield markdown(("change", *COUNTED), rows)


def units() -> Iterator[str]:
    """Yield the tables of desertion by company, without cohesion and with it, and of units of one mind."""
    shares = ("none", "a quarter", "half", "three quarters", "all")
    for norm in (0.0, 1.7):
        rates, weights = companies(norm)
        rows = [
            (share, *("" if np.isnan(x) else f"{x:.2f}" for x in row))
            for share, row in zip(shares, rates, strict=True)
        ]
        table = markdown(("conscripts in the company", "volunteers", "conscripts", "all"), rows)
        own, company = (mean(column) for column in weights.T)
        yield f"{table}\n\nIn log-odds: own status {own}, company {company}."
    yield markdown(
        ("opposed at the start", "difference"), [(str(x), mean(solidarity(x), 1)) for x in (0.2, 0.8)]
    )


SECTIONS: Mapping[str, Callable[[], Iterator[str]]] = {
    "leaders": leaders,
    "opinions": opinions,
    "press": press,
    "units": units,
}
"""What can be printed, by name: tables of the page on signs, with an empty line between them."""


if __name__ == "__main__":
    for section in sys.argv[1:] or SECTIONS:
        sys.stdout.write("\n\n".join(SECTIONS[section]()) + "\n\n")
