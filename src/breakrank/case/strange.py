"""What is strange in a case though nothing forbids it: dates, sites and ways out without an effect."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from breakrank.case.content import Content, Loaded
from breakrank.case.csv_reader import CsvRow
from breakrank.case.located import Step
from breakrank.case.models_case import Calendar
from breakrank.case.models_events import Event, FieldEntry

Strange = tuple[str, tuple[Step, ...], str, str]
"""A file, where in it, what is strange, and what to do about it."""


LONG_AGO = 2
"""Whole years before the calendar from which an event that acts within it is told."""


def strange_sites(loaded: Loaded) -> Iterator[Strange]:
    """Yield sites and money outside the calendar, payers of nothing, and embassies where nobody can be."""
    content = loaded.content
    start, end = content.case.calendar.start, content.case.calendar.end
    span = f"the calendar ({start} to {end})"
    paying = {name for site in content.sites for name in site.payers}
    for k, payer in enumerate(content.payers):
        if payer.id not in paying:
            remedy = "Name it among the payers of a site, or remove it."
            yield "payers.yaml", (k, "id"), f"{payer.id!r} pays for no site", remedy
        for j, fund in enumerate(payer.funds or ()):
            if fund.date > end:
                remedy = "It is never spent in a run; move the calendar, or remove it."
                path = (k, "funds", j, "date")
                yield "payers.yaml", path, f"money of {payer.id!r} comes after {span}", remedy
    for k, site in enumerate(content.sites):
        if site.opens > end or (site.closes is not None and site.closes < start):
            text = f"the site {site.id!r} is open only outside {span}"
            yield "sites.yaml", (k, "opens"), text, "It has no effect on a run; remove it."
        if site.kind == "embassy" and site.crossing is None:
            text = f"nobody ever lives at the embassy {site.id!r}, which belongs to no crossing"
            remedy = "Write crossing: and the id of the embassy crossing whose people live there."
            yield "sites.yaml", (k, "id"), text, remedy


def strange_dates(loaded: Loaded) -> Iterator[Strange]:
    """Yield events, targets, times of crossings and sanctions that lie outside the calendar."""
    content = loaded.content
    start, end = content.case.calendar.start, content.case.calendar.end
    span = f"the calendar ({start} to {end})"
    yield from _events("events.yaml", (), content.events, content.case.calendar)
    for k, asked in enumerate(content.counterfactuals):
        yield from _events("counterfactuals.yaml", (k, "events"), asked.events, content.case.calendar)
    for k, target in enumerate(content.targets):
        if not start <= target.date <= end or (target.start is not None and target.start < start):
            remedy = "It cannot be compared with a run; move the calendar, or remove it."
            yield "targets.yaml", (k, "date"), f"the target {target.id!r} lies outside {span}", remedy
    for k, crossing in enumerate(content.routes.crossings):
        for j, spell in enumerate(crossing.schedule):
            if spell.to < start or spell.start > end:
                path = ("crossings", k, "schedule", j)
                text = f"a time in the schedule of {crossing.id!r} lies outside {span}"
                yield "routes.yaml", path, text, "It has no effect on a run; remove it."
    for k, position in enumerate(content.command):
        if position.sanctioned is not None and position.sanctioned > end:
            text = f"the sanctions on {position.id!r} begin after {span}"
            yield "command.yaml", (k, "sanctioned"), text, "They have no effect on a run; remove them."


def _events(
    file: str, at: tuple[Step, ...], events: Sequence[Event], calendar: Calendar
) -> Iterator[Strange]:
    start, end = calendar.start, calendar.end
    for k, event in enumerate(events):
        ended = event.date < start and all(e.until is not None and e.until < start for e in event.effects)
        early = (start - event.date).days // 365
        if event.date > end or ended:
            text = f"the event {event.id!r} lies outside the calendar ({start} to {end})"
            remedy = "It has no effect on a run; move the calendar, or remove it."
            yield file, (*at, k, "date"), text, remedy
        elif early >= LONG_AGO:
            text = f"the event {event.id!r} acts from the first day, {early} years after its date"
            remedy = (
                f"Correct the year; if that is meant, write {start}, which acts the same but where it fades."
            )
            yield file, (*at, k, "date"), text, remedy


def without_effect(rows: Sequence[CsvRow], entry: FieldEntry, calendar: Calendar) -> list[CsvRow]:
    """Return the rows of a table, in its order, that no day of the calendar depends on.

    Of the rows before it the last counts for each cell, and of those after it the first where lines are
    drawn between them.
    """
    cells: dict[tuple[str, ...], list[CsvRow]] = {}
    for row in rows:
        cells.setdefault(tuple(row.cells[d] for d in entry.dims), []).append(row)
    idle: list[CsvRow] = []
    for one in cells.values():
        ordered = sorted(one, key=lambda r: r.date("date"))
        before = [r for r in ordered if r.date("date") <= calendar.start][:-1]
        after = [r for r in ordered if r.date("date") > calendar.end]
        alone = len(after) == len(ordered)  # then the first value holds on all days
        idle += before + after[1 if alone or entry.interpolate == "linear" else 0 :]
    return sorted(idle, key=lambda r: r.line)


def _hosts_out_of_reach(loaded: Loaded) -> Iterator[Strange]:
    content = loaded.content
    calendar, ways = content.case.calendar, [c for c in content.routes.crossings if c.host]
    for crossing in ways:
        shut = {
            day
            for spell in crossing.schedule
            if not spell.open
            for day in range(
                max(spell.start, calendar.start).toordinal(), min(spell.to, calendar.end).toordinal() + 1
            )
        }
        if len(shut) < calendar.days:
            return
    if ways:
        k = content.routes.crossings.index(ways[0])
        text = (
            "every crossing to the host is closed on all days, so that only those posted there can force it"
        )
        yield (
            "routes.yaml",
            ("crossings", k, "schedule"),
            text,
            "Correct the schedules, if that was not meant.",
        )


def strange_ways(loaded: Loaded) -> Iterator[Strange]:
    """Yield states without a road, and hosts in several countries or out of reach."""
    content = loaded.content
    joined = {state for road in content.routes.roads for state in (road.start, road.to)}
    alone = [k for k, state in enumerate(content.force.states) if state.id not in joined]
    if alone and len(content.force.states) > 1:
        names = ", ".join(content.force.states[k].id for k in alone)
        remedy = (
            "Nobody leaves there but by a crossing of the state itself; add a road, or a ferry, to roads."
        )
        yield "force.yaml", ("states", alone[0]), f"no road leads to {names}", remedy
    hosts = dict.fromkeys(c.country for c in content.routes.crossings if c.host)
    if len(hosts) > 1 and content.sites:
        second = list(hosts)[1]
        at = next(k for k, c in enumerate(content.routes.crossings) if c.host and c.country == second)
        text = f"crossings with host: true lead to {len(hosts)} countries: {', '.join(hosts)}"
        remedy = (
            "Each has its own sites, but all share one desk, one asylum office, permits and tension. A plan "
            "is for one of them: breakrank plan --place COUNTRY."
        )
        yield "routes.yaml", ("crossings", at, "country"), text, remedy
    yield from _hosts_out_of_reach(loaded)


def strange_composition(loaded: Loaded) -> Iterator[Strange]:
    """Yield a composition that nothing comes of."""
    content, named = loaded.content, loaded.content.case.mechanisms
    weights = ("cohesion.norm_weight", "cohesion.solidarity_weight")
    given = {name: content.parameters[name] for name in weights if name in content.parameters}
    if "composition" in named and len(given) == 2 and all(p.value == 0 for p in given.values()):
        text = "composition acts through cohesion, and cohesion.norm_weight and solidarity_weight are 0"
        remedy = "Write their typical values, 1 and 0.5, or leave composition out: clustering has no effect."
        yield "parameters.yaml", (weights[0], "value"), text, remedy


def strange_dissolution(loaded: Loaded) -> Iterator[Strange]:
    """Yield units that may dissolve though they never lose ground."""
    content, named = loaded.content, loaded.content.case.mechanisms
    if "dissolution" not in named:
        return
    if "war" not in named:
        text = "dissolution does nothing without war: units come apart where they lose posts or ground"
        yield "case.yaml", ("mechanisms",), text, "Add war to the mechanisms, or leave dissolution out."
    elif not _ever_above_zero(content, "held"):
        text = "dissolution does nothing: the opposition holds no ground on any day"
        remedy = "Say by date who holds what in the field held, or leave dissolution out."
        yield "case.yaml", ("mechanisms",), text, remedy


def strange_unit_defection(loaded: Loaded) -> Iterator[Strange]:
    """Yield units that may go over though there is no opposition at home."""
    named = loaded.content.case.mechanisms
    if "unit_defection" in named and "opposition" not in named:
        text = "unit_defection does nothing without opposition: there is nobody at home to go over to"
        remedy = "Add opposition to the mechanisms, or leave unit_defection out."
        yield "case.yaml", ("mechanisms",), text, remedy


def _ever_above_zero(content: Content, field: str) -> bool:
    """Return whether a field is above 0 in its value or table, or raised by an event."""
    entry = content.fields.get(field)
    given = entry is not None and (
        (entry.value or 0) > 0 or (entry.file is not None and max(content.series[entry.file].values) > 0)
    )
    raised = (
        e.field == field and e.op in ("set", "add") and e.value > 0 for x in content.events for e in x.effects
    )
    return given or any(raised)


def strange_posts(loaded: Loaded) -> Iterator[Strange]:
    """Yield states without troops, crossings that no troops can reach, and a lack of hosts."""
    yield from _out_of_reach(loaded)
    force = loaded.content.force
    strength = {b.id: b.strength for b in force.branches}
    manned = {s for s, branch, share in loaded.content.stations if share > 0 and strength[branch] > 0}
    empty = [k for k, state in enumerate(force.states) if state.id not in manned]
    if empty:
        named = some([force.states[k].id for k in empty])
        yield (
            "force.yaml",
            ("states", empty[0]),
            f"no troops are stationed in {named}",
            f"Add rows to {force.stations.file} if there are any.",
        )


def some(ids: Sequence[str]) -> str:
    """Return up to eight names in quotes, and how many there are where there are more."""
    named = ", ".join(repr(name) for name in ids[:8])
    return named if len(ids) <= 8 else f"{len(ids)} places: {named}, ..."


def _out_of_reach(loaded: Loaded) -> Iterator[Strange]:
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
        yield (
            "routes.yaml",
            ("crossings", cut_off[0], "state"),
            f"nobody can reach {some([w.id for w in ways])} by road: no troops in "
            f"{some(list(dict.fromkeys(w.state for w in ways)))} or on its roads",
            "Add a road that leads there.",
        )
    if content.routes.crossings and not any(c.host for c in content.routes.crossings):
        yield (
            "routes.yaml",
            ("crossings",),
            "no crossing leads to a host that registers arrivals",
            "Write host: true where the reception scheme is, unless there was none.",
        )
