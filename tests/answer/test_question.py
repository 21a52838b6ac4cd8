"""Each declared option is in Python, on the command line and in the reference, in the same words."""

import inspect
import re
from pathlib import Path
from typing import get_type_hints

import pytest

import breakrank
from breakrank.answer.question import Question
from breakrank.cli import main
from breakrank.cli.questions import CHANGES, OF_THE_CASE, command
from breakrank.errors import UsageError
from breakrank.questions.declared import QUESTIONS
from tests.project.test_layers import imported
from tools.reference import reference


def function_of(kind: type[Question]) -> object:
    return getattr(breakrank, kind.name.rpartition(" ")[2])


@pytest.mark.parametrize("kind", QUESTIONS, ids=lambda kind: kind.name)
def test_each_option_is_everywhere(kind: type[Question], capsys: pytest.CaptureFixture[str]) -> None:
    signature = inspect.signature(function_of(kind))
    document = inspect.getdoc(function_of(kind)) or ""
    main([*kind.name.split(), "--help"])
    shown = capsys.readouterr().out
    page = "\n".join(reference([kind]))
    assert (inspect.getdoc(kind) or "").splitlines()[0] in " ".join(shown.split())
    for one in kind.options():
        assert one.help, one.name
        assert one.name in signature.parameters
        default = signature.parameters[one.name].default
        assert (default is inspect.Parameter.empty) == one.required
        assert one.required or default == one.default
        assert f"\n{one.name} : " in document
        assert f"`{one.name}`" in page
        assert one.help in page
        if one.name != "progress":
            assert f"{one.flag} " in shown or f"{one.flag}\n" in shown, one.flag
    assert signature.return_annotation is inspect.Signature.empty
    parameters = inspect.signature(command(kind)).parameters
    elsewhere = {"seed", "progress"}
    own = {one.name for one in kind.options() if one.flag not in OF_THE_CASE} - elsewhere
    assert own | {"case", "out", "options", "output"} == parameters.keys()
    assert get_type_hints(command(kind), include_extras=True).keys() == parameters.keys()


@pytest.mark.parametrize("kind", QUESTIONS, ids=lambda kind: kind.name)
def test_help_in_python_speaks_of_python(kind: type[Question]) -> None:
    function = function_of(kind)
    text, names = function.__doc__ or "", list(inspect.signature(function).parameters)
    own = [one.name for one in kind.options() if not one.shared]
    assert "seed" not in names[: 1 + len(own)], "its own options come first"
    assert "several times" not in text
    assert "In Python" not in text
    assert not [one.flag for one in kind.options() if f" {one.flag} " in text]
    assert not re.search(r"^    [A-Z].*\n.*Parameters", text.partition("\n")[2], re.MULTILINE | re.DOTALL)
    assert "show()" in text


def test_the_generator_of_commands_names_no_single_question() -> None:
    names = imported(Path(inspect.getfile(command)))
    assert not [to for to in names if "question" in to and to[0] != "answer"]
    assert {kind.changes for kind in QUESTIONS} <= CHANGES.keys()


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"runs": 0}, "runs must be from 1"),
        ({"runs": "4"}, "whole number"),
        ({"seed": -1}, "seed must be from 0"),
    ],
)
def test_an_option_outside_its_range_is_refused_before_anything_runs(
    wrong: dict[str, object], says: str
) -> None:
    with pytest.raises(UsageError, match=says):
        breakrank.compare("venezuela-2019", "no-taps", **wrong)


def test_runs_elsewhere_need_a_store() -> None:
    with pytest.raises(UsageError, match="needs a store"):
        breakrank.compare("venezuela-2019", "no-taps", backend="tcp://10.0.0.5:8786")
