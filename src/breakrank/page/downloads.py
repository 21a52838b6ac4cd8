"""What can be taken away: the scenario as a file and as Python, the report, and tables."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from breakrank.case.write import to_yaml
from breakrank.errors import UsageError
from breakrank.page.question import PageQuestion, cleaned, composed, exact
from breakrank.page.state import PageState
from breakrank.runs.cases import lived_under

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.results import Result

FILES = {
    "scenario.yaml": "text/yaml; charset=utf-8",
    "python": "text/x-python; charset=utf-8",
    "report.html": "text/html; charset=utf-8",
    "outcomes.csv": "text/csv; charset=utf-8",
    "series.csv": "text/csv; charset=utf-8",
    "comparison.pdf": "application/pdf",
    "comparison.xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "comparison.csv": "text/csv; charset=utf-8",
    "comparison-daily.csv": "text/csv; charset=utf-8",
}
"""What there is, with its type."""


def take(
    page_state: PageState, question: PageQuestion, what: str, base: PageQuestion | None = None
) -> tuple[str, str | bytes]:
    """Return the name of the file, and its content.

    Raises
    ------
    UsageError
        for an answer that is not finished, where it takes one, or a comparison without the unchanged side.
    """
    case = page_state.case(question.case, question.parameters)
    if what == "scenario.yaml":
        return f"{question.case}-scenario.yaml", scenario(question, case, page_state.source(question.case))
    if what == "python":
        return f"{question.case}.py", python(
            question, page_state.made(question), page_state.source(question.case)
        )
    if what.startswith("comparison"):
        return f"{question.case}-{what}", _comparison(page_state, question, base, what)
    made: dict[str, Callable[[Result], str]] = {"report.html": _report, "outcomes.csv": _outcomes}
    text = made.get(what, series)(page_state.whole(question))
    return f"{question.case}-{what}", text


def _comparison(
    page_state: PageState, question: PageQuestion, base: PageQuestion | None, what: str
) -> str | bytes:
    from breakrank.page.compare import file_of, whole

    if base is None:
        raise UsageError("a comparison needs the unchanged side; name it as base")
    source = page_state.source(question.case)
    options = _options(question, page_state.case(question.case, question.parameters))
    call = f"breakrank compare {shlex.quote(source)} --with {question.case}-scenario.yaml {options}"
    return file_of(whole(page_state.whole(base), page_state.whole(question), question, call), what)


def scenario(question: PageQuestion, case: Case, source: str) -> str:
    """Return the changes as a file in the format of counterfactuals.yaml, with the calls that use it."""
    asked = composed(question, case)
    options = _options(question, case)
    force = " ".join(f"--set {n}={exact(v)}" for n, v in question.set.items() if n.startswith("force."))
    source = shlex.quote(source)
    lines = [f"# {' '.join(case.title.split())}: a scenario asked on the page of Breakrank.", "#"]
    if asked is None:
        what = "Only the force is changed, which no file can hold" if force else "Nothing is changed here"
        lines += [f"# {what}. It is run with", "#"]
        lines += [f"#     breakrank run {source} {options}{' ' + force if force else ''}"]
        return "\n".join(lines) + "\n[]\n"
    lines += ["# Compare it with the case as it is by", "#"]
    lines += [f"#     breakrank compare {source} --with FILE {options}", "#"]
    if force:
        lines += [f"# The force was changed too, which no comparison run by run can hold: {force}", "#"]
    plain = asked.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return "\n".join(lines) + "\n" + to_yaml([plain])


def _options(question: PageQuestion, case: Case) -> str:
    """Return the options of a call on the command line that asks a question."""
    options = f"--runs {question.runs} --seed {question.seed}"
    options += f" --until {question.until}" if question.until else ""
    options += " --ensemble point" if question.parameters == "values" else ""
    return options + "".join(f" --mechanisms {name}" for name in case.mechanisms)


def python(question: PageQuestion, made: Case, source: str) -> str:
    """Return the program that makes the answer again and checks that the case is the same."""
    members = made.draws is not None and lived_under(made) == "members"
    point = made.draws is None and question.parameters == "values"
    under = ', "point"' if point or (made.draws is not None and not members) else ""
    if not members:  # an ensemble is of the mechanisms that the case names itself
        under += f", mechanisms={list(made.mechanisms)!r}" if made.mechanisms else ""
    lines = [
        f'"""{_safe(made.title)}: a question asked on the page of Breakrank."""',
        "",
        "import breakrank",
        "",
        f"case = breakrank.load_case({source!r}{under})",
    ]
    if made.draws is not None and not members:
        lines.append('case = case.with_ensemble("posterior")')
    lines += [f"case = case.counterfactual({one!r})" for one in question.counterfactuals]
    for name in question.without_events:
        lines += [f"if {name!r} in case.events.ids:", f"    case = case.without_event({name!r})"]
    if question.events:
        lines += ["case = case.with_events(", *_literal([cleaned(e) for e in question.events]), ")"]
    if question.set:
        lines += ["case = case.set(", *_literal(dict(question.set)), ")"]
    if question.until:
        lines.append(f"case = case.until({question.until!r})")
    lines += [
        f"assert case.digest == {made.digest!r}, 'the case or the model has changed since'",
        "",
        f"result = breakrank.simulate(case, runs={question.runs}, seed={question.seed})",
        "print(result.table())",
        'result.report("report.html")',
    ]
    return "\n".join(lines) + "\n"


def _safe(text: str) -> str:
    return text.replace("\\", "").replace('"', "'")


def _literal(value: Any) -> list[str]:  # noqa: ANN401 (plain data)
    import pprint

    return [f"    {line}" for line in pprint.pformat(value, width=90, sort_dicts=False).splitlines()]


def _report(result: Result) -> str:
    from breakrank.answer.html import page

    return page(result.answer)


def _outcomes(result: Result) -> str:
    return str(result.table().to_csv())


def series(result: Result) -> str:
    """Return who left, by kind, rank, branch and route, the fates and the shares, as quantiles by day."""
    from breakrank.show.tables import Group, fates, leaving, share, tidy

    groups: tuple[Group, ...] = ("total", "outcome", "rank", "branch", "route")
    every = [one for by in groups for one in leaving(result, by)]
    every += fates(result)
    every += [share(result, name, label) for name, label in _SHARES if name in result.data]
    return str(tidy(every).to_csv(index=False, float_format="%.6g"))


_SHARES = (("opposed", "Privately opposed"), ("belief", "Comrades believed opposed"))
