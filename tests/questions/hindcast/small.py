"""A case small enough to fit and forecast in seconds: the template with two priors and a count told twice."""

from pathlib import Path

from tests.new_cases import without_priors

PRIORS = {
    "decision.baseline_leave": "{distribution: uniform, low: 5, high: 10}",
    "challenger.credibility_weight": "{distribution: uniform, low: 1, high: 5}",
    "opportunity.rate": "{distribution: uniform, low: 1, high: 3}",
}
TARGETS = """
- id: registered-early
  label: Registered by 10 March
  measure: registered
  date: 2025-03-10
  unit: soldiers
  value: 20
  evidence: [early]
- id: registered-late
  label: Registered by the end of March
  measure: registered
  date: 2025-03-31
  unit: soldiers
  value: 32
  evidence: [late]
- id: rises-not
  label: Regime in place in April
  measure: regime_holds
  date: 2025-04-10
  unit: 1 or 0
  value: 1
  evidence: [held]
"""
SOURCES = """
- id: paper-{name}
  publisher: A paper
  title: A report (made up)
  date: {date}
  kind: report
  reliability: low
"""
OBSERVATIONS = """
- id: {name}
  source: paper-{name}
  says: the paper
  what: What is counted by then
  value: {value}
  unit: {unit}
  date: {date}
  paragraph: "1"
  confidence: low
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
    for name, date, value, unit in (
        ("early", "2025-03-10", 20, "soldiers"),
        ("late", "2025-03-31", late, "soldiers"),
        ("held", "2025-04-10", 1, "1 or 0"),
    ):
        for file, text in (("sources", SOURCES), ("observations", OBSERVATIONS)):
            with (made / "evidence" / f"{file}.yaml").open("a", encoding="utf-8") as ledger:
                ledger.write(text.format(name=name, date=date, value=value, unit=unit))
    case = made / "case.yaml"
    case.write_text(case.read_text("utf-8").replace("2025-06-30", "2025-04-10"), "utf-8")
    return made
