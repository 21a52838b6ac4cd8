"""The tables that ``breakrank plan`` prints."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from breakrank.questions.plan.reading_notes import (
    AT_SITES,
    beds_and_places,
    changed,
    full_care,
    funds_assumed,
    meals,
    stands_still,
    too_few,
)
from breakrank.questions.plan.text_tables import (
    care_grid,
    cost_grid,
    needs_grid,
    payers_grid,
    people_grid,
    scenario_grid,
    shelter_grid,
    sites_grid,
    sources_of_needs,
    staff_grid,
    worlds_grid,
)
from breakrank.questions.plan.texts import both, caution, leading, limits, what_changed
from breakrank.results.uncertainty import chance_note
from breakrank.show.provenance import drawn_in_part
from breakrank.show.terminal import LABEL, NUMBER, labelled, say, say_table, title, width, wrapped
from breakrank.show.words import day

if TYPE_CHECKING:
    from breakrank.questions.plan.data import PlanData
    from breakrank.questions.plan.result import Plan
    from breakrank.show.grid import GridTable as Grid


def show(plan: Plan, told: str = "") -> None:
    """Print a plan to standard output; `told` is what was changed of the case. One change leads."""
    runs = f"{plan.runs} run{'s' * (plan.runs != 1)}"
    period = f"{day(plan.period.start)} to {day(plan.period.end)}"
    towns = ", all towns together" if plan.where.host else ""
    say(title(f"{plan.where.label}{towns}: {period}"))
    say(f"{plan.case.title}, {runs}, seed {plan.seed}, {plan.seconds:.1f} s{chance_note(plan.case)}")
    if told:
        say(labelled("Changed:", told, 0, 9))
    say()
    if warning := too_few(plan.assurance, plan.runs):
        say(labelled("Too few:", warning, 0, 9))
        say()
    lead = leading(plan)
    if lead is not plan:
        say(labelled("What if:", what_changed(plan, "What follows shows"), 0, 9))
        say()
    say(wrapped("".join(text for text, _ in both(plan, lead))))
    say()
    for text in (drawn_in_part(plan.case.stands_for), "" if plan.where.host else AT_SITES):
        if text:
            say(wrapped(text))
            say()
    _tables(lead)
    for line in sources_of_needs() if needs_grid(lead).rows else ():
        say(labelled(line[:3], line[4:], 0, 4))
    say()
    _scenarios(plan)
    if plan.base.fallen:
        say(wrapped(stands_still(plan)))
    say(wrapped(caution(plan)))


def _tables(plan: PlanData) -> None:
    """Print the tables of the side that leads."""
    _print(shelter_grid(plan))
    _print(sites_grid(plan))
    if plan.base.sites:
        say(wrapped("By week in the table sites (sheet Sites by week)."))
        say()
    _print(people_grid(plan))
    say(wrapped(f"{beds_and_places(plan)} {meals(plan)}"))
    say()
    _asylum(plan)
    _money(plan)
    _print(needs_grid(plan))


def _asylum(plan: PlanData) -> None:
    if plan.staffings:
        _print(staff_grid(plan))
        if text := limits(plan):
            say(wrapped(text))
            say()
    elif plan.where.host:
        say("Nobody decides on asylum in this case.")
        say()


def _money(plan: PlanData) -> None:
    if plan.base.payers:
        _print(care_grid(plan))
        say(wrapped(full_care(plan)))
        say()
        _print(payers_grid(plan))
        if text := funds_assumed(plan):
            say(wrapped(text))
            say()
        _print(cost_grid(plan, payers=len(plan.base.payers) <= MOST_PAYERS))
    else:
        say("The case names nobody who pays here, so there is no cost.")
        say()


def _scenarios(plan: Plan) -> None:
    if not plan.differences:
        return
    _print(worlds_grid(plan))
    _print(scenario_grid(plan))
    for world in plan.worlds[1:]:
        if world.title != world.id:
            told_of = f"{world.title}. {changed(world)}".strip()
            say(labelled(world.id, told_of, 0, max(len(w.id) for w in plan.worlds[1:]) + 2))
    say()


MOST_PAYERS = 4
"""Up to so many payers have a column each in the table by month."""


FIRST = 21
"""Characters below which the first column of a table is not narrowed, so that its head can be read."""


HEAD = 12
"""Characters to which the head of a column of numbers is broken, unless its cells are wider."""


def _print(grid: Grid) -> None:
    if not grid.rows:
        return
    words = grid.columns[: grid.numbers]
    columns = [(name, LABEL | {"min_width": min(len(name), FIRST)}) for name in words]
    say_table([*columns, *((name, NUMBER) for name in _heads(grid))], grid.rows)
    say()


def _heads(grid: Grid) -> list[str]:
    """Return the heads of the columns of numbers: of a table that is too wide, as narrow as cells allow."""
    cells = [max(len(row[k]) for row in grid.rows) for k in range(len(grid.columns))]
    whole = sum(max(cell, len(name)) + 1 for cell, name in zip(cells, grid.columns, strict=True))
    if whole <= width():
        return list(grid.columns[grid.numbers :])
    heads = zip(grid.columns[grid.numbers :], cells[grid.numbers :], strict=True)
    return ["\n".join(textwrap.wrap(name, max(cell, HEAD), break_long_words=False)) for name, cell in heads]
