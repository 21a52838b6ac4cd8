"""A question is declared once: its name, its sentence and its options.

The same declaration is the signature in Python, the command with its help, and a row of the reference.
Nothing heavy is imported for it: what answers a question is imported when it is asked.
"""

from __future__ import annotations

import datetime as dt
import math
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import KW_ONLY, MISSING, dataclass, field, fields
from inspect import getdoc
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Concatenate, ParamSpec, Protocol, Self, TypeVar, get_origin

from breakrank.errors import UsageError

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.runs.carry_out import Making, Progress

    CaseLike = Case | str | os.PathLike[str]

P = ParamSpec("P")
T_co = TypeVar("T_co", covariant=True)

SEED = "Random seed: the same case and seed give the same numbers."
STORE = (
    "Folder that keeps every finished run. Runs found there are reused, so that the same call continues "
    "after an interruption."
)
BACKEND = (
    "What makes the runs: serial, cores, or the address of a Dask scheduler such as tcp://10.0.0.5:8786, "
    "whose workers need a store."
)
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
    def says_default(self) -> bool:
        """Whether its default says something: it is neither a switch that is off nor nothing."""
        return self.default is not False and self.default not in (None, ())

    @property
    def range(self) -> str:
        """Its range in words; empty without one."""
        if self.low is None and self.high is None:
            return ""
        ends = f"{self.low:,} or more" if self.high is None else f"{self.low:,} to {self.high:,}"
        return f"{ends} {self.unit}".strip()

    def check(self, value: Any) -> None:  # noqa: ANN401
        """Check that a number is one, and within its range; UsageError otherwise."""
        if self.typed is int and value is not None:
            from breakrank.errors import whole_number

            low = -(2**31) if self.low is None else int(self.low)
            whole_number(self.name, value, low, 2**31 - 1 if self.high is None else int(self.high))
        if self.typed is float and self.range:
            least = -math.inf if self.low is None else self.low
            most = math.inf if self.high is None else self.high
            fits = isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most
            if not fits:
                raise UsageError(f"{self.name} must be from {self.range}, not {value!r}")

    @classmethod
    def of(cls, kind: type[Question], name: str) -> Option:
        """Return an option of a question by its name in Python."""
        return next(one for one in kind.options() if one.name == name)


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
    """A question to a case, with the option that every question has.

    What asking it gives in Python is an answer, or what has one as ``answer`` and can be saved in a folder.

    Attributes
    ----------
    name : of its command. What it does is the docstring: a sentence, and then more.
    folder : where the command leaves its answer unless told, with the CASE and the SEED; "" for nowhere.
    holds : what such a folder holds, and what becomes of an earlier one.
    kept : whether the command keeps runs in a store unless told.
    changes : what the command may change of the case: "mechanisms" alone; its "events" too; its "values" and
        their draws too; or its last day too, all "until" then.
    usual_draws : what runs are unless told: "members" of the case's ensemble, if changes that the question
        makes act (``acts_from``) only after their last figure; "point", the case's values, where it
        is itself about parameters; "" for draws of the posterior.
    several : whether it is asked of several cases at once.
    travels : whether runs may be made on other machines.
    """

    name: ClassVar[str]
    folder: ClassVar[str] = ""
    holds: ClassVar[str] = (
        "answer.json, a CSV file for each table, charts and the case; an earlier one is replaced"
    )
    kept: ClassVar[bool] = True
    changes: ClassVar[str] = "until"
    usual_draws: ClassVar[str] = ""
    several: ClassVar[bool] = False
    travels: ClassVar[bool] = True

    _: KW_ONLY
    seed: int = option(0, SEED, low=0, high=2**64 - 1, shared=True)

    def __post_init__(self) -> None:
        wrong = []
        for one in type(self).options():
            try:
                one.check(getattr(self, one.name))
            except UsageError as error:
                wrong.append(str(error))
        if wrong:
            raise UsageError("\n".join(wrong))

    def answer(self, case: Any, making: Making) -> Any:  # noqa: ANN401 (each question says of what, and what)
        """Return the answer.

        Parameters
        ----------
        case : as it is asked. making : where runs are made and kept.
        """
        raise NotImplementedError

    def located(self, case: object) -> Self:  # noqa: ARG002 (what a question may look at)
        """Return the question with what follows from the name or the folder of a case."""
        return self

    def belongs_in(self, case: str, *, changed: bool) -> bool:  # noqa: ARG002 (what a question may look at)
        """Say whether the command also puts its answer into a case, which it changed or not."""
        return False

    def read(self, case: Any) -> Any:  # noqa: ANN401 (one case, or several)
        """Return the case that is named; of a question to several the cases, by default the built-in ones."""
        from breakrank.runs.cases import as_case, list_cases

        if not self.several:
            return as_case(case)
        named: Any = list_cases() if case is None else case
        single = isinstance(named, str) or not isinstance(named, Sequence)
        return tuple(as_case(one) for one in ((named,) if single else named))

    def call(self, case: Any) -> str:  # noqa: ANN401 (as it was read)
        """Return the call in Python that asks it of a case again, without what goes without saying."""
        said = [repr([one.id for one in case] if self.several else case.id)]
        for one in type(self).options():
            value = getattr(self, one.name)
            if value != one.default and (one.name == "seed" or not one.shared):
                said.append(f"{one.name}={_said(value)}")
        return f"{self.name.rpartition(' ')[2]}({', '.join(said)})"

    def flags(self) -> dict[str, object]:
        """Return its own options and the seed by their flags, without what goes without saying."""
        own = (one for one in type(self).options() if not one.shared or one.name == "seed")
        given = {one.flag.removeprefix("--"): (getattr(self, one.name), one.default) for one in own}
        return {flag: value for flag, (value, usual) in given.items() if value != usual}

    def making(self) -> Making:
        """Return where its runs are made."""
        from breakrank.runs.carry_out import Making

        return Making()

    def replaces(self, folder: Path) -> bool:
        """Say whether its answer may replace what is in a folder: an earlier one."""
        from breakrank.answer.files import is_answer

        return is_answer(folder)

    @classmethod
    def options(cls) -> tuple[Option, ...]:
        """Return its options in their order, its own first."""
        return tuple(_options(cls))


