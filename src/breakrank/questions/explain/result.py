"""What explains a case's results: the one object that commands, charts and sentences are made from."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import breakrank
from breakrank.errors import UsageError, nearest
from breakrank.questions.explain.chart_axes import WIDE
from breakrank.questions.explain.data import ExplanationData
from breakrank.questions.explain.drawings import CHARTS
from breakrank.questions.explain.outcomes import ExplainedOutcome
from breakrank.questions.explain.sentences import sentences
from breakrank.runs.cases import lived_under
from breakrank.runs.versions import ensemble_version
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
    variance : what screening over the priors found; ``None`` where it was not asked for.
    accounts : what came of each study.
    seconds : wall time.
    command : the call that makes it again.
    interrupted : whether it was stopped; what is there is of what had finished.
    """

    def sentences(self) -> tuple[str, ...]:
        """Return the summary in plain language: every sentence is made from numbers, and holds them."""
        return sentences(self)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return all numbers as tables: removals and screening."""
        return tables(self)

    def plot(
        self,
        name: str | None = None,
        *,
        outcome: str | None = None,
        theme: Literal["light", "dark"] = "light",
    ) -> alt.TopLevelMixin:
        """Return a chart; there is one, ``removals``.

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
            "ensemble": ensemble_version(self.case) or None,
            "digest": self.case.digest,
            "seed": self.seed,
            "runs": self.runs,
            "parameters": lived_under(self.case),
            "command": self.command,
            "interrupted": self.interrupted,
            "outcomes": [a.as_json() for a in self.asked],
            "sentences": list(self.sentences()),
            "removals": {m: [e.as_json() for e in es] for m, es in self.removal.single.items()},
        }
        if self.variance is not None:
            content["variance"] = {
                "prior_simulations": self.variance.bank,
                "screening": {m: [s.as_json() for s in v] for m, v in self.variance.screened.items()},
            }
        return content

    def __repr__(self) -> str:
        weighed = ", ".join(s.mechanism for s in self.removal.switches[:4])
        lines = [f"Explanation of {self.case.id}: {self.runs} runs of each variant, seed {self.seed}"]
        lines.append(f"├── outcomes: {', '.join(a.measure for a in self.asked)}")
        lines.append(f"├── {len(self.removal.switches)} mechanisms taken out; weightiest: {weighed}")
        if self.variance is not None:
            lines.append(f"├── {self.variance.bank:,} prior simulations")
        if self.interrupted:
            lines.append("├── interrupted: of what had finished")
        lines.append(f"└── made in {self.seconds:.0f} s")
        return "\n".join(lines)


_EFFECT = ("before", "after", "mean", "low", "high", "low90", "high90", "same_sign", "size", "told", "runs")


def tables(found: ExplanationData) -> dict[str, pd.DataFrame]:
    """Return the tables by name; those with nothing in them are left out.

    ``removals`` holds the effects, ``screening`` what each parameter does over the priors.
    """
    import pandas as pd

    removal = found.removal
    rows: dict[str, list[dict[str, object]]] = {
        "removals": [_effect(e) for effects in removal.single.values() for e in effects],
        "screening": [],
    }
    if found.variance is not None:
        rows["screening"] = [
            {"outcome": m, "parameter": s.name}
            | {f: getattr(s, f) for f in ("share", "spread", "sign", "score", "bound", "told")}
            for m, screened in found.variance.screened.items()
            for s in screened
        ]
    return {name: pd.DataFrame(some) for name, some in rows.items() if some}


def _effect(found: PairedEffect) -> dict[str, object]:
    about = {"outcome": found.outcome, "without": " and ".join(found.without)}
    return about | {name: getattr(found, name) for name in _EFFECT}
