"""Checks of a case's force, routes, sites, patterns, evidence and targets.

Whether what they name is there and adds up, and whether every number has a parent that exists.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import get_args

from breakrank.case.case_data import answers
from breakrank.case.content import Loaded
from breakrank.case.country import same_country
from breakrank.case.log_words import EVENTS, FATES, OCCASIONS
from breakrank.case.models_base import Evidenced
from breakrank.case.models_evidence import Target
from breakrank.case.models_patterns import OF_A_SOLDIER, OF_AN_EVENT, PUT_TOGETHER, Incident, Query, shipped
from breakrank.case.models_routes import Crossing, Site
from breakrank.case.values import Document, Step, foreign, known_id, known_ids, out_of_range
from breakrank.errors import CaseError, Location, gathered, nearest
from breakrank.outputs import Measure
from breakrank.spec import Catalogue

Path = tuple[Step, ...]


def check_patterns(loaded: Loaded, catalogue: Catalogue) -> None:
    """Check every name in patterns.yaml.

    Raises
    ------
    FaultyCaseError
        for all that does not fit.
    """
    content, document = loaded.content, loaded.documents["patterns.yaml"]
    observations = [o.id for o in content.observations]
    with gathered() as found:
        for k, pattern in enumerate(content.patterns):
            with found.kept():
                if not pattern.told:
                    known_id(pattern.id, [p.id for p in shipped()], "shipped pattern", document, (k, "id"))
                known_ids(pattern.observations, observations, "observation", document, (k, "observations"))
            words = _Words(loaded, catalogue, document)
            queries: list[tuple[Query, Path]] = [(q, (k, "prefer", j)) for j, q in enumerate(pattern.prefer)]
            if pattern.where is not None:
                queries.insert(0, (pattern.where, (k, "where")))
            for query, path in queries:
                with found.kept():
                    words.check(query, path)


class _Words:
    """The names that a query may use."""

    def __init__(self, loaded: Loaded, catalogue: Catalogue, document: Document) -> None:
        force, routes, sites = loaded.content.force, loaded.content.routes, loaded.content.sites
        self.document = document
        self.of_query = {
            "with": ("fact of a soldier", tuple(OF_A_SOLDIER)),
            "without": ("fact of a soldier", tuple(OF_A_SOLDIER)),
            "ranks": ("rank", tuple(r.id for r in force.ranks)),
            "branches": ("branch", tuple(b.id for b in force.branches)),
            "states": ("state", tuple(s.id for s in force.states)),
            "fates": ("fate", (*FATES, *catalogue.fates)),
        }
        by_day_and_state = tuple(f.name for f in catalogue.fields.values() if set(f.dims) <= {"state"})
        self.of_step = {
            "with": ("fact of an event", tuple(OF_AN_EVENT)),
            "without": ("fact of an event", tuple(OF_AN_EVENT)),
            "occasions": ("occasion", OCCASIONS),
            "ways": (
                "crossing or kind of crossing",
                (*(c.id for c in routes.crossings), *_kinds(Crossing)),
            ),
            "sites": ("site or kind of site", (*(s.id for s in sites), *_kinds(Site))),
            "high": ("field by day or by state", by_day_and_state),
        }
        self.events = (*EVENTS, *PUT_TOGETHER, *catalogue.events)

    def check(self, query: Query, path: Path) -> None:
        """Check a query and those within it."""
        self._names(query, self.of_query, path)
        for j, step in enumerate(query.events):
            known_id(step.event, self.events, "event", self.document, (*path, "events", j, "event"))
            self._names(step, self.of_step, (*path, "events", j))
        if query.times is not None and not query.events:
            raise self.document.error((*path, "times"), "times is said of no events", "Write events:.")
        for key, inner in (("all", query.every), ("any", query.some), ("none", query.none)):
            for j, one in enumerate(inner):
                self.check(one, (*path, key, j))

    def _names(
        self, said: Query | Incident, known: dict[str, tuple[str, tuple[str, ...]]], path: Path
    ) -> None:
        for key, (what, names) in known.items():
            given = getattr(said, {"with": "having", "without": "lacking"}.get(key, key))
            known_ids(given, names, what, self.document, (*path, key))


def _kinds(model: type[Crossing | Site]) -> tuple[str, ...]:
    return get_args(model.model_fields["kind"].annotation)


def check_routes(loaded: Loaded) -> None:
    """Check roads and crossings, and that everything on the map has its point.

    Raises
    ------
    FaultyCaseError
        for all that does not fit.
    """
    with gathered() as found:
        for check in (_check_roads, _check_crossings, _check_places):
            with found.kept():
                check(loaded)


def _check_roads(loaded: Loaded) -> None:
    document = loaded.documents["routes.yaml"]
    states = [s.id for s in loaded.content.force.states]
    seen: set[frozenset[str]] = set()
    with gathered() as found:
        for k, road in enumerate(loaded.content.routes.roads):
            with found.kept():
                known_id(road.start, states, "state", document, ("roads", k, "from"))
                known_id(road.to, states, "state", document, ("roads", k, "to"))
                if road.start == road.to:
                    raise document.error(
                        ("roads", k, "to"), f"the road leads from {road.start!r} to itself", "Remove it."
                    )
                ends = frozenset((road.start, road.to))
                if ends in seen:
                    raise document.error(
                        ("roads", k),
                        f"the road between {road.start!r} and {road.to!r} is there twice",
                        "Roads go both ways; keep one.",
                    )
                seen.add(ends)


def _check_crossings(loaded: Loaded) -> None:
    document = loaded.documents["routes.yaml"]
    states = [s.id for s in loaded.content.force.states]
    ranks = [r.id for r in loaded.content.force.ranks]
    with gathered() as found:
        for k, crossing in enumerate(loaded.content.routes.crossings):
            with found.kept():
                known_id(crossing.state, states, "state", document, ("crossings", k, "state"))
                known_ids(crossing.ranks, ranks, "rank", document, ("crossings", k, "ranks"))
                home = loaded.content.case.country
                if crossing.inside:
                    _check_inside(loaded, k, crossing)
                else:
                    foreign(crossing.country, home, "other side", document, ("crossings", k, "country"))
                if crossing.capture + crossing.violence > 1:
                    raise document.error(
                        ("crossings", k, "violence"),
                        f"capture ({crossing.capture:g}) and violence ({crossing.violence:g}) add up to more "
                        "than 1",
                        "They are probabilities of two outcomes of one attempt.",
                    )
                before = None
                for j, spell in enumerate(crossing.schedule):
                    capture = crossing.capture if spell.capture is None else spell.capture
                    violence = crossing.violence if spell.violence is None else spell.violence
                    if capture + violence > 1:
                        raise document.error(
                            ("crossings", k, "schedule", j),
                            f"capture ({capture:g}) and violence ({violence:g}) add up to more than 1",
                        )
                    if before is not None and spell.start <= before:
                        raise document.error(
                            ("crossings", k, "schedule", j, "from"),
                            f"this starts on {spell.start}, before the one above is over ({before})",
                            "List the times in order; both dates of each are included, without overlap.",
                        )
                    before = spell.to


def _check_inside(loaded: Loaded, k: int, crossing: Crossing) -> None:
    document, case = loaded.documents["routes.yaml"], loaded.content.case
    if not same_country(crossing.country, case.country):
        raise document.error(
            ("crossings", k, "country"),
            f"{crossing.kind!r} lies inside the country, and {crossing.country!r} is not {case.country!r}",
            f"Write country: {case.country}.",
        )
    if crossing.at_home and "opposition" not in case.mechanisms:
        raise document.error(
            ("crossings", k, "kind"),
            f"{crossing.kind!r} is a way to an opposition inside the country, which the case does not name",
            "Add opposition to the mechanisms in case.yaml: mechanisms: [opposition].",
        )


def _check_places(loaded: Loaded) -> None:
    content = loaded.content
    wanted: list[tuple[str, str, tuple[Step, ...], str]]
    wanted = [("state", "force.yaml", ("states", k), s.id) for k, s in enumerate(content.force.states)]
    wanted += [
        ("crossing", "routes.yaml", ("crossings", k, "id"), c.id)
        for k, c in enumerate(content.routes.crossings)
    ]
    wanted += [("site", "sites.yaml", (k, "place"), s.place) for k, s in enumerate(content.sites)]
    ids = {place.id for place in content.places.features}
    with gathered() as found:
        for what, file, path, name in wanted:
            with found.kept():
                if name not in ids:
                    raise loaded.documents[file].error(
                        path,
                        f"the {what} has no point {name!r} in places.geojson{nearest(name, ids)}",
                        "Add a Feature with properties {id: "
                        + name
                        + ", kind: "
                        + what
                        + ", label: ...} and its coordinates.",
                    )


def check_sites(loaded: Loaded) -> None:
    """Check the payers, crossings and currency of sites.

    Raises
    ------
    FaultyCaseError
        for all that does not fit.
    """
    content, document = loaded.content, loaded.documents["sites.yaml"]
    payers = [p.id for p in content.payers]
    currency = content.case.currency
    inside = any(c.inside and c.host for c in content.routes.crossings)
    with gathered() as found:
        for k, site in enumerate(content.sites):
            with found.kept():
                if site.kind != "embassy" and not inside:
                    foreign(site.country, content.case.country, "site", document, (k, "country"))
                _check_reached(loaded, k)
                for name in site.payers:
                    known_id(name, payers, "payer", document, (k, "payers", name))
                unit = site.cost_per_person_day.unit
                if unit != currency and not unit.startswith(f"{currency} "):
                    raise document.error(
                        (k, "cost_per_person_day", "unit"),
                        f"the cost is given in {unit!r}, and the currency of the case is {currency!r}",
                        f"Funds are in {currency}: convert the cost, and write {currency} per person and "
                        "day.",
                    )
        _check_embassies(loaded)


def _check_reached(loaded: Loaded, k: int) -> None:
    """Raise an error where no way with a reception scheme leads to the country of a site."""
    site = loaded.content.sites[k]
    hosts = sorted({c.country for c in loaded.content.routes.crossings if c.host})
    if site.kind != "embassy" and hosts and not any(same_country(site.country, host) for host in hosts):
        raise loaded.documents["sites.yaml"].error(
            (k, "country"),
            f"no crossing with host: true leads to {site.country!r}, so nobody could be accommodated here",
            f"Countries of such crossings: {', '.join(hosts)}.",
        )


def _check_embassies(loaded: Loaded) -> None:
    content, document = loaded.content, loaded.documents["sites.yaml"]
    kinds = {c.id: c.kind for c in content.routes.crossings}
    embassies = [name for name, kind in kinds.items() if kind == "embassy"]
    taken: dict[str, str] = {}
    with gathered() as found:
        for k, site in enumerate(content.sites):
            with found.kept():
                if site.crossing is None:
                    continue
                path = (k, "crossing")
                known_id(site.crossing, kinds, "crossing", document, path)
                if kinds[site.crossing] != "embassy":
                    raise document.error(
                        path,
                        f"{site.crossing!r} is of kind {kinds[site.crossing]!r}, and an embassy is expected",
                        f"Embassies among the crossings: {', '.join(embassies) or 'none'}.",
                    )
                if site.crossing in taken:
                    raise document.error(
                        path,
                        f"the people of {site.crossing!r} live at {taken[site.crossing]!r} already",
                        "Keep crossing at one of the two sites.",
                    )
                taken[site.crossing] = site.id


TOLERANCE = 1e-6
"""How far shares may be from adding up to 1."""


def check_force(loaded: Loaded, catalogue: Catalogue) -> None:
    """Check strengths, shares, regions and stations.

    Raises
    ------
    FaultyCaseError
        for all that does not fit.
    """
    with gathered() as found:
        for check in (_check_strength, _check_branches, _check_ranks, _check_capital, _check_regions):
            with found.kept():
                check(loaded, catalogue)
        _check_stations(loaded)


def _check_branches(loaded: Loaded, _: Catalogue) -> None:
    force, document = loaded.content.force, loaded.documents["force.yaml"]
    total = sum(b.strength for b in force.branches)
    if total != force.strength.value:
        raise document.error(
            ("branches",),
            f"the branches add up to {total:,}, and the strength is {force.strength.value:,}",
            f"Change a branch by {force.strength.value - total:+,}, or the strength.",
        )


def _check_capital(loaded: Loaded, _: Catalogue) -> None:
    states = (s.id for s in loaded.content.force.states)
    known_id(loaded.content.case.capital, states, "state", loaded.documents["case.yaml"], ("capital",))


def _check_strength(loaded: Loaded, catalogue: Catalogue) -> None:
    strength, document = loaded.content.force.strength, loaded.documents["force.yaml"]
    declared = catalogue.parameters.get("force.strength")
    unit = declared.unit if declared else "persons"
    if strength.unit != unit:
        raise document.error(("strength", "unit"), f"the unit is {strength.unit!r}, and {unit!r} is expected")
    if declared is None:
        return
    for key, value in (("value", strength.value), ("range", strength.range[0]), ("range", strength.range[1])):
        problem = out_of_range(value, declared)
        if problem:
            raise document.error(("strength", key), problem)


def _check_ranks(loaded: Loaded, _: Catalogue) -> None:
    force, document = loaded.content.force, loaded.documents["force.yaml"]
    branches, ranks = [b.id for b in force.branches], [r.id for r in force.ranks]
    with gathered() as found:
        for k, branch_entry in enumerate(force.branches):
            for key in ("resigns", "refuses"):
                for j, rank_id in enumerate(getattr(branch_entry, key)):
                    with found.kept():
                        known_id(rank_id, ranks, "rank", document, ("branches", k, key, j))
        for k, rank in enumerate(force.ranks):
            with found.kept():
                if k and rank.tier < force.ranks[k - 1].tier:
                    raise document.error(
                        ("ranks", k, "tier"),
                        f"the tier {rank.tier} is below that of {force.ranks[k - 1].id!r} before it",
                        "List the ranks lowest first.",
                    )
                if isinstance(rank.share, dict):
                    for branch in rank.share:
                        known_id(branch, branches, "branch", document, ("ranks", k, "share", branch))
                    for branch in branches:
                        if branch not in rank.share:
                            raise document.error(
                                ("ranks", k, "share"),
                                f"the share in the branch {branch!r} is missing",
                                f"Write {branch}: 0.5.",
                            )
        if not found:
            _check_shares(loaded, branches)


def _check_shares(loaded: Loaded, branches: list[str]) -> None:
    force, document = loaded.content.force, loaded.documents["force.yaml"]
    for branch in branches:
        total = math.fsum(r.share[branch] if isinstance(r.share, dict) else r.share for r in force.ranks)
        if abs(total - 1) > TOLERANCE:
            raise document.error(
                ("ranks",),
                f"the shares of the ranks in the branch {branch!r} add up to {total:.6g}, and 1 is expected",
                f"Change them by {1 - total:+.6g}.",
            )


def _check_regions(loaded: Loaded, _: Catalogue) -> None:
    force, document = loaded.content.force, loaded.documents["force.yaml"]
    states = [s.id for s in force.states]
    seen: dict[str, str] = {}
    with gathered() as found:
        for k, region in enumerate(force.regions):
            for j, state in enumerate(region.states):
                with found.kept():
                    known_id(state, states, "state", document, ("regions", k, "states", j))
                    if state in seen:
                        raise document.error(
                            ("regions", k, "states", j),
                            f"the state {state!r} is in two regions, {seen[state]!r} and {region.id!r}",
                            "Keep it in one.",
                        )
                    seen[state] = region.id
        for k, state in enumerate(() if found else states):
            with found.kept():
                if state not in seen:
                    raise document.error(
                        ("states", k),
                        f"the state {state!r} is in no region",
                        "Add it to the states of one region.",
                    )


def _check_stations(loaded: Loaded) -> None:
    force = loaded.content.force
    known = {"state": [s.id for s in force.states], "branch": [b.id for b in force.branches]}
    shares: dict[str, list[float]] = {b: [] for b in known["branch"]}
    seen: dict[tuple[str, str], int] = {}
    with gathered() as found:
        for row in loaded.station_rows:
            with found.kept():
                for column, ids in known.items():
                    row.check_id(column, ids)
                share = row.number("share")
                if not 0 <= share <= 1:
                    raise CaseError(
                        f"the share {share:g} is out of range, expected 0 to 1", row.place("share")
                    )
                key = (row.cells["state"], row.cells["branch"])
                if key in seen:
                    raise CaseError(
                        f"{key[1]!r} in {key[0]!r} is there twice (first on line {seen[key]})",
                        row.place(),
                        "Keep one of the two.",
                    )
                seen[key] = row.line
                shares[key[1]].append(share)
        for branch, parts in () if found else shares.items():
            with found.kept():
                total = math.fsum(parts)
                if abs(total - 1) > TOLERANCE:
                    raise CaseError(
                        f"the shares of the branch {branch!r} add up to {total:.6g}, and 1 is expected",
                        Location(loaded.station_rows[0].file, 1, "share"),
                        f"Change them by {1 - total:+.6g}." if parts else f"Add rows for {branch!r}.",
                    )


def check_command(loaded: Loaded) -> None:
    """Check the branches and regions of positions, their places, and that weights add up to at most 1.

    Raises
    ------
    FaultyCaseError
        for all that does not fit.
    """
    content, document = loaded.content, loaded.documents["command.yaml"]
    regions = {r.id: r.states for r in content.force.regions}
    branches = [b.id for b in content.force.branches]
    with gathered() as found:
        for k, position in enumerate(content.command):
            with found.kept():
                if position.branch is not None:
                    known_id(position.branch, branches, "branch", document, (k, "branch"))
                if position.region is None:
                    continue
                known_id(position.region, regions, "region", document, (k, "region"))
                if position.capital and content.case.capital not in regions[position.region]:
                    raise document.error(
                        (k, "region"),
                        f"{position.id!r} sits in the capital ({content.case.capital}), "
                        f"which is not in the region {position.region!r}",
                        "Correct the region, or write capital: false.",
                    )
        total = math.fsum(p.weight for p in content.command)
        if total > 1 + TOLERANCE:
            raise document.error(
                (),
                f"the weights of the positions add up to {total:.6g}, and at most 1 is expected",
                f"They are shares of the forces' obedience: take {total - 1:.6g} away.",
            )


Cited = tuple[str, tuple[Step, ...], Evidenced]


def citing(loaded: Loaded) -> Iterator[Cited]:
    """Yield everything that carries evidence: its file, where it stands there, and the thing."""
    c = loaded.content
    force, routes = c.force, c.routes
    yield "force.yaml", ("strength",), force.strength
    for k, branch in enumerate(force.branches):
        yield "force.yaml", ("branches", k), branch
    for k, rank in enumerate(force.ranks):
        yield "force.yaml", ("ranks", k), rank
    yield "force.yaml", ("regions_basis",), force.regions_basis
    yield "force.yaml", ("stations",), force.stations
    yield "force.yaml", ("formations",), force.formations
    for k, position in enumerate(c.command):
        yield "command.yaml", (k,), position
    yield "routes.yaml", ("roads_basis",), routes.roads_basis
    for k, crossing in enumerate(routes.crossings):
        yield "routes.yaml", ("crossings", k), crossing
        for j, spell in enumerate(crossing.schedule):
            yield "routes.yaml", ("crossings", k, "schedule", j), spell
    for file, mapping in (("fields.yaml", c.fields), ("parameters.yaml", c.parameters)):
        for name, entry in mapping.items():
            yield file, (name,), entry
    for k, money in enumerate(c.rates):
        for j, rate in enumerate(money.rates):
            yield "rates.yaml", (k, "rates", j), rate
    lists: tuple[tuple[str, tuple[Evidenced, ...]], ...] = (
        ("events.yaml", c.events),
        ("payers.yaml", c.payers),
        ("sites.yaml", c.sites),
        ("targets.yaml", c.targets),
    )
    for file, items in lists:
        for k, item in enumerate(items):
            yield file, (k,), item


MADE_UP = ("Ministry of Defence of Montara", "Institute of Military Balance", "The Norlund Herald")
"""Publishers of the made-up country, whose papers are no record of any other."""


def _check_made_up(loaded: Loaded) -> None:
    """Check that nothing of the template's made-up country stands as the record of another."""
    country = loaded.content.case.country
    if country == "Montara":
        return
    with gathered() as found:
        for k, source in enumerate(loaded.content.sources):
            if source.publisher in MADE_UP and "(made up)" in source.title:
                problem = f"{source.publisher!r} is the template's, and no source on {country}"
                document = loaded.documents["evidence/sources.yaml"]
                remedy = "Replace it by a source of yours, or take out what cites it, and then itself."
                found.append(document.error((k, "publisher"), problem, remedy))


