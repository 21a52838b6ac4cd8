"""Calibrate a case: which parameter values agree with the record."""
