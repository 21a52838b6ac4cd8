"""``breakrank store``: what a store holds, and taking out what no study uses any more."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from breakrank.cli.options import Flag
from breakrank.show.terminal import NUMBER, WHOLE, Head, say, say_json, say_table, title
from breakrank.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from breakrank.runs.store import Stock


def list_all(store: Path, /, *, json: Flag = False) -> None:
    """List the ensembles of a store, with their number of runs and size.

    Parameters
    ----------
    store
        The folder given with --store.
    json
        Print one JSON object instead.
    """
    from breakrank.runs.store import Store, stock

    opened = Store(store, create=False)
    found = stock(opened)
    if json:
        say_json({"store": str(opened.folder), "ensembles": [_as_json(one) for one in found]})
        return
    total = sum(one.size for one in found)
    many = counted(len(found), "ensemble")
    say(title(f"{opened.folder}: {many}, {sum(one.runs for one in found):,} runs, {_mb(total)}"))
    if found:
        _print(found, found)
    for one in opened.damaged():
        say(f"{one}")


def clean(store: Path, /, *, yes: Flag = False) -> None:
    """Delete what no study uses any more: ensembles of other versions of the model, and damaged parts.

    Nothing is deleted without --yes. Call it when no study is using the store.

    Parameters
    ----------
    store
        The folder given with --store.
    yes
        Delete. Without it, only list what would be deleted.
    """
    from breakrank.runs.store import Store, stock
    from breakrank.runs.store import clean as cleaned

    opened = Store(store, create=False)
    everything = stock(opened)
    stale = [one for one in everything if not one.current]
    if stale:
        _print(stale, everything)
    else:
        say("No ensemble is of another version of the model.")
    say(f"{_mb(cleaned(opened))} are free now" if yes else "Nothing is deleted yet; say --yes to delete.")


def _print(found: Sequence[Stock], everything: Sequence[Stock]) -> None:
    """Print some ensembles, each with the beginning of a digest that no other of all has under its seed."""
    from breakrank.runs.store import abbreviated

    every = [one.kept for one in everything]
    short = dict(zip(every, abbreviated(every), strict=True))

    numbers = ("seed", "runs", "with events", "failed", "parts", "size")
    columns: list[tuple[str, Head]] = [("case", {}), ("scenario", {}), ("digest", WHOLE)]
    columns += [*((name, NUMBER | WHOLE) for name in numbers), ("made by", WHOLE)]
    rows = []
    for one in found:
        counts = (one.runs, one.logged, one.failed, one.parts)
        made = "this model" if one.current else "another version"
        names = (one.kept.case, one.kept.scenario, short[one.kept], str(one.kept.seed))
        rows.append((*names, *(f"{n:,}" for n in counts), _mb(one.size), made))
    say_table(columns, rows)


def _as_json(one: Stock) -> dict[str, object]:
    kept = one.kept
    about = {"case": kept.case, "scenario": kept.scenario, "seed": kept.seed, "digest": kept.digest}
    names = ("runs", "logged", "failed", "parts", "size", "current")
    return {**about, "folder": str(kept.stored.folder), **{name: getattr(one, name) for name in names}}


def _mb(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"
