"""Questions under way: each is carried out once, however many tabs ask it, and heard by all who ask.

How long one takes on this machine, and how much memory, is told before it begins. A question whose last
listener has gone is interrupted: what is finished is kept, and the same question goes on from there.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from breakrank.errors import BreakrankError
from breakrank.page.question import PageQuestion, Sent, key_of
from breakrank.page.state import PageState
from breakrank.runs.store import Store

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.runs.carry_out import Account, StudyProgress
    from breakrank.runs.study import Study


TYPICAL, START = 2e8, 0.06
"""Days of a soldier that a core makes in a second, and seconds that a run takes besides (AMD EPYC)."""
WAR = 2.5
"""Times as long that a run takes where units fight."""
LEAST = 3.0
"""Seconds that runs have to take before the pace is learnt from them: of fewer, chance tells too much."""
PROCESS, SOLDIER = 310e6, 300.0
"""Bytes that a process holds, and that each soldier adds: 311 MB at 20,000 for a year, 470 MB at 600,000."""


class WantedCost(Sent):
    """Questions that would be asked one after the other."""

    questions: Annotated[tuple[PageQuestion, ...], Field(min_length=1, max_length=3)]


class Speed:
    """How fast this server makes runs: those of a case as last measured, others as the last study was.

    Parameters
    ----------
    workers : processes that make runs.
    """

    def __init__(self, workers: int) -> None:
        self._pace = 1 / workers
        self._paces: dict[str, float] = {}

    def learn(self, case: Case, made: int, seconds: float) -> None:
        """Note how many seconds some runs of a case took processes that had started."""
        if made and seconds >= LEAST:
            self._pace = self._paces[case.id] = seconds / (made * usual(case))

    def measured(self, case: Case) -> bool:
        """Return whether the runs of a case were measured here."""
        return case.id in self._paces

    def seconds(self, case: Case, runs: int) -> float:
        """Return the time that runs of a case take."""
        return runs * usual(case) * self._paces.get(case.id, self._pace)


def usual(case: Case) -> float:
    """Return the seconds that a run takes one core of a usual machine, if the regime does not fall before."""
    days = float(case.force.strength) * case.calendar.days
    fights = "war.on" in case.parameters and case.value("war.on")
    return START + days / TYPICAL * (WAR if fights else 1.0)


def cost_of(questions: Sequence[PageQuestion], state: PageState, speed: Speed) -> dict[str, Any]:
    """Return the time that questions would take, and the memory; of runs that are kept nothing."""
    store, runs, seconds, most, measured = Store(state.folder), 0, 0.0, 0, True
    for study in map(state.study, questions):
        case = study.scenarios[0].case
        missing = study.runs - len(store.stored(case, study.seed).finished(range(study.runs)))
        runs += missing
        seconds += speed.seconds(case, missing)
        measured &= speed.measured(case)
        most = max(most, case.force.strength)
    return {
        "runs": runs,
        "soldiers": most,
        "seconds": round(seconds, 1),
        "memory": round(state.team.size * (PROCESS + SOLDIER * most)) if runs else 0,
        "measured": measured,
    }


ENOUGH = 2
"""Runs on the disk from which there are first bands."""
GROWTH = 2.0
"""Factor by which runs on the disk have to grow until new bands are announced."""
REST = 0.5
"""Seconds between two such announcements, at least."""
OFTEN = 0.2
"""Seconds between two lines of progress."""
FORESEEN = 2
"""Runs of each process that weigh as much for the time left as what was foreseen."""
QUIET = 1.0
"""Seconds without news after which the last line is sent again, so that a closed connection is noticed."""
ENDS = ("done", "failed")
CLOSING = "the page is being closed; what is finished is kept"

Line = dict[str, Any]


class Job:
    """One question under way."""

    def __init__(self, page_state: PageState, study: Study, speed: Speed) -> None:
        self.key = key_of(study)
        self._page_state, self._study, self._speed = page_state, study, speed
        self._case = study.scenarios[0].case
        self._loop = asyncio.get_running_loop()
        self._stop = threading.Event()
        self._listeners: set[asyncio.Queue[Line]] = set()
        self._begun = time.monotonic()
        self._last: dict[str, Line] = {}
        self._told = 0.0
        self._kept = self._announced = 0
        self._warm: tuple[int, float] | None = None
        self._said = -REST
        self.keep = False
        self._thread = threading.Thread(target=self._carry_out, name=f"breakrank {self.key[:8]}", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    @property
    def over(self) -> bool:
        """Whether it has ended, or is about to."""
        return self._stop.is_set() or any(end in self._last for end in ENDS)

    def stop(self) -> None:
        """Interrupt it; what is finished is kept."""
        self._stop.set()

    def close(self) -> None:
        """Interrupt it, and tell who listens at once: nobody has to wait for the run that is under way."""
        self.stop()
        self._tell({"type": "failed", "error": CLOSING})

    def join(self, seconds: float) -> None:
        """Wait for it to have ended."""
        self._thread.join(seconds)

    def listen(self) -> asyncio.Queue[Line]:
        """Return what a new listener hears: first what was told last, then whatever comes."""
        heard: asyncio.Queue[Line] = asyncio.Queue()
        for line in self._last.values():
            heard.put_nowait(line)
        self._listeners.add(heard)
        return heard

    def leave(self, heard: asyncio.Queue[Line]) -> None:
        """Let a listener go; after the last, the question is interrupted."""
        self._listeners.discard(heard)
        if not self._listeners and not self.keep:
            self.stop()

    async def lines(self, heard: asyncio.Queue[Line]) -> AsyncIterator[Line]:
        """Yield what a listener hears, to the end."""
        yield {"type": "begun", "key": self.key, "of": self._study.runs}
        while True:
            try:
                line = await asyncio.wait_for(heard.get(), QUIET)
            except TimeoutError:
                line = self._last.get("progress") or self._progress(0, 0, None)
            yield line
            if line["type"] in ENDS:
                return

    # In the question's thread.

    def _carry_out(self) -> None:
        try:
            line = self._ended()
        finally:
            self._page_state.announce(self.key, None)
        self._tell(line)

    def _ended(self) -> Line:
        """Carry the question out and return the line that ends it."""
        from breakrank.runs.carry_out import carry_out

        study = self._study
        try:
            store = Store(self._page_state.folder)
            self._kept = len(store.stored(self._case, study.seed).finished(range(study.runs)))
            self._announce()
            place = self._page_state.team.place(self._stop)
            account = carry_out(study, store, place, self._watch)
            if self._warm is not None:
                made, at = self._warm
                self._speed.learn(self._case, account.made - made, time.monotonic() - at)
        except BreakrankError as error:
            return {"type": "failed", "error": str(error)}
        except KeyboardInterrupt:
            return {"type": "failed", "error": "stopped"}
        except Exception as error:  # whatever it is, whoever waits has to hear of it
            return {"type": "failed", "error": f"{type(error).__name__}: {error}"}
        return self._end(account)

    def _end(self, account: Account) -> Line:
        seconds = round(time.monotonic() - self._begun, 3)
        if account.interrupted:
            return {"type": "failed", "error": f"stopped; {account.finished} finished runs are kept"}
        if not account.finished:
            why = f"; the first says: {account.failed[0]}" if account.failed else ""
            return {"type": "failed", "error": f"none of {account.asked} runs finished{why}"}
        first = str(account.failed[0]) if account.failed else ""
        return {
            "type": "done",
            "key": self.key,
            "runs": account.finished,
            "failed": len(account.failed),
            "first_failure": first,
            "reused": account.reused,
            "seconds": seconds,
        }

    def _watch(self, tally: StudyProgress) -> None:
        self._kept = tally.done
        self._announce()
        now = time.monotonic()
        made = tally.done - tally.reused
        if self._warm is None and made >= self._page_state.team.size:
            self._warm = (made, now)  # before, the processes started and compiled, which tells of no speed
        if now - self._told >= OFTEN or tally.done + tally.failed == tally.total:
            self._told = now
            left = self._left(tally.total - tally.done - tally.failed, made, now)
            self._tell(self._progress(tally.done, tally.failed, left))

    def _left(self, open_: int, made: int, now: float) -> float:
        """Return the seconds that open runs take: as foreseen at first, then more and more as measured."""
        foreseen, weight = self._speed.seconds(self._case, 1), FORESEEN * self._page_state.team.size
        warm, since = self._warm or (made, now)
        return open_ * (now - since + weight * foreseen) / (made - warm + weight)

    def _progress(self, done: int, failed: int, left: float | None) -> Line:
        return {
            "type": "progress",
            "done": done,
            "failed": failed,
            "of": self._study.runs,
            "seconds": round(time.monotonic() - self._begun, 2),
            "left": None if left is None else round(left, 1),
        }

    def _announce(self) -> None:
        enough = min(ENOUGH, self._study.runs)
        now = time.monotonic()
        if self._kept >= max(enough, GROWTH * self._announced) and now - self._said >= REST:
            self._announced, self._said = self._kept, now
            self._page_state.announce(self.key, self._kept)
            self._tell({"type": "bands", "done": self._kept})

    def _tell(self, line: Line) -> None:
        with suppress(RuntimeError):  # the server has ended meanwhile
            self._loop.call_soon_threadsafe(self._spread, line)

    # In the server's thread.

    def _spread(self, line: Line) -> None:
        self._last.pop(line["type"], None)
        self._last[line["type"]] = line
        for heard in self._listeners:
            heard.put_nowait(line)


class Questions:
    """All questions under way, by key."""

    def __init__(self, page_state: PageState) -> None:
        self._page_state = page_state
        self.speed = Speed(page_state.team.size)
        self._asked: dict[str, Job] = {}

    async def ask(self, question: PageQuestion, keep: bool = False) -> tuple[Job, asyncio.Queue[Line]]:
        """Begin to carry a question out, or join those who wait for it already; listening has begun.

        Whoever listens has to :meth:`Job.leave` in the end.

        Raises
        ------
        UsageError, CaseError
            for a question that cannot be asked.
        """
        study = await self._page_state.look_up(self._page_state.study, question)
        key = key_of(study)
        for old in [k for k, one in self._asked.items() if one.over]:
            del self._asked[old]
        asked = self._asked.get(key)
        if asked is None:
            asked = self._asked[key] = Job(self._page_state, study, self.speed)
            asked.start()
        asked.keep |= keep
        return asked, asked.listen()

    def close(self) -> None:
        """Interrupt all of them; what is finished is kept. May be called from any thread."""
        for one in list(self._asked.values()):
            one.close()

    def join(self, seconds: float) -> None:
        """Wait until they have ended, all in all so long."""
        limit = time.monotonic() + seconds
        for one in self._asked.values():
            one.join(max(0.0, limit - time.monotonic()))
