"""What the check says of mechanisms that nothing comes of."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import breakrank
from breakrank.errors import BreakrankError
from tests.new_cases import without_priors


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return breakrank.load_case("syria-2011", "point").write(tmp_path / "syria-2011")


def told(folder: Path) -> list[str]:
    return [str(w) for w in breakrank.check_case(folder)]


def test_units_cannot_go_over_where_there_is_no_opposition(tmp_path: Path) -> None:
    folder = without_priors(tmp_path / "montara")
    path = folder / "case.yaml"
    text = path.read_text("utf-8").rstrip()
    path.write_text(text + "\nmechanisms: [unit_defection]\n", "utf-8")
    (found,) = [t for t in told(folder) if "unit_defection" in t]
    assert "unit_defection does nothing without opposition" in found
    path.write_text(text + "\nmechanisms: [unit_defection, opposition]\n", "utf-8")
    assert not [t for t in told(folder) if "unit_defection" in t]


def test_units_cannot_dissolve_without_a_war(tmp_path: Path) -> None:
    folder = without_priors(tmp_path / "montara")
    path = folder / "case.yaml"
    path.write_text(path.read_text("utf-8").rstrip() + "\nmechanisms: [dissolution]\n", "utf-8")
    (found,) = [t for t in told(folder) if "dissolution" in t]
    assert "dissolution does nothing without war" in found
    assert "case.yaml:" in found


def test_a_composition_needs_no_rows_for_ranks_that_a_branch_lacks(folder: Path) -> None:
    path, before = folder / "in_group.csv", breakrank.load_case(folder)
    rows = path.read_text("utf-8").splitlines(keepends=True)
    nobody = {
        (b.id, r.id)
        for b in before.force.branches
        for r in before.force.ranks
        if isinstance(r.share, dict) and r.share[b.id] == 0
    }
    assert nobody
    kept = [row for row in rows if tuple(row.split(",")[1:3]) not in nobody]
    assert len(kept) == len(rows) - len(nobody)
    path.write_text("".join(kept), "utf-8")
    after = breakrank.load_case(folder)
    shares = [
        r.share[b.id] if isinstance(r.share, dict) else r.share
        for b in after.force.branches
        for r in after.force.ranks
    ]
    served = (np.array(shares) > 0).reshape(len(after.force.branches), -1)
    one, other = before.daily("in_group"), after.daily("in_group")
    assert (one[:, served] == other[:, served]).all()
    assert (other[:, ~served] == 0).all()
    path.write_text("".join(kept[:-1]), "utf-8")
    with pytest.raises(BreakrankError, match="there is no row for"):
        breakrank.load_case(folder)
