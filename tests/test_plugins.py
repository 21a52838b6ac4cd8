"""What installed packages add, mechanisms and commands: found by name, refused with a reason."""

import hashlib
import importlib
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from breakrank import Case, load_case, model, simulate
from breakrank.engine.mechanism import Mechanism
from breakrank.errors import BreakrankError, CaseError, UsageError
from breakrank.outputs import daily
from breakrank.plugins import (
    COMMANDS,
    PAGE,
    SEPARATE,
    about,
    addition,
    additions,
    class_named,
    name_of,
    source_digest,
)
from breakrank.runs.cases import described
from breakrank.spec import Field, Parameter, switch
from tests.cli.conftest import environment
from tests.programs import Done, ended


class Added(Mechanism):
    """Does nothing."""

    name = "added"
    citation = "nobody"
    parameters = (switch("added", "nothing"),)


NUMBER = Parameter("added.number", "utility", 0, 1, 0.5, "nothing")


def test_the_models_own_are_described_and_cannot_be_added() -> None:
    assert described("fear").startswith("### Fear")
    with pytest.raises(UsageError, match="there is no mechanism 'fear' to add"):
        load_case("crimea-2014", mechanisms=["fear"])


def test_an_unknown_name_is_told_with_what_is_installed() -> None:
    with pytest.raises(UsageError, match=r"no mechanism 'rumor'.*\n  Known: opposition, war, composition"):
        load_case("venezuela-2019", mechanisms=["rumor"])
    with pytest.raises(UsageError, match=r"mechanisms is a list of names, as in \['rumour'\]"):
        simulate("venezuela-2019", mechanisms="rumour")
    with pytest.raises(UsageError, match="cannot be imported: ModuleNotFoundError"):
        class_named("there_is_no_such_module:Kind")


def test_a_name_that_two_packages_offer_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("one", "two"):
        offer(tmp_path, package, "[breakrank.mechanisms]", f"twice = {package}:Kind")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(UsageError, match="several packages offer a mechanism 'twice': one:Kind, two:Kind"):
        class_named("twice")


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"name": "fear"}, "there is a mechanism 'fear' already"),
        ({"name": "two words"}, "its name has to be a word"),
        ({"citation": ""}, "its citation is empty"),
        ({"__doc__": None}, "need docstrings"),
        ({"parameters": ()}, r"it has no switch; declare switch\('added', ...\)"),
        (
            {"parameters": (*Added.parameters, NUMBER)},
            "added.number has to say why 0.5 holds where a case is",
        ),
        ({"parameters": (*Added.parameters, switch("fear", ""))}, "'fear.on' has to begin with 'added.'"),
        (
            {"fields": (Field("credibility", "share", 0, 1, "nothing", (), 0.0),)},
            "a field 'credibility' already",
        ),
        ({"events": ("arrested",)}, "the event 'arrested' is taken"),
        ({"outputs": (daily("arrested", "Arrested"),)}, "the output 'arrested' is taken"),
        ({"fields": (Field("novel", "share", 0, 1, "nothing"),)}, "the field 'novel' needs a base"),
    ],
)
def test_what_cannot_be_added_is_refused_with_the_reason(changed: dict[str, Any], why: str) -> None:
    kind = type("Other", (Added,), {"__module__": __name__, "__doc__": "Does nothing.", **changed})
    with pytest.raises(UsageError, match=f"the mechanism other cannot be added: .*{why}"):
        model.BUILT_IN.with_others([("other", kind)])
    with pytest.raises(UsageError, match="is no mechanism"):
        model.BUILT_IN.with_others([("other", int)])


def test_a_class_that_no_other_process_finds_is_refused() -> None:
    class Inner(Added):
        """Does nothing."""

    with pytest.raises(UsageError, match="Inner cannot be imported by other processes"):
        name_of(Inner)


def test_a_parameter_that_the_case_does_not_state_is_as_the_mechanism_assumes(
    rumour: type[Mechanism],
) -> None:
    case = load_case("venezuela-2019", "point", mechanisms=[rumour])
    weight = case.parameters["rumour.weight"]
    assert (weight.value, weight.low, weight.high) == (0.5, 0, 5)
    assert weight.assumed == "weaker than what a soldier sees for himself; nothing was counted"
    assert (weight.prior.distribution, weight.prior.numbers) == ("triangular", (0, 0.5, 2))
    set_ = case.set({"rumour.weight": 3}).parameters["rumour.weight"]
    assert (set_.value, set_.prior) == (3, weight.prior)
    assert set_.assumed == "Set to 3 by hand."


