"""Results in unusual states, and a case whose every text is hostile, for the tests of charts and reports."""

import datetime as dt
from typing import Any

from breakrank.results.collect import Collector
from breakrank.results.result import Result
from tests.results.fake import EVENTS, fake_build, fake_case, fake_replicate


def made(runs: int = 8, end: str = "2019-12-31", case: Any = None, still: bool = False) -> Any:
    """Return a made-up result; with `still`, one in which nobody ever leaves."""
    case = case or fake_case().until(dt.date.fromisoformat(end))
    force = fake_build(case, 7)
    collector = Collector(case, runs, EVENTS)
    for run in range(runs):
        collector.add(fake_replicate(case, force, 7, run, log=False))
    data = collector.dataset()
    if still:
        data = data.copy(deep=True)
        for name in data.data_vars:
            if str(name).startswith(("exits", "crossed", "registered", "arrested", "shot", "released")):
                data[name][...] = 0
        for name in {"fates", "fate_rank", "fate_branch"} & set(data.data_vars):
            data[name].loc[{"fate": "serving"}] = data[name].sum("fate")
            data[name].loc[{"fate": [f for f in data["fate"].values if f != "serving"]}] = 0
    return Result(data=data, case=case, seed=7, seconds=1.0, command="made up", versions={"python": "3"})
