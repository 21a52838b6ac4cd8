"""Measure how much of the evidence of a draw of parameters is chance: it is told the record several times.

``python benchmarks/evidence.py`` takes some draws of the worlds that come with a case. Each is told the
record with other luck each time: with one lot of paths to every date, and with lots until enough of them
carry the weight. It prints by how much the logarithms of the evidence differ; see ``benchmarks/README.md``.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

if __name__ == "__main__":  # run as a script: the project is where the benchmarks are
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import breakrank
from benchmarks import machine
from breakrank.case import Case
from breakrank.case.draws import Draws
from breakrank.case.library import case_folder
from breakrank.case.luck import FOLDER, Luck, LuckPath
from breakrank.case.worlds import Worlds, load_worlds
from breakrank.questions.calibrate.bank import bare
from breakrank.questions.calibrate.record import TargetRecord
from breakrank.questions.condition.filter import ALIVE, Continued, Lots, filtered

COMPARED = (Lots(32, 32, 32, ahead=False), ALIVE._replace(ahead=False), ALIVE)
"""How many paths live to a date."""


@dataclass(frozen=True)
class Told:
    """What filters found: evidence (draws, times), and the mean processor time of one in seconds."""

    lots: Lots
    evidence: np.ndarray
    seconds: float

    @property
    def chance(self) -> float:
        """Standard deviation of the logarithm of the evidence of one draw."""
        return float(np.sqrt(self.evidence.var(axis=1, ddof=1).mean()))

    @property
    def draws(self) -> float:
        """Standard deviation over draws, of the mean of each."""
        return float(self.evidence.mean(axis=1).std(ddof=1))


def given_case(case: Case, worlds: Worlds) -> Case:
    """Return a case with only the figures that its worlds were told once."""
    twice = {row["id"] for row in worlds.figures if not row["used"]}
    plain = bare(case)
    told = tuple(t for t in TargetRecord.of(case).aims if t.id not in twice)
    return type(case)(replace(plain.content, targets=tuple(aim.target for aim in told)), plain.catalogue)


def measured(name: str, draws: int, times: int) -> Iterator[Told]:
    """Yield what is found with the same paths to every date, and with some shared out over the dates."""
    whole = breakrank.load_case(name, "values").with_draws(None)
    worlds = load_worlds(case_folder(whole.id) / FOLDER, whole)
    case = given_case(whole, worlds)
    rows = np.unique(worlds.draws.values, axis=0)
    rows = rows[np.linspace(0, len(rows) - 1, draws).astype(int)]
    for lots in COMPARED:
        begun = time.process_time()
        found = []
        for number, values in enumerate(rows):
            for k in range(times):
                luck = Luck(1_000 + k, (LuckPath(number),), case.calendar.start)
                made = case.with_draws(Draws(worlds.draws.names, values[None], luck=luck))
                found.append(filtered(made, Continued, 0, 0, lots).evidence.sum())
            sys.stderr.write(f"{lots}: draw {number + 1} of {draws}\n")
        seconds = (time.process_time() - begun) / len(found)
        yield Told(lots, np.array(found).reshape(draws, times), seconds)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--case", default="venezuela-2019", metavar="NAME", help="with worlds that ship")
    parser.add_argument("--draws", type=int, default=8, metavar="N", help="how many draws")
    parser.add_argument("--times", type=int, default=3, metavar="N", help="how often each is told the record")
    given = parser.parse_args()
    if given.draws < 2 or given.times < 2:
        parser.error("--draws and --times have to be at least 2")
    sys.stdout.write("| paths to a date | chance (SD) | over draws (SD) | mean | s |\n")
    sys.stdout.write("|---|---:|---:|---:|---:|\n")
    for told in measured(given.case, given.draws, given.times):
        lots = told.lots
        paths = f"{lots.size} to {lots.most}" + (", told ahead" if lots.ahead else "")
        numbers = (told.chance, told.draws, told.evidence.mean(), told.seconds)
        sys.stdout.write(f"| {paths} | {' | '.join(f'{number:.1f}' for number in numbers)} |\n")
        sys.stdout.flush()
    sys.stdout.write(f"\n{machine.one_line(machine.describe())}\n")


if __name__ == "__main__":
    main()
