"""An answer: what was found and how sure it is, with its tables, charts, evidence and provenance.

An answer is data. It knows nothing of terminals, pages or files: its methods that show or write something
call the one renderer that does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

from breakrank.errors import UsageError, nearest
from breakrank.wording import counted

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

    from breakrank.case import Case
    from breakrank.show.vegalite import Chart

MOST_WORDS = 25
"""Words that a finding has at most."""
Kind = Literal["number", "value", "count", "share", "factor", "date", "text", "flag", "refs"]
"""How values are written: a *number* by its unit, a *value* as given, a *factor* as a multiple, a *flag* as
yes or no, *refs* as numbers of rows that a page links to."""
FigureKind = Literal["fan", "lines", "dots", "bars", "curve", "map", "strips", "states"]


def brief(*texts: str) -> str:
    """Return the first text of at most :data:`MOST_WORDS`, or the last one cut: names in a case may be long.

    >>> brief("Said at such a length " + 20 * "and more ", "Said shortly.")
    'Said shortly.'
    """
    fitting = next((text for text in texts if len(text.split()) <= MOST_WORDS), "")
    return fitting or f"{' '.join(texts[-1].split()[: MOST_WORDS - 1])} …"


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table.

    Attributes
    ----------
    name, label : in files and in Python, and as readers see it.
    unit : of all its values; `unit_in` instead names the column that holds the unit of each row.
    meaning : what a value says, where the label does not.
    low, high : columns that hold the ends of its interval, which is headed `interval`.
    signed : whether it is a difference, written with its sign.
    whole : whether it is a quantile over runs, written as a whole number where its unit is counted.
    hue : role of its colour in charts (see :class:`~breakrank.show.style.Theme`), where it has one.
    shown : whether documents show it; files hold every column.
    """

    name: str
    label: str
    _: KW_ONLY
    unit: str = ""
    meaning: str = ""
    kind: Kind = "number"
    low: str = ""
    high: str = ""
    interval: str = "95% interval"
    signed: bool = False
    whole: bool = False
    hue: str = ""
    unit_in: str = ""
    shown: bool = True

    @property
    def dtype(self) -> str:
        """The type of its values in a table: texts and days as texts, numbers as float64."""
        return {"text": "object", "date": "object", "refs": "object", "flag": "bool"}.get(
            self.kind, "float64"
        )


def text(name: str, label: str, meaning: str = "", *, shown: bool = True) -> Column:
    """Return a column of texts."""
    return Column(name, label, meaning=meaning, kind="text", shown=shown)


def hidden(*names: str, unit: str = "") -> tuple[Column, ...]:
    """Return columns of numbers that files alone hold, such as ends of intervals, each called by its name."""
    return tuple(Column(name, name, unit=unit, shown=False) for name in names)


