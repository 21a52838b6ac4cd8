"""The parts of the reference that are written from the code, so that they cannot contradict it."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, get_args

from sphinx.application import Sphinx
from sphinx.config import Config

from breakrank.spec import Field, Parameter

Schema = dict[str, Any]


def clear_old(app: Sphinx, _: Config) -> None:
    """Remove the pages of modules that an earlier build wrote; those that still exist are written again."""
    for page in (Path(app.srcdir) / "reference" / "generated").glob("*.rst"):
        page.unlink()


def write_all(app: Sphinx) -> None:
    """Write the included files; a file that would stay the same is not touched."""
    folder = Path(app.srcdir) / "reference" / "generated"
    folder.mkdir(parents=True, exist_ok=True)
    for name, lines in (
        ("parameters", parameters()),
        ("basis", basis()),
        ("mechanisms", mechanisms()),
        ("case-format", case_format()),
        ("measures", measures()),
        ("cli", commands()),
        ("weighing", weighing()),
    ):
        path, text = folder / f"{name}.inc.md", "\n".join(lines) + "\n"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def commands() -> Iterator[str]:
    """Describe every command as its help does."""
    from cyclopts.docs.markdown import generate_markdown_docs

    from breakrank.cli.app import app

    yield generate_markdown_docs(
        app, heading_level=1, no_root_title=True, generate_toc=False, skip_preamble=True
    ).replace("\n# ", "\n## ")


def mechanisms() -> Iterator[str]:
    """Describe each mechanism by its own docstring, in the order of the day."""
    from breakrank.model import MECHANISMS

    for kind in MECHANISMS:
        yield _plain(kind.described()) + "\n"


def weighing() -> Iterator[str]:
    """Show the pass over deciders, its formulas, the state and the phases, for the built-in mechanisms."""
    import breakrank
    from breakrank.model import Model, build

    case = breakrank.load_case("venezuela-2019", "values").set({"force.strength": 1000})
    days = Model(case, build(case, seed=1)).days
    pass_over = days.weigh
    yield "```python"
    yield pass_over.source.rstrip()
    yield "```"
    yield ""
    yield "## The formulas"
    yield ""
    for name, function in pass_over.formulas().items():
        yield f"### {name}"
        yield ""
        yield "```python"
        yield inspect.getsource(function.py_func).rstrip()
        yield "```"
        yield ""
    yield "## The state of a run"
    yield ""
    for kind, name in sorted(days.state.names.items(), key=lambda named: named[1]):
        yield f"### {name}"
        yield ""
        yield _plain(inspect.getdoc(kind) or "")
        yield ""
        rows = ((f"`{field}`", type_, axes) for field, type_, axes in kind.declared())
        yield from _table(("field", "type", "axes"), rows)
        yield ""
    yield "## The phases of a day"
    yield ""
    for name, phase in days.phase.items():
        yield f"### {name.capitalize()}"
        yield ""
        yield "```python"
        yield phase.source.rstrip()
        yield "```"
        yield ""


def parameters() -> Iterator[str]:
    """List all parameters and fields by the part that reads them."""
    from breakrank.force.parameters import PARAMETERS
    from breakrank.model import MECHANISMS

    parts = [("force", PARAMETERS, ()), *((k.name, k.parameters, k.fields) for k in MECHANISMS)]
    for name, numbers, fields in parts:
        if not numbers and not fields:
            continue
        yield f"## {name.replace('_', ' ').capitalize()}\n"
        if numbers:
            head: tuple[str, ...] = ("parameter", "meaning", "unit", "range", "typical")
            yield from _table(head, [_parameter(p) for p in numbers])
        if fields:
            head = ("field", "meaning", "unit", "range", "if left out", "by")
            yield from _table(head, [_field(f) for f in fields])


def basis() -> Iterator[str]:
    """Count and list the parameters of the built-in case by what their values come from."""
    from breakrank import load_case
    from breakrank.case.models_parameters import Basis

    entries = load_case("venezuela-2019").content.parameters
    names = {kind: [n for n, e in entries.items() if e.basis == kind] for kind in get_args(Basis)}
    rows = [(f"`{kind}`", str(len(of))) for kind, of in names.items()]
    yield from _table(("basis", "parameters"), [*rows, ("all", str(len(entries)))])
    for kind in ("count", "literature", "fitted"):
        yield f"### {kind.capitalize()}\n"
        said = [
            (f"`{n}`", f"{entries[n].value:g}", entries[n].assumed or ", ".join(entries[n].evidence or ()))
            for n in names[kind]
        ]
        yield from _table(("parameter", "value", "what is said of it"), said)
    yield "### Reasoning\n"
    yield ", ".join(f"`{n}`" for n in names["reasoning"]) + ".\n"


def _field(f: Field) -> tuple[str, ...]:
    base = "obligatory" if f.base is None else f"{f.base:g}"
    return (
        f"`{f.name}`",
        f.about,
        f.unit,
        f"{f.low:,.10g} to {f.high:,.10g}",
        base,
        ", ".join(("day", *f.dims)),
    )


def _parameter(p: Parameter) -> tuple[str, ...]:
    theory = f" *{p.theory}.*" if p.theory else ""
    meaning = f"{p.about}; {p.scope}.{theory}"
    return f"`{p.name}`", meaning, p.unit, f"{p.low:,.10g} to {p.high:,.10g}", f"{p.typical:,.10g}"


def case_format() -> Iterator[str]:
    """Describe every file of a case from the models that check it."""
    from breakrank.case.content import FILES
    from breakrank.case.examination import FILE, TABLE

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
    from breakrank.case.models_targets import By
    from breakrank.results.measure_table import MEASURES
    from breakrank.results.outcome_names import called

    by = get_args(By)
    rows = [
        (f"`{m.id}`", called(m.id), m.unit, ", ".join(dim for dim in m.sources if dim in by))
        for m in MEASURES.values()
    ]
    yield from _table(("measure", "what is counted", "unit", "also by"), rows)


def _model(schema: Schema, parts: dict[str, Schema], shown: set[str]) -> Iterator[str]:
    """Show one model as a table of keys, then the models its keys refer to."""
    schema = _resolved(schema, parts)
    about = schema.get("description", "")
    if " " in about:
        yield _plain(about) + "\n"
    required = set(schema.get("required", ()))
    rows, later = [], []
    for key, value in schema.get("properties", {}).items():
        need = "required" if key in required else ""
        rows.append((f"`{key}`", _kind(value, parts), need, _plain(value.get("description", ""))))
        later += _references(value)
    yield from _table(("key", "value", "", "meaning"), rows)
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
    return words.get(kind, kind) + limits


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"
    yield ""


def _plain(text: str) -> str:
    """Turn a docstring's markup into Markdown's."""
    import re

    text = re.sub(r":(?:class|func|meth|mod|data|attr):`~?([^`]+)`", r"`\1`", text)
    return text.replace("``", "`").replace("\\*", "*")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("config-inited", clear_old)
    app.connect("builder-inited", write_all)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
