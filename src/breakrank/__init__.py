"""When do soldiers leave, rise or stay? An evidence-linked, agent-based model of a force under strain.

>>> import breakrank
>>> case = breakrank.load_case("venezuela-2019")            # doctest: +SKIP
>>> result = breakrank.simulate(case, runs=100, seed=7)      # doctest: +SKIP
>>> result.table()                                           # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from breakrank import classics
    from breakrank.case import Case
    from breakrank.results.calibration.calibration import Calibration
    from breakrank.results.calibration.kept import load_calibration, load_posterior
    from breakrank.results.planning.plan import Plan
    from breakrank.results.result import Result
    from breakrank.results.store import load_result
    from breakrank.results.validation.validation import Validation
    from breakrank.study.calibration.calibrate import calibrate
    from breakrank.study.cases import check_case, list_cases, load_case, new_case
    from breakrank.study.compare import Comparison, compare
    from breakrank.study.ensemble import simulate
    from breakrank.study.explaining.explain import explain
    from breakrank.study.explaining.explanation import Explanation
    from breakrank.study.plan import plan
    from breakrank.study.validation.validate import validate

__version__ = "0.1.0"

__all__ = [
    "Calibration",
    "Case",
    "Comparison",
    "Explanation",
    "Plan",
    "Result",
    "Validation",
    "__version__",
    "calibrate",
    "check_case",
    "classics",
    "compare",
    "explain",
    "list_cases",
    "load_calibration",
    "load_case",
    "load_posterior",
    "load_result",
    "new_case",
    "plan",
    "simulate",
    "validate",
]

_HOME = {
    "Calibration": "breakrank.results.calibration.calibration",
    "Case": "breakrank.case",
    "Comparison": "breakrank.study.compare",
    "Explanation": "breakrank.study.explaining.explanation",
    "Plan": "breakrank.results.planning.plan",
    "Result": "breakrank.results.result",
    "Validation": "breakrank.results.validation.validation",
    "calibrate": "breakrank.study.calibration.calibrate",
    "check_case": "breakrank.study.cases",
    "compare": "breakrank.study.compare",
    "explain": "breakrank.study.explaining.explain",
    "list_cases": "breakrank.study.cases",
    "load_calibration": "breakrank.results.calibration.kept",
    "load_case": "breakrank.study.cases",
    "load_posterior": "breakrank.results.calibration.kept",
    "load_result": "breakrank.results.store",
    "new_case": "breakrank.study.cases",
    "plan": "breakrank.study.plan",
    "simulate": "breakrank.study.ensemble",
    "validate": "breakrank.study.validation.validate",
}


def __getattr__(name: str) -> object:
    """Import a public name when it is first used: ``import breakrank`` itself stays cheap."""
    import importlib

    if name == "classics":
        return importlib.import_module("breakrank.classics")
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
