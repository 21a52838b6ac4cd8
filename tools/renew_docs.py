#!/usr/bin/env python3
"""Make the figures of the documentation anew: ``python tools/renew_docs.py [NAME...]``.

Without names it makes all that is quick and older than the model's numbers, in some twenty minutes on two
cores; with `--all`, also what takes a night, each by its own command, which continues where it stopped.
`--check` makes nothing and fails if anything is old, which a release has to pass. The figures go to
``docs/figures.yaml``, and from there into the pages: into the role ``made``, and between the comments
``<!-- made: NAME -->`` and ``<!-- end -->``.
"""

from __future__ import annotations

import datetime as dt
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import cyclopts
import numpy as np
import yaml

ROOT = Path(__file__).resolve().parents[1]
sys.path[0:0] = [str(ROOT), str(ROOT / "docs" / "_ext")]

import figures as written_figures  # noqa: E402 (the documentation's own module)

import breakrank  # noqa: E402
from benchmarks import calibrations, hindcasts, what_acts  # noqa: E402
from benchmarks.report import commit, machine, markdown  # noqa: E402
from breakrank.answer.cells import grid  # noqa: E402
from breakrank.answer.charts import chart  # noqa: E402
from breakrank.lives.answer import kinds_of_lives  # noqa: E402
from breakrank.lives.stories import counted_lives  # noqa: E402
from breakrank.results.measures import measure, measure_of  # noqa: E402
from breakrank.results.uncertainty import crps  # noqa: E402
from breakrank.runs.carry_out import Making  # noqa: E402

PAGES = sorted(page for page in (ROOT / "docs").rglob("*.md") if "_build" not in page.parts)
BLOCK = re.compile(r"(<!-- made: ([\w.-]+) -->\n).*?(\n?<!-- end -->)", re.S)
BUILD = ROOT / "build" / "docs"
MEMBERS, FIXED, SEED = 40, 100, 0
HEADER = "# Written by tools/renew_docs.py. What was made, how, and what came of it.\n"


@dataclass
class Made:
    """What one call made: figures as texts by name, and blocks of Markdown by name."""

    figures: dict[str, str] = field(default_factory=dict)
    blocks: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Maker:
    """How something is made: commands that a reader may call, the seed, and whether it takes a night."""

    commands: tuple[str, ...]
    make: Callable[[Path], Made]
    seed: int = SEED
    slow: bool = False


def rows_of(result: breakrank.Result) -> dict[str, tuple[str, ...]]:
    """Return by target the cells of the table beside the record: label, observed, compared, median, 90%."""
    table = result.answer["outcomes"]
    return dict(zip(table.rows["id"], grid(table, table.rows).rows, strict=True))


def cell(row: tuple[str, ...]) -> str:
    """Return a value with its interval, and whether the observed figure lies outside."""
    _, _, compared, value, interval = row
    ends = f" ({interval})" if " to " in interval else ""
    return f"{value}{ends}{', **outside**' if compared.startswith('missed') else ''}"


def card(name: str, _: Path) -> Made:
    """Return the table beside the record of a built-in case, and what its card says of these runs."""
    point = breakrank.load_case(name, "point")
    runs = FIXED if point.posterior is not None else MEMBERS
    results = [breakrank.simulate(point, runs=runs, seed=SEED, log_runs=0)]
    heads = ["fixed values, 90%"]
    if point.posterior is not None:
        results.insert(0, breakrank.simulate(breakrank.load_case(name), runs=MEMBERS, seed=SEED, log_runs=0))
        heads.insert(0, "members, 90%")
    found = [rows_of(one) for one in results]
    constructed = {one.id for one in point.targets if one.construction is not None}
    rows = [
        [
            f"{row[0]}{', *by construction*' if one in constructed else ''}",
            *(cell(mine[one]) for mine in found),
            row[1],
        ]
        for one, row in found[0].items()
    ]
    made = Made(blocks={"record": markdown(["outcome", *heads, "record"], rows)})
    made.figures["outside"] = str(sum("missed" in row[2] for row in found[0].values()))
    made.figures |= {f"fixed-{one}": row[3] for one, row in found[-1].items()}
    uprisings = measure(results[0].whole.data, "uprisings")
    low, high = np.quantile(uprisings, (0.05, 0.95))
    made.figures |= {
        "uprisings": f"{uprisings.mean():.1f}",
        "uprisings-low": f"{low:.0f}",
        "uprisings-high": f"{high:.0f}",
        "quiet": f"{np.median(measure(results[0].whole.data, 'quiet_desertion')):,.0f}",
        "plots": f"{np.median(measure(results[0].whole.data, 'plots_founded')):,.0f}",
    }
    return made


