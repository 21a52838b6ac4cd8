"""Forecast from worlds that agree with what was known on a day."""
