"""The five views of the page, each an answer: what happened, why, what if, plan, and what next."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from breakrank.errors import UsageError
from breakrank.page import ahead, why
from breakrank.page.background import Background
from breakrank.page.downloads import call_options, python, scenario
from breakrank.page.request_body import body_of, read
from breakrank.page.requests import WantedFile, WantedView
from breakrank.page.shown import shown
from breakrank.runs.store import Store

if TYPE_CHECKING:
    from breakrank.answer.answer import Answer
    from breakrank.case import Case
    from breakrank.page.state import PageState

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


class NotYetError(Exception):
    """A long answer is still being computed; holds how far it is."""

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

        def work() -> dict[str, Any]:
            try:
                answer, case, more = self._answer(asked)
            except NotYetError as not_yet:
                return not_yet.told
            return shown(answer, case, **more)

        found = await self._page_state.read(work)
        return JSONResponse(found, headers={"cache-control": "no-store"})

    async def share(self, request: Request) -> Response:
        """Give a view as a file, or the question behind it as code."""
        asked: WantedFile = read(WantedFile, await body_of(request))
        content = await self._page_state.read(self._file, asked)
        what = "py" if asked.what == "python" else asked.what
        name = f"{asked.question.case}-{asked.view}.{what}"
        saved = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
        return Response(content, media_type=TYPES[asked.what], headers=saved)

    def _file(self, asked: WantedFile) -> str | bytes:
        from breakrank.answer.files import RENDERERS

        state, question = self._page_state, asked.question
        case, source = state.case(question.case, question.parameters), state.source(question.case)
        if asked.what == "scenario.yaml":
            return scenario(question, case, source)
        if asked.what == "python":
            return python(question, state.made(question), source)
        try:
            answer, _, _ = self._answer(asked)
        except NotYetError as not_yet:
            raise UsageError("this view is still being computed") from not_yet
        return RENDERERS[f".{asked.what}"](answer)

    def _answer(self, asked: WantedView) -> tuple[Answer, Case, dict[str, Any]]:
        make = {
            "happened": self._happened,
            "why": self._why,
            "whatif": self._whatif,
            "plan": self._plan,
            "next": self._next,
        }[asked.view]
        return make(asked)

    def _happened(self, asked: WantedView) -> tuple[Answer, Case, dict[str, Any]]:
        from breakrank.page.happened import answer

        result = self._page_state.part(asked.question, ())
        told, more = answer(result)
        return told, result.case, more

    def _why(self, asked: WantedView) -> tuple[Answer, Case, dict[str, Any]]:
        state = self._page_state
        case = state.case(asked.question.case)
        key = why.key(case)
        found = self.background.get(key) or (None if asked.go else why.kept(case))
        if found is None:
            found = self._soon(
                key, lambda stop, tell: why.computed(case, self._store, state.team.place, stop, tell)
            )
        told = why.answer(case, found)
        return told, case, {"dots": why.dots(told), "stale": why.is_stale(case, found)}

    def _whatif(self, asked: WantedView) -> tuple[Answer, Case, dict[str, Any]]:
        from breakrank.page.compare import answer, places_that_differ

        if asked.base is None:
            raise UsageError("a what-if needs the unchanged side; name it as base")
        state, question = self._page_state, asked.question
        before, after = state.whole(asked.base), state.whole(question)
        source = state.source(question.case)
        more = call_options(question, state.case(question.case, question.parameters))
        call = f"breakrank compare {source} --with {question.case}-scenario.yaml {more}"
        told = answer(before, after, question, call)
        return told, before.case, {"map": places_that_differ(before, after)}

    def _plan(self, asked: WantedView) -> tuple[Answer, Case, dict[str, Any]]:
        from breakrank.page.reception import answer

        state, question = self._page_state, asked.question
        result = state.part(question, ())
        stated = None
        if question.arrivals != 1:
            stated = state.made(question.model_copy(update={"arrivals": 1.0}))
        plain = state.case(question.case, question.parameters)
        told, more = answer(asked, result, stated, state.source(question.case), plain)
        return told, result.case, more

    def _next(self, asked: WantedView) -> tuple[Answer, Case, dict[str, Any]]:
        state = self._page_state
        case = state.case(asked.question.case)
        found = None if asked.go else ahead.kept(case, asked.as_of)
        day = asked.as_of or (str(found["as_of"]) if found else ahead.usual_day(case))
        key = ahead.key(case, day)
        found = self.background.get(key) or found
        if found is None and not asked.go:
            raise NotYetError({"wait": {"as_of": day}})
        if found is None:
            place, store = state.team.place, self._store
            found = self._soon(key, lambda stop, tell: ahead.computed(case, day, store, place, stop, tell))
        return ahead.answer(case, found), case, {"as_of": day}

    @property
    def _store(self) -> Store:
        return Store(Path(self._page_state.folder))

    def _soon(self, key: str, make: Any) -> dict[str, Any]:  # noqa: ANN401 (as Background has it)
        """Have a long answer made; until it is there, raise how far it is."""
        told = self.background.ask(key, make)
        if "error" in told:
            raise UsageError(str(told["error"]))
        raise NotYetError(told)
