"""The child process: takes documents apart within limits, one after the other, and answers in JSON.

Called as ``python -P -m breakrank_desk.reading.child``. A request is a line of JSON (name, size) and the
bytes; an answer is a line with the length of a JSON text, and that text. It opens no socket and writes no
file.
"""

from __future__ import annotations

import contextlib
import json
import socket
import sys
from dataclasses import asdict
from typing import Any, BinaryIO, Never

from breakrank_desk.reading.formats import documents_of
from breakrank_desk.reading.limits import CPU_SECONDS, MEMORY, RefusedError


class ClosedSocket(socket.socket):
    """A socket that cannot be made; libraries may still derive classes from it."""

    def __init__(self, *_: object, **__: object) -> None:
        raise OSError("no network here")


def closed(*_: object, **__: object) -> Never:
    """Refuse a socket."""
    raise OSError("no network here")


def limited() -> None:
    """Close what is not needed: sockets, files to write, memory beyond the limit."""
    socket.socket = ClosedSocket  # type: ignore[misc]
    socket.create_connection = closed
    socket.getaddrinfo = closed
    with contextlib.suppress(ImportError):  # Windows sets a process no limits
        import resource

        for what, most in (
            (resource.RLIMIT_AS, MEMORY),
            (resource.RLIMIT_FSIZE, 0),
            (resource.RLIMIT_CORE, 0),
        ):
            with contextlib.suppress(ValueError, OSError):
                resource.setrlimit(what, (most, most))


def allow_time() -> None:
    """Give the next document its processor time; the system kills the process when it is used up."""
    with contextlib.suppress(ImportError):
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        soft = int(used.ru_utime + used.ru_stime) + CPU_SECONDS + 1
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def answer(data: bytes, name: str) -> dict[str, Any]:
    """Return the documents of a file as plain data, or why it is not read.

    ``again`` says that documents before it may be why: a new process has to be asked.
    """
    try:
        return {"documents": [asdict(d) for d in documents_of(data, name)]}
    except RefusedError as error:
        return {"refused": str(error)}
    except MemoryError:
        return {"refused": "it needs more memory than a document may have", "again": True}
    except RecursionError:
        return {"refused": "it is nested too deep"}
    except ImportError as error:
        return {
            "refused": f"reading it needs the library {error.name}; in a checkout of Breakrank: "
            "python3 bootstrap.py setup, or python -m pip install packages/desk"
        }
    except Exception as error:  # whatever a parser raises on hostile bytes is told, and the next file is read
        return {"refused": f"it cannot be taken apart ({type(error).__name__})", "again": True}


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests until there are no more."""
    limited()
    for line in requests:
        asked = json.loads(line)
        data = requests.read(int(asked["size"]))
        allow_time()
        out = answer(data, str(asked["name"]))
        text = json.dumps(out).encode("ascii")
        answers.write(b"%d\n" % len(text))
        answers.write(text)
        answers.flush()
        if out.get("again"):  # memory may be in pieces
            return


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout.buffer)
