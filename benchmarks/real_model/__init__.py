"""The whole model on the built-in case: what a year costs, and what of it costs how much."""
