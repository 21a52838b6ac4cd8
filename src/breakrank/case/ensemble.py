"""The posterior ensemble of a case: members with parameters and a random seed path, kept as small text.

::

    members.csv    a row a member, all of one weight: its number, its draw of parameters, its seed path, and a
                   hash of what it counts by the observed figures, which whoever runs it again finds again
    draws.csv      a row a draw; a column a parameter
    about.yaml     what was assimilated, how well each figure is met, what it took, and at its end a SHA-256
                   of what stands before and of the other two

The free parameters of a case are those that a calibration moves, in z-space, in which their prior is
standard normal: z is the standard normal quantile of the distribution function of the prior, so that whatever
is done to z, a value stays within the range of its prior. Every draw is a pure function of seed, round,
number and the name that the parameter was first declared with, so that a parameter that is added or taken
away moves no draw of another.
"""

from __future__ import annotations

import csv
import datetime as dt
import hashlib
import io
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from breakrank.case.changes import C, with_draws
from breakrank.case.documents import read_yaml
from breakrank.case.draws import ENSEMBLE, MEMBERS, Draws, Luck, LuckPath, checked
from breakrank.case.files import table_text, to_yaml, write_folder
from breakrank.case.models_parameters import STRENGTH
from breakrank.case.posterior import FOLDER, SEAL, Posterior, read_posterior, seal
from breakrank.case.prior import Array, Prior, normal_below, normal_quantiles
from breakrank.draws import decision, luck_key, uniform_each
from breakrank.errors import BreakrankError, UsageError, nearest
from breakrank.old_names import first_name
from breakrank.wording import listed

if TYPE_CHECKING:
    from breakrank.case.case_data import CaseData


def drawable(case: CaseData) -> dict[str, Prior]:
    """Return the priors of the parameters that can be drawn: all with a prior that is no single value.

    What was set by hand is not drawn.
    """
    return {
        name: p.prior
        for name, p in case.parameters.items()
        if p.prior is not None and p.low < p.high and name != STRENGTH and name not in case.by_hand
    }


@dataclass(frozen=True)
class Free:
    """The parameters that a calibration may move: `names` and `priors`, in the order of the model."""

    names: tuple[str, ...]
    priors: tuple[Prior, ...]

    @classmethod
    def of(cls, case: CaseData, fixed: Collection[str] = ()) -> Free:
        """Return every parameter of a case that has a prior, but those `fixed` at the case's value.

        Raises
        ------
        UsageError
            for a name that is no parameter, or if none is left.
        """
        for name in fixed:
            if name not in case.parameters:
                raise UsageError(f"there is no parameter {name!r}{nearest(name, case.parameters)}")
        found = {name: prior for name, prior in drawable(case).items() if name not in fixed}
        if not found:
            raise UsageError(
                f"{case.id} gives no parameter a prior, so there is nothing to calibrate\n"
                "  Write a prior for what is not known, e.g. prior: {distribution: uniform, low: 0, high: 1}."
            )
        return cls(tuple(found), tuple(found.values()))

    def values(self, z: Array) -> Array:
        """Return parameter values (n, p) of points in z-space (n, p)."""
        u = normal_below(z)
        return np.stack([prior.quantile(u[:, k]) for k, prior in enumerate(self.priors)], axis=1)

    def drawn(self, seed: int, what: str, numbers: NDArray[np.int64]) -> Array:
        """Return standard normal draws (n, p) of these whole numbers (n,), one for each parameter.

        Parameters
        ----------
        what : names the purpose, e.g. ``"prior"``; other purposes are other draws.
        """
        key = luck_key(seed, f"calibrate.{what}")
        who = np.asarray(numbers).astype(np.uint32)
        when = np.zeros(len(who), np.int64)
        u = [uniform_each(key, int(decision(first_name(name))), who, when) for name in self.names]
        return normal_quantiles(np.stack(u, axis=1))

    @cached_property
    def digest(self) -> str:
        """SHA-256 (hexadecimal) of the names and priors."""
        told = [
            [n, p.distribution, *p.numbers, p.low, p.high]
            for n, p in zip(self.names, self.priors, strict=True)
        ]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()

    def __len__(self) -> int:
        return len(self.names)


