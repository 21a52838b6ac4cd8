"""Forecast from an ensemble that agrees with what was known on a day."""
