"""The quantiles over runs that charts, tables and scores show: the median, the 50% and the 90% interval."""

from __future__ import annotations

LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)
MEDIAN_AND_ENDS = LEVELS[::2]
"""The median between the ends of the 90% interval."""
