"""The door: each request is checked before anything looks at it, each answer says what a browser may do.

A page of another origin that reaches for this server, by a form, a script, a frame or a name that it has
pointed at this machine (DNS rebinding), is refused by each of: the host named, the origin, what the browser
says of where the request comes from (Sec-Fetch-Site), and the cookie, which browsers do not send along from
elsewhere (SameSite=Strict). See the threat model in the how-to of the page.
"""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST = 256 * 1024
"""Bytes of a request's body, at most; counted as they come, whatever the request says of itself."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'"
)
"""What the browser may load and run: what this server gives, and nothing that stands in the page itself."""
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
)
ASKED_ANEW = (b"cache-control", b"no-cache")
"""What a browser keeps of an answer without a rule of its own: it asks whether that has changed."""
CLOSED = "Open the address that `breakrank ui` printed in the terminal; it holds the key to this page."
EXPLAINED = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>This page opens from its terminal</title></head>
<body><main>
<h1>This page opens from its terminal</h1>
<p>Breakrank answers on this computer only, to whoever started it. This browser has not been let in.</p>
<ul>
<li>If you started it: open the address that <code>breakrank ui</code> printed in the terminal.
Then open this link again, in the same browser.</li>
<li>If somebody sent you this link: it works on their computer only. Ask them for <strong>one file</strong>:
on their page, under Share, “One file to send”.</li>
<li>If you have Breakrank too: run <code>breakrank ui</code>. Put what follows the # of the link after the #
of your own address.</li>
</ul>
</main></body>
</html>
"""
"""What somebody reads who opens a link without access; it names nothing of what is served."""


@dataclass(frozen=True)
class Keys:
    """What opens the page: the port it is at, the token of the address, and what the cookie holds.

    `once` is a second token, which opens the page one time: what is handed to a browser's command line can be
    read there by other users of the machine.
    """

    port: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    once: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    pass_: str = field(default_factory=lambda: secrets.token_urlsafe(32))

    @property
    def cookie(self) -> str:
        """Name of the cookie. Browsers keep cookies by host, not by port, so that it names the port."""
        return f"breakrank-{self.port}"

    @property
    def hosts(self) -> tuple[str, ...]:
        """The names under which a browser may call this server."""
        return (f"127.0.0.1:{self.port}", f"localhost:{self.port}")

    @property
    def address(self) -> str:
        """What to open in the browser, as often as one likes."""
        return f"http://127.0.0.1:{self.port}/?token={self.token}"

    @property
    def address_once(self) -> str:
        """What to open in the browser, one time."""
        return f"http://127.0.0.1:{self.port}/?token={self.once}"


class TooLargeError(Exception):
    """The body of a request is larger than :data:`LARGEST`."""


class Guard:
    """Wraps an app: lets in who is called by name, comes from the page itself and holds the key."""

    def __init__(self, app: ASGIApp, keys: Keys) -> None:
        self._app, self._keys = app, keys
        self._spent = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # no websocket is ever accepted
            await send({"type": "websocket.close", "code": 1008})
            return
        headers = [
            (name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in scope["headers"]
        ]
        refused = self._refused(scope, headers)
        if refused is not None:
            await _answer(send, *refused)
            return
        token = self._token(scope)
        if token is not None:
            await self._exchange(token, send)
            return
        if not self._holds_pass(headers):
            opened = scope["method"] == "GET" and not scope["path"].startswith("/api/")
            await _answer(send, 403, EXPLAINED if opened else CLOSED)
            return
        await self._pass_on(scope, receive, send)

    def _refused(self, scope: Scope, headers: list[tuple[str, str]]) -> tuple[int, str] | None:
        """Return status and reason for a request that does not come from this page."""
        found: dict[str, list[str]] = {}
        for name, value in headers:
            found.setdefault(name, []).append(value)
        if any(len(found.get(name, ())) > 1 for name in ("host", "origin", "sec-fetch-site", "content-type")):
            return 400, "a header is there twice"
        host = found.get("host", [""])[0].lower()
        if host not in self._keys.hosts:
            return 421, "this server answers to 127.0.0.1 and localhost at its own port, and to no other name"
        method, path = scope["method"], scope["path"]
        if method not in ("GET", "HEAD", "POST"):
            return 405, "only GET, HEAD and POST are answered"
        origin = found.get("origin", [None])[0]
        if origin is not None and origin.lower() != f"http://{host}":
            return 403, "a page of another origin gets nothing here"
        site = found.get("sec-fetch-site", [None])[0]
        typed = method != "POST" and not path.startswith("/api/")
        if site is not None and site != "same-origin" and not (site == "none" and typed):
            followed = typed and found.get("sec-fetch-mode") == ["navigate"]
            return 403, EXPLAINED if followed else "a page of another site gets nothing here"
        if method == "POST":
            if origin is None:
                return 403, "a POST has to say what origin it comes from"
            kind = found.get("content-type", [""])[0].partition(";")[0].strip().lower()
            if kind != "application/json":
                return 415, "only JSON is taken (Content-Type: application/json)"
            length = found.get("content-length", ["0"])[0]
            if length.isdecimal() and int(length) > LARGEST:
                return 413, f"a question has at most {LARGEST:,} bytes"
        return None

    @staticmethod
    def _token(scope: Scope) -> str | None:
        if scope["path"] != "/" or scope["method"] != "GET":
            return None
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token")
        return given[0] if given else None

    async def _exchange(self, token: str, send: Send) -> None:
        """Give the cookie for the token, and send the browser to the page without it."""
        once = not self._spent and _same(token, self._keys.once)
        if not once and not _same(token, self._keys.token):
            await _answer(send, 403, EXPLAINED)
            return
        self._spent |= once
        cookie = f"{self._keys.cookie}={self._keys.pass_}; Path=/; HttpOnly; SameSite=Strict"
        await _answer(send, 303, "", (b"location", b"/"), (b"set-cookie", cookie.encode()))

    def _holds_pass(self, headers: list[tuple[str, str]]) -> bool:
        for name, value in headers:
            if name == "cookie":  # read plainly: cookies of other servers on this host may be anything
                for one in value.split(";"):
                    key, _, found = one.strip().partition("=")
                    if key == self._keys.cookie and _same(found, self._keys.pass_):
                        return True
        return False

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Have the app answer, its request counted as it is read and its answer under the policy."""
        read = 0

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            if message["type"] == "http.request":
                read += len(message.get("body", b""))
                if read > LARGEST:
                    raise TooLargeError
            return message

        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = {name.lower() for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *((n, v) for n, v in (*HEADERS, ASKED_ANEW) if n not in own),
                ]
            await send(message)

        await self._app(scope, counted, dressed)


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())


async def _answer(send: Send, status: int, text: str, *more: tuple[bytes, bytes]) -> None:
    """Answer shortly, without looking at the body.

    The connection stays open, so that the server throws away what is still being sent. Closed over bytes that
    nobody has read, it would be reset, and the one who asked would lose this answer.
    """
    body = text.encode()
    headers = [
        (b"content-type", b"text/html; charset=utf-8" if text is EXPLAINED else b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        *HEADERS,
        *more,
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
