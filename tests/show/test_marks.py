import datetime as dt
import itertools
import json
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from breakrank.answer.charts import _names
from breakrank.show import vegalite as vl
from breakrank.show.axes import (
    MARK,
    WIDTHS,
    Dated,
    Plane,
    RecordMark,
    event_rows,
    record_layers,
    record_rows,
    spaced,
)
from breakrank.show.style import LIGHT, SMALL
from breakrank.show.vegalite import Sheet

DATES = [
    dt.date(2019, 1, 10),
    dt.date(2019, 1, 15),
    dt.date(2019, 2, 22),
    dt.date(2019, 2, 22),
    dt.date(2019, 2, 23),
]


def plane(top: float = 100) -> Plane:
    return Plane(dt.date(2019, 1, 1), dt.date(2019, 12, 31), top, "soldiers", LIGHT, 180)


@given(st.lists(st.floats(0, 100), max_size=40).map(sorted), st.floats(0.1, 20))
def test_places_keep_their_distance_order_and_room(places: list[float], gap: float) -> None:
    moved = spaced(places, gap, 0, 100)
    assert len(moved) == len(places)
    assert all(-1e-9 <= x <= 100 + 1e-9 for x in moved)
    room = min(gap, 100 / max(1, len(places) - 1))
    assert all(b - a >= room - 1e-6 for a, b in itertools.pairwise(moved))


@pytest.mark.parametrize("many", [1, 3, 8])
def test_numbers_of_events_never_overlap(many: int) -> None:
    days = sorted(d + dt.timedelta(days=30 * i) for i in range(many) for d in DATES)
    events = [Dated(n, f"e{n}", d, "x") for n, d in enumerate(days, 1)]
    rows = event_rows(events, plane())
    for i, width in enumerate(WIDTHS):
        shown = sorted((r[f"x{i}"] * width, r[f"t{i}"]) for r in rows if r[f"t{i}"])
        told = [text for _, text in shown]
        assert told[0].startswith("1")
        assert told[-1].endswith(str(len(events)))
        for (a, left), (b, right) in itertools.pairwise(shown):
            assert b - a >= min(MARK, 3 * (len(left) + len(right))) - 0.2


@given(st.lists(st.floats(1, 99), min_size=2, max_size=8))
def test_labels_of_the_record_never_overlap(values: list[float]) -> None:
    counted = [RecordMark(dt.date(2019, 3, 1), v, v, "x", "y") for v in values]
    rows = sorted(r["row"] for r in record_rows(counted, plane()))
    assert all(b - a >= 13.8 for a, b in itertools.pairwise(rows))


def test_what_the_worlds_were_told_is_filled_and_has_a_plus() -> None:
    there = plane()
    marks = [
        RecordMark(dt.date(2019, 3, k), 9, 9, "x", "y", used=used) for k, used in ((1, True), (2, False))
    ]
    first, second = sorted(record_rows(marks, there), key=lambda row: row["date"])
    assert (first["text"], first["figure"], first["used"]) == ("9 +", "9, assimilated", True)
    assert (second["text"], second["figure"], second["used"]) == ("9", "9, not assimilated", False)
    layers = json.dumps(record_layers(marks, there))
    assert layers.count('"shape": "circle"') == 2
    assert f'"fill": "{there.theme.record}"' in layers
    (plain,) = record_rows([RecordMark(dt.date(2019, 3, 1), 9, 9, "x", "y")], there)
    assert (plain["text"], plain["figure"]) == ("9", "9")


@pytest.mark.parametrize(("top", "ceiling"), [(0, 1), (3.2, 4), (567, 600), (1285, 1500), (41_000, 50_000)])
def test_axes_end_at_round_numbers(top: float, ceiling: float) -> None:
    assert plane(top).ceiling == ceiling


def test_names_of_two_lines_stand_clear_of_both() -> None:
    """Those of need and places in a plan stood on the line between them."""
    falling, low = [300.0] * 10 + [260.0, 220.0], [180.0] * 12
    every: Any = [
        SimpleNamespace(label=label, end=line[-1], frame=pd.DataFrame({"median": line}))
        for label, line in (("need", falling), ("places", low))
    ]
    sheet = Sheet()
    plane: Any = SimpleNamespace(
        row=lambda value: 200 - value / 5, height=200, theme=LIGHT, sheet=sheet, x=lambda: vl.field("date:T")
    )
    assert _names(every, ["black", "red"], plane, "2019-12-31")
    row = {rows[0]["text"]: rows[0]["row"] for rows in sheet.rows.values()}
    assert row["need"] + SMALL / 2 <= plane.row(260)
    assert plane.row(180) + SMALL / 2 <= row["places"] <= 200
