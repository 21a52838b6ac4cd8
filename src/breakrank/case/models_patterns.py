"""patterns.yaml: kinds of lives that stories count, each a query over the event log of one soldier.

The words in which a pattern of lives asks of soldiers and events, beside those of :mod:`.log_words`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import Field, TypeAdapter, model_validator

from breakrank.case.documents import read_yaml
from breakrank.case.models_base import CaseModel, Flag, Id, Ids, Line, Prose, Range, Whole, unique
from breakrank.case.values import SlipError, validated

PUT_TOGETHER: Final[Mapping[str, str]] = {
    "took part in an uprising": "commanders who rose and soldiers who followed, on the day; value: how many",
    "his plan was found out": "someone of the plot that he founded was overheard, named, warned or arrested "
    "before it was launched; value: members",
    "rose beside a friend": "took part in a failed uprising that he had plotted with another middle officer "
    "whom he trusts, one of them guarding politicians or in intelligence",
}
"""Events that are no rows of the log but put together from several."""

OF_A_SOLDIER: Final[Mapping[str, str]] = {
    "opposed at the end": "privately opposed on the last day",
    "dependants": "feeds one or more",
    "kin abroad": "has relatives abroad who could take him in",
    "vehicle": "has a vehicle at hand",
    "border post": "serves at a border post",
    "escort duty": "has escort duty",
    "guards a politician": "guards a politician",
    "in intelligence": "serves in an intelligence service",
    "officer": "of a rank group whose academy is that of the officers",
    "lowest officer": "of the lowest rank group of officers",
    "middle officer": "an officer of neither the lowest nor the highest rank group of officers",
    "highest rank": "of the last rank group in force.yaml",
    "sergeant": "of a rank group with an academy for sergeants; without one, between recruits and officers",
}
"""Facts of a soldier."""

OF_AN_EVENT: Final[Mapping[str, str]] = {
    "opposed": "left for the border: privately opposed then",
    "with family": "left for the border: his family came along",
    "from his post": "left for the border: from a posting at the crossing",
    "leading": "left for the border: others came along",
    "following": "left for the border: someone led him",
    "in a group": "left for the border: leading or following",
    "by vehicle": "left for the border: he or whom he followed has a vehicle at hand",
    "from his own state": "the route begins in the state in which he is stationed",
    "closed": "the route was closed that day",
    "beside a shut gate": "in the state of the route a bridge or road was closed that day, and being shot "
    "there likelier than usual",
    "to the host": "the route leads to the host",
    "to the opposition": "the route ends inside the country, with an opposition there",
    "at a site": "he lived at a site that day",
    "low morale": "ran to the border: morale below 0.5",
    "to kin": "moved on: to relatives",
    "rightly": "expelled by the host: as the infiltrator that he was",
    "of the high command": "a pledge made or not kept: as holder of a position of the high command",
    "failed": "took part in an uprising: it did not succeed",
    "pledge not kept": "took part in an uprising: someone who had pledged himself stayed away",
    "to cross": "his plan was found out: a plan to cross with comrades",
    "warned": "his plan was found out: he was warned",
    "overheard": "his plan was found out: by a wiretap",
    "classmate": "rose beside a friend: of the same academy class",
    "friend in an embassy": "rose beside a friend: who was let into an embassy afterwards",
}
"""Facts of an event: of which event, and what is the case."""


SHIPPED = Path(__file__).parent / "patterns.yaml"
"""The patterns that every case has unless its own file says otherwise."""
MOST = 60
"""Patterns that a case may have."""


class Incident(CaseModel):
    """Something that happened to a soldier, or that they did, as the event log has it."""

    event: Line = Field(description="an event of the log")
    after: Range | None = Field(
        default=None, description="days since the event before it, as [fewest, most]; by default any"
    )
    having: tuple[Line, ...] = Field(
        default=(), alias="with", description="facts of the event, all of which hold"
    )
    lacking: tuple[Line, ...] = Field(
        default=(), alias="without", description="facts of the event, none of which holds"
    )
    occasions: tuple[Line, ...] = Field(
        default=(), description="left for the border: occasions at which they decided, any of them"
    )
    ways: Ids = Field(default=(), description="ids or kinds of crossings, as [trail, river]; any of them")
    sites: Ids = Field(default=(), description="ids or kinds of sites where they lived that day; any of them")
    stay: Range | None = Field(default=None, description="days of the stay at a site up to then")
    idle: Range | None = Field(default=None, description="days at sites without leave to work up to then")
    value: Range | None = Field(default=None, description="what the log notes beside the event")
    high: Ids = Field(
        default=(), description="fields above their median that day, where they or their leader was"
    )


class Query(CaseModel):
    """Whose lives are meant: all that is said here holds of them."""

    having: tuple[Line, ...] = Field(
        default=(), alias="with", description="facts of the soldier, all of which hold"
    )
    lacking: tuple[Line, ...] = Field(
        default=(), alias="without", description="facts of the soldier, none of which holds"
    )
    ranks: Ids = Field(default=(), description="ids of ranks, any of them")
    branches: Ids = Field(default=(), description="ids of branches, any of them")
    states: Ids = Field(default=(), description="ids of the states in which they are stationed, any of them")
    fates: tuple[Line, ...] = Field(default=(), description="where they stand on the last day, any of them")
    events: tuple[Incident, ...] = Field(
        default=(), description="what happened to them, one event on the same day as the one before or later"
    )
    times: Range | None = Field(
        default=None, description="how often the last of these events happened so; by default once or more"
    )
    every: tuple[Query, ...] = Field(default=(), alias="all", description="more that holds, each a query")
    some: tuple[Query, ...] = Field(default=(), alias="any", description="queries of which one holds or more")
    none: tuple[Query, ...] = Field(default=(), description="queries of which none holds")


class Trait(Query):
    """Something that makes a life a better example."""

    points: Annotated[Whole, Field(ge=1, le=9)] = Field(default=1, description="how much it weighs")


class Pattern(CaseModel):
    """A kind of lives; one with the id of a shipped pattern takes its place."""

    id: Id = Field(description="short name")
    told: Flag = Field(
        default=True, description="false: the shipped pattern of this id makes no sense here and is left out"
    )
    title: Line | None = Field(default=None, description="what a table calls it")
    about: Prose | None = Field(
        default=None, description="what happens in such a life, and what exactly is counted"
    )
    where: Query | None = Field(default=None, description="whose lives are counted")
    prefer: tuple[Trait, ...] = Field(
        default=(), description="what makes one of them a better example; it changes no count"
    )
    observations: Ids = Field(default=(), description="ids of observations that tell of it")

    @model_validator(mode="after")
    def _is_whole(self) -> Pattern:
        given: list[Any] = [self.title, self.about, self.where]
        if self.told and None in given:
            missing = ("title", "about", "where")[given.index(None)]
            raise SlipError(
                f"the pattern {self.id!r} has no {missing}",
                "Write title, about and where; told: false leaves a shipped pattern out.",
            )
        return self


Patterns = Annotated[tuple[Pattern, ...], Field(max_length=MOST), unique("pattern")]


@cache
def shipped() -> tuple[Pattern, ...]:
    """Return the patterns that come with the package, in the order in which a table shows them."""
    document = read_yaml(SHIPPED.read_text("utf-8"), SHIPPED)
    return validated(TypeAdapter(Patterns), document)


def patterns_of(own: tuple[Pattern, ...]) -> tuple[Pattern, ...]:
    """Return the patterns of a case: its own, and those shipped that it neither replaces nor leaves out."""
    mine = {p.id: p for p in own}
    known = [mine.pop(p.id, p) for p in shipped()]
    return tuple(p for p in (*known, *mine.values()) if p.told)
