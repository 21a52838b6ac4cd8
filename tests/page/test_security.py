"""A page of another origin gets nothing, and files are those of the built front end and no others."""

import asyncio
import json
import socket
import time
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.routing import Route

from breakrank.page.app import FRONT_END, front_end
from breakrank.page.security import LARGEST, POLICY
from breakrank.page.server import HOST, listen
from tests.page.conftest import Served, Tab

PATHS = ["/", "/api/cases", "/api/look", "/assets/index.js"]


def test_the_token_is_exchanged_for_a_cookie_that_no_script_and_no_other_site_gets(served: Served) -> None:
    answer = Tab(served.keys.port).get(f"/?token={served.keys.token}", Sec_Fetch_Site="none")
    assert (answer.status, answer.headers["location"]) == (303, "/")
    name, *flags = (part.strip() for part in answer.headers["set-cookie"].split(";"))
    assert name.startswith(f"breakrank-{served.keys.port}=")
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= {*flags}
    assert served.keys.token not in answer.headers["set-cookie"]


@pytest.mark.parametrize("path", PATHS)
def test_without_the_cookie_there_is_nothing(served: Served, path: str) -> None:
    for cookie in ("", f"breakrank-{served.keys.port}=", f"breakrank-{served.keys.port}=guess", "a=b; c"):
        answer = Tab(served.keys.port, cookie).get(path)
        assert answer.status == 403
        assert b"breakrank ui" in answer.body


@pytest.mark.parametrize("token", ["", "guess", "\u00e9".encode().decode("latin-1")])
def test_another_token_gives_no_cookie(served: Served, token: str) -> None:
    answer = Tab(served.keys.port).get(
        f"/?token={token.encode('latin-1').hex() or 'x'}", Sec_Fetch_Site="none"
    )
    assert answer.status == 403
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "localhost", "[::1]:{port}", ""],
)
def test_a_name_pointed_at_this_machine_gets_nothing(served: Served, tab: Tab, host: str) -> None:
    named = host.format(port=served.keys.port)
    for path in (*PATHS, f"/?token={served.keys.token}"):
        answer = tab.get(path, Host=named)
        assert answer.status in (400, 421)
        assert "set-cookie" not in answer.headers
    answer = tab.post("/api/ask", served.question(), Host=named, Origin=f"http://{named}")
    assert answer.status in (400, 421)


def test_localhost_is_answered_too(served: Served, tab: Tab) -> None:
    name = f"localhost:{served.keys.port}"
    assert tab.get("/api/look", Host=name).status == 200
    assert tab.post("/api/map", {}, Host=name, Origin=f"http://{name}").status == 400
    assert tab.post("/api/map", {}, Host=name).status == 403  # localhost and 127.0.0.1 are two origins


@pytest.mark.parametrize("site", ["cross-site", "none"])
def test_what_another_site_asks_for_is_refused(served: Served, tab: Tab, site: str) -> None:
    assert tab.get("/api/cases", Sec_Fetch_Site=site).status == 403
    assert tab.post("/api/ask", served.question(), Sec_Fetch_Site=site).status == 403
    assert tab.get("/", Sec_Fetch_Site=site).status == (200 if site == "none" else 403)


def test_a_link_followed_from_another_site_explains_itself(tab: Tab) -> None:
    answer = tab.get("/", Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="navigate")
    assert answer.status == 403
    assert b"This page opens from its terminal" in answer.body
    assert b"breakrank ui" not in tab.get("/", Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="cors").body


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1:{port}", "", None]
)
def test_another_origin_is_refused_with_the_cookie_in_hand(
    served: Served, tab: Tab, origin: str | None
) -> None:
    named = None if origin is None else origin.format(port=served.keys.port)
    for path in ("/api/ask", "/api/share", "/api/figures"):
        assert tab.post(path, served.question(), Origin=named, Sec_Fetch_Site=None).status == 403
    if named:
        assert tab.get("/api/cases", Origin=named, Sec_Fetch_Site=None).status == 403