def test_a_case_is_told_apart_by_its_mechanisms_and_loads_again(
    rumour: type[Mechanism], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without = load_case("venezuela-2019", "point")
    case = load_case("venezuela-2019", "point", mechanisms=[rumour])
    assert case.mechanisms == ("breakrank_rumour:Rumour",)
    assert case != without
    folder = case.write(tmp_path / "venezuela-2019")
    assert load_case(folder) == case
    monkeypatch.delitem(sys.modules, "breakrank_rumour")
    with pytest.raises(CaseError, match=r"case.yaml:\d+ .*is not installed\n  Import breakrank_rumour first"):
        load_case(folder)


def test_a_worker_with_another_source_makes_no_run(rumour: type[Mechanism]) -> None:
    case = load_case("venezuela-2019", "point", mechanisms=[rumour]).set({"force.strength": 500})
    other = Case(case.content, replace(case.catalogue, added=replace(case.catalogue.added, code="another")))
    assert other.digest != case.digest
    with pytest.raises(BreakrankError, match="the source of breakrank_rumour:Rumour is another"):
        simulate(other, runs=1, workers=1)


def test_the_digest_sees_every_module_that_is_no_installed_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "made").mkdir()
    files = {
        "made/__init__.py": "class Kind:\n    from .part import x\n",
        "made/part.py": "import helper_of_made, numba, yaml, math\nx = 1\n",
        "made/table.csv": "1,2\n",
        "helper_of_made.py": "x = 1\n",
        "stranger.py": "x = 1\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    kind: type = importlib.import_module("made").Kind
    digests = [source_digest((kind,))]
    for name in files:
        (tmp_path / name).write_text("x = 2\n")
        digests.append(source_digest((kind,)))
        (tmp_path / name).write_text(files[name])
    first, *others, stranger = digests
    assert stranger == first
    assert len({first, *others}) == len(files)


def test_mechanisms_of_breakrank_add_no_source_to_a_case() -> None:
    kinds = (class_named("war"), class_named("local"))
    assert source_digest(kinds) == source_digest(())
    assert source_digest(kinds) == hashlib.sha256().hexdigest()


MISSING = "breakrank: breakrank-desk is not installed; from a checkout of Breakrank: python -m pip install "
MISSING += "packages/desk\n"


def offer(folder: Path, package: str, *lines: str) -> None:
    """Install a package that says what it offers, and holds nothing."""
    place = folder / f"{package}-1.dist-info"
    place.mkdir()
    head = f"Metadata-Version: 2.1\nName: {package}\nVersion: 1\nSummary: Do {package}.\n"
    (place / "METADATA").write_text(head, "utf-8")
    (place / "entry_points.txt").write_text("\n".join(lines) + "\n", "utf-8")


def process(*arguments: str, code: str, path: Path) -> Done:
    """Call the command line in a fresh process."""
    known = environment()
    known["PYTHONPATH"] = os.pathsep.join([known["PYTHONPATH"], str(path)])
    return ended(sys.executable, "-c", code, *arguments, env=known)


def test_the_desk_offers_a_command_and_a_view() -> None:
    assert additions(COMMANDS)["desk"].value.startswith("breakrank_desk.")
    assert about(additions(COMMANDS)["desk"]) == "Code reports: read, propose, accept."
    assert list(additions(PAGE)) == list(SEPARATE) == ["desk"]


def test_the_list_of_commands_imports_no_package(tmp_path: Path) -> None:
    offer(tmp_path, "elsewhere", f"[{COMMANDS}]", "survey = elsewhere:app")
    code = "import sys; from breakrank.cli import main; code = main(sys.argv[1:])"
    code += "; sys.exit(code or 'breakrank_desk' in sys.modules)"
    listed = process("--help", code=code, path=tmp_path)
    assert (listed.returncode, listed.stderr) == (0, "")
    assert {"Do elsewhere.", "Code reports: read, propose, accept."} <= {
        line.strip("│ ").partition(" ")[2].strip() for line in listed.stdout.splitlines()
    }
    called = process("survey", code=code, path=tmp_path)
    assert called.returncode == 2
    assert called.stderr.startswith("breakrank: 'survey' (elsewhere:app) cannot be imported: ModuleNotFound")


def test_a_command_that_two_packages_offer_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for package in ("one", "two"):
        offer(tmp_path, package, f"[{COMMANDS}]", f"twice = {package}:app")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(UsageError, match=r"several packages offer 'twice' \(breakrank.commands\): \w+:app, "):
        addition(COMMANDS, "desk")
