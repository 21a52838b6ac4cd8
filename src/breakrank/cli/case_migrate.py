"""``breakrank case migrate``: a case folder of an older format, brought to the present one."""

from __future__ import annotations

from pathlib import Path

from breakrank.errors import UsageError
from breakrank.show.terminal import listed, note, say, wrapped

TOLD = 12
"""Names of one kind that are told."""


def migrate(folder: Path, /) -> None:
    """Bring a case to the present format.

    Writes new names for old ones. Drops parameters that are gone, and those that are as in the package. Takes
    away what older calibrations left. Comments stay. What only the author can decide becomes a comment that
    begins with "# to decide:", and is listed. The folder as it was is kept beside it.

    Parameters
    ----------
    folder
        The case folder.
    """
    from breakrank import list_cases
    from breakrank.case.migration import write_migration
    from breakrank.cli.options import unused
    from breakrank.runs.cases import migrated_case

    if not folder.is_dir():
        built_in = ": built-in cases are of the present format" if str(folder) in list_cases() else ""
        raise UsageError(f"{folder} is no case folder{built_in}")
    made = migrated_case(folder)
    changed = [name for name, text in made.texts.items() if text.encode() != (folder / name).read_bytes()]
    if not changed and not made.taken_away:
        say(f"{folder} is of the present format.")
        return
    kept = unused(folder.with_name(f"{folder.resolve().name}-before-migration"))
    write_migration(folder, made, kept)
    for what, names in (
        ("Renamed", [f"{old} to {new}" for old, new in made.renamed.items()]),
        ("Gone from the model", made.dropped),
        ("Named in case.yaml, since it was part of every case", made.named),
        ("As in the package, and left out", made.defaults),
        ("Left by an older calibration, and taken away", made.taken_away),
    ):
        if names:
            more = f" and {len(names) - TOLD} more" if len(names) > TOLD else ""
            shown = ", ".join(names[:TOLD]) + more if more else listed(names)
            say(wrapped(f"{what} ({len(names)}): {shown}."))
    if made.dropped and made.psychological:
        say(
            wrapped(
                f"{len(made.psychological)} psychological values are those of the older model. "
                f"`breakrank case carry {folder}` writes those of the present one."
            )
        )
    questions = list(made.questions)
    for name, line, text in questions:
        say(wrapped(f"{folder / name}:{line}: {text}"))
    note(
        f"{listed(changed)} changed; the folder as it was is {kept}. "
        + (f"Decide {len(questions)} lines above, then take them out. " if questions else "")
        + (
            f"`breakrank case check {folder}` looks at the rest."
            if not made.taken_away
            else "Calibrate it anew."
        )
    )
