"""The lives that a run tells: one soldier's year in sentences, and how often the reports' stories occur."""
