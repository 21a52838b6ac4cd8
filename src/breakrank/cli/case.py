"""``breakrank case``: list, show, check and make cases; and the mechanisms that one may add."""

from __future__ import annotations

import datetime as dt
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from shlex import quote
from typing import Annotated, NamedTuple

from cyclopts import Parameter

from breakrank.cli.options import Flag, check_own
from breakrank.errors import UsageError, nearest
from breakrank.show.terminal import note, say, say_json, title, width, wrapped
from breakrank.wording import counted, listed

Unless = Annotated[str, Parameter(show_default=False)]
"""A text whose absence the help tells in words."""
HALF_A_YEAR = 181
"""Days of the calendar of a new case."""
_CELLS = re.compile(r"(?<!\\)\|")
_NAMED = {
    "parameters": ("parameters", ("parameter",)),
    "fields": ("parameters", ("field",)),
    "events": ("parameters", ("field",)),
    "targets": ("measures", ("measure",)),
    "patterns": ("patterns", ("event", "fact of an event", "fact of a soldier", "occasion")),
}
"""What a file names beside its keys: the page of the reference and the heads of its tables."""


class Key(NamedTuple):
    """A key or a name, what may stand there, what it means, and the kind of entry whose key it is, if any."""

    name: str
    what: str
    meaning: str
    block: str = ""


Files = dict[str, list[Key]]
"""Entries by file."""


def keys(name: str = "", word: str = "", /) -> None:
    """Show what may be written into a file of a case, or into a part of one.

    Beside the keys of a file stand all that it names. Parameters have their scope: national, psychological or
    technical. Dated fields have the sizes that events of the built-in cases give them. Targets have all
    measures, and patterns of lives all that they can ask for.

    Parameters
    ----------
    name
        A file without its ending, e.g. targets, or a key, e.g. crossings, with what stands below it. Or what
        parameters begin with, e.g. high_command. Any other word is looked for in all files. Left out, all
        files.
    word
        Show only entries that hold this word.
    """
    found = _files()
    if not name:
        say("\n".join(_each(found)))
        return
    parts = {name: found[name]} if name in found else _parts(found, name) or _holding(found, name)
    if not parts:
        known = [*found, *dict.fromkeys(e.name for f in found.values() for e in f), *_prefixes(found)]
        raise UsageError(
            f"there is no file or key {name!r}{nearest(name, known)}\n" + "\n".join(_each(found))
        )
    shown = 0
    for file, entries in parts.items():
        some = [e for e in entries if word.lower() in " ".join(e[:3]).lower()]
        shown += len(some)
        if some and name not in found:
            say(f"In {file}:")
        for entry in some:
            say(f"{title(entry.name)}  {entry.what}")
            if entry.meaning:
                say(wrapped(entry.meaning, 4))
    if not shown:
        raise UsageError(f"nothing in {name} holds {word!r}")


def _parts(found: Files, name: str) -> Files:
    """Return, by file, a key with the entries that stand below it, or the parameters that begin so."""
    out: Files = {}
    for file, entries in found.items():
        own = [e for e in entries if e.name == name or e.name.startswith(f"{name}.")]
        below = {kind for e in own for kind in re.findall(r"\w+", e.what)}
        own += [e for e in entries if e.block and e.block in below and e not in own]
        if own:
            out[file] = own
    return out


def _holding(found: Files, word: str) -> Files:
    """Return, by file, entries that hold a word; what two files name alike stands in the first of them."""
    out: Files = {}
    told: set[tuple[str, str]] = set()
    for file, entries in found.items():
        some = [e for e in entries if word.lower() in " ".join(e[:3]).lower() and e[::2] not in told]
        told |= {e[::2] for e in some}
        if some:
            out[file] = some
    return out


def _prefixes(found: Files) -> list[str]:
    """Return what names of parameters begin with."""
    return list(dict.fromkeys(e.name.partition(".")[0] for e in found["parameters"] if "." in e.name))


def _each(found: Files) -> list[str]:
    """Return a line for each file: its keys, and of parameters what their names begin with."""
    wide = max(map(len, found))
    lines = []
    for file, entries in found.items():
        names = [e.name for e in entries if not e.block and e.name not in ("evidence", "assumed")]
        some = _prefixes(found) if file == "parameters" else list(dict.fromkeys(names))
        lines.append(
            f"  {file:{wide}}  " + textwrap.shorten(", ".join(some), width() - wide - 5, placeholder=" ...")
        )
    return lines


