"""A small country at war in which everything happens that a civil war may bring, over two years.

Invented: an army and a guard under a command each in the same region, a police with ranks and counters of its
own, an opposition with land, a band and a register, two hosts with a register and a camp each, and a region
under another authority. Values are the template's.
"""

import re
from pathlib import Path

from tests.mechanisms import files
from tests.mechanisms.civil_war import write_civil_war

FORCE = """
strength: {value: 6000, unit: persons, range: [5000, 8000], assumed: Invented.}
branches:
  - {id: army, label: Army, strength: 3500, repression: 0.4, opportunity: 1.0, assumed: Invented.}
  - {id: guard, label: Guard, strength: 1500, repression: 1.0, opportunity: 0.6, assumed: Invented.}
  - {id: police, label: Police, strength: 1000, repression: 0.6, opportunity: 2.0, assumed: Invented.}
ranks:
  - {id: enlisted, label: Enlisted, tier: 0, share: {army: 0.72, guard: 0.7, police: 0}, leads: 0,
     years: [0, 4], school: "", assumed: Invented.}
  - {id: constable, label: Constables, tier: 0, share: {army: 0, guard: 0, police: 0.9}, leads: 0,
     years: [0, 20], school: "", assumed: Invented.}
  - {id: sergeant, label: Sergeants, tier: 1, share: {army: 0.22, guard: 0.22, police: 0}, leads: 10,
     years: [3, 20], school: nco, assumed: Invented.}
  - {id: officer, label: Officers, tier: 3, share: {army: 0.06, guard: 0.08, police: 0}, leads: 100,
     years: [4, 30], school: officer, assumed: Invented.}
  - {id: inspector, label: Inspectors, tier: 3, share: {army: 0, guard: 0, police: 0.1}, leads: 20,
     years: [4, 30], school: officer, assumed: Invented.}
regions:
  - {id: centre, label: Central region, states: [XX-A, XX-C]}
  - {id: border, label: Border region, states: [XX-B]}
regions_basis: {assumed: Invented.}
states:
  - {id: XX-A, label: Capital}
  - {id: XX-B, label: Border state}
  - {id: XX-C, label: Coast}
stations: {file: stations.csv, assumed: Invented.}
formations: {size: 500, unit: 50, assumed: Invented.}
"""
STATIONS = "state,branch,share\n" + "".join(
    f"{state},{branch},{share}\n"
    for branch, shares in {
        "army": (0.4, 0.3, 0.3),
        "guard": (0.3, 0.5, 0.2),
        "police": (0.5, 0.2, 0.3),
    }.items()
    for state, share in zip(("XX-A", "XX-B", "XX-C"), shares, strict=True)
)
COMMAND = """
- {id: army-centre, label: Army of the centre, weight: 0.3, branch: army, region: centre, capital: true,
   rents: 1.0, assumed: Invented.}
- {id: guard-centre, label: Guard of the centre, weight: 0.3, branch: guard, region: centre, capital: true,
   rents: 0.9, assumed: Invented.}
- {id: police-chief, label: Chief of police, weight: 0.2, branch: police, capital: true, rents: 0.7,
   assumed: Invented.}
"""
WAYS = """
  - {id: south-pass, label: South pass, kind: road, state: XX-C, country: Sudmark, host: true, days: 0.5,
     capture: 0.05, violence: 0.01, hardship: 0.3, family: true, posted: false, assumed: Invented.}
  - {id: police-boat, label: Police boat, kind: sea, state: XX-C, country: Sudmark, host: true, days: 0.5,
     capture: 0.02, violence: 0, hardship: 0.1, family: true, posted: false,
     ranks: [constable, inspector], assumed: Invented.}
  - {id: hill-region, label: Hill region, kind: region, state: XX-A, country: Montara, host: true, days: 0.6,
     capture: 0.05, violence: 0.01, hardship: 0.4, family: true, posted: false, assumed: Invented.}
  - {id: list-later, label: List kept later, kind: register, state: XX-A, country: Montara, days: 0.1,
     capture: 0, violence: 0, hardship: 0, family: false, posted: false, later: true, assumed: Invented.,
     schedule: [{from: 2025-01-01, to: 2025-07-31, open: false, assumed: Not kept yet.}]}
"""
SITES = """
- id: south-camp
  label: South camp
  kind: tents
  place: south-pass
  country: Sudmark
  capacity: 40
  opens: 2025-01-01
  admits: anyone
  rules: {hours_out: 24, work: true, guard: false}
  rations_per_day: 2
  cost_per_person_day: {value: 4, unit: US dollars per person and day}
  payers: {parish: 1}
  assumed: Invented.
"""
WAR = {
    "contact": "date,state,value\n2024-12-31,*,0.05\n2025-06-01,XX-C,0.3\n2025-09-01,XX-C,0.02\n",
    "held": "date,state,value\n2024-12-31,*,0\n2025-03-01,XX-B,0.3\n2025-06-01,XX-C,0.5\n2025-08-01,XX-C,1\n"
    "2026-03-01,XX-B,0.1\n",
    "opinion": "date,state,branch,value\n2024-12-31,*,*,0\n2024-12-31,XX-C,army,0.5\n",
    "retaken": "date,state,value\n2024-12-31,*,0\n2025-05-01,XX-A,0.01\n",
    "in_group": "date,branch,rank,value\n2024-12-31,*,*,0.2\n2024-12-31,guard,*,0.7\n",
    "register": "date,route,value\n2024-12-31,*,0\n2025-02-15,old-bridge,1\n2025-02-15,hill-trail,1\n"
    "2025-07-01,south-pass,1\n2025-07-01,police-boat,1\n",
}
FIELDS = """
contact: {unit: fraction, file: contact.csv, dims: [state], assumed: Invented.}
held: {unit: fraction, file: held.csv, dims: [state], assumed: Invented.}
call_up: {unit: fraction per day, value: 0.01, assumed: Invented.}
in_group: {unit: fraction, file: in_group.csv, dims: [branch, rank], assumed: Invented.}
units_retaken: {unit: probability per day, file: retaken.csv, dims: [state], assumed: Invented.}
opinion: {unit: standard deviations, file: opinion.csv, dims: [state, branch], assumed: Invented.}
register: {unit: switch, file: register.csv, dims: [route], assumed: Invented.}
"""
EVENTS = """
- id: war
  date: 2024-12-20
  title: War breaks out
  assumed: Invented.
  effects:
    - {field: revelation, op: add, value: 2, half_life: 60}
    - {field: credibility, op: add, value: 0.3, half_life: 200}
- id: officers-call
  date: 2025-02-20
  title: Officers who went over call upon the commanders of the army
  assumed: Invented.
  effects:
    - {field: commanders_called, op: set, value: 0.2, branches: [army], until: 2025-03-05}
- id: coast-watched
  date: 2025-04-01
  title: The coast is searched
  assumed: Invented.
  effects:
    - {field: surveillance, op: multiply, value: 3, states: [XX-C], until: 2025-06-30}
- id: reception
  date: 2025-02-15
  title: The neighbours start to register
  assumed: Invented.
  effects:
    - {field: registration, op: set, value: 1}
- id: police-strike
  date: 2025-10-01
  title: The police strikes
  assumed: Invented.
  effects:
    - {field: errands, op: multiply, value: 20, branches: [police], until: 2025-10-05}
"""
COUNTERFACTUALS = """
- id: no-dissolution
  title: No dissolution
  question: How much of the collapse on the coast is that units came apart?
  set: {dissolution.on: 0}
- id: no-war
  title: No war
  question: Who would have left without a war?
  set: {war.on: 0}
"""
TARGETS = """
- id: police-over
  label: Police who went over by the end of 2025
  measure: left
  date: 2025-12-31
  by: {branch: police}
  unit: soldiers
  range: [0, 400]
  assumed: Invented.
- id: southern-register
  label: On the register of the south by mid-2026
  measure: on_register
  date: 2026-06-30
  by: {route: [south-pass, police-boat]}
  unit: soldiers
  range: [0, 400]
  assumed: Invented.
"""
POINTS = {
    "south-pass": (9.0, 19.6),
    "police-boat": (8.9, 19.7),
    "hill-region": (10.2, 20.4),
    "list-later": (10.0, 20.06),
}
EASY = {
    "decision.baseline_leave": 5.5,
    "decision.baseline_desert": 6,
    "war.reserve": 0.1,
    "war.lost_posts": 0.05,
}
"""Values under which a force of this size shows everything."""


