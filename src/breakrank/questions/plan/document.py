"""The two-page document of a plan: its texts, tables and charts in reading order, and as one HTML file."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from breakrank.questions.plan.drawings import beds, files_by_staff, persons
from breakrank.questions.plan.drawings import money as money_drawn
from breakrank.questions.plan.persons import PAID_FOR, figures
from breakrank.questions.plan.reading_notes import (
    assured,
    beds_and_places,
    changed,
    covers,
    full_care,
    meals,
    money,
    read_first,
    synthetic,
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
from breakrank.questions.plan.texts import (
    beside,
    both,
    caution,
    full_cost,
    leading,
    limits,
    ranged,
    what_changed,
)
from breakrank.results.uncertainty import chance_note
from breakrank.show.grid import GridTable
from breakrank.show.html import Picture, Tile, rendered
from breakrank.show.look import Look, svg
from breakrank.show.paper import typeset
from breakrank.show.provenance import told
from breakrank.show.style import LIGHT, PAGE, Theme
from breakrank.show.words import day, number

if TYPE_CHECKING:
    from breakrank.questions.plan.data import PlanData
    from breakrank.show.sheet import Drawn

PAGES = 2


def render_pdf(plan: PlanData, paper: str = "a4") -> bytes:
    """Return the document of a plan as PDF: two pages; the same plan gives the same bytes.

    Raises
    ------
    UsageError, BreakrankError
        as :func:`~breakrank.show.paper.typeset`.
    """
    return typeset("plan.typ", asdict(document(plan, LIGHT, "Inter")), PAGES, paper)


SCENARIOS = 3
"""Scenarios side by side in one table of the document; more stand in further tables below."""
MOST_SCENARIOS = 6
"""Scenarios that the document has; the workbook has all."""
PAYERS = 2
"""Payers whose money is drawn; those with a limit come first."""
PAYERS_TOLD = 5
"""Payers with a row in the document, those with the highest cost."""
COLUMNS = 4
"""Up to so many payers have a column each in the cost by month."""
NAMES = 64
"""Room for the names of lines beside a small chart, so that it is as large as its neighbours."""
FULL_FIRST, FULL = (14, 26, 36), (14, 24, 33)
"""Rows of tables on the first and on the second page above which they are set densely, and ever more so."""


@dataclass(frozen=True, slots=True)
class PlanDocument:
    """Everything the two pages say.

    Attributes
    ----------
    title, subtitle, made : heading, what it is of, and how it was made.
    notices : what a reader must know first: a changed case, missing runs.
    first : what decides how the numbers are read.
    finding : parts of text, and whether each is stressed.
    tiles : key figures.
    beds, small : charts of the first page.
    shelter, people, needs, care : its tables; of people in two parts that stand side by side.
    sites : persons by town, site and month. files, staff : chart and table of asylum; either may be missing.
    limits : what decisions wait for, and how many caseworkers keep up.
    money : charts by payer. payers, costs : tables. scenarios : tables of worlds side by side, and of what
        differs, each with at most so many scenarios.
    notes : small print, in order. sources : of the standards, numbered as in the table of needs.
    remade : how to make it again: call, digests, versions.
    """

    title: str
    subtitle: str
    made: str
    notices: tuple[tuple[str, str], ...]
    first: tuple[str, ...]
    finding: tuple[tuple[str, bool], ...]
    tiles: tuple[Tile, ...]
    beds: Picture
    small: tuple[Picture, ...]
    shelter: GridTable
    people: tuple[GridTable, GridTable]
    files: Picture | None
    staff: GridTable
    limits: str
    money: tuple[Picture, ...]
    payers: GridTable
    costs: GridTable
    needs: GridTable
    care: GridTable
    sites: GridTable
    scenarios: tuple[GridTable, ...]
    notes: tuple[str, ...]
    sources: tuple[str, ...]
    remade: tuple[str, ...]

    @property
    def density(self) -> tuple[str, str]:
        """How densely the first and the second page have to be set, as classes of their elements."""
        tables = (self.shelter, self.sites, self.people[0], self.needs)
        first = sum(len(table.rows) for table in tables)
        after = (self.staff, self.payers, self.costs, *self.scenarios)
        second = sum(len(table.rows) for table in after)
        return _density(first + 3 * len(self.notices), FULL_FIRST), _density(second, FULL)


def _density(rows: int, full: tuple[int, int, int]) -> str:
    return " ".join(
        name for name, most in zip(("dense", "denser", "densest"), full, strict=True) if rows > most
    )


def document(plan: PlanData, theme: Theme = LIGHT, font: str = "") -> PlanDocument:
    """Return what the document of a plan says, its charts in the colours of a theme and in a font.

    Where there is exactly one scenario it leads, and the case stands beside it.
    """
    period, lead = plan.period, leading(plan)
    alone = lead is plan
    before = None if alone else plan.base
    found = both(plan, lead)
    wide = Look(theme, wide=740, small=200, tall=150, low=72, still=True).of(plan.case)
    narrow = Look(theme, wide=230, small=168, tall=150, low=78, still=True).of(plan.case)
    runs = f"{plan.runs:,} run{'s' * (plan.runs != 1)}"
    files = _files(lead, wide, font)
    return PlanDocument(
        title=f"Reception plan: {plan.where.label}",
        subtitle=f"{day(period.start)} to {day(period.end)}",
        made=f"{plan.case.title}; {runs}, seed {plan.seed}{chance_note(plan.case)}",
        notices=_notices(plan),
        first=read_first(lead),
        finding=tuple(found),
        tiles=tiles(plan) if alone else beside(tiles(lead), tiles(plan)),
        beds=Picture(
            svg(beds(lead, wide, before)[0], theme, font),
            svg(beds(lead, narrow, before)[0], theme, font),
            "".join(text for text, _ in found),
        ),
        small=_pictures(persons(lead, wide, _HOST if plan.where.host else _SITES)[:3], theme, font),
        shelter=shelter_grid(lead),
        people=_halves(people_grid(lead, half=False)),
        files=files,
        staff=staff_grid(lead),
        limits=limits(lead),
        money=_money(lead, wide, font),
        payers=payers_grid(lead, PAYERS_TOLD),
        costs=cost_grid(lead, payers=len(lead.base.payers) <= COLUMNS),
        needs=needs_grid(lead),
        care=care_grid(lead),
        sites=sites_grid(lead),
        scenarios=_scenarios(plan),
        notes=_notes(plan, lead),
        sources=sources_of_needs() if needs_grid(lead).rows else (),
        remade=_remade(plan),
    )


_HOST = ("arrivals", "in_sites", "private", "street")
_SITES = ("in_sites", "unmet", "children")


def _pictures(drawn: list[Drawn], theme: Theme, font: str = "") -> tuple[Picture, ...]:
    return tuple(Picture.of(one, theme, font) for one in drawn)


def _files(plan: PlanData, look: Look, font: str) -> Picture | None:
    if not plan.staffings or not plan.base.within("requests", plan.period).any():
        return None
    drawn = files_by_staff(plan, look, (look.small - NAMES, look.low))
    return _pictures([drawn], look.theme, font)[0]


def _money(plan: PlanData, look: Look, font: str) -> tuple[Picture, ...]:
    """Return the payers' charts, those with a limit first, at most so many."""
    drawn = money_drawn(plan, look)
    limited = [plan.base.funds[plan.period.last, k] != float("inf") for k in range(len(drawn))]
    order = sorted(range(len(drawn)), key=lambda k: not limited[k])[:PAYERS]
    return _pictures([drawn[k] for k in order], look.theme, font)


