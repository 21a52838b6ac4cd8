"""The built-in cases, and loading a case by name or by folder.

Amounts in other money, converted into the currency of the case on reading, at dated rates.
"""

from __future__ import annotations

import datetime as dt
import math
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from breakrank.case.case import Case
from breakrank.case.changes import naming
from breakrank.case.check_fields import (
    check_counterfactuals,
    check_events,
    check_fields,
    check_finite,
    check_finite_fields,
    check_parameters,
    check_series,
)
from breakrank.case.checks import (
    check_command,
    check_evidence,
    check_force,
    check_patterns,
    check_routes,
    check_sites,
    check_targets,
)
from breakrank.case.content import Loaded, Series, read_folder
from breakrank.case.daily import dimension_ids, series_by_cell
from breakrank.case.documents import read_yaml
from breakrank.case.files import read_draws
from breakrank.case.fitting import compared
from breakrank.case.models_base import FORMAT
from breakrank.case.models_events import FieldEntry
from breakrank.case.models_routes import Fund, Rates
from breakrank.case.posterior import ABOUT, FOLDER, REMEDY, Posterior, read_posterior
from breakrank.case.source import Folder
from breakrank.case.tables import CsvRow
from breakrank.case.values import Step
from breakrank.errors import CaseError, FaultyCaseError, Location, UsageError, gathered, nearest
from breakrank.spec import Catalogue

Steps = tuple[Step, ...]


def converted(loaded: Loaded, catalogue: Catalogue) -> Loaded:
    """Return the content with every amount of other money in the currency of the case.

    Each rate holds until the next, whatever the field does in between, so that two amounts in one money keep
    their ratio on every day. A field is converted on each day of its table, on each day with a rate between,
    and, where it runs linearly, on the day before. A site's cost takes the rate of the day on which the site
    opens, or of the first day of the run if it opened before.

    Raises
    ------
    FaultyCaseError
        for days without a rate, and tables that cannot be converted.
    """
    content = loaded.content
    if not content.rates:
        return loaded
    other = {r.id: r for r in content.rates}
    fields, series = dict(content.fields), dict(content.series)
    rows = dict(loaded.series_rows)
    lines = []
    with gathered() as found:
        for name, entry in content.fields.items():
            money = _written_in(entry.unit, other)
            if money is None or name not in catalogue.fields:
                continue
            with found.kept():
                table = _table(loaded, catalogue, name, entry, money)
                file = entry.file or f"{name}-converted.csv"
                unit = content.case.currency + entry.unit[len(money.id) :]
                dims = () if entry.file is None else entry.dims
                fields[name] = entry.model_copy(
                    update={"unit": unit, "file": file, "value": None, "dims": dims}
                )
                rows[file] = table
                series[file] = Series(
                    tuple(r.date("date") for r in table),
                    tuple(tuple(r.cells[d] for d in dims) for r in table),
                    tuple(r.number("value") for r in table),
                )
                values = series[file].values
                lines.append(f"{name}: {entry.unit} into {unit}, {min(values):,.4g} to {max(values):,.4g}")
        payers = list(content.payers)
        for k, payer in enumerate(payers):
            funds = [_fund(loaded, other, f, (k, "funds", j)) for j, f in enumerate(payer.funds or ())]
            if funds:
                payers[k] = payer.model_copy(update={"funds": tuple(funds)})
        sites = []
        for k, site in enumerate(content.sites):
            cost = site.cost_per_person_day
            money = _written_in(cost.unit, other)
            if money is not None:
                day = max(site.opens, content.case.calendar.start)
                path = (k, "cost_per_person_day", "unit")
                value = cost.value / money.at(day, loaded.documents["sites.yaml"].place(*path))
                unit = content.case.currency + cost.unit[len(money.id) :]
                lines.append(f"{site.id}: {cost.value:,g} {cost.unit} = {value:,.4g} {unit} ({day})")
                site = site.model_copy(
                    update={"cost_per_person_day": cost.model_copy(update={"value": value, "unit": unit})}
                )
            sites.append(site)
    changed = replace(content, fields=fields, series=series, payers=tuple(payers), sites=tuple(sites))
    return replace(loaded, content=changed, series_rows=rows, converted=tuple(lines))


def _written_in(unit: str, known: dict[str, Rates]) -> Rates | None:
    return next((m for name, m in known.items() if unit == name or unit.startswith(f"{name} ")), None)


def _fund(loaded: Loaded, known: dict[str, Rates], fund: Fund, path: Steps) -> Fund:
    if fund.currency is None:
        return fund
    document = loaded.documents["payers.yaml"]
    if fund.currency not in known:
        raise document.error(
            (*path, "currency"),
            f"there are no rates of {fund.currency!r}{nearest(fund.currency, known)}",
            f"Add it to rates.yaml, or leave currency out for {loaded.content.case.currency}.",
        )
    rate = known[fund.currency].at(fund.date, document.place(*path, "date"))
    return fund.model_copy(update={"amount": fund.amount / rate, "currency": None})


