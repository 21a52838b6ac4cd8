"""Counts that a case adds to those of every run: parts of the force that its targets name."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from breakrank.case.content import Content
from breakrank.outputs import Measure, Output, strength_by
from breakrank.spec import Catalogue


def counted_parts(content: Content, catalogue: Catalogue) -> Iterator[Output]:
    """Yield the counts that targets need and no variable of every run gives."""
    end = content.case.calendar.end
    for target in content.targets:
        measure = catalogue.measures.get(target.measure)
        if measure is None or target.date > end:
            continue
        for selector in (target.by, target.against):
            dims = tuple(selector or ())
            if not dims or answers(measure, dims, catalogue, last=target.date == end):
                continue
            output = measure.counted_by(dims)
            if output is not None:
                yield output
                if measure.kind == "share":
                    yield strength_by(output.dims)


def answers(measure: Measure, dims: Collection[str], catalogue: Catalogue, *, last: bool) -> bool:
    """Return whether a variable of every run answers a measure by these dimensions: any day, or the last."""
    source = measure.answered_by(dims)
    if source is None:
        return False
    known = [catalogue.outputs[name] for name in source.variables if name in catalogue.outputs]
    return last or all("day" in output.dims for output in known)