def check_evidence(loaded: Loaded) -> None:
    """Check the ledger, and that whatever is cited exists.

    Raises
    ------
    FaultyCaseError
        for all that does not fit.
    """
    known = {o.id for o in loaded.content.observations}
    with gathered() as found:
        for check in (_check_sources, _check_observations):
            with found.kept():
                check(loaded)
        for file, path, thing in citing(loaded):
            for k, name in enumerate(thing.evidence or ()):
                if name not in known:
                    with found.kept():
                        at = (*path, "evidence", k)
                        known_id(name, sorted(known), "observation", loaded.documents[file], at)


def _check_sources(loaded: Loaded) -> None:
    document = loaded.documents["evidence/sources.yaml"]
    _check_made_up(loaded)
    parents = {s.id: s.copy_of for s in loaded.content.sources}
    with gathered() as found:
        for k, source in enumerate(loaded.content.sources):
            with found.kept():
                if source.copy_of is None:
                    continue
                known_id(source.copy_of, parents, "source", document, (k, "copy_of"))
                above: str | None = source.id
                seen: set[str] = set()
                while above is not None and above not in seen:
                    seen.add(above)
                    above = parents.get(above)
                if above is not None:
                    raise document.error(
                        (k, "copy_of"), f"the source {source.id!r} is a copy of itself", "Name the original."
                    )


