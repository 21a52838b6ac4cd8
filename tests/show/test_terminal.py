"""Tables on the terminal: one look, and no character of a cell lost to it."""

from __future__ import annotations

import pytest

from breakrank.show.terminal import NUMBER, WHOLE, Head, say_table


def test_a_table_keeps_what_looks_like_markup_and_folds_long_names(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    name = "a" * 80
    say_table([("[bold]name", Head()), ("n", NUMBER | WHOLE)], [("[red]x[/red]", "1"), (name, "12,345")])
    lines = capsys.readouterr().out.splitlines()
    assert "[bold]name" in lines[0] + lines[1]
    assert any("[red]x[/red]" in line and line.rstrip().endswith(" 1") for line in lines)
    assert "".join(lines).count("a") == len(name) + 1  # the head's own
    assert all(len(line) <= 60 for line in lines)
