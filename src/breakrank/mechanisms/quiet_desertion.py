"""How much of what speaks for or against leaving the country counts for deserting quietly."""

from __future__ import annotations

from breakrank.spec import parameter

QUIET = parameter("decision.quiet")