def _halves(grid: GridTable) -> tuple[GridTable, GridTable]:
    """Return a long table as two that stand side by side."""
    middle = (len(grid.rows) + 1) // 2
    return replace(grid, rows=grid.rows[:middle]), replace(grid, rows=grid.rows[middle:])


def _scenarios(plan: PlanData) -> tuple[GridTable, ...]:
    """Return the tables of scenarios, so many of these in each."""
    found = []
    grids = (worlds_grid(plan), scenario_grid(plan)) if plan.differences else ()
    for first in range(2, 2 + min(len(plan.worlds) - 1, MOST_SCENARIOS), SCENARIOS):
        for grid in grids:
            keep = [0, 1, *range(first, min(first + SCENARIOS, 2 + MOST_SCENARIOS, len(grid.columns)))]
            rows = tuple(tuple(row[k] for k in keep) for row in grid.rows)
            found.append(GridTable(tuple(grid.columns[k] for k in keep), rows, 1))
    return tuple(found)


def _notices(plan: PlanData) -> tuple[tuple[str, str], ...]:
    changed = told(plan.case)
    found = [("What if", what_changed(plan))] if len(plan.worlds) == 2 else []
    found += [("Changed case", changed)] if changed else []
    if warning := too_few(plan.assurance, plan.runs):
        found.append(("Too few runs", warning))
    if plan.failed or plan.interrupted:
        missing = [f"{len(plan.failed):,} runs failed"] if plan.failed else []
        missing += ["interrupted before all runs were done"] if plan.interrupted else []
        missing += [f"no run of {', '.join(plan.missing)}"] if plan.missing else []
        found.append(("Not all runs", f"{plan.runs:,} finished; {'; '.join(missing)}"))
    return tuple(found)


