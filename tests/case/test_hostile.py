"""Every malformed folder gives one clear CaseError, at once, and leaves nothing behind."""

import pickle
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from breakrank.case import load_case
from breakrank.case.content import read_folder
from breakrank.errors import CaseError
from breakrank.spec import Catalogue
from tests.case.conftest import edit, line_of


@dataclass(frozen=True)
class Hostile:
    """One way to spoil a case.

    `do` spoils the folder; the error blames `file`, the last line of it that holds `on`
    (``None``: no matter which), and `key` (a part of it), and its text holds every one of `says`.
    """

    name: str
    file: str
    do: Callable[[Path], object]
    says: tuple[str, ...]
    on: str | None = None
    key: str | None = None


def swap(
    name: str,
    file: str,
    old: str,
    new: str,
    *says: str,
    on: str | None = None,
    key: str | None = None,
    blames: str = "",
) -> Hostile:
    """Replace a text of a file; the line blamed is by default the first of the new text."""
    if on == "the new text":
        on = new.strip().splitlines()[0] if not blames else None
    return Hostile(name, blames or file, lambda folder: edit(folder, file, old, new), says, on, key)


def whole(name: str, file: str, content: str | bytes, *says: str, on: str | None = None) -> Hostile:
    """Replace all of a file."""

    def do(folder: Path) -> None:
        (folder / file).write_bytes(content if isinstance(content, bytes) else content.encode())

    return Hostile(name, file, do, says, on)


def put_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def put_link(path: Path) -> None:
    elsewhere = path.parent.parent / f"elsewhere-{path.name}"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)


def put_pipe(path: Path) -> None:
    import os

    path.unlink()
    os.mkfifo(path)


