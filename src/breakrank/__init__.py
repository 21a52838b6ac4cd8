"""When do soldiers leave, rise or stay? An evidence-linked, agent-based model of a force under strain.

>>> import breakrank
>>> case = breakrank.load_case("venezuela-2019")            # doctest: +SKIP
>>> result = breakrank.simulate(case, runs=100, seed=7)      # doctest: +SKIP
>>> result.table()                                           # doctest: +SKIP
"""

TYPE_CHECKING = False  # nothing may be imported here: `python -m` would look in the current folder first
if TYPE_CHECKING:
    from breakrank.answer.answer import Answer
    from breakrank.answer.files import load_answer
    from breakrank.case import Case
    from breakrank.case.ensemble import PosteriorEnsemble, load_ensemble
    from breakrank.inference.calibration import update
    from breakrank.inference.question import calibrate
    from breakrank.inference.result import Calibration, load_calibration, load_posterior
    from breakrank.lives.question import stories, trace
    from breakrank.questions.compare.question import compare
    from breakrank.questions.examine.question import examine
    from breakrank.questions.explain.question import explain
    from breakrank.questions.forecast.question import forecast
    from breakrank.questions.guide.question import guide
    from breakrank.questions.hindcast.question import hindcast
    from breakrank.questions.hindcast.result import Hindcast
    from breakrank.questions.plan.question import plan
    from breakrank.questions.sweep.question import sweep
    from breakrank.results.result import Result
    from breakrank.results.store import load_result
    from breakrank.runs.cases import check_case, list_cases, load_case, new_case
    from breakrank.runs.counterfactuals import null_model
    from breakrank.runs.ensemble import simulate

__version__ = "0.2.0"

__all__ = [
    "Answer",
    "Calibration",
    "Case",
    "Hindcast",
    "PosteriorEnsemble",
    "Result",
    "__version__",
    "calibrate",
    "check_case",
    "compare",
    "examine",
    "explain",
    "forecast",
    "guide",
    "hindcast",
    "list_cases",
    "load_answer",
    "load_calibration",
    "load_case",
    "load_ensemble",
    "load_posterior",
    "load_result",
    "new_case",
    "null_model",
    "plan",
    "simulate",
    "stories",
    "sweep",
    "trace",
    "update",
]

_HOME = {
    "Answer": "breakrank.answer.answer",
    "Calibration": "breakrank.inference.result",
    "Case": "breakrank.case",
    "Hindcast": "breakrank.questions.hindcast.result",
    "PosteriorEnsemble": "breakrank.case.ensemble",
    "Result": "breakrank.results.result",
    "calibrate": "breakrank.inference.question",
    "check_case": "breakrank.runs.cases",
    "compare": "breakrank.questions.compare.question",
    "examine": "breakrank.questions.examine.question",
    "explain": "breakrank.questions.explain.question",
    "forecast": "breakrank.questions.forecast.question",
    "guide": "breakrank.questions.guide.question",
    "hindcast": "breakrank.questions.hindcast.question",
    "list_cases": "breakrank.runs.cases",
    "load_answer": "breakrank.answer.files",
    "load_calibration": "breakrank.inference.result",
    "load_case": "breakrank.runs.cases",
    "load_ensemble": "breakrank.case.ensemble",
    "load_posterior": "breakrank.inference.result",
    "load_result": "breakrank.results.store",
    "new_case": "breakrank.runs.cases",
    "null_model": "breakrank.runs.counterfactuals",
    "plan": "breakrank.questions.plan.question",
    "simulate": "breakrank.runs.ensemble",
    "stories": "breakrank.lives.question",
    "sweep": "breakrank.questions.sweep.question",
    "trace": "breakrank.lives.question",
    "update": "breakrank.inference.calibration",
}


def __getattr__(name: str) -> object:
    """Import a public name when it is first used: ``import breakrank`` itself stays cheap."""
    import importlib

    from breakrank.surroundings import check_surroundings

    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    check_surroundings()
    return getattr(importlib.import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