def _table(
    loaded: Loaded, catalogue: Catalogue, name: str, entry: FieldEntry, money: Rates
) -> tuple[CsvRow, ...]:
    """Return a field's table in the currency of the case, one row for each day and cell."""
    calendar, document = loaded.content.case.calendar, loaded.documents["fields.yaml"]
    place = document.place(name, "value" if entry.file is None else "file")
    assert place.file is not None
    points: dict[tuple[int, ...], dict[int, float]] = {}
    labels: tuple[tuple[str, ...], ...] = ()
    source: tuple[CsvRow, ...] = ()
    if entry.file is None:
        assert entry.value is not None
        points[()] = {calendar.start.toordinal(): entry.value}
    else:
        anything = replace(catalogue.fields[name], low=-math.inf, high=math.inf)
        check_series(loaded, anything, entry, entry.file)
        labels = tuple(dimension_ids(loaded.content)[d] for d in entry.dims)
        points = series_by_cell(loaded.content.series[entry.file], labels)
        source = loaded.series_rows[entry.file]
    linear = entry.interpolate == "linear"
    out: list[CsvRow] = []
    for cell, known in points.items():
        ids = {str(d): x[i] for d, x, i in zip(entry.dims, labels, cell, strict=True)}
        at, levels = sorted(known), [known[d] for d in sorted(known)]
        last = max(at[-1], calendar.end.toordinal())
        new = [d for r in money.rates if at[0] <= (d := r.date.toordinal()) <= last]
        before = [d - 1 for d in new if d > at[0]] if linear else []
        for day in sorted({*at, *new, *before}):
            date = dt.date.fromordinal(day)
            row = _row_behind(source, ids, date)
            where = place if row is None else row.place("date")
            held = levels[int(np.searchsorted(at, day, side="right")) - 1]
            level = float(np.interp(day, at, levels)) if linear else held
            value = level / money.at(date, where)
            assert where.file is not None
            cells = {"date": date.isoformat(), **ids, "value": repr(value)}
            out.append(CsvRow(cells, where.file, where.line or 1))
    return tuple(out)


def _row_behind(rows: tuple[CsvRow, ...], ids: dict[str, str], day: dt.date) -> CsvRow | None:
    """Return the latest row up to a day that says something of a cell."""
    fitting = [
        r for r in rows if r.date("date") <= day and all(r.cells[d] in (name, "*") for d, name in ids.items())
    ]
    return max(fitting, key=lambda r: r.date("date"), default=None)


LIBRARY = Path(__file__).parent / "library"
"""Folder of the built-in cases."""


def list_cases() -> tuple[str, ...]:
    """Return the names of the built-in cases, sorted."""
    if not LIBRARY.is_dir():
        return ()
    return tuple(sorted(p.name for p in LIBRARY.iterdir() if (p / "case.yaml").is_file()))


def case_folder(name_or_path: str | Path) -> Path:
    """Return the folder of a built-in case or of a case of the user's.

    A plain word names a built-in case first; anything with a separator is a path.

    Raises
    ------
    UsageError
        when there is neither; names the nearest built-in case.
    """
    text = os.fspath(name_or_path)
    known = list_cases()
    if text in known:
        return LIBRARY / text
    if text and os.path.exists(text):  # noqa: PTH110 (says no of a name that is too long)
        return Path(text)
    raise UsageError(
        f"there is no built-in case and no folder {text!r}{nearest(text, known)}\n"
        f"  Built-in cases: {', '.join(known) or 'none'}. Or name a folder that holds case.yaml."
    )


@dataclass(frozen=True)
class Opened:
    """A case, its folder, and the documents it was read from."""

    case: Case
    folder: Path
    loaded: Loaded


Known: TypeAlias = Catalogue | Callable[[tuple[str, ...]], Catalogue]
"""What the model reads, or how to find it for a case that names these mechanisms beside the built-in ones."""


def load_case(name_or_path: str | Path, catalogue: Known) -> Case:
    """Load a built-in case by name, or a case from its folder, and check all of it.

    Parameters
    ----------
    name_or_path : one of :func:`list_cases`, or a folder.
    catalogue : the parameters and fields that the model reads, or a function that returns them for the
        mechanisms that the case names.

    Raises
    ------
    UsageError
        when there is no such case.
    CaseError
        for the first thing in it that cannot be used: file, line, key, what was found and what is expected.
    """
    try:
        return open_case(name_or_path, catalogue).case
    except FaultyCaseError as found:
        first = found.errors[0]
    raise first  # not from within: an error and its context that hold each other cannot be sent to a process