STRUCTURE = [
    Hostile("no case.yaml", "case.yaml", lambda f: (f / "case.yaml").unlink(), ("missing",)),
    Hostile("events file misspelt", "events.yaml", lambda f: (f / "events.yaml").rename(f / "event.yaml"),
            ("missing", "did you mean 'event.yaml'?")),
    Hostile("a folder in place of a file", "sites.yaml", lambda f: put_folder(f / "sites.yaml"), ("folder",)),
    Hostile("a link in place of a file", "sites.yaml", lambda f: put_link(f / "sites.yaml"), ("link",)),
    Hostile("a pipe in place of a file", "sites.yaml", lambda f: put_pipe(f / "sites.yaml"),
            ("not a regular file",)),
    whole("an empty file", "events.yaml", "", "empty", "[]"),
    whole("comments only", "events.yaml", "# nothing\n", "nothing but comments"),
    whole("not UTF-8", "case.yaml", b"# one\n# two\ntitle: caf\xe9\n", "UTF-8"),
    whole("too large", "events.yaml", b"# " + b"x" * (5 * 1024 * 1024), "5 MB"),
    whole("a NUL", "events.yaml", "- id: a\x00b\n", "#x0000", on="- id"),
    whole("a list where a mapping belongs", "case.yaml", "- a\n", "a list", "a mapping"),
]  # fmt: skip
YAML = [
    swap("broken indentation", "case.yaml", "country: Montara", "  country: Montara", "not valid YAML",
         on="country:"),
    swap("a tab", "case.yaml", "country: Montara", "\tcountry: Montara", "not valid YAML", "tabs"),
    swap("an open quote", "targets.yaml", "label: Registered", 'label: "Registered', "not valid YAML"),
    swap("a tag", "case.yaml", "country: Montara", "country: !!python/name:os.system Montara", "the tag"),
    swap("an anchor", "case.yaml", "country: Montara", "country: &here Montara", "the anchor &here"),
    swap("an alias", "case.yaml", "country: Montara", "country: *here", "the alias *here",
         "Write the value out"),
    swap("a key twice", "case.yaml", "country: Montara", "country: Montara\ncountry: Norlund", "twice",
         on="Norlund"),
    swap("a second document", "case.yaml", "country: Montara", "---\ncountry: Montara", "second document",
         on="---"),
    whole("nested too deep", "events.yaml", "[" * 30 + "]" * 30 + "\n", "nested more than 20 levels"),
    whole("a deep bomb", "events.yaml", "[" * 100_000, "nested more than 20 levels"),
    swap("an escape to the terminal", "case.yaml", "country: Montara", r'country: "\e[2J"', "#x001b"),
    swap("a turn of direction", "case.yaml", "country: Montara", 'country: "M\u202eontara"', "#x202e"),
    swap("an endless key", "case.yaml", "country: Montara", "? " + "x" * 5000 + "\n: y", "5,000 characters"),
    swap("null", "case.yaml", "country: Montara", "country: null", "nothing (null)", key="country"),
    swap("not a number", "force.yaml", "repression: 0.2", "repression: .nan", "finite", key="repression"),
    swap("a huge exponent", "force.yaml", "repression: 0.2", "repression: 1e999", "larger than any number"),
    swap("a huge integer", "force.yaml", "value: 5000", "value: " + "9" * 5000, "5000 digits"),
    swap("values without end", "case.yaml", "authors: [Name", "authors: [" + "1, " * 200_000 + "Name",
         "more than 200,000"),
]  # fmt: skip
JSON = [
    swap("no comma", "places.geojson", '"FeatureCollection",', '"FeatureCollection"', "not valid JSON",
         on='"features"'),
    swap("latitude first", "places.geojson", "[11.5, 20.6]", "[20.6, 111.5]", "out of range", "at most 90"),
    swap("a line for a point", "places.geojson", '"type": "Point"', '"type": "LineString"', "'LineString'",
         "Point"),
    swap("an unknown property", "places.geojson", '"label": "Coast"', '"lable": "Coast"',
         "did you mean 'label'?"),
    swap("a place twice", "places.geojson", '"station-hotel"', '"old-bridge"', "'old-bridge' is there twice",
         key="feature"),
    whole("a bomb of brackets", "places.geojson", "[" * 200_000, "nested more than 20 levels"),
    whole("values without end in JSON", "places.geojson", "[" + "1," * 200_000 + "1]",
          "more than 200,000 values"),
]  # fmt: skip
SCHEMA = [
    swap("unknown key", "case.yaml", "country: Montara", "contry: Montara", "'contry'", "mean 'country'?",
         key="contry"),
    swap("missing key", "case.yaml", "country: Montara\n", "", "'country' is missing", "name of the country"),
    swap("other version", "case.yaml", "breakrank: 2 ", "breakrank: 3 ", "the number 3", "2"),
    swap("text for a number", "force.yaml", "repression: 0.2", "repression: '0.2'", "the text '0.2'",
         "a number"),
    swap("yes for true", "routes.yaml", "host: true", "host: yes", "the text 'yes'", "true or false"),
    swap("empty list", "case.yaml", "authors: [Name the authors here]", "authors: []", "no items"),
    swap("endless text", "case.yaml", "country: Montara", "country: " + "x" * 400, "400 characters",
         "at most 300"),
    swap("case id with capitals", "case.yaml", "id: montara", "id: Mon tara", "'Mon tara'",
         "cannot be used as a name"),
    swap("unknown kind", "routes.yaml", "kind: bridge", "kind: brigde", "did you mean 'bridge'?",
         key="old-bridge"),
    swap("above its limit", "routes.yaml", "capture: 0.05", "capture: 1.05", "out of range", "at most 1"),
    swap("impossible date", "case.yaml", "start: 2025-01-01", "start: 2025-02-30", "not a date",
         key="calendar.start"),
    swap("calendar backwards", "case.yaml", "end: 2025-06-30", "end: 2024-06-30", "before it starts"),
    swap("range backwards", "force.yaml", "range: [4000, 7000]", "range: [7000, 4000]", "wrong way round"),
    swap("no parent", "force.yaml", "    assumed: Invented; the army stands behind the guard.\n", "",
         "neither evidence"),
    swap("unit beyond formation", "force.yaml", "unit: 100  ", "unit: 5000  ", "larger than a formation"),
    swap("two figures", "targets.yaml", "at_most: 10", "at_most: 10\n  value: 3", "more than one figure",
         on="at_most"),
    swap("against a part, and no part", "targets.yaml", "range: [5, 60]",
         "range: [5, 60]\n  against: {rank: officer}", "of what part it is", on="against"),
    swap("a bound with another beside it", "targets.yaml", "at_most: 10",
         "at_most: 10\n  conflicting: [registered-april]", "has no other beside it", on="conflicting"),
    swap("counted backwards", "targets.yaml", "at_most: 10", "at_most: 10\n  from: 2025-12-01",
         "after its date", on="from:"),
    swap("observed nothing", "evidence/observations.yaml", "  value: 5000\n", "", "nothing observed",
         on="id: strength-min"),
    swap("a dimension twice", "fields.yaml", "dims: [rank]", "dims: [rank, rank]", "named twice"),
    swap("shares of nobody", "force.yaml", "share: 0.25", "share: {}", "no branch is named"),
]  # fmt: skip
TABLES = [
    swap("a table elsewhere", "force.yaml", "file: stations.csv", "file: ../stations.csv",
         "inside the case folder"),
    swap("a hidden climb", "force.yaml", "file: stations.csv", "file: evidence/../../x.csv",
         "inside the case folder"),
    swap("a missing table", "force.yaml", "file: stations.csv", "file: station.csv",
         "did you mean 'stations.csv'?"),
    Hostile("a linked table", "pay.csv", lambda f: put_link(f / "pay.csv"), ("link",)),
    swap("another header", "pay.csv", "date,rank,value", "date,rang,value", "unknown column 'rang'",
         "'rank'?"),
    swap("a short row", "pay.csv", "2025-01-01,sergeant,100", "2025-01-01,sergeant", "2 cells"),
    swap("nan as value", "pay.csv", "sergeant,100", "sergeant,nan", "'nan' is not a number"),
    swap("an unknown rank", "pay.csv", "sergeant", "sargent",
         "unknown rank 'sargent', did you mean 'sergeant'?"),
    swap("a row twice", "pay.csv", "officer", "sergeant", "there twice (first on line 3)"),
    swap("a rank without rows", "pay.csv", "2025-01-01,officer,180\n", "", "no row for officer", on="date,"),
    whole("an open quote in a table", "pay.csv", 'date,rank,value\n2025-01-01,"officer,1\n',
          "not a valid table"),
    swap("an endless cell", "pay.csv", "sergeant,100", "sergeant," + "1" * 300, "too long"),
    whole("a table without end", "pay.csv", "date,rank,value\n" + "2025-01-01,*,1\n" * 100_001,
          "more than 100,000 rows"),
    Hostile("a dimension that the field lacks", "fields.yaml",
            lambda f: (
                edit(f, "fields.yaml", "dims: [rank]", "dims: [state]"),
                (f / "pay.csv").write_text("date,state,value\n2025-01-01,*,1\n"),
            ), ("no dimension 'state'", "Its dimensions: rank"), "dims: [state]", "pay.dims"),
]  # fmt: skip
REFERENCES = [
    swap("unknown capital", "case.yaml", "capital: XX-A", "capital: XX-D", "unknown state 'XX-D'",
         "XX-A, XX-B, XX-C"),
    swap("a route that leads home", "routes.yaml", "country: Norlund", "country: montara",
         "'montara', the country of the case itself", on="the new text"),
    swap("a state in two regions", "force.yaml", "states: [XX-B]}", "states: [XX-B, XX-C]}",
         "in two regions"),
    swap("a state in no region", "force.yaml", "states: [XX-A, XX-C]}", "states: [XX-A]}", "in no region",
         on="label: Coast"),
    swap("a road to itself", "routes.yaml", "from: XX-A, to: XX-C", "from: XX-C, to: XX-C", "itself"),
    swap("a crossing off the map", "places.geojson", '"hill-trail"', '"hill-trial"', "no point 'hill-trail'",
         "did you mean 'hill-trial'?", blames="routes.yaml", on="id: hill-trail"),
    swap("unknown field of an event", "events.yaml", "field: scarcity", "field: scarcty",
         "did you mean 'scarcity'?", key="shortage.effects[0].field"),
    swap("an effect without dimension", "events.yaml", "field: scarcity, op: add, value: 0.2",
         "field: scarcity, op: add, value: 0.2, states: [XX-A]", "does not differ by state"),
    swap("unknown observation", "routes.yaml", "[bridge-closed]", "[bridge-close]",
         "did you mean 'bridge-closed'?"),
    swap("one-sided conflict", "evidence/observations.yaml", "  conflicts: [strength-ministry]\n", "",
         "does not say so", on="conflicts: [strength-yearbook]"),
    swap("unknown measure", "targets.yaml", "measure: registered", "measure: registred",
         "did you mean 'registered'?"),
    swap("an unknown headline", "case.yaml", "currency:", "headline: officers-sta\ncurrency:",
         "unknown target 'officers-sta'", "mean 'officers-stay'"),
    swap("another unit", "targets.yaml", "unit: soldiers", "unit: persons", "is counted in 'soldiers'",
         "Convert the figure, or correct the unit."),
    whole("a mapping of targets", "targets.yaml", "left: {measure: left, date: 2025-02-28, value: 3}\n",
          "a mapping stands where a list is expected", "Begin each entry with a dash"),
    swap("a measure not told apart", "targets.yaml", "measure: left_abroad", "measure: political_prisoners",
         "cannot be counted by rank", on="by: {rank"),
    swap("a ratio in another unit", "targets.yaml", "by: {rank: officer}",
         "by: {rank: officer}\n  against: {rank: enlisted}", "makes a 'ratio'", on="unit: soldiers"),
    swap("a conflict without a figure", "targets.yaml", "evidence: [registered-april]",
         "evidence: [registered-april]\n  conflicting: [bridge-closed]", "gives no figure", on="conflicting"),
]  # fmt: skip
MODEL = [
    swap("strength out of its range", "force.yaml", "value: 5000", "value: 50", "outside its range"),
    swap("branches do not add up", "force.yaml", "strength: 1500", "strength: 1400", "add up to 4,900",
         "+100", on="branches:"),
    swap("ranks do not add up", "force.yaml", "share: 0.25", "share: 0.2", "add up to 0.95", "+0.05",
         on="ranks:"),
    swap("ranks upside down", "force.yaml", "tier: 3", "tier: 0", "below that of 'sergeant'"),
    swap("stations do not add up", "stations.csv", "XX-C,guard,0.2", "XX-C,guard,0.1",
         "'guard' add up to 0.9", on="state,"),
    swap("a station twice", "stations.csv", "XX-C,guard,0.2", "XX-B,guard,0.2",
         "there twice (first on line 6)"),
    swap("risks beyond certainty", "routes.yaml", "violence: 0.01 ", "violence: 0.99 ", "more than 1"),
    swap("schedule backwards", "routes.yaml", "to: 2025-03-31", "to: 2025-02-01", "before it starts"),
    swap("schedule overlaps", "routes.yaml", "        evidence: [bridge-closed]",
         "        evidence: [bridge-closed]\n      - {from: 2025-03-31, to: 2025-04-02, assumed: why}",
         "before the one above is over", on="from: 2025-03-31"),
    swap("site closes first", "sites.yaml", "opens: 2025-02-15", "opens: 2025-02-15\n  closes: 2025-01-01",
         "before it opens", on="closes:"),
    swap("a field misspelt", "fields.yaml", "scarcity:", "scarsity:",
         "unknown field 'scarsity', did you mean 'scarcity'?"),
    swap("unit of a field", "fields.yaml", "unit: fraction", "unit: percent", "'percent'", "'fraction'",
         key="scarcity.unit"),
    swap("field with both", "fields.yaml", "file: pay.csv", "value: 3\n  file: pay.csv", "both",
         on="file: pay.csv"),
    swap("dims without file", "fields.yaml", "value: 0.3", "value: 0.3\n  dims: [rank]", "there is no file",
         on="dims: [rank]"),
    swap("half-life of a factor", "events.yaml", "value: 1.5, until: 2025-03-31", "value: 1.5, half_life: 3",
         "op add"),
    swap("prior of a half-life without one", "events.yaml", "value: 0.3, half_life: 30",
         "value: 0.3, half_life_prior: {distribution: lognormal, median: 30, sigma: 1}",
         "a prior is given for a half-life, and no half-life"),
    swap("prior of a switch", "events.yaml", "op: set, value: 1",
         "op: set, value: 1, prior: {distribution: uniform, low: 0, high: 1}", "is a switch"),
    swap("effects of one name, one with a prior", "events.yaml", "value: 0.3, half_life: 30}",
         "value: 0.3, prior: {distribution: beta, a: 2, b: 2}}\n"
         "  - {field: credibility, op: add, value: 0.1}",
         "two effects of the event are called 'credibility'", "id: lasting"),
    swap("effect before the event", "events.yaml", "until: 2025-03-31", "until: 2025-02-01",
         "before the event"),
    swap("negative factor", "events.yaml", "op: multiply, value: 1.5", "op: multiply, value: -1.5",
         "expected 0 to 1,000"),
    swap("sum without end", "events.yaml", "op: add, value: 0.2", "op: add, value: -1e308",
         "more than the whole range of 'scarcity'"),
    swap("a parameter misspelt", "parameters.yaml", "fear.weight:", "fear.wieght:",
         "did you mean 'fear.weight'?"),
    swap("a parameter missing", "parameters.yaml",
         "fear.memory:\n  value: 60\n  unit: days\n  range: [1, 3650]\n  assumed: "
         "Typical value of the model; not yet checked against the country.\n", "", "'fear.memory' is missing",
         "unit: days", "range: [1, 3650]", "value: 60"),
    swap("value outside its range", "parameters.yaml", "value: 60", "value: 6000", "outside its range"),
    swap("a count without an observation", "parameters.yaml", "range: [1, 3650]",
         "range: [1, 3650]\n  basis: count", "no observation is named", "evidence: [observation-id]",
         key="fear.memory.basis"),
    swap("strength given twice", "parameters.yaml", "fear.weight:", "force.strength:",
         "written in force.yaml"),
    swap("neither value nor prior", "parameters.yaml", "  value: 60\n", "", "neither a value nor a prior",
         on="fear.memory"),
    swap("number of another prior", "parameters.yaml", "value: 60",
         "prior: {distribution: beta, a: 1, b: 2, sd: 1}", "'sd' does not belong", "a and b"),
    swap("prior backwards", "parameters.yaml", "value: 60", "prior: {distribution: uniform, low: 9, high: 3}",
         "below high"),
    swap("beta prior that takes seconds", "parameters.yaml", "value: 60",
         "prior: {distribution: beta, a: 0.5, b: 10000}", "b is 10000", "is expected", on="the new text"),
    swap("prior out of range", "parameters.yaml", "value: 60",
         "prior: {distribution: uniform, low: -9, high: 0}", "almost no probability"),
]  # fmt: skip
OFFICES = "command.yaml"


