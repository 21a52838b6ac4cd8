"""The report: one HTML file that holds everything and loads nothing.

Charts, numbers, the record and the evidence behind them stand in one page. Vega's expressions are interpreted
rather than compiled, so that the page's policy need not allow evaluation.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from breakrank.errors import UsageError
from breakrank.questions.run.against_record import against
from breakrank.questions.run.figures import FIGURES
from breakrank.questions.run.headline import finding, recorded_first, rows, totals, verdict
from breakrank.results.outcome import comparison_title
from breakrank.results.outcome_names import APART
from breakrank.results.quantiles import FEW
from breakrank.results.uncertainty import chance_note, holds
from breakrank.show.evidence import Evidence
from breakrank.show.figure import Figure
from breakrank.show.html import asset, embedded, packed, rendered
from breakrank.show.look import Look
from breakrank.show.marks import dated, earlier
from breakrank.show.provenance import WHOLE_FORCE, changes, unfinished
from breakrank.show.style import PAGE, config
from breakrank.show.words import day, number, within

if TYPE_CHECKING:
    from breakrank.results import Result


def content(result: Result) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the texts and rows of the template, and the specification of every chart by its id."""
    result, case, evidence = result.whole, result.case, Evidence(result.case)
    outcomes = result.outcomes()
    look = Look(PAGE, page=True).of(case)
    specs: dict[str, Any] = {}
    drawn = [build(result, look) for build in FIGURES.values()]
    figures = [_figure(one, result, evidence, specs) for one in drawn if not one.says_nothing]
    events = {e.id: e for e in case.events}
    page = {
        "title": case.title,
        "summary": " ".join(case.summary.split()),
        "period": f"{day(case.calendar.start)} to {day(case.calendar.end)}",
        "runs_said": f"{result.runs:,} run{'s' * (result.runs != 1)}, seed {result.seed}" + chance_note(case),
        "changed": changes(result),
        "unfinished": unfinished(result),
        "many": result.runs > 1,
        "half": result.runs >= FEW,
        "within": within(result.runs),
        "apart": APART if "registered" in {o.measure for o in outcomes} else "",
        "finding": [*recorded_first(result), *finding(result)],
        "verdict": verdict(outcomes) if result.runs > 1 else "",
        "totals": totals(result),
        "caution": f"{WHOLE_FORCE} {_caution(result)}" if case.stands_for != 1 else _caution(result),
        "contents": [
            ("outcomes", "Outcomes"),
            *((f["id"], f["short"]) for f in figures),
            ("parameters", "Parameters"),
            ("evidence", "Sources"),
            ("made", "Provenance"),
        ],
        "compared": comparison_title(o.used for o in outcomes if o.record is not None),
        "outcomes": rows(result, outcomes, evidence),
        "figures": figures,
        "events": [
            {
                "anchor": f"event-{e.number}",
                "number": e.number,
                "date": day(e.date, year=case.calendar.start.year != case.calendar.end.year),
                "title": e.title,
                "refs": evidence.refs(getattr(events[e.id], "evidence", ())),
            }
            for e in dated(result)
        ],
        "earlier": earlier(result),
        "parameters": evidence.parameters(),
        "parameter_count": number(len(case.parameters)),
        "observation_count": number(len(case.ledger.observations)),
        "sources": evidence.source_entries(),
        "made": made(result),
    }
    return page, specs


def _figure(figure: Figure, result: Result, evidence: Evidence, specs: dict[str, Any]) -> dict[str, Any]:
    for panel in figure.panels:
        spec = panel.drawn.spec()
        spec["datasets"] = {name: packed(found) for name, found in spec["datasets"].items()}
        specs[panel.id] = spec
    return {
        "id": figure.id,
        "title": figure.title,
        "short": figure.short,
        "note": figure.note,
        "sentence": figure.sentence,
        "size": figure.size,
        "panels": figure.panels,
        "table": figure.table,
        "targets": _targets(result, evidence) if figure.targets else [],
        "bearing": evidence.bearing_on(figure.rests_on),
    }


def _targets(result: Result, evidence: Evidence) -> list[dict[str, Any]]:
    """Return the targets drawn, each with the place in the page that its mark links to."""
    by_id = {t.id: t for t in result.case.targets}
    return [
        {
            "anchor": counted.link.removeprefix("#"),
            "label": counted.label,
            "text": counted.text,
            "used": counted.how_used,
            "date": day(counted.date),
            "sources": evidence.voices(by_id[ident].evidence),
            "assumed": by_id[ident].assumed or "",
        }
        for group in against(result)
        for ident, counted in zip(group.targets, group.counted, strict=True)
    ]


def made(result: Result) -> list[tuple[str, str]]:
    """Return how a result was made, as names and texts; what is not known is left out."""
    case, draws = result.case, getattr(result.case, "draws", None)
    own: Mapping[str, str] = result.versions
    failed = f"; the first that failed: {result.failed[0]}" if result.failed else ""
    missing = unfinished(result)
    found = [
        ("Case", f"{case.title} ({case.id})"),
        ("Digest", case.digest),
        ("Seed", str(result.seed)),
        ("Changed", changes(result)),
        ("Parameters", "at their values" if draws is None else f"{draws!r}"),
        ("Runs", (missing or f"{result.runs:,} finished") + failed),
        ("Command", result.command),
        ("Versions", ", ".join(f"{name} {version}" for name, version in own.items())),
    ]
    return [(name, text) for name, text in found if text]


def _caution(result: Result) -> str:
    runs = result.runs
    if runs < 2:
        return (
            "This is one run of a random model. Another seed gives another course of events, "
            "and this report does not show how different."
        )
    if runs < FEW:
        return (
            f"Bands reach from the minimum to the maximum of {runs} runs, too few for intervals ({FEW} are "
            "enough). They are the spread of the model, not the certainty of a forecast. They do not include "
            "what the model leaves out."
        )
    return (
        f"Bands show the spread of {runs:,} runs of the model, due to {holds(result.case)}. "
        "They are not the certainty of a forecast, and do not include what the model leaves out."
    )


def write_report(result: Result, path: str | PathLike[str]) -> Path:
    """Write the report of a result as one HTML file, and return its path.

    The file appears whole or not at all: it is written under a temporary name beside its place and then
    renamed. The same result gives the same bytes.

    Raises
    ------
    UsageError
        when the folder does not exist or cannot be written to, `path` is a folder, or the optional extra
        ``report`` is not installed.
    """
    target = Path(path)
    if target.is_dir():
        raise UsageError(f"{target} is a folder; give the name of a file, such as {target / 'report.html'}")
    if not target.parent.is_dir():
        raise UsageError(f"there is no folder {target.parent}; make it first")
    text = render(result)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
    except OSError as error:
        raise UsageError(f"cannot write in {target.parent}: {error.strerror}") from error
    part = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        part.chmod(0o644 & ~_umask())
        part.replace(target)
    except OSError as error:
        raise UsageError(f"cannot write {target}: {error.strerror}") from error
    finally:
        part.unlink(missing_ok=True)
    return target


def render(result: Result) -> str:
    """Return the report of a result as one HTML page."""
    page, specs = content(result)
    library, script = asset("vega.js"), asset("report.js")
    values = {
        **page,
        "specs": embedded(specs),
        "config": embedded(config(PAGE)),
        "library": library,
        "script": script,
    }
    return rendered("report.html.j2", "report.css", values, scripts=(library, script))


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
