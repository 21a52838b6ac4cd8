"""What a case says of the force, as plain numbers: its parameters, and the establishment of its soldiers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from breakrank.case.force_spec import apportion
from breakrank.errors import UsageError
from breakrank.force.force import Labels
from breakrank.spec import Parameter, parameters_of

if TYPE_CHECKING:
    from breakrank.case import Case

LARGEST = 10_000_000
"""Most soldiers one force may have."""

PARAMETERS = (
    Parameter(
        "force.strength", "persons", 1, LARGEST, 160_000,
        "soldiers in the force, all branches together",
        scope="national",
    ),
    *parameters_of("force"),
)  # fmt: skip
"""What :func:`breakrank.force.build_force` reads from a case."""


@dataclass(frozen=True, slots=True)
class Establishment:
    """The force on paper. Axes: s states, b branches, r ranks (lowest first), g regions.

    Attributes
    ----------
    posted_strength : soldiers by state and branch, int64 (s, b).
    rank_strength : soldiers by branch and rank, int64 (b, r).
    region_of : region of each state, int64 (s,).
    capital : index of the capital's state.
    manned : states with a crossing that units are posted at, bool (s,).
    tier : height of each rank in the hierarchy, never falling, int64 (r,).
    officer : ranks that come from the officers' academy, bool (r,).
    years : lowest and highest years of service by rank, int64 (r, 2).
    school : academy of each rank, index into ``labels.schools``, -1 for none, int64 (r,).
    formation_size, unit_size : soldiers per formation and per unit.
    start_year : calendar year the case starts in.
    values : the parameters of the force, by name without ``force.``.
    """

    labels: Labels
    posted_strength: NDArray[np.int64]
    rank_strength: NDArray[np.int64]
    region_of: NDArray[np.int64]
    capital: int
    manned: NDArray[np.bool_]
    tier: NDArray[np.int64]
    officer: NDArray[np.bool_]
    years: NDArray[np.int64]
    school: NDArray[np.int64]
    formation_size: int
    unit_size: int
    start_year: int
    values: Mapping[str, float]

    @property
    def n(self) -> int:
        """Soldiers in the force."""
        return int(self.posted_strength.sum())

    @property
    def content(self) -> tuple[object, ...]:
        """All that it says, to be compared: forces of the same content and key are the same."""
        said = (getattr(self, field.name) for field in fields(self))
        return tuple(
            (x.shape, x.tobytes())
            if isinstance(x, np.ndarray)
            else tuple(x.items())
            if isinstance(x, Mapping)
            else x
            for x in said
        )

    @classmethod
    def of(cls, case: Case) -> Establishment:
        """Read the establishment from a case; shares become whole soldiers by largest remainder.

        The strength is the parameter ``force.strength``; branches keep their proportions.

        Raises
        ------
        UsageError
            if the strength is not in 1..10,000,000. Everything else has passed the checks of the case.
        """
        spec = case.force
        values = {p.name.removeprefix("force."): float(case.value(p.name)) for p in PARAMETERS}
        n = round(values["strength"])
        if not 1 <= n <= LARGEST:
            raise UsageError(f"force.strength is {n:,}: a force has 1 to {LARGEST:,} soldiers")
        states = [s.id for s in spec.states]
        of_branch = apportion(n, [b.strength for b in spec.branches])
        schools = tuple(dict.fromkeys(r.school for r in spec.ranks if r.school))
        return cls(
            labels=Labels(
                regions=tuple(g.id for g in spec.regions),
                states=tuple(states),
                branches=tuple(b.id for b in spec.branches),
                ranks=tuple(r.id for r in spec.ranks),
                schools=schools,
            ),
            posted_strength=np.stack(
                [apportion(int(k), spec.stations[:, b]) for b, k in enumerate(of_branch)], axis=1
            ),
            rank_strength=np.stack(
                [apportion(int(k), spec.rank_shares[:, b]) for b, k in enumerate(of_branch)]
            ),
            region_of=spec.region_of,
            capital=states.index(case.capital),
            manned=np.isin(states, [c.state for c in case.crossings if c.posted]),
            tier=np.array([r.tier for r in spec.ranks], np.int64),
            officer=np.array([r.school == "officer" for r in spec.ranks], np.bool_),
            years=np.array([r.years for r in spec.ranks], np.int64),
            school=np.array([schools.index(r.school) if r.school else -1 for r in spec.ranks], np.int64),
            formation_size=int(spec.formation_size),
            unit_size=int(spec.unit_size),
            start_year=case.calendar.start.year,
            values=values,
        )
