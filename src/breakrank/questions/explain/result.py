"""What explains a case's results: the one object that commands, charts and sentences are made from."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import breakrank
from breakrank.engine.codes import OPTIONS
from breakrank.errors import UsageError, nearest
from breakrank.questions.explain.chart_axes import WIDE
from breakrank.questions.explain.data import ExplanationData
from breakrank.questions.explain.drawings import CHARTS
from breakrank.questions.explain.outcomes import ExplainedOutcome
from breakrank.questions.explain.scales import Scales
from breakrank.questions.explain.sentences import sentences
from breakrank.runs.cases import lived_under
from breakrank.show.board import board

if TYPE_CHECKING:
    import altair as alt
    import pandas as pd

    from breakrank.questions.explain.effects import PairedEffect
    from breakrank.show.board import Row
    from breakrank.show.look import Look

FORMAT = 1
"""Version of the layout of ``explanation.json``."""


class Explanation(ExplanationData):
    """Which mechanism carries a result.

    Attributes
    ----------
    case : exactly as used; with draws of its parameters where it has a posterior.
    asked : the outcomes.
    seed, runs : of the mechanisms taken out.
    removal : what taking out mechanisms does.
    scales : what was on the scales of those who stayed though opposed; ``None`` where it was not asked for.
    variance : shares of variance over the priors; ``None`` where they were not asked for.
    accounts : what came of each study.
    seconds : wall time.
    command : the call that makes it again.
    interrupted : whether it was stopped; what is there is of what had finished.
    """

    def sentences(self) -> tuple[str, ...]:
        """Return the summary in plain language: every sentence is made from numbers, and holds them."""
        return sentences(self)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return all numbers as tables: removals, pairs, scales, screening, shares."""
        return tables(self)

    def plot(
        self,
        name: str | None = None,
        *,
        outcome: str | None = None,
        theme: Literal["light", "dark"] = "light",
    ) -> alt.TopLevelMixin:
        """Return a chart: ``removals``, ``pairs``, ``shares`` or ``scales``; by default all that there are.

        Parameters
        ----------
        outcome : the measure that is drawn, by default the first.

        Raises
        ------
        UsageError
            for a name, an outcome or a theme that there is not.
        """
        asked = self._outcome(outcome)

        def rows(each: str, look: Look) -> list[Row]:
            return [([CHARTS[each](self, asked, replace(look, wide=WIDE))], 1)]

        padding = {"left": 4, "top": 4, "right": 10, "bottom": 6}
        return board("explanation", CHARTS, CHARTS, name, theme, rows, padding=padding)

    def _outcome(self, outcome: str | None) -> ExplainedOutcome:
        """Return one of the outcomes, by default the first; UsageError for one that was not asked."""
        known = [a.measure for a in self.asked]
        if outcome is not None and outcome not in known:
            raise UsageError(
                f"{outcome!r} was not explained{nearest(outcome, known)} (explained: {', '.join(known)})"
            )
        return self.asked[0 if outcome is None else known.index(outcome)]

    def as_json(self) -> dict[str, object]:
        """Return everything ready for JSON."""
        content: dict[str, object] = {
            "breakrank_explanation": FORMAT,
            "case": self.case.id,
            "version": breakrank.__version__,
            "digest": self.case.digest,
            "seed": self.seed,
            "runs": self.runs,
            "parameters": lived_under(self.case),
            "command": self.command,
            "interrupted": self.interrupted,
            "outcomes": [a.as_json() for a in self.asked],
            "sentences": list(self.sentences()),
            "removals": {m: [e.as_json() for e in es] for m, es in self.removal.single.items()},
            "pairs": [
                {
                    "pair": list(pair),
                    "effects": [e.as_json() for e in self.removal.both[pair]],
                    "interactions": [e.as_json() for e in beyond],
                }
                for pair, beyond in self.removal.beyond.items()
            ],
        }
        if self.scales is not None:
            content["scales"] = _scales(self.scales)
        if self.variance is not None:
            content["variance"] = {
                "prior_simulations": self.variance.bank,
                "rows": self.variance.rows,
                "groups": [g.name for g in self.variance.groups],
                "shares": {m: [s.as_json() for s in v] for m, v in self.variance.shares.items()},
                "screening": {m: [s.as_json() for s in v] for m, v in self.variance.screened.items()},
            }
        return content

    def __repr__(self) -> str:
        weighed = ", ".join(s.mechanism for s in self.removal.switches[:4])
        lines = [f"Explanation of {self.case.id}: {self.runs} runs of each variant, seed {self.seed}"]
        lines.append(f"├── outcomes: {', '.join(a.measure for a in self.asked)}")
        lines.append(f"├── {len(self.removal.switches)} mechanisms taken out; weightiest: {weighed}")
        if self.removal.beyond:
            lines.append(f"├── {len(self.removal.beyond)} pairs")
        if self.variance is not None:
            own = ", ".join(g.name for g in self.variance.groups)
            lines.append(f"├── {self.variance.bank:,} prior simulations; shares of luck, {own}")
        if self.interrupted:
            lines.append("├── interrupted: of what had finished")
        lines.append(f"└── made in {self.seconds:.0f} s")
        return "\n".join(lines)


def _scales(scales: Scales) -> dict[str, object]:
    totals = ("served", "opposed", "considered", "moments", "chance")
    content: dict[str, object] = {name: getattr(scales, name).as_json() for name in totals}
    content["terms"] = [
        {
            "term": w.term,
            "about": w.about,
            "option": OPTIONS[w.option],
            "weight": w.value.as_json(),
            "base_rate": w.base,
            "heaviest_for": w.heaviest.as_json(),
        }
        for w in scales.weights
    ]
    return content


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
