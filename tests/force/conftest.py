"""A small country to build forces from; what `breakrank.force` reads of a case, and no more."""

import datetime as dt
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from breakrank.draws import luck_key
from breakrank.force import Force, build_force
from breakrank.force.establishment import PARAMETERS

KEY = luck_key(7, "force")


def _rank(name: str, tier: int, years: tuple[int, int], school: str = "") -> SimpleNamespace:
    return SimpleNamespace(id=name, tier=tier, years=years, school=school)


def small_country(strength: int = 3_000, **values: float) -> Any:
    """Return a stand-in for a case: 3 branches, 6 ranks, 2 regions, 4 states, one manned crossing."""
    known = {p.name: p.typical for p in PARAMETERS} | {"force.strength": strength}
    known |= {f"force.{name}": value for name, value in values.items()}
    return SimpleNamespace(
        capital="X-C",
        calendar=SimpleNamespace(start=dt.date(2019, 1, 1)),
        crossings=[SimpleNamespace(state="X-B", posted=True), SimpleNamespace(state="X-S", posted=False)],
        value=known.__getitem__,
        force=SimpleNamespace(
            branches=[
                SimpleNamespace(id="army", strength=600),
                SimpleNamespace(id="guard", strength=350),
                SimpleNamespace(id="navy", strength=50),
            ],
            ranks=[
                _rank("enlisted", 0, (0, 4)),
                _rank("sergeant", 1, (1, 20), "nco"),
                _rank("lieutenant", 2, (0, 12), "officer"),
                _rank("major", 3, (12, 22), "officer"),
                _rank("colonel", 4, (20, 28), "officer"),
                _rank("general", 5, (26, 35), "officer"),
            ],
            rank_shares=np.array(
                [
                    [0.6, 0.3, 0.5],
                    [0.3, 0.6, 0.35],
                    [0.06, 0.06, 0.1],
                    [0.025, 0.025, 0.025],
                    [0.01, 0.01, 0.02],
                    [0.005, 0.005, 0.005],
                ]
            ),
            regions=[
                SimpleNamespace(id="centre", states=["X-N", "X-C"]),
                SimpleNamespace(id="border", states=["X-B", "X-S"]),
            ],
            region_of=np.array([1, 0, 0, 1]),
            states=[SimpleNamespace(id=s) for s in ("X-B", "X-C", "X-N", "X-S")],
            stations=np.array([[0.3, 0.4, 0.0], [0.3, 0.3, 0.0], [0.25, 0.2, 0.0], [0.15, 0.1, 1.0]]),
            formation_size=500,
            unit_size=100,
        ),
    )


@pytest.fixture(scope="session")
def country() -> Callable[..., Any]:
    return small_country


@pytest.fixture(scope="session")
def key() -> np.uint64:
    return KEY


@pytest.fixture(scope="session")
def force() -> Force:
    return build_force(small_country(), KEY)
