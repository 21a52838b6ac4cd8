"""Explain a case's results: which mechanism carries them."""
