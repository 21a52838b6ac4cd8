"""Sweep parameters: how an outcome answers, and where it tips."""
