"""Web pages: every block of the page, with what its tags say and whether the main text holds it.

trafilatura finds the main text; what it leaves out (captions, heads, what stands around) is kept beside it
with
a reason, so that a reader can put a mistake right.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from breakrank.case.source import decoded
from breakrank_desk.normal import words
from breakrank_desk.reading.limits import BLOCKS, CHARACTERS, LEVELS, RefusedError
from breakrank_desk.texts import Block, Extract, Guess, Hint

_SKIP: Final = frozenset(
    """
    script style noscript template svg math iframe object embed form select button head title input textarea
    """.split()  # noqa: SIM905
)
_ASIDE: Final = frozenset(("nav", "footer", "aside", "menu"))
_BREAKS: Final = frozenset(
    """
    p div section article main li ul ol dl dt dd table tbody thead tr td th h1 h2 h3 h4 h5 h6 blockquote
    figcaption figure header footer nav aside pre br hr body address details summary caption menu
    """.split()  # noqa: SIM905
)
_HEADS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_CAPTION = re.compile(r"\b(?:wp-)?caption|\bcredit\b|figcaption|photo-text", re.IGNORECASE)
_QUOTE = re.compile(r"pull-?quote|blockquote--pull", re.IGNORECASE)
_FURNITURE = re.compile(
    r"\b(?:nav|menu|footer|sidebar|share|social|related|newsletter|promo|cookie|consent|breadcrumb|comments?|"
    r"subscribe|advert|ad-slot|recirc|byline-bio|tags?|paywall)\b",
    re.IGNORECASE,
)
_TIME = re.compile(r"\b((?:19|20)\d\d-\d\d-\d\d)")


def read_html(data: bytes) -> Extract:
    """Return the blocks of a web page and what its head says about date, outlet and author.

    Raises
    ------
    RefusedError
        for pages nested too deep, or that no parser can make a page of.
    """
    import trafilatura
    from lxml import etree, html

    text, told = decoded(data)
    text = text.replace("\x00", "")
    parser = html.HTMLParser(huge_tree=False, remove_comments=True, remove_pis=True, no_network=True)
    try:
        tree = html.document_fromstring(re.sub(r"^\s*<\?xml[^>]*\?>", "", text) or " ", parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError, AssertionError) as error:
        raise RefusedError(f"no page could be made of it: {str(error)[:80]}") from None
    if any("Excessive depth" in e.message for e in parser.error_log):  # it would cut the page off there
        raise RefusedError(f"tags are nested more than {LEVELS} levels deep")
    guesses = tuple(_guesses(tree))
    found = list(_blocks(tree))
    main = None if len(found) >= BLOCKS else trafilatura.extract(
        html.tostring(tree, encoding="unicode"),
        include_comments=False, include_tables=True, deduplicate=False, favor_recall=True,
        output_format="txt",
    )  # fmt: skip
    kept = {tuple(words(line)) for line in (main or "").split("\n")}
    joined = " ".join(words(main or ""))
    blocks = tuple(Block(t, h, _within(t, kept, joined) if main else None) for t, h in found)
    return Extract("html", f"trafilatura {trafilatura.__version__}", blocks, guesses, told, _declared(tree))


def _declared(tree: Any) -> str:  # noqa: ANN401
    """Return the language that a page declares; empty where it declares none."""
    declared = tree.get("lang") or tree.get("{http://www.w3.org/XML/1998/namespace}lang") or ""
    return declared if re.fullmatch(r"[A-Za-z]{2,3}(?:[-_][\w-]{1,20})?", declared) else ""


def _within(text: str, kept: set[tuple[str, ...]], joined: str) -> bool:
    own = tuple(words(text))
    return own in kept or (len(own) >= 4 and " ".join(own) in joined)


class _Builder:
    """Collects text up to the next break, with the hint of the innermost tag that gives one."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.linked = 0
        self.hints: list[Hint] = ["text"]
        self.out: list[tuple[str, Hint]] = []
        self.size = 0

    def flush(self) -> None:
        text = " ".join("".join(self.parts).split())
        if text and len(self.out) < BLOCKS and self.size < CHARACTERS:
            hint = self.hints[-1]
            if hint in ("text", "list") and self.linked > 0.6 * len(text):
                hint = "aside"
            self.out.append((text, hint))
            self.size += len(text)
        self.parts, self.linked = [], 0


