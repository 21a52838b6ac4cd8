"""Published data sets as they come, and what their rows become in a case."""
