"""Share the variance of an outcome between parameters, with SALib (`pip install SALib`) on runs of Breakrank.

A first-order index says what share of the variance would go if the parameter were known; a total index what
share would stay if all others were. Chance is no parameter here: first-order indices add up to less than 1.
"""

from __future__ import annotations

import numpy as np
from SALib.analyze import sobol as indices
from SALib.sample import sobol as design

import breakrank
from breakrank.case.draws import Draws
from breakrank.results.measures import measure

ROWS = 64  # a power of two; a real study needs some hundreds, and a larger force
PARAMETERS = ("fear.risk_weight", "grievance.hardship_weight", "challenger.credibility_weight")

case = breakrank.load_case("venezuela-2019", "point").until("2019-02-28").set({"force.strength": 2000})
priors = [case.parameters[name].prior for name in PARAMETERS]
problem = {"num_vars": len(PARAMETERS), "names": list(PARAMETERS), "bounds": [[0, 1]] * len(PARAMETERS)}
places = design.sample(problem, ROWS, calc_second_order=False, seed=1)
values = np.stack([prior.quantile(places[:, k]) for k, prior in enumerate(priors)], axis=1)

# SALib's rows come in groups: one of table A, A with each parameter exchanged in turn, one of table B.
# Rows of A and those made from it share their luck, so that only the exchanged parameter tells them apart.
size = len(PARAMETERS) + 2
outcome = np.empty(len(values))
for k in range(size):
    drawn = case.with_draws(Draws(PARAMETERS, values[k::size]))
    made = breakrank.simulate(drawn, runs=ROWS, seed=2 if k == size - 1 else 1)
    outcome[k::size] = np.log1p(measure(made.whole.data, "left_abroad"))

print(indices.analyze(problem, outcome, calc_second_order=False, seed=1).to_df())
