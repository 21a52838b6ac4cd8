"""The five views of the page, each an answer: what happened, why, what if, plan, and what next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from breakrank.answer.files import from_json
from breakrank.case.changes import unselected
from breakrank.errors import UsageError
from breakrank.page import answers
from breakrank.page.background import Background, BackgroundMaking
from breakrank.page.question import WantedFile, WantedView, body_of, call_options, read
from breakrank.page.scenario_file import python, scenario
from breakrank.page.shown import shown
from breakrank.questions.paired import draws_said
from breakrank.wording import call_again

if TYPE_CHECKING:
    from threading import Event

    from breakrank.answer.answer import Answer
    from breakrank.case import Case
    from breakrank.page.background import Found, Tell
    from breakrank.page.question import PageQuestion
    from breakrank.page.state import PageState
    from breakrank.results.result import Result

TYPES = {
    "pdf": "application/pdf",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "scenario.yaml": "text/yaml; charset=utf-8",
    "python": "text/x-python; charset=utf-8",
}
"""Files of a view, with their types."""


BEFOREHAND = ("happened", "plan")
"""Views that come with Breakrank as they are shown of a case as it stands, beside the long answers."""


class NotYetError(Exception):
    """An answer is still being computed; holds how far it is."""

    def __init__(self, told: dict[str, Any]) -> None:
        super().__init__("not yet")
        self.told = told


class ViewRoutes:
    """The handlers of the views."""

    def __init__(self, page_state: PageState) -> None:
        self._page_state = page_state
        folder = page_state.folder
        self.background = Background(folder.with_name(f"{folder.name}-kept"))

    async def view(self, request: Request) -> Response:
        """Give a view; one that takes long tells how far it is."""
        asked: WantedView = read(WantedView, await body_of(request))
        found = await self._page_state.read(self.told, asked)
        return JSONResponse(found, headers={"cache-control": "no-store"})

    def told(self, asked: WantedView) -> dict[str, Any]:
        """Return a view as the page shows it, or how far it is."""
        if (found := self._beforehand(asked)) is not None:
            return found
        try:
            answer, more = self._answer(asked)
        except NotYetError as not_yet:
            return not_yet.told
        return shown(answer, **more)

    def _beforehand(self, asked: WantedView) -> dict[str, Any] | None:
        """Return a view that was computed beforehand, while the runs that it is of are not finished here."""
        state, question = self._page_state, asked.question
        usual = WantedView(view=asked.view, question=state.baseline(question.case), at_once=asked.at_once)
        if asked.view not in BEFOREHAND or asked != usual or (state.is_whole(question) and not asked.at_once):
            return None
        if (found := state.shipped(question.case, asked.view)) is None:
            return None
        earlier = found["digest"] != state.made(question).digest
        said = f"Computed beforehand{', for an earlier state of the case' if earlier else ''}."
        told: dict[str, Any] = found["shown"]
        return told | {"doubt": f"{told['doubt']} {said}"}

    async def share(self, request: Request) -> Response:
        """Give a view as a file, or the question behind it as code."""
        asked: WantedFile = read(WantedFile, await body_of(request))
        content = await self._page_state.read(self._file, asked)
        what = "py" if asked.what == "python" else asked.what
        name = f"{asked.question.case}-{asked.view}.{what}"
        name = asked.question.file if asked.what == "scenario.yaml" else name
        saved = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
        return Response(content, media_type=TYPES[asked.what], headers=saved)

    def _file(self, asked: WantedFile) -> str | bytes:
        from breakrank.answer.files import RENDERERS

        state, question = self._page_state, asked.question
        case, source = state.case(question.case, question.parameters), state.source(question.case)
        if asked.what == "scenario.yaml":
            return scenario(question, case, source)
        if asked.what == "python":
            if asked.view == "next":
                asked = asked.model_copy(update={"as_of": self._day(asked, case)[0]})
            made = state.made(question.model_copy(update={"arrivals": 1.0}))
            base = None if asked.base is None else state.made(asked.base)
            return python(asked, made, source, base, answers.place_of(case, asked.place))
        try:
            if self._beforehand(WantedView(**asked.model_dump(exclude={"what", "at_once"}))) is not None:
                raise NotYetError({})
            answer, _ = self._answer(asked)
        except NotYetError as not_yet:
            yet = "is still being" if "progress" in not_yet.told else "has not been"
            raise UsageError(
                f"this view {yet} computed\n  Open it on the page: its files are there once all its runs are."
            ) from not_yet
        return RENDERERS[f".{asked.what}"](answer)

    def _answer(self, asked: WantedView) -> tuple[Answer, dict[str, Any]]:
        """Return the answer of a view, and what the page needs beside it."""
        make = {
            "happened": self._happened,
            "why": self._why,
            "whatif": self._whatif,
            "plan": self._plan,
            "next": self._next,
        }[asked.view]
        return make(asked)

    def _happened(self, asked: WantedView) -> tuple[Answer, dict[str, Any]]:
        result = self._runs(asked.question)
        more = self._so_far(result.answer, result, asked.question)
        return result.answer, {"draws": (), **answers.drawn_here(result), **more}

    def _why(self, asked: WantedView) -> tuple[Answer, dict[str, Any]]:
        case = self._page_state.case(asked.question.case)
        key = answers.why_key(case)
        found = self.background.get(key) or self._kept(asked)
        if found is None:
            found = self._soon(key, lambda making: answers.explanation(case, making))
        told = under(current(from_json(found), unselected(case)), unselected(case), case)
        return told, {"draws": (), "dots": answers.dots(told)}

    def _whatif(self, asked: WantedView) -> tuple[Answer, dict[str, Any]]:
        if asked.base is None:
            raise UsageError("a what-if needs the unchanged side; name it as base")
        state, question = self._page_state, asked.question
        before, after = state.whole(asked.base), state.whole(question)
        options = call_options(question, state.case(question.case, question.parameters).mechanisms)
        options |= {"with": question.alone or question.file, "set": None}
        call = call_again("compare", state.source(question.case), **options)
        return answers.whatif(before, after, question, call), {
            "map": answers.places_that_differ(before, after)
        }

    def _plan(self, asked: WantedView) -> tuple[Answer, dict[str, Any]]:
        state, question = self._page_state, asked.question
        result = self._runs(question)
        stated = None
        if question.arrivals != 1:
            stated = state.made(question.model_copy(update={"arrivals": 1.0}))
        plain = state.case(question.case, question.parameters)

        def made() -> dict[str, Any]:
            told, more = answers.plan(asked, result, stated, state.source(question.case), plain)
            return {"answer": told, "more": more}

        found = state.made_of(result, asked.model_dump_json(exclude={"what", "at_once"}), made)
        told = under(found["answer"], plain, state.case(question.case))
        return told, {"draws": ("beds",), **found["more"], **self._so_far(told, result, question)}

    def _kept(self, asked: WantedView) -> Found | None:
        """Return what comes with Breakrank for a view, unless it is to be made here."""
        return None if asked.go else self._page_state.shipped(asked.question.case, asked.view)

    def _runs(self, question: PageQuestion) -> Result:
        """Return the runs of a question that have finished; NotYetError while there is none."""
        if not self._page_state.finished(question):
            raise NotYetError({})
        return self._page_state.part(question, ())

    def _so_far(self, told: Answer, result: Result, question: PageQuestion) -> dict[str, str]:
        """Return the sentence of an answer of part of its runs, which says of how many; else nothing."""
        runs = self._page_state.study(question).runs
        if result.runs + len(result.failed) >= runs:
            return {}
        return {"finding": f"So far, of {result.runs} of {runs} runs: {told.finding}"}

    def _next(self, asked: WantedView) -> tuple[Answer, dict[str, Any]]:
        case, table = self._page_state.case(asked.question.case), asked.observations
        day, found = self._day(asked, case)
        key = answers.next_key(case, day, table)
        found = self.background.get(key) or found
        if found is None and not asked.go:
            raise NotYetError({"wait": {"as_of": day}})
        if found is None:
            file = self.background.folder / f"{key}.csv" if table else None
            found = self._soon(key, lambda making: answers.forecast(case, day, making, file, table))
        told = from_json(found)
        if not table:  # with which the digest is another
            told = current(told, case.with_draws(None))
        return answers.with_evidence(told, case), {
            "as_of": day,
            "ahead": answers.forecast_numbers(told, case),
        }

    def _day(self, asked: WantedView, case: Case) -> tuple[str, Found | None]:
        """Return the day of a forecast, and the one that comes with Breakrank for it."""
        found = self._kept(asked)
        if found and (asked.observations or asked.as_of not in (None, answers.day_of(found))):
            found = None
        return asked.as_of or (answers.day_of(found) if found else answers.usual_day(case)), found

    def _soon(self, key: str, compute: Callable[[BackgroundMaking], Answer]) -> Found:
        """Have a long answer made; until it is there, raise how far it is."""

        def make(stop: Event, tell: Tell) -> Found:
            with BackgroundMaking(self._page_state.folder, self._page_state.team.place(stop), tell) as making:
                return compute(making).as_json()

        told = self.background.ask(key, make)
        if "error" in told:
            raise UsageError(str(told["error"]))
        raise NotYetError(told)


def under(told: Answer, case: Case, usual: Case) -> Answer:
    """Return an answer, which says so where its draws are not those of What happened."""
    if case.digest == usual.digest:
        return told
    return replace(told, doubt=f"{told.doubt} {draws_said(case)}")


def current(found: Answer, case: Case) -> Answer:
    """Return a kept answer, which says so where it was made for an earlier state of the case."""
    if found.provenance.digest == case.digest:
        return found
    return replace(found, doubt=f"{found.doubt} Computed beforehand, for an earlier state of the case.")
