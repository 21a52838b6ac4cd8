"""What a calibration found: a labelled result with tables, a posterior, and a verdict in words."""
