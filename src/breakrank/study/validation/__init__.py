"""Validation: forecasts of what a model was not told, scored beside naive baselines.

:mod:`~breakrank.study.validation.figures` parts a record at a day and asks the naive baselines,
:mod:`~breakrank.study.validation.known` takes out of a case what was not known then,
:mod:`~breakrank.study.validation.fit` and :mod:`~breakrank.study.validation.ahead` simulate around what was
known, :mod:`~breakrank.study.validation.trials` forecasts and scores, and
:mod:`~breakrank.study.validation.validate` puts all of it together.
"""
