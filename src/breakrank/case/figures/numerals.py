"""Numbers in digits as tables of any country hold them: marks that group digits or begin decimals."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping

from breakrank.case.figures.letters import ALIKE
from breakrank.case.values import SlipError

NUMERAL = r"(?:\d+(?:[.,']\d+| \d{3}(?!\d))*|\.\d+)(?:[eE][-+]?\d{1,3})?"
"""One number in digits, its marks included, in a text that :func:`typed` returned."""
_OTHER = str.maketrans(
    {
        **dict.fromkeys("\u00a0\u2007\u2009\u202f\u3000", " "),
        **{chr(c): chr(c - 0xFEE0) for c in range(0xFF01, 0xFF5F)},
        **dict(zip("٫٬٪≈∼≃", ".,%~~~", strict=True)),
        **dict.fromkeys("≤⩽", "<="),
        **dict.fromkeys("≥⩾", ">="),
    }
)


def typed(text: str) -> str:
    """Return a text as a plain keyboard writes it: digits 0 to 9, one kind of blank, quote and dash.

    Raised digits stay as they are: they are notes, no numbers.

    Examples
    --------
    >>> typed("１ ٢٠٠"), typed("5–10"), typed("1’200²")
    ('1 200', '5-10', "1'200²")
    """
    out = text.translate(_OTHER).translate(ALIKE)
    return "".join(str(unicodedata.decimal(c, c)) for c in out).strip()


def readings(numeral: str, *, whole: bool = False, scale: float = 1.0) -> dict[str, str]:
    """Return a number in plain digits by its decimal mark, "." and ",": both where its marks leave it open.

    Parameters
    ----------
    whole : whether it counts something, so that no part of one is possible.
    scale : what a word after it multiplies it by, as in "1.2 million".

    Examples
    --------
    >>> readings("1.200"), readings("1.200", whole=True), readings("1 200,5")
    ({'.': '1.200', ',': '1200'}, {',': '1200'}, {',': '1200.5'})
    """
    out = {}
    for mark, group in ((".", ","), (",", ".")):
        grouped = rf"[1-9]\d{{0,2}}(?P<group>[{group} '])\d{{3}}(?:(?P=group)\d{{3}})*"
        shape = rf"[-+]?(?=[.,]?\d)(?:{grouped}|\d*)(?:[{mark}]\d*)?(?:[eE][-+]?\d{{1,3}})?"
        if not re.fullmatch(shape, numeral):
            continue
        plain = re.sub(rf"[{group} ']", "", numeral).replace(mark, ".")
        value = float(plain) * scale
        if math.isfinite(value) and not (whole and abs(value - round(value)) > 1e-9 * max(1.0, abs(value))):
            out[mark] = plain
    return out


def is_open(found: Mapping[str, str]) -> bool:
    """Return whether a number can be read in two ways."""
    return len({float(plain) for plain in found.values()}) > 1


def column_mark(column: Iterable[Mapping[str, str]]) -> str:
    """Return the decimal mark that the readings of a column show; "" where none does, or they disagree."""
    shown = {mark for found in column if len(found) == 1 for mark in found}
    return shown.pop() if len(shown) == 1 else ""


def settled(numeral: str, found: Mapping[str, str], mark: str) -> str:
    """Return the one reading of a number, or the one with a decimal mark.

    Raises
    ------
    SlipError
        naming both readings, where they differ and no mark is given.
    """
    if not is_open(found):
        return next(iter(found.values()))
    if mark:
        return found[mark]
    both = [f"{float(plain):,.15g}" for plain in found.values()]
    raise SlipError(
        f"{numeral!r} can be read as {both[0]} or as {both[1]}",
        f"Write {both[0].replace(',', '')} or {both[1].replace(',', '')}.",
    )
