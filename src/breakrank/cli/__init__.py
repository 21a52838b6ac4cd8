"""The command line. Each command is a thin file: it calls the same functions a notebook calls, and prints.

Nothing heavy is imported until a command that needs it runs, so that help answers at once.
"""

from __future__ import annotations

from breakrank.cli.app import app, main

__all__ = ["app", "main"]