def cards() -> dict[str, Maker]:
    """Return how each built-in case's card is made."""
    out = {}
    for name in breakrank.list_cases():
        fitted = (written_figures.CASES / name / "ensemble").is_dir()
        at_values = f"breakrank run {name} --ensemble point"
        commands: tuple[str, ...] = (f"{at_values} --runs {MEMBERS}",)
        if fitted:
            commands = (f"breakrank run {name} --runs {MEMBERS}", f"{at_values} --runs {FIXED}")
        out[name] = Maker(commands, partial(card, name))
    return out


def null_model(_: Path) -> Made:
    """Return counts of the register under the model and under its null model, with their scores."""
    case = breakrank.load_case("venezuela-2019", "point").until("2019-04-10")
    null = breakrank.null_model(case, decision__baseline_leave=6.6)
    both = [breakrank.simulate(one, runs=24, seed=5, log_runs=0) for one in (case, null)]
    rows = []
    for target in case.targets:
        if target.id not in ("registered-february", "registered-month", "registered-april"):
            continue
        counts = [np.asarray(measure_of(one.data, target), dtype=float) for one in both]
        ends = [end for end in target.range or (target.value,) if end is not None]
        scores = [crps(count, sum(ends) / len(ends)) for count in counts]
        cells = []
        for count, score in zip(counts, scores, strict=True):
            best = "**" * (score == min(scores))
            cells += [f"{count.mean():,.0f}", f"{best}{score:,.0f}{best}"]
        record = " to ".join(f"{end:,.0f}" for end in ends)
        rows.append([f"{target.date.day} {target.date:%B}", record, *cells])
    heads = ["registered by", "record", "model", "its score", "null model", "its score"]
    return Made(blocks={"table": markdown(heads, rows)})


def stories(_: Path) -> Made:
    """Return how many runs hold each kind of life that witnesses described, those of one number together."""
    case = breakrank.load_case("venezuela-2019")
    with Making() as making:
        found = kinds_of_lives(counted_lives(case, making, 25, 1), 25)["stories"].records()
    held: dict[int, list[str]] = {}
    for one in sorted(found, key=lambda one: (-one["runs_with"], case.patterns.ids.index(one["id"]))):
        held.setdefault(one["runs_with"], []).append(one["title"])
    rows = [[", ".join(titles), str(runs)] for runs, titles in held.items()]
    return Made(blocks={"table": markdown(["stories", "runs"], rows)})


SIZES = {
    "`src`": (("src/*.py",), "54,000 in 240"),
    "`tests`": (("tests/*.py",), "34,000"),
    "`tools`, `benchmarks`": (("tools/*.py", "benchmarks/*.py"), "3,500"),
    "`page/src`": (("page/src/*.svelte", "page/src/*.ts"), "6,500"),
}
"""Files of each row, and the aim for this version."""


