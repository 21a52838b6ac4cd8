"""Charts of a validation."""
