"""The quantiles over runs that charts, tables and scores show: the median, the 50% and the 90% interval."""

from __future__ import annotations

LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)
MEDIAN_AND_ENDS = LEVELS[::2]
"""The median between the ends of the 90% interval."""

FEW = 20
"""Below so many runs a spread is shown as the least and the most of them: a 90% interval of, say, four runs
would be drawn between the outer two."""
