"""The mechanisms: one file each. What the model says about a subject is in its file and nowhere else."""
