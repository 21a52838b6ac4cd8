"""What the synthetic force needs to know beyond the order of battle: its parameters and its fixed shapes."""

from __future__ import annotations

from breakrank.spec import Parameter, parameters_of

LARGEST = 10_000_000
"""Most soldiers one force may have."""

PARAMETERS = (
    Parameter(
        "force.strength", "persons", 1, LARGEST, 160_000,
        "soldiers in the force, all branches together",
        scope="national",
    ),
    *parameters_of("force"),
)  # fmt: skip
"""What :func:`breakrank.force.build_force` reads from a case."""

# Shapes, not sizes: they decide how a mean given above is spread, never how large it is.

CLASS_SECTION = 40
"""Soldiers in one section of an academy class, about a lecture hall: classmates who know one another."""

KIN_CIRCLE = 16
"""Soldiers in one circle of possible relatives; wide, so that few triangles arise by chance."""

MOST_DEPENDANTS = 31
"""Largest household drawn; the tail of the Poisson distribution is gathered there."""
