"""Whether the sites are paid for by somebody the case knows, and embassies belong to embassy crossings."""

from __future__ import annotations

from breakrank.case.check_words import foreign, known_id
from breakrank.case.content import Loaded
from breakrank.case.country import same_country
from breakrank.errors import gathered


def check_sites(loaded: Loaded) -> None:
    """Check the payers, crossings and currency of sites.

    Raises
    ------
    FaultyCaseError
        for all that does not fit.
    """
    content, document = loaded.content, loaded.documents["sites.yaml"]
    payers = [p.id for p in content.payers]
    currency = content.case.currency
    inside = any(c.inside and c.host for c in content.routes.crossings)
    with gathered() as found:
        for k, site in enumerate(content.sites):
            with found.kept():
                if site.kind != "embassy" and not inside:
                    foreign(site.country, content.case.country, "site", document, (k, "country"))
                _check_reached(loaded, k)
                for name in site.payers:
                    known_id(name, payers, "payer", document, (k, "payers", name))
                unit = site.cost_per_person_day.unit
                if unit != currency and not unit.startswith(f"{currency} "):
                    raise document.error(
                        (k, "cost_per_person_day", "unit"),
                        f"the cost is given in {unit!r}, and the currency of the case is {currency!r}",
                        f"Funds are in {currency}: convert the cost, and write {currency} per person and "
                        "day.",
                    )
        _check_embassies(loaded)


def _check_reached(loaded: Loaded, k: int) -> None:
    """Raise an error where no way with a reception scheme leads to the country of a site."""
    site = loaded.content.sites[k]
    hosts = sorted({c.country for c in loaded.content.routes.crossings if c.host})
    if site.kind != "embassy" and hosts and not any(same_country(site.country, host) for host in hosts):
        raise loaded.documents["sites.yaml"].error(
            (k, "country"),
            f"no crossing with host: true leads to {site.country!r}, so nobody could be lodged here",
            f"Countries of such crossings: {', '.join(hosts)}.",
        )


def _check_embassies(loaded: Loaded) -> None:
    content, document = loaded.content, loaded.documents["sites.yaml"]
    kinds = {c.id: c.kind for c in content.routes.crossings}
    embassies = [name for name, kind in kinds.items() if kind == "embassy"]
    taken: dict[str, str] = {}
    with gathered() as found:
        for k, site in enumerate(content.sites):
            with found.kept():
                if site.crossing is None:
                    continue
                path = (k, "crossing")
                known_id(site.crossing, kinds, "crossing", document, path)
                if kinds[site.crossing] != "embassy":
                    raise document.error(
                        path,
                        f"{site.crossing!r} is of kind {kinds[site.crossing]!r}, and an embassy is expected",
                        f"Embassies among the crossings: {', '.join(embassies) or 'none'}.",
                    )
                if site.crossing in taken:
                    raise document.error(
                        path,
                        f"the people of {site.crossing!r} live at {taken[site.crossing]!r} already",
                        "Keep crossing at one of the two sites.",
                    )
                taken[site.crossing] = site.id