def put_dead_link(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.with_name("nowhere.yaml"))


COMMAND = [
    Hostile("a link to nowhere for the command", OFFICES, lambda f: put_dead_link(f / OFFICES), ("link",)),
    swap("a position without parent", OFFICES,
         "  contact: true             # it has dealings with the challenger's side\n  assumed: Invented.\n",
         "", "neither evidence nor an assumption"),
    swap("a weight above 1", OFFICES, "weight: 0.35", "weight: 35", "at most 1", on="weight: 35"),
    swap("weights that add up to more than all", OFFICES, "weight: 0.35", "weight: 0.85", "add up to 1.3",
         "take 0.3 away"),
    swap("a position of an unknown branch", OFFICES, "branch: guard", "branch: gard",
         "unknown branch 'gard', did you mean 'guard'?", on="branch: gard", key="border-commander.branch"),
    swap("a position in an unknown region", OFFICES, "region: border ", "region: boarder ",
         "unknown region 'boarder', did you mean 'border'?", on="region: boarder"),
    swap("a capital outside its region", OFFICES, "capital: false", "capital: true",
         "not in the region 'border'", on="region: border"),
]  # fmt: skip
ASKED = "counterfactuals.yaml"
_START = "- id: what-if\n  title: What if\n  question: What if?\n"


