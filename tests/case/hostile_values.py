"""Folders in which one value, taken by itself, cannot be used."""

from __future__ import annotations

from tests.case.hostile import swap

SCHEMA = [
    swap("unknown key", "case.yaml", "country: Montara", "contry: Montara", "'contry'", "mean 'country'?",
         key="contry"),
    swap("missing key", "case.yaml", "country: Montara\n", "", "'country' is missing", "name of the country"),
    swap("other version", "case.yaml", "breakrank: 2 ", "breakrank: 3 ", "the number 3", "2"),
    swap("text for a number", "force.yaml", "repression: 0.2", "repression: '0.2'", "the text '0.2'",
         "a number"),
    swap("yes for true", "routes.yaml", "host: true", "host: yes", "the text 'yes'", "true or false"),
    swap("empty list", "case.yaml", "authors: [Name the authors here]", "authors: []", "no items"),
    swap("endless text", "case.yaml", "country: Montara", "country: " + "x" * 400, "400 characters",
         "at most 300"),
    swap("case id with capitals", "case.yaml", "id: montara", "id: Mon tara", "'Mon tara'",
         "cannot be used as a name"),
    swap("unknown kind", "routes.yaml", "kind: bridge", "kind: brigde", "did you mean 'bridge'?",
         key="old-bridge"),
    swap("above its limit", "routes.yaml", "capture: 0.05", "capture: 1.05", "out of range", "at most 1"),
    swap("impossible date", "case.yaml", "start: 2025-01-01", "start: 2025-02-30", "not a date",
         key="calendar.start"),
    swap("calendar backwards", "case.yaml", "end: 2025-06-30", "end: 2024-06-30", "before it starts"),
    swap("range backwards", "force.yaml", "range: [4000, 7000]", "range: [7000, 4000]", "wrong way round"),
    swap("no parent", "force.yaml", "    assumed: Invented; the army stands behind the guard.\n", "",
         "neither evidence"),
    swap("unit beyond formation", "force.yaml", "unit: 100  ", "unit: 5000  ", "larger than a formation"),
    swap("two figures", "targets.yaml", "at_most: 10", "at_most: 10\n  value: 3", "more than one figure",
         on="at_most"),
    swap("against a part, and no part", "targets.yaml", "range: [5, 60]",
         "range: [5, 60]\n  against: {rank: officer}", "of what part it is", on="against"),
    swap("a bound with another beside it", "targets.yaml", "at_most: 10",
         "at_most: 10\n  conflicting: [registered-april]", "has no other beside it", on="conflicting"),
    swap("counted backwards", "targets.yaml", "at_most: 10", "at_most: 10\n  from: 2025-12-01",
         "after its date", on="from:"),
    swap("observed nothing", "evidence/observations.yaml", "  value: 5000\n", "", "nothing observed",
         on="id: strength-min"),
    swap("a dimension twice", "fields.yaml", "dims: [rank]", "dims: [rank, rank]", "named twice"),
    swap("shares of nobody", "force.yaml", "share: 0.25", "share: {}", "no branch is named"),
]  # fmt: skip
