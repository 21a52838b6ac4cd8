"""What the large number and the first chart of Look show where a case chooses its headline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from breakrank.results.leading import headline_target

if TYPE_CHECKING:
    from breakrank.case import Case, Target


def leading_chart(case: Case) -> dict[str, Any] | None:
    """Return the target that leads a case, and the series that shows what it counts; ``None`` without one.

    The series is ``None`` where no chart shows the very sum: a ratio, a stretch of days, a part of two kinds.
    """
    target = headline_target(case)
    if target is None:
        return None
    return {"target": target.id, "label": target.label, "series": _series(target, case)}


def _series(target: Target, case: Case) -> dict[str, Any] | None:
    about = case.catalogue.measures.get(target.measure)
    part = target.by or {}
    dim, labels = next(iter(part.items()), (None, ()))
    late = target.start is not None and target.start > case.calendar.start
    if about is None or about.kind not in ("total", "level") or target.against or late:
        return None
    if len(part) > 1 or (dim or "") not in about.sources:
        return None
    source = about.sources[dim or ""]
    name = about.id if source.at or source.also else source.variable
    return {
        "variable": name,
        "by": dim,
        "cumulative": about.kind == "total",
        "group": "+".join(labels) or name,
    }
