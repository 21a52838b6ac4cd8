"""What requests hold besides a question: each is checked before anything is done with it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from breakrank.page.question import PageQuestion, Parameters
from breakrank.page.request_body import Name, Sent
from breakrank.page.scenario_file import LONGEST
from breakrank.questions.plan.scope import HOST, MOST_STAFF

MOST_STORY_RUNS = 20
"""Runs over which the page counts stories, at most."""


class AboutOne(Sent):
    """A question that was asked, with its key."""

    key: Annotated[str, Field(strict=True, max_length=64)] | None = None
    question: PageQuestion


class WantedFigures(AboutOne):
    """Figures by name, or those of the report; with them comes what stands beside the headline."""

    names: Annotated[tuple[Name, ...], Field(max_length=60)] | None = None
    theme: Name = "page"


class WantedSeries(Sent):
    """One variable by day, in all or by one of its dimensions; with so many of the first runs one by one."""

    variable: Name
    by: Name | None = None
    cumulative: Annotated[bool, Field(strict=True)] = False
    single: Annotated[int, Field(strict=True, ge=0, le=10)] = 0


Date = Annotated[str, Field(strict=True, pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]


class WantedHeadline(AboutOne):
    """What leads an answer up to a day, beside the unchanged case."""

    base: PageQuestion | None = None
    day: Date | None = None


class OneSeries(AboutOne, WantedSeries):
    """An answer's series."""


class ManySeries(AboutOne):
    """Several series of one answer, over the same days."""

    series: Annotated[tuple[WantedSeries, ...], Field(min_length=1, max_length=60)]


class TwoAnswers(Sent):
    """A comparison, of the unchanged side with another."""

    base: PageQuestion
    other: PageQuestion


class WantedLife(Sent):
    """One life: of a soldier, of one with this fate or story, or of one who ends otherwise than against.

    With a fate, a rank and a branch may be named.
    """

    question: PageQuestion
    run: Annotated[int, Field(strict=True, ge=0, le=2**31 - 2)] = 0
    soldier: Annotated[int, Field(strict=True, ge=0, le=2**32 - 1)] | None = None
    fate: Name | None = None
    rank: Name | None = None
    branch: Name | None = None
    story: Name | None = None
    against: PageQuestion | None = None


class WantedStories(Sent):
    """How many of the first runs hold which story."""

    question: PageQuestion
    runs: Annotated[int, Field(strict=True, ge=1, le=MOST_STORY_RUNS)] = 10


class WantedReception(Sent):
    """What a host has to provide in a period: of a question, and beside it of a changed one."""

    question: PageQuestion
    beside: PageQuestion | None = None
    place: Name = HOST
    since: Date | None = None
    until: Date | None = None
    staff: Annotated[int, Field(strict=True, ge=0, le=MOST_STAFF)] | None = None


class WantedPlanFile(WantedReception):
    """The plan of it as a file."""

    what: Literal["plan.pdf", "plan.xlsx", "plan.html", "plan.json"]


class WantedFile(Sent):
    """A file to take away; of a comparison, with the unchanged side."""

    question: PageQuestion
    base: PageQuestion | None = None
    what: Literal[
        "scenario.yaml",
        "python",
        "report.html",
        "outcomes.csv",
        "series.csv",
        "comparison.pdf",
        "comparison.xlsx",
        "comparison.csv",
        "comparison-daily.csv",
    ]


class OpenedFile(Sent):
    """The text of a scenario file, for a case."""

    case: Name
    name: Name
    text: Annotated[str, Field(strict=True, max_length=LONGEST)]
    parameters: Parameters | None = None
