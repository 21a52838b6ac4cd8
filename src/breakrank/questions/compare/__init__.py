"""Compare a case with what might have been."""
