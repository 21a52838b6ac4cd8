"""All numbers of an explanation as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from breakrank.engine.codes import OPTIONS

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.questions.explain.data import ExplanationData
    from breakrank.questions.explain.effects import PairedEffect

_EFFECT = ("before", "after", "mean", "low", "high", "low90", "high90", "same_sign", "size", "told", "runs")


def tables(found: ExplanationData) -> dict[str, pd.DataFrame]:
    """Return the tables by name; those with nothing in them are left out.

    ``removals`` and ``pairs`` hold the effects, ``interactions`` what pairs do beyond each alone,
    ``scales`` the terms of those who stayed though opposed, ``screening`` what each parameter does over the
    priors, and ``shares`` the shares of variance.
    """
    import pandas as pd

    removal = found.removal
    rows: dict[str, list[dict[str, object]]] = {
        "removals": [_effect(e) for effects in removal.single.values() for e in effects],
        "pairs": [_effect(e) for effects in removal.both.values() for e in effects],
        "interactions": [_effect(e) for effects in removal.beyond.values() for e in effects],
        "scales": [],
        "screening": [],
        "shares": [],
    }
    if found.scales is not None:
        rows["scales"] = [
            {
                "term": w.term,
                "about": w.about,
                "option": OPTIONS[w.option],
                "mean": w.value.value,
                "low": w.value.low,
                "high": w.value.high,
                "heaviest_for": w.heaviest.value,
                "runs": w.value.runs,
            }
            for w in found.scales.weights
        ]
    if found.variance is not None:
        rows["screening"] = [
            {"outcome": m, "parameter": s.name}
            | {f: getattr(s, f) for f in ("share", "spread", "sign", "score", "bound", "told")}
            for m, screened in found.variance.screened.items()
            for s in screened
        ]
        ends = ("first", "first_low", "first_high", "total", "total_low", "total_high", "told")
        rows["shares"] = [
            {"outcome": m, "group": s.group} | {f: getattr(s, f) for f in ends}
            for m, shares in found.variance.shares.items()
            for s in shares
        ]
    return {name: pd.DataFrame(some) for name, some in rows.items() if some}


def _effect(found: PairedEffect) -> dict[str, object]:
    about = {"outcome": found.outcome, "without": " and ".join(found.without)}
    return about | {name: getattr(found, name) for name in _EFFECT}
