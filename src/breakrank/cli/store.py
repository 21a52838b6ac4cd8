"""``breakrank store``: what a store holds, and taking out what no study uses any more."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from breakrank.cli.options import Flag
from breakrank.show.terminal import NUMBER, WHOLE, Head, say, say_json, say_table, title
from breakrank.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from breakrank.runs.store import Kept


def list_all(store: Path, /, *, json: Flag = False) -> None:
    """List the ensembles of a store, with their number of runs and size.

    Parameters
    ----------
    store
        The folder given with --store.
    json
        Print one JSON object instead.
    """
    from breakrank.runs.identity import code_digest
    from breakrank.runs.store import Store

    opened = Store(store, create=False)
    found = opened.ensembles()
    numbers = [one.numbers() for one in found]
    if json:
        told = [
            {"case": one.case, "scenario": one.scenario, "seed": one.seed, "digest": one.digest}
            | {"folder": str(one.stored.folder), **its, "current": one.code == code_digest()}
            for one, its in zip(found, numbers, strict=True)
        ]
        say_json({"store": str(opened.folder), "ensembles": told})
        return
    runs, size = (sum(its[name] for its in numbers) for name in ("runs", "size"))
    say(title(f"{opened.folder}: {counted(len(found), 'ensemble')}, {runs:,} runs, {_mb(size)}"))
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
    from breakrank.runs.identity import code_digest
    from breakrank.runs.store import Store
    from breakrank.runs.store import clean as cleaned

    opened = Store(store, create=False)
    everything = opened.ensembles()
    stale = [one for one in everything if one.code != code_digest()]
    if stale:
        _print(stale, everything)
    else:
        say("No ensemble is of another version of the model.")
    say(f"{_mb(cleaned(opened))} are free now" if yes else "Nothing is deleted yet; say --yes to delete.")


def _print(found: Sequence[Kept], everything: Sequence[Kept]) -> None:
    """Print some ensembles, each with the beginning of a digest that no other of all has under its seed."""
    from breakrank.runs.identity import code_digest
    from breakrank.runs.store import abbreviated

    short = dict(zip(everything, abbreviated(everything), strict=True))
    names = ("seed", "runs", "with events", "failed", "parts", "size")
    columns: list[tuple[str, Head]] = [("case", {}), ("scenario", {}), ("digest", WHOLE)]
    columns += [*((name, NUMBER | WHOLE) for name in names), ("made by", WHOLE)]
    rows = []
    for one in found:
        *counts, size = one.numbers().values()
        made = "this model" if one.code == code_digest() else "another version"
        told = (one.case, one.scenario, short[one], str(one.seed))
        rows.append((*told, *(f"{n:,}" for n in counts), _mb(size), made))
    say_table(columns, rows)


def _mb(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"
