"""A real cluster on this machine: the same bits, whoever is killed."""

import importlib.util
import signal
import socketserver
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from breakrank.errors import BreakrankError
from breakrank.runs import backends as clusters
from breakrank.runs import crew as handing
from breakrank.runs.backends import Cluster
from breakrank.runs.carry_out import StudyProgress, simulate
from tests.programs import started
from tests.results.fake import assert_same_bits
from tests.runs.engines import DEADLY, GOOD, SEED, SLOW, kept, result_of, small_case, stored_of, study_of
from tests.runs.loopback import Loopback, loopback

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("distributed") is None, reason="the extra cluster is not installed"
)
CASE = small_case()


@pytest.fixture(scope="module")
def crew(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Loopback]:
    with loopback(tmp_path_factory.mktemp("cluster"), 2) as made:
        yield made


@pytest.fixture(autouse=True)
def _short_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handing, "MOST", 5)


def test_a_cluster_makes_the_same_bits(crew: Loopback, tmp_path: Path) -> None:
    study, place = study_of(23, logged=3), Cluster(crew.address)
    assert kept(tmp_path / "store", study, place).made == 23
    memory = simulate(CASE, 23, SEED, workers=1, log_runs=3, simulator=GOOD)
    assert_same_bits(result_of(tmp_path / "store", study), memory)
    assert kept(tmp_path / "store", study, place).made == 0


@pytest.mark.thorough
def test_interrupted_and_resumed_elsewhere_the_bits_are_the_same(crew: Loopback, tmp_path: Path) -> None:
    stopped: list[StudyProgress] = []

    def stop(tally: StudyProgress) -> None:
        if tally.done >= 20 and not stopped:
            stopped.append(tally)
            raise KeyboardInterrupt

    study = study_of(200)
    first = kept(tmp_path / "store", study, Cluster(crew.address), SLOW, watch=stop)
    assert first.interrupted
    assert 20 <= first.finished < 60
    assert not list((tmp_path / "store").glob(".stop-*"))
    assert kept(tmp_path / "store", study_of(60), simulator=SLOW).reused == first.finished
    memory = simulate(CASE, 60, SEED, workers=1, log_runs=0, simulator=GOOD)
    assert_same_bits(result_of(tmp_path / "store", study_of(60), SLOW), memory)


@pytest.mark.thorough
def test_a_worker_killed_in_the_middle_costs_nothing_but_time(crew: Loopback, tmp_path: Path) -> None:
    victim = crew.workers[0]

    def kill(tally: StudyProgress) -> None:
        if tally.done >= 10 and victim.poll() is None:
            crew.kill(0)
            victim.wait()

    account = kept(tmp_path / "store", study_of(60), Cluster(crew.address), SLOW, watch=kill)
    assert victim.poll() is not None
    crew.workers.remove(victim)
    crew.hire(1)
    assert (account.made, account.failed) == (60, ())
    memory = simulate(CASE, 60, SEED, workers=1, log_runs=0, simulator=GOOD)
    assert_same_bits(result_of(tmp_path / "store", study_of(60), SLOW), memory)


@pytest.mark.thorough
def test_a_run_that_kills_its_workers_is_found_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES", "0")
    study = study_of(12, small_case())  # run 5 alone kills
    with loopback(tmp_path, 4) as crew:  # one is killed by a batch and one by the run alone
        account = kept(tmp_path / "store", study, Cluster(crew.address), DEADLY)
    assert [f.failure.run for f in account.failed] == [5]
    assert account.failed[0].failure.why == "killed several workers"
    assert account.finished == 11


@pytest.mark.slow
def test_without_workers_a_study_says_so_and_ends(tmp_path: Path) -> None:
    with loopback(tmp_path, 0) as crew, pytest.raises(BreakrankError, match="has had no worker for 2 s"):
        kept(tmp_path / "store", study_of(3), Cluster(crew.address, patience=2))


def test_nobody_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "CONNECT", 0.5)
    with pytest.raises(BreakrankError, match=r"no scheduler answers at tcp://127\.0\.0\.1:9"):
        kept(tmp_path / "store", study_of(3), Cluster("tcp://127.0.0.1:9"))


def test_another_server_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Web(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            self.request.sendall(b"HTTP/1.1 400 Bad Request\r\nServer: proxy\r\n\r\n" * 4)

    monkeypatch.setattr(clusters, "CONNECT", 2)
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Web) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"tcp://127.0.0.1:{server.server_address[1]}"
        with pytest.raises(BreakrankError, match=f"no scheduler answers at {address}"):
            kept(tmp_path / "store", study_of(3), Cluster(address))
        server.shutdown()


SCRIPT = """
import sys
from pathlib import Path
from tests.runs.engines import SLOW, kept, study_of
from breakrank.runs import backends, crew

if __name__ == "__main__":
    crew.MOST = 5
    kept(Path(sys.argv[1]), study_of(400), backends.Cluster(sys.argv[2]), SLOW,
         watch=lambda tally: print(tally.done, flush=True))
"""


@pytest.mark.thorough
def test_a_killed_client_leaves_a_study_that_goes_on_from_there(crew: Loopback, tmp_path: Path) -> None:
    running = started(sys.executable, "-c", SCRIPT, tmp_path / "store", crew.address)
    while int(running.stdout.readline()) < 20:
        pass
    running.send_signal(signal.SIGKILL)
    running.communicate(timeout=60)
    time.sleep(1)
    there = stored_of(tmp_path / "store", study_of(400), SLOW).finished(range(400))
    assert len(there) >= 20
    study: Any = study_of(len(there) + 10)
    account = kept(tmp_path / "store", study, Cluster(crew.address), SLOW)
    assert account.finished == study.runs
    assert account.reused >= 20
    memory = simulate(CASE, study.runs, SEED, workers=1, log_runs=0, simulator=GOOD)
    assert_same_bits(result_of(tmp_path / "store", study, SLOW), memory)
