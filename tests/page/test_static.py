"""Static files: those of the built front end and no others, and not sent twice."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.routing import Route

from breakrank.page.app import FRONT_END, front_end
from tests.page.conftest import Tab


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