def sizes(folder: Path) -> Made:
    """Return lines and files of version 0.1 and of this checkout, beside what was aimed at."""
    rows = []
    for name, (files, aim) in SIZES.items():
        cells = []
        for version in ("efd5cae4", "HEAD"):
            paths = " ".join(f"'{file}'" for file in files)
            call(f"git -C {ROOT} grep -c '' {version} -- {paths}", folder, folder / "printed")
            counts = [int(line.rpartition(":")[2]) for line in (folder / "printed").open(encoding="utf-8")]
            cells.append(f"{sum(counts):,} in {len(counts)}")
        rows.append([name, *cells, aim])
    return Made(blocks={"sizes": markdown(["lines and files", "0.1", "now", "aim"], rows)})


GALLERY = {
    "run": "breakrank run venezuela-2019 --runs 40",
    "explain": "breakrank explain crimea-2014 --runs 20",
    "compare": "breakrank compare crimea-2014 --set fear.on=0 --runs 40",
    "sweep": "breakrank sweep crimea-2014 --over fear.risk_weight=0:12:4 --outcome 'left_abroad>=5000'"
    " --runs 20",
    "plan": "breakrank plan venezuela-2019 --from 2019-02-23 --to 2019-08-31 --runs 40",
    "forecast": "breakrank forecast crimea-2014 --as-of 2014-03-31 --members 20",
}
"""The command of each answer."""
SHOWN = {"run": "left"}
"""Of some answers the figure that is shown; of the others it is the first."""


def gallery(folder: Path) -> Made:
    """Return each answer of the gallery as its finding, its doubt, one chart and the command."""
    made = Made()
    for name, command in GALLERY.items():
        with TemporaryDirectory(dir=folder) as home:
            out = Path(home) / "out"
            if name == "forecast":  # its folder is an ensemble
                answer = breakrank.forecast("crimea-2014", "2014-03-31", members=20).answer
            else:
                call(f"{command} --quiet --out {out}", Path(home), Path(home) / "printed")
                answer = breakrank.load_result(out).answer if name == "run" else breakrank.load_answer(out)
        picture = f"gallery-{name}.svg"
        figure = SHOWN.get(name, answer.figures[0].name)
        drawn = chart(answer, figure)
        (ROOT / "docs" / "_static" / picture).write_text(drawn.svg(), "utf-8", newline="\n")
        caption = next(one.title for one in answer.figures if one.name == figure) or answer.finding
        made.blocks[name] = "\n\n".join(
            [f"**{answer.finding}** {answer.doubt}", f"![{caption}](_static/{picture})", f"`{command}`"]
        )
    return made


def beginning(command: str, lines: int) -> Maker:
    """Return how the first lines are made that a command prints, 100 columns wide."""

    def make(folder: Path) -> Made:
        name = command.split()[1]
        call(f"{command} --out {name}.html", folder, folder / f"{name}.txt")
        printed = (folder / f"{name}.txt").read_text("utf-8").splitlines()
        shown = [line.rstrip() for line in printed[:lines]]
        return Made(blocks={"output": "\n".join(["```text", *shown, "...", "```"])})

    return Maker((command,), make)


def call(command: str, folder: Path, out: Path | None = None) -> None:
    """Run a command in a folder, with what it prints in a file if one is named."""
    sys.stdout.write(f"$ {command}\n")
    sys.stdout.flush()
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    done = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env={**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "COLUMNS": "100"},
        stdout=subprocess.PIPE if out else None,
        text=True,
        check=True,
    )
    if out:
        out.write_text(done.stdout, "utf-8")


def once(path: str, command: str) -> str:
    """Return a command that writes a file, unless the file is there."""
    return f"test -s {path} || {command} --out {path}"


def by_commands(
    *commands: str, read: Callable[[Path], dict[str, str]], seed: int = SEED, slow: bool = True
) -> Maker:
    """Return how blocks are made by commands that are called in one folder and continue what they find.

    Parameters
    ----------
    read : returns the blocks, from that folder.
    """

    def make(folder: Path) -> Made:
        for command in commands:
            call(command, folder)
        return Made(blocks=read(folder))

    return Maker(commands, make, seed, slow)


