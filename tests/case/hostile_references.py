"""Folders that name what does not exist, or name it twice."""

from __future__ import annotations

from tests.case.hostile import swap, whole

REFERENCES = [
    swap("unknown capital", "case.yaml", "capital: XX-A", "capital: XX-D", "unknown state 'XX-D'",
         "XX-A, XX-B, XX-C"),
    swap("a route that leads home", "routes.yaml", "country: Norlund", "country: montara",
         "'montara', the country of the case itself", on="the new text"),
    swap("a state in two regions", "force.yaml", "states: [XX-B]}", "states: [XX-B, XX-C]}",
         "in two regions"),
    swap("a state in no region", "force.yaml", "states: [XX-A, XX-C]}", "states: [XX-A]}", "in no region",
         on="label: Coast"),
    swap("a road to itself", "routes.yaml", "from: XX-A, to: XX-C", "from: XX-C, to: XX-C", "itself"),
    swap("a crossing off the map", "places.geojson", '"hill-trail"', '"hill-trial"', "no point 'hill-trail'",
         "did you mean 'hill-trial'?", blames="routes.yaml", on="id: hill-trail"),
    swap("unknown field of an event", "events.yaml", "field: scarcity", "field: scarcty",
         "did you mean 'scarcity'?", key="shortage.effects[0].field"),
    swap("an effect without dimension", "events.yaml", "field: scarcity, op: add, value: 0.2",
         "field: scarcity, op: add, value: 0.2, states: [XX-A]", "does not differ by state"),
    swap("unknown observation", "routes.yaml", "[bridge-closed]", "[bridge-close]",
         "did you mean 'bridge-closed'?"),
    swap("one-sided conflict", "evidence/observations.yaml", "  conflicts: [strength-ministry]\n", "",
         "does not say so", on="conflicts: [strength-yearbook]"),
    swap("unknown measure", "targets.yaml", "measure: registered", "measure: registred",
         "did you mean 'registered'?"),
    swap("an unknown headline", "case.yaml", "currency:", "headline: officers-sta\ncurrency:",
         "unknown target 'officers-sta'", "mean 'officers-stay'"),
    swap("another unit", "targets.yaml", "unit: soldiers", "unit: persons", "is counted in 'soldiers'",
         "Convert the figure, or correct the unit."),
    whole("a mapping of targets", "targets.yaml", "left: {measure: left, date: 2025-02-28, value: 3}\n",
          "a mapping stands where a list is expected", "Begin each entry with a dash"),
    swap("a measure not told apart", "targets.yaml", "measure: left_abroad", "measure: political_prisoners",
         "cannot be counted by rank", on="by: {rank"),
    swap("a ratio in another unit", "targets.yaml", "by: {rank: officer}",
         "by: {rank: officer}\n  against: {rank: enlisted}", "makes a 'ratio'", on="unit: soldiers"),
    swap("a conflict without a figure", "targets.yaml", "evidence: [registered-april]",
         "evidence: [registered-april]\n  conflicting: [bridge-closed]", "gives no figure", on="conflicting"),
]  # fmt: skip
