"""What the server has at hand: the cases it offers, the store, the processes that stand ready, and a reader.

Everything that reads answers or draws runs in one thread of its own, so that neither the charts' library nor
a large table keeps the server from answering. Cases have another: a second tab that opens one waits for no
chart of the first. Runs are made in the processes of the team.
"""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from breakrank.case.library import LIBRARY
from breakrank.errors import UsageError, nearest
from breakrank.page.background import shipped
from breakrank.page.case_view import entry, view
from breakrank.page.question import PageQuestion, Parameters, command, key_of
from breakrank.runs.cases import at_large, list_cases, load_case, members_folder
from breakrank.runs.part import variables_of
from breakrank.runs.store import Store
from breakrank.runs.study import Scenario, Study

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.page.background import Found
    from breakrank.results.result import Result
    from breakrank.runs.pool import Pool


P = ParamSpec("P")
R = TypeVar("R")

LOGGED = 4
"""First runs of a question whose event log is kept, as on the command line."""
CASES, RESULTS, DRAWN = 64, 4, 200
"""Cases as questions have them, results, and figures, that are kept in memory."""
FAVOURITE = "venezuela-2019"
"""The case that the page opens with unless another is named."""
BASELINE_RUNS = 40
"""Runs of the baseline, which are made once and then only read."""


