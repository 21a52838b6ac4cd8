"""Oddities of a case that can be used, with advice, by subject."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from breakrank.case.borders import Shape, outlines, shapes
from breakrank.case.checks import citing
from breakrank.case.content import FILES, Content, Ledger, Loaded
from breakrank.case.country import country_code
from breakrank.case.counts import doubts, impossible, recorded
from breakrank.case.dates import first_day
from breakrank.case.draws import ENSEMBLE
from breakrank.case.examination import FILE as EXAMINATION
from breakrank.case.files import DRAWS
from breakrank.case.library import Opened, open_case
from breakrank.case.models_base import FORMAT
from breakrank.case.posterior import FOLDER as POSTERIOR
from breakrank.case.prior import Prior
from breakrank.case.source import Folder
from breakrank.case.tables import CsvRow, Warning_
from breakrank.case.values import Step
from breakrank.errors import nearest
from breakrank.outputs import Measure
from breakrank.spec import Catalogue


def check_case(path: str | Path, catalogue: Catalogue) -> list[Warning_]:
    """Check a case, and return what is strange about it though it can be used, in the order of its files.

    Parameters
    ----------
    path : a built-in case by name, or a folder.
    catalogue : the parameters and fields that the model reads.

    Raises
    ------
    UsageError
        when there is no such case.
    FaultyCaseError
        when it cannot be used: all that is wrong, as :func:`breakrank.case.library.open_case` tells it.
    """
    return strange(open_case(path, catalogue))


def strange(opened: Opened) -> list[Warning_]:
    """Return the oddities of a case that can be used, in the order of its files."""
    loaded = opened.loaded
    found = [one for subject in SUBJECTS for one in subject(loaded)]
    found += loaded.remarks
    found += [*_rows_outside(loaded), *_short_series(loaded), *_files_never_read(loaded, opened.folder)]
    found += _figures(loaded, opened.case.catalogue.measures)
    order = [str(loaded.documents[name].file) for name in FILES]
    return sorted(
        found, key=lambda w: (order.index(str(w.file)) if str(w.file) in order else 99, w.line or 0)
    )


def _figures(loaded: Loaded, measures: Mapping[str, Measure]) -> Iterator[Warning_]:
    figures = recorded(loaded.content, measures)
    at = {id(one): k for k, one in figures.items()}
    for doubt in doubts(list(figures.values()), loaded.content):
        path = (at[id(doubt.figures[0])], "id")
        yield loaded.warning("targets.yaml", path, doubt.text, doubt.remedy)
    for k, one in enumerate(loaded.content.observations):
        low, high = one.range or (one.value or 0.0, one.value or 0.0)
        if problem := impossible(low, high, one.unit or ""):
            remedy = "Correct the figure or its unit."
            path = (k, "id")
            yield loaded.warning("evidence/observations.yaml", path, f"{one.id!r}: {problem}", remedy)


def _rows_outside(loaded: Loaded) -> Iterator[Warning_]:
    """Yield rows of tables that no day of the calendar depends on.

    Of the rows before it the last counts for each cell, and of those after it the first where lines are
    drawn between them.
    """
    calendar = loaded.content.case.calendar
    for name, entry in loaded.content.fields.items():
        cells: dict[tuple[str, ...], list[CsvRow]] = {}
        for row in loaded.series_rows.get(entry.file or "", ()):
            cells.setdefault(tuple(row.cells[d] for d in entry.dims), []).append(row)
        idle: list[CsvRow] = []
        for rows in cells.values():
            ordered = sorted(rows, key=lambda r: r.date("date"))
            after = [r for r in ordered if r.date("date") > calendar.end]
            alone = len(after) == len(ordered)  # then the first value holds on all days
            idle += [r for r in ordered if r.date("date") <= calendar.start][:-1]
            idle += after[1 if alone or entry.interpolate == "linear" else 0 :]
        if idle:
            many = f"{len(idle)} rows" if len(idle) > 1 else "a row"
            text = f"{many} of the field {name!r} outside the calendar ({calendar.start} to {calendar.end})"
            first = min(idle, key=lambda r: r.line)
            yield Warning_(first.file, first.line, text, _IDLE)


def _short_series(loaded: Loaded) -> Iterator[Warning_]:
    calendar = loaded.content.case.calendar
    for name, entry in loaded.content.fields.items():
        if entry.file is None:
            continue
        rows = sorted(loaded.series_rows[entry.file], key=lambda r: r.date("date"))
        days = sorted({row.date("date") for row in rows})
        usual = max((b - a for a, b in pairwise(days)), default=dt.timedelta(0))
        silent = calendar.end - days[-1]
        ends = len(days) > 1 and silent > (dt.timedelta(0) if entry.interpolate == "linear" else usual)
        for row, wrong, does, until in (
            (rows[0], days[0] > calendar.start, "starts", calendar.start),
            (rows[-1], ends, "ends", calendar.end),
        ):
            if wrong:
                text = f"{entry.file} of the field {name!r} {does} on {row.date('date')}, within the calendar"
                remedy = f"That value is held; if that is right, say so with a row on {until}."
                yield Warning_(row.file, row.line, text, remedy)


def _files_never_read(loaded: Loaded, folder: Path) -> Iterator[Warning_]:
    content = loaded.content
    read = {*FILES, content.force.stations.file, *content.series, EXAMINATION, DRAWS}
    names = Folder(folder).names()
    for name in names:
        if name.startswith((f"{POSTERIOR}/", f"{ENSEMBLE}/")):
            continue
        if name not in read and name.endswith((".yaml", ".yml", ".csv", ".geojson", ".json")):
            hint = nearest(name, read)
            yield Warning_(
                folder / name,
                None,
                f"this file is never read{hint}",
                "Rename it, name it in the case, or remove it.",
            )


LONG_AGO = 2
"""Whole years before the calendar from which an event that acts within it is told."""
_IDLE = "Nothing in a run depends on it; correct the date, move the calendar, or remove it."


def strange_sites(loaded: Loaded) -> Iterator[Warning_]:
    """Yield payers of nothing, and embassies where nobody can be."""
    content = loaded.content
    paying = {name for site in content.sites for name in site.payers}
    for k, payer in enumerate(content.payers):
        if payer.id not in paying:
            remedy = "Name it among the payers of a site, or remove it."
            yield loaded.warning("payers.yaml", (k, "id"), f"{payer.id!r} pays for no site", remedy)
    for k, site in enumerate(content.sites):
        if site.kind == "embassy" and site.crossing is None:
            text = f"nobody ever lives at the embassy {site.id!r}, which belongs to no crossing"
            remedy = "Write crossing: and the id of the embassy crossing whose people live there."
            yield loaded.warning("sites.yaml", (k, "id"), text, remedy)


def strange_dates(loaded: Loaded) -> Iterator[Warning_]:
    """Yield an older format, what lies outside the calendar, and events of long ago that act within it."""
    content = loaded.content
    start, end = content.case.calendar.start, content.case.calendar.end
    if content.case.breakrank < FORMAT:
        text = f"this case is of format {content.case.breakrank}, and {FORMAT} is the present one"
        yield loaded.warning("case.yaml", ("breakrank",), text, "`breakrank case migrate` brings it there.")
    for file, path, what, first, last in _dated(content):
        early = (start - first).days // 365
        if first > end or (last is not None and last < start):
            text = f"{what} lies outside the calendar ({start} to {end})"
            yield loaded.warning(file, path, text, _IDLE)
        elif early >= LONG_AGO and file in ("events.yaml", "counterfactuals.yaml"):
            text = f"{what} acts from the first day, {early} years after its date"
            remedy = (
                f"Correct the year; if that is meant, write {start}, which acts the same but where it fades."
            )
            yield loaded.warning(file, path, text, remedy)


def _dated(content: Content) -> Iterator[tuple[str, tuple[Step, ...], str, dt.date, dt.date | None]]:
    """Yield what has dates: its file, where it stands, what it is, and its first and last day, if it ends."""
    for file, at, events in (
        ("events.yaml", (), content.events),
        *(
            ("counterfactuals.yaml", (k, "events"), asked.events)
            for k, asked in enumerate(content.counterfactuals)
        ),
    ):
        for k, event in enumerate(events):
            ends = [effect.until for effect in event.effects]
            known = [day for day in ends if day is not None]
            last = max([event.date, *known]) if len(known) == len(ends) else None
            yield file, (*at, k, "date"), f"the event {event.id!r}", event.date, last
    for k, target in enumerate(content.targets):
        # a run cannot be compared with what began before it
        last = target.start or target.date
        yield "targets.yaml", (k, "date"), f"the target {target.id!r}", target.date, last
    for k, crossing in enumerate(content.routes.crossings):
        for j, spell in enumerate(crossing.schedule):
            path = ("crossings", k, "schedule", j)
            yield "routes.yaml", path, f"a time of {crossing.id!r}", spell.start, spell.to
    for k, position in enumerate(content.command):
        if position.sanctioned is not None:
            what = f"the first day of sanctions on {position.id!r}"
            yield "command.yaml", (k, "sanctioned"), what, position.sanctioned, None
    for k, site in enumerate(content.sites):
        yield "sites.yaml", (k, "opens"), f"the site {site.id!r}", site.opens, site.closes
    for k, payer in enumerate(content.payers):
        for j, fund in enumerate(payer.funds or ()):
            yield "payers.yaml", (k, "funds", j, "date"), f"money of {payer.id!r}", fund.date, None


def strange_ways(loaded: Loaded) -> Iterator[Warning_]:
    """Yield states without a road, and hosts in several countries."""
    content = loaded.content
    joined = {state for road in content.routes.roads for state in (road.start, road.to)}
    alone = [k for k, state in enumerate(content.force.states) if state.id not in joined]
    if alone and len(content.force.states) > 1:
        names = ", ".join(content.force.states[k].id for k in alone)
        remedy = (
            "Nobody leaves there but by a crossing of the state itself; add a road, or a ferry, to roads."
        )
        yield loaded.warning("force.yaml", ("states", alone[0]), f"no road leads to {names}", remedy)
    hosts = dict.fromkeys(c.country for c in content.routes.crossings if c.host)
    if len(hosts) > 1 and content.sites:
        second = list(hosts)[1]
        at = next(k for k, c in enumerate(content.routes.crossings) if c.host and c.country == second)
        text = f"crossings with host: true lead to {len(hosts)} countries: {', '.join(hosts)}"
        remedy = (
            "Each has its own sites, but all share one desk, one asylum office, permits and tension. A plan "
            "is for one of them: breakrank plan --place COUNTRY."
        )
        yield loaded.warning("routes.yaml", ("crossings", at, "country"), text, remedy)


def strange_resignation(loaded: Loaded) -> Iterator[Warning_]:
    """Yield what is said of those who resign where nobody can, and refusals of orders that never come."""
    content = loaded.content
    branches = content.force.branches
    for k, branch in enumerate(branches):
        if branch.refuses and branch.repression == 0:
            text = f"{branch.id!r} can refuse orders to repress, and is given none: its repression is 0"
            remedy = "Give it its share of orders, or take refuses out."
            yield loaded.warning("force.yaml", ("branches", k, "refuses"), text, remedy)
    if any(branch.resigns or branch.refuses for branch in branches):
        return
    remedy = "Name the ranks that can under resigns of a branch in force.yaml, or take it out."
    idle = ("offer", "exposure")
    for name in idle:
        entry = content.fields.get(name)
        if entry is not None and (entry.file is not None or entry.value):
            text = f"nobody can resign, so {name} has no effect"
            yield loaded.warning("fields.yaml", (name,), text, remedy)
    for k, event in enumerate(content.events):
        for j, effect in enumerate(event.effects):
            if effect.field in idle:
                text = f"nobody can resign, so the effect of {event.id!r} on {effect.field} does nothing"
                yield loaded.warning("events.yaml", (k, "effects", j, "field"), text, remedy)


def strange_mechanisms(loaded: Loaded) -> Iterator[Warning_]:
    """Yield mechanisms that do nothing without another one, which the case does not name."""
    named = loaded.content.case.mechanisms
    for name, needed, why in (
        ("dissolution", "war", "units come apart where they lose posts or ground"),
        ("unit_defection", "opposition", "there is nobody at home to go over to"),
    ):
        if name in named and needed not in named:
            text = f"{name} does nothing without {needed}: {why}"
            yield loaded.warning(
                "case.yaml", ("mechanisms",), text, f"Add {needed} to the mechanisms, or leave {name} out."
            )


def strange_posts(loaded: Loaded) -> Iterator[Warning_]:
    """Yield states without troops, crossings that no troops can reach, and a lack of hosts."""
    yield from _out_of_reach(loaded)
    force = loaded.content.force
    strength = {b.id: b.strength for b in force.branches}
    manned = {s for s, branch, share in loaded.content.stations if share > 0 and strength[branch] > 0}
    empty = [k for k, state in enumerate(force.states) if state.id not in manned]
    if empty:
        named = some([force.states[k].id for k in empty])
        yield loaded.warning(
            "force.yaml",
            ("states", empty[0]),
            f"no troops are stationed in {named}",
            f"Add rows to {force.stations.file} if there are any.",
        )


def some(ids: Sequence[str]) -> str:
    """Return up to eight names in quotes, and how many there are where there are more."""
    named = ", ".join(repr(name) for name in ids[:8])
    return named if len(ids) <= 8 else f"{len(ids)} places: {named}, ..."


def _out_of_reach(loaded: Loaded) -> Iterator[Warning_]:
    content = loaded.content
    neighbours: dict[str, set[str]] = {s.id: set() for s in content.force.states}
    for road in content.routes.roads:
        neighbours[road.start].add(road.to)
        neighbours[road.to].add(road.start)
    manned = {s for s, _, share in content.stations if share > 0}
    cut_off = []
    for k, crossing in enumerate(content.routes.crossings):
        reached, edge = {crossing.state}, [crossing.state]
        while edge:
            for state in neighbours[edge.pop()] - reached:
                reached.add(state)
                edge.append(state)
        if not reached & manned:
            cut_off.append(k)
    if cut_off:
        ways = [content.routes.crossings[k] for k in cut_off]
        yield loaded.warning(
            "routes.yaml",
            ("crossings", cut_off[0], "state"),
            f"nobody can reach {some([w.id for w in ways])} by road: no troops in "
            f"{some(list(dict.fromkeys(w.state for w in ways)))} or on its roads",
            "Add a road that leads there.",
        )
    switch = content.parameters.get("reception.on")
    received = switch is None or switch.value != 0
    if received and content.routes.crossings and not any(c.host for c in content.routes.crossings):
        yield loaded.warning(
            "routes.yaml",
            ("crossings",),
            "no crossing leads to a host that registers arrivals",
            "Write host: true where the reception scheme is; without one, reception.on: 0 as a parameter.",
        )


def strange_evidence(loaded: Loaded) -> Iterator[Warning_]:
    """Yield sources dated after today, and figures that count on after their sources were published."""
    content = loaded.content
    ledger, today = Ledger.of(content), dt.date.today()
    for k, source in enumerate(content.sources):
        if first_day(source.date) > today:
            text = f"the source {source.id!r} is dated {source.date}, after today ({today})"
            yield loaded.warning(
                "evidence/sources.yaml", (k, "date"), text, "Write the day on which it was published."
            )
    for k, o in enumerate(content.observations):
        end, published = first_day(o.date.rsplit("/", maxsplit=1)[-1]), ledger.published(o.source)
        if end > published:
            text = f"{o.id!r} is of {o.date}, and its source {o.source!r} was published by {published}"
            remedy = "Correct one of the two dates: a source cannot print what comes after it."
            yield loaded.warning("evidence/observations.yaml", (k, "date"), text, remedy)
    for k, target in enumerate(content.targets):
        since, published_on = target.date - dt.timedelta(days=target.lag), ledger.publications(target)
        if published_on and published_on[-1] < since and target.assumed is None:
            text = (
                f"the figure {target.id!r} counts until {target.date}, and its sources were published by "
                f"{published_on[-1]}"
            )
            remedy = "Correct the date, cite a later source, or say under assumed why it holds until then."
            yield loaded.warning("targets.yaml", (k, "date"), text, remedy)


def unused_evidence(loaded: Loaded) -> Iterator[Warning_]:
    """Yield observations that nothing rests on, and those kept aside that something rests on."""
    observed = loaded.content.observations
    cited = {name for _, _, thing in citing(loaded) for name in thing.evidence or ()}
    # What contradicts a cited observation is shown beside it, and so is of use too.
    beside = {other for o in observed if o.id in cited for other in o.conflicts}
    beside |= {name for target in loaded.content.targets for name in target.conflicting}
    unused = [k for k, o in enumerate(observed) if not o.aside and o.id not in cited | beside]
    if unused:
        named = ", ".join(observed[k].id for k in unused[:5]) + (", ..." if len(unused) > 5 else "")
        text = f"nothing rests on {len(unused)} of the {len(observed)} observations: {named}"
        remedy = "Name them as evidence of the values or targets that they bear on, or say aside: why."
        yield loaded.warning("evidence/observations.yaml", (unused[0], "id"), text, remedy)
    for k, o in enumerate(observed):
        if o.aside and o.id in cited:
            text = f"the observation {o.id!r} is kept aside, and something rests on it"
            remedy = "Take it from the evidence of that, or remove aside."
            yield loaded.warning("evidence/observations.yaml", (k, "aside"), text, remedy)


def strange_values(loaded: Loaded) -> Iterator[Warning_]:
    """Yield values that their own prior makes unlikely, and a force in which nobody leads."""
    for name, entry in loaded.content.parameters.items():
        if entry.value is None or entry.prior is None or entry.range[0] == entry.range[1]:
            continue
        prior = Prior.of(entry.prior, *entry.range)
        low, high = prior.quantile(0.005), prior.quantile(0.995)
        if not low <= entry.value <= high:
            middle = f"the central 99% of its prior ({low:.4g} to {high:.4g})"
            text = f"the value {entry.value:g} of {name!r} lies outside {middle}"
            remedy = "Correct one of the two, or leave the value out to use the median."
            yield loaded.warning("parameters.yaml", (name, "value"), text, remedy)
    yield from _unpaid(loaded)
    if not any(rank.leads > 0 for rank in loaded.content.force.ranks):
        text = "no rank leads anyone, so nobody leaves in a group"
        yield loaded.warning(
            "force.yaml", ("ranks",), text, "Write leads: 100 for the ranks that command a unit."
        )


def _unpaid(loaded: Loaded) -> Iterator[Warning_]:
    """Yield ranks that are paid nothing at some time: to the model they have nothing to live on."""
    pay = loaded.content.fields.get("pay")
    ranks: list[str] = []
    if pay is not None and pay.file is not None and "rank" in pay.dims:
        series, at = loaded.content.series[pay.file], pay.dims.index("rank")
        ranks = [ids[at] for ids, value in zip(series.ids, series.values, strict=True) if value == 0]
    elif pay is not None and pay.value == 0:
        ranks = [rank.id for rank in loaded.content.force.ranks]
    if ranks:
        text = f"no pay is given for {some(list(dict.fromkeys(ranks)))}, who then lack all that they live on"
        remedy = "Board, lodging and clothing count as pay: add what they are worth, e.g. half of the basket."
        yield loaded.warning("fields.yaml", ("pay",), text, remedy)


MARGIN = 1.0
"""Degrees by which a point may lie outside the box around an outline: those that ship are thinned."""
ANYWHERE = ("embassy", "sea", "air", "register")
"""Kinds of crossings that may lie far from the country's border."""
_REMEDY = "Write [longitude, latitude] in degrees; west and south are negative."

