"""How much of what speaks for or against leaving the country counts for deserting quietly."""

from __future__ import annotations

from breakrank.spec import Parameter

QUIET = Parameter(
    "decision.quiet", "ratio", 0, 1, 0.5,
    "what is risked, lost and shown by deserting quietly, relative to leaving the country",
    "Hirschman 1970; Albrecht and Koehler 2018",
)  # fmt: skip