def _check_observations(loaded: Loaded) -> None:
    document = loaded.documents["evidence/observations.yaml"]
    observations = {o.id: o for o in loaded.content.observations}
    sources = [s.id for s in loaded.content.sources]
    with gathered() as found:
        for k, observation in enumerate(loaded.content.observations):
            with found.kept():
                known_id(observation.source, sources, "source", document, (k, "source"))
                for j, other in enumerate(observation.conflicts):
                    if other not in observations:
                        known_id(other, observations, "observation", document, (k, "conflicts", j))
                    if observation.id not in observations[other].conflicts:
                        raise document.error(
                            (k, "conflicts", j),
                            f"{observation.id!r} conflicts with {other!r}, and {other!r} does not say so",
                            f"Write {observation.id} among the conflicts of {other}.",
                        )


def check_targets(loaded: Loaded, catalogue: Catalogue) -> None:
    """Check what targets count, and of whom.

    Raises
    ------
    FaultyCaseError
        for all that does not fit.
    """
    content, document = loaded.content, loaded.documents["targets.yaml"]
    ids = content.labels
    with gathered() as found:
        if content.case.headline is not None:
            named = [target.id for target in content.targets]
            with found.kept():
                known_id(content.case.headline, named, "target", loaded.documents["case.yaml"], ("headline",))
        for k, target in enumerate(content.targets):
            with found.kept():
                if target.measure not in catalogue.measures:
                    raise document.error(
                        (k, "measure"),
                        f"unknown measure {target.measure!r}{nearest(target.measure, catalogue.measures)}",
                        "`breakrank case keys targets` lists them; left, for instance, counts all who left.",
                    )
                measure = catalogue.measures[target.measure]
                unit, dims = measure.unit, [dim for dim in measure.dims if dim in ids]
                if target.against is not None:
                    _check_against(target, unit, document, k)
                elif target.unit != unit:
                    raise document.error(
                        (k, "unit"),
                        f"the unit is {target.unit!r}, and {target.measure} is counted in {unit!r}",
                        "Convert the figure, or correct the unit.",
                    )
                for key, selector in (("by", target.by or {}), ("against", target.against or {})):
                    for dim, names in selector.items():
                        together = measure.answered_by(tuple(selector)) or measure.counted_by(tuple(selector))
                        if not set(selector) <= set(dims) or together is None:
                            raise document.error(
                                (k, key, dim),
                                f"{target.measure} cannot be counted by {' and '.join(selector)}",
                                f"Write one of: {', '.join(dims)}."
                                if dims
                                else f"Remove {key}; the total is counted.",
                            )
                        for name in names:
                            known_id(name, ids[dim], dim, document, (k, key, dim))
                _check_day(target, measure, catalogue, loaded, k)
                _check_conflicting(target, loaded, document, k)


