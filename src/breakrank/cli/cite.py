"""``breakrank cite``: what to cite for a result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from breakrank.cli.options import CaseOptions, Flag
from breakrank.literature import Work, software
from breakrank.show.terminal import note, say, say_json, title, wrapped
from breakrank.wording import call, counted, listed

if TYPE_CHECKING:
    from breakrank.case import Case


def cite(
    case: str, /, options: CaseOptions | None = None, *, bibtex: Flag = False, json: Flag = False
) -> None:
    """Print what to cite for a result of a case: Breakrank, the case, and the works it rests on.

    Works are those behind the mechanisms that are on, each with the mechanisms that cite it. If parameters
    come from a posterior, the methods that made it follow.

    Parameters
    ----------
    case
        Name of a built-in case, or a case folder.
    bibtex
        Print BibTeX instead.
    json
        Print one JSON object instead.
    """
    from breakrank import __version__
    from breakrank.cli.changed_case import change
    from breakrank.runs.cases import works_of_inference, works_of_model

    options = options or CaseOptions()
    found = change(case, options, quiet=True).case
    behind: dict[str, list[str]] = {}
    works: dict[str, Work] = {}
    for mechanism, its in works_of_model(found).items():
        for work in its:
            works[work.key] = work
            behind.setdefault(work.key, []).append(mechanism)
    methods = works_of_inference() if found.draws is not None and options.ensemble != "prior" else ()
    every = sorted({**works, **{w.key: w for w in methods}}.values(), key=lambda work: work.key)
    if bibtex:
        say("\n\n".join((software(__version__), _entry(found), *(work.bibtex for work in every))))
        return
    if json:
        say_json(
            {
                "breakrank": __version__,
                "case": {"id": found.id, "digest": found.digest, "authors": list(found.content.case.authors)},
                "sources": len(found.ledger.sources),
                "works": [
                    {"key": w.key, "reference": w.reference(), "mechanisms": behind.get(w.key, [])}
                    for w in every
                ],
                "methods": [work.key for work in methods],
            }
        )
        return
    for line in _lines(case, found, works, behind, methods):
        say(line)
    if unchecked := sum(not work.is_checked for work in every):
        note(f"{unchecked} of these {len(every)} works could not be checked against another bibliography")


def _lines(
    name: str, case: Case, works: dict[str, Work], behind: dict[str, list[str]], methods: tuple[Work, ...]
) -> Iterator[str]:
    from breakrank import __version__

    about = case.content.case
    yield title("Breakrank")
    yield wrapped(f"The Breakrank contributors. Breakrank, version {__version__}.", 2)
    yield title("The case")
    ledger = f"Its evidence ledger names {counted(len(case.ledger.sources), 'source')}"
    shows = f"`{call(['breakrank', 'evidence', name])}` shows what rests on each"
    digest = case.digest[:12]
    yield wrapped(
        f"{listed(about.authors)}. {case.title} ({case.id}, digest {digest}). {ledger}. {shows}.", 2
    )
    yield title("Works behind the mechanisms that are on")
    for work in sorted(works.values(), key=lambda work: work.key):
        yield wrapped(f"{work.reference()} [{', '.join(behind[work.key])}]", 2)
    if methods:
        yield title("Methods behind the ensemble")
        for work in methods:
            yield wrapped(work.reference(), 2)


def _entry(case: Case) -> str:
    """Return a case as an entry in BibTeX."""
    about = case.content.case
    authors = " and ".join(f"{{{name}}}" for name in about.authors)
    return (
        f"@misc{{{case.id},\n  author = {{{authors}}},\n  title = {{{case.title}, a case for Breakrank}},\n"
        f"  note = {{digest {case.digest}; {counted(len(case.ledger.sources), 'source')}}},\n}}"
    )
