"""The identity of a run: its code's meaning, its scenario, its seed and its number, and nothing else.

Two runs of one identity are the same bits, whoever made them and when. Work that is finished is found by it.

The versions that a result is made with.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import platform
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import breakrank
from breakrank import meaning, plugins
from breakrank.case.fitting import CHANGED, EARLIER, OTHER_FIGURES, fits
from breakrank.results.files import write_whole
from breakrank.results.uncertainty import posterior_of
from breakrank.runs.worker import Simulator, standard_simulator
from breakrank.spec import defaults
from breakrank.surroundings import cache_folder

if TYPE_CHECKING:
    from breakrank.case import Case


MODEL = (
    "draws.py",
    "engine",
    "force",
    "kernel.py",
    "labels.py",
    "mechanisms",
    "model.py",
    "outputs.py",
    "spec.py",
    "table.py",
    "table_type.py",
    "units.py",
    "case/case_data.py",
    "case/changes.py",
    "case/country.py",
    "case/daily.py",
    "case/draws.py",
    "case/force_spec.py",
    "case/log_words.py",
    "case/models_base.py",
    "case/models_events.py",
    "case/models_force.py",
    "case/models_parameters.py",
    "case/models_routes.py",
    "case/models_evidence.py",
    "case/place_codes.py",
    "case/prior.py",
)
"""The files and folders of the package that compute a run from a scenario.

A scenario's digest is that of its case as read, in the case's own money, and of its draws. So what reads,
checks and converts files, or draws from priors, counts only through that digest and is left out. What a case
leaves unsaid is not in the digest: the defaults stand in the models of its files.
"""

_KEPT = 50
"""So many digests are kept in the user's folder, each of another state of the source."""
_READING = threading.Lock()
"""One thread reads source at a time: Python 3.11 can fail where two make syntax trees at once."""


@cache
def model_digest() -> str:
    """Return the SHA-256 of what the model's code does, and of the libraries that calculate.

    Charts, words and commands are no part of it: to change them makes no finished run stale. The machine's
    kind is, because another processor may round the last digit differently.
    """
    import numba
    import numpy as np

    return _digest(_of_the_model(), np.__version__, numba.__version__, platform.machine())


def source_digest(simulator: Simulator | None = None, added: str = "") -> str:
    """Return the SHA-256 of what the code does that makes a run, and of nothing else.

    `added` is that of the mechanisms that a case adds to the model (``case.catalogue.code``).
    What was learned from runs, as a posterior is, bears on those of another version of NumPy or another kind
    of machine too: their last digits may differ, what they tell does not.
    """
    own = _of_the_model()
    # mechanisms of Breakrank's own add nothing: the model's code has them
    added = "" if added == plugins.source_digest(()) else added
    if simulator is None or simulator == standard_simulator():
        return _digest(own, added) if added else own
    return _digest(own, added, _name(simulator.build), _name(simulator.replicate), *simulator.events)


def code_digest(simulator: Simulator | None = None) -> str:
    """Return the digest of the code that makes a run; functions that are not the model's, by name.

    The source of the mechanisms that a case adds is part of the case's digest.
    """
    if simulator is None or simulator == standard_simulator():
        return model_digest()
    return _digest(model_digest(), _name(simulator.build), _name(simulator.replicate), *simulator.events)


def ensemble_identity(code: str, scenario: str, seed: int) -> str:
    """Return the identity (SHA-256, hexadecimal) of all runs of a scenario under a seed.

    Parameters
    ----------
    code : from :func:`code_digest`.
    scenario : digest of the case as the scenario has it.
    seed : 0 to 2**64 - 1.
    """
    return _digest("ensemble", code, scenario, int(seed))


@cache
def _of_the_model() -> str:
    """Return the digest of the model: what its code does, and the values of the package's parameters."""
    values = {name: float(one["value"]) for name, one in defaults().items()}
    return _digest(_of_the_code(), json.dumps(values, sort_keys=True))


def _of_the_code() -> str:
    """Return the digest of the model's code. It is kept for the next process, as it takes half a second."""
    root = Path(breakrank.__file__).parent
    sources = model_sources(root)
    read = (f"{path} {hashlib.sha256(source).hexdigest()}" for path, source in sources.items())
    own = hashlib.sha256(Path(meaning.__file__).read_bytes()).hexdigest()
    kept = cache_folder() / "digests" / _digest(own, *read)
    with suppress(OSError, ValueError):
        digest = kept.read_text("ascii")
        if len(bytes.fromhex(digest)) == hashlib.sha256().digest_size:
            return digest
    with _READING:
        digest = meaning.meaning(sources)
    with suppress(OSError):
        kept.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(kept, digest)
        by_age = sorted(kept.parent.iterdir(), key=lambda file: file.stat().st_mtime)
        for old in by_age[:-_KEPT]:
            old.unlink()
    return digest


def model_sources(root: Path) -> dict[str, bytes]:
    """Return the model's source by path, of a package in a folder."""
    files = (p for name in MODEL for p in (root / name, *(root / name).rglob("*.py")) if p.is_file())
    return {path.relative_to(root.parent).as_posix(): path.read_bytes() for path in sorted(files)}


def _digest(*parts: str | int) -> str:
    # as JSON, so that no two lists of parts read the same
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()


def _name(function: Callable[..., object]) -> str:
    return f"{function.__module__}:{function.__qualname__}"


OTHERWISE = "of another version of the model"
"""What is said of an ensemble or a posterior that was made with other code than the model's present one."""


def ensemble_version(case: Case) -> str:
    """Return why the ensemble or posterior that a case is run under may not be of the case and the model.

    It is the worst of :data:`OTHER_FIGURES`, :data:`EARLIER` and :data:`OTHERWISE`. Empty for other draws, or
    if nothing is known of what they were made with.
    """
    draws, posterior = getattr(case, "draws", None), posterior_of(case)
    about: Mapping[str, object] = {} if posterior is None else posterior.about
    if posterior is not None and "fitted_to" in about and not fits(posterior, case):
        return OTHER_FIGURES
    if CHANGED in about:
        return EARLIER
    made = about.get("made")
    model = made.get("model") if isinstance(made, Mapping) else None
    model = draws.luck.model if draws is not None and draws.luck is not None else model
    return OTHERWISE if model and model != source_digest(added=case.catalogue.code) else ""


def versions(case: Case) -> dict[str, str]:
    """Return the versions and the platform that a result of a case is made with.

    ``ensemble`` is among them where an ensemble or a posterior is of another version of the model.
    """
    added = [f"{name} ({_offered_by(name)})" for name in case.mechanisms]
    foreign = set(case.mechanisms) - set(plugins.OPTIONAL)
    source = f"; source {case.catalogue.code[:12]}" if foreign else ""
    more = {"mechanisms": f"{', '.join(added)}{source}"} if added else {}
    more |= {"ensemble": found} if (found := ensemble_version(case)) else {}
    return {
        "breakrank": breakrank.__version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": importlib.metadata.version("numba"),
        "platform": platform.platform(),
        **more,
    }


def _offered_by(mechanism: str) -> str:
    if mechanism in plugins.OPTIONAL:
        return "Breakrank's own"
    dist = plugins.distribution(mechanism)
    return "not installed" if dist is None else f"{dist.name} {dist.version}"
