"""What a place has to provide, reckoned from the runs of a result: people, beds, money, files."""

from __future__ import annotations

from breakrank.results.planning.plan import Plan

__all__ = ["Plan"]