Position = tuple[float, float]
"""Longitude and latitude, degrees."""
MISTAKES: Mapping[str, Callable[[float, float], Position]] = {
    "latitude and longitude exchanged": lambda x, y: (y, x),
    "the other sign of the longitude": lambda x, y: (-x, y),
    "the other sign of the latitude": lambda x, y: (x, -y),
    "the other sign of both": lambda x, y: (-x, -y),
}
"""Slips in writing coordinates, and where a point lies once they are undone."""


def strange_places(loaded: Loaded) -> Iterator[Warning_]:
    """Yield points at 0, 0, at an end of the map, and outside the state or country that they belong to."""
    wrong: dict[str, list[int]] = {}
    areas = _areas(loaded.content)
    for k, place in enumerate(loaded.content.places.features):
        at = (place.longitude, place.latitude)
        area = areas.get((place.kind, place.id), ())
        if abs(at[0]) == 180 or abs(at[1]) == 90:
            wrong.setdefault(f"coordinates lie at {at[0]:g}, {at[1]:g}, the end of the map", []).append(k)
        elif not any(at):
            wrong.setdefault("coordinates are 0, 0, which stands for unknown ones", []).append(k)
        elif area and not within(area, at):
            slips = [name for name, undone in MISTAKES.items() if within(area, undone(*at))]
            told = f", and within it with {slips[0]}" if slips else ""
            wrong.setdefault(f"coordinates lie outside the state or country{told}", []).append(k)
    for text, found in wrong.items():
        path = ("features", found[0], "geometry", "coordinates")
        named = some([loaded.content.places.features[k].id for k in found])
        yield loaded.warning("places.geojson", path, f"{text}: {named}", _REMEDY)