def purpose(name: str) -> int:
    """Return the code of a purpose within a key of its own: such names are short, and clash with no other."""
    return int(decision(name))


def with_later_events(draws: Draws, case: CaseData) -> Draws:
    """Return members with draws of what events of a case do that came after their last observed figure.

    Each member has its own, the same whenever it goes on; what it draws already stays.
    """
    luck = draws.luck
    assert luck is not None
    later = {n for n, f in case.forcing.items() if case.content.events[f.event].date > luck.until}
    priors = {n: p for n, p in drawable(case).items() if n in later and n not in draws.names}
    if not priors:
        return draws
    free = Free(tuple(priors), tuple(priors.values()))
    z = free.drawn(luck.seed, "later events", np.arange(len(draws)))
    values = np.concatenate([draws.values, as_written(free.values(z), free.names, case)], axis=1)
    return Draws((*draws.names, *free.names), values, draws.each, draws.shuffled, luck)


def as_written(values: Array, names: tuple[str, ...], case: CaseData) -> Array:
    """Return values of parameters (n, p) with six digits, as in a table, and within what is allowed."""
    told = np.array([[float(f"{x:.6g}") for x in row] for row in values.tolist()]).reshape(values.shape)
    declared = [case.declared[name] for name in names]
    return np.asarray(np.clip(told, [p.low for p in declared], [p.high for p in declared]))


DRAWS, ABOUT = "draws.csv", "about.yaml"
LEFT_BY = "Name a folder that `breakrank calibrate` or `breakrank forecast` left with --out."
PRIOR_DRAWS = 1000
"""Draws of the priors that runs with the ensemble prior have."""
OF_MEMBERS = "members_doubt"
"""Where the posterior of a case whose runs are members says what is doubtful of these, and own counts."""
ENOUGH = 40
"""Effective sample size from which no doubt is said: two lie beyond each end of a 90% interval."""


@dataclass(frozen=True, eq=False)
class PosteriorEnsemble:
    """Runs whose parameters and random numbers agree with observed figures.

    Attributes
    ----------
    draws : parameters, with seed paths.
    about : what was assimilated and what came of it, as in about.yaml.
    counted : of each member, a hash of what it counts by the figures it assimilated.
    """

    draws: Draws
    about: Mapping[str, Any]
    counted: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.draws)

    @property
    def figures(self) -> list[dict[str, Any]]:
        """What was assimilated, a row a figure."""
        return list(self.about["figures"])

    @property
    def doubt(self) -> str:
        """Why its intervals are not exact, in words; empty if there is no sign of it."""
        about, words = self.about, []
        if not self.figures:
            words.append(
                f"Nothing had been published by {about['as_of']}: these are draws from the prior, and no "
                "figure informs them."
            )
        if about["failed"]:
            words.append(f"{about['failed']} of {about['filtered']:,} filters failed, and are left out.")
        if about["tempering"] < 1:
            words.append(
                f"The effective sample size is {about['ess_untempered']:.1f} of {about['filtered']:,} "
                f"filtered draws, so the likelihood is tempered to a power of {about['tempering']:.2f}."
            )
        return " ".join([*words, *self.narrow])

    @property
    def narrow(self) -> tuple[str, ...]:
        """By how much intervals are too narrow, in a sentence; empty where they are not."""
        about = self.about
        if about["ess"] >= ENOUGH:
            return ()
        return (
            f"The effective sample size of the {about['members']:,} members is {about['ess']:.0f}, so "
            f"intervals are too narrow: those of 90% would hold {coverage(about['ess']):.0%}. Make "
            "more: --members of `calibrate` and `forecast`.",
        )

    def of(self, case: C) -> C:
        """Return a case whose runs are the members, and go on from them with random numbers of their own.

        What later events do is drawn for each member, where it has a prior.

        Raises
        ------
        UsageError
            if it is the ensemble of another case or force.
        """
        about = self.about
        if (case.id, case.force.strength) != (about["case"], about["strength"]):
            raise UsageError(
                f"this is the ensemble of {about['case']} with {about['strength']:,} soldiers, and {case.id} "
                f"has {case.force.strength:,}"
            )
        own = [row["id"] for row in self.figures if row["id"] not in case.targets.ids]
        said = [f"The ensemble rests on figures that the case lacks too: {listed(own)}."] if own else []
        said += [self.doubt] if self.doubt else []
        if said and case.posterior is not None:
            about = {**case.posterior.about, OF_MEMBERS: said}
            case = replace(case, posterior=replace(case.posterior, about=about))
        return with_draws(case, with_later_events(self.draws, case))

    @property
    def parameters(self) -> Posterior | None:
        """The parameters of the members as a posterior: without their seed paths; ``None`` without any."""
        if not self.draws.names:
            return None
        about = {"case": self.about["case"], "as_of": self.about["as_of"]}
        return Posterior(
            replace(self.draws, luck=None), {**about, "made": {"model": self.about.get("model", "")}}
        )

    def files(self) -> dict[str, str]:
        """Return the text of its files by name."""
        luck = self.draws.luck
        assert luck is not None
        numbers = numbers_of(self.draws).tolist()
        rows = dict(zip(numbers, self.draws.values.tolist(), strict=True))
        every = zip(numbers, luck.paths, self.counted, strict=True)
        members = table_text(
            ("member", "draw", "path", "counted"),
            ([k, number, str(path), code] for k, (number, path, code) in enumerate(every)),
        )
        draws = table_text(self.draws.names, ([f"{x:.6g}" for x in row] for row in rows.values()))
        about = to_yaml(dict(self.about))
        return {MEMBERS: members, DRAWS: draws, ABOUT: f"{about}{SEAL}{seal(about, members, draws)}\n"}

    def save(self, folder: Path) -> Path:
        """Write it into a new or empty folder and return it; UsageError if that cannot be."""
        return write_folder(folder, self.files())


