"""``breakrank mechanisms``: the mechanisms that a case may add."""

from __future__ import annotations

from breakrank.cli.options import Flag
from breakrank.show.terminal import note, say, say_json, title, wrapped


def mechanisms(name: str | None = None, /, *, json: Flag = False) -> None:
    """List the mechanisms that may be added to the model, or describe one.

    They are Breakrank's own and those of installed packages. None acts by itself. Name one with
    --mechanisms, or under `mechanisms` in the case.yaml of a case.

    Parameters
    ----------
    name
        Describe this mechanism in full: its text, terms, fields and parameters.
    json
        Print one JSON object instead.
    """
    from breakrank.runs.cases import described, list_mechanisms

    if name is not None:
        text = described(name)
        say_json({"mechanism": name, "text": text}) if json else say(text)
        return
    offered = list_mechanisms()
    if json:
        say_json({"mechanisms": [one._asdict() for one in offered]})
        return
    for one in offered:
        say(f"{title(one.name)}  {one.package} {one.version}")
        say(wrapped(f"{one.about} ({one.citation})", 2))
    note("docs/how-to/add-a-mechanism.md shows how to write one")
