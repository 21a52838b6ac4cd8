"""When do soldiers leave, rise or stay? An evidence-linked, agent-based model of a force under strain.

::

    import breakrank

    breakrank.list_cases()  # the built-in cases
    case = breakrank.load_case("venezuela-2019")  # or a folder of yours
    result = breakrank.simulate(case, runs=100, seed=7)
    result.answer.show()  # what becomes of the force, beside what was observed

A case never changes; its methods return changed copies: ``case.set({"fear.on": 0})``,
``case.without_event("aid-convoy")``. ``print(case)`` shows what it holds, ``case.events.ids`` its events.
Each question is a function of a case, or of its name:

=============  ========================================================================
``simulate``   What becomes of the force? Many runs, beside what was observed.
``compare``    What does a change do? ``compare(case, case.without_event("aid-convoy"))``
``plan``       What must a host provide? ``plan(case, since="2019-02-23")``
``forecast``   What follows from what was known on a day?
``explain``    Which mechanisms account for the result?
``sweep``      Where does an outcome tip, as a parameter varies?
``trace``      What happened to one soldier, and why?
``stories``    How many lives are as reports describe them?
``guide``      Which national numbers matter most?
``examine``    Does the model answer interventions as expected?
``calibrate``  What do the observed figures say about the parameters?
``hindcast``   How good were forecasts of the past?
=============  ========================================================================

Each returns an :class:`Answer`, or what has one as ``answer``: ``show()`` prints it, ``plot()`` draws it,
``table()`` is a data frame, ``write("it.html")`` a page. ``help(breakrank.plan)`` tells the options of one.
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
    from breakrank.questions.declared import (
        compare,
        examine,
        explain,
        forecast,
        guide,
        hindcast,
        plan,
        stories,
        sweep,
        trace,
    )
    from breakrank.results.result import Result, load_result
    from breakrank.runs.carry_out import simulate
    from breakrank.runs.cases import check_case, list_cases, load_case, new_case
    from breakrank.runs.counterfactuals import null_model

__version__ = "0.2.0"

__all__ = [
    "Answer",
    "Calibration",
    "Case",
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
    "PosteriorEnsemble": "breakrank.case.ensemble",
    "Result": "breakrank.results.result",
    "calibrate": "breakrank.inference.question",
    "check_case": "breakrank.runs.cases",
    "compare": "breakrank.questions.declared",
    "examine": "breakrank.questions.declared",
    "explain": "breakrank.questions.declared",
    "forecast": "breakrank.questions.declared",
    "guide": "breakrank.questions.declared",
    "hindcast": "breakrank.questions.declared",
    "list_cases": "breakrank.runs.cases",
    "load_answer": "breakrank.answer.files",
    "load_calibration": "breakrank.inference.result",
    "load_case": "breakrank.runs.cases",
    "load_ensemble": "breakrank.case.ensemble",
    "load_posterior": "breakrank.inference.result",
    "load_result": "breakrank.results.result",
    "new_case": "breakrank.runs.cases",
    "null_model": "breakrank.runs.counterfactuals",
    "plan": "breakrank.questions.declared",
    "simulate": "breakrank.runs.carry_out",
    "stories": "breakrank.questions.declared",
    "sweep": "breakrank.questions.declared",
    "trace": "breakrank.questions.declared",
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
