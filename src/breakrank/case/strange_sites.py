"""What is strange about the sites of a case and those who pay for them, though it can be used."""

from __future__ import annotations

from collections.abc import Iterator

from breakrank.case.content import Loaded
from breakrank.case.located import Step

Strange = tuple[str, tuple[Step, ...], str, str]
"""A file, where in it, what is strange, and what to do about it."""


def strange_sites(loaded: Loaded) -> Iterator[Strange]:
    """Yield sites and money outside the calendar, payers of nothing, and embassies where nobody can be."""
    content = loaded.content
    start, end = content.case.calendar.start, content.case.calendar.end
    span = f"the calendar ({start} to {end})"
    paying = {name for site in content.sites for name in site.payers}
    for k, payer in enumerate(content.payers):
        if payer.id not in paying:
            remedy = "Name it among the payers of a site, or remove it."
            yield "payers.yaml", (k, "id"), f"{payer.id!r} pays for no site", remedy
        for j, fund in enumerate(payer.funds or ()):
            if fund.date > end:
                remedy = "It is never spent in a run; move the calendar, or remove it."
                path = (k, "funds", j, "date")
                yield "payers.yaml", path, f"money of {payer.id!r} comes after {span}", remedy
    for k, site in enumerate(content.sites):
        if site.opens > end or (site.closes is not None and site.closes < start):
            text = f"the site {site.id!r} is open only outside {span}"
            yield "sites.yaml", (k, "opens"), text, "It has no effect on a run; remove it."
        if site.kind == "embassy" and site.crossing is None:
            text = f"nobody ever lives at the embassy {site.id!r}, which belongs to no crossing"
            remedy = "Write crossing: and the id of the embassy crossing whose people live there."
            yield "sites.yaml", (k, "id"), text, remedy