class PageState:
    """What all requests share.

    Parameters
    ----------
    store : folder of finished runs, made if there is none.
    team : makes the runs.
    own : folder of the one case that was named on the command line, beside the built-in ones. It goes by the
        id in its case.yaml, and hides a built-in case of that id.
    opens : id of the case that the page opens with; by default that case, or the first there is.
    mechanisms : that every case is run with beside the model's own.

    Raises
    ------
    CaseError
        if the case.yaml of `own` cannot be used.
    """

    def __init__(
        self,
        store: Path,
        team: Pool,
        own: Path | None = None,
        opens: str | None = None,
        mechanisms: Sequence[str] = (),
    ) -> None:
        self.folder, self.team = store, team
        self._mechanisms = tuple(mechanisms)
        if mechanisms:
            from breakrank.model import assembly

            assembly(mechanisms)  # whatever is wrong with them is told before anything is served
        self._own = None if own is None else own.resolve()
        # each is read once, as a case is: the list and the answers are of one state, and a file that is
        # damaged while the page is served keeps nobody from the other cases
        self.entry_of = cache(entry)
        self._own_id = None if self._own is None else str(self.entry_of(self._own)["id"])
        self._opens = opens
        self._lock, self._loading = threading.Lock(), threading.Lock()
        self._loaded: dict[tuple[str, str | None], Case] = {}
        self._shown: dict[str, dict[str, Any]] = {}
        self._made = lru_cache(CASES)(self._make)
        self._results: OrderedDict[tuple[str, int], Result] = OrderedDict()
        self._under_way: dict[str, int] = {}
        self._seen: dict[str, tuple[int, Result]] = {}
        self._store: Store | None = None
        self._drawn: OrderedDict[Hashable, dict[str, Any]] = OrderedDict()
        self._reader, self._librarian = Reader("reader"), Reader("librarian")

    async def read(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Call a function in the thread that reads answers and draws."""
        answer: R = await asyncio.wrap_future(self._reader.submit(lambda: function(*args, **kwargs)))
        return answer

    async def look_up(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Call a function in the thread for cases, whatever the other is busy with."""
        answer: R = await asyncio.wrap_future(self._librarian.submit(lambda: function(*args, **kwargs)))
        return answer

    # Cases.

    @property
    def names(self) -> tuple[str, ...]:
        """The ids of the cases that may be asked about: the built-in ones, and that of the command line."""
        own = () if self._own_id is None else (self._own_id,)
        return (*own, *(name for name in list_cases() if name not in own))

    @property
    def first(self) -> str:
        """The case that the page opens with."""
        return self._opens or self._own_id or FAVOURITE

    def folder_of(self, name: str) -> Path:
        """Return the folder of a case by id; UsageError for any other name.

        Only ids are looked up here: a path is never taken.
        """
        names = self.names
        if name not in names:
            raise UsageError(f"there is no case {name!r:.90}{nearest(name[:90], names)} here")
        if self._own is not None and self._own_id == name:
            return self._own
        return LIBRARY / name

    def source(self, name: str) -> str:
        """Return by what name Python and the command line load a case: its id, or the user's folder."""
        folder = self.folder_of(name)
        return str(folder) if folder == self._own else name

    def case(self, name: str, parameters: Parameters | None = None) -> Case:
        """Return a case by id, as it comes: by default as the members of the ensemble that it comes with.

        UsageError for any other name, and for members of a case that comes with none.
        """
        folder = self.folder_of(name)
        key = (name, parameters)
        with self._loading:
            if key not in self._loaded:
                self._loaded[key] = self._load(folder, parameters)
            return self._loaded[key]

    def _load(self, folder: Path, parameters: Parameters | None) -> Case:
        if parameters == "worlds" and members_folder(folder, None, self._mechanisms) is None:
            raise UsageError(f"{folder.name} comes with no ensemble; ask for its posterior or its values")
        if parameters == "posterior":
            return at_large(folder, "posterior", self._mechanisms)
        return load_case(folder, "point" if parameters == "values" else None, self._mechanisms)

    def shown(self, name: str) -> dict[str, Any]:
        """Return a case as the page shows it before any run; it is put together once."""
        if name not in self._shown:
            self._shown[name] = view(self.case(name), self.baseline(name).model_dump(mode="json"))
        return self._shown[name]

    def made(self, question: PageQuestion) -> Case:
        """Return the case that a question comes to.

        Raises
        ------
        UsageError, CaseError
            for a question that cannot be asked.
        """
        return self._made(question.model_copy(update={"seed": 0, "runs": 1}).text)

    def _make(self, text: str) -> Case:
        question = PageQuestion.model_validate_json(text)
        under = question.under(self.case(question.case, question.parameters))
        return question.made(self.case(question.case, under))

    def key(self, question: PageQuestion) -> str:
        """Return the key of a question's answer."""
        return key_of(self.study(question))

    def baseline(self, name: str) -> PageQuestion:
        """Return the question that the page opens a case with."""
        return PageQuestion(case=name, runs=BASELINE_RUNS)

    def shipped(self, name: str, view: str) -> Found | None:
        """Return what comes with Breakrank for a view of a built-in case, where no mechanism is added."""
        as_it_is = self.folder_of(name).parent == LIBRARY and not self._mechanisms
        return shipped(name, view) if as_it_is else None

    # Runs.

    @property
    def store(self) -> Store:
        """The store, as the reader's thread sees it; made if there is none."""
        with self._lock:
            if self._store is None:
                self._store = Store(self.folder)
            return self._store

    def study(self, question: PageQuestion) -> Study:
        """Return the runs that a question asks for."""
        plain = self.case(question.case, question.parameters)
        asked = Scenario(self.made(question), question.called(plain))
        return Study((asked,), question.runs, question.seed, LOGGED)

    def finished(self, question: PageQuestion) -> int:
        """Return how many of a question's runs are on the disk."""
        stored = self.store.stored(self.made(question), question.seed)
        return len(stored.finished(range(self.study(question).runs)))

    def result(self, question: PageQuestion) -> Result:
        """Return the finished runs of a question; what was read last is kept in memory.

        Raises
        ------
        BreakrankError
            if none is finished.
        """
        case, study = self.made(question), self.study(question)
        key, done = key_of(study), self.finished(question)
        kept = self._results.get((key, done))
        if kept is not None:
            self._results.move_to_end((key, done))
            return kept
        found = self.store.result(case, study.seed, study.runs, log_runs=study.log_runs)
        asked = question.model_copy(update={"runs": study.runs})
        call = command(asked, self.source(question.case), case.mechanisms)
        found = replace(found, command=call).whole
        for old in [one for one in self._results if one[0] == key]:
            del self._results[old]
        self._results[(key, done)] = found
        while len(self._results) > RESULTS:
            self._results.popitem(last=False)
        return found

    def part(self, question: PageQuestion, names: Iterable[str]) -> Result:
        """Return the finished runs of a question with these variables.

        Whatever else was counted is left out, unless it is at hand, or no name is given.
        While the question is under way all parts are given the same runs, those of the last announcement.
        """
        case, study = self.made(question), self.study(question)
        key = key_of(study)
        announced = self._under_way.get(key)
        if announced is not None:
            seen = self._seen.get(key)
            if seen is None or seen[0] != announced:
                seen = self._seen[key] = (announced, self.result(question))
            return seen[1]
        self._seen.pop(key, None)
        kept = self._results.get((key, self.finished(question)))
        if kept is not None:
            return kept
        only = {*names}.intersection(variables_of(case, self.store.stored(case, question.seed).parts()))
        if not only:
            return self.result(question)
        return self.store.result(case, study.seed, study.runs, only=only).whole

    def announce(self, key: str, runs: int | None) -> None:
        """Note the number of runs that a question under way can show; None when it has ended."""
        if runs is None:
            self._under_way.pop(key, None)
        else:
            self._under_way[key] = runs

    def made_of(self, result: Result, what: Hashable, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Return something made of a result; what was made last is kept, by the result and what it is."""
        key = (id(result), what)
        if key not in self._drawn:
            self._drawn[key] = make() | {"of": result}  # held, so that no other result has its id
            while len(self._drawn) > DRAWN:
                self._drawn.popitem(last=False)
        self._drawn.move_to_end(key)
        return {name: value for name, value in self._drawn[key].items() if name != "of"}

    def is_whole(self, question: PageQuestion) -> bool:
        """Whether each run of a question has finished or failed, and not all failed."""
        done, runs = self.finished(question), self.study(question).runs
        failed = self.store.stored(self.made(question), question.seed).failures()
        return done > 0 and done + sum(one.run < runs for one in failed) >= runs

    def whole(self, question: PageQuestion) -> Result:
        """Return all runs of a question that was answered; UsageError if it was not yet."""
        if not self.is_whole(question):
            done, runs = self.finished(question), self.study(question).runs
            raise UsageError(f"{done} of {runs} runs are finished; ask the question first")
        return self.result(question)

    def close(self, seconds: float = 0.0) -> None:
        """End the processes and the threads; wait so long at most for what the threads are doing."""
        self.team.close()
        close_all((self._reader, self._librarian), seconds)


class Reader:
    """A daemon thread with a list of things to do, that is waited for only so long in the end.

    The standard executor would do, were it not that Python waits for its threads when it ends: a reader in
    the middle of a large table would hold up Ctrl-C. One that is within compiled code when Python ends aborts
    the process, so it is given a moment to come to an end.
    """

    def __init__(self, name: str) -> None:
        self._todo: queue.SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None] = queue.SimpleQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._work, name=f"breakrank {name}", daemon=True)
        self._thread.start()

    def submit(self, function: Callable[[], Any]) -> Future[Any]:
        """Have a function called after those that were submitted before; return its future."""
        answer: Future[Any] = Future()
        self._todo.put((function, answer))
        return answer

    def stop(self) -> None:
        """Begin nothing more."""
        self._closed = True
        self._todo.put(None)

    def join(self, seconds: float) -> None:
        """Wait for what is under way, at most so long."""
        self._thread.join(seconds)

    def _work(self) -> None:
        while (one := self._todo.get()) is not None:
            function, answer = one
            if self._closed:
                answer.cancel()
            if not answer.set_running_or_notify_cancel():
                continue
            try:
                answer.set_result(function())
            except BaseException as error:
                answer.set_exception(error)


def close_all(readers: Sequence[Reader], seconds: float) -> None:
    """Have readers begin nothing more, and wait so long at most, all in all, for what they are doing."""
    limit = time.monotonic() + seconds
    for one in readers:
        one.stop()
    for one in readers:
        one.join(max(0.0, limit - time.monotonic()))
