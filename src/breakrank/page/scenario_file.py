"""A scenario file that is brought to the page: checked like one for ``--with``, and told as questions."""

from __future__ import annotations

from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, Any

from breakrank.case.changes import counterfactual, counterfactuals_in
from breakrank.errors import UsageError
from breakrank.page.case_view import numbers_in, plain, shown_counterfactual

if TYPE_CHECKING:
    from breakrank.case import Case
    from breakrank.case.models_events import Counterfactual

LONGEST = 100_000
"""Characters of a file, at most."""


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
        "events": [plain(event) for event in counterfactual(case, one).events if event.id in other],
        "without_events": shown["without"],
        **dict(zip(("places", "funds"), numbers_in(one.edit) or ({}, {}), strict=True)),
    }
    return {name: shown[name] for name in ("id", "title", "question", "changes")} | {"asks": asks}


def _called(name: str) -> str:
    """Return the last part of a file's name, short and printable."""
    last = PurePosixPath(PureWindowsPath(name).name).name
    return "".join(c for c in last if c.isprintable())[:80] or "the file"
