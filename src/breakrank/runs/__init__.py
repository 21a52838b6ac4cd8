"""Runs: where they are made and kept: processes, a cluster, a store."""
