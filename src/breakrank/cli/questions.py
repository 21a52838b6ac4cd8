"""The commands of declared questions, generated from their options."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from breakrank.answer.question import Option, Question
from breakrank.cli.options import (
    DONE,
    FAILED,
    INTERRUPTED,
    CaseOptions,
    DatedOptions,
    OutputOptions,
    RunOptions,
    Whole,
    call_again,
    refuse_early,
    unused,
)
from breakrank.questions.compare.question import Compare
from breakrank.questions.declared import QUESTIONS
from breakrank.questions.plan.question import Plan
from breakrank.show.terminal import say_saved

if TYPE_CHECKING:
    from breakrank.answer.answer import Answer
    from breakrank.cli.changed_case import Changed
    from breakrank.runs.making import Making

OUT = (
    "A folder for the answer (answer.json, a CSV file for each table, charts and the case), or a file that "
    "ends in .html, .pdf, .xlsx, .md, .json, .csv or .parquet. An earlier answer there is replaced. May be "
    "given several times."
)
SET = "--set"


def command(kind: type[Question]) -> Callable[..., int]:
    """Return the command that asks a question, with the options and the help of its declaration."""

    def ask(case: str, /, **given: Any) -> int:  # noqa: ANN401 (as the signature below has them)
        usual: dict[str, Any] = {one.name: one.default for one in shared}
        everywhere = {name: given.pop(name, default) for name, default in usual.items()}
        return asked_question(kind, case, given, **everywhere)

    positional = inspect.Parameter("case", inspect.Parameter.POSITIONAL_ONLY, annotation=_CASE)
    own = [_parameter(one) for one in kind.options() if not one.shared and one.flag != SET]
    default = f" By default {kind.folder} in the current directory, with a number added if that is taken."
    out = Annotated[
        tuple[Path, ...],
        Parameter(
            negative="",
            show_default=False,
            help=OUT + (default if kind.folder else " By default nothing is written."),
        ),
    ]
    shared = [_keyword("out", out, ())]
    dated = not any(one.name == "until" for one in kind.options())
    classes = {
        "options": DatedOptions if dated else CaseOptions,
        "where": RunOptions,
        "output": OutputOptions,
    }
    shared += [_keyword(name, one, one()) for name, one in classes.items()]
    parameters = [positional, *own, *shared]
    ask.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    ask.__annotations__ = {one.name: one.annotation for one in parameters}
    ask.__doc__, ask.__name__ = kind.__doc__, kind.name
    return ask


_CASE = Annotated[str, Parameter(help="Name of a built-in case, or a case folder.")]


def _keyword(name: str, annotation: Any, default: Any) -> inspect.Parameter:  # noqa: ANN401
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _parameter(one: Option) -> inspect.Parameter:
    typed: Any = Whole if one.typed is int else one.typed
    if one.default is None and not one.required:
        typed |= None
    text = one.help if not one.range else f"{one.help} ({one.range})"
    look = Parameter(name=one.flag, negative="", show_default=one.default not in ((), None, False), help=text)
    default = inspect.Parameter.empty if one.required else one.default
    return _keyword(one.name, Annotated[typed, look], default)


def asked_question(
    kind: type[Question],
    case: str,
    given: Mapping[str, Any],
    *,
    out: tuple[Path, ...],
    options: CaseOptions,
    where: RunOptions,
    output: OutputOptions,
) -> int:
    """Ask a question, print its answer and write it where it is wanted; return the exit code."""
    from breakrank.answer.files import RENDERERS, is_answer, save, with_command
    from breakrank.cli.changed_case import values_of
    from breakrank.runs.interrupts import undisturbed

    if not kind.kept:
        where.needs_store()
    settable = any(one.flag == SET for one in kind.options())
    values: dict[str, Any] = {"values": values_of(options.changes)} if settable else {}
    question = kind(**given, **values, seed=options.seed, workers=where.workers).located(case)
    dated = DatedOptions(**vars(options))
    made = _case(question, case, dated, where, output.quiet)
    places = [Path(one) for one in out]
    if not places and kind.folder:
        places = [unused(Path(kind.folder.replace("CASE", made.case.id).replace("SEED", str(options.seed))))]
    for place in places:
        if place.suffix not in RENDERERS:
            refuse_early(place, is_answer, "no answer of Breakrank's")
    with _making(kind, made, where, output.quiet) as making:
        answer = with_command(question.answer(made.case, making), _call(kind, case, given, dated))
    output.tell(answer.as_json, answer.show)
    with undisturbed():  # written whole: an interrupt waits until that is done
        for place in places:
            if place.suffix in RENDERERS:
                answer.write(place)
            else:
                save(answer, place, made.case)
    if output.talks and places:
        say_saved(*(f"Answer  {place}" for place in places))
    return _code(answer)


def _code(answer: Answer) -> int:
    of = answer.provenance
    return INTERRUPTED if of.interrupted else FAILED if of.failed else DONE


def _case(question: Question, case: str, options: DatedOptions, where: RunOptions, quiet: bool) -> Changed:
    """Return the case as a question is asked of it."""
    from breakrank.cli.changed_case import change

    if isinstance(question, Plan):
        from breakrank.cli.ensemble import case_as_of, ensemble_case

        events = None if question.events is None else Path(question.events)
        if question.as_of is None:
            return ensemble_case(case, options, events, question.runs, quiet)
        return case_as_of(case, options, events, question.as_of, question.runs, where, quiet)

    if question.ensemble:
        options = replace(options, ensemble=question.ensemble)
    if isinstance(question, Compare):
        from breakrank.cli.ensemble import compared_case
        from breakrank.questions.compare.compare import acts_first

        return compared_case(
            case, options, question.runs, quiet, lambda made: acts_first(question, made.case)
        )
    return change(case, options, None, quiet)


def _making(kind: type[Question], made: Changed, where: RunOptions, quiet: bool) -> Making:
    from breakrank.cli.watched import WatchedMaking

    kept = Path(f"breakrank-{made.case.id}.store") if kind.kept else None
    return WatchedMaking(where.store or kept, where, made, quiet)


def _call(kind: type[Question], case: str, given: Mapping[str, Any], options: DatedOptions) -> str:
    """Return the call that makes an answer again, without what is as it goes without saying."""
    flags: dict[str, object] = {}
    for one in kind.options():
        if one.name in given and given[one.name] != one.default:
            flags[one.flag.removeprefix("--")] = given[one.name]
    flags |= {"set": options.changes, "mechanisms": options.mechanisms, "ensemble": options.ensemble}
    return call_again(kind.name, case, **flags, until=options.until, seed=options.seed)


def __getattr__(name: str) -> Callable[..., int]:
    """Return the command of a question, by the name of its function."""
    for kind in QUESTIONS:
        if kind.name.rpartition(" ")[2] == name:
            return command(kind)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
