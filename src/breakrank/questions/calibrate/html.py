"""The report of a calibration as one HTML file that holds everything, loads nothing and runs nothing."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from breakrank.questions.calibrate.data import rows
from breakrank.questions.calibrate.drawings import CHARTS
from breakrank.show.grid import GridTable
from breakrank.show.html import Picture, Tile, asset, rendered
from breakrank.show.look import Look
from breakrank.show.style import PAGE
from breakrank.show.words import between, interval, span, way

if TYPE_CHECKING:
    from breakrank.questions.calibrate.data import CalibrationData


def render(found: CalibrationData) -> str:
    """Return the report of a calibration as an HTML page; the same calibration gives the same text."""
    about = found.about
    said = {
        "title": f"Calibration: {about['title']}",
        "made": f"{about['simulations']:,} simulations, seed {about['seed']}, {about['seconds']:,.0f} s",
        "tiles": _tiles(found),
        "verdict": found.verdict,
        "pictures": _pictures(found),
        "parameters": _parameters(found),
        "targets": _targets(found),
        "directions": _directions(found),
        "rounds": _rounds(found),
        "notes": _notes(found),
    }
    return rendered("calibration.html.j2", "plan.css", {"d": said}, more=asset("calibration.css"))


def _tiles(found: CalibrationData) -> tuple[Tile, ...]:
    about, targets = found.about, found.tables["targets"]
    informed = found.tables["parameters"].loc[list(found.informed)]
    inside = int(targets["inside"].astype(bool).sum())
    tiles = [
        Tile("parameters informed", f"{len(informed)} of {about['free']}", "on their own"),
        Tile("targets inside", f"{inside} of {len(targets)}", "90% of runs under the posterior"),
        Tile("interval widths", f"{targets['width_ratio'].median():.0%}", "of the prior's, median target"),
    ]
    if len(informed):
        tiles.append(Tile("coverage", f"{informed['coverage90'].mean():.0%}", "of 90% intervals, informed"))
    tiles.append(Tile("model cannot reach", f"{about['misfit']['posterior']['p']:.0%}", "lie further out"))
    return tuple(tiles)


def _pictures(found: CalibrationData) -> tuple[Picture, ...]:
    look = Look(PAGE, wide=780, still=True)
    made = (build(found, look) for build in CHARTS.values())
    return tuple(Picture.of(drawn, PAGE) for drawn in made if drawn is not None)


def _parameters(found: CalibrationData) -> GridTable:
    table = found.tables["parameters"].loc[list(found.informed)]
    heads = ("Parameter", "Unit", "Narrower", "Prior, median (90%)", "Posterior, median (90%)", "Coverage")
    told = [
        (
            str(r.id),
            str(r.unit),
            f"{r.contraction:.0%}",
            _spread(r.prior_median, r.prior_q05, r.prior_q95, ""),
            _spread(r.posterior_median, r.posterior_q05, r.posterior_q95, ""),
            f"{r.coverage90:.0%}",
        )
        for r in rows(table)
    ]
    return GridTable(heads, tuple(told), 2)


def _targets(found: CalibrationData) -> GridTable:
    prior, posterior = "Prior, median (90%)", "Posterior, median (90%)"
    heads = ("Target", "Date", "Record", prior, posterior, "Inside", "Chance", "Score")
    told = []
    for r in rows(found.tables["targets"]):
        unit = way(str(r.unit))
        told.append(
            (
                str(r.label),
                str(r.date),
                span(r.record_low, r.record_high, unit),
                _spread(r.prior_median, r.prior_q05, r.prior_q95, unit),
                _spread(r.posterior_median, r.posterior_q05, r.posterior_q95, unit),
                "yes" if r.inside else "no",
                "" if r.luck_share != r.luck_share else f"{r.luck_share:.0%}",
                f"{r.score:.2f} ({r.prior_score:.2f}) {r.score_kind}"
                + _curve(getattr(r, "curve_score", math.nan)),
            )
        )
    return GridTable(heads, tuple(told), 2)


def _curve(score: float) -> str:
    """Return the score of the naive forecast, where there is one: earlier versions did not make it."""
    return f"; curve {score:.2f}" if math.isfinite(score) else ""


def _directions(found: CalibrationData) -> GridTable:
    told = [(str(r.id), f"{r.explained:.0%}", str(r.mostly)) for r in rows(found.tables["directions"])]
    return GridTable(("Direction", "Explained", "Mostly made of"), tuple(told), 9)


def _rounds(found: CalibrationData) -> GridTable:
    heads = ("Round", "From", "Finished", "Failed", "Effective", "Neighbours")
    told = [
        (
            str(r.id),
            str(getattr(r, "from")),
            f"{r.finished:,}",
            f"{r.failed:,}",
            f"{r.effective:,.0f}",
            f"{r.neighbours:,.0f}",
        )
        for r in rows(found.tables["rounds"])
    ]
    return GridTable(heads, tuple(told), 2)


def _spread(middle: float, low: float, high: float, unit: str) -> str:
    return f"{between(middle, low, high, unit)} ({interval(low, high, unit)})"


def _notes(found: CalibrationData) -> tuple[str, ...]:
    about = found.about
    told = ", ".join(f"{name} {version}" for name, version in about["versions"].items())
    return (
        "Narrower: share of a parameter's prior variance that the record explains, on the scale on which the "
        "prior is standard normal. A parameter that is not informed individually may still depend on others "
        "along the directions below.",
        "Chance: share of an outcome's variance between two runs with the same parameters. "
        "Score: of the posterior, in brackets of the prior, 0 is best; CRPS on the scale of comparison, "
        "or Brier. Curve: score of a saturating curve through the earlier figures of the same count. It was "
        "not fitted to this figure; the posterior was.",
        "Coverage: how often the 90% interval held the truth in simulations with known parameters.",
        f"Made by: {about['command']}. {told}.",
        "Soldiers are synthetic; no figure is about a real person.",
    )
