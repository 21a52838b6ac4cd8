"""Whether the order of battle fits together, and the positions of the high command fit it."""

from __future__ import annotations

import math
from collections.abc import Collection

from breakrank.case.check_words import known_id, out_of_range
from breakrank.case.content import Loaded
from breakrank.errors import CaseError, Location, gathered, nearest
from breakrank.spec import Catalogue

TOLERANCE = 1e-6
"""How far shares may be from adding up to 1."""


def check_force(loaded: Loaded, catalogue: Catalogue) -> None:
    """Check strengths, shares, regions and stations.

    Raises
    ------
    FaultyCaseError
        for all that does not fit.
    """
    with gathered() as found:
        for check in (_check_strength, _check_branches, _check_ranks, _check_capital, _check_regions):
            with found.kept():
                check(loaded, catalogue)
        _check_stations(loaded)


def _check_branches(loaded: Loaded, _: Catalogue) -> None:
    force, document = loaded.content.force, loaded.documents["force.yaml"]
    total = sum(b.strength for b in force.branches)
    if total != force.strength.value:
        raise document.error(
            ("branches",),
            f"the branches add up to {total:,}, and the strength is {force.strength.value:,}",
            f"Change a branch by {force.strength.value - total:+,}, or the strength.",
        )


def _check_capital(loaded: Loaded, _: Catalogue) -> None:
    states = (s.id for s in loaded.content.force.states)
    known_id(loaded.content.case.capital, states, "state", loaded.documents["case.yaml"], ("capital",))


def _check_strength(loaded: Loaded, catalogue: Catalogue) -> None:
    strength, document = loaded.content.force.strength, loaded.documents["force.yaml"]
    declared = catalogue.parameters.get("force.strength")
    unit = declared.unit if declared else "persons"
    if strength.unit != unit:
        raise document.error(("strength", "unit"), f"the unit is {strength.unit!r}, and {unit!r} is expected")
    if declared is None:
        return
    for key, value in (("value", strength.value), ("range", strength.range[0]), ("range", strength.range[1])):
        problem = out_of_range(value, declared)
        if problem:
            raise document.error(("strength", key), problem)


def _check_ranks(loaded: Loaded, _: Catalogue) -> None:
    force, document = loaded.content.force, loaded.documents["force.yaml"]
    branches, ranks = [b.id for b in force.branches], [r.id for r in force.ranks]
    with gathered() as found:
        for k, branch_entry in enumerate(force.branches):
            for key in ("resigns", "refuses"):
                for j, rank_id in enumerate(getattr(branch_entry, key)):
                    with found.kept():
                        known_id(rank_id, ranks, "rank", document, ("branches", k, key, j))
        for k, rank in enumerate(force.ranks):
            with found.kept():
                if k and rank.tier < force.ranks[k - 1].tier:
                    raise document.error(
                        ("ranks", k, "tier"),
                        f"the tier {rank.tier} is below that of {force.ranks[k - 1].id!r} before it",
                        "List the ranks lowest first.",
                    )
                if isinstance(rank.share, dict):
                    for branch in rank.share:
                        known_id(branch, branches, "branch", document, ("ranks", k, "share", branch))
                    for branch in branches:
                        if branch not in rank.share:
                            raise document.error(
                                ("ranks", k, "share"),
                                f"the share in the branch {branch!r} is missing",
                                f"Write {branch}: 0.5.",
                            )
        if not found:
            _check_shares(loaded, branches)


def _check_shares(loaded: Loaded, branches: list[str]) -> None:
    force, document = loaded.content.force, loaded.documents["force.yaml"]
    for branch in branches:
        total = math.fsum(r.share[branch] if isinstance(r.share, dict) else r.share for r in force.ranks)
        if abs(total - 1) > TOLERANCE:
            raise document.error(
                ("ranks",),
                f"the shares of the ranks in the branch {branch!r} add up to {total:.6g}, and 1 is expected",
                f"Change them by {1 - total:+.6g}.",
            )


