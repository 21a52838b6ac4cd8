"""What Python source does, as a digest: its syntax trees, without all that no number depends on.

Comments, layout, docstrings and imports do not count, nor do annotations that only a type checker reads, what
errors say, and :data:`WORDS`. Nor does the file that a definition stands in: a name counts as what it is
bound to there, so that a function that is moved beside another constant of the same name is another function.
The digest is the same on every Python, whose trees differ in fields that hold nothing.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

WORDS = frozenset({"about", "assumed", "citation", "description", "label", "theory"})
"""What declarations call the texts that readers see: arguments and fields of these names do not count."""

_SILENT = frozenset({"ctx", "kind", "returns", "type_comment", "type_ignores", "type_params"})
"""Fields of syntax trees that say nothing of what is computed."""
_DEEP = 4
"""How many names deep a change of binding is seen: what a definition reads, what that reads, and so on."""


@dataclass
class _Statement:
    """A statement at the top of a module.

    Attributes
    ----------
    module, tree : where it stands, and its syntax tree; ``text`` tells this.
    names : that it reads. reads : what they are bound to: statements, or a name of another package.
    digest : of its text and, more and more deeply, of what it reads.
    """

    module: _Module
    tree: ast.stmt
    text: str = ""
    names: set[str] = field(default_factory=set)
    reads: dict[str, list[_Statement] | str] = field(default_factory=dict)
    digest: str = ""


@dataclass
class _Module:
    """A module: what its names are bound to, and where calls of its definitions take words.

    Attributes
    ----------
    name : with dots. package : that relative imports start from.
    statements : all that count. own : by name, those that bind it here.
    imported : by name, the module and the name there, which is empty for a module as a whole.
    words : of each function and class, the places of arguments that are words.
    """

    name: str
    package: str
    statements: list[_Statement] = field(default_factory=list)
    own: dict[str, list[_Statement]] = field(default_factory=dict)
    imported: dict[str, tuple[str, str]] = field(default_factory=dict)
    words: dict[str, set[int]] = field(default_factory=dict)


def meaning(sources: Mapping[str, bytes], beside: Mapping[str, bytes] | None = None) -> str:
    """Return the SHA-256 (hexadecimal) of what the code of some modules does.

    Parameters
    ----------
    sources : by path from the folder that they are imported from, such as ``"package/module.py"``.
    beside : more modules, by path, that these import from. They do not count; they tell which arguments of
        their functions are words.

    Raises
    ------
    SyntaxError
        for a source that is no Python.
    """
    found = {path: _module(path, source) for path, source in {**(beside or {}), **sources}.items()}
    every = {one.name: one for one in found.values()}
    statements = [one for path in sources for one in found[path].statements]
    for one in statements:
        one.text = _Tree(one, every).tell(one.tree)
        one.reads = _read(one, every)
        one.digest = _digest([one.text])
    for _ in range(_DEEP):
        deeper = [_digest([one.digest, *_bindings(one)]) for one in statements]
        for one, digest in zip(statements, deeper, strict=True):
            one.digest = digest
    return _digest(sorted({one.digest for one in statements}))


def _module(path: str, source: bytes) -> _Module:
    tree = ast.parse(source)
    parts = PurePosixPath(path).with_suffix("").parts
    package = parts[:-1]
    name = package if parts[-1] == "__init__" else parts
    made = _Module(".".join(name), ".".join(package))
    for node in _imports(tree.body):
        if isinstance(node, ast.Import):
            for alias in node.names:
                whole = alias.name if alias.asname else alias.name.partition(".")[0]
                made.imported[alias.asname or whole] = whole, ""
        else:
            upper = package[: len(package) - node.level + 1] if node.level else ()
            origin = ".".join([*upper, *([node.module] if node.module else [])])
            made.imported |= {alias.asname or alias.name: (origin, alias.name) for alias in node.names}
    for statement in _that_count(tree.body):
        one = _Statement(made, statement)
        made.statements.append(one)
        for bound in _bound(statement):
            made.own.setdefault(bound, []).append(one)
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            arguments = _arguments(statement)
            made.words[statement.name] = {k for k, each in enumerate(arguments) if each in WORDS}
    return made


def _imports(body: Iterable[ast.AST]) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield the imports among statements and within them, but for those that only a type checker reads."""
    for one in body:
        if isinstance(one, ast.Import | ast.ImportFrom):
            yield one
        elif not _for_the_checker(one):
            for inner in ("body", "orelse", "finalbody", "handlers", "cases"):
                yield from _imports(getattr(one, inner, ()))


