"""Cases checked against the model as assembled: the public way to load, check, list and make them."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Literal, NamedTuple

from breakrank import case, plugins
from breakrank.case.changes import with_catalogue
from breakrank.case.country import country as found_country
from breakrank.case.dates import DateLike, as_date
from breakrank.case.draws import ENSEMBLE
from breakrank.case.ensemble import ensemble_folder, with_members
from breakrank.case.library import LIBRARY, case_folder, mechanisms_named, open_case
from breakrank.case.warnings import strange
from breakrank.errors import FaultyCaseError, UsageError
from breakrank.literature import Work, cited
from breakrank.runs import carried
from breakrank.runs.carried import national

if TYPE_CHECKING:
    from breakrank.case import Case, Warning_
    from breakrank.case.migration import Migration
    from breakrank.engine.mechanism import Mechanism
    from breakrank.model import Named as Mechanisms
    from breakrank.spec import Parameter

Ensemble = Literal["posterior", "prior", "point"]
"""Where the parameters of runs come from; a folder may be named instead."""


def list_cases() -> tuple[str, ...]:
    """Return the names of the built-in cases, sorted."""
    return case.list_cases()


def load_case(
    name_or_path: str | Path,
    ensemble: Ensemble | str | os.PathLike[str] | None = None,
    mechanisms: Mechanisms = (),
) -> Case:
    """Load a built-in case by name, or a case from its folder, and check all of it against the model.

    Parameters
    ----------
    name_or_path : one of :func:`list_cases`, or a folder.
    ensemble : ``"posterior"``: its runs are the members of the posterior ensemble that comes with it, or have
        parameters of its posterior; ``"prior"``: parameters drawn from the priors; ``"point"``: the fixed
        values; or the folder of an ensemble, a calibration or a posterior. By default the posterior, or the
        fixed values of a case without one. Mechanisms that are added leave its members aside.
    mechanisms : more mechanisms beside the model's own and those that the case names: names under which
        installed packages offer them, or classes of a module that can be imported.

    Raises
    ------
    UsageError
        when there is no such case, mechanism or folder, or no posterior comes with it and it is asked for.
    CaseError
        for the first thing in it that cannot be used: file, line, key, what was found and what is expected.
    BreakrankError
        for an ensemble that cannot be used.
    """
    if not isinstance(name_or_path, str | os.PathLike):
        raise UsageError(f"a case is named, or its folder: not a {type(name_or_path).__name__}")
    if not isinstance(ensemble, str | os.PathLike | None):
        raise UsageError(f"an ensemble is named, or its folder: not a {type(ensemble).__name__}")
    folder = members_folder(name_or_path, ensemble, mechanisms)
    if folder is None:
        return at_large(name_or_path, ensemble, mechanisms)
    return with_members(at_large(name_or_path, "point", mechanisms), folder)


def members_folder(
    name_or_path: str | Path,
    ensemble: Ensemble | str | os.PathLike[str] | None = None,
    mechanisms: Mechanisms = (),
) -> Path | None:
    """Return the folder of the members that an ensemble of a case has; ``None`` where it has none.

    It is that which comes with the case, unless mechanisms are added that it does not name itself, or the one
    that is named.
    """
    if ensemble in ("prior", "point"):
        return None
    if ensemble in (None, "posterior"):
        own = case_folder(name_or_path)
        names = {one if isinstance(one, str) else plugins.name_of(one) for one in mechanisms}
        added = names.difference(mechanisms_named(own))
        return own / ENSEMBLE if (own / ENSEMBLE).is_dir() and not added else None
    assert ensemble is not None
    return ensemble_folder(Path(ensemble))


def is_built_in(name_or_path: str | Path) -> bool:
    """Return whether a case comes with the package."""
    return case_folder(name_or_path).parent == LIBRARY


def lived_under(case: Case) -> Literal["members", "posterior", "point"]:
    """Return the kind of a case's runs: members of an ensemble, or runs under draws or fixed values."""
    if case.draws is None:
        return "point"
    return "posterior" if case.draws.luck is None else "members"


def at_large(
    name_or_path: str | Path,
    ensemble: Ensemble | str | os.PathLike[str] | None = None,
    mechanisms: Mechanisms = (),
) -> Case:
    """Load a case as :func:`load_case` does, with parameters of an ensemble and random numbers of its own."""
    from breakrank import case, model

    more = model.assembly(mechanisms).added
    loaded = case.load_case(name_or_path, lambda named: model.catalogue((*named, *more)))
    if ensemble is None and (loaded.draws is not None or loaded.posterior is None):
        return loaded
    return loaded.with_ensemble("posterior" if ensemble is None else ensemble)


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
    from breakrank import __version__, model

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
    """Return the description of a mechanism, in Markdown.

    Raises
    ------
    UsageError
        where it is none of the model and no installed package offers it.
    """
    from breakrank import model

    own = {kind.name: kind for kind in model.MECHANISMS}
    (kind,) = (own[mechanism],) if mechanism in own else model.assembly([mechanism]).others
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


