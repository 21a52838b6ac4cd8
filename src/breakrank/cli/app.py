"""The commands by name, and the one place where an error becomes a message and an exit code."""

from __future__ import annotations

import errno
import os
import sys
import warnings
from collections.abc import Sequence
from inspect import getdoc
from typing import TYPE_CHECKING

from cyclopts import App, CycloptsError, MissingArgumentError
from cyclopts.help import DefaultFormatter

from breakrank import __version__
from breakrank.cli.options import BAD_INPUT, DONE, FAILED, INTERRUPTED
from breakrank.errors import BreakrankError, CaseError, UsageError
from breakrank.old_names import OPTIONS
from breakrank.plugins import COMMANDS, SEPARATE, about, addition, additions
from breakrank.questions.declared import QUESTIONS
from breakrank.show.terminal import hush, note, open_streams, output_taken
from breakrank.surroundings import check_surroundings, memory_limit

if TYPE_CHECKING:
    from cyclopts.help import HelpPanel
    from rich.console import Console, ConsoleOptions


class Flowing(DefaultFormatter):
    """Help whose texts break where the terminal ends, not where lines of a docstring did."""

    def __call__(self, console: Console, options: ConsoleOptions, panel: HelpPanel) -> None:
        """Print a table of commands or options."""
        from rich.text import Text

        for entry in panel.entries:
            text = getattr(entry.description, "primary_renderable", None)
            if isinstance(text, Text):
                text.plain = " ".join(text.plain.split())
        super().__call__(console, options, panel)

    def render_description(self, console: Console, options: ConsoleOptions, description: object) -> None:
        """Print what a command does, a paragraph after the other."""
        from rich.text import Text

        text = getattr(description, "primary_renderable", None)
        if isinstance(text, Text):
            text.plain = "\n\n".join(" ".join(part.split()) for part in text.plain.split("\n\n"))
        super().render_description(console, options, description)


app = App(
    name="breakrank",
    help="When do soldiers leave, rise or stay? Simulate a documented case, with its uncertainty.",
    help_format="plaintext",
    help_formatter=Flowing(),
    version=__version__,
    help_flags=["--help", "-h"],
    version_flags=["--version"],
    suppress_keyboard_interrupt=False,
)
app.command("breakrank.cli.run:run", name="run", help="Run a case and compare it with the record.")
app.command(
    "breakrank.cli.export:export", name="export", help="Export a result or a store for other programs."
)
app.command(
    "breakrank.cli.evidence:evidence",
    name="evidence",
    help="Show the evidence behind every number of a case.",
)
app.command("breakrank.cli.cite:cite", name="cite", help="Print what to cite for a result of a case.")
app.command("breakrank.cli.ui:ui", name="ui", help="Open the page: use the model in a browser.")
app.command(
    "breakrank.cli.case:mechanisms",
    name="mechanisms",
    help="List the mechanisms that a case may add.",
)
app.command(case := App(name="case", help="List, show, check and create cases.", help_flags=["--help", "-h"]))
case.command("breakrank.cli.case:list_all", name="list", help="List the built-in cases.")
case.command("breakrank.cli.case:show", name="show", help="Show the contents of a case.")
case.command(
    "breakrank.cli.case:check", name="check", help="Check a case folder for errors and unusual values."
)
case.command("breakrank.cli.case:new", name="new", help="Write a commented template of a case that runs.")
case.command(
    "breakrank.cli.case:carry", name="carry", help="Bring psychological values and priors into a case."
)
case.command("breakrank.cli.case:count", name="count", help="Write a table of dated counts into a case.")
case.command("breakrank.cli.case:add", name="add", help="Write an optional part of a case.")
case.command("breakrank.cli.case:migrate", name="migrate", help="Bring a case to the present format.")
case.command(
    "breakrank.cli.case_import:import_", name="import", help="Write a published data set into a case."
)
case.command("breakrank.cli.case:keys", name="keys", help="Show what may be written into a file of a case.")
app.command(store := App(name="store", help="List and clean a store of runs.", help_flags=["--help", "-h"]))
store.command("breakrank.cli.store:list_all", name="list", help="List what a store holds.")
store.command("breakrank.cli.store:clean", name="clean", help="Delete what no study uses any more.")

