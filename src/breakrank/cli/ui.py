"""``breakrank ui``: the page, in a browser on this machine."""

from __future__ import annotations

from pathlib import Path

from breakrank.cli.options import DONE, Flag, Mechanisms, Whole
from breakrank.errors import UsageError
from breakrank.show.terminal import note, say


def ui(
    case: str | None = None,
    /,
    *,
    port: Whole | None = None,
    no_browser: Flag = False,
    mechanisms: Mechanisms = (),
    store: Path | None = None,
    desk: Path | None = None,
) -> int:
    """Open the page: use the model in a browser, on this machine only.

    Prints the address to open, which holds the key to the page, and serves until Ctrl-C. Finished runs are
    kept: the same question is never computed twice, and continues after an interruption. Needs the extra
    page.

    Parameters
    ----------
    case
        The case to open first: name of a built-in one, or a case folder, which is then offered beside them.
    port
        Port on 127.0.0.1; by default 8421, or any free one if that is taken.
    no_browser
        Only print the address.
    store
        Folder that keeps every finished run; by default one in your data folder.
    desk
        Folder of reports: opens the desk of the case, where you accept or reject their figures. Needs
        breakrank-desk.
    """
    from breakrank.show.extras import require

    require("the page", "starlette", "uvicorn", extra="page")
    if desk is None:  # the compiled model is loaded on the other core, from before the server is
        from breakrank.runs.compiling import prepare

        prepare()
    from platformdirs import user_data_path

    from breakrank.page.server import serve

    own, opens = named(case)
    folder = store if store is not None else user_data_path("breakrank", appauthor=False) / "page"

    def tell(address: str) -> None:
        say(address)
        note("breakrank: open this address in a browser on this machine; Ctrl-C ends the page")

    serve(own, opens, folder, port, tell, None if no_browser else _browse, mechanisms, desk)
    note("breakrank: ended; what was finished is kept")
    return DONE


def named(case: str | None) -> tuple[Path | None, str | None]:
    """Return the folder of a case of the user's, or the id of the built-in case to open.

    Raises
    ------
    UsageError
        when there is no such case.
    """
    if case is None:
        return None, None
    from breakrank import list_cases
    from breakrank.case.library import case_folder

    if case in list_cases():
        return None, case
    folder = case_folder(case).resolve()
    if not (folder / "case.yaml").is_file():
        raise UsageError(
            f"{folder} is no case: it has no case.yaml\n  Name a built-in case or a case folder."
        )
    return folder, None


def _browse(address: str) -> None:
    import webbrowser

    webbrowser.open(address)
