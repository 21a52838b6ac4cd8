"""What one asks of the model: ensembles of runs, and what is built on them."""
