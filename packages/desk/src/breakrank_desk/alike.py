"""When two codings mean the same: figures in other units, speakers in other words, places otherwise spelt."""

from __future__ import annotations

import re
from functools import lru_cache

from breakrank.case.models_evidence import Observation
from breakrank_desk.normal import bare, words
from breakrank_desk.proposals import Proposal
from breakrank_desk.quantities import interval
from breakrank_desk.words import LANGUAGES, table

_FACTORS = {
    "decades": (10, "years"), "weeks": (7, "days"), "months": (30, "days"), "feet": (0.3048, "metres"),
    "miles": (1.609, "kilometres"),
}  # fmt: skip


@lru_cache(maxsize=1)
def _empty() -> frozenset[str]:
    """Return the words that say nothing of a role, of all languages."""
    return frozenset(str(word) for language in LANGUAGES for word in table(language)["empty"])


def same_figure(p: Proposal, o: Observation) -> bool:
    """Return whether a proposal and an observation give the same figure.

    Units of time and length converted.
    """
    there = interval(o)
    if there is None or p.low is None or p.high is None:
        return False
    factors = {1.0}
    if p.unit.split(" ")[0] in _FACTORS:
        factors.add(_FACTORS[p.unit.split(" ")[0]][0])
    for factor in factors:
        ends = [x * factor for x in (p.low, p.high)]
        if all(abs(a - b) <= 0.02 * abs(b) + 1e-9 for a, b in zip(ends, there, strict=True)):
            return True
        middle = (p.value if p.value is not None else ends[0]) * (factor if p.value is not None else 1)
        if o.value is not None and abs(middle - o.value) <= 0.02 * abs(o.value) + 0.05:
            return True
    return o.range is not None and p.value is not None and p.value in o.range


def said_alike(one: str, two: str) -> bool:
    """Return whether two names of a speaker mean the same role: equal, or half of their words in common."""
    a, b = ({_stem(w) for w in words(x)} - _empty() for x in (one, two))
    if one == two or a == b:
        return True
    return bool(a & b) and len(a & b) / len(a | b) >= 0.5


_SPELT = {"defense": "defence", "organization": "organisation", "center": "centre", "program": "programme"}


def _stem(word: str) -> str:
    word = bare(re.sub(r"'s$", "", word))
    word = _SPELT.get(word, word)
    return word[:-1] if word.endswith("s") and len(word) > 3 else word


def place_alike(one: str, two: str) -> bool:
    """Return whether two names of a place mean the same: equal, or one within the other."""
    a, b = bare(one), bare(two)
    return a == b or (len(b) > 3 and b in a) or (len(a) > 3 and a in b)
