"""The template's country with an opposition in it, a war, and a group that the regime rests on."""

from pathlib import Path

from breakrank import Case, load_case
from tests.mechanisms import files
from tests.new_cases import without_priors

PLACES = {"free-coast": (9.1, 20.1), "hill-band": (10.1, 20.2), "hotline": (10.0, 20.05)}
ROUTES = """
  - {id: free-coast, label: Free coast, kind: area, state: XX-C, country: Montara, days: 0.3, capture: 0.05,
     violence: 0.02, hardship: 0.2, family: true, posted: false, assumed: Invented.,
     schedule: [{from: 2025-01-01, to: 2025-01-31, open: false, assumed: Not held yet.},
                {from: 2025-05-01, to: 2025-06-30, open: false, assumed: Lost again.}]}
  - {id: hill-band, label: Hill band, kind: group, state: XX-A, country: Montara, capacity: 12, days: 0.5,
     capture: 0.05, violence: 0.05, hardship: 0.5, family: false, posted: false, assumed: Invented.}
  - {id: hotline, label: Hotline, kind: register, state: XX-A, country: Montara, days: 0.1, capture: 0.02,
     violence: 0, hardship: 0, family: false, posted: false, assumed: Invented.}
"""
FIELDS = """
contact: {unit: fraction, value: 0.1, assumed: Invented.}
held: {unit: fraction, file: held.csv, dims: [state], assumed: Invented.}
call_up: {unit: fraction per day, value: 0.02, assumed: Invented.}
in_group: {unit: fraction, value: 0.3, assumed: Invented.}
"""
HELD = (
    "date,state,value\n2025-01-01,*,0\n2025-02-01,XX-C,1\n2025-02-01,XX-B,0.4\n"
    "2025-05-01,XX-B,0\n2025-05-01,XX-C,0\n"
)
EASY = {
    "decision.baseline_leave": 5,
    "decision.baseline_desert": 6,
    "preference.opposed_at_start": 0.7,
    "war.reserve": 0.2,
    "war.deaths": 0.004,
    "war.lost_posts": 0.2,
}
"""Values under which in a force of 5,000 all of it happens in half a year."""


def write_civil_war(folder: Path) -> Path:
    """Write the case into a folder and return it."""
    without_priors(folder)
    more = {"case.yaml": "mechanisms: [opposition, war, cohesion, composition]\n", "routes.yaml": ROUTES}
    files.add(folder, {**more, "fields.yaml": FIELDS})
    files.write(folder, {"held.csv": HELD})
    files.places(folder, {"crossing": PLACES})
    return folder


def civil_war(folder: Path) -> Case:
    """Return the case, under values with which all of it happens."""
    return load_case(write_civil_war(folder)).set(EASY)
