"""Civil violence told slowly, person by person with the same draws; the compiled step has to agree."""

from __future__ import annotations

import math
from dataclasses import dataclass

from breakrank.draws import NOBODY, decision, luck_key, words


@dataclass
class Person:
    who: int
    cop: bool
    place: tuple[int, int]
    hardship: float = 0.0
    risk_aversion: float = 0.0
    active: bool = False
    jailed: bool = False
    out: int = 0


def civil_violence(
    path: list[float],
    size: int,
    citizens: int,
    cops: int,
    vision: float,
    jail: int,
    threshold: float,
    k: float,
    rounding: bool,
    seed: int,
) -> tuple[list[int], list[int]]:
    """Return the numbers of active and of jailed citizens after each step."""
    key = luck_key(seed, "classics.epstein")

    def luck(name: str, who: int, when: int = 0) -> list[float]:
        drawn = words(key, int(decision(f"classics.epstein.{name}")), who, int(NOBODY), when)
        return [(int(w) + 0.5) / 2**32 for w in drawn]

    sites = [(r, c) for r in range(size) for c in range(size)]
    lots = sorted(range(size * size), key=lambda s: luck("place", s)[0])
    people = [Person(i, False, sites[lots[i]], *luck("traits", i)[:2]) for i in range(citizens)]
    people += [Person(size * size + j, True, sites[lots[citizens + j]]) for j in range(cops)]

    reach = range(-int(vision), int(vision) + 1)
    steps = [(x, y) for x in reach for y in reach if 0 < x * x + y * y <= vision * vision]

    def seen(place: tuple[int, int]) -> list[tuple[int, int]]:
        return [((place[0] + x) % size, (place[1] + y) % size) for x, y in steps]

    def ground() -> dict[tuple[int, int], Person]:
        return {p.place: p for p in people if not p.jailed}

    active, jailed = [], []
    for step, legitimacy in enumerate(path):
        drawn = {p.who: luck("step", p.who, step) for p in people}
        for p in sorted(people, key=lambda p: drawn[p.who][0]):
            _, where, whom, _ = drawn[p.who]
            if p.jailed and step < p.out:
                continue
            taken = ground()
            free = [place for place in seen(p.place) if place not in taken]
            if p.jailed and p.place not in taken:
                free.append(p.place)
            if p.jailed and not free:
                continue
            p.jailed = False
            if free:
                p.place = free[int(where * len(free))]
            taken = ground()
            others = [taken[place] for place in seen(p.place) if place in taken]
            rebels = [other for other in others if other.active]
            if not p.cop:
                ratio = sum(other.cop for other in others) / (1 + len(rebels))
                risk = 1 - math.exp(-k * (math.floor(ratio) if rounding else ratio))
                p.active = p.hardship * (1 - legitimacy) - p.risk_aversion * risk > threshold
            elif rebels:
                suspect = rebels[int(whom * len(rebels))]
                suspect.active, suspect.jailed = False, True
                suspect.out = step + 1 + int(drawn[suspect.who][3] * jail)
                p.place = suspect.place
        active.append(sum(p.active for p in people))
        jailed.append(sum(p.jailed for p in people))
    return active, jailed