def _for_the_checker(node: ast.AST) -> bool:
    test = node.test if isinstance(node, ast.If) and not node.orelse else None
    return getattr(test, "id", getattr(test, "attr", "")) == "TYPE_CHECKING"


def _arguments(definition: ast.FunctionDef | ast.ClassDef) -> list[str]:
    """Return the names of the arguments by place; of a class, those of its fields."""
    if isinstance(definition, ast.ClassDef):
        fields = (each.target for each in definition.body if isinstance(each, ast.AnnAssign))
        return [one.id for one in fields if isinstance(one, ast.Name)]
    return [one.arg for one in (*definition.args.posonlyargs, *definition.args.args)]


def _that_count(body: Iterable[ast.stmt], *, of_class: bool = False) -> Iterator[ast.stmt]:
    """Yield the statements of a body that do something."""
    for one in body:
        if isinstance(one, ast.Import | ast.ImportFrom | ast.Pass) or _for_the_checker(one):
            continue
        if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant):
            continue  # a docstring
        if isinstance(one, ast.AnnAssign) and one.value is None and not of_class:
            continue
        if of_class and not set(_bound(one)).isdisjoint(WORDS):
            continue
        yield one


def _bound(statement: ast.stmt) -> set[str]:
    """Return the names that a statement binds."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {statement.name}
    nodes = [n for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    defined = [n for n in ast.walk(statement) if isinstance(n, ast.FunctionDef | ast.ClassDef)]
    return {n.id for n in nodes} | {n.name for n in defined}


class _Tree:
    """Tells the syntax tree of a statement as text, and notes the names that it reads."""

    def __init__(self, statement: _Statement, every: Mapping[str, _Module]) -> None:
        self._statement, self._module, self._every = statement, statement.module, every
        self._within: ast.stmt | None = None

    def tell(self, value: object) -> str:
        """Return a node, a list of them or a plain value as text."""
        match value:
            case ast.Constant(value=constant):
                return f"{type(constant).__name__} {constant!r}"
            case ast.Name(id=name):
                self._statement.names.add(name)
                return name
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if self._is_module(name):
                self._statement.names.add(f"{name}.{attribute}")
                return attribute
            case ast.Raise(exc=error):
                return f"Raise({self.tell(error.func if isinstance(error, ast.Call) else error)})"
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                return self._definition(value)
            case ast.arg(arg=name, annotation=kind):
                return f"{name}: {self.tell(kind)}" if kind and self._is_compiled() else name
            case ast.AnnAssign(target=target, value=given) if not self._is_class():
                return self._node("Assign", {"targets": [target], "value": given})
            case ast.Call(func=function, args=args, keywords=keywords):
                named = [one for one in keywords if one.arg not in WORDS]
                return self._node(
                    "Call", {"func": function, "args": self._plain(function, args), "keywords": named}
                )
            case ast.JoinedStr(values=values):
                return f"JoinedStr({', '.join(self._pieces(values))})"
            case ast.AST():
                return self._node(type(value).__name__, dict(ast.iter_fields(value)))
            case list():
                statements = value and isinstance(value[0], ast.stmt)
                kept = _that_count(value, of_class=self._is_class()) if statements else value
                return f"[{', '.join(map(self.tell, kept))}]"
        return repr(value)

    def _node(self, kind: str, fields: Mapping[str, object]) -> str:
        texts = ((name, self.tell(v)) for name, v in fields.items() if name not in _SILENT and v is not None)
        return f"{kind}({', '.join(f'{name}={text}' for name, text in texts if text != '[]')})"

    def _definition(self, value: ast.stmt) -> str:
        around, self._within = self._within, value
        text = self._node(type(value).__name__, dict(ast.iter_fields(value)))
        self._within = around
        return text

    def _is_class(self) -> bool:
        """Return whether fields of a class are declared here, whose annotations say what is stored."""
        return isinstance(self._within, ast.ClassDef)

    def _is_compiled(self) -> bool:
        """Return whether this is a function with a decorator: a day hands it tables by its annotations."""
        return bool(getattr(self._within, "decorator_list", ()))

    def _plain(self, function: ast.expr, args: list[ast.expr]) -> list[ast.expr]:
        """Return the arguments of a call that are no words."""
        words = self._words_of(function)
        stars = next((k for k, one in enumerate(args) if isinstance(one, ast.Starred)), len(args))
        return [one for k, one in enumerate(args) if k not in words or k >= stars]

    def _words_of(self, function: ast.expr) -> set[int]:
        match function:
            case ast.Name(id=name):
                origin, name = _origin(self._module, name, self._every)
            case ast.Attribute(value=ast.Name(id=alias), attr=name) if self._is_module(alias):
                origin, name = _origin(self._module, f"{alias}.{name}", self._every)
            case _:
                return set()
        return self._every[origin].words.get(name, set()) if origin in self._every else set()

    def _pieces(self, values: Iterable[ast.expr]) -> Iterator[str]:
        """Yield the pieces of a formatted string: Pythons differ in how they cut the plain text."""
        text = ""
        for one in values:
            if isinstance(one, ast.Constant):
                text += str(one.value)
                continue
            yield from [repr(text)] if text else []
            text = ""
            yield self.tell(one)
        yield from [repr(text)] if text else []

    def _is_module(self, name: str) -> bool:
        origin, inner = self._module.imported.get(name, ("", ""))
        return name not in self._module.own and (f"{origin}.{inner}" if inner else origin) in self._every


def _origin(module: _Module, name: str, every: Mapping[str, _Module]) -> tuple[str, str]:
    """Return the module that defines what a name is bound to, and its name there."""
    seen = set()
    while (module.name, name) not in seen:
        seen.add((module.name, name))
        alias, dot, inner = name.partition(".")
        if alias in module.own or alias not in module.imported:
            return module.name, name
        origin, there = module.imported[alias]
        if dot:
            origin, there = f"{origin}.{there}".removesuffix("."), inner
        if origin not in every:
            return origin, there
        module, name = every[origin], there
    return module.name, name


def _read(one: _Statement, every: Mapping[str, _Module]) -> dict[str, list[_Statement] | str]:
    """Return the bindings of names that a statement reads; Python's own are left out."""
    packages = {name.partition(".")[0] for name in every}
    out: dict[str, list[_Statement] | str] = {}
    for name in one.names:
        origin, there = _origin(one.module, name, every)
        if origin in every:
            out[name] = every[origin].own.get(there, [])
        else:  # in the same package, the file does not matter
            out[name] = there if origin.partition(".")[0] in packages else f"{origin}.{there}"
    return out


def _bindings(one: _Statement) -> list[str]:
    """Return the binding of each name that a statement reads, whatever a module is called there."""
    out = []
    for called, bound in one.reads.items():
        name = called.rpartition(".")[2]
        out += [f"{name} is {bound}"] if isinstance(bound, str) else [f"{name} {b.digest}" for b in bound]
    return sorted(out)


def _digest(texts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(texts).encode("utf-8", "surrogatepass")).hexdigest()