def _files() -> Files:
    """Return the entries of every file by its name."""
    from breakrank.runs.reference import page

    out: Files = {}
    for text in page("case-format").split("\n## "):
        name = text.removeprefix("## ").partition("\n")[0]
        file = name.rpartition("/")[2].partition(".")[0]
        out[file] = []
        for k, part in enumerate(text.split("\n### ")):
            block = part.partition("\n")[0].strip() if k else ""
            out[file] += [
                Key(key, f"{kind}, required" if need else kind, meaning, block)
                for _, (key, kind, need, meaning) in _rows(part)
            ]
        if file in _NAMED:
            other, heads = _NAMED[file]
            out[file] += [_named(of, row) for of, row in _rows(page(other)) if of in heads]
    return out


def _named(of: str, row: list[str]) -> Key:
    """Return a row of a page of the reference: what it says first, then its meaning."""
    cells, meaning = row[2:], (row[1:] or [""])[0]
    sizes = cells.pop() if of == "field" else ""
    told = f"{meaning}; events of the built-in cases: {sizes}" if sizes else meaning
    return Key(row[0], "; ".join(cell for cell in cells if cell) or of, told)


def _rows(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the rows of all tables in a page, each with the head of the first column."""
    head, lines = "", text.splitlines()
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        if not line.startswith("| "):
            continue
        cells = [re.sub(r"[`*]", "", c).replace("\\|", "|").strip() for c in _CELLS.split(line)[1:-1]]
        if below.startswith("|---"):
            head = cells[0]
        else:
            yield head, cells


def list_all(*, json: Flag = False) -> None:
    """List the built-in cases.

    Parameters
    ----------
    json
        Print one JSON object instead.
    """
    from breakrank.runs.cases import at_large, list_cases

    cases = [at_large(name) for name in list_cases()]
    if json:
        say_json(
            {"cases": {c.id: {"title": c.title, "summary": c.summary, "country": c.country} for c in cases}}
        )
        return
    for case in cases:
        say(f"{title(case.id)}  {case.title}, {case.calendar.start} to {case.calendar.end}")
        say(wrapped(case.summary, 2))


def show(case: str, /) -> None:
    """Show the contents of a case.

    Parameters
    ----------
    case
        Name of a built-in case, or a case folder.
    """
    from breakrank.runs.cases import load_case

    loaded = load_case(case)
    say(repr(loaded))
    say()
    say(wrapped(loaded.summary))


def check(case: str, /, *, quick: Flag = False, json: Flag = False) -> None:
    """Check a case for errors and unusual values.

    Each error names the file, the line and the remedy, and the exit code is 2. Warnings leave it 0.
    Amounts in other money (rates.yaml) are shown as they were converted. A small trial run shows whether
    something is hard to believe, such as more arrests than people who leave.

    Parameters
    ----------
    case
        A case folder, or the name of a built-in case.
    quick
        Leave the trial run out.
    json
        Print one JSON object instead.
    """
    from breakrank import check_case, load_case
    from breakrank.case import Warning_
    from breakrank.cli.changed_case import tell_apart
    from breakrank.runs.cases import converted_amounts

    tell_apart([case], json)
    warnings = check_case(case)
    remains = None
    if not quick:
        from breakrank.questions.paired import unpaired
        from breakrank.questions.run.trial import trial

        loaded = load_case(case, "point")
        doubts, remains = trial(loaded)
        warnings += doubts
        warnings += [
            Warning_(
                None,
                None,
                f"the counterfactual {name} changes the force, so `breakrank compare` cannot pair its runs",
                "Leave the force as it is, or make a case of its own and run both.",
            )
            for name in unpaired(loaded)
        ]
    converted = converted_amounts(case)
    if json:
        rows = [
            {"file": w.file and str(w.file), "line": w.line, "text": w.text, "remedy": w.remedy}
            for w in warnings
        ]
        told = {} if remains is None else {"without_events": {**remains._asdict(), "share": remains.share}}
        say_json({"case": case, "warnings": rows, "converted": list(converted), **told})
        return
    name = Path(case).resolve().name
    for warning in warnings:
        where = f"{warning.file}:{warning.line}" if warning.line is not None else str(warning.file or name)
        say(f"{where}: {warning.text}")
        if warning.remedy:
            say(wrapped(warning.remedy, 2))
    for line in converted:
        say(wrapped(line))
    if remains is not None and not remains.is_level:
        say(wrapped(f"In a trial run {remains.words}."))
    count = len(warnings)
    note(f"{name} can be run" + (f"; {counted(count, 'warning')} above" if count else ", no warnings"))


From = Annotated[str, Parameter(name="--from")]
"""``--from CASE``."""


def new(
    folder: Path,
    /,
    *,
    origin: From | None = None,
    template: Flag = False,
    country: Unless = "",
    start: Unless = "",
    end: Unless = "",
    full: Flag = False,
) -> None:
    """Write a commented template of a case that runs.

    It holds the files that every case has; `breakrank case add` writes more. Parameters are as in the
    package, unless a case is named that passes on its psychological values.

    Parameters
    ----------
    folder
        A new or empty folder, e.g. my-country; its name becomes the name of the case.
    origin
        The case that passes on its psychological values, as its posterior leaves them. National ones are then
        typical values with wide priors.
    template
        Take the psychological priors as they were before any fit to a record.
    country
        Two letters of ISO 3166-1 or an English name, e.g. SY. States, points, roads between neighbouring
        states and crossings to neighbouring countries are written from open geodata, all of it assumed.
    start
        First day of the calendar, e.g. 2020-06-01; the dates of the template move with it.
    end
        Last day of the calendar. The default is half a year after the first.
    full
        Write every file, field and parameter, each with a comment.
    """
    from breakrank import new_case
    from breakrank.case.dates import as_date
    from breakrank.runs.carried import UNPROVEN

    days = None
    if start or end:
        first = as_date(start or "2025-01-01", "--start")
        days = (first, as_date(end, "--end") if end else first + dt.timedelta(days=HALF_A_YEAR - 1))
    carried = origin or ("venezuela-2019" if full or template else None)
    made = new_case(folder, carried, fitted=not template, country=country, days=days, full=full)
    files = sorted(p.relative_to(made).as_posix() for p in made.rglob("*") if p.is_file())
    say(wrapped(f"{made} holds {listed(files)}"))
    if country:
        from breakrank import load_case

        one = load_case(made, "point")
        capital = one.force.states.named(one.capital).label
        hosts = listed(sorted({c.country for c in one.crossings if c.host}))
        note(
            wrapped(f"Capital in {capital}; host: {hosts}, the border nearest to it. Correct what is not so.")
        )
    if carried:
        note(wrapped(UNPROVEN))
    typed = quote(str(made))
    note(f"Run it with `breakrank run {typed}`, check it with `breakrank case check {typed}`.")


def add(part: str, folder: Path, /) -> None:
    """Write an optional part of a case, from the template, to fit what the case has.

    Everything in it is invented and says so. Files that hold something are not written over.

    Parameters
    ----------
    part
        evidence, pay, money, reception, resignation, command, questions or patterns. Any other word lists
        what each is.
    folder
        The case folder.
    """
    from breakrank import load_case
    from breakrank.case.template import add_part

    check_own(folder)
    changed = add_part(load_case(folder, "point"), folder, part, load_case)
    say(f"Written: {listed([str(folder / name) for name in changed])}.")
    note("All of it is invented: replace it line by line.")


def carry(case: str, /, *, origin: From = "venezuela-2019", template: Flag = False) -> None:
    """Bring psychological values and priors into an existing case.

    The rest of its parameters.yaml stays as it is.

    Parameters
    ----------
    case
        The case folder that takes them.
    origin
        The case that passes on its psychological values, as its posterior leaves them.
    template
        Take the psychological priors as they were before any fit to a record.
    """
    from breakrank.runs.carried import UNPROVEN
    from breakrank.runs.cases import carry

    changed = carry(case, origin, fitted=not template)
    say(wrapped(listed(changed) or "nothing"))
    note(f"{len(changed)} parameters of {case} changed. Calibrate it again if it had a posterior.")
    note(wrapped(UNPROVEN))


def count(case: str, table: Path, /) -> None:
    """Write a table of dated counts into the ledger and the targets of a case.

    The table (CSV or XLSX) has the columns date, measure, figure and source. A date is a day, a month, a
    year, or a period such as 2021-Q3 or "early 2022". A figure may be hedged: 850, 800-900, nearly 1,000,
    hundreds, <5, 300+. A source is the id of one in evidence/sources.yaml. If two sources contradict each
    other, both are kept and named as conflicting. What cannot be so is refused: more soldiers than there are,
    a total that falls. The case is checked first; if anything is wrong, nothing is written.

    Parameters
    ----------
    case
        A case folder.
    table
        The table.
    """
    from breakrank import load_case
    from breakrank.case.counts import count_table

    folder = Path(case)
    check_own(folder)
    counts, remarks = count_table(load_case(case, "point"), folder, table, load_case)
    for one in counts:
        say(f"{one.told}: {one.read}")
    for remark in remarks:
        note(str(remark))
    targets = len({one.target_id for one in counts})
    note(
        f"Added to {case}: {counted(len(counts), 'observation')} and {counted(targets, 'target')}. "
        "Read them, and give each the paragraph that it rests on."
    )


TOLD = 12
"""Names of one kind that are told."""


def migrate(folder: Path, /) -> None:
    """Bring a case to the present format.

    Writes new names for old ones. Drops parameters that are gone, and those that are as in the package. Takes
    away what older calibrations left. Comments stay. What only the author can decide becomes a comment that
    begins with "# to decide:", and is listed. The folder as it was is kept beside it.

    Parameters
    ----------
    folder
        The case folder.
    """
    from breakrank import list_cases
    from breakrank.case.migration import write_migration
    from breakrank.cli.options import unused
    from breakrank.runs.cases import migrated_case

    if not folder.is_dir():
        built_in = ": built-in cases are of the present format" if str(folder) in list_cases() else ""
        raise UsageError(f"{folder} is no case folder{built_in}")
    made = migrated_case(folder)
    changed = [name for name, text in made.texts.items() if text.encode() != (folder / name).read_bytes()]
    if not changed and not made.taken_away:
        say(f"{folder} is of the present format.")
        return
    kept = unused(folder.with_name(f"{folder.resolve().name}-before-migration"))
    write_migration(folder, made, kept)
    for what, names in (
        ("Renamed", [f"{old} to {new}" for old, new in made.renamed.items()]),
        ("Gone from the model", made.dropped),
        ("Named in case.yaml, since it was part of every case", made.named),
        ("As in the package, and left out", made.defaults),
        ("Left by an older calibration, and taken away", made.taken_away),
    ):
        if names:
            more = f" and {len(names) - TOLD} more" if len(names) > TOLD else ""
            shown = ", ".join(names[:TOLD]) + more if more else listed(names)
            say(wrapped(f"{what} ({len(names)}): {shown}."))
    if made.dropped and made.psychological:
        say(
            wrapped(
                f"{len(made.psychological)} psychological values are those of the older model. "
                f"`breakrank case carry {folder}` writes those of the present one."
            )
        )
    questions = list(made.questions)
    for name, line, text in questions:
        say(wrapped(f"{folder / name}:{line}: {text}"))
    note(
        f"{listed(changed)} changed; the folder as it was is {kept}. "
        + (f"Decide {len(questions)} lines above, then take them out. " if questions else "")
        + (
            f"`breakrank case check {folder}` looks at the rest."
            if not made.taken_away
            else "Calibrate it anew."
        )
    )


def mechanisms(name: str | None = None, /, *, json: Flag = False) -> None:
    """List the mechanisms that may be added to the model, or describe one.

    They are Breakrank's own and those of installed packages. None acts by itself. Name one with
    --mechanisms, or under `mechanisms` in the case.yaml of a case.

    Parameters
    ----------
    name
        Describe this mechanism in full: its text, terms, fields and parameters.
    json
        Print one JSON object instead.
    """
    from breakrank.runs.cases import described, list_mechanisms

    if name is not None:
        text = described(name)
        say_json({"mechanism": name, "text": text}) if json else say(text)
        return
    offered = list_mechanisms()
    if json:
        say_json({"mechanisms": [one._asdict() for one in offered]})
        return
    for one in offered:
        say(f"{title(one.name)}  {one.package} {one.version}")
        say(wrapped(f"{one.about} ({one.citation})", 2))
    note("docs/how-to/add-a-mechanism.md shows how to write one")
