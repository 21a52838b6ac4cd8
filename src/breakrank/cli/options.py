"""Options and exit codes that the commands share; each option is declared and described here once."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

from cyclopts import Parameter, Token

from breakrank.answer.question import BACKEND, SEED, STORE, WORKERS
from breakrank.errors import UsageError
from breakrank.leftovers import mark, sweep
from breakrank.show.terminal import hush, output_taken, say_json, say_saved
from breakrank.wording import call_again

OTHER_FILES = (
    ".docx",
    ".doc",
    ".odt",
    ".xls",
    ".ods",
    ".tsv",
    ".txt",
    ".htm",
    ".png",
    ".svg",
    ".nc",
    ".yaml",
)
"""Endings of files that no answer is written as: who gives one does not mean a folder."""


def unused(folder: Path) -> Path:
    """Return the folder, or its name with the first number that is not taken: nothing earlier is lost."""
    number = 1
    free = folder
    while free.exists():
        number += 1
        free = folder.with_name(f"{folder.name}-{number}")
    return free


def check_own(folder: Path) -> None:
    """Check that a case may be written to; UsageError for what is no folder, such as a built-in case."""
    from breakrank import list_cases

    if not folder.is_dir():
        built_in = ": built-in cases stay as they are" if str(folder) in list_cases() else ""
        raise UsageError(
            f"{folder} is no case folder{built_in}\n  `breakrank case new my-country` writes one."
        )


def refuse_early(folder: Path, is_ours: Callable[[Path], bool], what: str) -> None:
    """Find out before the work, not after it, that its result could not be put there.

    Parameters
    ----------
    folder : where it is to go; new, empty, or one that `is_ours` knows and that will be replaced.
    what : what such a folder holds, after "holds something that is", e.g. ``"no Breakrank result"``.

    Raises
    ------
    UsageError
        saying what is there, or why nothing can be written.
    """
    if folder.exists() and not (folder.is_dir() and (is_ours(folder) or not any(folder.iterdir()))):
        raise UsageError(
            f"{folder} holds something that is {what}, so it is left alone\n"
            "  Name an empty or a new folder with --out."
        )
    _refuse_unwritable(folder)


def places_of(
    out: Sequence[Path], usual: Path | None, is_ours: Callable[[Path], bool], what: str
) -> list[Path]:
    """Return where an answer goes, folders first, once it is known that it can be put there.

    Parameters
    ----------
    out : files whose ending says what they are, and folders. usual : the folder without any of them.
    is_ours, what : as in :func:`refuse_early`.

    Raises
    ------
    UsageError
        for a place named twice, or where nothing can be written.
    """
    from breakrank.answer.files import RENDERERS

    for one in out:
        if one.suffix not in RENDERERS and one.suffix.lower() in (*RENDERERS, *OTHER_FILES):
            raise UsageError(
                f"--out {one}: an answer is no {one.suffix} file\n"
                f"  End the name with {', '.join(RENDERERS)}; a name without such an ending is a folder."
            )
    places = sorted(out, key=lambda one: one.suffix in RENDERERS)
    if not places and usual is not None:
        places = [unused(usual)]
    if len({os.path.realpath(place) for place in places}) < len(places):
        raise UsageError("two --out name the same place; each answer needs one of its own")
    for place in places:
        if place.suffix in RENDERERS:
            refuse_file_early(place)
        else:
            refuse_early(place, is_ours, what)
    return places


def put(places: Iterable[Path], write: Callable[[Path], object], save: Callable[[Path], object]) -> None:
    """Write an answer into each of the places that are files, and save what it is of into the folders."""
    from breakrank.answer.files import RENDERERS

    for place in places:
        (write if place.suffix in RENDERERS else save)(place)


def refuse_file_early(file: Path) -> None:
    """Find out before the work, not after it, that a file could not be put there; UsageError says why."""
    if file.is_dir():
        raise UsageError(f"{file} is a folder, and a file is to be written there\n  Choose another name.")
    if file.exists() and not os.access(file, os.W_OK):
        raise UsageError(f"cannot write {file}: you may not replace it\n  Choose another name.")
    _refuse_unwritable(file)


def _refuse_unwritable(place: Path) -> None:
    target = Path(os.path.realpath(place))
    try:
        folder = next(p for p in target.parents if p.exists())
        sweep(folder, ".*")
        tried = folder / f".breakrank{mark()}"
        tried.mkdir()
        tried.rmdir()
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else str(error)
        raise UsageError(
            f"cannot write {place}: {why}\n  Name a folder where you may write with --out."
        ) from error


Flag = Annotated[bool, Parameter(negative="", show_default=False)]
"""A switch that is off unless given; there is no ``--no-`` form."""

Changes = Annotated[tuple[str, ...], Parameter(name="--set", negative="", show_default=False)]
"""``--set NAME=VALUE``, any number of times."""


def _whole(_: Any, tokens: Sequence[Token]) -> int:  # noqa: ANN401 (cyclopts gives the type asked for)
    """Read a whole number as typed; a fraction is an error, not a number cut short."""
    token = tokens[0]
    text = token.value.strip()
    if not re.fullmatch(r"[+-]?[0-9]+", text):
        option = token.keyword or "a number"
        raise UsageError(f"{option} {token.value}: a whole number is expected, as in {option} 20")
    return int(text)


Whole = Annotated[int, Parameter(converter=_whole)]
"""A whole number."""


Mechanisms = Annotated[
    tuple[str, ...],
    Parameter(
        name="--mechanisms",
        negative="",
        show_default=False,
        help="Add a mechanism that an installed package offers, by its name; `breakrank mechanisms` lists "
        "them. May be given several times.",
    ),
]
"""``--mechanisms NAME``, any number of times."""


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ModelOptions:
    """With what a case is run."""

    mechanisms: Mechanisms = ()
    seed: Annotated[Whole, Parameter(help=SEED)] = 0

    def call(self, command: str, *cases: str, **own: object) -> str:
        """Return the call that makes a result of a command again, its own options first."""
        every = DatedOptions(**vars(self))
        named = {name: getattr(every, name) for name in ("seed", "until", "events", "ensemble", "mechanisms")}
        return call_again(command, *cases, **{**own, **named, "set": every.changes})


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class EventOptions(ModelOptions):
    """With what a case is run, and what happens in it.

    Attributes
    ----------
    events
        A file in the format of events.yaml. Its events are added, or replace events with the same id; in
        compare, of the other case only.
    """

    events: Path | None = None


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class CaseOptions(EventOptions):
    """What is run.

    Attributes
    ----------
    changes
        Set a parameter, as NAME=VALUE, e.g. fear.on=0; in compare, of the other case only. May be given
        several times.
    ensemble
        Where parameters come from: posterior, prior, point or a folder. With posterior, runs are the members
        of the case's ensemble, whose random seeds agree with the observed figures too. A change that acts
        before the last figure leaves members aside: then runs have parameters of the posterior alone. With
        prior, parameters are drawn from the priors; with point, they are the fixed values. A folder is one
        that `breakrank calibrate` left. The default is the posterior, or point in a case without one.
    """

    changes: Changes = ()
    ensemble: str | None = None


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class DatedOptions(CaseOptions):
    """What is run, and how long.

    Attributes
    ----------
    until
        Last day, e.g. 2019-06-30; by default the case's last day.
    """

    until: str | None = None


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """Where runs are made and kept."""

    workers: Annotated[Whole | None, Parameter(help=WORKERS)] = None
    store: Annotated[Path | None, Parameter(help=f"{STORE} By default none is kept.")] = None
    backend: Annotated[str | None, Parameter(help=BACKEND)] = None


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class OutputOptions:
    """What is printed.

    Attributes
    ----------
    json
        Print only one JSON object on standard output.
    quiet
        Print only errors.
    """

    json: Flag = False
    quiet: Flag = False

    @property
    def talks(self) -> bool:
        """Whether tables and sentences are printed."""
        return not (self.json or self.quiet)

    def tell(self, content: Callable[[], object], show: Callable[[], object], *after: str) -> None:
        """Print the JSON, or the tables and the lines after them, which tell where something was saved.

        An output that takes no more does not cost the files that are written next.
        """
        try:
            if self.json:
                say_json(content())
                if not output_taken():
                    say_saved(*after)
            elif not self.quiet:
                show()
                say_saved(*after)
        except BrokenPipeError:
            hush()


DONE: Final = 0
FAILED: Final = 1
"""Some runs failed, or a result could not be written."""
BAD_INPUT: Final = 2
"""The call or a case file has an error."""
INTERRUPTED: Final = 130
"""Stopped by the user; what had finished is saved."""
