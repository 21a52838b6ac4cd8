"""Static files: those of the built front end and no others, compressed, and not sent twice."""

from __future__ import annotations

import asyncio
import gzip
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import Response

from breakrank.page.app import Static


class Client:
    """Asks for files by path."""

    def __init__(self, folder: Path) -> None:
        self._static = Static(folder)

    def get(self, path: str, **headers: str) -> Response:
        given = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        scope = {"type": "http", "method": "GET", "headers": given, "path_params": {"path": path[1:]}}
        return asyncio.run(self._static.answer(Request(scope)))


@pytest.fixture
def client(tmp_path: Path) -> Client:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html><title>x</title>" + "y" * 500)
    (tmp_path / "assets" / "index.js").write_text("const a = 1;\n" * 100)
    (tmp_path / "assets" / "font.woff2").write_bytes(b"wOF2")
    (tmp_path / "secret.py").write_text("no")
    (tmp_path / ".hidden.js").write_text("no")
    return Client(tmp_path)


def test_files_have_their_types_and_come_compressed(client: Client) -> None:
    page = client.get("/", accept_encoding="gzip, br")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["content-encoding"] == "gzip"
    assert gzip.decompress(bytes(page.body)) == client.get("/index.html").body
    script = client.get("/assets/index.js")
    assert script.headers["content-type"] == "text/javascript; charset=utf-8"
    assert "content-encoding" not in script.headers
    assert client.get("/assets/font.woff2", accept_encoding="gzip").body == b"wOF2"


@pytest.mark.parametrize(
    "path",
    [
        "/secret.py",
        "/.hidden.js",
        "/assets/",
        "/../secret.py",
    ],
)
def test_nothing_else_is_served(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_without_a_built_front_end_the_page_says_how_to_build_it(tmp_path: Path) -> None:
    assert b"npm run build" in bytes(Client(tmp_path).get("/").body)
