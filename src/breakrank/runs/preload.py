"""What the server of workers imports: the model and its kept kernels, which all workers then share."""

from __future__ import annotations

import gc
from contextlib import suppress

import pandas as pd  # noqa: F401 (pyarrow imports it with the first array that it writes)

import breakrank.model  # noqa: F401 (defines the kernels)
from breakrank.kernel import load_kept

with suppress(Exception):  # what cannot be loaded is compiled by the worker that calls it, or told by it
    load_kept()
gc.collect()
gc.freeze()  # so that looking for garbage does not copy into each worker what all could share
