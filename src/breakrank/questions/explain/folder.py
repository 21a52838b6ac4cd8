"""The folder an explanation is kept in: written whole or not at all.

::

    explanation.html   the page: nothing loaded and nothing run
    explanation.json   everything, as `breakrank explain --json` prints it
    tables/            a CSV file for each table
    charts/            each chart of each outcome as SVG
    case/              the case exactly as used
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from breakrank.questions.explain.chart_axes import WIDE
from breakrank.questions.explain.drawings import CHARTS
from breakrank.questions.explain.html import render
from breakrank.results.folder import whole_folder
from breakrank.results.json_files import says_format, write_json
from breakrank.show.look import Look, svg
from breakrank.show.style import FONT, LIGHT

if TYPE_CHECKING:
    from breakrank.questions.explain.result import Explanation

OWN = frozenset({"case", "charts", "explanation.html", "explanation.json", "tables"})
"""What the folder consists of; a new explanation replaces these and leaves anything else where it is."""


def save(found: Explanation, folder: Path) -> Path:
    """Write an explanation; an older one in its place is replaced once the new one is complete.

    Raises
    ------
    BreakrankError
        if the folder holds something else, or the disk refuses.
    """
    with whole_folder(folder, is_explanation, OWN) as staging:
        write_json(staging / "explanation.json", found.as_json())
        (staging / "tables").mkdir()
        for name, table in found.tables().items():
            table.to_csv(staging / "tables" / f"{name}.csv", index=False, lineterminator="\n")
        _draw(found, staging)
        found.case.write(staging / "case")
    return folder


def is_explanation(folder: Path) -> bool:
    """Say whether a folder is that of an explanation."""
    return says_format(folder / "explanation.json", "breakrank_explanation")


def _draw(found: Explanation, folder: Path) -> None:
    (folder / "explanation.html").write_text(render(found), "utf-8", newline="\n")
    (folder / "charts").mkdir()
    for name, build in CHARTS.items():
        for asked in found.asked:
            drawn = build(found, asked, Look(wide=WIDE))
            if drawn is not None:
                title = re.sub(r"\W+", "-", f"{name}-{asked.measure}")
                (folder / "charts" / f"{title}.svg").write_text(
                    svg(drawn, LIGHT, FONT.replace("'", "")), "utf-8", newline="\n"
                )