def asking(name: str, lines: str, *says: str, on: str | None = None) -> Hostile:
    """Ask one question; the line blamed is by default the last."""
    return whole(name, ASKED, _START + lines, *says, on=on or lines.strip().splitlines()[-1])


COUNTERFACTUALS = [
    swap("a counterfactual without an event that is not there", ASKED, "without: [appeal]",
         "without: [apeal]", "unknown event 'apeal', did you mean 'appeal'?", on="without: [apeal]",
         key="no-appeal.without"),
    swap("a counterfactual that expects what nobody counts", ASKED, "left_abroad: less", "left_abrod: less",
         "unknown measure 'left_abrod', did you mean 'left_abroad'?", on="left_abrod"),
    swap("an expectation for a date", ASKED, "left_abroad: less", "rate_ratio: less",
         "what is compared is the last day", on="rate_ratio"),
    swap("an expectation of nobody", ASKED, "  literature: Albrecht and Ohl 2016\n", "",
         "an effect is expected, but nothing says who expects it", on="expected:"),
    asking("a counterfactual that changes nothing", "  set: {}\n", "nothing is changed", on="- id: what-if"),
    asking("a counterfactual of an unknown parameter", "  set: {fear.wait: 1}\n",
           "unknown parameter 'fear.wait', did you mean 'fear.weight'?"),
    asking("a counterfactual out of range", "  set: {fear.weight: 21}\n", "21 is out of range", "0 to 20"),
    asking("a counterfactual of another force", "  set: {force.strength: 100}\n", "makes another force"),
    asking("an effect left out that is not there",
           "  without_effects:\n    - {event: appeal, field: scarcity}\n",
           "unknown effect of 'appeal' on the field 'scarcity'", "Known: credibility"),
]  # fmt: skip
SITES_FILE = "sites.yaml"
PAYING = "payers.yaml"
_PAID = "payers: {host-government: 1}    # shares of the bill by id in payers.yaml; they add up to 1"
_PARISH = "  kind: church\n"


