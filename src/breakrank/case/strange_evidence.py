"""What is strange in the dates of evidence: a source can print neither what comes later, nor tomorrow."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from breakrank.case.content import Loaded
from breakrank.case.dates import first_day
from breakrank.case.ledger import Ledger
from breakrank.case.strange import Strange


def strange_evidence(loaded: Loaded) -> Iterator[Strange]:
    """Yield sources dated after today, and figures that count on after their sources were published."""
    content = loaded.content
    ledger, today = Ledger.of(content), dt.date.today()
    for k, source in enumerate(content.sources):
        if first_day(source.date) > today:
            text = f"the source {source.id!r} is dated {source.date}, after today ({today})"
            yield "evidence/sources.yaml", (k, "date"), text, "Write the day on which it was published."
    for k, o in enumerate(content.observations):
        end, published = first_day(o.date.rsplit("/", maxsplit=1)[-1]), ledger.published(o.source)
        if end > published:
            text = f"{o.id!r} is of {o.date}, and its source {o.source!r} was published by {published}"
            remedy = "Correct one of the two dates: a source cannot print what comes after it."
            yield "evidence/observations.yaml", (k, "date"), text, remedy
    for k, target in enumerate(content.targets):
        since, published_on = target.date - dt.timedelta(days=target.lag), ledger.publications(target)
        if published_on and published_on[-1] < since and target.assumed is None:
            text = (
                f"the figure {target.id!r} counts until {target.date}, and its sources were published by "
                f"{published_on[-1]}"
            )
            remedy = "Correct the date, cite a later source, or say under assumed why it holds until then."
            yield "targets.yaml", (k, "date"), text, remedy
