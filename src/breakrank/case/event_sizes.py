"""How large events of the built-in cases are, by the field that they act on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from breakrank.case.content import FILES
from breakrank.case.documents import read_yaml
from breakrank.case.library import LIBRARY, list_cases
from breakrank.case.models_events import Effect, Event
from breakrank.case.source import Folder

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