def embassy(crossing: str) -> str:
    return f"  kind: embassy\n  crossing: {crossing}\n"


def two_embassies(folder: Path) -> None:
    edit(folder, "routes.yaml", "kind: trail", "kind: embassy")
    edit(folder, SITES_FILE, _PARISH, embassy("hill-trail"))
    path = folder / SITES_FILE
    text = path.read_text(encoding="utf-8")
    path.write_text(text + text[text.index("- id: parish-house") :].replace("id: parish", "id: other", 1))


PAYERS = [
    Hostile("no payers at all", SITES_FILE, lambda f: (f / PAYING).unlink(),
            ("unknown payer 'host-government'", "There is no payer in this case yet"), "payers: {host",
            "station-hotel.payers.host-government"),
    swap("a payer without parent", PAYING, "  assumed: Invented; volunteers", "  about: V",
         "neither evidence"),
    swap("an empty list of funds", PAYING, "- id: parish\n  label: Parish of the border town\n",
         "- id: parish\n  label: Parish of the border town\n  funds: []\n", "no money or no limit",
         "Leave funds out", on="funds: []"),
    swap("funds as a sum", PAYING, "- id: parish\n  label: Parish of the border town\n",
         "- id: parish\n  label: Parish of the border town\n  funds: 3000\n", "the number 3000", "a list",
         on="funds: 3000"),
    swap("money without end", PAYING, "amount: 30000", "amount: 1e300", "out of range", "at most 1e+15"),
    swap("money by the month", PAYING, "amount: 30000}", "amount: 30000, every: month}",
         "unknown key 'every'"),
]  # fmt: skip
SITES = [
    swap("a site where no crossing leads", SITES_FILE, "country: Norlund", "country: Sudlund",
         "no crossing with host: true leads to 'Sudlund'", "Norlund", on="country: Sudlund"),
    swap("an unknown payer", SITES_FILE, _PAID, "payers: {host-goverment: 1}",
         "unknown payer 'host-goverment', did you mean 'host-government'?", "Known: host-government, parish.",
         on="host-goverment", key="station-hotel.payers.host-goverment"),
    swap("a site that nobody pays for", SITES_FILE, f"  {_PAID}\n", "",
         "a person costs 12 a day here, and nobody pays", "or a cost of 0", on="- id: station-hotel"),
    swap("shares that do not add up", SITES_FILE, _PAID, "payers: {host-government: 0.5, parish: 0.3}",
         "add up to 0.8, and 1 is expected", "+0.2", on="parish: 0.3", key="station-hotel.payers"),
    swap("admitting nobody", SITES_FILE, "admits: anyone", "admits: nobody", "anyone, registered, permit"),
    swap("a crossing to a hotel", SITES_FILE, _PARISH, _PARISH + "  crossing: hill-trail\n",
         "live in an embassy only, and this is of kind 'church'", on="crossing: hill-trail"),
    swap("an embassy at a bridge", SITES_FILE, _PARISH, embassy("old-bridge"),
         "'old-bridge' is of kind 'bridge', and an embassy is expected", "none", on="crossing: old-bridge"),
    Hostile("two sites for one embassy", SITES_FILE, two_embassies,
            ("the people of 'hill-trail' live at 'parish-house' already",), "crossing: hill-trail"),
    swap("a cost in other money", SITES_FILE, "unit: US dollars per", "unit: pesos per",
         "'pesos per person and day'", "the currency of the case is 'US dollars'",
         key="station-hotel.cost_per_person_day.unit"),
]  # fmt: skip
HOSTILE = [
    *STRUCTURE, *YAML, *JSON, *TABLES, *SCHEMA, *REFERENCES, *MODEL, *COMMAND, *COUNTERFACTUALS, *PAYERS,
    *SITES,
]  # fmt: skip


