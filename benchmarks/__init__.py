"""Benchmarks anyone can run, apart from the tests: see ``README.md`` beside this file."""
