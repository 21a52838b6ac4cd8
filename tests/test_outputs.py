"""The primary outcomes: one list, declared on what a run hands back."""

from __future__ import annotations

from breakrank import model, plugins


def test_there_are_fifteen_primary_outcomes_at_most_each_with_a_place_of_its_own() -> None:
    known = model.catalogue(tuple(plugins.OPTIONAL))
    places = sorted(m.primary for m in known.measures.values() if m.primary)
    assert places == list(range(1, len(places) + 1))
    assert len(places) <= 15
    assert known.primary[0] == "left_abroad"
    assert not {"went_over", "units_over"} & set(model.catalogue().primary)
