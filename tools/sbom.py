#!/usr/bin/env python3
"""Write the software bill of materials, ``sbom.cdx.json`` (CycloneDX 1.6), which a wheel carries.

It lists what the package holds of others (scripts and a typeface) and what ``requirements-run.lock`` installs
beside it. Each part has its version and digests: for Python all files that the lock admits. Nothing in it
depends on the day or the machine.
Call this after a lock file or the page has changed; a test compares. Needs cyclonedx-python-lib.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_OID, uuid5

from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.model.license import DisjunctiveLicense, LicenseExpression
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.spdx import is_expression, is_supported_id
from packageurl import PackageURL

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "breakrank"
ASSETS = PACKAGE / "show" / "assets"
BILL = ROOT / "sbom.cdx.json"

CLASSIFIED = {
    "MIT License": "MIT",
    "Apache Software License": "Apache-2.0",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}
"""SPDX identifiers of licences that packages name by their classifier alone."""


def read(path: Path) -> str:
    """Return a text."""
    return path.read_text(encoding="utf-8")


def installed() -> Iterator[Component]:
    """Yield the packages of the lock file of a run; a marker says on which machines."""
    for line in read(ROOT / "requirements-run.lock").replace("\\\n", " ").splitlines():
        head, *hashes = line.split("--hash=sha256:")
        name, _, rest = head.partition("==")
        version, _, marker = (part.strip() for part in rest.partition(";"))
        yield Component(
            name=name,
            version=version,
            type=ComponentType.LIBRARY,
            bom_ref=f"pypi:{name}@{version}",
            purl=PackageURL("pypi", None, name, version),
            scope=ComponentScope.OPTIONAL if marker else ComponentScope.REQUIRED,
            licenses=[licence_of(name)],
            description=f"Installed where {marker}." if marker else "Installed beside the package.",
            hashes=[HashType(alg=HashAlgorithm.SHA_256, content=one.strip()) for one in hashes],
        )


def licence_of(package: str) -> LicenseExpression | DisjunctiveLicense:
    """Return the licence of an installed package in SPDX's terms, as its metadata tell it.

    "BSD" stands for two licences; the text that comes with the package says which.

    Raises
    ------
    ValueError
        if they tell none that SPDX knows.
    """
    installed = distribution(package)
    about: dict[str, Any] = installed.metadata.json
    classes = [each.split(" :: ")[-1] for each in about.get("classifier", []) if "License ::" in each]
    for told in (about.get("license_expression"), about.get("license"), *map(CLASSIFIED.get, classes)):
        if told and is_supported_id(told):
            return DisjunctiveLicense(id=told)
        if told and is_expression(told):
            return LicenseExpression(told)
    own = sorted(f for f in installed.files or () if f.name.upper().startswith("LICENSE"))
    for text in (about.get("license", ""), *(file.read_text(encoding="utf-8") for file in own)):
        if "Redistribution and use in source and binary forms" in text:
            clauses = 3 if "Neither the name" in " ".join(text.split()) else 2
            return DisjunctiveLicense(id=f"BSD-{clauses}-Clause")
    raise ValueError(f"{package} tells no licence that SPDX knows: add it to CLASSIFIED")


def bundled() -> Iterator[Component]:
    """Yield the packages whose code is in the page, as its licences tell them."""
    lock = json.loads(read(ROOT / "page" / "package-lock.json"))["packages"]
    told = read(PACKAGE / "page" / "static" / "LICENSE-packages.txt")
    for name, version, licence in re.findall(r"^---- (\S+) (\S+) \((.+)\)$", told, re.M):
        integrity = next(
            one["integrity"]
            for path, one in lock.items()
            if path.endswith(f"node_modules/{name}") and one["version"] == version
        )
        group, _, plain = name.rpartition("/")
        yield Component(
            name=plain,
            group=group or None,
            version=version,
            type=ComponentType.LIBRARY,
            bom_ref=f"npm:{name}@{version}",
            purl=PackageURL("npm", group or None, plain, version),
            licenses=[DisjunctiveLicense(id=licence)],
            description="Part of the page's scripts, breakrank/page/static.",
            hashes=[
                HashType(
                    alg=HashAlgorithm.SHA_512,
                    content=base64.b64decode(integrity.removeprefix("sha512-")).hex(),
                )
            ],
        )


def carried() -> Iterator[Component]:
    """Yield the files of others that the package carries as they are."""
    for name, licence, what in (
        ("inter-latin.ttf", "OFL-1.1", "The typeface Inter 4.1, cut down."),
        ("inter-latin.woff2", "OFL-1.1", "The typeface Inter 4.1, cut down."),
    ):
        digest = hashlib.sha256((ASSETS / name).read_bytes()).hexdigest()
        yield Component(
            name=f"breakrank/show/assets/{name}",
            type=ComponentType.FILE,
            bom_ref=f"file:{name}",
            licenses=[DisjunctiveLicense(id=licence)],
            description=what,
            hashes=[HashType(alg=HashAlgorithm.SHA_256, content=digest)],
        )


def bill() -> str:
    """Return the bill of materials as it has to be written."""
    project = tomllib.loads(read(ROOT / "pyproject.toml"))["project"]
    found = re.search(r'^__version__ = "(.+)"$', read(PACKAGE / "__init__.py"), re.M)
    version = found[1] if found else None
    root = Component(
        name=project["name"],
        version=version,
        type=ComponentType.APPLICATION,
        bom_ref="breakrank",
        purl=PackageURL("pypi", None, project["name"], version),
        licenses=[DisjunctiveLicense(id=project["license"])],
        description=project["description"],
    )
    parts = [*installed(), *bundled(), *carried()]
    bom = Bom(components=parts)
    bom.metadata.component = root
    bom.metadata.timestamp = None  # type: ignore[assignment]  # it may be left out
    bom.register_dependency(root, parts)
    contents = sorted(f"{p.bom_ref} {sorted(h.content for h in p.hashes)}" for p in parts)
    bom.serial_number = uuid5(NAMESPACE_OID, "\n".join(contents))
    return JsonV1Dot6(bom).output_as_string(indent=1) + "\n"


if __name__ == "__main__":
    BILL.write_text(bill(), encoding="utf-8", newline="\n")
    sys.stderr.write(f"{BILL}\n")