@dataclass(frozen=True, eq=False)
class Table:
    """Rows with named columns.

    Attributes
    ----------
    name, title : in files and in Python, and as readers see it.
    columns : one for each column of `rows`, in their order.
    key : column by whose values a row is found in Python; "" for none.
    by : column whose values head parts of the table; documents show the part `only`, or all.
    across : column whose values become columns where the table is shown, with `cell` in each; a dot stands
        for a difference that cannot be told from zero.
    note : what a reader has to know of its columns.
    detail : whether only files, workbooks and charts hold it.
    folded : whether documents leave it out but for pages, which show it folded.
    anchor : column of numbers that *refs* name.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: pd.DataFrame
    key: str = ""
    by: str = ""
    only: str = ""
    across: str = ""
    cell: str = ""
    note: str = ""
    detail: bool = False
    folded: bool = False
    anchor: str = ""

    def __post_init__(self) -> None:
        names = [column.name for column in self.columns]
        if list(self.rows.columns) != names:
            raise ValueError(f"the table {self.name} has columns {list(self.rows.columns)}, not {names}")
        object.__setattr__(self, "rows", self._typed())

    def _typed(self) -> pd.DataFrame:
        """Return the rows with the types of their kinds: counts are whole where all are known."""
        rows = self.rows.reset_index(drop=True).astype({one.name: one.dtype for one in self.columns})
        counts = [c.name for c in self.columns if c.kind == "count" and rows[c.name].notna().all()]
        return rows.astype(dict.fromkeys(counts, "int64"))

    @classmethod
    def of(
        cls,
        name: str,
        title: str,
        columns: Sequence[Column],
        rows: Iterable[Mapping[str, object]],
        **more: Any,  # noqa: ANN401 (fields)
    ) -> Table:
        """Return the table of some rows, each a value by name of its column; what else one has goes."""
        import pandas as pd

        frame = pd.DataFrame(list(rows), columns=[one.name for one in columns])
        return cls(name, title, tuple(columns), frame, **more)

    def column(self, name: str) -> Column:
        """Return a column by name."""
        return next(one for one in self.columns if one.name == name)

    def records(self) -> list[dict[str, Any]]:
        """Return its rows as plain values by name of their column."""
        return records(self.rows)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        about = [one.name for one in fields(self) if one.name != "rows"]
        return self.rows.equals(other.rows) and all(getattr(self, k) == getattr(other, k) for k in about)

    __hash__ = None  # type: ignore[assignment]


def records(rows: pd.DataFrame) -> list[dict[str, Any]]:
    """Return rows as plain values by name of their column."""
    return [{str(name): value for name, value in row.items()} for row in rows.to_dict("records")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """What a chart shows of one table.

    Attributes
    ----------
    title : states the finding.
    kind : a *fan* or *lines* over dates, *dots* with intervals or stacked *bars* for labels, a *curve* over a
        number, a *map* over two, *strips* of spreads beside what was observed, or a map of *states*.
    x, y : columns; lines and bars have several `y`, and the colour of a map is the last. Of states, `x` is
        the code, and `y` are the share that fills them and the count of the circle in them.
    low, high : columns of the outer ends of a band; `inner` those of the inner one. Of several lines each may
        have its own, whose names begin with that of the line.
    by : column each of whose values has a plot of its own.
    where : rows that are drawn, as (column, value).
    marks : name of a table that is drawn along: dated events, values of x, or pieces of lines on a map.
    observed : name of a table of observed figures that stand on fans, by the id in its column ``series``.
    note : what a reader has to know of the drawing.
    """

    name: str
    title: str
    kind: FigureKind
    table: str
    x: str
    y: tuple[str, ...]
    low: str = ""
    high: str = ""
    inner: tuple[str, ...] = ()
    by: str = ""
    where: tuple[tuple[str, Any], ...] = ()
    marks: str = ""
    observed: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Basis:
    """What the evidence ledger has on a number: who says so, and in which paragraph, or why it is assumed.

    `refs` are the numbers of these observations in the answer's table of them, where it has one.
    """

    of: str
    says: str
    refs: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """How an answer was made.

    Attributes
    ----------
    case, title : id and title of the case.
    ensemble : where parameters come from, in words.
    runs : that were asked for of each case. `failed` : why runs did not finish, one text each.
    finished : runs that finished, of several cases in all; ``None`` where their numbers differ.
    changed : what was changed of the case.
    interrupted : whether it was stopped; the answer is of what had finished.
    digest : of the case exactly as used.
    command : the call that makes it again.
    versions : of the program and what it is made with.
    stands_for : soldiers of the country for whom one of the force stands.
    doubts : why the ensemble that runs come from may not be what it seems; the first notes of an answer.
    """

    case: str
    title: str
    ensemble: str
    runs: int
    seed: int
    digest: str
    command: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    failed: tuple[str, ...] = ()
    finished: int | None = None
    changed: str = ""
    interrupted: bool = False
    stands_for: float = 1.0
    doubts: tuple[str, ...] = ()

    @property
    def runs_said(self) -> str:
        """How many runs there are of each case, or finished, and their seed."""
        many = counted(self.runs, "run")
        if self.finished is None:
            many += " of each asked for" if self.interrupted else " of each"
        elif self.finished != self.runs:
            many = f"{self.finished:,} of {many}"
        return f"{many}, seed {self.seed}"

    @property
    def missing(self) -> str:
        """How many runs are missing, and why; empty where none is."""
        if self.finished is None or not (self.failed or self.interrupted):
            return ""
        why = [f"{len(self.failed):,} failed"] * bool(self.failed) + ["interrupted"] * self.interrupted
        return f"{self.finished:,} of {self.runs:,} runs finished; {', '.join(why)}"


def provenance(case: Case, runs: int, seed: int, *, failed: Sequence[object] = (), **more: Any) -> Provenance:  # noqa: ANN401 (fields)
    """Return how an answer on a case was made, with the number of runs of each variant and `more` fields."""
    from breakrank.results.uncertainty import FIXED, chance_only, doubts
    from breakrank.runs.identity import versions

    more = {
        "ensemble": FIXED if chance_only(case) else str(case.draws),
        "stands_for": case.stands_for,
        "versions": more.get("versions") or versions(case),
        **more,
    }
    return Provenance(
        case=case.id,
        title=case.title,
        runs=runs,
        seed=seed,
        digest=case.digest,
        failed=tuple(str(one) for one in failed),
        doubts=doubts(case, more["versions"].get("ensemble", "")),
        **more,
    )


@dataclass(frozen=True, kw_only=True, repr=False)
class Answer:
    """What a question found; printing it names its tables and figures.

    Attributes
    ----------
    question, title : name of the question, and what was asked of which case.
    finding : in at most 25 words. `doubt` : how sure it is, in one line.
    tables, figures : numbers, and charts of them.
    notes : sentences that say more, each made from numbers.
    evidence : what is known of the numbers that the finding rests on.
    provenance : how it was made.
    """

    question: str
    title: str
    finding: str
    doubt: str
    tables: tuple[Table, ...]
    provenance: Provenance
    figures: tuple[Figure, ...] = ()
    notes: tuple[str, ...] = ()
    evidence: tuple[Basis, ...] = ()

    def __post_init__(self) -> None:
        assert len(self.finding.split()) <= MOST_WORDS, f"a finding of too many words: {self.finding}"
        notes = tuple(dict.fromkeys((*self.provenance.doubts, *self.notes)))
        object.__setattr__(self, "notes", notes)

    def __getitem__(self, name: str) -> Table:
        """Return a table by name; UsageError names those that there are."""
        names = [table.name for table in self.tables]
        if name not in names:
            raise UsageError(
                f"there is no table {name!r}{nearest(name, names)} (there are {', '.join(names)})"
            )
        return self.tables[names.index(name)]

    def table(self, name: str = "") -> pd.DataFrame:
        """Return the rows of a table, by default of the first, indexed by its key where it has one."""
        found = self[name] if name else self.tables[0]
        return found.rows.set_index(found.key) if found.key else found.rows.copy()

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON; what is no finite number is ``None``."""
        from breakrank.answer.files import as_json

        return as_json(self)

    def show(self) -> None:
        """Print the answer."""
        from breakrank.answer.cells import show

        show(self)

    def plot(self, name: str = "") -> Chart:
        """Return the chart of a figure, by default of all, one below the other."""
        from breakrank.answer.charts import chart

        return chart(self, name)

    def save(self, folder: str | PathLike[str]) -> Path:
        """Write a folder with all of it, which :func:`load_answer` reads: JSON, CSV files and charts."""
        from breakrank.answer.files import save

        return save(self, folder)

    def write(self, path: str | PathLike[str]) -> Path:
        """Write one file of the kind that its name ends with: .html, .pdf, .xlsx, .md, .json, .csv, .parquet.

        A CSV or Parquet file holds the first table.
        """
        from breakrank.answer.files import write

        return write(self, path)

    def _repr_html_(self) -> str:
        from breakrank.answer.html import fragment

        return fragment(self)

    def __repr__(self) -> str:
        made = self.provenance
        lines = [self.title, f"├── {self.finding}", f"├── {self.doubt}"]
        lines += [f"├── table {t.name}: {t.title}, {len(t.rows):,} rows" for t in self.tables]
        lines += [f"├── figure {one.name}: {one.title}" for one in self.figures]
        lines += [f"├── {len(made.failed):,} runs failed; the first: {made.failed[0]}"] if made.failed else []
        lines += ["├── interrupted: of what had finished"] if made.interrupted else []
        return "\n".join([*lines, f"└── {made.runs_said}, {made.ensemble}"])
