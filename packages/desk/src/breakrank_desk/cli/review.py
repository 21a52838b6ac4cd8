"""``breakrank desk``: what belongs together, contradicts or is open, settled by a human, and measured."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from breakrank.cli.options import DONE, FAILED, Flag, Whole
from breakrank.errors import UsageError, nearest
from breakrank.show.terminal import labelled, note, say, say_json, title
from breakrank.wording import counted
from breakrank_desk.cli.coding import AnyCase, OwnCase, Texts, opened


def links(case: AnyCase, /, *, texts: Texts = None, json: Flag = False) -> None:
    """Show which reports are copies, partial copies or versions of each other, or share a quotation.

    Parameters
    ----------
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


def conflicts(case: AnyCase, /, *, texts: Texts = None) -> None:
    """Show figures of one quantity that contradict each other, and how many independent sources agree."""
    desk = opened(case, texts)
    for c in desk.conflicts():
        say(f"{c.quantity}: {c.one} and {c.two}; {c.why}" + (" (in the ledger)" if c.settled else ""))
    for a in desk.agreement():
        figures, parents = counted(a.figures, "figure"), counted(a.parents, "independent source")
        agree = "agrees" if a.agreeing == 1 else "agree"
        say(f"{a.quantity}: {figures} of {parents}; {a.agreeing} {agree} with the latest")


def questions(
    case: AnyCase,
    /,
    *,
    open_only: Annotated[bool, Parameter(name="--open", negative="")] = False,
    texts: Texts = None,
) -> None:
    """Show open questions for you to decide.

    Parameters
    ----------
    open_only
        Only questions without an answer.
    """
    for q in opened(case, texts).questions(open_only=open_only):
        say(f"{q.id}: {q.question}" + (f" Answered: {q.answer}" if q.closed else ""))


def feed(
    case: AnyCase, quantity: str, /, *, to: Literal["target", "field", "prior"] = "target", measure: str = ""
) -> None:
    """Print a quantity as a target, a field or a prior to paste into the case, with its evidence filled in.

    Parameters
    ----------
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


def check(case: AnyCase, /, *, texts: Texts = None) -> int:
    """Check references, names of persons, copied words and hashes; the exit code is 1 if one is wrong."""
    found = opened(case, texts).check()
    for f in found:
        say(f"{f.level}: {f.about} {f.told}" + (f"\n  {f.remedy}" if f.remedy else ""))
    errors = sum(f.level == "error" for f in found)
    note(f"{counted(errors, 'error')}, {counted(len(found) - errors, 'warning')}")
    return FAILED if errors else DONE


def export(
    case: AnyCase,
    /,
    *,
    form: Annotated[Literal["annotations", "prov"], Parameter(name="--as")] = "annotations",
) -> None:
    """Print W3C Web Annotations (positions only) or PROV-JSON.

    Parameters
    ----------
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


def confirm(
    case: OwnCase, shorter: str, fuller: str, /, *, separate: Flag = False, texts: Texts = None
) -> None:
    """Note that a report is a copy of another, as `links` found, so that they count as one source.

    Parameters
    ----------
    shorter
        The copy.
    fuller
        The report that it copies.
    separate
        Note instead that they are separate reports.
    """
    desk = opened(case, texts)
    found = next((x for x in desk.links() if (x.fuller, x.shorter) == (fuller, shorter)), None)
    if found is None:
        raise UsageError(
            f"{shorter} was found to be no copy of {fuller}\n  `breakrank desk links` lists what was."
        )
    desk.confirm(found, "separate" if separate else None)
    say(f"noted: {shorter} and {fuller} are {'separate' if separate else f'one source ({found.verdict})'}")


def settle(case: OwnCase, one: str, two: str, /) -> None:
    """Note in the ledger that two observations conflict; both name each other.

    Parameters
    ----------
    one, two
        The observations, as `conflicts` names them.
    """
    opened(case, None).settle(one, two)


def answer(case: OwnCase, question: str, words: str, /, *, texts: Texts = None) -> None:
    """Close an open question with an answer.

    Parameters
    ----------
    question
        Id of the question, as `questions` lists it.
    words
        The answer, in your own words.
    """
    opened(case, texts).answer(question, words)


def kind(
    case: AnyCase, source: str, paragraph: Whole | None = None, kind: str = "", /, *, texts: Texts = None
) -> None:
    """List the paragraphs of a report with what each is and why, or set what one of them is.

    Parameters
    ----------
    source
        The report.
    paragraph
        Which paragraph to set, counted from 1 as listed.
    kind
        story, caption, head, pull quote, repeat, source line, bio or furniture.
    """
    desk = opened(case, texts)
    if paragraph is not None:
        desk.set_kind(source, paragraph - 1, kind)  # type: ignore[arg-type]  # names the kinds where it is none
    for p in desk.text(source).paragraphs:
        say(title(f"{p.at + 1}  {p.label}"))
        say(labelled("why", p.reason))
        say(labelled("words", " ".join(p.text.split()[:12])))
