"""What people need by the humanitarian field's own standards, in its units, each with whose standard it is.

The values are minimum or planning figures of the Sphere Handbook (Sphere Association 2018, "The Sphere
Handbook: Humanitarian Charter and Minimum Standards in Humanitarian Response", 4th edition), which UNHCR's
Emergency Handbook takes over for water. They say what people need, not what a site offers: whether a hotel
meets them is for an inspection to say.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from breakrank.questions.plan.spread import Row


@dataclass(frozen=True, slots=True)
class Standard:
    """One standard.

    Attributes
    ----------
    id, label : what is needed.
    each : how much for one person.
    unit : of what is needed by all.
    whole : whether it comes in whole pieces.
    rule : the standard in words. source : whose it is, and where it stands.
    """

    id: str
    label: str
    each: float
    unit: str
    whole: bool
    rule: str
    source: str

    def needed(self, persons: float) -> float:
        """Return what so many persons need.

        >>> STANDARDS[2].label, STANDARDS[2].needed(41), STANDARDS[0].needed(100)
        ('Toilets', 3.0, 350.0)
        """
        amount = self.each * persons
        return float(math.ceil(round(amount, 9))) if self.whole else amount


STANDARDS = (
    Standard(
        "floor",
        "Covered floor space",
        3.5,
        "m²",
        False,
        "3.5 m² a person, without cooking, bathing and sanitation; 4.5 to 5.5 m² in cold climates or towns "
        "where these are inside",
        "Sphere Handbook 2018, shelter and settlement standard 3 (living space)",
    ),
    Standard(
        "water",
        "Water",
        15.0,
        "litres a day",
        False,
        "15 litres a person and day, for drinking and domestic hygiene",
        "Sphere Handbook 2018, water supply standard 2.1 (access and quantity); UNHCR Emergency Handbook, "
        "emergency water standard",
    ),
    Standard(
        "toilets",
        "Toilets",
        1 / 20,
        "toilets",
        True,
        "1 for 20 people (1 for 50 in the first phase), three for women to one for men",
        "Sphere Handbook 2018, excreta management standard 3.2 (access to and use of toilets)",
    ),
    Standard(
        "taps",
        "Water taps",
        1 / 250,
        "taps",
        True,
        "1 for 250 people",
        "Sphere Handbook 2018, water supply standard 2.1 (access and quantity)",
    ),
    Standard(
        "energy",
        "Food energy",
        2_100.0,
        "kcal a day",
        False,
        "2,100 kcal a person and day, as a figure to plan with",
        "Sphere Handbook 2018, food assistance standard 6.1 (general nutrition requirements)",
    ),
)
"""The standards a plan is set against."""

DECISION_DAYS = 30
"""Days from the interview within which a decision should be issued, by UNHCR's measure for itself."""

DECISION_SOURCE = (
    "UNHCR, Procedural Standards for Refugee Status Determination under UNHCR's Mandate (2003), 4.5: a "
    "decision normally within one month of the interview, two where it is complex"
)
"""Whose measure that is. States set their own; here it is a yardstick only."""


def needs(beds: tuple[float, ...], assurance: tuple[float, ...], meals: float = 3.0) -> list[Row]:
    """Return what is needed on the day of the highest need, for the persons that suffice at each assurance.

    `meals` are those that a person needs a day by the case.

    Columns ``need``, ``label``, ``unit``, one for each assurance (such as ``at_80``), ``rule``, ``source``.
    """
    names = [f"at_{share * 100:g}" for share in assurance]
    about: Row = {"need": "persons", "label": "Persons to shelter", "unit": "persons"}
    rows = [about | dict(zip(names, beds, strict=True)) | {"rule": "", "source": "the runs of this plan"}]
    served = {n: float(math.ceil(round(meals * b, 9))) for n, b in zip(names, beds, strict=True)}
    rule = f"{meals:g} meals a person and day, the most that a site of the case serves"
    about = {"need": "meals", "label": "Meals a day", "unit": "meals a day"}
    rows.append(about | served | {"rule": rule, "source": "the case"})
    for one in STANDARDS:
        amounts = {n: one.needed(b) for n, b in zip(names, beds, strict=True)}
        about = {"need": one.id, "label": one.label, "unit": one.unit}
        rows.append(about | amounts | {"rule": one.rule, "source": one.source})
    return rows