def test_they_differ() -> None:
    assert len({h.name for h in HOSTILE}) == len(HOSTILE)


@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda h: h.name)
def test_hostile(hostile: Hostile, folder: Path, catalogue: Catalogue) -> None:
    hostile.do(folder)
    before = sorted(folder.parent.rglob("*"))
    with pytest.raises(CaseError) as caught:
        load_case(folder, catalogue)
    error, text = caught.value, str(caught.value)
    assert error.place.file == folder / hostile.file, text
    for fragment in hostile.says:
        assert fragment in text
    if hostile.on:
        assert error.place.line == line_of(folder / hostile.file, hostile.on), text
        assert f"{folder / hostile.file}:{error.place.line}" in text
    if hostile.key:
        assert hostile.key in error.place.key, text
    assert len(error.problem) > 10
    assert len(text) < 1500, "a message that nobody reads"
    assert "pydantic" not in text
    assert "Traceback" not in text
    assert error.__cause__ is None or isinstance(error.__cause__, OSError)
    assert sorted(folder.parent.rglob("*")) == before
    assert str(pickle.loads(pickle.dumps(error))) == text


def test_no_folder_at_all(folder: Path, catalogue: Catalogue) -> None:
    with pytest.raises(CaseError, match="a case is a folder"):
        load_case(folder / "case.yaml", catalogue)
    with pytest.raises(CaseError, match="does not exist"):
        read_folder(folder / "nowhere")


def test_the_untouched_folder_is_fine(folder: Path, catalogue: Catalogue) -> None:
    assert load_case(folder, catalogue).force.strength == 5000
