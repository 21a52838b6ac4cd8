"""Every number of the model has a parent: compiled code holds no number that mathematics does not explain.

A judgement about people is a parameter, with a unit, a range and evidence or a reason, or a constant whose
docstring says why it is as large as it is. What else may stand in compiled code: 0, 1 and 2, positions in
arrays, operands of bit operations, and the named constants below.
The generator of random bits (`draws.py`) is mathematics throughout.
"""

import ast
import itertools
from collections.abc import Iterator
from functools import cache

from tests.project import trees
from tests.project.trees import PACKAGE

COMPILERS = {"kernel", "lean", "inlined"}
CODES = {"engine/codes.py", "units.py", "draws.py"}
"""Files whose constants are names of kinds, units of time, and names of draws."""
EXPLAINED = {
    "rounding": {
        *("_ROUNDING", "_CERTAIN", "_NO_SPREAD", "_LOWEST", "GRAIN"),
        *("_LEAST", "NEARLY", "_NO_PAY"),
    },
    "room, made larger where it does not do": {"_ROOM", "CHUNK", "_FEW", "ROOM", "ENTRIES"},
    "shapes of arrays": {"SIZES", "EXPECTATIONS", "MOST_DEPENDANTS"},
    "names of draws": {"MOST_ROUNDS", "OCCASIONS", "_NOBODY"},
    "memory": {"AHEAD", "_KNOWN", "_TOGETHER"},
    "steps after which a search ends by itself": {"_STEPS"},
    "the normal distribution": {"ROOT_2PI", "_A0", "_C0", "_TAIL"},
    "kinds": {
        *(
            "CONTACTS",
            "COMMANDS",
            "IN_SITE",
            "PRIVATE_HOME",
            "STREET",
            "SETTLED",
            "WITH_KIN",
            "ELSEWHERE",
            "WITH_UNIT",
        ),
        *("HELD", "EXPELLED", "BACK", "NO_DECISION", "GRANTED", "REFUSED", "OFFICER", "UNRANKED", "SENIOR"),
        "WITH_UNIT",
    },
    "the shape of a network": {"KIN_CIRCLE", "CLASS_SECTION"},
    "a unit": {"MEALS_A_DAY", "TENSE"},
}


def compiled(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            names = {each.id for each in node.decorator_list if isinstance(each, ast.Name)}
            if names & COMPILERS:
                yield node


def bare_numbers(function: ast.FunctionDef) -> list[tuple[int, float]]:
    """Return the line and value of each number in a function that nothing explains."""
    plain: set[int] = set()
    for node in ast.walk(function):
        bits = isinstance(node, ast.BinOp) and isinstance(
            node.op, ast.LShift | ast.RShift | ast.BitAnd | ast.BitOr | ast.BitXor
        )
        if bits or isinstance(node, ast.Subscript):
            inside = node.slice if isinstance(node, ast.Subscript) else node
            plain |= {id(each) for each in ast.walk(inside)}
    found = []
    for node in ast.walk(function):
        if not isinstance(node, ast.Constant) or id(node) in plain or isinstance(node.value, bool):
            continue
        value = node.value
        if isinstance(value, int) and value in (0, 1, 2):
            continue
        if isinstance(value, int | float) and value not in (0.0, 1.0):
            found.append((node.lineno, float(value)))
    return found


def parsed(name: str) -> ast.Module:
    return trees.parsed(PACKAGE / name)


@cache
def sources() -> list[str]:
    """Return the files that hold compiled code."""
    names = [file.relative_to(PACKAGE).as_posix() for file in trees.sources()]
    return [name for name in names if name != "draws.py" and next(compiled(parsed(name)), None)]


def test_no_bare_number_stands_in_compiled_code() -> None:
    assert len(sources()) > 30, "far fewer files hold compiled code than did"
    found = [
        (name, function.name, *each)
        for name in sources()
        for function in compiled(parsed(name))
        for each in bare_numbers(function)
    ]
    assert found == [], "make it a parameter, or derive it"


def test_every_named_number_in_compiled_code_is_explained() -> None:
    explained = {name for names in EXPLAINED.values() for name in names}
    unexplained, met = [], set()
    for name in sources():
        tree = parsed(name)
        constants, imported = numbers_of(name), imported_numbers(tree)
        for function in compiled(tree):
            used = {each.id for each in ast.walk(function) if isinstance(each, ast.Name)}
            for constant in used & (constants.keys() | imported.keys()):
                home = imported.get(constant, name)
                met.add(constant)
                if home not in CODES and constant not in explained | reasoned(home):
                    unexplained.append((name, function.name, constant))
    assert unexplained == [], "make it a parameter, or derive it"
    assert explained & met, "the table explains nothing that is used"


@cache
def numbers_of(name: str) -> dict[str, float]:
    """Return a module's names that are bound to a plain number."""
    found: dict[str, float] = {}
    for node in parsed(name).body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AnnAssign):
            targets = [node.target]
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        if isinstance(value, ast.Constant) and type(value.value) in (int, float):
            found |= {each.id: value.value for each in targets if isinstance(each, ast.Name)}
    return found


@cache
def reasoned(name: str) -> frozenset[str]:
    """Return the constants of a module whose docstring of at least eight words says why."""
    body = parsed(name).body
    found: set[str] = set()
    for node, after in itertools.pairwise(body):
        said = after.value if isinstance(after, ast.Expr) else None
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AnnAssign):
            targets = [node.target]
        why = said.value if isinstance(said, ast.Constant) and isinstance(said.value, str) else ""
        if len(why.split()) >= 8:
            found |= {each.id for each in targets if isinstance(each, ast.Name)}
    return frozenset(found)


def imported_numbers(tree: ast.Module) -> dict[str, str]:
    """Return the plain numbers that a module imports from the package, and the files they stand in."""
    found = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("breakrank."):
            home = (node.module or "").removeprefix("breakrank.").replace(".", "/") + ".py"
            if (PACKAGE / home).is_file():
                found |= {each.name: home for each in node.names if each.name in numbers_of(home)}
    return found


def test_no_table_of_a_mechanism_is_built_by_position() -> None:
    """Numbers of one type beside each other could be swapped and nothing would say so."""
    everywhere = {path: trees.nodes(path) for path in trees.sources()}
    tables = {
        node.name
        for nodes in everywhere.values()
        for node in nodes
        if isinstance(node, ast.ClassDef) and any(ast.unparse(base) == "Table" for base in node.bases)
    }
    assert len(tables) > 40
    by_position = [
        f"{path.relative_to(PACKAGE).as_posix()}:{node.lineno}"
        for path, nodes in everywhere.items()
        for node in nodes
        if path.is_relative_to(PACKAGE / "mechanisms") and isinstance(node, ast.Call) and node.args
        if isinstance(node.func, ast.Name) and node.func.id in tables
    ]
    assert not by_position
