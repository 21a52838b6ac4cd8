"""What is strange about the roads, the host and the map of a case, though it can be used."""

from __future__ import annotations

from collections.abc import Iterator

from breakrank.case.content import Loaded
from breakrank.case.strange_sites import Strange


def strange_ways(loaded: Loaded) -> Iterator[Strange]:
    """Yield states without a road, hosts of several countries, and places at a pole or on the date line."""
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
        text = f"there is one host, and crossings lead to it in {len(hosts)} countries: {', '.join(hosts)}"
        remedy = "All who arrive share its sites, money and rules; write host: true for one of the countries."
        yield "routes.yaml", ("crossings", at, "country"), text, remedy
    for k, place in enumerate(content.places.features):
        if abs(place.latitude) == 90 or abs(place.longitude) == 180:
            text = (
                f"the place {place.id!r} lies at {place.longitude:g}, {place.latitude:g}, the end of the map"
            )
            remedy = "Write [longitude, latitude] in degrees, as [-72.44, 7.81]."
            yield "places.geojson", ("features", k, "geometry", "coordinates"), text, remedy
