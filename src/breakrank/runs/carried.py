"""What travels from one case into another: psychological values with their priors."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from breakrank.case.case import Case
from breakrank.case.fitting import fits
from breakrank.case.models_parameters import SHAPES, PriorEntry
from breakrank.case.prior import Prior
from breakrank.case.values import resolve
from breakrank.case.write import with_entry
from breakrank.errors import UsageError
from breakrank.runs.wide import rounded, wide
from breakrank.spec import Parameter

Entry = dict[str, Any]
"""An entry of parameters.yaml as plain values."""
UNPROVEN = (
    "That psychological values travel is assumed: in none of the four built-in cases did those of the three "
    "others forecast better than the case's own prior."
)
"""What is said wherever psychological values of another case are taken."""


def carried(origin: Case, *, fitted: bool = True) -> dict[str, Entry]:
    """Return the psychological entries that a case passes on.

    Parameters
    ----------
    origin : the case they come from.
    fitted : as its posterior leaves them: the median of the draws, and of its prior and a normal and a
        lognormal distribution the one nearest to them (Kolmogorov's distance). Otherwise, or where the case
        has no posterior of its present priors and record, as they were before. What the origin leaves out (0,
        without a prior) has the model's typical value.
    """
    posterior = origin.posterior
    draws = posterior.draws if fitted and posterior is not None and fits(posterior, origin) else None
    out: dict[str, Entry] = {}
    for name, declared in origin.catalogue.parameters.items():
        if declared.scope != "psychological":
            continue
        mine = origin.parameters[name]
        if mine.value == 0 and mine.prior is None and declared.typical:
            out[name] = _typical(declared, origin)
            continue
        value, prior, how = mine.value, mine.prior, "as it was before any fit to a record"
        if draws is not None and name in draws.names and prior is not None:
            column = draws.values[:, draws.names.index(name)]
            value, prior = float(np.clip(np.median(column), mine.low, mine.high)), _nearest(column, prior)
            how = "as its posterior leaves it"
        entry: Entry = {"value": rounded(value)}
        if prior is not None:
            entry["prior"] = _plain(prior)
        entry |= {"unit": mine.unit, "range": [mine.low, mine.high]}
        entry["assumed"] = f"Psychological; carried over from {origin.title}, {how}."
        out[name] = entry
    return out


def _typical(declared: Parameter, origin: Case) -> Entry:
    """Return the entry of what the origin knows nothing of."""
    entry: Entry = {"value": declared.typical}
    prior = wide(declared, declared.typical)
    entry |= {} if prior is None else {"prior": prior}
    entry |= {"unit": declared.unit, "range": [declared.low, declared.high]}
    return entry | {"assumed": f"Psychological; typical value of the model, as {origin.title} leaves it out."}


def carry(folder: Path, entries: Mapping[str, Entry]) -> tuple[str, ...]:
    """Write entries over those of the same name in a folder's parameters.yaml; return the names that changed.

    Everything else in the file stays as it is, comments too.

    Raises
    ------
    UsageError
        when the file cannot be written.
    """
    path = folder / "parameters.yaml"
    text = path.read_text(encoding="utf-8-sig") if path.exists() else ""
    changed = []
    for name, entry in entries.items():
        new = with_entry(text, name, entry_lines(name, entry))
        if new != text:
            changed.append(name)
        text = new
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}") from error
    finally:
        draft.unlink(missing_ok=True)
    return tuple(changed)


def entry_lines(name: str, entry: Entry) -> str:
    """Return an entry of parameters.yaml as its lines."""
    lines = [f"{name}:" if resolve(name) == name else f"{json.dumps(name)}:"]
    for key, value in entry.items():
        if isinstance(value, dict):
            shown = "{" + ", ".join(f"{k}: {number(v)}" for k, v in value.items()) + "}"
        elif isinstance(value, list):
            shown = f"[{', '.join(map(number, value))}]"
        else:
            shown = number(value) if isinstance(value, int | float) else json.dumps(value, ensure_ascii=False)
        lines.append(f"  {key}: {shown}")
    return "\n".join(lines) + "\n"


def number(value: object) -> str:
    """Return a number as a case file writes it; other things as they are."""
    if not isinstance(value, int | float):
        return str(value)
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(float(value))


def _nearest(column: NDArray[np.float64], prior: Prior) -> Prior:
    """Return of some distributions the one whose probabilities are nearest to a sample's."""
    low, high = prior.low, prior.high
    found = [prior]
    sd = float(column.std())
    if sd > 0:
        found.append(Prior("normal", (rounded(float(column.mean())), rounded(sd)), low, high))
        if column.min() > 0:
            logs = np.log(column)
            numbers = (rounded(float(np.exp(logs.mean()))), rounded(min(float(logs.std()), 10.0)))
            found.append(Prior("lognormal", numbers, low, high))
    rows = np.sort(column)
    steps = np.arange(len(rows) + 1) / len(rows)

    def off(one: Prior) -> float:
        below = np.array([one.cdf(float(x)) for x in rows])
        return float(max(np.abs(below - steps[:-1]).max(), np.abs(below - steps[1:]).max()))

    return min(found, key=off)


def _plain(prior: Prior) -> dict[str, Any]:
    named = dict(zip(SHAPES[prior.distribution], prior.numbers, strict=True))
    PriorEntry.model_validate({"distribution": prior.distribution, **named})
    return {"distribution": prior.distribution, **named}