def _check_day(target: Target, measure: Measure, catalogue: Catalogue, loaded: Loaded, k: int) -> None:
    """Refuse a part that is recorded on the last day only, asked for on another."""
    end = loaded.content.case.calendar.end
    for key, selector in (("by", target.by or {}), ("against", target.against or {})):
        dims = tuple(selector)
        if (
            not dims
            or measure.counted_by(dims) is not None
            or answers(measure, dims, catalogue, last=target.date == end)
        ):
            continue
        raise loaded.documents["targets.yaml"].error(
            (k, key, dims[0]),
            f"{target.measure} by {' and '.join(dims)} is recorded on the last day only, {end}",
            f"Write date: {end}, remove {key}, or take a count of each day, such as left.",
        )


def _check_against(target: Target, unit: str, document: Document, k: int) -> None:
    if unit in ("ratio", "1 or 0"):
        raise document.error(
            (k, "against"), f"{target.measure} is counted in {unit!r} and has no parts", "Remove it."
        )
    if target.unit != "ratio":
        raise document.error(
            (k, "unit"),
            f"the unit is {target.unit!r}, and a part set against another makes a 'ratio'",
            "Write unit: ratio.",
        )


def _check_conflicting(target: Target, loaded: Loaded, document: Document, k: int) -> None:
    observations = {o.id: o for o in loaded.content.observations}
    for j, name in enumerate(target.conflicting):
        if name not in observations:
            known_id(name, sorted(observations), "observation", document, (k, "conflicting", j))
        if observations[name].text is not None:
            raise document.error(
                (k, "conflicting", j),
                f"the observation {name!r} gives no figure",
                "Name one with a value or a range, or leave it out.",
            )
        if name in (target.evidence or ()):
            raise document.error(
                (k, "conflicting", j),
                f"{name!r} is evidence of the figure and conflicts with it",
                "Keep it in one of the two lists.",
            )
