"""The question behind a view as code: a scenario file, and a program; and a scenario file brought back.

It is checked like one for ``--with``, and told as questions.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, Any

from breakrank.case.changes import counterfactual, counterfactuals_in
from breakrank.case.files import to_yaml
from breakrank.errors import UsageError
from breakrank.page.answers import OUTCOMES, staff_of
from breakrank.page.case_view import edit_of, numbers_in, part, shown_counterfactual
from breakrank.page.question import PageQuestion, call_options, cleaned, composed
from breakrank.questions.paired import check_pair
from breakrank.runs.cases import lived_under
from breakrank.runs.study import exact
from breakrank.wording import call_again

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.case.models_events import Counterfactual
    from breakrank.page.question import WantedView


def scenario(question: PageQuestion, case: Case, source: str) -> str:
    """Return the changes as a file in the format of counterfactuals.yaml, with the calls that use it."""
    asked, options = composed(question, case), call_options(question, case.mechanisms)
    force = tuple(f"{name}={exact(v)}" for name, v in question.set.items() if name.startswith("force."))
    lines = [f"# {' '.join(case.title.split())}: a scenario asked on the page of Breakrank.", "#"]
    if asked is None:
        what = "Only the force is changed, which no file can hold" if force else "Nothing is changed here"
        lines += [f"# {what}. It is run with", "#"]
        lines += [f"#     {call_again('run', source, **options | {'set': force})}"]
        return "\n".join(lines) + "\n[]\n"
    lines += ["# Compare it with the case as it is by", "#"]
    lines += [
        f"#     {call_again('compare', source, **{'with': question.file} | options | {'set': None})}",
        "#",
    ]
    if force:
        said = " ".join(f"--set {one}" for one in force)
        lines += [f"# The force was changed too, which no comparison run by run can hold: {said}", "#"]
    plain = asked.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return "\n".join(lines) + "\n" + to_yaml([plain])


def python(asked: WantedView, made: Case, source: str, base: Case | None, place: str) -> str:
    """Return the program that makes the answer of a view again and checks that the case is the same.

    Parameters
    ----------
    asked : of a forecast with its day.
    made : the case as asked; of a plan its host, whose arrivals stand for themselves.
    base : the unchanged case, where the view stands beside one. place : that a plan is for.

    Raises
    ------
    UsageError
        for a what-if with another force, which no comparison run by run can hold.
    """
    if asked.view == "whatif" and base is not None:
        check_pair(base, made)
    question = asked.question.model_copy(update={"arrivals": 1.0})
    lived, load = lived_under(made), repr(source)
    if lived != "members":  # an ensemble is of the mechanisms that the case names itself
        load += ', "point"' + (f", mechanisms={list(made.mechanisms)!r}" if made.mechanisms else "")
    lines = [
        f'"""{_safe(made.title)}: a question asked on the page of Breakrank."""',
        "",
        "import breakrank",
        "",
        f"case = breakrank.load_case({load})",
    ]
    if lived == "posterior":
        lines.append('case = case.with_ensemble("posterior")')
    if base is None or asked.base is None:
        lines += _changes(question, made, "case")
    else:
        lines += ["other = case", *_changes(question, made, "other"), *_changes(asked.base, base, "case")]
    figures = beside = ""
    if asked.observations:
        figures = ', observations="figures.csv"'
        lines += ["from pathlib import Path", 'Path("figures.csv").write_text(']
        lines += [*_literal(asked.observations), ', encoding="utf-8")']
    if base is not None and base.digest != made.digest:
        beside = f", scenarios={{{question.called(base)!r}: other}}"
    # By its name, so that the answer says what the literature expects of it.
    other = repr(question.alone) if question.alone else "other"
    times = f"runs={question.runs}, seed={question.seed}"
    call = {
        "happened": f"simulate(case, {times}).answer",
        "why": f"explain(case, outcomes={OUTCOMES!r}, date={str(made.calendar.end)!r})",
        "whatif": f"compare(case, {other}, {times})",
        "plan": f"plan(case{beside}, at={place!r}, since={asked.since!r}, until={asked.until!r}, "
        f"level={asked.level!r}, staff={staff_of(asked)!r}, arrivals={asked.question.arrivals!r}, {times})",
        "next": f"forecast(case, {asked.as_of!r}{figures}).answer",
    }[asked.view]
    lines += ["", f"answer = breakrank.{call}", "answer.show()", 'answer.write("report.html")']
    return "\n".join(lines) + "\n"


def _changes(question: PageQuestion, made: Case, name: str) -> list[str]:
    """Return the lines that change a case as a question does, and check that it has become what it was."""
    lines = [f"{name} = {name}.counterfactual({one!r})" for one in question.counterfactuals]
    for event in question.without_events:
        lines += [f"if {event!r} in {name}.events.ids:", f"    {name} = {name}.without_event({event!r})"]
    if question.events:
        lines += [f"{name} = {name}.with_events(", *_literal([cleaned(e) for e in question.events]), ")"]
    if question.set:
        lines += [f"{name} = {name}.set(", *_literal(dict(question.set)), ")"]
    if edit := edit_of(question.places, question.funds, made):
        host = {"id": "host", "title": "Another host", "edit": edit}
        lines += ["from breakrank.case.changes import counterfactual"]
        lines += ["from breakrank.case.models_events import Changes"]
        lines += [f"{name} = counterfactual({name}, Changes.model_validate(", *_literal(host), "))"]
    if question.until:
        lines.append(f"{name} = {name}.until({question.until!r})")
    return [*lines, f"assert {name}.digest == {made.digest!r}, 'the case or the model has changed since'"]


def _safe(text: str) -> str:
    return text.replace("\\", "").replace('"', "'")


def _literal(value: Any) -> list[str]:  # noqa: ANN401 (plain data)
    import pprint

    return [f"    {line}" for line in pprint.pformat(value, width=90, sort_dicts=False).splitlines()]


def opened(case: Case, text: str, name: str) -> list[dict[str, Any]]:
    """Return the scenarios of a file, each with what a question of this case has to ask for the same.

    Parameters
    ----------
    case : the case that the file is for.
    text : the file, in the format of counterfactuals.yaml.
    name : what it is called where it was opened; no file of that name is looked for.

    Raises
    ------
    UsageError, CaseError
        for the first thing in it that cannot be used, by its line.
    """
    items = counterfactuals_in(case, text, Path(_called(name)))
    if not items:
        raise UsageError(f"{_called(name)} holds no scenario: nothing of the case is changed in it")
    edits = next((one.id for one in items if numbers_in(one.edit) is None), None)
    if edits is not None:
        raise UsageError(
            f"{edits} in {_called(name)} writes over files of the case (edit); the page can ask for "
            "places of sites and sums of payers only\n"
            "  Ask it with `breakrank compare CASE --with FILE`."
        )
    return [_scenario(one, case) for one in items]


def _scenario(one: Counterfactual, case: Case) -> dict[str, Any]:
    """Return a counterfactual as the page shows it, with its changes in the words of a question.

    An event that loses an effect is asked for as the event it becomes.
    """
    shown = shown_counterfactual(one, case)
    other = {*(event.id for event in one.events), *(each.event for each in one.without_effects)}
    asks = {
        "set": shown["set"],
        "events": [part(event) for event in counterfactual(case, one).events if event.id in other],
        "without_events": shown["without"],
        **dict(zip(("places", "funds"), numbers_in(one.edit) or ({}, {}), strict=True)),
    }
    return {name: shown[name] for name in ("id", "title", "question", "changes")} | {"asks": asks}


def _called(name: str) -> str:
    """Return the last part of a file's name, short and printable."""
    last = PurePosixPath(PureWindowsPath(name).name).name
    return "".join(c for c in last if c.isprintable())[:80] or "the file"
