"""What the synthetic force needs to know beyond the order of battle: its parameters and its fixed shapes."""

from __future__ import annotations

from breakrank.spec import Parameter

LARGEST = 10_000_000
"""Most soldiers one force may have."""

PARAMETERS = (
    Parameter(
        "force.strength", "persons", 1, LARGEST, 160_000,
        "soldiers in the force, all branches together",
        scope="national",
    ),
    Parameter(
        "force.comrades", "persons", 0, 50, 5,
        "trusted comrades a soldier has in his own unit (mean)",
        "McLauchlin 2015 (trust among comrades decides who deserts); Granovetter 1973 (strong ties)",
    ),
    Parameter(
        "force.classmates", "persons", 0, 50, 2,
        "trusted academy classmates in other units, of a soldier who attended an academy (mean)",
        "Granovetter 1973 (bridging ties); Singh 2014 (a coup has to be coordinated across units)",
    ),
    Parameter(
        "force.kin", "persons", 0, 5, 0.3,
        "relatives who serve in another unit (mean)",
        "McLauchlin 2014 (family and home ties); Granovetter 1973 (bridging ties)",
    ),
    Parameter(
        "force.dependants", "persons", 0, 8, 1.8,
        "people who live on a soldier's pay (mean over the force; grows with years served)",
        scope="national",
    ),
    Parameter(
        "force.kin_abroad", "probability", 0, 1, 0.12,
        "a soldier has relatives abroad who could take him in",
        "Massey et al. 1993 (migrant networks lower the cost of leaving)",
        scope="national",
    ),
    Parameter(
        "force.vehicle_access", "probability", 0, 1, 0.06,
        "a soldier can take a vehicle (mean over the force)",
        scope="national",
    ),
    Parameter(
        "force.border_post", "probability", 0, 1, 0.05,
        "a soldier is posted at a crossing (only in states that have a manned one)",
        scope="national",
    ),
    Parameter(
        "force.escort", "probability", 0, 1, 0.02,
        "a soldier escorts officials or goods",
        scope="national",
    ),
    Parameter(
        "force.guards_politician", "probability", 0, 1, 0.01,
        "a soldier guards a politician",
        scope="national",
    ),
    Parameter(
        "force.recruit_family", "fraction", 0, 1, 0.4,
        "household of a recruit, as a share of that of those who have served longest",
        scope="national",
    ),
)  # fmt: skip
"""What :func:`breakrank.force.build_force` reads from a case."""

# Shapes, not sizes: they decide how a mean given above is spread, never how large it is.

CLASS_SECTION = 40
"""Soldiers in one section of an academy class, about a lecture hall: classmates who know one another."""

KIN_CIRCLE = 16
"""Soldiers in one circle of possible relatives; wide, so that few triangles arise by chance."""

MOST_DEPENDANTS = 31
"""Largest household drawn; the tail of the Poisson distribution is gathered there."""
