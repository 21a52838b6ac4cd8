"""Known models with known answers: to verify Breakrank's parts against, and to teach with.

Each is small, stands alone, and is tested against published numbers:

- :mod:`~breakrank_classics.granovetter`: threshold cascades (Granovetter 1978);
- :mod:`~breakrank_classics.kuran`: preference falsification and the surprise of revolutions (Kuran 1991);
- :mod:`~breakrank_classics.morris_shin`: the global game of regime change (Morris and Shin 2003);
- :mod:`~breakrank_classics.epstein`: civil violence, model I (Epstein 2002).

>>> from breakrank_classics import granovetter
>>> granovetter.cascade(range(100)).acting
100
"""