def by_tables(printed: Mapping[str, Sequence[str]], seed: int = SEED, slow: bool = False) -> Maker:
    """Return how blocks are made of the tables that commands print.

    Parameters
    ----------
    printed : by command, the names of its tables in their order; text below a table is part of its block.
    """

    def make(folder: Path) -> Made:
        made = Made()
        for command, names in printed.items():
            call(command, folder, folder / "printed")
            text = (folder / "printed").read_text("utf-8").strip()
            made.blocks |= dict(zip(names, re.split(r"\n\n(?=\|)", text), strict=True))
        return made

    return Maker(tuple(printed), make, seed, slow)


def verdicts(folder: Path) -> dict[str, str]:
    """Return what the examination found: how many of which verdict, what is marked, and the table by part."""
    answer = breakrank.load_answer(folder / "examination")
    marked = ("Marked", "Right, but marked", "Dropped", "Not examined")
    notes = [f"- {note}" for note in answer.notes if note.startswith(marked)]
    parts = answer["parts"].rows.astype(str)
    table = markdown([str(name).replace("_", " ") for name in parts], parts.to_numpy().tolist())
    return {"verdicts": "\n".join([f"**{answer.finding}**", "", *notes]), "parts": table}


CASES = breakrank.list_cases()
CALIBRATE = "breakrank calibrate {0} --seed {1}"
AGAIN = f"test -d {{0}}-{{1}} || {CALIBRATE} --store {{0}}.store --out {{0}}-{{1}}"
SIGNS = "python -m tests.validation.sign_worlds"
ACTS = "python -m benchmarks.what_acts"
MAKERS: dict[str, Maker] = {
    **cards(),
    "null-model": Maker(("breakrank.null_model(case, decision__baseline_leave=6.6)",), null_model, seed=5),
    "release": Maker(("git grep -c '' HEAD -- FILES",), sizes),
    "stories": Maker(("breakrank stories venezuela-2019 --runs 25 --seed 1",), stories, seed=1),
    "gallery": Maker(tuple(GALLERY.values()), gallery),
    "first-run": beginning("breakrank run venezuela-2019", 20),
    "plan": beginning(
        "breakrank plan venezuela-2019 --from 2019-02-23 --to 2019-08-31 --with funded-reception", 20
    ),
    "calibrations": Maker(
        tuple(CALIBRATE.format(name, SEED) for name in CASES), lambda _: Made(blocks=calibrations.blocks())
    ),
    "calibrations-again": by_commands(
        *(AGAIN.format(name, seed) for name in CASES if name != "syria-2011" for seed in (0, 1)),
        read=lambda folder: {"apart": "\n".join(calibrations.again(sorted(folder.glob("*-[01]"))))},
    ),
    "hindcasts": by_commands(
        "test -d hindcast || breakrank hindcast --draws 40 --out hindcast",
        read=lambda folder: hindcasts.blocks(folder / "hindcast"),
    ),
    "what-acts": by_commands(
        "mkdir -p what-acts",
        once("what-acts/interventions.csv", "python -m benchmarks.interventions"),
        once("what-acts/screening-venezuela-2019.csv", f"{ACTS} screening venezuela-2019 --until 2019-05-31"),
        once("what-acts/screening-philippines-1986.csv", f"{ACTS} screening philippines-1986"),
        once("what-acts/scale.csv", f"{ACTS} scale"),
        read=lambda folder: what_acts.blocks(folder / "what-acts"),
        seed=5,
    ),
    "examination": by_commands(
        "breakrank examine venezuela-2019 --ensemble point --set force.strength=16000 --until 2019-06-30"
        " --runs 8 --seed 1 --store examination.store --out examination",
        read=verdicts,
        seed=1,
        slow=False,
    ),
    "base-rates": by_tables({"python -m benchmarks.base_rates --runs 60": ("rates", "leaders")}, seed=5),
    "signs": by_tables(
        {
            f"{SIGNS} leaders": ("leaders", "leaders-large"),
            f"{SIGNS} opinions": ("opinions",),
            f"{SIGNS} press": ("press",),
            f"{SIGNS} units": ("units", "units-cohesion", "one-mind"),
        }
    ),
    "simulation-based": by_tables(
        {"python -m benchmarks.simulation_based_calibration --store sbc": ("ranks",)}, slow=True
    ),
    "waits": by_tables(
        {'python -m benchmarks.performance waits --beside "$PYTHON_OF_0_1"': ("times",)}, slow=True
    ),
    "force-year": by_tables(
        {"python -m benchmarks.performance year 160000 2000000 10000000": ("times",)}, slow=True
    ),
    "engines": by_tables(
        {"python -m benchmarks.performance engines --mesa-soldiers 40000": ("times",)}, slow=True
    ),
}
"""All that is made, by name. Those that are not slow take twenty minutes together."""


