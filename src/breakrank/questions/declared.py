"""The questions that are declared, in the order of their commands."""

from __future__ import annotations

from breakrank.answer.question import Question
from breakrank.inference.question import Calibrate
from breakrank.lives.question import StoriesQuestion, TraceQuestion
from breakrank.questions.compare.question import Compare
from breakrank.questions.examine.question import Examine
from breakrank.questions.explain.question import Explain
from breakrank.questions.forecast.question import ForecastQuestion
from breakrank.questions.guide.question import Guide
from breakrank.questions.hindcast.question import HindcastQuestion
from breakrank.questions.plan.question import Plan
from breakrank.questions.sweep.question import Sweep

QUESTIONS: tuple[type[Question], ...] = (
    *(Compare, Plan, Sweep, Explain, Examine, Guide),
    *(Calibrate, ForecastQuestion, HindcastQuestion, TraceQuestion, StoriesQuestion),
)
"""Each has a command, a function in Python and its place in the reference."""