def open_case(name_or_path: str | Path, catalogue: Known) -> Opened:
    """Load a case as :func:`load_case` does, keeping its documents for messages.

    Raises
    ------
    UsageError
        when there is no such case.
    FaultyCaseError
        for all in it that cannot be used, as far as it can be told at once: what files say together is
        checked once each can be read.
    """
    folder = case_folder(name_or_path)
    try:
        return _opened(folder, catalogue)
    except FaultyCaseError as found:
        if _said(folder).get("breakrank") != 1:
            raise
        place, remedy = (
            Location(folder / "case.yaml", key="breakrank"),
            f"Call `breakrank case migrate {folder}`.",
        )
        older = CaseError(f"this case is of format 1, and {FORMAT} is the present one", place, remedy)
        raise FaultyCaseError([older, *found.errors]) from None


def _opened(folder: Path, catalogue: Known) -> Opened:
    with gathered() as found:
        known = _likely(folder, catalogue)
        with found.kept():
            loaded = read_folder(folder)
            known = _known(loaded, catalogue)
            loaded = converted(loaded, known)
            _check(loaded, known)
        with found.kept():
            posterior = _posterior(folder, known)
        with found.kept():
            draws = read_draws(folder, known.parameters)
    case = Case(naming(loaded.content, known), known, None, posterior)
    if posterior is not None and (problem := posterior.mistaken(case.id)):
        raise FaultyCaseError([CaseError(problem, Location(folder / FOLDER / ABOUT, key="case"), REMEDY)])
    if posterior is not None and draws is None and folder.parent != LIBRARY:
        case = replace(case, posterior=compared(posterior, case))
    return Opened(case.with_draws(draws), folder, loaded)


def _likely(folder: Path, catalogue: Known) -> Catalogue:
    """Return the model's inputs with the mechanisms that a case names; of a broken case, those known.

    What stands beside the case is checked against it, though the case may be faulty.
    """
    if isinstance(catalogue, Catalogue):
        return catalogue
    try:
        return catalogue(tuple(name for name in _said(folder)["mechanisms"] if ":" not in name))
    except (UsageError, KeyError, TypeError):
        return catalogue(())


def mechanisms_named(folder: Path) -> tuple[str, ...]:
    """Return the mechanisms that a case names itself; none where its case.yaml cannot be read."""
    named = _said(folder).get("mechanisms", ())
    return tuple(str(one) for one in named) if isinstance(named, list) else ()


def _said(folder: Path) -> Mapping[str, Any]:
    """Return what case.yaml says, as far as it can be read."""
    try:
        said = read_yaml(Folder(folder).read("case.yaml"), folder / "case.yaml").data
    except CaseError:
        return {}
    return said if isinstance(said, dict) else {}


def _known(loaded: Loaded, catalogue: Known) -> Catalogue:
    """Return the inputs of the model with the mechanisms that a case names; CaseError for an unknown one.

    What a file says imports no module: beside installed packages that offer mechanisms, it may only name
    what the process has imported already.
    """
    named, document = loaded.content.case.mechanisms, loaded.documents["case.yaml"]
    for k, name in enumerate(named):
        module = name.partition(":")[0]
        if module != name and module not in sys.modules:
            remedy = f"Import {module} first, or install a package that offers it."
            raise document.error(("mechanisms", k), f"the mechanism {name!r} is not installed", remedy)
    try:
        known = catalogue if isinstance(catalogue, Catalogue) else catalogue(named)
    except UsageError as error:
        problem, _, remedy = str(error).partition("\n")
        raise document.error(("mechanisms",), problem, remedy.strip()) from None
    if not set(named) <= set(known.mechanisms):
        raise document.error(("mechanisms",), "this case needs mechanisms that the model does not have")
    return known


def _posterior(folder: Path, catalogue: Catalogue) -> Posterior | None:
    path = folder / FOLDER
    if not os.path.lexists(path):
        return None
    if path.is_symlink() or not path.is_dir():
        raise CaseError(
            "this is a link or a file; the posterior of a case is a folder",
            Location(path),
            "Copy the folder into the case, or take it away.",
        )
    return read_posterior(path, catalogue)


def _check(loaded: Loaded, catalogue: Catalogue) -> None:
    """Check a case as a whole; FaultyCaseError as :func:`open_case`."""
    content, documents = loaded.content, loaded.documents
    events, asked = documents["events.yaml"], documents["counterfactuals.yaml"]
    checks: tuple[Callable[[], None], ...] = (
        lambda: check_force(loaded, catalogue),
        lambda: check_command(loaded),
        lambda: check_routes(loaded),
        lambda: check_sites(loaded),
        lambda: check_evidence(loaded),
        lambda: check_fields(loaded, catalogue),
        lambda: check_events(content.events, events, content, catalogue),
        lambda: check_parameters(loaded, catalogue),
        lambda: check_targets(loaded, catalogue),
        lambda: check_patterns(loaded, catalogue),
        lambda: check_counterfactuals(content.counterfactuals, asked, content, catalogue),
    )
    with gathered() as found:
        for check in checks:
            with found.kept():
                check()
    with gathered() as found:
        with found.kept():
            check_finite(content.events, events, content, catalogue)
        check_finite_fields(content.counterfactuals, asked, content, catalogue)
