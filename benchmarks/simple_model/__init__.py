"""One simplified model, declared in ``benchmarks/README.md``, in three implementations."""

NAMES = {
    "engine": "Breakrank's engine",
    "masked": "NumPy, masked",
    "mesa": "Mesa 3, shuffle_do",
    "mesa_do": "Mesa 3, do",
}
"""The implementations by key, as tables call them; the first is what the others are compared with."""
