"""Calibration: what the record says about the parameters of a case, by simulation-based inference.

The arrows run from arrays to cases: :mod:`~breakrank.study.calibration.smooth`,
:mod:`~breakrank.study.calibration.directions` and :mod:`~breakrank.study.calibration.methods` know arrays
only; :mod:`~breakrank.study.calibration.free` and :mod:`~breakrank.study.calibration.record` read a case;
:mod:`~breakrank.study.calibration.bank` makes simulations; :mod:`~breakrank.study.calibration.calibrate`
puts all of it together.
"""