def migrated_case(folder: Path) -> Migration:
    """Return a case folder as the present format has it; nothing is written.

    Raises
    ------
    FaultyCaseError
        for what is wrong in files that nothing can be left out of.
    """
    from breakrank import model
    from breakrank.case.migration import migrated
    from breakrank.plugins import OPTIONAL

    return migrated(folder, model.catalogue(tuple(OPTIONAL)), check_case)


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
    folder: str | Path,
    origin: str | Path | None = None,
    *,
    fitted: bool = True,
    country: str = "",
    days: tuple[DateLike, DateLike] | None = None,
    full: bool = False,
) -> Path:
    """Write a commented template of a case that runs into a new or empty folder, and return that folder.

    Parameters
    ----------
    folder : a new or empty folder.
    origin : the case that passes on its psychological values and priors, to stand beside national ones with
        wide priors. Nothing national is taken from it. By default parameters are as in the package, and in a
        full template those of Venezuela 2019.
    fitted : as its posterior leaves them; otherwise as they were before any fit.
    country : a country (two letters of ISO 3166-1, or its English name) whose states, roads and crossings are
        written from open geodata; by default a made-up one.
    days : first and last day of the calendar.
    full : whether to write every file and field, and not only those that every case has.

    Raises
    ------
    UsageError
        for a folder whose name is no id of a case, or that is not empty, and for a country that is not known.
    """
    from breakrank import case, model

    whose = found_country(country) if country else None
    span = None if days is None else (as_date(days[0], "the first day"), as_date(days[1], "the last day"))
    if span is not None and span[1] < span[0]:
        raise UsageError(f"the calendar would end ({span[1]}) before it starts ({span[0]})")
    if origin is None and not full:
        return case.new_case(folder, model.catalogue(), whose, span, short=True)
    entries = carried.carried(load_case(origin or PASSES_ON, "point"), fitted=fitted)
    known = model.catalogue()
    made = case.new_case(folder, known, whose, span, short=not full)
    taken = load_case(made, "point").parameters
    more = {n: e for n, e in entries.items() if n in taken}
    built_in = {name: load_case(name, "point") for name in list_cases()}
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
    taken = load_case(target, "point").catalogue.parameters
    entries = carried.carried(load_case(origin, "point"), fitted=fitted)
    return carried.carry(target, {name: entry for name, entry in entries.items() if name in taken})


CHOICE, FORCE = "choice", "force"
"""What the rule by which soldiers choose, and their ties, are called; they belong to no mechanism."""
INFERENCE = Path(__file__).parents[1] / "inference"
"""The package that makes ensembles."""


def works_of_model(case: Case) -> Mapping[str, tuple[Work, ...]]:
    """Return the works behind each mechanism that is on, behind the force, and behind the choice of soldiers.

    They are those that the mechanism's own module cites, the modules that it takes functions and tables from,
    and its parameters. A mechanism that cites none has none.
    """
    from breakrank.engine import weighing
    from breakrank.force.establishment import PARAMETERS
    from breakrank.model import assembly

    kinds = assembly(case.mechanisms).mechanisms
    found = {CHOICE: cited(inspect.getsource(weighing)), FORCE: cited(*_said_of(PARAMETERS))}
    for kind in kinds:
        switch = f"{kind.name}.on"
        if switch not in case.catalogue.parameters or case.value(switch) >= 0.5:
            texts = (inspect.getsource(module) for module in _modules(kind, kinds))
            found[kind.name] = cited(*texts, *_said_of(kind.parameters))
    return found


def works_of_inference() -> tuple[Work, ...]:
    """Return the works whose methods make a calibration and a posterior ensemble."""
    return cited(*(path.read_text(encoding="utf-8") for path in sorted(INFERENCE.glob("*.py"))))


def _said_of(parameters: Iterable[Parameter]) -> Iterator[str]:
    for parameter in parameters:
        yield f"{parameter.theory}. {parameter.assumed}"


def _modules(kind: type[Mechanism], kinds: Sequence[type[Mechanism]]) -> Iterator[ModuleType]:
    """Yield the module of a mechanism, and those that it takes from which belong to no other mechanism."""
    own = sys.modules[kind.__module__]
    others = {other.__module__ for other in kinds}
    names = (getattr(getattr(value, "py_func", value), "__module__", "") for value in vars(own).values())
    yield own
    for name in dict.fromkeys(names):
        if isinstance(name, str) and name.startswith("breakrank.mechanisms.") and name not in others:
            yield sys.modules[name]
