"""A forecast on the terminal: headlines first, then later figures beside naive forecasts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from breakrank.questions.condition.terminal import show_figures
from breakrank.questions.forecast.forecast import ASSURANCE, Headline
from breakrank.questions.validate.terminal import SCORES, show_trial
from breakrank.show.provenance import drawn_in_part
from breakrank.show.terminal import LABEL, NUMBER, WHOLE, say, say_table, title, wrapped
from breakrank.show.words import between, interval, number, percent

if TYPE_CHECKING:
    from breakrank.questions.forecast.forecast import ForecastFromWorlds


def show(found: ForecastFromWorlds, stands_for: float = 1.0) -> None:
    """Print a forecast, what its worlds were told, and how it scores.

    A simulated soldier `stands_for` so many of the country.
    """
    trial, about = found.trial, found.worlds.about
    kind = "forecast" if found.worlds.figures else "prior forecast"
    say(title(f"{trial.title}: {kind} as of {trial.until}, {about['worlds']:,} worlds"))
    if found.worlds.doubt:
        say(wrapped(found.worlds.doubt))
        say()
    if sized := drawn_in_part(stands_for):
        say(wrapped(sized))
        say()
    counts = [one for one in found.headlines if math.isnan(one.chance)]
    rows = [
        [f"{one.label} by {one.date}", between(one.middle, one.low, one.high), interval(one.low, one.high)]
        for one in counts
    ]
    say_table([("Ahead", LABEL), ("median", NUMBER | WHOLE), ("90%", NUMBER | WHOLE)], rows)
    say()
    _chances([one for one in found.headlines if not math.isnan(one.chance)])
    if found.beds:
        assured = [(f"{share:.0%} of worlds", NUMBER) for share in ASSURANCE]
        weeks = [[week.label, *(number(n, "people") for n in week.beds)] for week in found.beds]
        say_table([("Beds that suffice on every day", LABEL), *assured], weeks)
        say()
    if found.worlds.figures:
        show_figures(found.worlds, "Told to the worlds")
        say()
    if trial.figures:
        show_trial(trial)
        say(wrapped(SCORES))
    else:
        for line in trial.notes:
            say(wrapped(line))


def _chances(headlines: list[Headline]) -> None:
    """Print a row for each event, a column for each day by which it may have come."""
    days = sorted({one.date for one in headlines})
    by = {(one.label, one.date): percent(one.chance) for one in headlines}
    rows = [
        [label, *(by.get((label, day), "") for day in days)]
        for label in dict.fromkeys(one.label for one in headlines)
    ]
    say_table([("Chance", LABEL), *((f"by {day}", NUMBER | WHOLE) for day in days)], rows)
    say()
