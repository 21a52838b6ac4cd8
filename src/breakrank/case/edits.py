"""Writing over parts of a case's files, as a counterfactual or an intervention asks.

An edit mirrors a file: keys lead into mappings, ids (or ``"*"`` for all) into lists; ``{times: 2}``
multiplies the number that stands there (``{times: 2, most: 1}`` up to 1), and anything else takes its place.
What comes out is checked as the file itself is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from breakrank.case.check_command import check_command
from breakrank.case.check_routes import check_routes
from breakrank.case.check_sites import check_sites
from breakrank.case.check_words import known_id
from breakrank.case.content import FILES, Content, Loaded
from breakrank.case.explain import validated
from breakrank.case.values import Document, Step
from breakrank.errors import CaseError

EDITABLE = ("force", "command", "routes", "fields", "payers", "sites")
"""Files that may be written over, without their ending. Events and parameters have ways of their own."""
ALL = "*"
Path = tuple[Step, ...]


def edited(content: Content, edit: Mapping[str, Any], document: Document, at: Path = ()) -> Content:
    """Return a content with parts of its files written over.

    Parameters
    ----------
    edit : by word of :data:`EDITABLE`, what is written over that file.
    document, at : where the edit stands, for messages.

    Raises
    ------
    CaseError
        for a part that there is not, or a value that the file may not have.
    """
    for word, change in edit.items():
        path = (*at, word)
        known_id(word, EDITABLE, "file to edit", document, path)
        name = f"{word}.yaml"
        adapter, part = FILES[name], getattr(content, word)
        plain = adapter.dump_python(part, mode="json", by_alias=True, exclude_defaults=True)
        plain = _over(list(plain) if isinstance(plain, tuple) else plain, change, document, path)
        try:
            content = replace(
                content, **{word: validated(adapter, Document(None, plain), content.case.calendar)}
            )
            loaded = Loaded(
                content, {file: Document(None, {}) for file in FILES} | {name: Document(None, plain)}
            )
            check_command(loaded)
            check_routes(loaded)
            check_sites(loaded)
        except CaseError as error:
            problem = f"what comes out cannot be used: {error.place.key}: {error.problem}"
            raise document.error(path, problem, error.remedy) from None
    return content


def _over(here: Any, change: Any, document: Document, path: Path) -> Any:  # noqa: ANN401 (any plain content)
    """Return `here` with `change` written over it."""
    if not isinstance(change, Mapping):
        return change
    if "times" in change:
        return _times(here, change, document, path)
    if isinstance(here, list | tuple):
        names = [str(item["id"]) if isinstance(item, dict) and "id" in item else "" for item in here]
        for key in change:
            known_id(key, (*names, ALL), "item", document, (*path, key))
        keys = [name if name in change else ALL for name in names]
        return [
            _over(item, change[key], document, (*path, key)) if key in change else item
            for item, key in zip(here, keys, strict=True)
        ]
    out = dict(here) if isinstance(here, dict) else {}
    for key, value in change.items():
        for name in list(out) if key == ALL else [key]:
            if name in out or not (isinstance(value, Mapping) and {"times", ALL} & set(value)):
                out[name] = _over(out.get(name), value, document, (*path, key))  # what is left out stays so
    return out


def _times(here: Any, change: Mapping[str, Any], document: Document, path: Path) -> float:  # noqa: ANN401
    """Return a number multiplied as ``{times: 2}`` or ``{times: 2, most: 1}`` says."""
    numbers = [here, *change.values()]
    if set(change) - {"times", "most"} or not all(type(n) in (int, float) for n in numbers):
        raise document.error(
            path, "only a number can be multiplied", "Write {times: 2} or {times: 2, most: 1}."
        )
    value = min(here * change["times"], change.get("most", float("inf")))
    return int(value) if isinstance(here, int) and value == int(value) else value
