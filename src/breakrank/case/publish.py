"""The JSON Schema of every file of a case, for editors and for other programs.

``python -m breakrank.case.publish`` writes them anew after a model has changed.
"""

from __future__ import annotations

import json
from pathlib import Path

from breakrank.case.content import FILES
from breakrank.case.examination import FILE, TABLE
from breakrank.case.models_case import FORMAT

SCHEMAS = Path(__file__).parent / "schema"
"""Folder of the published schemas."""


def schemas() -> dict[str, str]:
    """Return the text of each schema by its file name, e.g. ``force.json`` for force.yaml."""
    out = {}
    for name, adapter in {**FILES, FILE: TABLE}.items():
        short = Path(name).stem
        schema = adapter.json_schema(by_alias=True, mode="validation")
        whole = {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": f"Breakrank case, format {FORMAT}: {name}",
            **{k: v for k, v in schema.items() if k != "title"},
        }
        out[f"{short}.json"] = json.dumps(whole, indent=2, ensure_ascii=False) + "\n"
    return out


def publish() -> None:
    """Write all schemas into the package."""
    SCHEMAS.mkdir(exist_ok=True)
    for name, text in schemas().items():
        draft = SCHEMAS / f".{name}.part"
        draft.write_text(text, encoding="utf-8", newline="\n")
        draft.replace(SCHEMAS / name)


if __name__ == "__main__":
    publish()
