"""``breakrank desk``: from reports to coded evidence that a human accepts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from breakrank.cli.options import Flag
from breakrank.errors import UsageError
from breakrank.show.terminal import labelled, note, say, say_json, title, wrapped

if TYPE_CHECKING:
    from breakrank_desk import Desk, Proposal

Texts = Annotated[Path | None, Parameter(name="--texts", help="Folder of the reports.")]
AnyCase = Annotated[str, Parameter(help="Name of a built-in case, or a case folder.")]
OwnCase = Annotated[str, Parameter(help="A case folder.")]
Key = Annotated[str, Parameter(help="Key of the proposal, or a unique part of it.")]


def opened(case: str, texts: Path | None) -> Desk:
    """Open the desk of a case; it is imported late."""
    from breakrank_desk import Desk

    return Desk.open(case, texts)


def read(
    case: OwnCase,
    /,
    *paths: Path,
    source: str = "",
    outlet: str = "",
    date: str | None = None,
    agency: str = "",
    language: str = "",
    texts: Texts = None,
) -> None:
    """Read reports (HTML, text, PDF, e-mail, WARC, folders) and store hashes of their paragraphs.

    Date, outlet and agency that a page states are shown but not used: enter them yourself.

    Parameters
    ----------
    paths
        Files or folders.
    source
        Id of the source that it belongs to; by default a new one.
    outlet
        Who published it.
    date
        Day of publication, e.g. 2019-03-22.
    agency
        The agency it is a copy of, e.g. AP.
    language
        en or es, for a text too short to tell it by.
    """
    if not paths:
        raise UsageError("name a file or a folder to read")
    if source and len(paths) > 1:
        raise UsageError(f"{len(paths)} files cannot all be {source}\n  Read them one by one.")
    from breakrank_desk.languages import unread

    desk = opened(case, texts)
    for path in paths:
        for text in desk.read(
            path, source=source, outlet=outlet, date=date, agency=agency, language=language
        ):
            say(title(repr(text)))
            for guess in text.guesses:
                say(labelled(f"{guess.what}?", f"{guess.value} ({guess.why})"))
            if text.agency:
                say(labelled("agency?", text.agency))
            for told in text.told:
                say(labelled("told", told))
            if why := unread(text):
                say(labelled("not read", why))


def propose(
    case: AnyCase,
    source: str = "",
    /,
    *,
    texts: Texts = None,
    json: Flag = False,
    proposer: str = "",
    yes: Flag = False,
) -> None:
    """List the figures that await a decision, with the wording behind them.

    Parameters
    ----------
    source
        Only this source.
    json
        Print one JSON object instead.
    proposer
        An installed plug-in that proposes too. It is given the text of the reports, after you agreed.
    yes
        Agree that the plug-in is given the text.
    """
    desk = opened(case, texts)
    _let_in(desk, proposer, yes)
    found, unread = desk.proposals(source), desk.unread(source)
    if json:
        say_json({"proposals": [_plain(p) for p in found], "unread": unread})
        return
    for p in found:
        say(title(f"{p.figure}  “{p.words}”"))
        say(labelled("key", p.key))
        say(labelled("paragraph", f"{p.anchor.paragraph} of {p.source}; {p.why}"))
        say(labelled("date", "; ".join(f"{m.when} ({m.why})" for m in p.dates[:3])))
        say(labelled("says", "; ".join(p.says[:3])))
        say(labelled("place", "; ".join(p.places[:3])))
        say()
    for why in unread.values():
        note(wrapped(f"breakrank: {why}"))
    note(f"{len(found)} figures; accept one with `breakrank desk accept {case} KEY what='...'`")


def _plain(p: Proposal) -> dict[str, Any]:
    return {
        "key": p.key,
        "source": p.source,
        "paragraph": p.anchor.paragraph,
        "figure": p.figure,
        "value": p.value,
        "range": p.range,
        "bound": p.bound,
        "unit": p.unit,
        "counted": p.counted,
        "dates": [m.when for m in p.dates],
        "says": list(p.says),
        "places": list(p.places),
        "words": list(p.anchor.words),
        "why": p.why,
    }


def _let_in(desk: Desk, proposer: str, yes: bool) -> None:
    """Let a plug-in propose, after saying what it is given and asking."""
    if not proposer:
        return
    desk.use(proposer)
    told = [p for text in desk.library.texts() for p in text.story]
    count = sum(len(p.words) for p in told)
    note(
        f"{proposer} is given {len(told)} paragraphs of your reports, {count:,} words.\n"
        "If it asks a model elsewhere, they leave this machine."
    )
    if not yes and not _agreed():
        raise UsageError(
            "nothing was handed over\n  Answer y, or give --yes, to let the plug-in read the reports."
        )


def _agreed() -> bool:
    try:
        return input("Go on? [y/N] ").strip().casefold() in ("y", "yes")
    except EOFError:
        return False


def accept(
    case: OwnCase, key: Key, /, *fields: str, texts: Texts = None, proposer: str = "", yes: Flag = False
) -> None:
    """Write a proposal into the ledger.

    Parameters
    ----------
    fields
        Fields of the observation, e.g. what='Soldiers registered' date=2019-02-23/2019-03-22
        counts=registered.
    proposer
        The plug-in that proposed it, if one did.
    yes
        Agree that the plug-in is given the text.
    """
    from breakrank_desk.coding import read_fields

    given = read_fields(_pairs(fields))
    desk = opened(case, texts)
    _let_in(desk, proposer, yes)
    say(f"{desk.accept(desk.proposal(key), **given)} is in the ledger")


def edit(case: OwnCase, key: Key, /, *fields: str, texts: Texts = None) -> None:
    """Change the observation that a proposal became; what you leave out stays.

    Parameters
    ----------
    fields
        Fields to change, e.g. value=1180 confidence=high.
    """
    from breakrank_desk.coding import read_fields

    given = read_fields(_pairs(fields))
    desk = opened(case, texts)
    say(f"{desk.edit(desk.proposal(key), **given)} is in the ledger")


def reject(case: OwnCase, key: Key, /, *fields: str, texts: Texts = None) -> None:
    """Mark a proposal as not for the ledger.

    Parameters
    ----------
    fields
        why='...', in your own words.
    """
    given = _pairs(fields)
    if set(given) - {"why"}:
        raise UsageError("a rejection takes why='...' and nothing else")
    desk = opened(case, texts)
    desk.reject(desk.proposal(key), given.get("why", ""))


def later(case: OwnCase, key: str, /, *, texts: Texts = None) -> None:
    """Put a proposal off; it stays in the list.

    Parameters
    ----------
    key
        Key of the proposal, or a part that only one has.
    """
    desk = opened(case, texts)
    desk.later(desk.proposal(key))


def undo(case: OwnCase, key: str, /) -> None:
    """Take back a decision, and the observation it wrote.

    Parameters
    ----------
    key
        Key of the proposal, or a part that only one decision has.
    """
    opened(case, None).undo(key)


def _pairs(fields: tuple[str, ...]) -> dict[str, str]:
    out = {}
    for text in fields:
        name, sign, value = text.partition("=")
        if not sign or not name:
            raise UsageError(f"{text!r} is no field; write name=value")
        out[name.strip()] = value
    return out
