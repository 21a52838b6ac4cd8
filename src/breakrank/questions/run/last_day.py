"""Fates on the last day, in numbers: those who still serve, and the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

from breakrank.labels import WHERE
from breakrank.show.tables import Band, band, labels, plain
from breakrank.show.words import day

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.results import Result

Kind = Literal["out", "hidden", "caught"]

RESERVE = "reserve"
"""The fate of those who have not been called up: they have not left."""
KINDS: Mapping[str, Kind] = {
    "registered": "out",
    "abroad": "out",
    "declared": "out",
    "embassy": "out",
    "opposition": "out",
    "resigned": "out",
    "travelling": "hidden",
    "hiding": "hidden",
    RESERVE: "hidden",
    "detained": "caught",
    "imprisoned": "caught",
    "prisoner": "caught",
    "dead": "caught",
    "discharged": "caught",
}
"""Fates of those who no longer serve, in order of drawing: got out, on the way or hiding, caught or dead."""


@dataclass(frozen=True, slots=True)
class Fate:
    """One fate on the last day: its share of the runs' average and its spread over runs."""

    id: str
    label: str
    kind: Kind
    mean: float
    band: Band


@dataclass(frozen=True, eq=False, slots=True)
class Becoming:
    """Where everyone stands on the last day.

    Averages over runs, not medians, because only averages add up over ranks and fates.

    Attributes
    ----------
    date : the last day, in words.
    strength, serving : soldiers at the start; average still serving on the last day.
    serving_band : spread over runs of those who serve.
    opposed : median share privately opposed among those serving; ``None`` where it was not recorded.
    fates : the fates that occurred in any run.
    ranks : labels of ranks by their id, lowest first.
    flow : average soldiers by rank and fate, shape (rank, fate).
    """

    date: str
    strength: int
    serving: float
    serving_band: Band
    opposed: float | None
    fates: tuple[Fate, ...]
    ranks: dict[str, str]
    flow: npt.NDArray[np.float64]

    @property
    def gone(self) -> float:
        """Average who no longer serve."""
        return self.strength - self.serving

    def sum_of(self, kind: Kind) -> float:
        """Return the average of all fates of a kind."""
        return sum(one.mean for one in self.fates if one.kind == kind)


def becoming(result: Result) -> Becoming:
    """Return the fates of everyone in a result."""
    data, each = result.data, result.case.stands_for
    stock = data["fates"].isel(day=-1).transpose("run", "fate").values.astype(np.float64)
    by_rank = data["fate_rank"].transpose("run", "rank", "fate").values.mean(axis=0)
    ids = [str(f) for f in data["fate"].values]
    at = ids.index("serving")
    order = sorted(
        (i for i in range(len(ids)) if i != at and stock[:, i].any()),
        key=lambda i: list(KINDS).index(ids[i]) if ids[i] in KINDS else len(KINDS),
    )
    names = labels(result, "rank")
    return Becoming(
        date=day(data["day"].values[-1]),
        strength=round(float(stock.sum(axis=1).mean())),
        serving=float(stock[:, at].mean()),
        serving_band=band(stock[:, at], each),
        opposed=min(1.0, float(data["opposed"].isel(day=-1).median())) if "opposed" in data else None,
        fates=tuple(
            Fate(
                ids[i],
                WHERE.get(ids[i], plain(ids[i])),
                KINDS.get(ids[i], "hidden"),
                float(stock[:, i].mean()),
                band(stock[:, i], each),
            )
            for i in order
        ),
        ranks={str(r): names.get(str(r), plain(str(r))) for r in data["rank"].values},
        flow=by_rank[:, order],
    )


def frame(one: Becoming) -> pd.DataFrame:
    """Return one row for each fate, serving first: average, quantiles over runs, averages of its ranks."""
    import pandas as pd

    serving = {"fate": "Serving", "mean": one.serving, **_quantiles(one.serving_band)}
    rows = [serving] + [
        {"fate": f.label, "mean": f.mean, **_quantiles(f.band)}
        | dict(zip(one.ranks, one.flow[:, i], strict=True))
        for i, f in enumerate(one.fates)
    ]
    return pd.DataFrame(rows)


def _quantiles(band: Band) -> dict[str, float]:
    return {"median": band.median, "q05": band.q05, "q25": band.q25, "q75": band.q75, "q95": band.q95}
