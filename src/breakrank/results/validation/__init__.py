"""What a validation found: scores, tables and sentences."""
