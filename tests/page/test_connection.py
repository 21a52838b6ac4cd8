"""A request that never ends is ended by the server; one that takes long to answer is not."""

from __future__ import annotations

import http.client
import json
import socket
import time
from collections.abc import Iterator
from contextlib import closing, suppress

import pytest

from breakrank.page import server
from breakrank.page.server import HOST
from tests.page.conftest import Served, Tab

LIMIT = 0.5


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(server, "ARRIVES", LIMIT)
    yield
    time.sleep(LIMIT)  # those timers have gone off


def heard(line: socket.socket) -> bytes:
    """Return all that the server says until it closes the connection."""
    line.settimeout(20)
    found = b""
    while part := line.recv(4096):
        found += part
    return found


def head(tab: Tab, more: str) -> bytes:
    return f"POST /api/map HTTP/1.1\r\nHost: {HOST}:{tab.port}\r\nCookie: {tab.cookie}\r\n{more}".encode()


def body(tab: Tab) -> bytes:
    named = f"Origin: {tab.origin}\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n"
    return head(tab, named) + b'{"question": '


def test_half_of_a_request_is_not_waited_for(tab: Tab) -> None:
    for half in (b"GET / HT", head(tab, ""), body(tab)):
        with socket.create_connection((HOST, tab.port)) as line:
            line.sendall(half)
            said = heard(line)
        assert said.startswith(b"HTTP/1.1 408"), half
        assert said.endswith(server.LATE)


def test_pieces_do_not_buy_time(tab: Tab) -> None:
    with socket.create_connection((HOST, tab.port)) as line:
        line.sendall(head(tab, ""))
        line.settimeout(LIMIT / 10)
        begun, said = time.monotonic(), b""
        while not said and time.monotonic() < begun + 20:
            with suppress(TimeoutError):
                line.sendall(b"X-More: 1\r\n")
                said = line.recv(4096)
        assert said.startswith(b"HTTP/1.1 408")


def test_a_connection_that_says_nothing_is_closed(tab: Tab) -> None:
    with socket.create_connection((HOST, tab.port)) as line:
        assert heard(line) == b""


def test_half_of_a_further_request_is_not_waited_for_either(tab: Tab) -> None:
    whole = head(tab, "\r\n").replace(b"POST /api/map", b"GET /api/look")
    with socket.create_connection((HOST, tab.port)) as line:
        for _ in range(3):  # a connection is used again, and its time begins anew
            line.sendall(whole)
            with closing(http.client.HTTPResponse(line)) as answer:
                answer.begin()
                assert (answer.status, json.loads(answer.read()).keys() > {"config"}) == (200, True)
            time.sleep(LIMIT / 2)
        line.sendall(whole[:40])
        assert b"HTTP/1.1 408" in heard(line)


def test_an_answer_may_take_as_long_as_it_does(served: Served, tab: Tab) -> None:
    with tab.asking(served.question(runs=300, seed=77, until=None)) as stream:
        begun = time.monotonic()
        while time.monotonic() < begun + 2 * LIMIT:
            line = stream.line()
            assert line["type"] in ("begun", "progress", "bands"), line
