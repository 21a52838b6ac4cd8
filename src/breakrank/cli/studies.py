"""What the commands share that keep their runs in a store: carrying a study out and saying how it went."""

from __future__ import annotations

from typing import TYPE_CHECKING

from breakrank.cli.options import DONE, FAILED, INTERRUPTED, RunOptions
from breakrank.cli.progress import live
from breakrank.show.terminal import note

if TYPE_CHECKING:
    from breakrank.runs.carry_out import Account
    from breakrank.runs.memory_store import AnyStore
    from breakrank.runs.study import Study
    from breakrank.runs.worker import Simulator


def carried_out(
    study: Study,
    store: AnyStore,
    what: str,
    where: RunOptions,
    quiet: bool,
    *,
    again: bool = False,
    simulator: Simulator | None = None,
) -> Account:
    """Carry a study out under the eyes of whoever watches, and say on standard error what went wrong.

    With `again`, nothing is said of runs that were in the store already: those of the round before are. The
    model makes the runs, unless another `simulator` is named.
    """
    from breakrank.runs.backends import choose_backend
    from breakrank.runs.carry_out import carry_out

    place = choose_backend(where.backend, where.workers)
    with live(what, quiet) as watch:
        account = carry_out(
            study, store, place, watch, stopping=None if quiet else stopping, simulator=simulator
        )
    tell(account, store, quiet or again)
    return account


def stopping() -> None:
    """Say that what is under way is being finished."""
    note("breakrank: finishing the runs in progress (Ctrl-C again stops at once)")


def tell(account: Account, store: AnyStore, quiet: bool) -> None:
    """Say what was reused, set aside, failed or left open."""
    for damaged in account.aside:
        note(f"breakrank: {damaged}; its runs were made again")
    if account.reused and not quiet:
        note(f"{account.reused:,} of {account.asked:,} runs were in {store.folder} already")
    if account.failed:
        note(
            f"breakrank: {len(account.failed)} of {account.asked} runs failed; the first: {account.failed[0]}"
        )
        for one in account.failed[1:5]:
            note(f"  {one}")
        if len(account.failed) > 5:
            note(f"  and {len(account.failed) - 5} more")
        if store.folder is not None:
            note(f"  {store.folder} holds their tracebacks (failed.json); the same call tries them again.")
    if account.interrupted and store.folder is not None:
        note(
            f"breakrank: interrupted; {account.finished:,} of {account.asked:,} runs are kept in "
            f"{store.folder}, and the same call continues from there"
        )


def code_of(account: Account) -> int:
    """Return the exit code of a study."""
    if account.interrupted:
        return INTERRUPTED
    return FAILED if account.failed else DONE
