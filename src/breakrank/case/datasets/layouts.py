"""Layouts of published data sets: which column says what, and what a row becomes in a case."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import Field, TypeAdapter

from breakrank.case.documents import read_yaml
from breakrank.case.models_base import CaseModel, Line, Prose, Range
from breakrank.case.source import read_file
from breakrank.errors import UsageError, nearest

FILE = Path(__file__).parent / "layouts.yaml"
OWN = "own"
"""The data set whose columns the user names."""
ROLES = (
    *("id", "date", "until", "year", "month", "day", "country", "place", "region", "what", "sides", "says"),
    *("figure", "low", "high"),
)
"""What a column of one's own may say."""
Names = tuple[str, ...]
Becomes = Literal["markers", "persons", "prices", "strength", "indicators", "coups", "counts"]


class Layout(CaseModel):
    """A data set as it is published; `columns` names what may say each thing, in the order of preference."""

    name: str = Field(default="", description="its name on the command line")
    title: Line = Field(description="title of the data set")
    publisher: Line = Field(description="who publishes it")
    becomes: Becomes = Field(description="what a row turns into")
    columns: dict[str, Names] = Field(description="names that a column has had, by what it says")
    needs: Names = Field(default=(), description="what a row has to say")
    dates: Names = Field(default=("%Y-%m-%d",), description="forms of a date, as strptime names them")
    spans: dict[str, Literal["week", "month"]] = Field(
        default_factory=dict, description="what a code of precision makes of a date"
    )
    words: dict[str, dict[str, str]] = Field(default_factory=dict, description="what codes mean")
    coarse: dict[str, Names] = Field(default_factory=dict, description="codes of coarse places or dates")
    only: dict[str, Names] = Field(default_factory=dict, description="words, of which a row has to hold one")
    without: dict[str, Names] = Field(default_factory=dict, description="what rows hold that are never read")
    missing: Names = Field(default=(), description="what stands for nothing known, beside an empty cell")
    hidden: dict[str, Range] = Field(default_factory=dict, description="small numbers that are kept back")
    repeat: dict[str, Names] = Field(default_factory=dict, description="columns that repeat within a row")
    header: str = Field(default="", description="columns of files that come without a first line")
    wide: bool = Field(default=False, description="whether each year is a column")
    figures: dict[str, str] = Field(default_factory=dict, description="what is counted, by column")
    measure: str = Field(default="", description="what the figures are an upper bound of")
    flow: bool = Field(default=False, description="whether a figure is of what happened within the year")
    unit: str = Field(default="persons", description="unit of the figures")
    scale: float = Field(default=1, description="what a figure is multiplied by")
    told: Prose = Field(description="what a reader has to know of who or what is counted")
    terms: Line = Field(default="Its terms are not known.", description="whether it may be passed on")

    def candidates(self, role: str) -> Names:
        """Return the names that a column may have which says this."""
        return self.columns.get(role, ())


@cache
def layouts() -> Mapping[str, Layout]:
    """Return the layouts that ship, by name."""
    document = read_yaml(read_file(FILE), FILE)
    found = TypeAdapter(dict[str, Layout]).validate_python(document.data)
    return {name: one.model_copy(update={"name": name}) for name, one in found.items()}


def layout(name: str, columns: str = "", file: Path = Path()) -> Layout:
    """Return a layout by name; of one's own table, by what each column says.

    Parameters
    ----------
    columns : what says what, as in ``date=event_date,figure=best,low=low,high=high``.
    file : the table, whose name stands for title and publisher until somebody writes them.

    Raises
    ------
    UsageError
        for a name that there is not, columns beside a layout that ships, and columns that cannot be used.
    """
    if name != OWN and columns:
        raise UsageError(f"--columns goes with {OWN}: the columns of {name} are known")
    if name == OWN:
        return _own(columns, file)
    known = layouts()
    if name not in known:
        raise UsageError(
            f"no data set {name!r}{nearest(name, (*known, OWN))}\n"
            f"  One of {', '.join(known)}; or {OWN}, with --columns date=...,figure=... for any other table."
        )
    return known[name]


def _own(columns: str, file: Path) -> Layout:
    pairs = [part.partition("=") for part in columns.split(",") if part.strip()]
    found: dict[str, Names] = {role.strip(): (name.strip(),) for role, _, name in pairs}
    for role, (name, *_) in found.items():
        if role not in ROLES or not name:
            raise UsageError(
                f"--columns: {role}={name} is not understood{nearest(role, ROLES)}\n"
                f"  Write what says what, as date=event_date,figure=best: {', '.join(ROLES)}."
            )
    if not {"date", "year"} & found.keys():
        raise UsageError(
            f"{OWN} needs --columns that say which one holds the date\n"
            "  Write e.g. --columns date=event_date,figure=best,low=low,high=high, or year=...,month=..."
        )
    return Layout(
        name=OWN,
        title=file.name,
        publisher=file.stem,
        becomes="counts" if "figure" in found else "markers",
        columns=found,
        needs=tuple(role for role in found if role in ("date", "year", "figure")),
        dates=("%Y-%m-%d", "%d %B %Y", "%d %b %Y", "%d/%m/%Y", "%d.%m.%Y", "%Y-%m", "%Y"),
        told="Write publisher and title into evidence/sources.yaml. Who is counted is for you to say.",
    )
