"""A case folder of an older format, brought to the present one: what is renamed, dropped, and to be decided.

Texts are changed where they stand, so that comments stay. What code cannot decide is left as a comment that
begins with :data:`MARK`.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from breakrank.case.country import iso_code
from breakrank.case.documents import read_yaml
from breakrank.case.draws import ENSEMBLE
from breakrank.case.files import Files, draft_of, to_yaml, with_entry
from breakrank.case.models_base import FORMAT
from breakrank.case.posterior import FOLDER as POSTERIOR
from breakrank.errors import CaseError, FaultyCaseError, UsageError
from breakrank.old_names import (
    GONE,
    GONE_OF_COUNTRIES,
    MECHANISMS,
    NAMES,
    SUMS,
    UNITS,
    new_name,
    what_became_of,
)
from breakrank.plugins import OPTIONAL
from breakrank.spec import defaults

if TYPE_CHECKING:
    from breakrank.spec import Catalogue, Parameter

MARK = "# to decide:"
"""What a line begins with that only the author of a case can answer."""
PARAMETERS = "parameters.yaml"
NAMING = (PARAMETERS, "fields.yaml", "events.yaml", "targets.yaml", "counterfactuals.yaml", "patterns.yaml")
"""Files that name parameters, fields, measures and events of the log, entry by entry."""
SUFFIXES = (".yaml", ".csv", ".geojson")
"""Endings of files in which states are named."""
CALIBRATED = (POSTERIOR, ENSEMBLE, "worlds", "draws.npz")
"""What a calibration of an older model left."""
ROUNDS = 30
"""How often the case is read anew, each time without what could not be used before."""
_ENTRY = re.compile(r"""^(?:(["']?)([\w.-]+)\1[ ]*:|-[ ]).*\n?(?:(?:[ \t]*\n)*[ \t]+\S.*\n?)*""", re.M)
"""An entry of a mapping or a list, with its lines."""
_ASKED = r"(?=\s*:\s*(?:more|less|either)\b)"


@dataclass
class Migration:
    """The result of a migration: texts of a case's files by name, and messages.

    Attributes
    ----------
    renamed : old names with their new ones. dropped : parameters that are gone. named : mechanisms that the
        case names now. defaults : parameters as in the package. psychological : those that are otherwise.
        taken_away : what older calibrations left.
    """

    texts: dict[str, str]
    renamed: dict[str, str] = field(default_factory=dict)
    dropped: list[str] = field(default_factory=list)
    named: list[str] = field(default_factory=list)
    defaults: list[str] = field(default_factory=list)
    psychological: list[str] = field(default_factory=list)
    taken_away: list[str] = field(default_factory=list)

    @property
    def questions(self) -> Iterator[tuple[str, int, str]]:
        """Yield open decisions: file, line, and text."""
        for name, text in self.texts.items():
            for number, line in enumerate(text.splitlines(), 1):
                if line.startswith(MARK):
                    yield name, number, line.removeprefix(MARK).strip()


def migrated(folder: Path, catalogue: Catalogue, check: Callable[[Path], object]) -> Migration:
    """Return a case folder as the present format has it; nothing is written.

    Parameters
    ----------
    catalogue : the parameters that the model reads, with all mechanisms that may be added.
    check : reads a folder as a case; FaultyCaseError with all that keeps it from being used.

    Raises
    ------
    FaultyCaseError
        for what is wrong in files that nothing can be left out of.
    """
    files = Files(folder)
    names = sorted(path.name for path in folder.iterdir() if path.suffix in SUFFIXES and path.is_file())
    made = Migration({name: files.read(name) for name in names})
    if PARAMETERS in made.texts:
        _mechanisms(made)
        _parameters(made, catalogue)
    for name, text in made.texts.items():
        made.texts[name] = _with_codes(_renamed(name, text, made) if name.endswith(".yaml") else text, made)
    if made.dropped or made.renamed or made.defaults:  # then a calibration was of another model
        made.taken_away += [name for name in CALIBRATED if (folder / name).exists()]
    made.texts["case.yaml"] = re.sub(
        r"(?m)^(breakrank:[ ]*)\d+", rf"\g<1>{FORMAT}", made.texts["case.yaml"], count=1
    )
    _until_it_reads(folder, made, check)
    return made


def _mechanisms(made: Migration) -> None:
    """Name the mechanisms that were part of every case, where it gave them a weight; else drop theirs."""
    entries = _entries(made.texts.get(PARAMETERS, ""))
    text = made.texts["case.yaml"]
    data = read_yaml(text, Path("case.yaml")).data
    named = list(data.get("mechanisms") or []) if isinstance(data, dict) else []
    for mechanism in OPTIONAL:
        mine = {name: entry for name, entry in entries.items() if name.startswith(f"{mechanism}.")}
        if not mine or mechanism in named:
            continue
        off = mine.get(f"{mechanism}.on", {}).get("value") == 0
        if off or not any(entry.get("value") for name, entry in mine.items() if not name.endswith(".on")):
            made.dropped += mine
            for name in mine:
                made.texts[PARAMETERS] = _without(made.texts[PARAMETERS], name, "")
            continue
        named.append(mechanism)
        made.named.append(mechanism)
        made.texts["case.yaml"] = with_entry(text, "mechanisms", f"mechanisms: [{', '.join(named)}]\n")


def _parameters(made: Migration, catalogue: Catalogue) -> None:
    """Drop parameters that are gone or as in the package, and write what is a sum of them now."""
    text = made.texts.get(PARAMETERS, "")
    entries = _entries(text)
    for new, parts in SUMS.items():
        values = [entries.get(part, {}).get("value") for part in parts]
        numbers = [value for value in values if isinstance(value, int | float)]
        if new not in entries and len(numbers) == len(parts) and sum(numbers) != defaults()[new]["value"]:
            said = " ".join(dict.fromkeys(str(entries[part].get("assumed", "")) for part in parts))
            why = f"Sum of {' and '.join(parts)}. {said}".strip()
            text = with_entry(text, new, to_yaml({new: {"value": round(sum(numbers), 9), "assumed": why}}))
    for name, entry in entries.items():
        if name in GONE:
            made.dropped.append(name)
            summed = any(name in parts for parts in SUMS.values())
            usual = GONE_OF_COUNTRIES.get(name)
            asked = not summed and usual is not None and entry.get("value", usual) != usual
            told = f"{name} was {entry.get('value')}, {usual} in a new case{what_became_of(name)}."
            text = _without(text, name, told if asked else "")
        elif (declared := catalogue.parameters.get(new_name(name))) is not None:
            text = _kept(text, name, entry, made, declared)
    made.texts[PARAMETERS] = (
        text if _entries(text) else re.sub(r"(?m)^\{\}\s*$", "", text).rstrip() + "\n{}\n"
    )


def _kept(text: str, name: str, entry: Mapping[str, Any], made: Migration, declared: Parameter) -> str:
    """Return the text with an entry as it is to be: without an old unit, or left out if it is a default."""
    unit = entry.get("unit", declared.unit)
    if unit != declared.unit and UNITS.get(declared.name) != unit:
        told = f"{name} was {entry.get('value')} in {unit!r}; its unit is {declared.unit!r} now."
        return _without(text, name, told)
    if unit != declared.unit:
        start, end = _span(text, name)
        block = re.sub(
            rf"(unit:[ ]*[\"']?){re.escape(unit)}", rf"\g<1>{declared.unit}", text[start:end], count=1
        )
        text = text[:start] + block + text[end:]
    default = defaults().get(declared.name, {})
    same = all(entry.get(key) == default.get(key) for key in ("value", "prior"))
    ranged = entry.get("prior") is None or entry.get("range") in (
        None,
        default.get("range", default.get("bounds")),
    )
    if default and same and ranged and not entry.get("evidence"):
        made.defaults.append(name)
        return _without(text, name, "")
    if declared.scope == "psychological":
        made.psychological.append(declared.name)
    return text


def _entries(text: str) -> dict[str, dict[str, Any]]:
    data = read_yaml(text, Path(PARAMETERS)).data if text.strip() else {}
    return {k: v for k, v in data.items() if isinstance(v, dict)} if isinstance(data, dict) else {}


def _span(text: str, name: str) -> tuple[int, int]:
    return next(found.span() for found in _ENTRY.finditer(text) if found[2] == name)


def _without(text: str, name: str, told: str) -> str:
    """Return a mapping without an entry and the comment right above it; what is told stands instead."""
    start, end = _span(text, name)
    above = re.search(r"(?:^#.*\n)+\Z", text[:start], re.M)
    if above is not None and MARK not in above[0]:
        start = above.start()
    while text[end : end + 1] == "\n":
        end += 1
    return text[:start] + (f"{MARK} {told}\n\n" if told else "") + text[end:]


def _renamed(file: str, text: str, made: Migration) -> str:
    """Return the text of a file with what is called otherwise now under its new name."""
    lines = text.splitlines(keepends=True)
    return "".join(line if line.startswith(MARK) else _new_line(file, line, made) for line in lines)


def _new_line(file: str, line: str, made: Migration) -> str:
    """Return a line of a file with new names for old ones; a word that is no name elsewhere stays there."""
    plain = ("field", "measure", "unit") if file == "targets.yaml" else ("field", "measure")
    for old, new in (*NAMES.items(), *MECHANISMS.items()):
        if old not in line:
            continue
        name, now = re.escape(old), new
        patterns = [rf"(?P<before>)(?<![\w.]){name}(?!\.?\w)"]
        if old in MECHANISMS:
            patterns, now = [rf"(?P<before>)(?<![\w.]){name}\.(?=[a-z])"], f"{new}."
        elif "." not in old and " " not in old:
            patterns = [
                rf"(?P<before>\b(?:{'|'.join(plain)}):[ ]*[\"']?){name}(?=[\"'\s,}}\]]|$)",
                rf"(?P<before>^[ ]+|[{{,][ ]*){name}{_ASKED}",
                *([rf"(?P<before>^){name}(?=[ ]*:)"] if file == "fields.yaml" else []),
            ]
        for pattern in patterns:
            line, many = re.subn(pattern, rf"\g<before>{now}", line)
            if many:
                made.renamed[old] = new
    return line


def _with_codes(text: str, made: Migration) -> str:
    """Return the text of a file with the ISO codes of states that the maps called otherwise before."""

    def put(found: re.Match[str]) -> str:
        if (code := iso_code(found[0])) != found[0]:
            made.renamed[found[0]] = code
        return code

    return re.sub(r"\b[A-Z]{2}-X[0-9]+\b", put, text)


def _until_it_reads(folder: Path, made: Migration, check: Callable[[Path], object]) -> None:
    """Turn entries that the case cannot use into comments with the reason, until it can be read."""
    with draft_of(folder, *CALIBRATED) as draft:
        for _ in range(ROUNDS):
            for name, text in made.texts.items():
                (draft / name).write_text(text, "utf-8")
            try:
                check(draft)
            except FaultyCaseError as found:
                if not _commented(made, draft, found.errors):
                    raise
            else:
                return


def write_migration(folder: Path, made: Migration, kept: Path) -> None:
    """Write a migrated case over its folder; the folder as it was is kept under another name.

    Raises
    ------
    CaseFileError
        where a file has changed meanwhile, or cannot be written.
    UsageError
        where the copy cannot be made.
    """
    files = Files(folder)
    with files.locked():
        try:
            shutil.copytree(folder, kept, ignore=shutil.ignore_patterns(".lock", "*.store"))
        except OSError as error:
            raise UsageError(f"{kept} cannot be written: {error.strerror or error}") from error
        for name in made.texts:
            files.read(name)
        files.write_all(made.texts)
        for name in made.taken_away:
            path = files.path(name)
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def _commented(made: Migration, draft: Path, errors: tuple[CaseError, ...]) -> bool:
    """Turn the entries in which errors stand into comments; say whether there was one."""
    reasons: dict[str, dict[tuple[int, int], list[str]]] = {}
    for error in errors:
        name = error.place.file.name if error.place.file is not None else ""
        if name not in NAMING or error.place.line is None or error.place.file != draft / name:
            continue
        text = made.texts[name]
        at = sum(map(len, text.splitlines(keepends=True)[: error.place.line - 1]))
        spans = [found.span() for found in _ENTRY.finditer(text) if found.start() <= at < found.end()]
        if spans:
            reasons.setdefault(name, {}).setdefault(spans[0], []).append(error.problem)
    for name, told in reasons.items():
        text = made.texts[name]
        for (start, end), problems in sorted(told.items(), reverse=True):
            block = "".join(f"# {line}" for line in text[start:end].splitlines(keepends=True))
            text = text[:start] + f"{MARK} {'; '.join(dict.fromkeys(problems))}\n" + block + text[end:]
        # a file whose entries all became comments is an empty list
        made.texts[name] = text if _ENTRY.search(text) else text.rstrip("\n") + "\n[]\n"
    return bool(reasons)
