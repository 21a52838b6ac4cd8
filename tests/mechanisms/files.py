"""Files of a case that a test writes or changes."""

import json
import re
from collections.abc import Mapping
from pathlib import Path

RANKS = """ranks:
  - {id: enlisted, label: Enlisted, tier: 0, share: 0.72, leads: 0, years: [0, 9], school: "",
     assumed: Usual.}
  - {id: sergeant, label: Sergeants, tier: 1, share: 0.2, leads: 10, years: [3, 9], school: nco,
     assumed: Usual.}
  - {id: officer, label: Officers, tier: 3, share: 0.08, leads: 100, years: [4, 30],
     school: officer, assumed: Usual.}
"""
"""Three ranks of an army as usual, for force.yaml."""
EVERY = "opposition, war, cohesion, composition, dissolution, local, registers, unit_defection"
"""All optional mechanisms. Cases that name all share compiled code, which takes long to make."""


def off_but(*names: str) -> dict[str, float]:
    """Return values that switch all optional mechanisms off but these, and registers, which none keeps."""
    return {f"{name}.on": 0 for name in EVERY.split(", ") if name not in (*names, "registers")}


def read(folder: Path, name: str) -> str:
    """Return the text of a file of a case."""
    return (folder / name).read_text("utf-8")


def write(folder: Path, files: Mapping[str, str]) -> None:
    """Write files of a case by name; a line break in front is left away."""
    for name, text in files.items():
        (folder / name).write_text(text.lstrip("\n"), "utf-8")


def add(folder: Path, files: Mapping[str, str]) -> None:
    """Write lines at the end of files."""
    write(
        folder, {name: read(folder, name).rstrip() + "\n" + text.lstrip("\n") for name, text in files.items()}
    )


def empty(folder: Path, *names: str) -> None:
    """Leave nothing in some YAML files."""
    write(folder, {f"{name}.yaml": "[]\n" for name in names})


def change(folder: Path, name: str, old: str, new: str) -> Path:
    """Replace the first place of a text that is there; return the folder."""
    text = read(folder, name)
    assert old in text
    write(folder, {name: text.replace(old, new, 1)})
    return folder


def calendar(folder: Path, start: str, end: str) -> None:
    """Let a case last from one day to another."""
    line = f"calendar: {{start: {start}, end: {end}}}"
    write(folder, {"case.yaml": re.sub(r"(?m)^calendar:.*$", line, read(folder, "case.yaml"))})


def start_on(folder: Path, first: str, before: str) -> None:
    """Let all tables of a case of the template start on the day `first` or `before` it."""
    for table in sorted(folder.glob("*.csv")):
        text = read(folder, table.name).replace("2024-12-31", before).replace("2025-01-01", first)
        write(folder, {table.name: text})


def places(folder: Path, kinds: Mapping[str, Mapping[str, tuple[float, float]]], keep: bool = True) -> None:
    """Put places on the map, by kind and name; those of the template are kept or not."""
    features = json.loads(read(folder, "places.geojson"))["features"] if keep else []
    for kind, where in kinds.items():
        for name, point in where.items():
            about = {"id": name, "kind": kind, "label": name}
            geometry = {"type": "Point", "coordinates": list(point)}
            features.append({"type": "Feature", "properties": about, "geometry": geometry})
    write(folder, {"places.geojson": json.dumps({"type": "FeatureCollection", "features": features})})
