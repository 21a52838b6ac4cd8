"""Writing a case as a folder, in a layout that people can read and that loads to the same digest."""

from __future__ import annotations

import csv
import io
import json
import re
import secrets
import shutil
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import yaml  # type: ignore[import-untyped,unused-ignore]

from breakrank.case.content import STATION_COLUMNS, Content
from breakrank.case.draws import FILE, Draws, packed
from breakrank.case.values import NumberError, resolve
from breakrank.errors import UsageError


def write_case(
    content: Content, folder: Path, draws: Draws | None = None, more: Mapping[str, str] = MappingProxyType({})
) -> Path:
    """Write a case into a new or empty folder and return it; see :meth:`breakrank.case.Case.write`.

    Parameters
    ----------
    more : text of further files, by relative name.
    """
    files: dict[str, str | bytes] = {**files_of(content), **more}
    if draws is not None:
        files[FILE] = packed(draws)
    return write_folder(folder, files)


def files_of(content: Content) -> dict[str, str]:
    """Return the text of every file of a case, by relative name."""
    out: dict[str, str] = {}
    for name, part in content.plain().items():
        out[name] = (
            json.dumps(part, indent=1, ensure_ascii=False) + "\n"
            if name.endswith(".geojson")
            else to_yaml(part)
        )
    rows = [[s, b, repr(v)] for s, b, v in content.stations]
    out[content.force.stations.file] = _table(list(STATION_COLUMNS), rows)
    for entry in content.fields.values():
        if entry.file is not None:
            series = content.series[entry.file]
            lines = [
                [d.isoformat(), *ids, repr(v)]
                for d, ids, v in zip(series.dates, series.ids, series.values, strict=True)
            ]
            out[entry.file] = _table(["date", *entry.dims, "value"], lines)
    return out


def write_folder(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files into a new or empty folder, all or nothing, and return the folder.

    Raises
    ------
    UsageError
        when the folder exists and is not empty, or cannot be written.
    """
    if folder.is_symlink() or (folder.exists() and (not folder.is_dir() or any(folder.iterdir()))):
        raise UsageError(f"{folder} exists and is not an empty folder; name a new one")
    folder = folder.absolute()
    draft = folder.with_name(f".{folder.name}.{secrets.token_hex(4)}.part")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        draft.mkdir()
        for name, text in files.items():
            path = draft / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode() if isinstance(text, str) else text)
        if folder.exists():
            folder.rmdir()  # empty; some systems do not rename onto a folder
        draft.replace(folder)
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error.strerror or error}") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return folder


_Emitting: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
"""Writes with libyaml where it is built in, four times as fast; the text is the same."""


class _Dumper(_Emitting):  # type: ignore[misc]
    """YAML of version 1.2: texts that would read as numbers, words or nothing are quoted, dates are not."""

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002
        return True

    def represent(self, data: object) -> None:
        """Write the two outermost levels in lines; further in, short lists and mappings share one."""
        node = self.represent_data(data)
        for outer in (node, *(v[1] if isinstance(v, tuple) else v for v in node.value)):
            if isinstance(outer, yaml.MappingNode) or outer is node:
                outer.flow_style = False
        self.serialize(node)

    def represent_text(self, text: str) -> yaml.Node:
        try:
            plain = resolve(text) == text and text != ""
        except NumberError:
            plain = False
        return self.represent_scalar("tag:yaml.org,2002:str", text, None if plain else "'")


_Dumper.add_representer(str, _Dumper.represent_text)
_Dumper.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in known if not tag.endswith(":timestamp")]
    for first, known in yaml.SafeDumper.yaml_implicit_resolvers.items()
}


def to_yaml(part: Mapping[str, Any] | Sequence[Any]) -> str:
    """Return a plain mapping or list as YAML, a blank line between entries of several lines at the top."""
    if not part:
        return "{}\n" if isinstance(part, Mapping) else "[]\n"
    pieces = [{k: v} for k, v in part.items()] if isinstance(part, Mapping) else [[item] for item in part]
    texts = [_entry(json.dumps(_ordered(p), ensure_ascii=False)) for p in pieces]
    return "".join(t if t.count("\n") == 1 or not k else "\n" + t for k, t in enumerate(texts))


def appended(text: str, entry: Mapping[str, Any]) -> str:
    """Return the text of a list in YAML with one entry more at its end."""
    body = text.rstrip("\n")
    new = to_yaml([dict(entry)]).rstrip("\n")
    if re.sub(r"(?m)^\s*#.*$", "", body).strip() in ("", "[]"):
        body = re.sub(r"(?m)^\[\]\s*$", "", body).rstrip("\n")
        return (f"{body}\n" if body else "") + new + "\n"
    return f"{body}\n\n{new}\n"


def with_entry(text: str, name: str, block: str) -> str:
    """Return a mapping in YAML with the lines of an entry in the place of those of its name, or at its end.

    Everything else stays as it is, comments too.
    """
    here = re.compile(rf"""^(["']?){re.escape(name)}\1[ ]*:.*\n?(?:(?:[ \t]*\n)*[ \t]+\S.*\n?)*""", re.M)
    found = here.search(text)
    if found is not None:
        return text[: found.start()] + block + text[found.end() :]
    body = re.sub(r"(?m)^\{\}\s*$", "", text).rstrip("\n")
    return (f"{body}\n\n" if body else "") + block


@lru_cache(maxsize=8192)
def _entry(plain: str) -> str:
    """Return one entry, given as JSON, as YAML; cases that differ in a few share the texts of all others.

    Writing a case of 200 parameters takes a quarter of a second with PyYAML alone.
    """
    text: str = yaml.dump(
        json.loads(plain),
        Dumper=_Dumper,
        sort_keys=False,
        allow_unicode=True,
        width=110,
        default_flow_style=None,
    )
    return text


def _ordered(part: object) -> object:
    """Put the id of every mapping first and its evidence last."""
    if isinstance(part, dict):
        first, last = ("id",), ("evidence", "assumed", "about")
        keys = [
            *(k for k in part if k in first),
            *(k for k in part if k not in first + last),
            *(k for k in last if k in part),
        ]
        return {k: _ordered(part[k]) for k in keys}
    return [_ordered(item) for item in part] if isinstance(part, list) else part


def _table(header: list[str], rows: list[list[str]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return out.getvalue()