@pytest.mark.parametrize(
    "kind", [None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
)
def test_what_a_form_can_send_is_refused(served: Served, tab: Tab, kind: str | None) -> None:
    body = json.dumps(served.question()).encode()
    assert tab.ask("POST", "/api/ask", body, Content_Type=kind).status == 415


@pytest.mark.parametrize(
    "method",
    [
        "PUT",
        "OPTIONS",
    ],
)
def test_other_methods_are_refused(tab: Tab, method: str) -> None:
    answer = tab.ask(method, "/api/cases")
    assert answer.status == 405
    assert "access-control-allow-origin" not in answer.headers


def test_a_body_is_counted_while_it_is_read(served: Served, tab: Tab) -> None:
    large = b" " * (LARGEST + 1)
    assert tab.ask("POST", "/api/map", large).status == 413
    raw = (
        f"POST /api/map HTTP/1.1\r\nHost: {HOST}:{served.keys.port}\r\nCookie: {tab.cookie}\r\n"
        f"Origin: {tab.origin}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    ).encode()
    chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
    with socket.create_connection((HOST, served.keys.port), timeout=30) as line:
        line.sendall(raw)
        sent, heard = 0, b""
        line.settimeout(0.05)
        while not heard and sent < 50:  # it says nowhere how much there will be, and never ends
            line.sendall(chunk)
            sent += 1
            try:
                heard = line.recv(4096)
            except TimeoutError:
                continue
    assert heard.startswith(b"HTTP/1.1 413")
    assert sent * 0x10000 < 20 * LARGEST


def test_a_websocket_is_not_opened(served: Served, tab: Tab) -> None:
    asked = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec_WebSocket_Version": "13"}
    answer = tab.get("/api/ask", Sec_WebSocket_Key="dGhlIHNhbXBsZSBub25jZQ==", **asked)
    assert answer.status != 101


def test_every_answer_carries_the_policy(served: Served, tab: Tab) -> None:
    answers = [tab.get("/"), tab.get("/api/look"), tab.get("/nothing"), Tab(served.keys.port).get("/")]
    for answer in answers:
        assert answer.headers["content-security-policy"] == POLICY
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "access-control-allow-origin" not in answer.headers
        assert "server" not in answer.headers
    assert "unsafe" not in POLICY
    assert "http" not in POLICY


def test_the_key_for_a_command_line_opens_once(served: Served) -> None:
    tab = Tab(served.keys.port)
    first = tab.get(f"/?token={served.keys.once}", Sec_Fetch_Site="none")
    second = tab.get(f"/?token={served.keys.once}", Sec_Fetch_Site="none")
    assert (first.status, second.status) == (303, 403)
    assert "set-cookie" not in second.headers
    assert served.tab().get("/").status == 200  # the other key still opens


def test_cookies_of_neighbours_do_not_lock_out(served: Served, tab: Tab) -> None:
    strange = 'prefs={"a": [1, 2]}; broken; =; x="un;closed'
    assert Tab(served.keys.port, f"{strange}; {tab.cookie}").get("/api/look").status == 200
    assert Tab(served.keys.port, strange).get("/api/look").status == 403
    wrong = f"{served.keys.cookie}={served.keys.pass_[:-1]}"
    assert Tab(served.keys.port, wrong).get("/api/look").status == 403


def test_only_loopback_is_listened_on() -> None:
    listener = listen(None)
    try:
        assert listener.getsockname()[0] == "127.0.0.1"
        time.sleep(0)
    finally:
        listener.close()


def test_files_have_their_types_and_are_not_sent_twice(tab: Tab) -> None:
    page = tab.get("/")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["cache-control"] == "no-cache"
    assert tab.get("/", if_none_match=page.headers["etag"]).status == 304
    script = next(FRONT_END.glob("assets/index-*.js"))
    found = tab.get(f"/assets/{script.name}")
    assert found.headers["content-type"] == "text/javascript; charset=utf-8"
    assert found.body == script.read_bytes()


@pytest.mark.parametrize("path", ["/secret.py", "/assets/", "/../app.py", "/%2e%2e/app.py"])
def test_nothing_else_is_served(tab: Tab, path: str) -> None:
    assert tab.get(path).status == 404


def test_without_a_built_front_end_the_page_says_how_to_build_it(tmp_path: Path) -> None:
    route: Any = front_end(tmp_path)
    assert isinstance(route, Route)
    answer = asyncio.run(route.endpoint(Request({"type": "http"})))
    assert b"npm run build" in answer.body
