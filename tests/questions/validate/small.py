"""A case small enough to fit and forecast in seconds: the template with two priors and a count told twice."""

from __future__ import annotations

from pathlib import Path

from tests.new_cases import without_priors

PRIORS = {
    "decision.habit_leave": "{distribution: uniform, low: 5, high: 10}",
    "challenger.pull_weight": "{distribution: uniform, low: 1, high: 5}",
    "opportunity.leave_passes": "{distribution: uniform, low: 1, high: 3}",
}
TARGETS = """
- id: registered-early
  label: Registered by 10 March
  measure: registered
  date: 2025-03-10
  unit: soldiers
  value: 20
  assumed: Invented.
- id: registered-late
  label: Registered by the end of March
  measure: registered
  date: 2025-03-31
  unit: soldiers
  value: 32
  assumed: Invented.
- id: rises-not
  label: Regime in place in April
  measure: regime_holds
  date: 2025-04-10
  unit: 1 or 0
  value: 1
  assumed: Invented.
"""


def small_case(folder: Path, late: int = 32) -> Path:
    """Write the case into a new folder and return it."""
    made = without_priors(folder)
    path = made / "parameters.yaml"
    text = path.read_text("utf-8")
    for name, prior in PRIORS.items():
        assert f"\n{name}:\n" in text
        text = text.replace(f"\n{name}:\n", f"\n{name}:\n  prior: {prior}\n")
    path.write_text(text, "utf-8")
    (made / "targets.yaml").write_text(TARGETS.replace("value: 32", f"value: {late}"), "utf-8")
    case = made / "case.yaml"
    case.write_text(case.read_text("utf-8").replace("2025-06-30", "2025-04-10"), "utf-8")
    return made
