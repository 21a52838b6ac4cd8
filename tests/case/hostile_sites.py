"""Folders whose sites nobody pays for, or whose payers, crossings and sums make no sense."""

from __future__ import annotations

from pathlib import Path

from tests.case.conftest import edit
from tests.case.hostile import Hostile, put_folder, put_link, put_pipe, swap, whole

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
    Hostile("a folder for the payers", FILE, lambda f: put_folder(f / FILE), ("folder",)),
    Hostile("a link for the payers", FILE, lambda f: put_link(f / FILE), ("link",)),
    Hostile("a pipe for the payers", FILE, lambda f: put_pipe(f / FILE), ("not a regular file",)),
    whole("payers that are nothing", FILE, "", "empty", "[]"),
    whole("payers that are a mapping", FILE, "parish: 1\n", "a mapping", "a list"),
    whole("a payer that is a text", FILE, "- parish\n", "'parish'", "a mapping", on="- parish"),
    Hostile(
        "no payers at all",
        SITES_FILE,
        lambda f: (f / FILE).unlink(),
        ("unknown payer 'host-government'", "There is no payer in this case yet"),
        "payers: {host",
        "station-hotel.payers.host-government",
    ),
    swap("a payer twice", FILE, "- id: parish", "- id: host-government", "'host-government' is there twice"),
    swap("a payer without parent", FILE, "  assumed: Invented; volunteers", "  about: V", "neither evidence"),
    swap("a misspelt key of a payer", FILE, "  funds:", "  fund:", "did you mean 'funds'?", on="  fund:"),
    swap(
        "a payer whose id has a space", FILE, "- id: parish", "- id: the parish", "cannot be used as a name"
    ),
    swap(
        "a payer resting on an unknown observation",
        FILE,
        "assumed: Invented; volunteers and donations, without a limit.",
        "evidence: [bridge-close]",
        "unknown observation 'bridge-close', did you mean 'bridge-closed'?",
    ),
    swap(
        "an empty list of funds",
        FILE,
        "- id: parish\n  label: Parish of the border town\n",
        "- id: parish\n  label: Parish of the border town\n  funds: []\n",
        "no money or no limit",
        "Leave funds out",
        on="funds: []",
    ),
    swap(
        "funds as a sum",
        FILE,
        "- id: parish\n  label: Parish of the border town\n",
        "- id: parish\n  label: Parish of the border town\n  funds: 3000\n",
        "the number 3000",
        "a list",
        on="funds: 3000",
    ),
    swap("money below 0", FILE, "amount: 30000", "amount: -30000", "out of range", "at least 0"),
    swap("money without end", FILE, "amount: 30000", "amount: 1e300", "out of range", "at most 1e+15"),
    swap("money that is no number", FILE, "amount: 30000", "amount: .nan", ".nan"),
    swap("money in words", FILE, "amount: 30000", "amount: 30000 dollars", "the text '30000 dollars'"),
    swap(
        "money without a day", FILE, "date: 2025-02-15, amount: 30000", "amount: 30000", "'date' is missing"
    ),
    swap("a day without money", FILE, "date: 2025-02-15, amount: 30000", "date: 2025-02-15", "'amount' is"),
    swap("money on no day", FILE, "date: 2025-02-15", "date: 2025-02-30", "is not a date"),
    swap("money by the month", FILE, "amount: 30000}", "amount: 30000, every: month}", "unknown key 'every'"),
]

SITES = [
    swap(
        "a site where no crossing leads",
        SITES_FILE,
        "country: Norlund",
        "country: Sudlund",
        "no crossing with host: true leads to 'Sudlund'",
        "Norlund",
        on="country: Sudlund",
    ),
    swap(
        "an unknown payer",
        SITES_FILE,
        _PAID,
        "payers: {host-goverment: 1}",
        "unknown payer 'host-goverment', did you mean 'host-government'?",
        "Known: host-government, parish.",
        on="host-goverment",
        key="station-hotel.payers.host-goverment",
    ),
    swap(
        "a site that nobody pays for",
        SITES_FILE,
        f"  {_PAID}\n",
        "",
        "a person costs 12 a day here, and nobody pays",
        "or a cost of 0",
        on="- id: station-hotel",
    ),
    swap(
        "shares that do not add up",
        SITES_FILE,
        _PAID,
        "payers: {host-government: 0.5, parish: 0.3}",
        "add up to 0.8, and 1 is expected",
        "+0.2",
        on="parish: 0.3",
        key="station-hotel.payers",
    ),
    swap(
        "a share of the bill above 1", SITES_FILE, _PAID, "payers: {parish: 100}", "out of range", "at most 1"
    ),
    swap("a share of nothing", SITES_FILE, _PAID, "payers: {parish: 0}", "out of range", "above 0"),
    swap("a share in quotes", SITES_FILE, _PAID, "payers: {parish: '1'}", "the text '1'", "a number"),
    swap("a share of no number", SITES_FILE, _PAID, "payers: {parish: .inf}", ".inf"),
    swap("payers as a list", SITES_FILE, _PAID, "payers: [parish]", "a list", "a mapping of keys to values"),
    swap(
        "a payer as a text", SITES_FILE, _PAID, "payer: the parish", "'payer'", "mean 'payers'?", on="payer:"
    ),
    swap("admitting nobody", SITES_FILE, "admits: anyone", "admits: nobody", "anyone, registered, permit"),
    swap("admitting a misspelt few", SITES_FILE, "admits: anyone", "admits: permits", "mean 'permit'?"),
    swap("a limit of no day", SITES_FILE, "stay_limit: 30 ", "stay_limit: 0 ", "out of range", "at least 1"),
    swap("a limit of half a day", SITES_FILE, "stay_limit: 30 ", "stay_limit: 0.5 ", "a whole number"),
    swap("a limit of a lifetime", SITES_FILE, "stay_limit: 30 ", "stay_limit: 36500 ", "at most 3660"),
    swap(
        "a crossing to a hotel",
        SITES_FILE,
        _PARISH,
        _PARISH + "  crossing: hill-trail\n",
        "live in an embassy only, and this is of kind 'church'",
        on="crossing: hill-trail",
    ),
    swap(
        "an embassy at an unknown crossing",
        SITES_FILE,
        _PARISH,
        embassy("hill-trial"),
        "unknown crossing 'hill-trial', did you mean 'hill-trail'?",
        on="crossing: hill-trial",
    ),
    swap(
        "an embassy at a bridge",
        SITES_FILE,
        _PARISH,
        embassy("old-bridge"),
        "'old-bridge' is of kind 'bridge', and an embassy is expected",
        "none",
        on="crossing: old-bridge",
    ),
    Hostile(
        "two sites for one embassy",
        SITES_FILE,
        two_embassies,
        ("the people of 'hill-trail' live at 'parish-house' already",),
        "crossing: hill-trail",
    ),
    swap(
        "a cost in other money",
        SITES_FILE,
        "unit: US dollars per",
        "unit: pesos per",
        "'pesos per person and day'",
        "the currency of the case is 'US dollars'",
        key="station-hotel.cost_per_person_day.unit",
    ),
    swap("a cost below 0", SITES_FILE, "{value: 12,", "{value: -12,", "out of range", "at least 0"),
]
