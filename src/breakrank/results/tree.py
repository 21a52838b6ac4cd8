"""How a result prints itself: a small tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from breakrank.results.result import Result


def tree(result: Result) -> str:
    """Return a result as a tree of a few lines: where it comes from, what it holds, what went wrong."""
    data = result.data
    case = result.case
    runs = f"{result.runs} run{'s' * (result.runs != 1)}"
    lines = [f"Result of {case.id}: {runs}, seed {result.seed}"]
    first, last = (str(d)[:10] for d in data["day"].values[[0, -1]])
    lines.append(f"├── calendar: {first} to {last}, {data.sizes['day']} days")
    fields = [str(v) for v in data.data_vars if str(v).startswith("field_")]
    names = [v for v in data.data_vars if v not in fields]
    lines.append(f"├── data: {len(names)} variables, {len(fields)} fields, {data.nbytes / 1e6:.1f} MB")
    width = max((len(str(v)) for v in names), default=0)
    for i, name in enumerate(names):
        dims = ", ".join(str(d) for d in data[name].dims)
        branch = "└──" if i == len(names) - 1 else "├──"
        lines.append(f"│   {branch} {name!s:{width}}  ({dims})  {data[name].attrs.get('unit', '')}")
    lines.append(f"├── events: {_events(result)}")
    if result.failed:
        lines.append(f"├── failed: {len(result.failed)}; first: {result.failed[0]}")
    if result.interrupted:
        lines.append("├── interrupted: the runs above had finished")
    lines.append(f"└── made in {result.seconds:.1f} s by {result.command or 'an unknown call'}")
    return "\n".join(lines)


def _events(result: Result) -> str:
    if result.events is None:
        return "no log kept"
    import pyarrow.compute as pc

    logged = len(pc.unique(result.events["run"]))
    return f"{result.events.num_rows:,} rows of {logged} run{'s' * (logged != 1)}"
