"""The essence of Iraq in June 2014: two divisions in one governorate, and an army that stood elsewhere.

General knowledge, a tenth of the force. No event acts on anything: only where was fought, and who held what.
"""

from __future__ import annotations

from pathlib import Path

from breakrank import Case, load_case
from tests.mechanisms import files
from tests.new_cases import without_priors

NINEVEH, SALAHUDDIN, BAGHDAD, SOUTH = "XX-A", "XX-B", "XX-C", "XX-D"
FORCE = """
strength: {value: 19000, unit: persons, range: [15000, 25000],
  assumed: A tenth., stands_for: 190000}
branches:
  - {id: army, label: Army, strength: 15000, repression: 1.0, opportunity: 1.0, assumed: Known.}
  - {id: police, label: Federal police, strength: 4000, repression: 1.0, opportunity: 1.0, assumed: The same.}
regions:
  - {id: north, label: North, states: [XX-A, XX-B]}
  - {id: rest, label: Rest, states: [XX-C, XX-D]}
regions_basis: {assumed: Known.}
states:
  - {id: XX-A, label: Nineveh}
  - {id: XX-B, label: Salahuddin}
  - {id: XX-C, label: Baghdad}
  - {id: XX-D, label: South}
stations: {file: stations.csv, assumed: Known.}
formations: {size: 1000, unit: 100, assumed: Companies.}
"""
STATIONS = """state,branch,share
XX-A,army,0.14
XX-A,police,0.2
XX-B,army,0.16
XX-B,police,0.1
XX-C,army,0.4
XX-C,police,0.4
XX-D,army,0.3
XX-D,police,0.3
"""
CONTACT = """date,state,value
2014-04-30,*,0
2014-06-06,XX-A,0.3
2014-06-11,XX-A,0
2014-06-11,XX-B,0.3
2014-06-20,XX-B,0.1
"""
HELD = """date,state,value
2014-04-30,*,0
2014-06-06,XX-A,0.3
2014-06-09,XX-A,0.6
2014-06-10,XX-A,1
2014-06-11,XX-B,0.5
"""
ROUTES = """
roads:
  - {from: XX-A, to: XX-B, days: 0.5, checkpoints: 3}
  - {from: XX-B, to: XX-C, days: 0.4, checkpoints: 3}
  - {from: XX-C, to: XX-D, days: 0.6, checkpoints: 3}
roads_basis: {assumed: Known.}
crossings:
  - {id: khazir, label: Road to the next region, kind: road, state: XX-A, country: Neighbour, host: true,
     days: 0.3, capture: 0.02, violence: 0.01, hardship: 0.3, family: true, posted: false, assumed: Known.}
  - {id: groups, label: Armed groups, kind: group, state: XX-A, country: Montara, days: 0.2, capture: 0.05,
     violence: 0.05, hardship: 0.5, family: false, posted: false, assumed: Known.}
"""
PLACES = {NINEVEH: (43.1, 36.3), SALAHUDDIN: (43.7, 34.6), BAGHDAD: (44.4, 33.3), SOUTH: (47.8, 30.5)}
POINTS = {"khazir": (43.5, 36.3), "groups": (42.9, 36.0)}
FIELDS = """
contact: {unit: fraction, file: contact.csv, dims: [state], assumed: Chronology.}
held: {unit: fraction, file: held.csv, dims: [state], assumed: Chronology.}
"""
OWN = {
    **files.off_but("opposition", "war", "dissolution"),
    "war.surrender": -3.0,
    "decision.baseline_desert": 7.5,
    "dissolution.threat_weight": 6.0,
    "preference.opposed_at_start": 0.5,
    "preference.rank_loyalty": 0.1,
    "fear.punishment_slope": 0.05,
}
"""National facts, none of them a size of an event: who gave himself up was killed, officers above all; half
of the force would rather have been elsewhere; posts were bought, so that officers were not the more loyal;
nothing paid as the army did, so that who had no cause went home even more rarely than in other countries."""


def write_iraq(folder: Path) -> Path:
    """Write the case into a folder and return it."""
    without_priors(folder)
    files.change(folder, "case.yaml", "capital: XX-A", "capital: XX-C")
    files.calendar(folder, "2014-05-01", "2014-07-31")
    files.add(folder, {"case.yaml": f"mechanisms: [{files.EVERY}]\n", "fields.yaml": FIELDS})
    tables = {"stations.csv": STATIONS, "contact.csv": CONTACT, "held.csv": HELD}
    files.write(folder, {"force.yaml": FORCE + files.RANKS, "routes.yaml": ROUTES, **tables})
    files.empty(folder, "events", "sites", "payers", "targets", "counterfactuals", "command")
    files.start_on(folder, "2014-05-01", "2014-04-30")
    files.places(folder, {"state": PLACES, "crossing": POINTS}, keep=False)
    return folder


def iraq(folder: Path) -> Case:
    """Return the case."""
    return load_case(write_iraq(folder)).set(OWN)
