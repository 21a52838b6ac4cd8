"""``breakrank case places``: what a case lacks of a country's map."""

from __future__ import annotations

from pathlib import Path

from breakrank.errors import UsageError
from breakrank.show.terminal import listed, note, say, wrapped


def places(case: str, /, *, country: str) -> None:
    """Add to a case what it lacks of the map of a country.

    States with a point each, roads between neighbouring states and crossings to neighbouring countries come
    from open geodata, as `case new --country` writes them. What the case says already stays as it is; where
    it differs from the geodata, that is told. Every file is checked before any is written.

    Parameters
    ----------
    case
        A case folder.
    country
        Two letters of ISO 3166-1 or an English name, e.g. SY.
    """
    from breakrank import list_cases
    from breakrank.case.added_places import READ, added_places
    from breakrank.case.country import country as found
    from breakrank.desk.files import Files

    folder = Path(case)
    if not folder.is_dir():
        built_in = ": built-in cases stay as they are" if case in list_cases() else ""
        raise UsageError(f"{case} is no case folder{built_in}\n  `breakrank case new my-country` writes one.")
    files = Files(folder)
    with files.locked():
        made = added_places({name: files.read(name) for name in READ}, folder, found(country))
        for name, text in made.files.items():
            files.write(name, text)
    for line in made.kept:
        say(wrapped(f"kept: {line}"))
    new = [f"{n} {what}{'s' * (n != 1)}" for what, n in made.new.items() if n]
    note(f"Added to {case}: {listed(new) if new else 'nothing'}." + (" Check them." if new else ""))