def _check_regions(loaded: Loaded, _: Catalogue) -> None:
    force, document = loaded.content.force, loaded.documents["force.yaml"]
    states = [s.id for s in force.states]
    seen: dict[str, str] = {}
    with gathered() as found:
        for k, region in enumerate(force.regions):
            for j, state in enumerate(region.states):
                with found.kept():
                    known_id(state, states, "state", document, ("regions", k, "states", j))
                    if state in seen:
                        raise document.error(
                            ("regions", k, "states", j),
                            f"the state {state!r} is in two regions, {seen[state]!r} and {region.id!r}",
                            "Keep it in one.",
                        )
                    seen[state] = region.id
        if not found:
            _check_regions_complete(loaded, states, seen)


def _check_regions_complete(loaded: Loaded, states: list[str], seen: Collection[str]) -> None:
    with gathered() as found:
        for k, state in enumerate(states):
            with found.kept():
                if state not in seen:
                    raise loaded.documents["force.yaml"].error(
                        ("states", k),
                        f"the state {state!r} is in no region",
                        "Add it to the states of one region.",
                    )


def _check_stations(loaded: Loaded) -> None:
    force = loaded.content.force
    known = {"state": [s.id for s in force.states], "branch": [b.id for b in force.branches]}
    shares: dict[str, list[float]] = {b: [] for b in known["branch"]}
    seen: dict[tuple[str, str], int] = {}
    with gathered() as found:
        for row in loaded.station_rows:
            with found.kept():
                for column, ids in known.items():
                    if row.cells[column] not in ids:
                        raise CaseError(
                            f"unknown {column} {row.cells[column]!r}{nearest(row.cells[column], ids)}",
                            row.place(column),
                            f"Known: {', '.join(ids)}.",
                        )
                share = row.number("share")
                if not 0 <= share <= 1:
                    raise CaseError(
                        f"the share {share:g} is out of range, expected 0 to 1", row.place("share")
                    )
                key = (row.cells["state"], row.cells["branch"])
                if key in seen:
                    raise CaseError(
                        f"{key[1]!r} in {key[0]!r} is there twice (first on line {seen[key]})",
                        row.place(),
                        "Keep one of the two.",
                    )
                seen[key] = row.line
                shares[key[1]].append(share)
        for branch, parts in () if found else shares.items():
            with found.kept():
                total = math.fsum(parts)
                if abs(total - 1) > TOLERANCE:
                    raise CaseError(
                        f"the shares of the branch {branch!r} add up to {total:.6g}, and 1 is expected",
                        Location(loaded.station_rows[0].file, 1, "share"),
                        f"Change them by {1 - total:+.6g}." if parts else f"Add rows for {branch!r}.",
                    )


def check_command(loaded: Loaded) -> None:
    """Check the branches and regions of positions, their places, and that weights add up to at most 1.

    Raises
    ------
    FaultyCaseError
        for all that does not fit.
    """
    content, document = loaded.content, loaded.documents["command.yaml"]
    regions = {r.id: r.states for r in content.force.regions}
    branches = [b.id for b in content.force.branches]
    with gathered() as found:
        for k, position in enumerate(content.command):
            with found.kept():
                if position.branch is not None:
                    known_id(position.branch, branches, "branch", document, (k, "branch"))
                if position.region is None:
                    continue
                known_id(position.region, regions, "region", document, (k, "region"))
                if position.capital and content.case.capital not in regions[position.region]:
                    raise document.error(
                        (k, "region"),
                        f"{position.id!r} sits in the capital ({content.case.capital}), "
                        f"which is not in the region {position.region!r}",
                        "Correct the region, or write capital: false.",
                    )
        total = math.fsum(p.weight for p in content.command)
        if total > 1 + TOLERANCE:
            raise document.error(
                (),
                f"the weights of the positions add up to {total:.6g}, and at most 1 is expected",
                f"They are shares of the forces' obedience: take {total - 1:.6g} away.",
            )
