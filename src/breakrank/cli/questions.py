"""The commands of declared questions, generated from their options."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from breakrank.answer.question import KeptRunsQuestion, Option, Question, RunsQuestion
from breakrank.cli.options import (
    DONE,
    FAILED,
    INTERRUPTED,
    CaseOptions,
    DatedOptions,
    EventOptions,
    ModelOptions,
    OutputOptions,
    RunOptions,
    Whole,
    places_of,
    put,
)
from breakrank.questions.declared import QUESTIONS
from breakrank.show.terminal import say_saved

if TYPE_CHECKING:
    from breakrank.cli.changed_case import Changed
    from breakrank.runs.carry_out import Making

OUT = (
    "A folder for the answer ({holds}), or a file that ends in .html, .pdf, .xlsx, .md, .json, .csv or "
    ".parquet. May be given several times. By default {default}."
)
WHERE = ("workers", "store", "backend")
SET, EVENTS, ENSEMBLE = OF_THE_CASE = "--set", "--events", "--ensemble"
"""Options of some questions that the command has among those of a case."""
CHANGES: dict[str, type[ModelOptions]] = {
    "mechanisms": ModelOptions,
    "events": EventOptions,
    "values": CaseOptions,
    "until": DatedOptions,
}


def command(kind: type[Question]) -> Callable[..., int]:
    """Return the command that asks a question, with the options and the help of its declaration."""
    one_kind, given_as = (_CASES, "VAR_POSITIONAL") if kind.several else (_CASE, "POSITIONAL_ONLY")
    positional = inspect.Parameter("case", getattr(inspect.Parameter, given_as), annotation=one_kind)
    own = [_parameter(one) for one in kind.options() if not one.shared and one.flag not in OF_THE_CASE]
    classes: dict[str, Any] = {"options": CHANGES[kind.changes], "output": OutputOptions}
    shared = {name: one() for name, one in classes.items()} | {"out": ()}

    def ask(*cases: str, **given: Any) -> int:  # noqa: ANN401 (as the signature below has them)
        everywhere = {name: given.pop(name, default) for name, default in shared.items()}
        where = RunOptions(**{name: given.pop(name) for name in WHERE if name in given})
        return asked_question(kind, cases, given, where=where, **everywhere)

    usual = f"{kind.folder} in the current directory, with a number added if that is taken"
    text = OUT.format(holds=kind.holds, default=usual if kind.folder else "nothing is written")
    out = Annotated[tuple[Path, ...], Parameter(negative="", show_default=False, help=text)]
    parameters = [positional, *own, _keyword("out", out, ())]
    parameters += [_keyword(name, one, shared[name]) for name, one in classes.items()]
    store = f"breakrank-{kind.name if kind.several else 'CASE'}.store in the current directory"
    kept = f" By default {store if kind.kept else 'none is kept'}."
    for one in kind.options():
        if one.name in WHERE:
            parameters.append(_parameter(one, kept if one.name == "store" else ""))
    ask.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    ask.__annotations__ = {one.name: one.annotation for one in parameters}
    ask.__doc__, ask.__name__ = kind.__doc__, kind.name
    return ask


_CASE = Annotated[str, Parameter(help="Name of a built-in case, or a case folder.")]
_CASES = Annotated[
    str, Parameter(help="Names of built-in cases, or case folders; by default all built-in cases.")
]


def _keyword(name: str, annotation: Any, default: Any) -> inspect.Parameter:  # noqa: ANN401
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _parameter(one: Option, more: str = "") -> inspect.Parameter:
    typed: Any = Whole if one.typed is int else one.typed
    if one.default is None and not one.required:
        typed |= None
    text = one.help + more + (f" ({one.range})" if one.range else "")
    look = Parameter(name=one.flag, negative="", show_default=one.says_default, help=text)
    default = inspect.Parameter.empty if one.required else one.default
    return _keyword(one.name, Annotated[typed, look], default)


def asked_question(
    kind: type[Question],
    cases: tuple[str, ...],
    given: Mapping[str, Any],
    *,
    out: tuple[Path, ...],
    options: ModelOptions,
    output: OutputOptions,
    where: RunOptions,
) -> int:
    """Ask a question, print its answer and write it where it is wanted; return the exit code."""
    from breakrank.answer.answer import Answer
    from breakrank.answer.files import save, with_call
    from breakrank.cli.changed_case import tell_apart
    from breakrank.runs.cases import list_cases
    from breakrank.runs.crew import undisturbed

    dated = DatedOptions(**vars(options))
    names = {one.name for one in kind.options()} & {"workers", "backend"}
    shared = {"seed": options.seed, **{name: getattr(where, name) for name in names}}
    question = kind(**given, **_of_the_case(kind, dated), **shared)
    question = question if kind.several else question.located(*cases)
    tell_apart(cases, output.quiet)
    made = [_case(question, one, dated, output.quiet) for one in cases or list_cases()]
    first = made[0].case
    case: Any = tuple(one.case for one in made) if kind.several else first
    named = kind.folder.replace("CASE", first.id).replace("SEED", str(options.seed))
    none = "no answer of Breakrank's that may be replaced"
    places = places_of(out, Path(named) if named else None, question.replaces, none)
    call = options.call(kind.name, *cases, **question.flags())
    with _making(kind, made[0], where, call, output.quiet) as making:
        found: Any = question.answer(case, making)
    beside = None if isinstance(found, Answer) else found
    answer = with_call(found if beside is None else beside.answer, call, made[0].told)
    output.tell(lambda: answer.as_json() | ({} if beside is None else beside.as_json()), answer.show)
    saved = [f"Answer  {place}" for place in places]
    with undisturbed():  # written whole: an interrupt waits until that is done
        whole = partial(save, answer, case=None if kind.several else first)
        put(places, answer.write, whole if beside is None else beside.save)
        changed = bool(dated.events or dated.mechanisms)  # a case may name mechanisms of its own
        if not out and any(question.belongs_in(one, changed=changed) for one in cases):
            found.put_into(Path(cases[0]))
            saved.append(f"Ensemble  {cases[0]}")
    if output.talks and saved:
        say_saved(*saved)
    if making.interrupted or answer.provenance.interrupted:
        return INTERRUPTED
    return FAILED if making.failed or answer.provenance.failed else DONE


def _of_the_case(kind: type[Question], options: DatedOptions) -> dict[str, Any]:
    """Return the values of options that a question has, and the command among those of a case."""
    from breakrank.cli.changed_case import values_of

    declared = {one.flag: one.name for one in kind.options()}
    given: dict[str, Any] = {}
    if SET in declared:
        given[declared[SET]] = values_of(options.changes)
    if EVENTS in declared:
        given[declared[EVENTS]] = options.events
    if ENSEMBLE in declared:
        given[declared[ENSEMBLE]] = None if options.ensemble == "posterior" else options.ensemble
    return given


def _case(question: Question, case: str, options: DatedOptions, quiet: bool) -> Changed:
    """Return the case as a question is asked of it."""
    from breakrank.cli.changed_case import change, ensemble_case

    draws = "point" if getattr(question, "as_of", None) is not None else question.usual_draws
    if draws == "members":
        acts_from = getattr(question, "acts_from", None)
        if SET in {one.flag for one in question.options()}:  # what it is compared with has them
            if options.events is not None:  # warns of those that cannot act as they say
                change(case, replace(options, ensemble="point", changes=()), quiet)
            options = replace(options, changes=(), events=None)
        return ensemble_case(case, options, quiet, acts_from)
    return change(case, replace(options, ensemble=draws) if draws else options, quiet)


def _making(kind: type[Question], made: Changed, where: RunOptions, call: str, quiet: bool) -> Making:
    from breakrank.cli.progress import WatchedMaking
    from breakrank.runs.carry_out import Making

    if not issubclass(kind, RunsQuestion):
        return Making(changes=made.changes, command=call)
    name = kind.name if kind.several else made.case.id
    folder = where.store or (Path(f"breakrank-{name}.store") if kind.kept else None)
    making = WatchedMaking(folder, where, made.changes, call, quiet)
    making.keeps = issubclass(kind, KeptRunsQuestion)
    return making


def __getattr__(name: str) -> Callable[..., int]:
    """Return the command of a question, by the name of its function."""
    for kind in QUESTIONS:
        if kind.name.rpartition(" ")[2] == name:
            return command(kind)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
