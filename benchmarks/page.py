"""Measure how soon the page answers: real requests to a real server, from the question to the first bands.

``python benchmarks/page.py`` prints a table for the built-in case; see ``benchmarks/README.md``.
"""

from __future__ import annotations

import argparse
import http.client
import json
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

if __name__ == "__main__":  # run as a script: the project is where the benchmarks are
    sys.path[0:1] = [
        str(Path(__file__).resolve().parents[1]),
        str(Path(__file__).resolve().parents[1] / "src"),
    ]

from benchmarks import machine
from benchmarks.tables import markdown, median, number

STEPS = {
    "checked": "the question is checked",
    "bands": "two runs are finished and kept",
    "series": "the bands of who left are there",
    "figure": "the figure of who left is there",
}
Row = dict[str, float]


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--case", default="venezuela-2019", metavar="NAME", help="built-in case or a folder")
    parser.add_argument("--change", default="diaspora.weight", metavar="NAME", help="parameter that is moved")
    parser.add_argument("--runs", type=int, default=200, metavar="N", help="runs of each question")
    parser.add_argument("--questions", type=int, default=8, metavar="N", help="questions, one after another")
    parser.add_argument("--json", action="store_true", help="everything measured, as JSON")
    return parser.parse_args(given)


def main() -> None:
    """Measure and print."""
    asked = arguments()
    with tempfile.TemporaryDirectory() as name:
        found = measured(asked, Path(name))
    if asked.json:
        sys.stdout.write(json.dumps(found, indent=1) + "\n")
        return
    head = ("Seconds until", "median", "least", "most")
    rows = [(f"started: {text}", number(found["start"][key]), "", "") for key, text in STARTED.items()]
    for key, text in STEPS.items():
        times = [row[key] for row in found["questions"]]
        rows.append((text, number(median(times)), number(min(times)), number(max(times))))
    sys.stdout.write(markdown(head, rows) + "\n\n" + "; ".join(found["machine"].values()) + "\n")


STARTED = {
    "address": "the address is printed",
    "case": "the case is shown",
    "first": "the headline of the first runs is there",
    "baseline": "the baseline is done",
    "warm": "reopened while it serves: the headline is there",
    "again": "started again over the kept runs: the headline is there",
}


def measured(asked: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Start a page over an empty store, wait for its baseline, and ask questions that move one parameter.

    Each question is let go once its figure is there, as by someone who moves on: the next finds the processes
    at work.
    """
    begun = time.perf_counter()
    with page(asked.case, folder) as door:
        start = {"address": time.perf_counter() - begun}
        shown = door.get(f"/api/cases/{asked.case}")
        start["case"] = time.perf_counter() - begun
        with door.stream(shown["baseline"]) as lines:
            for line in lines:
                if line["type"] == "failed":
                    raise RuntimeError(line["error"])
                if line["type"] == "bands" and "first" not in start:
                    headline(door, shown["baseline"])
                    start["first"] = time.perf_counter() - begun
        start["baseline"] = time.perf_counter() - begun
        again = time.perf_counter()
        headline(door, door.get(f"/api/cases/{asked.case}")["baseline"])
        start["warm"] = time.perf_counter() - again
        known = {p["name"]: p for m in shown["mechanisms"] for p in m["parameters"]}
        if asked.change not in known:
            raise SystemExit(f"{asked.case} has no parameter {asked.change!r}")
        about = known[asked.change]
        rows = []
        for k in range(asked.questions):
            value = about["low"] + (about["high"] - about["low"]) * (k + 1) / (asked.questions + 1)
            rows.append(timed(door, {"case": asked.case, "runs": asked.runs, "set": {asked.change: value}}))
    begun = time.perf_counter()
    with page(asked.case, folder) as door:
        headline(door, door.get(f"/api/cases/{asked.case}")["baseline"])
        start["again"] = time.perf_counter() - begun
    return {"start": start, "questions": rows, "machine": machine.describe()}


def headline(door: Door, question: dict[str, Any]) -> None:
    """Ask for what the page shows first: the large number with its fan, and the finding."""
    wanted = [{"variable": "exits_rank", "cumulative": True}]
    door.post("/api/board", {"question": question, "series": wanted})
    door.post("/api/headline", {"question": question})


def timed(door: Door, question: dict[str, Any]) -> Row:
    """Ask one question and return the seconds until each of :data:`STEPS`."""
    begun = time.perf_counter()
    row: Row = {}
    with door.stream(question) as lines:
        for line in lines:
            if line["type"] == "begun":
                row["checked"] = time.perf_counter() - begun
            if line["type"] in ("bands", "done"):
                break
            if line["type"] == "failed":
                raise RuntimeError(line["error"])
        row["bands"] = time.perf_counter() - begun
        door.post("/api/series", {"question": question, "variable": "exits_rank", "cumulative": True})
        row["series"] = time.perf_counter() - begun
        door.post("/api/figures", {"question": question, "names": ["left"]})
        row["figure"] = time.perf_counter() - begun
    return row


class Door:
    """A browser that was let in."""

    def __init__(self, address: str) -> None:
        self._host, _, path = address.removeprefix("http://").partition("/")
        with self._sent("GET", f"/{path}") as answer:
            self._cookie = str(answer.getheader("set-cookie")).partition(";")[0]

    _cookie = ""

    def get(self, path: str) -> Any:  # noqa: ANN401 (JSON)
        """Return the JSON of an answer."""
        with self._sent("GET", path) as answer:
            return json.load(answer)

    def post(self, path: str, data: object) -> Any:  # noqa: ANN401 (JSON)
        """Return the JSON of an answer to JSON; RuntimeError for anything but 200."""
        with self._sent("POST", path, data) as answer:
            found = json.load(answer)
            if answer.status != 200:
                raise RuntimeError(found["error"])
            return found

    @contextmanager
    def stream(self, question: dict[str, Any]) -> Iterator[Iterator[dict[str, Any]]]:
        """Ask a question and give its lines as they come; letting go cancels it."""
        with self._sent("POST", "/api/ask", question) as answer:
            if answer.status != 200:
                raise RuntimeError(answer.read().decode())
            yield (json.loads(line) for line in answer)

    @contextmanager
    def _sent(self, method: str, path: str, data: object = None) -> Iterator[http.client.HTTPResponse]:
        headers = {
            "Cookie": self._cookie,
            "Origin": f"http://{self._host}",
            "Content-Type": "application/json",
        }
        with closing(http.client.HTTPConnection(self._host, timeout=600)) as connection:
            connection.request(method, path, None if data is None else json.dumps(data), headers)
            with closing(connection.getresponse()) as answer:
                yield answer


@contextmanager
def page(case: str, folder: Path) -> Iterator[Door]:
    """Serve the page over an empty store in a process of its own."""
    call = [sys.executable, "-m", "breakrank", "ui", case, "--no-browser", "--store", str(folder / "store")]
    process = subprocess.Popen(call, env=machine.environment(), stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield Door(process.stdout.readline().strip())
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)


if __name__ == "__main__":
    main()
