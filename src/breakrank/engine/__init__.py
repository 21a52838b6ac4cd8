"""The engine: state, moments of decision, choice, event log and the day.

It knows no mechanism by name.
"""
