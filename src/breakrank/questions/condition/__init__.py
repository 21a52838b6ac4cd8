"""Worlds that agree with the record: parameters and luck together."""
