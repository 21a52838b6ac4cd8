"""E-mail: the text of one message; attachments are refused by name."""

from __future__ import annotations

from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import parsedate_to_datetime

from breakrank_desk.reading.html import read_html
from breakrank_desk.reading.plain import read_plain
from breakrank_desk.reading.refused import RefusedError, unless_broken
from breakrank_desk.texts import Block, Extract, Guess

MOST_PARTS = 100


def read_mail(data: bytes) -> Extract:
    """Return the blocks of a message, its subject as head, and its day as a guess.

    Raises
    ------
    RefusedError
        for a message without a text, or that cannot be taken apart.
    """
    with unless_broken("message"):
        message = message_from_bytes(data, policy=policy.default)
        names, parts = _attached(message)
        body = message.get_body(("plain", "html")) if parts <= MOST_PARTS else None
        payload = body.get_payload(decode=True) if body is not None else None
        html = body is not None and body.get_content_type() == "text/html"
        charset = (body.get_content_charset() or "utf-8") if body is not None else "utf-8"
        subject = " ".join(str(message.get("subject", "")).split())[:300]
        when = _day(message)
    if not isinstance(payload, bytes):
        raise RefusedError("the message has no text")
    inner = (read_html if html else read_plain)(_utf8(payload, charset))
    blocks = ((Block(subject, "head"),) if subject else ()) + inner.blocks
    told = inner.told + tuple(f"attachment not read: {name}" for name in names[:20])
    return Extract("mail", inner.version, blocks, when + inner.guesses, told)


def _utf8(payload: bytes, charset: str) -> bytes:
    try:
        return payload.decode(charset, "replace").encode("utf-8", "replace")
    except LookupError:
        return payload


def _attached(message: EmailMessage) -> tuple[list[str], int]:
    names, parts = [], 0
    for part in message.walk():
        parts += 1
        if part.is_attachment():
            names.append(str(part.get_filename() or part.get_content_type())[:80])
        if parts > MOST_PARTS:
            break
    return names, parts


def _day(message: EmailMessage) -> tuple[Guess, ...]:
    try:
        day = parsedate_to_datetime(str(message.get("date", "")))
    except (ValueError, TypeError, IndexError, ArithmeticError):
        return ()
    return (Guess("date", day.date().isoformat(), "when the message was sent"),)
