"""Docstrings as this house writes them: behind a colon stands what a thing is, never its type.

Types are in the annotations. Numpydoc's own reading takes the words behind ``name :`` for a type, and those
before the first colon of a constant's text.
"""

from __future__ import annotations

from sphinx.application import Sphinx
from sphinx.ext import napoleon
from sphinx.ext.napoleon.docstring import NumpyDocstring

Field = tuple[str, str, list[str]]


class Docstring(NumpyDocstring):
    """A docstring in which ``name, other : text`` describes two things together."""

    def _consume_field(self, parse_type: bool = True, prefer_type: bool = False) -> Field:
        name, colon, text = self._lines.get(0).partition(" : ")
        if not (parse_type and colon):
            return super()._consume_field(parse_type=False, prefer_type=prefer_type)
        line = self._lines.next()
        rest = self._dedent(self._consume_indented_block(self._get_indent(line) + 1))
        about = self.__class__([text, *rest], self._config).lines()
        return self._escape_args_and_kwargs(name.strip()), "", about

    def _parse_attributes_section(self, section: str) -> list[str]:
        return self._format_fields(section, self._consume_fields())

    def _consume_returns_section(self, preprocess_types: bool = False) -> list[Field]:  # noqa: ARG002 (as there)
        lines = self._dedent(self._consume_to_next_section())
        if len(lines) > 1 and lines[1].startswith(" "):  # a type, and below it what is returned
            return [("", lines[0], self._dedent(lines[1:]))]
        return [("", "", lines)]

    def _parse_attribute_docstring(self) -> list[str]:
        return self.__class__(self._consume_to_end(), self._config).lines()


def setup(app: Sphinx) -> dict[str, bool]:
    """Let napoleon read docstrings with this class."""
    app.setup_extension("sphinx.ext.napoleon")
    napoleon.NumpyDocstring = Docstring  # type: ignore[attr-defined]  # where it looks the class up
    return {"parallel_read_safe": True, "parallel_write_safe": True}
