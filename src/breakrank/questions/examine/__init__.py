"""Examine a case: its answers to interventions, held against theory."""
