"""What ``breakrank calibrate`` prints: the verdict, what is informed, and the record beside the model."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from breakrank.questions.calibrate.data import rows
from breakrank.runs.carry_out import Account, carry_out
from breakrank.runs.crew import Backend
from breakrank.runs.store import Store
from breakrank.runs.study import Study
from breakrank.runs.study_progress import StudyProgress, Watch
from breakrank.runs.worker import Simulator
from breakrank.show.terminal import LABEL, NUMBER, say, say_table, title, wrapped
from breakrank.show.words import interval, span

if TYPE_CHECKING:
    import pandas as pd

    from breakrank.questions.calibrate.result import Calibration


class Across:
    """Carries out the studies of a calibration one after the other, and counts them together.

    Parameters
    ----------
    total : simulations of all rounds and runs under the posterior. A round that turns out not to be needed
        makes the time left an upper bound.
    watch : called with a tally of all of it.
    said : called with the account of each study that ended.
    """

    def __init__(
        self,
        total: int,
        where: Backend,
        watch: Watch | None,
        said: Callable[[Account], None] | None = None,
        stopping: Callable[[], None] | None = None,
        model: Simulator | None = None,
    ) -> None:
        self._total, self._where, self._watch, self._said = total, where, watch, said
        self._stopping, self._model = stopping, model
        self._done = self._failed = self._reused = self._made = 0
        self._seconds = 0.0

    def __call__(self, study: Study, store: Store, what: str) -> Account:  # noqa: ARG002 (others tell what)
        """Carry a study out."""
        begun = time.monotonic()

        def watch(tally: StudyProgress) -> None:
            assert self._watch is not None
            ended = self._made + tally.done - tally.reused + tally.failed
            spent = self._seconds + time.monotonic() - begun
            rate = ended / spent if ended and spent > 0 else 0.0
            done, failed = self._done + tally.done, self._failed + tally.failed
            left = max(0, self._total - done - failed) / rate if rate else None
            reused = self._reused + tally.reused
            self._watch(
                tally._replace(
                    done=done, failed=failed, total=self._total, reused=reused, rate=rate, left=left
                )
            )

        account = carry_out(
            study,
            store,
            self._where,
            watch if self._watch is not None else None,
            stopping=self._stopping,
            simulator=self._model,
        )
        self._seconds += time.monotonic() - begun
        self._done += account.finished
        self._failed += len(account.failed)
        self._reused += account.reused
        self._made += account.made + len(account.failed)
        if self._said is not None:
            self._said(account)
        return account


MOST = 20
"""Informed parameters that are listed; the table on disk has all."""


def show(found: Calibration) -> None:
    """Print a calibration to standard output."""
    about = found.about
    say(title(f"Calibration of {about['title']}"))
    say(
        f"{about['simulations']:,} simulations in {about['rounds']} round{'s' * (about['rounds'] != 1)}, "
        f"seed {about['seed']}, {about['seconds']:,.0f} s"
    )
    say()
    for line in found.verdict:
        say(wrapped(f"- {line}"))
    say()
    _parameters(found)
    _targets(found.tables["targets"])


def _parameters(found: Calibration) -> None:
    informed = found.tables["parameters"].loc[list(found.informed)]
    if informed.empty:
        return
    told = [
        (
            str(row.id),
            f"{row.contraction:.0%}",
            interval(row.prior_q05, row.prior_q95),
            interval(row.posterior_q05, row.posterior_q95),
            str(row.unit),
        )
        for row in rows(informed.head(MOST))
    ]
    numbers = [(head, NUMBER) for head in ("narrower", "prior 90%", "posterior 90%")]
    say_table([("informed parameter", LABEL), *numbers, ("unit", {})], told)
    say()
    if len(informed) > MOST:
        say(wrapped(f"and {len(informed) - MOST} more; tables/parameters.csv has all."))
        say()


def _targets(targets: pd.DataFrame) -> None:
    told = [
        (
            str(row.label),
            span(row.record_low, row.record_high),
            interval(row.prior_q05, row.prior_q95),
            interval(row.posterior_q05, row.posterior_q95),
            "yes" if row.inside else "no",
        )
        for row in rows(targets)
    ]
    numbers = [(head, NUMBER) for head in ("record", "prior 90%", "posterior 90%")]
    say_table([("target", LABEL), *numbers, ("inside", {})], told)
    say()
