"""command.yaml: the positions of the high command, never the people who hold them."""

from __future__ import annotations

from pydantic import Field

from breakrank.case.models_base import Day, Evidenced, Flag, Id, Line, Probability, Prose


class Position(Evidenced):
    """An office at the top of the forces or beside them; whoever holds it in a run is synthetic."""

    id: Id = Field(description="short name of the office, never of a person")
    label: Line = Field(description="name of the office shown in charts")
    weight: Probability = Field(
        description="share of the forces' obedience that the office controls, 0 to 1; together at most 1"
    )
    branch: Id | None = Field(default=None, description="id of the branch it commands, if it commands one")
    region: Id | None = Field(default=None, description="id of the region it sits in, if it matters")
    capital: Flag = Field(description="true: it sits in the capital")
    rents: Probability = Field(description="perks of the office, as a share of the highest there are, 0 to 1")
    sanctioned: Day | None = Field(
        default=None, description="day from which the holder is named in foreign sanctions; left out, never"
    )
    contact: Flag = Field(default=False, description="true: it has dealings with the challenger's side")
    about: Prose | None = Field(default=None, description="more of it")
