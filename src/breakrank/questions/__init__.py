"""What can be asked of a case: one folder for each question."""
