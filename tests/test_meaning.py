"""What counts as another program, and what only looks like one."""

from __future__ import annotations

import ast

import pytest

from breakrank.meaning import meaning

PLAIN = {
    "p/__init__.py": "",
    "p/spec.py": '''
"""Declares."""
from dataclasses import dataclass

@dataclass
class Parameter:
    """One number."""
    name: str
    low: float
    typical: float
    about: str
    assumed: str = ""

def share(name, typical, about):
    return Parameter(name, 0, typical, about)
''',
    "p/fear.py": '''
"""Fear."""
from math import exp
from p import spec
from p.kernel import lean
from p.spec import Parameter, share

LIMIT = 3
RISK = Parameter("fear.risk", 0, 6.0, "weight of punishment", assumed="a guess")
SLOPE = share("fear.slope", 0.25, "by tier")
SHARE = spec.share("fear.share", 0.5, "of those who try")

def weighed(x: float, more: int = 2) -> float:
    """Return it."""
    total: float = 0.0
    if x < 0:
        raise ValueError(f"{x} is negative")
    for k in range(more):
        total += k * exp(x)  # one by one
    return min(total, LIMIT)

@lean
def feared(table: Parameter, who: int) -> float:
    return table.typical * who

class Fear:
    """Fear."""
    citation = "Apel 2013"
    kind: float = 1.0

    def describe(self, x: float) -> str:
        return f"fear {weighed(x):.3f} of {self.kind}"
''',
    "p/hope.py": """
from p.fear import weighed

LIMIT = 5

def hoped(x):
    return min(weighed(x), LIMIT)
""",
}


def digest(files: dict[str, str]) -> str:
    return meaning({path: text.encode() for path, text in files.items()})


def changed(path: str, old: str, new: str) -> dict[str, str]:
    assert PLAIN[path].count(old) >= 1
    return PLAIN | {path: PLAIN[path].replace(old, new)}


FEAR = "p/fear.py"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  # one by one", "\n        # in turn\n"),
        ('"""Return it."""', '"""Return something else."""'),
        ('    """Return it."""\n', ""),
        ("x: float, more: int = 2) -> float", "x, more: 'Whole' = 2)"),
        ("total: float = 0.0", "total = 0.0"),
        ("{x} is negative", "{x} lies below 0"),
        ("weight of punishment", "weight of a certain punishment"),
        ("a guess", "an assumption"),
        ("by tier", "by each tier"),
        ("of those who try", "of all who try"),
        ("Apel 2013", "Apel 2022"),
        ("from math import exp\nfrom p import spec", "from p import spec\nfrom math import exp"),
        ("SLOPE =", "\n\n\nSLOPE ="),
        ("min(total, LIMIT)", "min(\n        total,\n        LIMIT,\n    )"),
        ("from p.spec", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import os\nfrom p.spec"),
    ],
)
def test_what_computes_nothing_changes_nothing(old: str, new: str) -> None:
    assert digest(changed(FEAR, old, new)) == digest(PLAIN)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("LIMIT = 3", "LIMIT = 4"),
        ("LIMIT = 3", "LIMIT = 3.0"),
        ("total += k", "total -= k"),
        ("x < 0", "x <= 0"),
        ("more: int = 2", "more: int = 3"),
        ('"fear.risk", 0, 6.0', '"fear.risk", 0, 7.0'),
        ('"fear.risk", 0, 6.0', '"fear.risk", 1, 6.0'),
        ('"fear.slope", 0.25', '"fear.slope", 0.5'),
        ("fear.share", "fear.part"),
        ("from math import exp", "from numpy import exp"),
        ("from math import exp", "from math import expm1 as exp"),
        ("table: Parameter", "table: Hope"),
        ("@lean\n", ""),
        ("kind: float = 1.0", "kind: int = 1.0"),
        (".3f", ".4f"),
        ('f"fear ', 'f"fears '),
        ("raise ValueError", "raise TypeError"),
        ("class Fear:", "class Hope:\n    pass\n\nclass Fear:"),
    ],
)
def test_what_computes_something_else_changes_the_digest(old: str, new: str) -> None:
    assert digest(changed(FEAR, old, new)) != digest(PLAIN)


def test_a_file_may_be_renamed_and_a_definition_moved() -> None:
    renamed = {path.replace("spec", "declare"): text for path, text in PLAIN.items()}
    renamed[FEAR] = PLAIN[FEAR].replace("p.spec", "p.declare").replace("spec", "declare")
    assert digest(renamed) == digest(PLAIN)
    start = PLAIN[FEAR].index("@lean")
    moved = PLAIN | {
        FEAR: PLAIN[FEAR][:start] + PLAIN[FEAR][PLAIN[FEAR].index("class Fear") :],
        "p/feared.py": "from p.kernel import lean\nfrom p.spec import Parameter\n"
        + PLAIN[FEAR][start : PLAIN[FEAR].index("class Fear")],
    }
    assert digest(moved) == digest(PLAIN)


def test_a_function_that_is_moved_beside_another_constant_of_that_name_is_another_one() -> None:
    start, end = PLAIN[FEAR].index("def weighed"), PLAIN[FEAR].index("@lean")
    moved = PLAIN | {
        FEAR: PLAIN[FEAR][:start] + "from p.hope import weighed\n" + PLAIN[FEAR][end:],
        "p/hope.py": "from math import exp\n" + PLAIN["p/hope.py"].replace("from p.fear import weighed", "")
        + PLAIN[FEAR][start:end],
    }  # fmt: skip
    assert digest(moved) != digest(PLAIN)


def test_words_are_known_by_the_declarations_of_other_modules() -> None:
    beside = {"p/spec.py": PLAIN["p/spec.py"].encode()}
    texts = (PLAIN[FEAR], PLAIN[FEAR].replace("by tier", "by each tier"))
    assert len({meaning({FEAR: text.encode()}) for text in texts}) == 2
    assert len({meaning({FEAR: text.encode()}, beside) for text in texts}) == 1


def test_the_order_and_the_number_of_files_are_no_matter() -> None:
    assert digest(dict(reversed(PLAIN.items()))) == digest(PLAIN)
    assert digest(PLAIN | {"p/empty.py": '"""Nothing."""\nimport os\n'}) == digest(PLAIN)


def test_the_digest_is_the_same_on_every_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trees of 3.12 and later have type_params; formatted text may come in other pieces; 3.8 had kinds."""
    plain, parse = digest(PLAIN), ast.parse

    def other(source: bytes) -> ast.Module:
        tree = parse(source)
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                vars(node).update(_fields=(*node._fields, "type_params"), type_params=[])
            elif isinstance(node, ast.Constant):
                node.kind = "u"
            elif isinstance(node, ast.JoinedStr):
                node.values = [piece for one in node.values for piece in _cut(one)]
        return tree

    monkeypatch.setattr("breakrank.meaning.ast.parse", other)
    assert digest(PLAIN) == plain


def _cut(piece: ast.expr) -> list[ast.expr]:
    if not isinstance(piece, ast.Constant):
        return [piece]
    text = str(piece.value)
    return [ast.Constant(text[:2]), ast.Constant(text[2:]), ast.Constant("")]


def test_the_digest_of_a_program_is_known() -> None:
    """The same on 3.11, 3.12 and 3.13, so written down."""
    assert digest(PLAIN) == "1be7c775444ed32cfb52794a82035bbf3aa334b2a1a09aaf6874cf4d9a193277"
