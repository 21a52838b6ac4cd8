"""The essence of Yemen in March 2011: half of an army goes over by brigade, and its ground with it.

General knowledge of the order of events, a tenth of the force. No event says that any unit goes: crowds are
shot at on the 18th; on the 21st a general of the division is heard, who calls upon its commanders.
"""

from pathlib import Path

from breakrank import Case, load_case
from tests.mechanisms import files
from tests.new_cases import without_priors

CAPITAL, SOUTH = "XX-A", "XX-B"
FORCE = """
strength: {value: 6000, unit: persons, range: [5000, 8000], assumed: A tenth., stands_for: 60000}
branches:
  - {id: division, label: Armoured division, strength: 2500, repression: 0.3, opportunity: 1.0,
     assumed: Known.}
  - {id: guard, label: Guard, strength: 2500, repression: 1.0, opportunity: 1.0, assumed: Known.}
  - {id: line, label: Other brigades, strength: 1000, repression: 0.3, opportunity: 1.0, assumed: Known.}
regions:
  - {id: all, label: Country, states: [XX-A, XX-B]}
regions_basis: {assumed: Known.}
states:
  - {id: XX-A, label: Capital}
  - {id: XX-B, label: South}
stations: {file: stations.csv, assumed: Known.}
formations: {size: 500, unit: 50, assumed: Brigades of ten companies.}
"""
STATIONS = """state,branch,share
XX-A,division,0.8
XX-B,division,0.2
XX-A,guard,0.9
XX-B,guard,0.1
XX-A,line,0.2
XX-B,line,0.8
"""
ROUTES = """
roads:
  - {from: XX-A, to: XX-B, days: 1, checkpoints: 4}
roads_basis: {assumed: Known.}
crossings:
  - {id: border, label: Road to the neighbour, kind: road, state: XX-B, country: Neighbour, host: true,
     days: 0.5, capture: 0.1, violence: 0.02, hardship: 0.3, family: true, posted: false, assumed: Known.}
  - {id: square, label: The square, kind: area, state: XX-A, country: Montara, days: 0.1, capture: 0.05,
     violence: 0.05, hardship: 0.3, family: false, posted: false, assumed: Known.}
"""
PLACES = {CAPITAL: (44.2, 15.4), SOUTH: (45.0, 12.8)}
POINTS = {"border": (46.0, 13.0), "square": (44.2, 15.3)}
FIELDS = """
opinion: {unit: standard deviations, file: opinion.csv, dims: [state, branch],
  assumed: The division is its general's own.}
in_group: {unit: fraction, file: in_group.csv, dims: [branch],
  assumed: The guard is of the ruler's own people.}
"""
IN_GROUP = "date,branch,value\n2011-01-31,*,0.1\n2011-01-31,guard,0.9\n"
OPINION = "date,state,branch,value\n2011-01-31,*,*,0\n2011-01-31,*,division,1.5\n"
RENTS = "date,rank,value\n2011-01-31,enlisted,0\n2011-01-31,sergeant,0.05\n2011-01-31,officer,0.15\n"
WITHOUT_THE_GENERAL = """
- id: shooting
  date: 2011-03-18
  title: Crowds are shot at
  assumed: Sizes are not known.
  effects:
    - {field: revelation, op: add, value: 3, half_life: 30}
    - {field: protests, op: add, value: 10, half_life: 20}
    - {field: credibility, op: add, value: 0.4, half_life: 120}
"""
EVENTS = f"""{WITHOUT_THE_GENERAL}- id: general
  date: 2011-03-21
  title: A general of the division declares himself
  assumed: The same.
  effects:
    - {{field: credibility, op: add, value: 0.6, half_life: 120, branches: [division]}}
    - {{field: commanders_called, op: set, value: 0.5, branches: [division], until: 2011-03-25}}
"""
OWN = {
    **files.off_but("opposition", "cohesion", "composition", "local", "unit_defection"),
    "preference.opposed_at_start": 0.6,
    "preference.rank_loyalty": 0.1,
    "fear.punishment_slope": 0.05,
    "composition.attachment": 2.0,
    "composition.clustering": 0.3,
    "unit_defection.baseline": 12,
}
"""National facts: six in ten want another ruler, officers hardly less, the guard is tied to this one, and who
commands has risen under him, so that without cause he is a little less ready than elsewhere to go."""


def write_yemen(folder: Path) -> Path:
    """Write the case into a folder and return it."""
    without_priors(folder)
    files.calendar(folder, "2011-02-01", "2011-05-31")
    mechanisms = f"mechanisms: [{files.EVERY}]\n"
    files.add(folder, {"case.yaml": mechanisms, "fields.yaml": FIELDS})
    files.write(folder, {"force.yaml": FORCE + files.RANKS, "routes.yaml": ROUTES, "events.yaml": EVENTS})
    files.write(folder, {"stations.csv": STATIONS, "in_group.csv": IN_GROUP, "opinion.csv": OPINION})
    files.empty(folder, "sites", "payers", "targets", "counterfactuals", "command")
    files.start_on(folder, "2011-02-01", "2011-01-31")
    files.write(folder, {"rents.csv": RENTS})
    files.places(folder, {"state": PLACES, "crossing": POINTS}, keep=False)
    return folder


def settled(case: Case) -> Case:
    """Return the case with its own values, and psychology that no posterior of another country moves."""
    known = case.catalogue.parameters.items()
    typical = {name: declared.typical for name, declared in known if declared.scope == "psychological"}
    return case.set(typical | {k: v for k, v in OWN.items() if k in case.catalogue.parameters})


def yemen(folder: Path) -> Case:
    """Return the case."""
    return settled(load_case(write_yemen(folder)))
