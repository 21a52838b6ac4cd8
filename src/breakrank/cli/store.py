"""``breakrank store``: what a store holds, merging small parts, taking out what is not wanted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from breakrank.cli.options import Flag, Whole
from breakrank.errors import UsageError, nearest
from breakrank.show.terminal import NUMBER, WHOLE, Head, say, say_json, say_table, title

if TYPE_CHECKING:
    from collections.abc import Sequence

    from breakrank.runs.store_maintenance import Stock


def list_all(store: Path, /, *, json: Flag = False) -> None:
    """List the ensembles of a store, with their number of runs and size.

    Parameters
    ----------
    store
        The folder given with --store.
    json
        Print one JSON object instead.
    """
    from breakrank.runs.store import Store
    from breakrank.runs.store_maintenance import stock

    opened = Store(store, create=False)
    found = stock(opened)
    if json:
        say_json({"store": str(opened.folder), "ensembles": [_as_json(one) for one in found]})
        return
    total = sum(one.size for one in found)
    many = f"{len(found)} ensemble{'s' * (len(found) != 1)}"
    say(title(f"{opened.folder}: {many}, {sum(one.runs for one in found):,} runs, {_mb(total)}"))
    if found:
        _print(found, found)
    for one in opened.damaged():
        say(f"{one}")


def merge(store: Path, /, *, quiet: Flag = False) -> None:
    """Join the small parts of a store into larger ones; the runs stay identical.

    A store that was filled in many short calls then reads faster and takes less space. Parts that hold the
    events of their runs are not changed. Call it when no study is using the store.

    Parameters
    ----------
    store
        The folder given with --store.
    quiet
        Print only errors.
    """
    from breakrank.runs.store import Store
    from breakrank.runs.store_maintenance import merge as merged

    opened = Store(store, create=False)
    before = after = left = 0
    for kept in opened.ensembles():
        had, has, logged = merged(opened, kept)
        before, after, left = before + had, after + has, left + logged
    if not quiet:
        also = f"; {left:,} of them hold events of runs and are left as they are" if left else ""
        say(f"{before:,} parts before, {after:,} now{also}")


def remove(
    store: Path,
    /,
    *,
    case: str | None = None,
    scenario: str | None = None,
    seed: Whole | None = None,
    digest: str | None = None,
    stale: Flag = False,
    damaged: Flag = False,
    yes: Flag = False,
) -> None:
    """Delete the ensembles of a store that meet all conditions. Nothing is deleted without --yes.

    Call it when no study is using the store.

    Parameters
    ----------
    store
        The folder given with --store.
    case
        Only ensembles of this case.
    scenario
        Only scenarios of this name, as `breakrank store list` shows it.
    seed
        Only ensembles with this seed.
    digest
        Only digests that begin with this, as `breakrank store list` shows them.
    stale
        Only ensembles made by another version of the model, which no study uses any more.
    damaged
        Also delete the damaged parts that were set aside.
    yes
        Delete. Without it, only list what would be deleted.
    """
    from breakrank.runs.find_ensemble import fits, prefix
    from breakrank.runs.store import Store
    from breakrank.runs.store_maintenance import clear_aside, stock
    from breakrank.runs.store_maintenance import remove as removed

    opened = Store(store, create=False)
    everything = stock(opened)
    begins = None if digest is None else prefix(digest)
    asked = stale or any(one is not None for one in (case, scenario, seed, begins))
    if not (asked or damaged):
        raise UsageError("say which: --case, --scenario, --seed, --digest, --stale or --damaged")
    _known("case", case, [one.kept.case for one in everything])
    _known("scenario", scenario, [one.kept.scenario for one in everything])
    if begins is not None and not any(fits(one.kept, begins) for one in everything):
        raise UsageError(f"the store holds no ensemble whose digest begins with {begins}")
    some = [
        one
        for one in everything
        if asked
        and case in (None, one.kept.case)
        and scenario in (None, one.kept.scenario)
        and seed in (None, one.kept.seed)
        and (begins is None or fits(one.kept, begins))
        and not (stale and one.current)
    ]
    if some:
        _print(some, everything)
    else:
        say("No ensemble fits.")
    if not yes:
        say("Nothing is deleted yet; say --yes to delete." if some or damaged else "Nothing to delete.")
        return
    free = removed(opened, [one.kept for one in some]) if some else 0
    if damaged:
        free += clear_aside(opened)
    say(f"{len(some)} deleted; {_mb(free)} are free now")


def _known(what: str, name: str | None, known: Sequence[str]) -> None:
    if name is not None and name not in known:
        raise UsageError(f"the store holds no {what} {name!r}{nearest(name, known)}")


def _print(found: Sequence[Stock], everything: Sequence[Stock]) -> None:
    """Print some ensembles, each with the beginning of a digest that no other of all has under its seed."""
    from breakrank.runs.find_ensemble import abbreviated

    every = [one.kept for one in everything]
    short = dict(zip(every, abbreviated(every), strict=True))

    numbers = ("seed", "runs", "with events", "failed", "parts", "size")
    columns: list[tuple[str, Head]] = [("case", {}), ("scenario", {}), ("digest", WHOLE)]
    columns += [*((name, NUMBER | WHOLE) for name in numbers), ("made by", {})]
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
