"""One look for all charts, tables and texts. Nothing here computes the model."""
