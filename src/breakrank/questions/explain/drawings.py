"""The charts of an explanation: removals, pairs, shares of variance, and what is on the scales.

More is orange and less is blue in every chart; what cannot be told from zero is grey and hollow. A number
stands beside every mark, so that no chart needs colour vision.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from breakrank.questions.explain.draw_removals import pairs, removals
from breakrank.questions.explain.draw_scales import scales
from breakrank.questions.explain.draw_shares import shares
from breakrank.show.look import Look
from breakrank.show.sheet import Drawn

if TYPE_CHECKING:
    from breakrank.questions.explain.data import ExplanationData
    from breakrank.questions.explain.outcomes import ExplainedOutcome

Builder = Callable[["ExplanationData", "ExplainedOutcome", Look], Drawn | None]
CHARTS: Mapping[str, Builder] = MappingProxyType(
    {"removals": removals, "pairs": pairs, "scales": scales, "shares": shares}
)
"""The charts by name."""
