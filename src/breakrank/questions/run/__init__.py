"""Run a case: its figures, its report and its table."""
