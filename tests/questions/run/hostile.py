"""A made-up case in which every text that a reader may see tries to break out of where it stands."""

import dataclasses
from types import MappingProxyType, SimpleNamespace
from typing import Any

from tests.results.fake import fake_case

ATTACKS = (
    "</script><script>window.broken=1</script>",
    "<img src=x onerror=window.broken=1>",
    "\"' onmouseover='window.broken=1' x=\"",
    "{{ 7 * 7 }}{% raw %}",
    "</style><style>body{display:none}</style>",
    "<!--",
    "${window.broken=1}\u2028',alert(1)//",
)


def hostile_case() -> Any:
    """Return the made-up case with attacks for titles, labels, ids, evidence, units and reasons."""
    case = fake_case()
    bad = " ".join(ATTACKS)
    sources = {
        name: _changed(s, publisher=bad, title=bad, notes=bad, reliability=bad, kind=bad)
        for name, s in case.ledger.sources.items()
    }
    observations = {
        name: _changed(o, says=bad, what=bad, place=bad, paragraph=bad, unit=bad, confidence=bad)
        for name, o in case.ledger.observations.items()
    }
    ledger = SimpleNamespace(
        sources=sources, observations=observations, original=lambda source: sources[source], independent=len
    )
    parameter = SimpleNamespace(
        value=1.0,
        unit=bad,
        low=0.0,
        high=2.0,
        evidence=tuple(observations),
        assumed=bad,
        about=bad,
        prior=None,
    )
    changed = {
        "title": bad,
        "summary": bad,
        "ledger": ledger,
        "parameters": MappingProxyType({f"{bad}.x": parameter}),
        "events": [_changed(e, title=bad) for e in case.events],
        "crossings": [_changed(c, label=bad) for c in case.crossings],
        "targets": [_changed(t, label=bad, assumed=bad) for t in case.targets],
        "force": SimpleNamespace(
            **{
                **vars(case.force),
                "ranks": [_changed(r, label=bad) for r in case.force.ranks],
                "branches": [_changed(b, label=bad) for b in case.force.branches],
            }
        ),
    }
    return Overlay(case, changed)


class Overlay:
    """Another object with some attributes replaced."""

    def __init__(self, under: Any, changed: dict[str, Any]) -> None:
        self.__dict__.update(changed)
        self.under = under

    def __getattr__(self, name: str) -> Any:
        return getattr(self.under, name)


def _changed(thing: Any, **changes: Any) -> Any:
    if dataclasses.is_dataclass(thing) and hasattr(thing, "extra"):
        own = {k: v for k, v in changes.items() if k in ("id", "label")}
        extra = {k: v for k, v in changes.items() if k not in own}
        return dataclasses.replace(thing, **own, extra=dict(thing.extra) | extra)
    return Overlay(thing, changes)
