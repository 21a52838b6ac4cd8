"""``breakrank desk``: what belongs together, what contradicts, what is open, and how well the desk does."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from breakrank.cli.options import DONE, FAILED, Flag
from breakrank.errors import UsageError, nearest
from breakrank.show.terminal import labelled, note, say, say_json, title
from breakrank_desk.cli.coding import Texts, opened


def links(case: str, /, *, texts: Texts = None, json: Flag = False) -> None:
    """Show which reports are copies, partial copies or versions of each other, or share a quotation.

    Parameters
    ----------
    case
        Name of a built-in case, or a case folder.
    texts
        Folder of the reports.
    json
        Print one JSON object instead.
    """
    found = opened(case, texts).links()
    if json:
        say_json({"links": [dict(x.__dict__) for x in found]})
        return
    for x in found:
        say(title(f"{x.shorter} is a {x.verdict} of {x.fuller}" if x.verdict != "shared quotation"
                  else f"{x.shorter} and {x.fuller} share a quotation"))  # fmt: skip
        say(
            labelled(
                "contained",
                f"{x.containment:.2f} of its runs of five words; {x.quoted:.2f} of those in quotes",
            )
        )
        if x.agency:
            say(labelled("agency", f"both name {x.agency}"))
        if x.paragraphs:
            say(labelled("copied", f"paragraphs {', '.join(x.paragraphs)}"))
        if x.only:
            say(labelled("only here", f"paragraphs {', '.join(x.only)}"))
        for paragraph, what in x.differs[:8]:
            say(labelled("differs", f"paragraph {paragraph}: {what}"))


def conflicts(case: str, /, *, texts: Texts = None) -> None:
    """Show observations of one quantity that contradict each other, and how many independent sources agree.

    Parameters
    ----------
    case
        Name of a built-in case, or a case folder.
    texts
        Folder of the reports.
    """
    desk = opened(case, texts)
    for c in desk.conflicts():
        say(f"{c.quantity}: {c.one} and {c.two}; {c.why}" + (" (in the ledger)" if c.settled else ""))
    for a in desk.agreement():
        say(f"{a.quantity}: {a.figures} figures of {a.parents} parents, {a.agreeing} agree with the latest")


def questions(
    case: str,
    /,
    *,
    open_only: Annotated[bool, Parameter(name="--open", negative="")] = False,
    texts: Texts = None,
) -> None:
    """Show open questions for you to decide.

    Parameters
    ----------
    case
        Name of a built-in case, or a case folder.
    open_only
        Only questions without an answer.
    texts
        Folder of the reports.
    """
    for q in opened(case, texts).questions(open_only=open_only):
        say(f"{q.id}: {q.question}" + (f" Answered: {q.answer}" if q.closed else ""))


def feed(
    case: str, quantity: str, /, *, to: Literal["target", "field", "prior"] = "target", measure: str = ""
) -> None:
    """Print a quantity as a target, a field or a prior to paste into the case, with its evidence filled in.

    Parameters
    ----------
    case
        Name of a built-in case, or a case folder.
    quantity
        Id of the quantity.
    to
        The kind of entry to print.
    measure
        For a target: the measure of the model.
    """
    from breakrank_desk.feed import as_field, as_prior, as_target

    desk = opened(case, None)
    known = {q.id: q for q in desk.quantities()}
    if quantity not in known:
        raise UsageError(f"there is no quantity {quantity!r}{nearest(quantity, known)}")
    if to == "target":
        say(as_target(known[quantity], desk.context, measure).rstrip("\n"))
    else:
        say((as_field if to == "field" else as_prior)(known[quantity], desk.context.ledger).rstrip("\n"))


def check(case: str, /, *, texts: Texts = None) -> int:
    """Check references, names of persons, copied words and hashes. The exit code is 1 if something is wrong.

    Parameters
    ----------
    case
        Name of a built-in case, or a case folder.
    texts
        Folder of the reports.
    """
    found = opened(case, texts).check()
    for f in found:
        say(f"{f.level}: {f.about} {f.told}" + (f"\n  {f.remedy}" if f.remedy else ""))
    errors = sum(f.level == "error" for f in found)
    note(f"{errors} errors, {len(found) - errors} warnings")
    return FAILED if errors else DONE


def export(
    case: str, /, *, form: Annotated[Literal["annotations", "prov"], Parameter(name="--as")] = "annotations"
) -> None:
    """Print W3C Web Annotations (positions only) or PROV-JSON.

    Parameters
    ----------
    case
        Name of a built-in case, or a case folder.
    form
        What to print.
    """
    from breakrank_desk import export as exports

    desk = opened(case, None)
    say_json(exports.web_annotations(desk) if form == "annotations" else exports.provenance(desk))


def measure(folder: Path, /, *, gold: str, missed: Flag = False) -> None:
    """Measure the desk on reports with a known ledger.

    Parameters
    ----------
    folder
        The reports, with a file gold.yaml that lists them.
    gold
        Case whose ledger was coded from them.
    missed
        Also list the figures that were missed.
    """
    from breakrank_desk.measure import measure as measured

    for row in measured(folder, gold):
        say(str(row))
        for what in row.missed if missed else ():
            say(f"    {what}")
