"""Whether roads, crossings, places and sites fit the states, the map and who pays."""

from __future__ import annotations

from breakrank.case.check_words import foreign, known_id
from breakrank.case.content import Loaded
from breakrank.case.country import same_country
from breakrank.case.models_routes import Crossing
from breakrank.case.values import Step
from breakrank.errors import gathered, nearest


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
                for j, rank in enumerate(crossing.ranks):
                    known_id(rank, ranks, "rank", document, ("crossings", k, "ranks", j))
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
    content, document = loaded.content, loaded.documents["places.geojson"]
    wanted: list[tuple[str, str, tuple[Step, ...], str]]
    wanted = [("state", "force.yaml", ("states", k), s.id) for k, s in enumerate(content.force.states)]
    wanted += [
        ("crossing", "routes.yaml", ("crossings", k, "id"), c.id)
        for k, c in enumerate(content.routes.crossings)
    ]
    wanted += [("site", "sites.yaml", (k, "place"), s.place) for k, s in enumerate(content.sites)]
    ids: set[str] = set()
    with gathered() as found:
        for k, place in enumerate(content.places.features):
            with found.kept():
                if place.id in ids:
                    raise document.error(
                        ("features", k, "properties", "id"),
                        f"the place {place.id!r} is there twice",
                        "Keep one of the two.",
                    )
                ids.add(place.id)
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