def write_whole_war(folder: Path) -> Path:
    """Write the case into a folder and return it."""
    write_civil_war(folder)
    files.calendar(folder, "2025-01-01", "2026-12-31")
    fields = re.sub(r"(?m)^(contact|held|call_up|in_group):.*\n", "", files.read(folder, "fields.yaml"))
    about = re.sub(r"(?m)^mechanisms:.*$", f"mechanisms: [{files.EVERY}]", files.read(folder, "case.yaml"))
    files.write(folder, {"case.yaml": about, "fields.yaml": fields.rstrip() + FIELDS})
    files.write(folder, {f"{name}.csv": text for name, text in WAR.items()})
    for name, top in {"pay": (60, 100, 180), "rents": (0, 0.1, 0.5)}.items():
        rows = dict(zip(("enlisted", "sergeant", "officer"), top, strict=True))
        rows |= {"constable": top[0], "inspector": top[2]}
        table = "date,rank,value\n" + "".join(f"2024-12-31,{r},{v}\n" for r, v in rows.items())
        files.write(folder, {f"{name}.csv": table})
    files.write(folder, {"force.yaml": FORCE, "stations.csv": STATIONS, "command.yaml": COMMAND})
    questions = {"targets.yaml": TARGETS, "counterfactuals.yaml": COUNTERFACTUALS}
    files.write(folder, {"events.yaml": EVENTS, **questions})
    files.add(folder, {"routes.yaml": WAYS, "sites.yaml": SITES})
    files.places(folder, {"crossing": POINTS})
    return folder