def _said(value: object) -> str:
    """Return a value as Python spells it; what has no short spelling is left open."""
    if isinstance(value, dt.date | os.PathLike):
        return repr(str(value))
    parts = value if isinstance(value, list | tuple) else (value,)
    return repr(value) if all(isinstance(part, str | int | float) for part in parts) else "..."


@dataclass(frozen=True)
class RunsQuestion(Question):
    """A question that runs answer, which are made on this machine and forgotten."""

    _: KW_ONLY
    workers: int | None = option(None, WORKERS, typed=int, low=1, high=4096, shared=True)
    progress: Progress | None = option(
        None, "Called with (runs ended, runs asked for) as they end.", typed=object, shared=True
    )

    def making(self) -> Making:
        """Return where its runs are made, as its options say."""
        from breakrank.runs.carry_out import Making

        return Making(workers=self.workers, progress=self.progress)


@dataclass(frozen=True)
class KeptRunsQuestion(RunsQuestion):
    """A question that runs answer, which a store may keep, with the options that say where."""

    _: KW_ONLY
    store: str | os.PathLike[str] | None = option(None, STORE, typed=Path, shared=True)
    backend: str | None = option(None, BACKEND, typed=str, shared=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.travels and self.backend not in (None, "serial", "cores"):
            raise UsageError(
                f"backend {self.backend}: ensembles are made on this machine, by cores or serial"
            )

    def making(self) -> Making:
        """Return where its runs are made and kept, as its options say."""
        from breakrank.runs.carry_out import Making

        return Making(self.store, self.backend, self.workers, self.progress)


def _options(kind: type[Question]) -> Iterator[Option]:
    shared = {one.name for one in fields(KeptRunsQuestion)}
    for one in sorted(fields(kind), key=lambda one: one.name in shared):
        about, required = dict(one.metadata), one.default is MISSING
        about["typed"] = about["typed"] or type(one.default)
        about["flag"] = about["flag"] or f"--{one.name.replace('_', '-')}"
        yield Option(name=one.name, default=None if required else one.default, required=required, **about)


class Answering(Protocol[T_co]):
    """A question whose type tells what asking it gives."""

    def answer(self, case: Any, making: Making) -> T_co:  # noqa: ANN401 (one case, or several)
        """Return the answer."""
        ...


def front_door(kind: Callable[P, Answering[T_co]]) -> Callable[Concatenate[CaseLike, P], T_co]:
    """Return the function that asks a question in Python, with the signature and help of its declaration."""
    function: Callable[Concatenate[CaseLike, P], T_co] = _asking(kind)
    return function


def front_door_to_several(
    kind: Callable[P, Answering[T_co]],
) -> Callable[Concatenate[CaseLike | Sequence[CaseLike] | None, P], T_co]:
    """Return the function that asks a question of several cases in Python; see :func:`front_door`."""
    function: Callable[Concatenate[CaseLike | Sequence[CaseLike] | None, P], T_co] = _asking(kind)
    return function


def _asking(kind: Any) -> Any:  # noqa: ANN401
    import inspect

    default = None if kind.several else inspect.Parameter.empty
    first = inspect.Parameter("case", inspect.Parameter.POSITIONAL_ONLY, default=default)
    order = [one.name for one in kind.options()]
    options = sorted(
        inspect.signature(kind).parameters.values(), key=lambda one: (one.kind, order.index(one.name))
    )
    signature = inspect.Signature([first, *options])

    def ask(*args: Any, **options: Any) -> Any:  # noqa: ANN401
        given = signature.bind(*args, **options).arguments
        case = given.pop("case", None)
        question: Question = kind(**given).located(case)
        with question.making() as making:
            found = question.read(case)
            making.command = question.call(found)
            return question.answer(found, making)

    ask.__name__ = ask.__qualname__ = kind.name.rpartition(" ")[2]
    ask.__module__ = kind.__module__
    ask.__signature__ = signature  # type: ignore[attr-defined]
    ask.__doc__ = describe(kind)
    return ask


def in_python(kind: type[Question], text: str) -> str:
    """Return a text of a declaration as it holds in Python, where options go by their names.

    >>> in_python(KeptRunsQuestion, "With --store it is kept. May be given several times.")
    'With store it is kept. Several as a list.'
    """
    for one in sorted(kind.options(), key=lambda one: -len(one.flag)):
        text = re.sub(rf"{one.flag}\b", one.name, text)
    text = re.sub(r"(; m|\. M)ay be given (?:several times|twice)", ". Several as a list", text)
    return text.replace("In Python also", "Or")


def describe(kind: type[Question]) -> str:
    """Return the help of the function that asks a question, from its declaration."""
    lines = [in_python(kind, getdoc(kind) or ""), "", "Parameters", "----------"]
    lines.append(
        "case : one or several, by name or folder; by default all built-in ones."
        if kind.several
        else "case : a case, the name of a built-in one, or the folder of one."
    )
    for one in kind.options():
        ends = f" ({one.range})" if one.range else ""
        text = in_python(kind, one.help)
        lines.append(f"{one.name} : {text[:1].lower()}{text[1:].rstrip('.')}{ends}.")
    found = kind.answer.__annotations__["return"]
    lines += ["", "Returns", "-------", found]
    if found == "Answer":
        lines.append(
            "    ``show()`` prints it, ``table()`` is a data frame, ``plot()`` a chart, ``write`` saves it."
        )
    else:
        lines.append("    ``answer.show()`` prints its answer; ``save(folder)`` keeps it.")
    lines += [
        "",
        "Raises",
        "------",
        "UsageError",
        "    for an option that makes no sense, before anything runs.",
    ]
    return "\n".join(lines)
