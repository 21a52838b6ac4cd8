"""The reference of the case format as Markdown, written from what a case is checked with."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any, get_args

from breakrank.case.content import FILES
from breakrank.case.documents import read_yaml
from breakrank.case.examination import FILE, TABLE
from breakrank.case.library import LIBRARY, list_cases
from breakrank.case.log_words import EVENTS, OCCASIONS
from breakrank.case.models_events import Effect, Event
from breakrank.case.models_evidence import By
from breakrank.case.models_parameters import Basis
from breakrank.case.models_patterns import OF_A_SOLDIER, OF_AN_EVENT, PUT_TOGETHER
from breakrank.case.source import Folder
from breakrank.literature import works
from breakrank.outputs import Measure
from breakrank.plugins import OPTIONAL
from breakrank.results.measures import counted_until
from breakrank.results.outcome import called
from breakrank.results.outcomes import known_from
from breakrank.spec import Field, Parameter
from breakrank.wording import listed

if TYPE_CHECKING:
    from breakrank.model import Model


Row = tuple[str, ...]
CASE = "venezuela-2019"
SOLDIERS = 1000
"""Strength of the force that is built to be described: what is said does not depend on it."""


def built() -> Model:
    """Return the model of a built-in case, with a small force."""
    from breakrank.model import Model, build
    from breakrank.runs.cases import load_case

    case = load_case(CASE, "point").set({"force.strength": SOLDIERS})
    return Model(case, build(case, seed=1))


def day() -> tuple[Row, Sequence[Row]]:
    """Return the steps of a day, in order: phase, mechanism, description."""
    rows, phase = [], ""
    for line in built().plan().splitlines()[1:]:
        if line.startswith("    "):
            name, _, said = line.strip().partition(" ")
            rows.append((phase, f"`{name}`", said.strip()))
            phase = ""
        else:
            phase = f"**{line.strip()}**"
    return ("phase", "mechanism", "what it does"), rows


def state() -> tuple[Row, Sequence[Row]]:
    """Return the tables that change in a run: what each holds, and its variables."""
    days = built().days
    given = {type(table) for mechanism in days.mechanisms for table in mechanism.given}
    rows = [
        (f"`{name}`", first_sentence(kind), ", ".join(f"`{field}`" for field, _, _ in kind.declared()))
        for kind, name in sorted(days.state.names.items(), key=lambda each: each[1])
        if kind not in given
    ]
    return ("table", "what it holds", "variables"), rows


def first_sentence(kind: object) -> str:
    """Return the first sentence of a docstring, without what it refers to."""
    text = " ".join((inspect.getdoc(kind) or "").split())
    return re.split(r"[;:,] see |\. |\.$", text)[0] + "."


def choice() -> tuple[Row, Sequence[Row]]:
    """Return every term of a utility: mechanism, what it says, and for which options it counts."""
    from breakrank.engine.codes import OPTIONS
    from breakrank.model import MECHANISMS

    rows = []
    for kind in MECHANISMS:
        for term in kind.terms:
            counts: dict[str, list[str]] = {}
            for option, factor in term.options.items():
                name = option if isinstance(option, str) else OPTIONS[option]
                counts.setdefault(in_words(factor), []).append(name)
            said = "; ".join(f"{acts(names)}{factor}" for factor, names in counts.items())
            rows.append((f"`{term.name}`", term.about + (" (base rate)" if term.base else ""), said))
    return ("term", "what it says", "counts for"), rows


def acts(names: list[str]) -> str:
    """Return the names of options, or that they are all that are against the regime."""
    from breakrank.engine.codes import AGAINST, OPTIONS

    return "every act against the regime" if names == [OPTIONS[each] for each in AGAINST] else listed(names)


def in_words(factor: float | str) -> str:
    """Return with which factor a term counts, in words; nothing for 1."""
    if isinstance(factor, str):
        return f" (times `{factor}`)"
    return "" if factor == 1 else f" (times {factor:g})"


KINDS: Mapping[str, str] = {"exponential": "exponential waiting time", "normal": "normal"}
"""What functions of :mod:`breakrank.draws` draw, where it is no chance and no pick."""


def draws() -> tuple[Row, Sequence[Row]]:
    """Return the named decisions of mechanisms and force, and what kind of draw each is."""
    found: dict[str, set[str]] = {}
    for module in modules("force", "engine", "mechanisms"):
        tree = ast.parse(inspect.getsource(module))
        names: dict[str, list[str]] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                names[node.targets[0].id] = [*named_decisions(node.value)]
        for name in (name for each in names.values() for name in each):
            found.setdefault(name, set())
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                used = [
                    each.id for part in node.args for each in ast.walk(part) if isinstance(each, ast.Name)
                ]
                for name in (name for each in used for name in names.get(each, ())):
                    found[name].add(KINDS.get(node.func.id, ""))
    parts: dict[str, list[str]] = {}
    for name, kinds in sorted(found.items()):
        part, _, what = name.partition(".")
        said = listed(sorted(filter(None, kinds)))
        parts.setdefault(part, []).append(f"`{what}`" + (f" ({said})" if said else ""))
    return ("mechanism", "decisions"), [(f"`{part}`", ", ".join(each)) for part, each in parts.items()]


def named_decisions(value: ast.AST) -> Iterator[str]:
    """Yield the names that calls of ``decision`` in an expression give."""
    for node in ast.walk(value):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "decision":
            yield str(ast.literal_eval(node.args[0]))


def modules(*packages: str) -> Iterator[ModuleType]:
    """Yield the modules of some packages of Breakrank."""
    for name in packages:
        package = importlib.import_module(f"breakrank.{name}")
        for each in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            yield importlib.import_module(each.name)


def parameters_by_mechanism() -> tuple[Row, Sequence[Row]]:
    """Return how many parameters each mechanism has: free ones, and constants by what they come from."""
    from breakrank.case.free_parameters import drawable
    from breakrank.case.models_parameters import Basis
    from breakrank.runs.cases import load_case

    case = load_case(CASE, "point")
    free, basis = drawable(case), {name: each.basis for name, each in case.parameters.items()}
    kinds = get_args(Basis)
    names = [name for name in basis if basis[name]]
    rows = []
    for part in dict.fromkeys(name.partition(".")[0] for name in names):
        mine = [name for name in names if name.startswith(f"{part}.")]
        inferred = ", ".join(f"`{name.partition('.')[2]}`" for name in mine if name in free)
        counts = (str(sum(basis[name] == kind for name in mine)) for kind in kinds)
        rows.append((f"`{part}`", str(len(mine)), inferred, *counts))
    return ("mechanism", "parameters", "of these inferred", *(f"by {kind}" for kind in kinds)), rows


TABLES: Mapping[str, Callable[[], tuple[Row, Sequence[Row]]]] = {
    "odd-day": day,
    "odd-state": state,
    "odd-choice": choice,
    "odd-draws": draws,
    "odd-parameters": parameters_by_mechanism,
}
"""The tables by the name of their page."""


Schema = dict[str, Any]


def parameters() -> Iterator[str]:
    """List all parameters and fields by the part that reads them."""
    from breakrank.force.parameters import PARAMETERS
    from breakrank.model import MECHANISMS, assembly

    parts = [("force", PARAMETERS, ()), *((k.name, k.parameters, k.fields) for k in MECHANISMS)]
    parts += [(k.name, k.parameters, k.fields) for k in assembly(tuple(OPTIONAL)).others]
    told: set[str] = set()
    sizes = event_sizes()
    for name, numbers, every in parts:
        fields = [f for f in every if f.name not in told]
        told |= {f.name for f in fields}
        if not numbers and not fields:
            continue
        yield f"## {name.replace('_', ' ').capitalize()}\n"
        if name in OPTIONAL:
            yield f"Only in a case that names it: `mechanisms: [{name}]` in `case.yaml`.\n"
        if numbers:
            head: tuple[str, ...] = ("parameter", "meaning", "unit", "range", "typical")
            yield from table(head, [_parameter(p) for p in numbers])
        if fields:
            head = ("field", "meaning", "unit", "range", "if left out", "by", "events of the built-in cases")
            yield from table(head, [_field(f, sizes.get(f.name, "")) for f in fields])


def _field(f: Field, sizes: str) -> tuple[str, ...]:
    base = "obligatory" if f.base is None else f"{f.base:g}"
    return (
        f"`{f.name}`",
        f.about,
        f.unit,
        f"{f.low:,.10g} to {f.high:,.10g}",
        base,
        ", ".join(("day", *f.dims)) + (f"; with `local` {', '.join(f.local)}" if f.local else ""),
        sizes,
    )


def _parameter(p: Parameter) -> tuple[str, ...]:
    theory = f" Theory only: *{p.theory}.*" if p.theory else ""
    meaning = f"{p.about}; {p.scope}.{theory}"
    return f"`{p.name}`", meaning, p.unit, f"{p.low:,.10g} to {p.high:,.10g}", f"{p.typical:,.10g}"


def case_format() -> Iterator[str]:
    """Describe every file of a case from the models that check it."""
    for name, adapter in {**FILES, FILE: TABLE}.items():
        schema = adapter.json_schema(by_alias=True)
        parts: dict[str, Schema] = schema.get("$defs", {})
        shown: set[str] = set()
        yield f"## {name}\n"
        if schema.get("type") == "array":
            yield "A list. Each item:\n"
            yield from _model(schema["items"], parts, shown)
        elif "additionalProperties" in schema and isinstance(schema["additionalProperties"], dict):
            yield "A mapping from names to entries. Each entry:\n"
            yield from _model(schema["additionalProperties"], parts, shown)
        else:
            yield from _model(schema, parts, shown)


def measures() -> Iterator[str]:
    """List what a target can measure."""
    from breakrank.model import catalogue

    known, built_in = catalogue(tuple(OPTIONAL)), catalogue().measures
    yield from table(
        ("measure", "what is counted", "unit", "also by"), [_measure(m) for m in built_in.values()]
    )
    yield f"Only in a case that names {listed(tuple(OPTIONAL), 'or')}:\n"
    more = [_measure(m) for name, m in known.measures.items() if name not in built_in]
    yield from table(("measure", "what is counted", "unit", "also by"), more)


def _measure(m: Measure) -> tuple[str, ...]:
    """Return a measure as a row."""
    dims = [d for d in m.dims if d in get_args(By)]
    together = f"{', '.join(m.parts)} in any combination" if m.parts else ""
    alone = [dim for dim in dims if dim not in m.parts]
    return f"`{m.id}`", called(m.id), m.unit, "; ".join(filter(None, (together, ", ".join(alone))))


def patterns() -> Iterator[str]:
    """List what a pattern of lives can ask for."""
    from breakrank.model import assembly

    events = [(f"`{name}`", PUT_TOGETHER.get(name, "of the log")) for name in (*EVENTS, *PUT_TOGETHER)]
    for kind in assembly(tuple(OPTIONAL)).others:
        events += [(f"`{name}`", f"of the log, where a case names {kind.name}") for name in kind.events]
    yield from table(("event", "meaning"), events)
    for head, facts in (("fact of an event", OF_AN_EVENT), ("fact of a soldier", OF_A_SOLDIER)):
        yield from table((head, "meaning"), [(f"`{name}`", about) for name, about in facts.items()])
    yield from table(("occasion",), [(f"`{name}`",) for name in OCCASIONS])


def mechanisms() -> Iterator[str]:
    """Describe each mechanism by its own docstring, in the order of the day."""
    from breakrank.model import MECHANISMS

    for kind in MECHANISMS:
        yield plain(kind.described()) + "\n"


def basis() -> Iterator[str]:
    """Count and list the parameters of Venezuela 2019 by what their values come from."""
    from breakrank.runs.cases import load_case

    case = load_case("venezuela-2019", "point")
    entries = {n: p for n, p in case.parameters.items() if p.basis}
    names = {kind: [n for n, p in entries.items() if p.basis == kind] for kind in get_args(Basis)}
    rows = [(f"`{kind}`", str(len(of))) for kind, of in names.items()]
    yield from table(("basis", "parameters"), [*rows, ("all", str(len(entries)))])
    for kind in ("count", "literature", "fitted"):
        yield f"### {kind.capitalize()}\n"
        said = [
            (f"`{n}`", f"{entries[n].value:g}", entries[n].assumed or ", ".join(entries[n].evidence))
            for n in names[kind]
        ]
        yield from table(("parameter", "value", "what is said of it"), said)
    fitted = [case.parameters[n] for n in names["fitted"]]
    near = sum(bool(p.prior and abs(p.prior.median - p.value) <= p.value / 10) for p in fitted)
    yield f"{near} of these {len(fitted)} values lie within a tenth of the median of their own prior.\n"
    yield "### Reasoning\n"
    yield ", ".join(f"`{n}`" for n in names["reasoning"]) + ".\n"


def publication() -> Iterator[str]:
    """List the figures of the built-in cases by the day from which they are known."""
    from breakrank.runs.cases import list_cases, load_case

    for name in list_cases():
        case = load_case(name, "point")
        known = {t.id: known_from(t, case) for t in case.targets}
        yield f"### {case.title}\n"
        rows = [
            (t.label, f"{counted_until(t)}", f"{known[t.id] or 'never published'}")
            for t in sorted(case.targets, key=lambda t: (str(known[t.id]), t.date))
        ]
        yield from table(("figure", "counts until", "known from"), rows)


def literature() -> Iterator[str]:
    """List the works of the bibliography, those on people and armies first."""
    unchecked = sum(not work.is_checked for work in works().values())
    yield (
        f"{len(works())} works. Author, title, year and outlet of {len(works()) - unchecked} were compared "
        f"with another bibliography. {unchecked} could not be compared; they are marked *not checked*.\n"
    )
    for heading, group in (("Theory and evidence", "theory"), ("Methods", "method")):
        yield f"## {heading}\n"
        for work in works().values():
            if work.fields["keywords"] == group:
                yield f"- {work.reference('*')}{'' if work.is_checked else ' *Not checked.*'}"
        yield ""


def _model(schema: Schema, parts: dict[str, Schema], shown: set[str]) -> Iterator[str]:
    """Show one model as a table of keys, then the models its keys refer to."""
    schema = _resolved(schema, parts)
    about = schema.get("description", "")
    if " " in about:
        yield plain(about) + "\n"
    required = set(schema.get("required", ()))
    rows, later = [], []
    for key, value in schema.get("properties", {}).items():
        need = "required" if key in required else ""
        rows.append((f"`{key}`", _kind(value, parts), need, plain(value.get("description", ""))))
        later += _references(value)
    yield from table(("key", "value", "", "meaning"), rows)
    for name in later:
        if name not in shown and "properties" in parts[name]:
            shown.add(name)
            yield f"### {name}\n"
            yield from _model(parts[name], parts, shown)


def _resolved(schema: Schema, parts: dict[str, Schema]) -> Schema:
    return parts[schema["$ref"].rsplit("/", 1)[-1]] if "$ref" in schema else schema


def _references(schema: object) -> list[str]:
    if isinstance(schema, dict):
        own = [schema["$ref"].rsplit("/", 1)[-1]] if "$ref" in schema else []
        return own + [name for value in schema.values() for name in _references(value)]
    return [name for item in schema for name in _references(item)] if isinstance(schema, list) else []


def _kind(schema: Schema, parts: dict[str, Schema]) -> str:
    """Say in a few words what may stand at a key."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        return name if "properties" in parts[name] else _kind(parts[name], parts)
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return " or ".join(f"`{word}`" for word in schema["enum"])
    for several in ("anyOf", "oneOf"):
        if several in schema:
            kinds = [_kind(s, parts) for s in schema[several] if s.get("type") != "null"]
            return " or ".join(dict.fromkeys(kinds))
    kind = schema.get("type", "anything")
    if isinstance(kind, list):
        return " or ".join(kind)
    if kind == "array":
        if "prefixItems" in schema:
            return "[" + ", ".join(_kind(s, parts) for s in schema["prefixItems"]) + "]"
        return f"list of {_kind(schema.get('items', {}), parts)}"
    if kind == "object":
        inner = schema.get("additionalProperties") or next(
            iter(schema.get("patternProperties", {}).values()), None
        )
        return f"mapping to {_kind(inner, parts)}" if isinstance(inner, dict) else "mapping"
    if kind == "string":
        return {"date": "date"}.get(schema.get("format", ""), "text")
    words = {"number": "number", "integer": "whole number", "boolean": "true or false"}
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    high = schema.get("maximum", schema.get("exclusiveMaximum"))
    limits = f", {low:g} to {high:g}" if low is not None and high is not None else ""
    limits = limits or (
        f", from {low:g}" if low is not None else f", up to {high:g}" if high is not None else ""
    )
    return str(words.get(kind, kind)) + limits


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """Yield the lines of a table in Markdown."""
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"
    yield ""