def ensemble_folder(named: Path) -> Path | None:
    """Return the folder of the ensemble that a folder is or holds; ``None`` where there is none.

    It is one as well where a file is lost: then it is refused, and not read as a posterior of its draws.
    """
    if (named / ENSEMBLE).is_dir():
        return named / ENSEMBLE
    if (named / MEMBERS).exists():
        return named
    try:
        members = "\nseed_paths: " in (named / ABOUT).read_text("utf-8")  # a posterior has none
    except (OSError, ValueError):
        return None
    return named if members else None


def load_ensemble(folder: str | PathLike[str], case: CaseData) -> PosteriorEnsemble:
    """Return the ensemble in a folder; ``load_ensemble(folder, case).of(case)`` has its members as runs.

    Parameters
    ----------
    folder : that :meth:`PosteriorEnsemble.save` or `breakrank calibrate` left.
    case : whose ensemble it is.

    Raises
    ------
    UsageError
        when there is no such folder, or a file is missing.
    BreakrankError
        for a file that cannot be used.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise UsageError(f"there is no folder {folder}\n  {LEFT_BY}")
    folder = ensemble_folder(folder) or folder
    try:
        whole, members, text = ((folder / name).read_text("utf-8") for name in (ABOUT, MEMBERS, DRAWS))
        about, found, sealed = whole.partition(f"\n{SEAL}")
        if not found or sealed.strip() != seal(f"{about}\n", members, text):
            raise ValueError("they are not what was written (their checksum differs)")
        about = read_yaml(about, folder / ABOUT).data
        names, *values = csv.reader(io.StringIO(text))
        _, *rows = csv.reader(io.StringIO(members))
        table = np.array([[float(cell) for cell in row] for row in values])
        luck = Luck(
            int(about["seed_paths"]),
            tuple(LuckPath.read(path) for *_, path, _ in rows),
            dt.date.fromisoformat(str(about["as_of"])),
            bool(about["figures"]),
            str(about.get("model", "")),
        )
        numbers = [int(draw) for _, draw, *_ in rows]
        if min(numbers, default=0) < 0:
            raise ValueError("a member has no draw before the first")
        taken = table[numbers]
        about["strength"] = int(about["strength"])
        draws = checked(Draws(tuple(names), taken, 1, True, luck), case.declared)
        return PosteriorEnsemble(draws, about, tuple(code for *_, code in rows))
    except FileNotFoundError as error:
        lacks = f"{folder} holds no ensemble: it has no {Path(error.filename).name}"
        remedy = f"{LEFT_BY} In a case, bring it back or remove the folder."
        raise UsageError(f"{lacks}\n  {remedy}") from error
    except (OSError, ValueError, KeyError, IndexError, TypeError, csv.Error) as error:
        raise BreakrankError(f"{folder} holds no ensemble that can be used: {error}") from error


def with_ensemble(case: C, ensemble: str | PathLike[str] | Posterior | PosteriorEnsemble) -> C:
    """Return a case under an ensemble; see :meth:`breakrank.case.Case.with_ensemble`."""
    if isinstance(ensemble, PosteriorEnsemble):
        return ensemble.of(case)
    if isinstance(ensemble, Posterior):
        if problem := ensemble.mistaken(case.id):
            raise UsageError(problem)
        return with_draws(case, checked(ensemble.draws, case.declared))
    if ensemble == "point":
        return with_draws(case, None)
    if ensemble == "prior":
        return with_draws(case, prior_draws(case))
    if ensemble == "posterior":
        if case.posterior is None:
            raise UsageError(
                f"{case.id} has no posterior\n  Calibrate it, or run it with the ensemble prior or point."
            )
        return with_draws(case, case.posterior.draws)
    named = Path(ensemble)
    if (members := ensemble_folder(named)) is not None:
        return with_members(case, members)
    for folder in (named, named / FOLDER):
        if (folder / DRAWS).is_file():
            return with_ensemble(case, read_posterior(folder, case.catalogue))
    raise UsageError(
        f"{named} is no ensemble: posterior, prior, point, or a folder that `breakrank calibrate` left is "
        "expected"
    )


def with_members(case: C, folder: Path) -> C:
    """Return a case whose runs are the members in a folder, with the posterior that lies beside it.

    A change that undoes the selection of members leaves the parameters of that posterior, and where there is
    none those of the members: never those of a posterior that has seen other figures.
    """
    found = load_ensemble(folder, case)
    return found.of(replace(case, posterior=left_of(found, folder, case)))


def left_of(found: PosteriorEnsemble, folder: Path, case: CaseData) -> Posterior | None:
    """Return the parameters that a change leaves of the members in a folder; see :func:`with_members`."""
    beside = folder.parent / FOLDER
    if folder.name != ENSEMBLE or not (beside / DRAWS).is_file():
        return found.parameters
    read = read_posterior(beside, case.catalogue)
    own = case.posterior  # says whether the case was changed since
    return own if own is not None and own.draws.digest == read.draws.digest else read


def prior_draws(case: CaseData) -> Draws:
    """Return :data:`PRIOR_DRAWS` draws of the priors of a case, always the same; UsageError without any."""
    free = Free.of(case)
    values = free.values(free.drawn(0, "prior", np.arange(PRIOR_DRAWS)))
    return Draws(free.names, as_written(values, free.names, case), shuffled=True)


def coverage(ess: float) -> float:
    """Return how often a 90% interval of a number of independent draws holds one more of their kind.

    The ends of an interval lie within the draws, beyond which there is more; see the type 7 of Hyndman and
    Fan (1996), by which they are taken.

    >>> round(coverage(40), 2), round(coverage(1e6), 2)
    (0.86, 0.9)
    """
    return 0.9 * max(0.0, ess - 1.0) / (ess + 1.0)


def numbers_of(draws: Draws) -> NDArray[np.int64]:
    """Return which of the different rows of some draws each is, by the order in which they come (rows,)."""
    rows = [row.tobytes() for row in draws.values]
    number = {row: k for k, row in enumerate(dict.fromkeys(rows))}
    return np.array([number[row] for row in rows])