def write(name: str, made: Made) -> None:
    """Write down what was made, with its commands, commit and machine, and put it into the pages."""
    shown = {match[3] for page in PAGES for match in written_figures.ROLE.finditer(page.read_text("utf-8"))}
    every = dict(written_figures.written())
    every[name] = {
        "commands": list(MAKERS[name].commands),
        "seed": MAKERS[name].seed,
        "commit": commit(),
        "machine": machine(),
        "made": dt.date.today().isoformat(),
        "state": written_figures.state(MAKERS[name].commands),
        "figures": {key: made.figures[key] for key in sorted(made.figures) if f"{name}.{key}" in shown},
    }
    text = HEADER + yaml.safe_dump({k: every[k] for k in sorted(every)}, sort_keys=False, width=100)
    unfinished = written_figures.FIGURES.with_suffix(".new")
    unfinished.write_text(text, "utf-8", newline="\n")
    unfinished.replace(written_figures.FIGURES)
    written_figures.written.cache_clear()
    into_pages({f"{name}.{block}": text for block, text in made.blocks.items()})


def into_pages(blocks: dict[str, str]) -> None:
    """Put blocks and figures where pages name them."""

    def block(match: re.Match[str]) -> str:
        return f"{match[1]}{blocks[match[2]]}\n<!-- end -->" if match[2] in blocks else match[0]

    def figure(match: re.Match[str]) -> str:
        part, _, name = match[3].partition(".")
        found = written_figures.written().get(part, {}).get("figures", {}).get(name)
        return match[0] if match[1] != "made" or found is None else f"{{made}}`{found} <{match[3]}>`"

    for page in PAGES:
        old = page.read_text("utf-8")
        new = written_figures.ROLE.sub(figure, BLOCK.sub(block, old))
        if new != old:
            page.write_text(new, "utf-8", newline="\n")


def due(names: Iterable[str], slow: bool) -> list[str]:
    """Return what is made: what is named, or else what is old or was never made, with the slow if asked."""
    known = written_figures.written()
    chosen = list(names)
    unknown = sorted(set(chosen) - MAKERS.keys())
    if unknown:
        sys.exit(f"nothing is called {', '.join(unknown)}; there are {', '.join(MAKERS)}")
    stale = {*written_figures.old(), *(MAKERS.keys() - known.keys())}
    return chosen or [name for name, one in MAKERS.items() if name in stale and (slow or not one.slow)]


def main(*names: str, all: bool = False, check: bool = False) -> int:  # noqa: A002
    """Make what is due, or with ``--check`` return 1 if anything is.

    Parameters
    ----------
    all : also what takes a night. check : make nothing; fail if a figure is old.
    """
    wanted = due(names, all or check)
    if check:
        sys.stdout.write(f"older than the model's numbers, or never made: {', '.join(wanted) or 'none'}\n")
        return int(bool(wanted))
    place = BUILD / written_figures.state(())  # what older numbers left is not continued
    place.mkdir(parents=True, exist_ok=True)
    for name in wanted:
        sys.stdout.write(f"{name} ...\n")
        write(name, MAKERS[name].make(place))
    return 0


if __name__ == "__main__":
    cyclopts.run(main)
