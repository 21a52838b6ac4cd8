"""Validation: forecasts of what a model was not told, scored beside naive baselines.

:mod:`~breakrank.study.validation.baselines` knows arrays only, :mod:`~breakrank.study.validation.known` takes
out of a case what was not known on a day, :mod:`~breakrank.study.validation.holdout` and
:mod:`~breakrank.study.validation.carried` forecast, and :mod:`~breakrank.study.validation.validate` puts all
of it together.
"""
