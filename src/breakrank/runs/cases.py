"""Cases checked against the model as assembled: the public way to load, check, list and make them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from breakrank import case
from breakrank.case.changes import with_catalogue
from breakrank.case.country import country as found_country
from breakrank.case.draws import FOLDER
from breakrank.case.library import LIBRARY, case_folder, open_case
from breakrank.case.warnings import strange
from breakrank.case.worlds import load_worlds
from breakrank.errors import FaultyCaseError, UsageError
from breakrank.runs import carried
from breakrank.runs.national import national

if TYPE_CHECKING:
    from breakrank.case import Case, Warning_
    from breakrank.model import Named as Mechanisms

Parameters = Literal["worlds", "posterior", "values"]
"""What the runs of a case live under."""


def list_cases() -> tuple[str, ...]:
    """Return the names of the built-in cases, sorted."""
    return case.list_cases()


def load_case(
    name_or_path: str | Path, parameters: Parameters | None = None, mechanisms: Mechanisms = ()
) -> Case:
    """Load a built-in case by name, or a case from its folder, and check all of it against the model.

    Parameters
    ----------
    name_or_path : one of :func:`list_cases`, or a folder.
    parameters : ``"worlds"``, so that its runs are the worlds that come with it, which agree with its record;
        ``"posterior"``, so that they live under the draws of the posterior that comes with it; or
        ``"values"``, under the parameters' values. By default the first of these that it has. Mechanisms that
        are added leave the worlds aside, which were found without them.
    mechanisms : more mechanisms beside the model's own and those that the case names: names under which
        installed packages offer them, or classes of a module that can be imported.

    Raises
    ------
    UsageError
        when there is no such case or mechanism, or it has no worlds or posterior and they are asked for.
    CaseError
        for the first thing in it that cannot be used: file, line, key, what was found and what is expected.
    BreakrankError
        for worlds that cannot be used.
    """
    if not isinstance(name_or_path, str | os.PathLike):
        raise UsageError(f"a case is named, or its folder: not a {type(name_or_path).__name__}")
    if parameters not in (None, *get_args(Parameters)):
        known = ", ".join(repr(one) for one in get_args(Parameters))
        raise UsageError(f"parameters must be one of {known}, not {parameters!r}")
    folder = worlds_of(name_or_path, mechanisms)
    if parameters == "worlds" and folder is None:
        added = " with mechanisms added" if mechanisms else ""
        raise UsageError(f"{name_or_path}{added} comes with no worlds; ask for its posterior or its values")
    under = None if parameters == "worlds" else parameters
    if under is not None or folder is None:
        return at_large(name_or_path, under, mechanisms)
    plain = at_large(name_or_path, "values")
    return plain if plain.draws is not None else load_worlds(folder, plain).of(plain)


def worlds_of(name_or_path: str | Path, mechanisms: Mechanisms = ()) -> Path | None:
    """Return the folder of the worlds that come with a case; ``None`` where mechanisms are added."""
    folder = case_folder(name_or_path) / FOLDER
    return folder if folder.is_dir() and not mechanisms else None


def is_built_in(name_or_path: str | Path) -> bool:
    """Return whether a case comes with the package."""
    return case_folder(name_or_path).parent == LIBRARY


def lived_under(case: Case) -> Parameters:
    """Return what the runs of a case live under."""
    if case.draws is None:
        return "values"
    return "posterior" if case.draws.luck is None else "worlds"


def at_large(
    name_or_path: str | Path,
    parameters: Literal["posterior", "values"] | None = None,
    mechanisms: Mechanisms = (),
) -> Case:
    """Load a case as :func:`load_case` does, and leave the worlds that come with it aside."""
    from breakrank import case, model

    more = model.assembly(mechanisms).added
    loaded = case.load_case(name_or_path, lambda named: model.catalogue((*named, *more)))
    if loaded.draws is not None or parameters == "values":
        return loaded
    if parameters is None and loaded.posterior is None:
        return loaded
    return loaded.with_posterior()


def as_case(case: Case | str | os.PathLike[str], mechanisms: Mechanisms = ()) -> Case:
    """Return a case, loaded by :func:`load_case` where it is a name or folder, with more mechanisms added.

    UsageError for anything that is neither.
    """
    if isinstance(case, str | os.PathLike):
        return load_case(Path(case) if isinstance(case, os.PathLike) else case, mechanisms=mechanisms)
    if not hasattr(case, "calendar"):
        raise UsageError(
            f"a case, its name or its folder is expected, not a {type(case).__name__}\n"
            "  The case of a result is result.case; one with other values is case.set({...})."
        )
    if not mechanisms:
        return case
    from breakrank import model

    return with_catalogue(case, model.catalogue((*case.mechanisms, *model.assembly(mechanisms).added)))


class Offered(NamedTuple):
    """A mechanism that an installed package offers."""

    name: str
    package: str
    version: str
    about: str
    citation: str


def list_mechanisms() -> tuple[Offered, ...]:
    """Return the mechanisms that may be added: Breakrank's own, then those of installed packages.

    Raises
    ------
    UsageError
        for one that cannot be added to the model, with the reason.
    """
    from breakrank import __version__, model, plugins

    found = []
    for name in plugins.offered():
        (kind,) = model.assembly([name]).others
        dist = plugins.distribution(name)
        about = (kind.__doc__ or "").strip().splitlines()[0]
        package, version = ("", "") if dist is None else (dist.name, dist.version)
        if name in plugins.OPTIONAL:
            package, version = "breakrank", __version__
        found.append(Offered(name, package, version, about, kind.citation))
    return tuple(found)


def described(mechanism: str) -> str:
    """Return what a mechanism is, in Markdown, as the description of the model has it.

    Raises
    ------
    UsageError
        where no installed package offers it.
    """
    from breakrank import model

    (kind,) = model.assembly([mechanism]).others
    typical = ", ".join(f"`{p.name}` {p.typical:g}" for p in kind.parameters)
    return f"{kind.described()}\n\nTypical values, where a case names none: {typical}."


def check_case(path: str | Path, mechanisms: Mechanisms = ()) -> list[Warning_]:
    """Check a case folder and return what is strange in it: file, line, text and remedy of each.

    Raises
    ------
    UsageError
        when there is no such case.
    FaultyCaseError
        (a CaseError) for a case that cannot be run, with all that is wrong in ``errors``.
    """
    from breakrank import model

    more = model.assembly(mechanisms).added
    opened = open_case(path, lambda named: model.catalogue((*named, *more)))
    if not opened.case.crossings and opened.case.value("routes.on"):
        routes = opened.loaded.documents["routes.yaml"]
        remedy = "Write at least one, or routes.on with the value 0 in parameters.yaml."
        raise FaultyCaseError([routes.error(("crossings",), "there is no route out of the country", remedy)])
    return strange(opened)


def converted_amounts(path: str | Path) -> tuple[str, ...]:
    """Return a line for each amount of a case that was written in other money: what it is in the case's.

    Raises
    ------
    UsageError, FaultyCaseError
        as :func:`check_case`.
    """
    from breakrank import model

    return open_case(path, model.catalogue).loaded.converted


PASSES_ON = "venezuela-2019"
"""The case whose psychological values a new case starts from."""


def new_case(
    folder: str | Path, origin: str | Path = PASSES_ON, *, fitted: bool = True, country: str = ""
) -> Path:
    """Write a commented template of a case that runs into a new or empty folder, and return that folder.

    Parameters
    ----------
    folder : a new or empty folder.
    origin : the case that passes on its psychological values and priors. Nothing national is taken from it.
    fitted : as its posterior leaves them; otherwise as they were before any fit.
    country : a country (two letters of ISO 3166-1, or its English name) whose states, roads and crossings are
        written from open geodata; by default a made-up one.

    Raises
    ------
    UsageError
        for a folder whose name is no id of a case, or that is not empty, and for a country that is not known.
    """
    from breakrank import case, model

    entries = carried.carried(load_case(origin, "values"), fitted=fitted)
    known = model.catalogue()
    made = case.new_case(folder, known, found_country(country) if country else None)
    taken = load_case(made, "values").parameters
    more = {n: e for n, e in entries.items() if n in taken}
    built_in = {name: load_case(name, "values") for name in list_cases()}
    passes_on = built_in.pop(PASSES_ON)
    carried.carry(made, {**more, **national(known, passes_on, tuple(built_in.values()))})
    return made


def carry(folder: str | Path, origin: str | Path = PASSES_ON, *, fitted: bool = True) -> tuple[str, ...]:
    """Write the psychological values and priors of one case into another; return the parameters that changed.

    Parameters
    ----------
    folder : the folder of the case that takes them; the rest of it stays as it is.
    origin, fitted : as for :func:`new_case`.

    Raises
    ------
    UsageError
        for a case that does not exist, or comes with the package.
    CaseError
        for a case that cannot be used.
    """
    target = case_folder(folder)
    if is_built_in(target):
        raise UsageError(f"{folder} comes with the package; name the folder of a case of yours")
    taken = load_case(target, "values").catalogue.parameters
    entries = carried.carried(load_case(origin, "values"), fitted=fitted)
    return carried.carry(target, {name: entry for name, entry in entries.items() if name in taken})
