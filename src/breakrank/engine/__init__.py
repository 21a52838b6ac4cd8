"""The engine: state, decision opportunities, choice, event log and the day.

It knows no mechanism by name.
"""
