"""Folders whose counterfactuals change what does not exist, change nothing, or expect what nobody counts."""

from __future__ import annotations

from tests.case.hostile import Hostile, swap, whole

FILE = "counterfactuals.yaml"
_START = "- id: what-if\n  title: What if\n  question: What if?\n"


def asking(name: str, lines: str, *says: str, on: str | None = None) -> Hostile:
    """Ask one question; the line blamed is by default the last."""
    return whole(name, FILE, _START + lines, *says, on=on or lines.strip().splitlines()[-1])


COUNTERFACTUALS = [
    whole("counterfactuals that are a mapping", FILE, "no-appeal: 1\n", "a mapping", "a list"),
    swap("a misspelt key of a counterfactual", FILE, "without: [", "witout: [", "did you mean 'without'?"),
    swap("a counterfactual without a question", FILE, "  question:", "  about:", "unknown key 'about'"),
    swap(
        "a counterfactual without an event that is not there",
        FILE,
        "without: [appeal]",
        "without: [apeal]",
        "unknown event 'apeal', did you mean 'appeal'?",
        on="without: [apeal]",
        key="no-appeal.without",
    ),
    swap(
        "a counterfactual that expects what nobody counts",
        FILE,
        "left_abroad: less",
        "left_abrod: less",
        "unknown measure 'left_abrod', did you mean 'left_abroad'?",
        on="left_abrod",
    ),
    swap(
        "an expectation for a date",
        FILE,
        "left_abroad: less",
        "rate_ratio: less",
        "what is compared is the last day",
        on="rate_ratio",
    ),
    swap("an expectation in other words", FILE, "abroad: less", "abroad: fewer", "more, less, either"),
    swap(
        "an expectation of nobody",
        FILE,
        "  literature: Albrecht and Ohl 2016\n",
        "",
        "an effect is expected, but nothing says who expects it",
        on="expected:",
    ),
    asking("a counterfactual that changes nothing", "  set: {}\n", "nothing is changed", on="- id: what-if"),
    asking(
        "a counterfactual of an unknown parameter",
        "  set: {fear.wait: 1}\n",
        "unknown parameter 'fear.wait', did you mean 'fear.weight'?",
    ),
    asking("a counterfactual out of range", "  set: {fear.weight: 21}\n", "21 is out of range", "0 to 20"),
    asking("a counterfactual with half a switch", "  set: {fear.on: 0.5}\n", "fear.on is a switch"),
    asking("a counterfactual in words", "  set: {fear.on: off}\n", "'off'", "a number"),
    asking("a counterfactual of another force", "  set: {force.strength: 100}\n", "makes another force"),
    asking(
        "an effect left out of an unknown event",
        "  without_effects:\n    - {event: apeal, field: credibility}\n",
        "unknown event 'apeal', did you mean 'appeal'?",
    ),
    asking(
        "an effect left out that is not there",
        "  without_effects:\n    - {event: appeal, field: scarcity}\n",
        "unknown effect of 'appeal' on the field 'scarcity'",
        "Known: credibility",
    ),
    asking(
        "an event of a counterfactual on an unknown field",
        "  events:\n    - id: raise\n      date: 2025-02-01\n      title: A raise\n      assumed: Invented.\n"
        "      effects:\n        - {field: pays, op: set, value: 1}\n",
        "unknown field 'pays', did you mean 'pay'?",
    ),
    asking(
        "an event of a counterfactual without parent",
        "  events:\n    - id: raise\n      date: 2025-02-01\n      title: A raise\n",
        "neither evidence nor an assumption",
        on="- id: raise",
    ),
    asking(
        "an event of a counterfactual that rests on nothing known",
        "  events:\n    - id: raise\n      date: 2025-02-01\n      title: A raise\n"
        "      evidence: [strength-minister]\n",
        "unknown observation 'strength-minister', did you mean 'strength-ministry'?",
    ),
    whole(
        "a counterfactual twice",
        FILE,
        2 * (_START + "  set: {fear.on: 0}\n"),
        "'what-if' is there twice",
    ),
]
