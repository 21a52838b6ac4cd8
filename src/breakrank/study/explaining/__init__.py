"""Which mechanism carries a result: mechanisms taken out, shares of variance, and what holds people back."""
