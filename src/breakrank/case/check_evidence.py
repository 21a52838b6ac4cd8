"""Whether every number has a parent that exists, and the ledger fits together."""

from __future__ import annotations

from collections.abc import Iterator

from breakrank.case.case_data import answers
from breakrank.case.content import Loaded
from breakrank.case.models_base import Evidenced
from breakrank.case.models_evidence import Target
from breakrank.case.values import Document, Step, known_id
from breakrank.errors import gathered, nearest
from breakrank.outputs import Measure
from breakrank.spec import Catalogue

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
    ids = {
        "rank": [r.id for r in content.force.ranks],
        "branch": [b.id for b in content.force.branches],
        "state": [s.id for s in content.force.states],
        "route": [c.id for c in content.routes.crossings],
        "site": [s.id for s in content.sites],
    }
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
