"""A question as the browser sends it, the case that it comes to, and what requests hold besides.

The body of a request is JSON, refused where it could be read in two ways or not at all, then checked.

Everything in it is checked: names against the case, numbers against the model's ranges, events by the same
checker as the files of a case. It holds no path, and nothing that is run.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from breakrank.answer.question import Option, Question
from breakrank.case.changes import counterfactual, undoes_selection
from breakrank.case.models_events import Changes, Counterfactual
from breakrank.errors import UsageError
from breakrank.page.case_view import edit_of
from breakrank.questions.declared import LEVEL, Plan, TraceQuestion
from breakrank.questions.plan.course import called as many_come
from breakrank.questions.plan.course import crowded
from breakrank.questions.plan.scope import HOST, MOST_STAFF
from breakrank.runs.cases import lived_under
from breakrank.runs.study import exact
from breakrank.show.words import day
from breakrank.wording import call_again, counted

if TYPE_CHECKING:
    from starlette.requests import Request

    from breakrank.case import Case
    from breakrank.runs.study import Study


DEEPEST = 32
"""Levels of lists and mappings in a request, at most; a question has some six."""
Name = Annotated[str, Field(strict=True, min_length=1, max_length=200)]


def ranged(kind: type[Question], name: str) -> Any:  # noqa: ANN401 (a field, as pydantic has it)
    """Return the field of a number that an option of a question takes, with the range of its declaration."""
    one = Option.of(kind, name)
    return Field(strict=True, ge=one.low, le=one.high)


class Sent(BaseModel):
    """The keys of a request; others are refused, and errors do not repeat what was sent."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


