"""A register that is joined later, a host inside the country, and how usual it is to go over at home."""

from pathlib import Path

import numpy as np
import pytest

from breakrank import Case, load_case, simulate
from breakrank.engine import codes
from breakrank.mechanisms.civil_war.opposition import ON_REGISTER
from breakrank.model import Model, build
from tests.mechanisms import files
from tests.mechanisms.civil_war import EASY, civil_war, write_civil_war

SEED, RUNS = 3, 2
REGISTER = "capture: 0.02,\n     violence: 0, hardship: 0, family: false, posted: false, assumed: Invented."
OPENS = "2025-03-01"


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return civil_war(tmp_path_factory.mktemp("cases") / "montara")


@pytest.fixture(scope="module")
def joined(tmp_path_factory: pytest.TempPathFactory) -> Case:
    shut = f"schedule: [{{from: 2025-01-01, to: 2025-02-28, open: false, assumed: Opens on {OPENS}.}}]"
    new = f"{REGISTER.rstrip('.')}.,\n     later: true, {shut}"
    folder = tmp_path_factory.mktemp("cases") / "montara"
    return load_case(files.change(write_civil_war(folder), "routes.yaml", REGISTER, new)).set(
        {**EASY, "opposition.joins": 6}
    )


def test_who_has_left_joins_a_register_from_the_day_it_opens(joined: Case) -> None:
    model = Model(joined, build(joined, SEED))
    log = model.replicate(SEED, 0, log=True).events
    day, who, event = log["day"], log["soldier"], log["event"]
    hotline = len(joined.force.states) + joined.crossings.ids.index("hotline")
    on = event == model.world.event(ON_REGISTER)
    assert on.sum() > 20
    assert day[on].min() >= joined.calendar.day(OPENS)
    assert (log["place"][on] == hotline).all()
    assert not (log["place"][event == codes.EV_LEFT] == hotline).any()
    assert len(set(who[on].tolist())) == on.sum()
    left = np.isin(event, (codes.EV_DESERTED, codes.EV_CROSSED, codes.EV_WENT_OVER))
    first = {int(w): int(d) for w, d in zip(who[left][::-1], day[left][::-1], strict=True)}
    assert all(first[int(w)] < d for w, d in zip(who[on], day[on], strict=True))


def test_a_higher_rate_brings_those_who_joined_and_others(joined: Case) -> None:
    few, many = (
        simulate(joined.set({"opposition.joins": rate}), runs=RUNS, seed=SEED, workers=1).data[
            "registered_at_home"
        ]
        for rate in (2, 24)
    )
    assert many.sum() > 2 * few.sum() > 0
    assert (many.cumsum("day") >= few.cumsum("day")).all()


def test_who_is_taken_where_an_area_falls_is_judged_like_any_other(usual: Case) -> None:
    case = usual.set({**EASY, "opposition.taken": 1, "counterintelligence.custody_days": 0.1})
    model = Model(case, build(case, SEED))
    run = model.replicate(SEED, 0, log=True)
    log = run.events
    coast = len(case.force.states) + case.crossings.ids.index("free-coast")
    falls = case.calendar.day("2025-05-01")
    taken = (log["event"] == codes.EV_CAUGHT_HIDING) & (log["place"] == coast)
    assert taken.sum() > 20
    assert (log["day"][taken] == falls).all()
    after = np.isin(log["soldier"], log["soldier"][taken]) & (log["day"] > falls)
    judged = log["soldier"][
        after & np.isin(log["event"], (codes.EV_RELEASED, codes.EV_IMPRISONED, codes.EV_DIED))
    ]
    assert len(set(judged.tolist())) > 0.95 * taken.sum()


def test_in_a_region_of_the_country_soldiers_register_and_ask_for_no_asylum(tmp_path: Path) -> None:
    folder = write_civil_war(tmp_path / "montara")
    text = (folder / "routes.yaml").read_text("utf-8")
    abroad = load_case(folder).set(EASY)
    other = next(c for c in abroad.crossings if c.host)
    for crossing in abroad.crossings:
        if crossing.country == other.country:
            at = text.index(f"id: {crossing.id}")
            here = text[at:].replace(f"kind: {crossing.kind}", "kind: region", 1)
            text = text[:at] + here.replace(other.country, "Montara", 1)
    (folder / "routes.yaml").write_text(text, "utf-8")
    sites = (folder / "sites.yaml").read_text("utf-8")
    (folder / "sites.yaml").write_text(sites.replace(other.country, "Montara"), "utf-8")
    inside = load_case(folder).set(EASY)
    there, here = (simulate(c, runs=1, seed=SEED, workers=1).data for c in (abroad, inside))
    assert there["asylum_filed"].sum() > 0 == here["asylum_filed"].sum()
    registered = [float(data["exits_rank"].sel(outcome="registered_exit").sum()) for data in (there, here)]
    assert registered[1] > 0.8 * registered[0] > 0
