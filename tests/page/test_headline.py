"""What leads Look where a case chooses its headline: the finding, the large number and the first chart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import breakrank
from breakrank.page.case_view import leading_chart, view
from breakrank.page.headline import headline, read
from breakrank.page.record_points import counted, points_of
from breakrank.page.series import series

BOTH = """
- id: guard-in-capital
  label: Officers of one branch who left
  measure: left_abroad
  date: 2025-02-10
  by: {rank: officer, branch: BRANCH}
  unit: soldiers
  at_most: 10
  assumed: Made up, of two kinds at once.
- id: officers-early
  label: Officers who left by February
  measure: left_abroad
  date: 2025-02-10
  by: {rank: officer}
  unit: soldiers
  at_most: 10
  assumed: Made up.
"""


@pytest.fixture(scope="module")
def chosen(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return a way to load the template with a headline."""
    folder = breakrank.new_case(tmp_path_factory.mktemp("led") / "led", full=True)
    branch = breakrank.load_case(folder).force.branches[0].id
    targets = Path(folder) / "targets.yaml"
    targets.write_text(targets.read_text() + BOTH.replace("BRANCH", branch))
    told = (Path(folder) / "case.yaml").read_text()

    def load(name: str | None) -> Any:
        more = "" if name is None else f"\nheadline: {name}\n"
        (Path(folder) / "case.yaml").write_text(told.rstrip("\n") + f"\n{more}")
        return breakrank.load_case(folder)

    return load


def test_the_headline_of_a_case_leads_the_finding_and_the_chart(chosen: Any) -> None:
    case = chosen("officers-early").until("2025-02-15")
    result = breakrank.simulate(case, runs=2, seed=1, workers=1)
    said = headline(result, None, None)["finding"]
    assert said[0][0] == "Officers who left by February: "
    assert not headline(result, None, "2025-02-05")["finding"][0][0].startswith("Officers"), "not known yet"
    led = view(case, {})["headline"]
    assert (led["target"], led["label"]) == ("officers-early", "Officers who left by February")
    drawn = led["series"]
    assert drawn == {"variable": "crossed_rank", "by": "rank", "cumulative": True, "group": "officer"}
    shown = series(result, drawn["variable"], drawn["by"], drawn["cumulative"])
    (group,) = [one for one in shown["groups"] if one["id"] == drawn["group"]]
    (outcome,) = [one for one in result.outcomes() if one.id == "officers-early"]
    assert group["median"][shown["days"].index("2025-02-10")] == outcome.median
    assert set(read(case)) <= set(result.data.data_vars)
    assert "officers-early" in {one["target"] for one in shown["record"]}


def test_a_part_of_two_kinds_leads_in_words_and_not_in_a_chart(chosen: Any) -> None:
    case = chosen("guard-in-capital").until("2025-02-15")
    result = breakrank.simulate(case, runs=2, seed=1, workers=1)
    assert headline(result, None, None)["finding"][0][0] == "Officers of one branch who left: "
    led = leading_chart(case)
    assert led is not None
    assert led["series"] is None
    for name, by in (("left_abroad", None), ("crossed_rank", "rank"), ("crossed_branch", "branch")):
        points = points_of(result, counted(result, name, by, cumulative=True))
        assert "guard-in-capital" not in {one.told["target"] for one in points}
