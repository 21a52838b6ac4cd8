"""Whether the patterns of a case ask for events, facts, places and fields that there are."""

from __future__ import annotations

from typing import get_args

from breakrank.case.check_words import known_id
from breakrank.case.content import Loaded
from breakrank.case.log_words import EVENTS, FATES, OCCASIONS
from breakrank.case.models_patterns import Incident, Query, shipped
from breakrank.case.models_routes import Crossing
from breakrank.case.models_sites import Site
from breakrank.case.pattern_words import OF_A_SOLDIER, OF_AN_EVENT, PUT_TOGETHER
from breakrank.case.values import Document, Step
from breakrank.errors import gathered
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
                for j, name in enumerate(pattern.observations):
                    known_id(name, observations, "observation", document, (k, "observations", j))
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
            for j, name in enumerate(given):
                known_id(name, names, what, self.document, (*path, key, j))


def _kinds(model: type[Crossing | Site]) -> tuple[str, ...]:
    return get_args(model.model_fields["kind"].annotation)
