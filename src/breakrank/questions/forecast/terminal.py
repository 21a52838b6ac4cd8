"""A forecast on the terminal: headlines first, then later figures beside naive forecasts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from breakrank.questions.validate.terminal import SCORES, show_trial
from breakrank.show.terminal import LABEL, NUMBER, WHOLE, say, say_table, title, wrapped
from breakrank.show.words import between, interval, percent

if TYPE_CHECKING:
    from breakrank.questions.forecast.forecast import ForecastFromWorlds


def show(found: ForecastFromWorlds) -> None:
    """Print a forecast."""
    trial, about = found.trial, found.worlds.about
    say(title(f"{trial.title}: forecast as of {trial.until}, {about['worlds']:,} worlds"))
    rows = []
    for one in found.headlines:
        if math.isnan(one.chance):
            cells = [between(one.middle, one.low, one.high), interval(one.low, one.high)]
        else:
            cells = [percent(one.chance), ""]
        rows.append([f"{one.label} by {one.date}", *cells])
    say_table([("Ahead", LABEL), ("median or chance", NUMBER | WHOLE), ("90%", NUMBER | WHOLE)], rows)
    say()
    if trial.figures:
        show_trial(trial)
        say(wrapped(SCORES))
    else:
        for line in trial.notes:
            say(wrapped(line))
    if found.worlds.doubt:
        say(wrapped(found.worlds.doubt))
