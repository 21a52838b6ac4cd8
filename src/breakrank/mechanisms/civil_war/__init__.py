"""A war inside the country: mechanisms that act only where a case names them; the core imports none."""
