"""What requests of the desk hold: each is checked before anything is done with it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from breakrank.page.question import Name, Sent
from breakrank_desk.texts import Kind


class WantedDecision(Sent):
    """What the reader decided on a figure of the desk, with the fields of the form as typed."""

    key: Name
    verb: Literal["accept", "edit", "reject", "later", "undo"]
    fields: Annotated[
        dict[Name, Annotated[str, Field(strict=True, max_length=2000)]], Field(max_length=20)
    ] = Field(default_factory=dict)
    why: Annotated[str, Field(strict=True, max_length=500)] = ""


class WantedSentence(Sent):
    """The sentence around a place of a text, or the next or previous one."""

    source: Name
    paragraph: Annotated[int, Field(strict=True, ge=0, le=10**6)] = 0
    at: Annotated[int, Field(strict=True, ge=0, le=10**9)] = 0
    step: Annotated[int, Field(strict=True, ge=-1, le=1)] = 0


class WantedConflict(Sent):
    """Two observations of one quantity that contradict each other."""

    one: Name
    two: Name


class WantedVerdict(Sent):
    """Whether two texts belong together as the desk found, or are separate."""

    fuller: Name
    shorter: Name
    separate: bool = False


class WantedAnswer(Sent):
    """The answer to an open question."""

    id: Name
    answer: Annotated[str, Field(strict=True, min_length=1, max_length=500)]


class WantedKind(Sent):
    """What a paragraph of a text is; counted from 0 among all."""

    source: Name
    paragraph: Annotated[int, Field(strict=True, ge=0, le=10**6)]
    kind: Kind