def tiles(plan: PlanData) -> tuple[Tile, ...]:
    """Return the key figures: beds at the middle assurance, people, days, the full cost of assistance."""
    found = {one.id: one for one in figures(plan.base, plan.period)}

    def tile(name: str, label: str) -> list[Tile]:
        if name not in found:
            return []
        value, _, note = ranged(found[name].spread, plan.runs).partition(" (")
        value = f"at least {value}" if found[name].least else value
        return [Tile(label, value, note.removesuffix(")"))]

    peak = "Need shelter, at the peak" if plan.where.host else "Need here by rule, at the peak"
    key = [*tile("arrivals", "Arrivals"), *tile("need_peak", peak)]
    key += tile("in_sites_peak", "Inside, at the peak") + tile("days_full", "Days no site takes anyone")
    key += tile("need_days", "Person-days of shelter")
    key += tile("street_days", "Person-nights without a roof")
    if cost := plan.assistance():
        paid, gap = number(cost.paid, "people"), number(cost.gap, "people")
        said = f"{PAID_FOR.lower()}: {paid}; gap {gap}"
        key.append(Tile(f"{full_cost(plan)}, {plan.case.currency}", number(cost.full, "people"), said))
    return tuple(key)


def _notes(plan: PlanData, lead: PlanData) -> tuple[str, ...]:
    """Return the small print: what is counted and what is not, scenarios by name, and how it was made."""
    found = [f"{assured(plan.assurance)} {caution(plan)}", f"{covers(plan)}."]
    found += [beds_and_places(lead), meals(lead)]
    shown = plan.worlds[1 : 1 + MOST_SCENARIOS]
    found += [f"{w.id}: {w.title}. {changed(w)}A what-if, assumed." for w in shown if w.title != w.id]
    if len(plan.worlds) > 1 + MOST_SCENARIOS:
        more = len(plan.worlds) - 1 - MOST_SCENARIOS
        found.append(f"The workbook and the tables hold {more} more scenario{'s' * (more != 1)}.")
    if lead.rules is not None and lead.staffings:
        found.append(
            f"Staff: the runs' requests, first come, first served, {lead.rules.effort:g} caseworker days of "
            f"work each after {lead.rules.first_days:g} days of rest, from {day(plan.period.start)} on; "
            "files close without a decision when people leave or get a permit, as in the runs. Waits are in "
            "days, of those decided, however late."
        )
    if lead.base.payers:
        found += [money(lead), full_care(lead)]
    return (*found, synthetic(plan))


def _remade(plan: PlanData) -> tuple[str, ...]:
    """Return how to make the plan again: the call, the seed, digests and versions."""
    digests = [f"{'case' if w is plan.base else w.id} {w.case.digest[:DIGEST]}" for w in plan.worlds]
    runs = ", ".join(dict.fromkeys(f"{len(w.runs):,}" for w in plan.worlds))
    each = " each" if len(plan.worlds) > 1 else ""
    versions = ", ".join(f"{name} {text}" for name, text in plan.versions.items())
    return (
        f"Made by: {plan.command}",
        f"{runs} runs{each}, seed {plan.seed}. Digests: {', '.join(digests)}. {versions}.",
    )


DIGEST = 16
"""Characters of a digest that are printed; the workbook and plan.json have it whole."""


def render(plan: PlanData) -> str:
    """Return the document of a plan as an HTML page, two pages long on A4 or Letter paper.

    The same plan gives the same text.
    """
    return rendered("plan.html.j2", "plan.css", {"d": document(plan, PAGE)})
