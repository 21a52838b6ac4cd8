"""Folders whose counterfactuals change what does not exist, change nothing, or expect what nobody counts."""

from __future__ import annotations

from tests.case.hostile import Hostile, swap, whole

FILE = "counterfactuals.yaml"
_START = "- id: what-if\n  title: What if\n  question: What if?\n"


def asking(name: str, lines: str, *says: str, on: str | None = None) -> Hostile:
    """Ask one question; the line blamed is by default the last."""
    return whole(name, FILE, _START + lines, *says, on=on or lines.strip().splitlines()[-1])


COUNTERFACTUALS = [
    swap("a counterfactual without an event that is not there", FILE, "without: [appeal]", "without: [apeal]",
         "unknown event 'apeal', did you mean 'appeal'?", on="without: [apeal]", key="no-appeal.without"),
    swap("a counterfactual that expects what nobody counts", FILE, "left_abroad: less", "left_abrod: less",
         "unknown measure 'left_abrod', did you mean 'left_abroad'?", on="left_abrod"),
    swap("an expectation for a date", FILE, "left_abroad: less", "rate_ratio: less",
         "what is compared is the last day", on="rate_ratio"),
    swap("an expectation of nobody", FILE, "  literature: Albrecht and Ohl 2016\n", "",
         "an effect is expected, but nothing says who expects it", on="expected:"),
    asking("a counterfactual that changes nothing", "  set: {}\n", "nothing is changed", on="- id: what-if"),
    asking("a counterfactual of an unknown parameter", "  set: {fear.wait: 1}\n",
           "unknown parameter 'fear.wait', did you mean 'fear.weight'?"),
    asking("a counterfactual out of range", "  set: {fear.weight: 21}\n", "21 is out of range", "0 to 20"),
    asking("a counterfactual of another force", "  set: {force.strength: 100}\n", "makes another force"),
    asking("an effect left out that is not there",
           "  without_effects:\n    - {event: appeal, field: scarcity}\n",
           "unknown effect of 'appeal' on the field 'scarcity'", "Known: credibility"),
]  # fmt: skip
