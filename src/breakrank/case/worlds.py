"""Worlds that agree with a record, with what they were told and how well they meet it; kept as small text.

::

    worlds.csv     a row a world, all equally likely: its number, its draw, which draw of filters it descends
                   from, its path of luck, and a hash of what it counts by the figures it was told, which
                   whoever replays it finds again
    draws.csv      a row a draw; a column a parameter
    about.yaml     what they were told, how well each figure is met, what was thrown away, and at its end a
                   SHA-256 of what stands before and of the other two
"""

from __future__ import annotations

import csv
import datetime as dt
import hashlib
import io
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from breakrank.case.documents import read_yaml
from breakrank.case.draws import Draws, Luck, LuckPath, checked
from breakrank.case.free_parameters import with_later_events
from breakrank.case.write import to_yaml, write_folder
from breakrank.errors import BreakrankError, UsageError

if TYPE_CHECKING:
    from breakrank.case import Case

WORLDS, DRAWS, ABOUT = "worlds.csv", "draws.csv", "about.yaml"
SEAL = "checksum: "
FEW = 40
"""Effective draws that it takes: of so many, two lie beyond each end of a 90% interval."""
TELLING = 5
"""Rounds of steps in a call that it takes to tell whether the record still becomes more likely in worlds: the
last of so many parts is set beside the one before."""


@dataclass(frozen=True, eq=False)
class Worlds:
    """Worlds that agree with a record.

    Attributes
    ----------
    draws : with their paths of luck.
    about : what they were told and what came of it, as in about.yaml.
    counted : hash of what each counts by the figures they were told.
    origins : of each, the draw that it descends from, by number: without steps, its own (worlds,).
    """

    draws: Draws
    about: Mapping[str, Any]
    counted: tuple[str, ...]
    origins: NDArray[np.int64]

    @property
    def figures(self) -> list[dict[str, Any]]:
        """What they were told, a row a figure."""
        return list(self.about["figures"])

    @property
    def doubt(self) -> str:
        """Why their intervals are not the exact ones, in words; empty if there is no sign of it."""
        about, words = self.about, []
        if not self.figures:
            words.append(
                f"Nothing had been published by {about['given']}: these are draws from the prior, and no "
                "figure informs them."
            )
        if about["failed"]:
            words.append(
                f"{about['failed']} of {about['filtered']:,} draws could not be lived, and are left out."
            )
        if about["power"] < 1:
            words.append(
                f"Few draws of parameters agree with all that is known: {about['effective_unsoftened']:.0f} "
                f"of {about['filtered']:,} would carry the weight. So the figures count for parameters with "
                f"{about['power']:.0%} of their weight, and for luck in full."
            )
        settled = about.get("settled", {"at_rest": True})
        if not settled["at_rest"]:
            words.append(
                "The worlds still come nearer to the record with each step. Let them take more."
                if len(settled["middles"]) >= TELLING
                else "So few steps in one call cannot tell whether the worlds still come nearer to the "
                "record. Let them take more."
            )
        if about["effective"] < FEW:
            more = "Make more with another seed, and go on from both." if "settled" in about else "Make more."
            words.append(
                f"The worlds are worth {about['effective']:.0f} independent ones, so intervals are too "
                f"narrow: those of 90% would hold {held(about['effective']):.0%} if they differed by their "
                f"parameters alone. {more}"
            )
        return " ".join(words)

    def of(self, case: Case) -> Case:
        """Return a case whose runs are these worlds, and go on from them with luck of their own.

        What later events do is drawn for each world, where it has a prior.

        UsageError if they are worlds of another case or force.
        """
        told = self.about
        if (case.id, case.force.strength) != (told["case"], told["strength"]):
            raise UsageError(
                f"these are worlds of {told['case']} with {told['strength']:,} soldiers, and {case.id} has "
                f"{case.force.strength:,}"
            )
        return case.with_draws(with_later_events(self.draws, case))

    def save(self, folder: Path) -> Path:
        """Write them into a new or empty folder and return it; UsageError if that cannot be."""
        luck = self.draws.luck
        assert luck is not None
        numbers = numbers_of(self.draws).tolist()
        rows = dict(zip(numbers, self.draws.values.tolist(), strict=True))
        worlds, draws = io.StringIO(), io.StringIO()
        writer = csv.writer(worlds, lineterminator="\n")
        writer.writerow(["world", "draw", "origin", "path", "counted"])
        every = zip(numbers, self.origins.tolist(), luck.paths, self.counted, strict=True)
        writer.writerows(
            [k, number, origin, str(path), code] for k, (number, origin, path, code) in enumerate(every)
        )
        writer = csv.writer(draws, lineterminator="\n")
        writer.writerow(self.draws.names)
        writer.writerows([f"{x:.6g}" for x in row] for row in rows.values())
        about = to_yaml(dict(self.about))
        texts = (about, worlds.getvalue(), draws.getvalue())
        sealed = f"{about}{SEAL}{_seal(*texts)}\n"
        return write_folder(folder, {WORLDS: texts[1], DRAWS: texts[2], ABOUT: sealed})


def load_worlds(folder: str | PathLike[str], case: Case) -> Worlds:
    """Return the worlds in a folder; ``load_worlds(folder, case).of(case)`` is the case whose runs they are.

    Parameters
    ----------
    folder : that :meth:`Worlds.save` or `breakrank worlds` left.
    case : theirs.

    Raises
    ------
    UsageError
        when there is no such folder.
    BreakrankError
        for a file that is missing or cannot be used.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise UsageError(f"there is no folder {folder}; `breakrank worlds --out FOLDER` makes one")
    try:
        told, worlds, text = ((folder / name).read_text("utf-8") for name in (ABOUT, WORLDS, DRAWS))
        about, found, sealed = told.partition(f"\n{SEAL}")
        if not found or sealed.strip() != _seal(f"{about}\n", worlds, text):
            raise ValueError("they are not what was written (their checksum differs)")
        about = read_yaml(about, folder / ABOUT).data
        names, *values = csv.reader(io.StringIO(text))
        _, *rows = csv.reader(io.StringIO(worlds))
        table = np.array([[float(cell) for cell in row] for row in values])
        luck = Luck(
            int(about["luck"]),
            tuple(LuckPath.read(path) for *_, path, _ in rows),
            dt.date.fromisoformat(str(about["given"])),
            bool(about["figures"]),
            str(about.get("model", "")),
        )
        taken = table[[int(draw) for _, draw, *_ in rows]]
        draws = checked(Draws(tuple(names), taken, 1, True, luck), case.declared)
        origins = np.array([int(origin) for _, _, origin, *_ in rows])
        return Worlds(draws, about, tuple(code for *_, code in rows), origins)
    except (OSError, ValueError, KeyError, IndexError, TypeError) as error:
        raise BreakrankError(f"{folder} holds no worlds that can be used: {error}") from error


def held(worth: float) -> float:
    """Return how often a 90% interval of so many independent draws holds one more of their kind.

    The ends of an interval lie within the draws, beyond which there is more; see the type 7 of Hyndman and
    Fan (1996), by which they are taken.

    >>> round(held(40), 2), round(held(1e6), 2)
    (0.86, 0.9)
    """
    return 0.9 * max(0.0, worth - 1.0) / (worth + 1.0)


def _seal(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


def numbers_of(draws: Draws) -> NDArray[np.int64]:
    """Return which of the different rows of some draws each is, by the order in which they come (rows,)."""
    rows = [row.tobytes() for row in draws.values]
    number = {row: k for k, row in enumerate(dict.fromkeys(rows))}
    return np.array([number[row] for row in rows])