def plain(text: str) -> str:
    """Turn a docstring's markup into Markdown's."""
    text = re.sub(r":(?:class|func|meth|mod|data|attr):`~?([^`]+)`", r"`\1`", text)
    return text.replace("``", "`").replace("\\*", "*")


def odd(name: str) -> Iterator[str]:
    """Show a table of the model's description after the ODD protocol."""
    head, rows = TABLES[name]()
    yield from table(head, [tuple(map(plain, row)) for row in rows])


PAGES: dict[str, Callable[[], Iterator[str]]] = {
    "parameters": parameters,
    "case-format": case_format,
    "measures": measures,
    "patterns": patterns,
    "mechanisms": mechanisms,
    "basis": basis,
    "publication": publication,
    "literature": literature,
    **{name: partial(odd, name) for name in TABLES},
}
"""The pages by name; they are committed under docs/reference/generated."""


def page(name: str) -> str:
    """Return one of :data:`PAGES`."""
    return "\n".join(PAGES[name]()) + "\n"


OPS = ("add", "multiply", "set")


def event_sizes() -> Mapping[str, str]:
    """Return for each field what events of the built-in cases do to it: lowest and highest size by op.

    A number in brackets says how many effects there are. Half-lives are in days.
    """
    effects: dict[str, list[Effect]] = {}
    for name in list_cases():
        for event in _events(name):
            for effect in event.effects:
                effects.setdefault(effect.field, []).append(effect)
    return {field: "; ".join(_by_op(found)) for field, found in effects.items()}


def _events(case: str) -> tuple[Event, ...]:
    folder = Folder(LIBRARY / case)
    document = read_yaml(folder.read("events.yaml"), folder.file("events.yaml"))
    events: tuple[Event, ...] = FILES["events.yaml"].validate_python(document.data)
    return events


def _by_op(effects: Iterable[Effect]) -> Iterable[str]:
    found = list(effects)
    for op in OPS:
        some = [e for e in found if e.op == op]
        if not some:
            continue
        fading = [e.half_life for e in some if e.half_life is not None]
        half_life = f", half-life {_span(fading)} days" if fading else ""
        yield f"{op} {_span([e.value for e in some])} ({len(some)}{half_life})"


def _span(sizes: Iterable[float]) -> str:
    """Return the lowest and the highest of some numbers, as one where they are the same.

    >>> _span([0.3, 0.1]), _span([2, 2])
    ('0.1 to 0.3', '2')
    """
    ordered = sorted(sizes)
    return " to ".join(dict.fromkeys(f"{size:g}" for size in (ordered[0], ordered[-1])))
