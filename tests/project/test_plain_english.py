"""Documentation and help are in plain English, and what they name of the packages is there."""

import ast
import importlib
import inspect
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt

ROOT = Path(__file__).parents[2]
MOST_WORDS = 35
MOST_WORDS_OF_A_DECISION = 200
"""Title and tables included."""
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "packages/desk/README.md"]
PAGES += sorted(page for page in (ROOT / "docs").rglob("*.md") if "generated" not in page.parts)
COMMANDS = sorted((ROOT / "src/breakrank/cli").glob("*.py"))
COMMANDS += sorted((ROOT / "packages/desk/src/breakrank_desk/cli").glob("*.py"))
RIDDLES = {
    r"names the world": "the random seed",
    r"runs? lives? under": "each run uses parameters drawn from ...",
    r"read in two ways": "ambiguous",
    r"makes? of it": "a summary of",
    r"with other luck": "with different random draws",
    r"has to be mended": "must be corrected",
    r"pays? off": "is faster",
    r"nothing else there": "only",
    r"(same|other) luck|luck alone": "random draws, or chance",
    r"goes on from there": "continues from there",
    r"brings? forth": "produces",
    r"is told (below|under)": "is described",
    r"says next to nothing": "hardly informs",
}
"""Phrases that readers had to puzzle over, as regular expressions, each with what to write instead."""

Passage = tuple[int, str]
"""A line of a file and the running text that begins there."""
ABBREVIATED = re.compile(r"\b(e\.g|i\.e|al|cf|vs|no|approx)\.(?=\s)", re.IGNORECASE)
END = re.compile(r"""(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]*[A-Z0-9])""")


def sentences(text: str) -> list[str]:
    """Split running text after a full stop, question mark or exclamation mark that a capital follows."""
    return END.split(ABBREVIATED.sub(r"\1", " ".join(text.split())))


def words(sentence: str) -> int:
    return sum(any(letter.isalnum() for letter in word) for word in sentence.split())


def prose(markdown: str) -> Iterator[Passage]:
    """Yield paragraphs and list items; code, tables, headings and front matter are left out."""
    front = re.match(r"---\n.*?\n---\n", markdown, re.DOTALL)
    skipped = front.group().count("\n") if front else 0
    tokens = MarkdownIt("commonmark").enable("table").parse(markdown[front.end() :] if front else markdown)
    for opening, token in pairwise(tokens):
        if opening.type == "paragraph_open" and token.map:
            yield (
                token.map[0] + 1 + skipped,
                "".join(
                    {"code_inline": "Code", "softbreak": " ", "hardbreak": " "}.get(child.type, child.content)
                    for child in token.children or []
                ),
            )


def helps(source: str) -> Iterator[Passage]:
    """Yield what a module of commands shows as help: strings named so, and public docstrings."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.keyword) and node.arg == "help" and isinstance(node.value, ast.Constant):
            yield node.value.lineno, str(node.value.value)
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            text, line = inspect.cleandoc(ast.get_docstring(node) or ""), node.body[0].lineno
            for block in re.split(r"(?:\n\s*\n|\n-+\n|\n(?=\S)(?<=    .\n))|\n(?=\w+\n    )", text):
                yield line, re.sub(r"`[^`]+`", "Code", block.partition("\n    ")[2] or block)


def passages(path: Path) -> Iterator[Passage]:
    text = path.read_text(encoding="utf-8")
    return prose(text) if path.suffix == ".md" else helps(text)


def too_long(path: Path) -> Iterator[str]:
    for line, passage in passages(path):
        for sentence in sentences(passage):
            if words(sentence) > MOST_WORDS:
                yield f"{path.relative_to(ROOT)}:{line}: {words(sentence)} words: {sentence}"


def riddles(path: Path) -> Iterator[str]:
    for line, passage in passages(path):
        for phrase, plain in RIDDLES.items():
            if found := re.search(phrase, passage, re.IGNORECASE):
                yield f"{path.relative_to(ROOT)}:{line}: {found.group()!r}: write {plain!r}"


def test_no_sentence_is_long_and_no_phrase_riddles() -> None:
    wrong = [line for path in (*PAGES, *COMMANDS) for line in (*too_long(path), *riddles(path))]
    assert not wrong, "\n".join(["", *wrong])


def test_a_decision_is_told_in_two_hundred_words() -> None:
    told = {path.stem: words(path.read_text("utf-8")) for path in (ROOT / "docs/decisions").glob("0*.md")}
    assert {name: number for name, number in told.items() if number > MOST_WORDS_OF_A_DECISION} == {}


FILES = [*ROOT.glob("docs/**/*.md"), *ROOT.glob("src/breakrank/**/*.py"), ROOT / "README.md"]
FILES += ROOT.glob("packages/desk/src/**/*.py")
WALKS = re.compile(r"^```(?:diff|python)\n# .*?^```", re.M | re.S)
"""Changes that a page makes to files that it names, which a test of their own makes."""
GROUPS = {"breakrank.commands", "breakrank.desk.proposers", "breakrank.mechanisms"}
"""Names of entry points, which are no modules."""


def is_there(name: str) -> bool:
    """Say whether a dotted name is a module, or something in one."""
    parts = name.split(".")
    for k in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:k]))
        except ModuleNotFoundError:
            continue
        for part in parts[k:]:
            if part in getattr(found, "__annotations__", {}):
                return True
            if not hasattr(found, part):
                return False
            found = getattr(found, part)
        return True
    return False


def test_what_is_named_is_there() -> None:
    named: dict[str, Path] = {}
    for path in FILES:
        text = WALKS.sub("", path.read_text("utf-8"))
        found = re.findall(r"(?<![\w./-])breakrank(?:_desk)?(?:\.[A-Za-z_]\w*)+", text)
        named |= dict.fromkeys(set(found) - GROUPS, path)
    assert {name: str(path) for name, path in named.items() if not is_there(name)} == {}
