"""The numbers of one small answer to each question, without a word of what is said about them."""

from __future__ import annotations

import contextlib
import io
import json
import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from breakrank.cli import main
from tests.questions.hindcast.small import small_case

ANSWERS = Path(__file__).with_name("answers.json")
CASE = "venezuela-2019"
SMALL = "--set force.strength=2000 --workers 1"
MARCH = "--until 2019-03-31"
RUNS = f"{SMALL} {MARCH} --runs 8"

QUESTIONS = {
    name: command.split()
    for name, command in {
        "run": f"run {CASE} {RUNS} --out ran",
        "compare": "compare small --workers 1 --runs 8 --with no-appeal --out compared",
        "plan": f"plan {CASE} {SMALL} --runs 8 --from 2019-03-01 --to 2019-04-30",
        "explain": f"explain {CASE} {SMALL} {MARCH} --runs 8",
        "sweep": f"sweep {CASE} {SMALL} {MARCH} --over fear.risk_weight=0:12:3 --refine 0 --runs 4",
        "examine": f"examine {CASE} {SMALL} --short --runs 4 --only opposed-half",
        "trace": f"trace {CASE} --set force.strength=2000 --fate registered",
        "stories": f"stories {CASE} {SMALL} --runs 4",
        "forecast": "forecast small --as-of 2025-03-10 --members 20 --workers 1",
        "hindcast": "hindcast small --draws 20 --workers 1",
    }.items()
}
"""The command of each; ``small`` stands for a case that is fitted in seconds."""


def numbers(value: Any, at: str = "") -> Iterator[tuple[str, float]]:
    """Yield the numbers of an answer with the keys that lead to them; texts are passed over."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return
    if isinstance(value, int | float):
        yield at, value
    elif isinstance(value, dict):
        for key in sorted(value):
            yield from numbers(value[key], f"{at}.{key}")
    else:
        for k, item in enumerate(value):
            yield from numbers(item, f"{at}[{k}]")


def ask(question: str, folder: Path) -> dict[str, float]:
    """Return the numbers of the answer to a question, asked on the command line in a folder."""
    command = QUESTIONS[question]
    if "small" in command:
        made = folder / "small"
        if not made.exists():
            small_case(made)
    out, before = io.StringIO(), Path.cwd()
    try:
        os.chdir(folder)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            code = main([*command, "--json", "--quiet"])
    finally:
        os.chdir(before)
    assert code == 0, f"{question} ended with {code}"
    return {key: x for key, x in numbers(json.loads(out.getvalue())) if "seconds" not in key}


def every_answer() -> dict[str, dict[str, float]]:
    """Return the numbers of the answers to all questions."""
    with TemporaryDirectory() as folder:
        return {question: ask(question, Path(folder)) for question in QUESTIONS}


def changed_answers(old: dict[str, dict[str, float]], new: dict[str, dict[str, float]]) -> list[str]:
    """Return in words which numbers differ between answers; those that are no more, and new ones, too."""
    out = []
    for question in sorted(old.keys() | new.keys()):
        a, b = old.get(question, {}), new.get(question, {})
        differ = [key for key in sorted(a.keys() | b.keys()) if a.get(key) != b.get(key)]
        out += [f"{question}{key}: {a.get(key)} -> {b.get(key)}" for key in differ[:5]]
        if len(differ) > 5:
            out.append(f"{question}: {len(differ) - 5} numbers more")
    return out
