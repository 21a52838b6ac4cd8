"""The published schemas: up to date, valid, and saying the same as the loader."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from breakrank.case.content import FILES
from breakrank.case.documents import read_json, read_yaml
from tests.case.conftest import edit
from tools.reference import SCHEMAS, schemas


def schema(file: str) -> Any:
    return json.loads((SCHEMAS / f"{Path(file).stem}.json").read_text(encoding="utf-8"))


def test_they_are_up_to_date() -> None:
    published = {p.name: p.read_text(encoding="utf-8") for p in SCHEMAS.glob("*.json")}
    assert published == schemas(), "call tools/reference.py"


@pytest.mark.parametrize("file", FILES)
def test_each_accepts_the_template(file: str, pristine: Path) -> None:
    validator = Draft202012Validator(schema(file))
    validator.check_schema(schema(file))
    read = read_json if file.endswith(".geojson") else read_yaml
    content = read((pristine / file).read_text(encoding="utf-8"), pristine / file).data
    assert [e.message for e in validator.iter_errors(content)] == []


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("case.yaml", "country: Montara", "contry: Montara"),
        ("force.yaml", "    assumed: Invented; the army stands behind the guard.\n", ""),
        ("force.yaml", "repression: 0.2", "repression: 2"),
        ("payers.yaml", "{date: 2025-02-15, amount: 30000}", "{amount: 30000}"),
        ("sites.yaml", "admits: anyone", "admits: nobody"),
        ("places.geojson", '"Point"', '"Line"'),
    ],
)
def test_each_refuses_what_the_loader_refuses(folder: Path, file: str, old: str, new: str) -> None:
    edit(folder, file, old, new)
    read = read_json if file.endswith(".geojson") else read_yaml
    content = read((folder / file).read_text(encoding="utf-8"), folder / file).data
    assert not Draft202012Validator(schema(file)).is_valid(content)


def test_every_key_is_explained() -> None:
    for name, text in schemas().items():
        parts = [json.loads(text), *json.loads(text).get("$defs", {}).values()]
        for part in parts:
            for key, value in part.get("properties", {}).items():
                assert value.get("description"), f"{name}: {key}"
