"""Tests of the lives that a run tells."""
