"""``breakrank trace``: the year of one synthetic soldier."""

from __future__ import annotations

from dataclasses import dataclass

from cyclopts import Parameter

from breakrank.cli.ensemble import ensemble_case
from breakrank.cli.options import DatedOptions, Events, Flag, Whole
from breakrank.cli.progress import live
from breakrank.errors import UsageError
from breakrank.show.terminal import note, say, say_json, wrapped

RUNS = 100
"""Runs among which one is taken: as many as `breakrank run` makes."""


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class WhoOptions:
    """Of whom one is taken.

    Attributes
    ----------
    rank
        With --fate: of this rank, by its id in force.yaml.
    branch
        With --fate: of this branch, by its id in force.yaml.
    """

    rank: str | None = None
    branch: str | None = None


def trace(
    case: str,
    /,
    *,
    soldier: Whole | None = None,
    fate: str | None = None,
    who: WhoOptions = WhoOptions(),
    run: Whole = 0,
    events: Events = None,
    options: DatedOptions = DatedOptions(),
    json: Flag = False,
) -> None:
    """Describe the year of one soldier, with his reasons at each moment of decision.

    Soldiers are synthetic. The same case, seed and run give the same life as in the ensemble.

    Parameters
    ----------
    case
        Name of a built-in case, or a case folder.
    soldier
        His identity, a number from 0.
    fate
        Instead of an identity: someone who ended the year this way, e.g. registered or dead.
    run
        Which run, from 0.
    json
        Print one JSON object instead.
    """
    from breakrank.lives.trace import find_soldier
    from breakrank.lives.trace import trace as told

    if (soldier is None) == (fate is None):
        raise UsageError("name either a soldier (--soldier 1234) or how his year ended (--fate registered)")
    if fate is None and (who.rank or who.branch):
        raise UsageError("--rank and --branch go with --fate: a soldier by number has one of each")
    made = ensemble_case(case, options, events, RUNS, json)
    changed = made.case
    with live("One life", json):
        if soldier is None:
            assert fate is not None
            soldier = find_soldier(changed, fate, options.seed, run, rank=who.rank, branch=who.branch)
        life = told(changed, soldier, options.seed, run)
    if fate is not None and not json:
        note(f"soldier {soldier}: the one of those {fate} in run {run} of whom the log says most")
    if json:
        say_json(life.to_dict())
        return
    if made.told:
        say(wrapped(f"Changed: {made.told}"))
        say()
    for paragraph in str(life).split("\n"):
        say(wrapped(paragraph))
