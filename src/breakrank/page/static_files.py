"""The built front end: a handful of files, read once, compressed once, and named by what is in them."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING

from starlette.responses import Response

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from starlette.requests import Request

TYPES = {
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
    "png": "image/png",
    "ico": "image/x-icon",
    "woff2": "font/woff2",
    "txt": "text/plain; charset=utf-8",
}
"""What is served, by ending; nothing else is."""
PACKED = ("html", "js", "css", "json", "svg", "txt")
"""Endings of files that compression makes smaller."""
MISSING = """<!doctype html><meta charset="utf-8"><title>Breakrank</title>
<p>The front end is not built here. In a clone of the project, in the folder <code>page</code>:
<code>npm ci && npm run build</code></p>
"""


@dataclass(frozen=True, slots=True)
class _File:
    body: bytes
    packed: bytes | None
    kind: str
    tag: str


class Static:
    """The files of the front end by path. All are read when the server starts; none is looked up later."""

    def __init__(self, folder: Traversable | None = None) -> None:
        self._files: dict[str, _File] = {}
        folder = folder or resources.files("breakrank.page") / "static"
        if folder.is_dir():
            self._collect(folder, "")
        index = self._files.get("index.html") or _file("index.html", MISSING.encode())
        self._files[""] = self._files["index.html"] = index

    async def answer(self, request: Request) -> Response:
        """Give a file, or nothing where the browser has it as it is."""
        found = self._files.get(request.path_params["path"])
        if found is None:
            return Response("there is no such file", 404, media_type="text/plain")
        headers = {"etag": found.tag, "cache-control": "no-cache", "vary": "accept-encoding"}
        if request.headers.get("if-none-match") == found.tag:
            return Response(status_code=304, headers=headers)
        body = found.body
        if found.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
            body = found.packed
            headers["content-encoding"] = "gzip"
        return Response(body, media_type=found.kind, headers=headers)

    def _collect(self, folder: Traversable, under: str) -> None:
        for one in folder.iterdir():
            if one.name.startswith("."):
                continue
            if one.is_dir():
                self._collect(one, f"{under}{one.name}/")
            elif one.name.rpartition(".")[2] in TYPES:
                self._files[under + one.name] = _file(one.name, one.read_bytes())


def _file(name: str, body: bytes) -> _File:
    ending = name.rpartition(".")[2]
    packed = gzip.compress(body, 6, mtime=0) if ending in PACKED else None
    if packed is not None and len(packed) >= len(body):
        packed = None
    return _File(body, packed, TYPES[ending], f'"{hashlib.sha256(body).hexdigest()[:32]}"')
