"""The reference of the case format as Markdown, written from what a case is checked with."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, get_args

from breakrank.case.content import FILES
from breakrank.case.documents import read_yaml
from breakrank.case.examination import FILE, TABLE
from breakrank.case.library import LIBRARY, list_cases
from breakrank.case.log_words import EVENTS, OCCASIONS
from breakrank.case.models_events import Effect, Event
from breakrank.case.models_evidence import By
from breakrank.case.models_patterns import OF_A_SOLDIER, OF_AN_EVENT, PUT_TOGETHER
from breakrank.case.source import Folder
from breakrank.outputs import Measure
from breakrank.plugins import OPTIONAL
from breakrank.results.outcomes import called
from breakrank.spec import Field, Parameter
from breakrank.wording import listed

Schema = dict[str, Any]


def parameters() -> Iterator[str]:
    """List all parameters and fields by the part that reads them."""
    from breakrank.force.establishment import PARAMETERS
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


PAGES: dict[str, Callable[[], Iterator[str]]] = {
    "parameters": parameters,
    "case-format": case_format,
    "measures": measures,
    "patterns": patterns,
}
"""The pages by name; tools/reference.py commits them, and more."""


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
