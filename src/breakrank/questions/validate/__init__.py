"""Validate cases: forecasts of what the model was not told, scored."""
