"""How long the evidence desk takes for a folder of reports, and that broken files neither crash nor hang it.

``python benchmarks/desk.py [--reports 500] [--words 1300] [--fuzz 10000] [--seed 1]`` writes invented reports
of the length of the press, reads them, proposes their figures, and finds copies, all on one core. Then it
reads so many broken files. Reports come from ``packages/desk/tests``; nothing is kept.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.machine import describe, one_line
from breakrank import new_case
from breakrank.case.figures.prose import figures
from breakrank_desk import Desk
from breakrank_desk.words import table
from packages.desk.tests.test_fuzz import fuzzed
from packages.desk.tests.unseen_reports import entries, written

COPIES = 0.05
"""Share of the reports that are copies of another, a paragraph left out."""

FIGURES = 0.1
"""Share of the paragraphs that keep their figures, so that there are no fewer than in the press."""


def tell(line: str) -> None:
    """Write a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def spent() -> float:
    """Return seconds of processor time of this process and of its children that have ended."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(u.ru_utime + u.ru_stime for u in used)


@contextmanager
def timed(what: str) -> Iterator[None]:
    """Print what a step took."""
    began, work = time.perf_counter(), spent()
    yield
    tell(f"{what:<42} {spent() - work:7.1f} s of processor time, {time.perf_counter() - began:7.1f} s")


def invented(folder: Path, count: int, least: int, luck: random.Random) -> None:
    """Write reports out of the paragraphs of the invented ones, with an invented word in every four.

    So they share no run of five words but where one is a copy of another.
    """
    known = [e for e in entries() if "of" not in e and e["language"] == "en"]
    told = [p for e in known for p in e["text"].strip().split("\n\n")[1:]]
    made: list[str] = []
    for k in range(count):
        if made and luck.random() < COPIES:
            parts = luck.choice(made).split("\n\n")
            del parts[luck.randrange(1, len(parts))]
        else:
            parts = [f"Report {k}"]
            while sum(len(p.split()) for p in parts) < least:
                paragraph = luck.choice(told)
                if luck.random() > FIGURES:
                    paragraph = re.sub(r"\d[\d,.]*\d|\d", "many", paragraph)
                words = paragraph.split(" ")
                words[::4] = [f"{w} {_word(luck)}" for w in words[::4]]
                parts.append(" ".join(words))
            made.append("\n\n".join(parts))
        kind = luck.choices(("txt", "html", "pdf", "eml"), (3, 5, 1, 1))[0]
        written({"id": f"report-{k:04d}", "as": kind, "text": "\n\n".join(parts)}, folder)


def _word(luck: random.Random) -> str:
    return "".join(luck.choice("bdfglmnprst") + luck.choice("aeiou") for _ in range(4))


def coded(folder: Path, count: int, least: int, seed: int) -> None:
    """Read so many reports, propose their figures and find the copies."""
    reports = folder / "reports"
    reports.mkdir()
    invented(reports, count, least, random.Random(seed))
    desk = Desk.open(new_case(folder / "case"), reports)
    figures("Some 80 men.", table("en"))
    began = spent()
    with timed(f"read {count} reports"):
        texts = desk.read(reports, outlet="An outlet", date="2031-04-02")
    with timed("propose, copies folded"):
        found = desk.proposals()
    tell(f"{'in all':<42} {spent() - began:7.1f} s of processor time")
    words = sum(len(p.words) for t in texts for p in t.paragraphs)
    tell(f"{len(texts)} texts, {words:,} words, {len(found):,} figures")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in (("reports", 500), ("words", 1300), ("fuzz", 10_000), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    asked = parser.parse_args()
    with suppress(AttributeError, OSError):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    if asked.reports:
        with tempfile.TemporaryDirectory() as folder:
            coded(Path(folder), asked.reports, asked.words, asked.seed)
    if asked.fuzz:
        with timed(f"read {asked.fuzz:,} broken files"):
            ends = fuzzed(asked.fuzz, asked.seed)
        tell(f"{ends['read']:,} read, {ends['refused']:,} refused by name, none crashed or hung")
    load = ", ".join(f"{x:.1f}" for x in os.getloadavg())
    tell(f"{one_line(describe())}; load {load}")


if __name__ == "__main__":
    main()
