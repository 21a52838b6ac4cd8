"""Who a synthetic soldier is: their columns in the force, in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from breakrank.force.force import BORDER_POST, CLASSMATE, ESCORT, GUARDS_POLITICIAN, KIN, UNIT, VEHICLE
from breakrank.wording import counted, listed

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.force import Force

ACCESS: Mapping[int, str] = MappingProxyType(
    {
        VEHICLE: "a vehicle at hand",
        BORDER_POST: "a post at the border",
        ESCORT: "escort duty",
        GUARDS_POLITICIAN: "guard duty over a politician",
    }
)
"""What a soldier can get at, by flag of the column ``access``."""


@dataclass(frozen=True, slots=True)
class Soldier:
    """A synthetic soldier; no real person stands behind them.

    Attributes
    ----------
    identity : their number, which names them and their luck for good.
    branch, rank, station, region : labels of the case; a rank is a group of ranks.
    unit, formation : their place in the order of battle, counted from 0.
    years : years served.
    dependants : people who live on their pay.
    kin_abroad : whether they have relatives abroad who could take them in.
    access : what they can get at, in words.
    comrades, classmates, kin : how many they trust, by kind of tie.
    """

    identity: int
    branch: str
    rank: str
    station: str
    region: str
    unit: int
    formation: int
    years: int
    dependants: int
    kin_abroad: bool
    access: tuple[str, ...]
    comrades: int
    classmates: int
    kin: int

    def to_dict(self) -> dict[str, Any]:
        """Return the attributes, ready for JSON."""
        return {name: getattr(self, name) for name in self.__slots__} | {"access": list(self.access)}

    def post(self) -> str:
        """Return who they are and where they serve, in one sentence."""
        served = "less than a year" if self.years == 0 else counted(self.years, "year")
        return (
            f"Soldier {self.identity} of the synthetic force ({self.branch}; rank group: {self.rank}) serves"
            f" in unit {self.unit}, stationed in {self.station}, and has {served} of service behind them."
        )

    def bonds(self) -> str:
        """Return who depends on them, whom they trust and what they can get at, in two or three sentences."""
        if self.dependants:
            feeds = f"{counted(self.dependants, 'person lives', 'people live')} on their pay"
        else:
            feeds = "Nobody lives on their pay"
        abroad = "they have relatives abroad" if self.kin_abroad else "they have nobody abroad"
        known = [
            counted(number, one, many)
            for number, one, many in (
                (self.comrades, "comrade of their unit", "comrades of their unit"),
                (self.classmates, "classmate", "classmates"),
                (self.kin, "relative in the force", "relatives in the force"),
            )
            if number
        ]
        trusts = f"They trust {listed(known)}." if known else "There is nobody in the force whom they trust."
        has = f" They have {listed(self.access)}." if self.access else ""
        return f"{feeds}; {abroad}. {trusts}{has}"

    def __str__(self) -> str:
        return f"{self.post()} {self.bonds()}"


def soldier_of(case: Case, force: Force, position: int) -> Soldier:
    """Return who stands at a position of a force."""
    unit = int(force.unit[position])
    formation = int(force.units.formation[unit])
    flags = int(force.access[position])
    kinds = force.ties.kind[force.ties.start[position] : force.ties.start[position + 1]]
    comrades, classmates, kin = (int((kinds == kind).sum()) for kind in (UNIT, CLASSMATE, KIN))
    return Soldier(
        identity=int(force.identity[position]),
        branch=case.force.branches[int(force.branch[position])].label,
        rank=case.force.ranks[int(force.rank[position])].label,
        station=case.force.states[int(force.state[position])].label,
        region=case.force.regions[int(force.formations.region[formation])].label,
        unit=unit,
        formation=formation,
        years=int(force.years[position]),
        dependants=int(force.dependants[position]),
        kin_abroad=bool(force.kin_abroad[position]),
        access=tuple(words for flag, words in ACCESS.items() if flags & flag),
        comrades=comrades,
        classmates=classmates,
        kin=kin,
    )
