"""What requests hold besides a question: each is checked before anything is done with it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from breakrank.lives.question import TraceQuestion
from breakrank.page.question import PageQuestion, Parameters
from breakrank.page.request_body import Name, Sent, ranged
from breakrank.page.scenario_file import LONGEST
from breakrank.questions.declared import LEVEL, Plan
from breakrank.questions.plan.scope import HOST, MOST_STAFF


class AboutOne(Sent):
    """A question that was asked."""

    question: PageQuestion


class WantedFigures(AboutOne):
    """Figures of a question's answer by name."""

    names: Annotated[tuple[Name, ...], Field(max_length=60)]


Date = Annotated[str, Field(strict=True, pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]


class WantedLife(Sent):
    """One life: of a soldier, or of one with this fate; by default of a typical one who stayed."""

    question: PageQuestion
    run: Annotated[int, ranged(TraceQuestion, "run")] = 0
    soldier: Annotated[int, ranged(TraceQuestion, "soldier")] | None = None
    fate: Name | None = None


class WantedView(Sent):
    """A view of the page: of a question, and for a what-if of the unchanged side.

    For what comes next also a table of figures beside the record, as `breakrank forecast --observations`
    reads it. With `at_once`, what was computed beforehand, though the runs that it is of may be there.
    """

    view: Literal["happened", "why", "whatif", "plan", "next"]
    question: PageQuestion
    base: PageQuestion | None = None
    place: Name = HOST
    since: Date | None = None
    until: Date | None = None
    level: Annotated[float, ranged(Plan, "level")] = LEVEL
    staff: Annotated[int, Field(strict=True, ge=0, le=MOST_STAFF)] | None = None
    as_of: Date | None = None
    observations: Annotated[str, Field(strict=True, max_length=20_000)] = ""
    go: Annotated[bool, Field(strict=True)] = False
    at_once: Annotated[bool, Field(strict=True)] = False


class WantedFile(WantedView):
    """A view as a file, or the question behind it as code."""

    what: Literal["pdf", "xlsx", "json", "csv", "html", "md", "scenario.yaml", "python"]


class OpenedFile(Sent):
    """The text of a scenario file, for a case."""

    case: Name
    name: Name
    text: Annotated[str, Field(strict=True, max_length=LONGEST)]
    parameters: Parameters | None = None