def _blocks(tree: Any) -> Iterator[tuple[str, Hint]]:  # noqa: ANN401
    from lxml import etree

    build, links, skipped = _Builder(), 0, 0
    for event, node in etree.iterwalk(tree, events=("start", "end")):
        tag = node.tag if isinstance(node.tag, str) else "?"
        if event == "start":
            if skipped or tag in _SKIP or tag == "?" or _hidden(node):
                skipped += 1
                continue
            if tag in _BREAKS:
                build.flush()
            build.hints.append(_hint(node, tag, build.hints[-1]))
            links += tag == "a"
            _add(build, node.text, links)
            continue
        if skipped:
            skipped -= 1
        else:
            if tag in _BREAKS:
                build.flush()
            build.hints.pop()
            links -= tag == "a"
        if not skipped:
            _add(build, node.tail, links)
    build.flush()
    yield from build.out


def _add(build: _Builder, text: str | None, links: int) -> None:
    if text:
        build.parts.append(text)
        build.linked += len(text.strip()) if links else 0


def _hidden(node: Any) -> bool:  # noqa: ANN401
    style = (node.get("style") or "").replace(" ", "").lower()
    return node.get("hidden") is not None or "display:none" in style or "visibility:hidden" in style


def _hint(node: Any, tag: str, outer: Hint) -> Hint:  # noqa: ANN401
    named = f"{node.get('class') or ''} {node.get('id') or ''}"
    if (
        outer == "aside"
        or tag in _ASIDE
        or (tag not in ("body", "html", "main", "article") and _FURNITURE.search(named))
    ):
        return "aside"
    if tag == "figcaption" or outer == "caption" or _CAPTION.search(named):
        return "caption"
    if tag in _HEADS:
        return "head"
    if _QUOTE.search(named) or (tag == "aside" and outer == "quote"):
        return "quote"
    return "list" if tag in ("li", "td", "th") else outer


def _guesses(tree: Any) -> Iterator[Guess]:  # noqa: ANN401
    wanted = {
        "article:published_time": "date", "og:article:published_time": "date", "date": "date",
        "pubdate": "date",
        "dc.date": "date", "og:site_name": "outlet", "application-name": "outlet", "author": "author",
        "article:author": "author", "og:title": "title",
    }  # fmt: skip
    for node in tree.iter("meta"):
        name = str(node.get("property") or node.get("name") or node.get("itemprop") or "").lower()
        value = " ".join(str(node.get("content") or "").split())[:200]
        what = wanted.get(name)
        if what == "date":
            day = _TIME.search(value)
            if day:
                yield Guess("date", day.group(1), f"the page's {name}")
        elif what and value:
            yield Guess(what, value, f"the page's {name}")  # type: ignore[arg-type]
    for node in tree.iter("time"):
        day = _TIME.search(str(node.get("datetime") or ""))
        if day:
            yield Guess("date", day.group(1), "a time tag on the page")
    for node in tree.iter("script"):
        if "ld+json" in str(node.get("type") or "").lower():
            yield from _linked_data(node.text or "")


def _linked_data(text: str) -> Iterator[Guess]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return
    items = data if isinstance(data, list) else data.get("@graph", [data]) if isinstance(data, dict) else []
    for item in items if isinstance(items, list) else []:
        if not isinstance(item, dict):
            continue
        day = _TIME.search(str(item.get("datePublished") or ""))
        if day:
            yield Guess("date", day.group(1), "the page's linked data")
        publisher = item.get("publisher")
        if isinstance(publisher, dict) and isinstance(publisher.get("name"), str):
            yield Guess("outlet", publisher["name"][:200], "the page's linked data")
