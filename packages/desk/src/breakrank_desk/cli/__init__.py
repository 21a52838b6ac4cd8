"""``breakrank desk``: the command that this package adds to Breakrank. Each calls what a notebook calls."""
