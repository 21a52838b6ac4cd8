"""Statistics over runs, and what one run of each variable weighs."""

from __future__ import annotations

import numpy as np

from breakrank.results.gather import weights
from breakrank.results.reduce import reduced
from tests.results.fake import fake_case, fake_result


def test_statistics_are_those_of_all_runs() -> None:
    data = fake_result(12).data
    made = reduced([data[["registered", "exits_rank"]], data[["opposed", "fate_rank"]]])
    assert made["statistic"].values.tolist() == ["mean", "sd", "q05", "q25", "q50", "q75", "q95"]
    assert made["exits_rank"].dims == ("statistic", "day", "outcome", "rank")
    for name in ("registered", "exits_rank", "fate_rank"):
        values = data[name].values.astype(float)
        assert np.array_equal(made[name].sel(statistic="mean"), values.mean(0))
        assert np.allclose(made[name].sel(statistic="sd"), values.std(0, ddof=1))
        assert np.array_equal(made[name].sel(statistic="q95"), np.quantile(values, 0.95, axis=0))
        assert made[name].attrs == data[name].attrs
    assert made.attrs["runs"] == 12


def test_dated_fields_stay_as_they_are() -> None:
    data = fake_result(2).data
    assert reduced([data])["field_credibility"].identical(data["field_credibility"])


def test_weights_are_what_arrays_take() -> None:
    data = fake_result(2).data
    known = weights(fake_case())
    assert all(data[n].nbytes == 2 * known[n] for n in known if n in data)


def test_where_some_runs_have_no_number_the_others_count() -> None:
    data = fake_result(4).data[["opposed"]].copy(deep=True)
    data["opposed"][1:, 0] = np.nan
    data["opposed"][:, 1] = np.nan
    made = reduced([data])["opposed"]
    assert made.sel(statistic="q50")[0] == data["opposed"][0, 0]
    assert np.isnan(made[:, 1]).all()
    assert not np.isnan(made[:, 2]).any()
