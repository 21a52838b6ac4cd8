"""``breakrank desk``: what a human settles: copies, conflicts, questions, kinds of paragraphs."""

from __future__ import annotations

from breakrank.cli.options import Flag, Whole
from breakrank.errors import UsageError
from breakrank.show.terminal import labelled, say, title
from breakrank_desk.cli.coding import Texts, opened


def confirm(case: str, shorter: str, fuller: str, /, *, separate: Flag = False, texts: Texts = None) -> None:
    """Note that a report is a copy of another, as `links` found, so that they count as one source.

    Parameters
    ----------
    case
        A case folder.
    shorter
        The copy.
    fuller
        The report that it copies.
    separate
        Note instead that they are separate reports.
    texts
        Folder of the reports.
    """
    desk = opened(case, texts)
    found = next((x for x in desk.links() if (x.fuller, x.shorter) == (fuller, shorter)), None)
    if found is None:
        raise UsageError(
            f"{shorter} was found to be no copy of {fuller}\n  `breakrank desk links` lists what was."
        )
    desk.confirm(found, "separate" if separate else None)
    say(f"noted: {shorter} and {fuller} are {'separate' if separate else f'one source ({found.verdict})'}")


def settle(case: str, one: str, two: str, /) -> None:
    """Note in the ledger that two observations conflict; both name each other.

    Parameters
    ----------
    case
        A case folder.
    one, two
        The observations, as `conflicts` names them.
    """
    opened(case, None).settle(one, two)


def answer(case: str, question: str, words: str, /, *, texts: Texts = None) -> None:
    """Close an open question with an answer.

    Parameters
    ----------
    case
        A case folder.
    question
        Id of the question, as `questions` lists it.
    words
        The answer, in your own words.
    texts
        Folder of the reports.
    """
    opened(case, texts).answer(question, words)


def kind(
    case: str, source: str, paragraph: Whole | None = None, kind: str = "", /, *, texts: Texts = None
) -> None:
    """List the paragraphs of a report with what each is and why, or set what one of them is.

    Parameters
    ----------
    case
        Name of a built-in case, or a case folder.
    source
        The report.
    paragraph
        Which paragraph to set, counted from 1 as listed.
    kind
        story, caption, head, pull quote, repeat, source line, bio or furniture.
    texts
        Folder of the reports.
    """
    desk = opened(case, texts)
    if paragraph is not None:
        desk.set_kind(source, paragraph - 1, kind)  # type: ignore[arg-type]  # names the kinds where it is none
    for p in desk.text(source).paragraphs:
        say(title(f"{p.at + 1}  {p.label}"))
        say(labelled("why", p.reason))
        say(labelled("words", " ".join(p.text.split()[:12])))
