"""``breakrank case``: list, show, check and make cases."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from breakrank.cli.options import Flag
from breakrank.show.terminal import listed, note, say, say_json, title, wrapped


def list_all(*, json: Flag = False) -> None:
    """List the built-in cases.

    Parameters
    ----------
    json
        Print one JSON object instead.
    """
    from breakrank.runs.cases import at_large, list_cases

    cases = [at_large(name) for name in list_cases()]
    if json:
        say_json(
            {"cases": {c.id: {"title": c.title, "summary": c.summary, "country": c.country} for c in cases}}
        )
        return
    for case in cases:
        say(f"{title(case.id)}  {case.title}, {case.calendar.start} to {case.calendar.end}")
        say(wrapped(case.summary, 2))


def show(case: str, /) -> None:
    """Show the contents of a case.

    Parameters
    ----------
    case
        Name of a built-in case, or a case folder.
    """
    from breakrank.runs.cases import at_large

    loaded = at_large(case)
    say(repr(loaded))
    say()
    say(wrapped(loaded.summary))


def check(case: str, /, *, quick: Flag = False, json: Flag = False) -> None:
    """Check a case for errors and unusual values.

    Each error names the file, the line and the remedy, and the exit code is 2. Warnings leave it 0.
    Amounts in other money (rates.yaml) are shown as they were converted. A small trial run shows whether
    something is hard to believe, such as more arrests than people who leave.

    Parameters
    ----------
    case
        A case folder, or the name of a built-in case.
    quick
        Leave the trial run out.
    json
        Print one JSON object instead.
    """
    from breakrank import check_case, load_case
    from breakrank.case import Warning_
    from breakrank.case.files import Files
    from breakrank.case.library import case_folder
    from breakrank.runs.cases import converted_amounts

    warnings = check_case(case)
    warnings += [
        Warning_(link, None, "this is a link; nothing is written through it", "Put what it points to there.")
        for link in Files(case_folder(case)).links("evidence")
    ]
    if not quick:
        from breakrank.questions.compare.compare import unpaired
        from breakrank.questions.run.trial import trial

        loaded = load_case(case, "values")
        warnings += [Warning_(None, None, *doubt) for doubt in trial(loaded)]
        warnings += [
            Warning_(
                None,
                None,
                f"the counterfactual {name} changes the force, so `breakrank compare` cannot pair its runs",
                "Leave the force as it is, or make a case of its own and run both.",
            )
            for name in unpaired(loaded)
        ]
    converted = converted_amounts(case)
    if json:
        rows = [
            {"file": w.file and str(w.file), "line": w.line, "text": w.text, "remedy": w.remedy}
            for w in warnings
        ]
        say_json({"case": case, "warnings": rows, "converted": list(converted)})
        return
    name = Path(case).resolve().name
    for warning in warnings:
        where = f"{warning.file}:{warning.line}" if warning.line is not None else str(warning.file or name)
        say(f"{where}: {warning.text}")
        if warning.remedy:
            say(wrapped(warning.remedy, 2))
    for line in converted:
        say(wrapped(line))
    count = len(warnings)
    note(
        f"{name} can be run" + (f"; {count} warning{'s' * (count != 1)} above" if count else ", no warnings")
    )


From = Annotated[str, Parameter(name="--from")]
"""``--from CASE``."""


def new(
    folder: Path, /, *, origin: From = "venezuela-2019", template: Flag = False, country: str = ""
) -> None:
    """Write a commented template of a case that runs.

    Psychological values and priors come from another case. National ones are typical values of the model
    with wide priors.

    Parameters
    ----------
    folder
        A new or empty folder, e.g. my-country; its name becomes the name of the case.
    origin
        The case that passes on its psychological values, as its posterior leaves them.
    template
        Take the psychological priors as they were before any fit to a record.
    country
        Two letters of ISO 3166-1 or an English name, e.g. SY. States, points, roads between neighbouring
        states and crossings to neighbouring countries are written from open geodata, all of it assumed.
    """
    from breakrank import new_case
    from breakrank.runs.carried import UNPROVEN

    made = new_case(folder, origin, fitted=not template, country=country)
    files = sorted(p.relative_to(made).as_posix() for p in made.rglob("*") if p.is_file())
    say(wrapped(f"{made} holds {listed(files)}"))
    if country:
        from breakrank import load_case

        one = load_case(made, "values")
        capital = one.force.states.named(one.capital).label
        hosts = listed(sorted({c.country for c in one.crossings if c.host}))
        note(
            wrapped(f"Capital in {capital}; host: {hosts}, the border nearest to it. Correct what is not so.")
        )
    note(wrapped(UNPROVEN))
    note(f"Run it with `breakrank run {made}`, check it with `breakrank case check {made}`.")


def carry(case: str, /, *, origin: From = "venezuela-2019", template: Flag = False) -> None:
    """Bring psychological values and priors into an existing case.

    The rest of its parameters.yaml stays as it is.

    Parameters
    ----------
    case
        The case folder that takes them.
    origin
        The case that passes on its psychological values, as its posterior leaves them.
    template
        Take the psychological priors as they were before any fit to a record.
    """
    from breakrank.runs.carried import UNPROVEN
    from breakrank.runs.cases import carry

    changed = carry(case, origin, fitted=not template)
    say(wrapped(listed(list(changed)) if changed else "nothing"))
    note(f"{len(changed)} parameters of {case} changed. Calibrate it again if it had a posterior.")
    note(wrapped(UNPROVEN))
