"""Measure the loop that word home closes."""