def _areas(content: Content) -> dict[tuple[str, str], Sequence[Shape]]:
    """Return where places should lie, by kind and id, as far as outlines of it ship."""
    ids = [state.id for state in content.force.states]
    home = shapes(ids) or outlines(country_code(content.case.country) or "")
    found: dict[tuple[str, str], Sequence[Shape]] = {}
    for name in ids:
        found["state", name] = (home[name],) if name in home else tuple(home.values())
    for crossing in content.routes.crossings:
        beyond = outlines(country_code(crossing.country) or "")
        if crossing.kind not in ANYWHERE and home:
            found["crossing", crossing.id] = (*home.values(), *beyond.values())
    for site in content.sites:
        if site.kind != "embassy":
            found["site", site.place] = tuple(outlines(country_code(site.country) or "").values())
    return found


def within(area: Iterable[Shape], at: Position) -> bool:
    """Return whether a point lies in the box around a part of some shapes, give or take :data:`MARGIN`."""
    for shape in area:
        parts = shape["coordinates"] if shape["type"] == "MultiPolygon" else [shape["coordinates"]]
        for outer, *_ in parts:
            # a part begins on the side of the date line on which the point is
            turns = [(x - at[0] + 180) % 360 - 180 for x, _ in outer]
            ys = [y - at[1] for _, y in outer]
            is_near = all(min(line) - MARGIN <= 0 <= max(line) + MARGIN for line in (turns, ys))
            if is_near and max(turns) - min(turns) < 180:
                return True
    return False


SUBJECTS = (
    strange_dates,
    strange_sites,
    strange_posts,
    strange_ways,
    strange_resignation,
    strange_mechanisms,
    strange_evidence,
    unused_evidence,
    strange_values,
    strange_places,
)
"""What is looked for, subject by subject."""
