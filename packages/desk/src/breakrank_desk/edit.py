"""Altering what was accepted: the observation is written anew under its id, or all stays as it was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from breakrank.case.documents import read_yaml
from breakrank_desk.coding import FIELDS
from breakrank_desk.ledger_text import OBSERVATIONS

if TYPE_CHECKING:
    from breakrank_desk.desk import Desk
    from breakrank_desk.proposals import Proposal

FIGURE = ("value", "range", "text")
"""Fields that say the figure; one that is given takes the place of the others, and of the bound."""


def edit(desk: Desk, proposal: Proposal, **given: Any) -> str:  # noqa: ANN401 (fields of the form)
    """Alter the observation that a proposal became, or accept the proposal where it became none.

    Fields that are left out stay as they are in the ledger; so do its id and its quantity.

    Returns
    -------
    str
        the id of the observation.

    Raises
    ------
    UsageError, CaseFileError
        as accepting does. Then nothing has changed.
    """
    files = desk.store.files
    with files.locked():
        desk.reopen()
        held = desk.store.in_force().get(proposal.key)
        if held is None or held.observation not in desk.context.ledger.observations:
            ident = desk.accept(proposal, **given)
        else:
            entries = read_yaml(files.read(OBSERVATIONS), files.folder / OBSERVATIONS).data
            old = next(e for e in entries if e["id"] == held.observation)
            skip = (*FIGURE, "bound") if set(FIGURE) & set(given) else ()
            new = {name: old[name] for name in FIELDS if name in old and name not in skip} | given
            if "counts" not in given:
                new["counts"] = next((q.id for q in desk.quantities() if held.observation in q.members), None)
            desk.remove(held.observation, stays=new["id"] == held.observation)
            ident = desk.accept(proposal, **new)
    desk.reopen()
    return ident
