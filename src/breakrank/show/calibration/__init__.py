"""The charts and the page of a calibration."""
