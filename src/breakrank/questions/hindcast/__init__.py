"""Score past forecasts: as of every day on which a figure was published, beside simple baselines."""
