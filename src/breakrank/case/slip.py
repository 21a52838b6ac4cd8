"""What a model's validator raises: a problem in plain words, a remedy, and where below the model it lies."""

from __future__ import annotations


class SlipError(ValueError):
    """A value that cannot be used; turned into a CaseError with file and line by the loader.

    Attributes
    ----------
    problem, remedy : as in :class:`~breakrank.errors.CaseError`.
    at : keys below the place where the validator stands.
    """

    def __init__(self, problem: str, remedy: str = "", at: tuple[str | int, ...] = ()) -> None:
        super().__init__(problem)
        self.problem = problem
        self.remedy = remedy
        self.at = at
