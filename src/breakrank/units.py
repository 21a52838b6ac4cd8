"""Units of time, and of counts given in thousands. What a person does within them is a parameter instead."""

from __future__ import annotations

from typing import Final

DAYS_A_YEAR: Final = 365.25
DAYS_A_MONTH: Final = 30
DAYS_A_WEEK: Final = 7
THOUSAND: Final = 1000