for _one in QUESTIONS:
    *_group, _name = _one.name.split()
    (case if _group else app).command(f"breakrank.cli.questions:{_name}", name=_name, help=getdoc(_one) or "")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    Parameters
    ----------
    arguments : what was typed after ``breakrank``; ``None`` takes it from the process.

    Returns
    -------
    int
        one of the exit codes of :mod:`breakrank.cli.options`.
    """
    open_streams()
    with warnings.catch_warnings():
        warnings.showwarning = _warn
        code = _call(list(sys.argv[1:] if arguments is None else arguments))
    try:
        return code if output_taken() else code or FAILED
    except BrokenPipeError:  # the reader of a pipe has seen enough, as in `breakrank evidence CASE | head`
        hush()
        return code


def _warn(message: Warning | str, *_: object, **__: object) -> None:
    """Say a warning as the other messages are said, without the line of code that gave it."""
    note(f"breakrank: {message}")


def _call(tokens: list[str]) -> int:
    """Run the command line; whatever a user can mend ends in one message."""
    if any("\0" in token for token in tokens):
        return _complain("an argument holds a null character, which no name or value may", BAD_INPUT)
    try:
        check_surroundings()
        add_commands(tokens)
        code = app(tokens, exit_on_error=False, print_error=False, result_action="return_value")
    except CycloptsError as error:
        named = " ".join(error.command_chain or ())
        others = f" or `breakrank {named} --help`" if named else ""
        instead = (f"\n  Write {now} in place of {old}." for old, now in OPTIONS.items() if old in tokens)
        return _complain(f"{_plain(error)}\n  Call `breakrank --help`{others}.{''.join(instead)}", BAD_INPUT)
    except BreakrankError as error:
        return _complain(str(error), BAD_INPUT if isinstance(error, UsageError | CaseError) else FAILED)
    except KeyboardInterrupt:
        return _complain("interrupted", INTERRUPTED)
    except BrokenPipeError:
        hush()
        return DONE
    except OSError as error:
        if error.filename is not None:
            return _complain(f"{error.filename}: {error.strerror}", BAD_INPUT)
        return _complain(_refused(error), FAILED) if output_taken() else FAILED
    except (MemoryError, ImportError) as error:
        return _complain(_refused(error), FAILED)
    return code if isinstance(code, int) else DONE


def add_commands(tokens: Sequence[str] = ()) -> None:
    """Add the commands of installed packages, unless the call names one of Breakrank's own.

    Looking for them takes some hundredths of a second. Only a command that is called is imported.

    Raises
    ------
    UsageError
        where the call names one whose package is not installed or cannot be imported.
    """
    own, first = {name for name in app if not name.startswith("-")}, tokens[0] if tokens else ""
    if first in own:
        return
    for name, one in additions(COMMANDS).items():
        if name not in own:
            app.command(one.value, name=name, help=about(one))
    if first in SEPARATE or (first in app and not first.startswith("-")):
        addition(COMMANDS, first)


def _plain(error: CycloptsError) -> str:
    if isinstance(error, MissingArgumentError) and error.keyword is None and error.argument is not None:
        about = error.argument.parameter.help
        said = f"{' '.join(error.command_chain or ())} needs {error.argument.name}"
        return f"{said}: {about}" if about else f"{said}, which is missing"
    return " ".join(str(error).split())


def _refused(error: Exception) -> str:
    """Say what the system refused, and of memory under which limit."""
    number = error.errno if isinstance(error, OSError) else None
    if number not in (None, errno.ENOMEM):
        return f"the system refused something: {os.strerror(number)}"
    limit = memory_limit()
    remedy = "" if limit is None else f" This process may use {limit / 1e6:,.0f} MB; raise that (ulimit -v)."
    why = str(error).partition("\n")[0] or "the memory does not suffice"
    return f"{why}\n  Give it more memory, or ask for fewer runs, workers or soldiers.{remedy}"


def _complain(message: str, code: int) -> int:
    note(f"breakrank: {message}")
    return code
