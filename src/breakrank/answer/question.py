"""A question is declared once: its name, its sentence and its options.

The same declaration is the signature in Python, the command with its help, and a row of the reference.
Nothing heavy is imported for it: what answers a question is imported when it is asked.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import KW_ONLY, MISSING, dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar, Concatenate, ParamSpec, Self, get_origin

if TYPE_CHECKING:
    from breakrank.answer.answer import Answer
    from breakrank.case import Case
    from breakrank.runs.making import Making
    from breakrank.runs.study_progress import Progress

P = ParamSpec("P")

SEED = "Random seed: the same case and seed give the same numbers."
WORKERS = "Number of processes; the default is chosen from this machine's cores and the number of runs."


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a question.

    Attributes
    ----------
    name : in Python. `flag` : on the command line.
    typed : its type on the command line; several values are a tuple.
    default : where it is not given; `required` says that there is none.
    help : what it is, in sentences. `unit` : of its numbers. `low`, `high` : its range.
    shared : whether it is one that every question has.
    """

    name: str
    flag: str
    typed: Any
    default: Any
    required: bool
    help: str
    unit: str
    low: float | None
    high: float | None
    shared: bool

    @property
    def several(self) -> bool:
        """Whether it may be given several times."""
        return get_origin(self.typed) is tuple

    @property
    def range(self) -> str:
        """Its range in words; empty without one."""
        if self.low is None and self.high is None:
            return ""
        ends = f"{self.low:,} or more" if self.high is None else f"{self.low:,} to {self.high:,}"
        return f"{ends} {self.unit}".strip()

    def check(self, value: Any) -> None:  # noqa: ANN401
        """Check that a whole number is one, and within its range; UsageError otherwise."""
        if self.typed is int and value is not None:
            from breakrank.errors import whole_number

            low = -(2**31) if self.low is None else int(self.low)
            whole_number(self.name, value, low, 2**31 - 1 if self.high is None else int(self.high))


def option(
    default: Any = MISSING,  # noqa: ANN401
    help: str = "",  # noqa: A002
    *,
    flag: str = "",
    typed: Any = None,  # noqa: ANN401
    unit: str = "",
    low: float | None = None,
    high: float | None = None,
    shared: bool = False,
) -> Any:  # noqa: ANN401 (a field, as dataclasses declare it)
    """Return the field of an option; see :class:`Option`.

    Parameters
    ----------
    flag : by default ``--`` and its name. typed : by default the type of the field.
    """
    about = {
        "help": help,
        "flag": flag,
        "typed": typed,
        "unit": unit,
        "low": low,
        "high": high,
        "shared": shared,
    }
    return field(default=default, metadata=about)


@dataclass(frozen=True)
class Question:
    """A question to a case, with the options that every question has.

    Attributes
    ----------
    name : of its command. What it does is the docstring: a sentence, and then more.
    folder : where the command leaves its answer unless told, with the CASE and the SEED; "" for nowhere.
    kept : whether the command keeps runs in a store unless told.
    ensemble : where parameters come from if that is part of the question.
    """

    name: ClassVar[str]
    folder: ClassVar[str] = ""
    kept: ClassVar[bool] = True
    ensemble: ClassVar[str] = ""

    _: KW_ONLY
    seed: int = option(0, SEED, low=0, high=2**64 - 1, shared=True)
    store: str | os.PathLike[str] | None = option(
        None, "Folder that keeps every finished run, for this question and others.", typed=str, shared=True
    )
    backend: str | None = option(
        None,
        "What makes the runs: serial, cores, or the address of a Dask scheduler.",
        typed=str,
        shared=True,
    )
    workers: int | None = option(None, WORKERS, typed=int, low=1, high=4096, shared=True)
    progress: Progress | None = option(
        None, "Called with (runs ended, runs asked for) as they end.", typed=object, shared=True
    )

    def __post_init__(self) -> None:
        for one in type(self).options():
            one.check(getattr(self, one.name))

    def answer(self, case: Case, making: Making) -> Answer:
        """Return the answer.

        Parameters
        ----------
        case : as it is asked. making : where runs are made and kept.
        """
        raise NotImplementedError

    def located(self, case: object) -> Self:  # noqa: ARG002 (what a question may look at)
        """Return the question with what follows from the name or the folder of a case."""
        return self

    def changed(self, case: Case) -> Case:
        """Return a case with what the options of a question change in it; the command does that itself."""
        return case

    @classmethod
    def options(cls) -> tuple[Option, ...]:
        """Return its options in their order, its own first."""
        return tuple(_options(cls))


def _options(kind: type[Question]) -> Iterator[Option]:
    shared = {one.name for one in fields(Question)}
    for one in sorted(fields(kind), key=lambda one: one.name in shared):
        about, required = dict(one.metadata), one.default is MISSING
        about["typed"] = about["typed"] or type(one.default)
        about["flag"] = about["flag"] or f"--{one.name.replace('_', '-')}"
        yield Option(name=one.name, default=None if required else one.default, required=required, **about)


def front_door(
    kind: Callable[P, Question],
) -> Callable[Concatenate[Case | str | os.PathLike[str], P], Answer]:
    """Return the function that asks a question in Python, with the signature and help of its declaration."""

    def ask(case: Case | str | os.PathLike[str], /, *args: P.args, **options: P.kwargs) -> Answer:
        from breakrank.runs.cases import as_case
        from breakrank.runs.making import Making

        question = kind(*args, **options).located(case)
        where = (question.store, question.backend, question.workers, question.progress)
        with Making(*where) as making:
            return question.answer(question.changed(as_case(case)), making)

    described: Callable[Concatenate[Case | str | os.PathLike[str], P], Answer] = _described(ask, kind)
    return described


def _described(ask: Any, kind: Any) -> Any:  # noqa: ANN401
    import inspect

    first = inspect.Parameter("case", inspect.Parameter.POSITIONAL_ONLY)
    own = list(inspect.signature(kind).parameters.values())
    ask.__name__ = ask.__qualname__ = kind.name.rpartition(" ")[2]
    ask.__module__ = kind.__module__
    ask.__signature__ = inspect.Signature([first, *own])
    ask.__doc__ = describe(kind)
    return ask


def describe(kind: type[Question]) -> str:
    """Return the help of the function that asks a question, from its declaration."""
    lines = [*(kind.__doc__ or "").rstrip().splitlines(), "", "Parameters", "----------"]
    lines.append("case : a case, the name of a built-in one, or the folder of one.")
    for one in kind.options():
        ends = f" ({one.range})" if one.range else ""
        lines.append(f"{one.name} : {one.help[:1].lower()}{one.help[1:].rstrip('.')}{ends}.")
    lines += ["", "Returns", "-------", "Answer"]
    lines += [
        "    with its finding, tables, figures and provenance; see :class:`~breakrank.answer.answer.Answer`."
    ]
    lines += [
        "",
        "Raises",
        "------",
        "UsageError",
        "    for an option that makes no sense, before anything runs.",
    ]
    return "\n".join(lines)