async def body_of(request: Request) -> object:
    """Return the JSON of a request.

    Raises
    ------
    UsageError
        for anything that is no JSON, is nested too deep, or holds numbers or characters that are none.
    """
    text = await request.body()
    try:
        found: object = json.loads(text, parse_constant=_refuse, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        raise UsageError("the request is no JSON") from None
    _sound(found, DEEPEST)
    return found


def read(kind: type[Any], given: object) -> Any:  # noqa: ANN401 (one of `kind`)
    """Return a request's JSON as one of `kind`.

    Raises
    ------
    UsageError
        that names the first thing that is wrong and where.
    """
    try:
        return TypeAdapter(kind).validate_python(given)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UsageError(f"{where or 'the question'}: {first['msg'][:300]}") from None


def _sound(value: object, depth: int) -> None:
    """Refuse what JSON can say and no case file can: half of a character, and endless nesting."""
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            raise UsageError("the request holds half of a character (a lone surrogate)") from None
    elif isinstance(value, dict | list):
        if depth == 0:
            raise UsageError(f"the request is nested more than {DEEPEST} deep")
        for part in (*value, *value.values()) if isinstance(value, dict) else value:
            _sound(part, depth - 1)


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return an object of JSON; UsageError where it names a key twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise UsageError("the request names a key twice, so that it could be read in two ways")
    return found


def _refuse(name: str) -> None:
    raise ValueError(name)


Parameters = Literal["worlds", "posterior", "values"]
"""What runs of the page are: members of the case's ensemble, or runs under its posterior or fixed values."""
LONGEST = 100_000
"""Characters of a scenario file, at most."""
MOST_RUNS = 2000
"""Runs a question may ask for; larger studies are for the command line."""
MOST = 200
"""Entries of each kind in a question, at most."""

Names = Annotated[
    tuple[Name, ...], Field(max_length=MOST), AfterValidator(lambda names: tuple(dict.fromkeys(names)))
]
"""Names, each taken once however often it is there, as on the command line."""
Value = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Places = Annotated[int, Field(strict=True, ge=0, le=10**6)]
Funds = Annotated[float, Field(strict=True, ge=0, le=1e12)]


class PageQuestion(Sent):
    """What is asked: a case, what is different in it, and how many runs under which seed."""

    case: Name
    seed: Annotated[int, ranged(Plan, "seed")] = 0
    runs: Annotated[int, Field(strict=True, ge=1, le=MOST_RUNS)] = 40
    counterfactuals: Names = ()
    set: Annotated[dict[Name, Value], Field(max_length=MOST)] = {}
    events: Annotated[tuple[dict[str, Any], ...], Field(max_length=MOST)] = ()
    without_events: Names = ()
    until: Annotated[str, Field(strict=True, pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$")] | None = None
    parameters: Parameters | None = None
    places: Annotated[dict[Name, Places], Field(max_length=MOST)] = {}
    funds: Annotated[dict[Name, Funds], Field(max_length=MOST)] = {}
    arrivals: Annotated[float, ranged(Plan, "arrivals")] = 1.0

    @property
    def text(self) -> str:
        """The question in one spelling."""
        return json.dumps(self.model_dump(mode="json"), sort_keys=True, ensure_ascii=False)

    @property
    def changed(self) -> bool:
        """Whether it changes anything of the case but its last day."""
        return bool(
            self.counterfactuals
            or self.set
            or self.events
            or self.without_events
            or self.places
            or self.funds
        )

    @property
    def alone(self) -> str:
        """The one counterfactual of the case that is asked with nothing beside it; "" where there is more."""
        others = self.model_copy(update={"counterfactuals": self.counterfactuals[1:]})
        return "" if others.changed or not self.counterfactuals else self.counterfactuals[0]

    @property
    def file(self) -> str:
        """What a file of its changes is called."""
        return f"{self.case}-scenario.yaml"

    def made(self, case: Case) -> Case:
        """Return the case as asked: counterfactuals, events left out, then added, values, last day.

        Raises
        ------
        UsageError, CaseError
            for a change that the case does not allow.
        """
        known = {*case.events.ids}
        for one in self.counterfactuals:
            case = case.counterfactual(one)
        for name in self.without_events:
            if name in case.events.ids or name not in known:  # a counterfactual may have taken it out already
                case = case.without_event(name)
        if self.events:
            case = case.with_events([cleaned(one) for one in self.events])
        if self.set:
            case = case.set(dict(self.set))
        if edit := edit_of(self.places, self.funds, case):
            case = counterfactual(case, Changes(id="host", title="Another host", edit=edit))
        case = crowded(case, self.arrivals)
        return case if self.until is None else case.until(self.until)

    def under(self, case: Case) -> Parameters | None:
        """Return what runs are: no members with another force, or a change that undoes their selection.

        Parameters
        ----------
        case : unchanged, under what the question asks for.
        """
        if lived_under(case) != "members":
            return self.parameters
        other = self.parameters is None and any(name.startswith("force.") for name in self.set)
        if not other and (self.changed or self.arrivals != 1):
            plain = PageQuestion(case=self.case, until=self.until).made(case)
            other = undoes_selection(plain, self.made(case))
        instead: Parameters = "values" if case.posterior is None else "posterior"
        return instead if other else self.parameters

    def called(self, case: Case) -> str:
        """Return what the question is called in a store."""
        words = [*(case.counterfactuals.named(one).title for one in self.counterfactuals)]
        words += [set_in_words(name, value) for name, value in self.set.items()]
        words += self._events(case)
        words += [
            f"{case.sites.named(name).label}: {counted(number, 'place')}"
            for name, number in self.places.items()
        ]
        words += [f"{case.payers.named(name).label}: {amount:,.0f}" for name, amount in self.funds.items()]
        words += [many_come(self.arrivals)] if self.arrivals != 1 else []
        return "; ".join(words)[:200] or "case"

    def _events(self, case: Case) -> list[str]:
        """Return which events are changed, a phrase each, with the old day and the new one."""
        known = {e.id: e for one in self.counterfactuals for e in case.counterfactuals.named(one).events}
        known = {event.id: event for event in case.events} | known
        words, put = [], {str(one.get("id")) for one in self.events}
        for one in self.events:
            given = known.get(str(one.get("id")))
            title, date = str(one.get("title", "")), str(one.get("date", ""))
            if given is None:
                words.append(f"{title}, added on {_spoken(date)}")
                continue
            moved = str(given.date) != date
            what = [f"moved from {_spoken(str(given.date))} to {_spoken(date)}"] if moved else []
            what += _effects_changed({e.field: e.value for e in given.effects}, one.get("effects"))
            words.append(", ".join([title, *(what or ["altered"])]))
        gone = [name for name in self.without_events if name not in put]
        return words + [f"without: {known[name].title if name in known else name}" for name in gone]


def set_in_words(name: str, value: float) -> str:
    """Return what setting a parameter is called.

    >>> set_in_words("fear.on", 0.0), set_in_words("pay.basket", 30.0)
    ('Without fear', 'pay.basket = 30')
    """
    mechanism, _, switch = name.partition(".")
    if switch == "on" and value in (0, 1):
        return f"{'With' if value else 'Without'} {mechanism.replace('_', ' ')}"
    return f"{name} = {exact(value)}"


class Asking(PageQuestion):
    """A question that is to be answered now. With `keep`, it goes on when nobody listens any more."""

    keep: Annotated[bool, Field(strict=True)] = False

    @property
    def question(self) -> PageQuestion:
        """The question alone."""
        return PageQuestion(**self.model_dump(exclude={"keep"}))


def key_of(study: Study) -> str:
    """Return the key of a question's answer: of the case it comes to, the seed, and how many runs."""
    parts = json.dumps([study.scenarios[0].case.digest, study.seed, study.runs])
    return hashlib.sha256(parts.encode()).hexdigest()[:40]


def cleaned(event: Mapping[str, Any]) -> dict[str, Any]:
    """Return an event without what a form left empty; one with nothing behind it is an assumption."""
    kept = {k: v for k, v in event.items() if v is not None and v != "" and not (k == "evidence" and not v)}
    if isinstance(kept.get("effects"), list):
        kept["effects"] = [
            {k: v for k, v in one.items() if v is not None} if isinstance(one, dict) else one
            for one in kept["effects"]
        ]
    if "evidence" not in kept and "assumed" not in kept:
        kept["assumed"] = "Added on the page, to ask what would follow."
    return kept


def composed(question: PageQuestion, case: Case) -> Counterfactual | None:
    """Return a question's changes as one counterfactual, as a file for ``--with``; ``None`` without any.

    One of the case that is asked alone is itself. What no counterfactual may hold (values of the force) is
    left out.
    """
    if question.alone:
        return case.counterfactuals.named(question.alone)
    asked = [case.counterfactuals.named(one) for one in question.counterfactuals]
    out = {*question.without_events}
    events = {e.id: e for one in asked for e in one.events if e.id not in out}
    if question.events:
        added = {str(one.get("id")) for one in question.events}
        made = case.with_events([cleaned(one) for one in question.events])
        events |= {e.id: e for e in made.events if e.id in added}
    gone = dict.fromkeys([*(name for one in asked for name in one.without), *question.without_events])
    without = [name for name in gone if name in case.events.ids]
    dropped = {(d.event, d.field): d for one in asked for d in one.without_effects if d.event not in gone}
    values = {name: value for one in asked for name, value in one.values.items()} | dict(question.set)
    values = {name: value for name, value in values.items() if not name.startswith("force.")}
    edit = {file: change for one in asked for file, change in one.edit.items()}
    for file, change in edit_of(question.places, question.funds, case).items():
        edit[file] = {**edit.get(file, {}), **change}
    if not (values or events or without or dropped or edit):
        return None
    return Counterfactual(
        id="asked",
        title=question.called(case),
        question="Asked on the page of Breakrank.",
        set=values,
        events=tuple(events.values()),
        without=tuple(without),
        without_effects=tuple(dropped.values()),
        edit=edit,
    )


def _effects_changed(before: Mapping[str, float], effects: object) -> list[str]:
    """Return which effects of an event are others than those before, a phrase each."""
    put = [one for one in effects if isinstance(one, dict)] if isinstance(effects, list) else []
    after = {str(one.get("field")): one.get("value") for one in put}
    words = [f"without {field.replace('_', ' ')}" for field in before if field not in after]
    for field, value in after.items():
        if isinstance(value, int | float) and value != before.get(field):
            instead = f" instead of {before[field]:g}" if field in before else ""
            words.append(f"{field.replace('_', ' ')} {value:g}{instead}")
    return words


def _spoken(date: str) -> str:
    """Return a day as 30 Apr; what is none, as it stands."""
    try:
        return day(dt.date.fromisoformat(date), year=False)
    except ValueError:
        return date


def call_options(question: PageQuestion, mechanisms: Sequence[str]) -> dict[str, object]:
    """Return the options of a call on the command line that asks what a question does."""
    return {
        "runs": question.runs,
        "seed": question.seed,
        "until": question.until,
        "ensemble": "point" if question.parameters == "values" else None,
        "mechanisms": tuple(mechanisms),
        "set": tuple(f"{name}={exact(value)}" for name, value in question.set.items()),
    }


def command(question: PageQuestion, source: str, mechanisms: Sequence[str] = ()) -> str:
    """Return the call of the command line that asks the same, as far as it can be said in one."""
    text = call_again("run", source, **call_options(question, mechanisms))
    more = [f"counterfactual {one}" for one in question.counterfactuals]
    more += [f"without {one}" for one in question.without_events]
    more += [f"{len(question.events)} events of the page"] if question.events else []
    more += [f"{kind} of {name}" for kind in ("places", "funds") for name in getattr(question, kind)]
    return f"{text}  # and {', '.join(more)}" if more else text


class AboutOne(Sent):
    """A question that was asked."""

    question: PageQuestion


class WantedFigures(AboutOne):
    """Figures of a question's answer by name."""

    names: Annotated[tuple[Name, ...], Field(max_length=60)]


Date = Annotated[str, Field(strict=True, pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]


class WantedLife(Sent):
    """One life: of a soldier, or of one with this fate; by default of a typical one who stayed."""

    question: PageQuestion
    run: Annotated[int, ranged(TraceQuestion, "run")] = 0
    soldier: Annotated[int, ranged(TraceQuestion, "soldier")] | None = None
    fate: Name | None = None


class WantedView(Sent):
    """A view of the page: of a question, and for a what-if of the unchanged side.

    For what comes next also a table of figures beside the record, as `breakrank forecast --observations`
    reads it. With `at_once`, what was computed beforehand, though the runs that it is of may be there.
    """

    view: Literal["happened", "why", "whatif", "plan", "next"]
    question: PageQuestion
    base: PageQuestion | None = None
    place: Name = HOST
    since: Date | None = None
    until: Date | None = None
    level: Annotated[float, ranged(Plan, "level")] = LEVEL
    staff: Annotated[int, Field(strict=True, ge=0, le=MOST_STAFF)] | None = None
    as_of: Date | None = None
    observations: Annotated[str, Field(strict=True, max_length=20_000)] = ""
    go: Annotated[bool, Field(strict=True)] = False
    at_once: Annotated[bool, Field(strict=True)] = False


class WantedFile(WantedView):
    """A view as a file, or the question behind it as code."""

    what: Literal["pdf", "xlsx", "json", "csv", "html", "md", "scenario.yaml", "python"]


class OpenedFile(Sent):
    """The text of a scenario file, for a case."""

    case: Name
    name: Name
    text: Annotated[str, Field(strict=True, max_length=LONGEST)]
    parameters: Parameters | None = None
