"""Folders whose sites nobody pays for, or whose payers, crossings and sums make no sense."""

from __future__ import annotations

from pathlib import Path

from tests.case.conftest import edit
from tests.case.hostile import Hostile, swap

SITES_FILE = "sites.yaml"
FILE = "payers.yaml"
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
    Hostile("no payers at all", SITES_FILE, lambda f: (f / FILE).unlink(),
            ("unknown payer 'host-government'", "There is no payer in this case yet"), "payers: {host",
            "station-hotel.payers.host-government"),
    swap("a payer without parent", FILE, "  assumed: Invented; volunteers", "  about: V", "neither evidence"),
    swap("an empty list of funds", FILE, "- id: parish\n  label: Parish of the border town\n",
         "- id: parish\n  label: Parish of the border town\n  funds: []\n", "no money or no limit",
         "Leave funds out", on="funds: []"),
    swap("funds as a sum", FILE, "- id: parish\n  label: Parish of the border town\n",
         "- id: parish\n  label: Parish of the border town\n  funds: 3000\n", "the number 3000", "a list",
         on="funds: 3000"),
    swap("money without end", FILE, "amount: 30000", "amount: 1e300", "out of range", "at most 1e+15"),
    swap("money by the month", FILE, "amount: 30000}", "amount: 30000, every: month}", "unknown key 'every'"),
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
