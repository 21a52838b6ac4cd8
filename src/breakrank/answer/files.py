"""Answers as files: a folder that can be read again, and single files by how their names end."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, fields, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from breakrank.answer.answer import Answer, Basis, Column, Figure, Provenance, Table
from breakrank.answer.cells import made, pages
from breakrank.errors import BreakrankError, UsageError
from breakrank.results.files import (
    check_seal,
    intact,
    json_ready,
    json_text,
    says_format,
    sealed,
    whole_folder,
    write_json,
)

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.case import Case

FORMAT = 1
"""Version of the layout of ``answer.json``."""
MARK = "breakrank_answer"
FILE = "answer.json"
READ: dict[str, Callable[[str], Any]] = {
    "object": str,
    "bool": "True".__eq__,
    "float64": lambda text: float(text or "nan"),
}
"""How a text of a CSV file is read, by the type of its column."""


def as_json(answer: Answer) -> dict[str, Any]:
    """Return an answer as plain values, its tables as lists of rows; those of detail stand in files alone."""
    found = _head(answer)
    for table in answer.tables:
        if table.detail:
            del found["tables"][table.name]
            continue
        found["tables"][table.name]["rows"] = json_ready(table.records())
    return found


def _head(answer: Answer) -> dict[str, Any]:
    head: dict[str, Any] = {MARK: FORMAT}
    head |= {f.name: getattr(answer, f.name) for f in fields(Answer)}
    head |= {
        "figures": [asdict(one) for one in answer.figures],
        "evidence": [asdict(e) for e in answer.evidence],
    }
    head["provenance"] = {f.name: getattr(answer.provenance, f.name) for f in fields(Provenance)}
    head["tables"] = {
        t.name: {
            "title": t.title,
            "columns": [_said(c) for c in t.columns],
            **_said(t, [f.name for f in fields(t) if f.name not in ("name", "title", "columns", "rows")]),
        }
        for t in answer.tables
    }
    plain: dict[str, Any] = _plain(json_ready(head))
    return plain


def _plain(value: Any) -> Any:  # noqa: ANN401 (a piece of JSON)
    """Return a value as JSON keeps it: lists in place of tuples."""
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value


def _said(one: Column | Table, names: Sequence[str] = ()) -> dict[str, Any]:
    """Return the fields of a description, by default all, that are not what goes without saying."""
    usual = {f.name: f.default for f in fields(one)}
    return {k: v for k in names or usual if (v := getattr(one, k)) != usual[k]}


def save(answer: Answer, folder: str | PathLike[str], case: Case | None = None) -> Path:
    """Write a folder: ``answer.json``, a CSV file for each table, an SVG for each figure, and the case.

    An older one in its place is replaced once the new one is complete.

    Parameters
    ----------
    case : exactly as used; none is written where it is not given.

    Raises
    ------
    BreakrankError
        if the folder holds something else, or the disk refuses.
    """
    from breakrank.answer.charts import chart, drawn_figures
    from breakrank.show.axes import Look

    folder = Path(folder)
    names = {
        FILE,
        "case",
        *(f"{t.name}.csv" for t in answer.tables),
        *(f"{f.name}.svg" for f in answer.figures),
    }
    with whole_folder(folder, is_answer, frozenset(names)) as staging:
        for table in answer.tables:
            table.rows.to_csv(staging / f"{table.name}.csv", index=False, lineterminator="\n")
        write_json(staging / FILE, sealed(_head(answer), staging, [f"{t.name}.csv" for t in answer.tables]))
        for figure, _ in drawn_figures(answer, Look()):
            (staging / f"{figure.name}.svg").write_text(chart(answer, figure.name).svg(), "utf-8")
        if case is not None:
            case.write(staging / "case")
    return folder


def is_answer(folder: Path) -> bool:
    """Say whether a folder holds an answer."""
    return says_format(folder / FILE, MARK)


def load_answer(folder: str | PathLike[str]) -> Answer:
    """Read an answer that :meth:`Answer.save` wrote; it equals the one that was saved, to the bit.

    Raises
    ------
    BreakrankError
        for a folder that holds none, or one that was changed.
    """
    folder = Path(folder)
    with intact(folder, "a Breakrank answer"):
        head = json.loads((folder / FILE).read_text("utf-8"))
        check_seal(head, folder)
        return _answer(head, lambda name, columns: _from_csv(folder / f"{name}.csv", columns))


def from_json(kept: Mapping[str, Any]) -> Answer:
    """Return the answer that :func:`as_json` made plain values of, but for tables of detail."""
    import pandas as pd

    def rows(name: str, columns: Sequence[Column]) -> pd.DataFrame:
        return pd.DataFrame(kept["tables"][name]["rows"], columns=[one.name for one in columns])

    return _answer(kept, rows)


def _from_csv(path: Path, columns: Sequence[Column]) -> pd.DataFrame:
    import pandas as pd

    rows = pd.read_csv(path, dtype=str, keep_default_na=False)
    for column in columns:
        rows[column.name] = [READ[column.dtype](text) for text in rows[column.name]]
    return rows


def _answer(head: Mapping[str, Any], rows: Callable[[str, Sequence[Column]], pd.DataFrame]) -> Answer:
    """Return the answer of a head, whose tables have these rows."""
    tables = []
    for name, about in head["tables"].items():
        columns = tuple(Column(**one) for one in about["columns"])
        more = {k: v for k, v in about.items() if k not in ("columns", "rows")}
        tables.append(Table(name=name, columns=columns, rows=rows(name, columns), **more))
    made = head["provenance"]
    return Answer(
        question=head["question"],
        title=head["title"],
        finding=head["finding"],
        doubt=head["doubt"],
        tables=tuple(tables),
        provenance=Provenance(**made | {name: tuple(made.get(name, ())) for name in ("failed", "doubts")}),
        figures=tuple(Figure(**_tuples(one)) for one in head["figures"]),
        notes=tuple(head["notes"]),
        evidence=tuple(Basis(**one | {"refs": tuple(one["refs"])}) for one in head["evidence"]),
    )


def _tuples(values: dict[str, Any]) -> dict[str, Any]:
    where = tuple((name, value) for name, value in values["where"])
    return values | {"y": tuple(values["y"]), "inner": tuple(values["inner"]), "where": where}


def markdown(answer: Answer) -> str:
    """Return an answer as a page of Markdown."""
    lines = [f"# {answer.title}", "", f"{answer.finding} {answer.doubt}"]
    for table, some, note in pages(answer):
        lines += ["", f"## {table.title}"]
        for heading, grid in some:
            lines += ["", *([f"### {heading}", ""] if heading else []), _row(grid.columns)]
            lines += [_row(["---"] * len(grid.columns)), *(_row(row) for row in grid.rows)]
        lines += ["", note] if note else []
    lines += ["", "## Notes", "", *(f"- {note}" for note in answer.notes)] if answer.notes else []
    if answer.evidence:
        lines += ["", "## Evidence", "", *(f"- {one.of}: {one.says}" for one in answer.evidence)]
    versions = (f"{name} {text}" for name, text in answer.provenance.versions.items())
    return "\n".join(
        [
            *lines,
            "",
            "## Made with",
            "",
            *made(answer.provenance),
            ", ".join((f"`{answer.provenance.command}`", *versions)) + ".",
            "",
        ]
    )


def _row(texts: tuple[str, ...] | list[str]) -> str:
    return f"| {' | '.join(text.replace('|', '/') for text in texts)} |"


def _html(answer: Answer) -> bytes:
    from breakrank.answer.html import page

    return page(answer).encode()


def _pdf(answer: Answer) -> bytes:
    from breakrank.answer.html import pdf

    return pdf(answer)


def _workbook(answer: Answer) -> bytes:
    from breakrank.answer.workbook import workbook

    return workbook(answer)


RENDERERS: dict[str, Callable[[Answer], bytes]] = {
    ".html": _html,
    ".pdf": _pdf,
    ".xlsx": _workbook,
    ".md": lambda answer: markdown(answer).encode(),
    ".json": lambda answer: json_text(as_json(answer), 1).encode(),
    ".csv": lambda answer: str(answer.tables[0].rows.to_csv(index=False, lineterminator="\n")).encode(),
    ".parquet": lambda answer: bytes(answer.tables[0].rows.to_parquet(index=False)),
}
"""What makes a file, by how its name ends; a CSV or Parquet file holds the first table."""


def write(answer: Answer, path: str | PathLike[str]) -> Path:
    """Write one file, whole or not at all, of the kind that its name ends with; folders on the way are made.

    Raises
    ------
    UsageError
        for a name that ends otherwise, or where the library for the kind is not installed.
    BreakrankError
        if the disk refuses.
    """
    from breakrank.results.files import explain, write_whole

    path = Path(path)
    if path.suffix not in RENDERERS:
        raise UsageError(f"{path.name!r} is no name for an answer; it must end with {', '.join(RENDERERS)}")
    content = RENDERERS[path.suffix](answer)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)
    except OSError as error:
        raise BreakrankError(explain(error, path)) from error
    return path


def write_page(answer: Answer, path: str | PathLike[str]) -> None:
    """Write an answer as a page, whatever the name of the file; UsageError where that cannot be written."""
    from breakrank.results.files import explain, write_whole

    try:
        write_whole(Path(path), _html(answer))
    except OSError as error:
        raise UsageError(explain(error, Path(path))) from error


def with_call(answer: Answer, command: str, changed: str = "") -> Answer:
    """Return an answer that says by which call it was made, and what that changed of the case."""
    return replace(answer, provenance=replace(answer.provenance, command=command, changed=changed))
