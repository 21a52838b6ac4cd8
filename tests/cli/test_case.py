"""``breakrank case`` and ``breakrank evidence``."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Call


def test_new_writes_a_case_that_passes_the_check(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made = call("case", "new", "--full", "my-country")
    assert made.code == 0
    assert "and of others worse" in " ".join(made.err.split())
    assert [p.name for p in tmp_path.iterdir()] == ["my-country"]
    done = call("case", "check", "my-country")
    assert done.code == 0
    assert "can be run" in done.err
    assert json.loads(call("case", "check", "my-country", "--json").out)["case"] == "my-country"


def test_check_makes_a_trial_run_and_shows_what_was_converted(call: Call, tmp_path: Path) -> None:
    made = tmp_path / "mine"
    assert call("case", "new", "--full", made).code == 0
    numbers = (made / "parameters.yaml").read_text("utf-8")
    assert "decision.on:\n  value: 1" in numbers
    (made / "parameters.yaml").write_text(
        numbers.replace("decision.on:\n  value: 1", "decision.on:\n  value: 0"), "utf-8"
    )
    fields = (made / "fields.yaml").read_text("utf-8")
    (made / "fields.yaml").write_text(
        fields.replace("basket:\n  unit: US dollars", "basket:\n  unit: montars"), "utf-8"
    )
    told = json.loads(call("case", "check", made, "--json").out)
    assert "in a trial run of 5,000 soldiers nobody leaves" in [w["text"] for w in told["warnings"]]
    assert told["converted"] == ["basket: montars a month into US dollars a month, 4.5 to 4.5"]
    quick = json.loads(call("case", "check", made, "--quick", "--json").out)
    assert quick["warnings"] == []


def test_check_tells_all_errors_and_refuses_what_cannot_be_run(call: Call, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    assert call("case", "new", "--full", folder).code == 0
    routes = (folder / "routes.yaml").read_text(encoding="utf-8")
    (folder / "routes.yaml").write_text(routes[: routes.index("crossings:")] + "crossings: []\n", "utf-8")
    (folder / "sites.yaml").write_text("[]\n", encoding="utf-8")
    (folder / "targets.yaml").write_text("[]\n", encoding="utf-8")
    done = call("case", "check", folder)
    assert done.code == 2
    assert "no route out of the country" in done.err
    (folder / "case.yaml").write_text("breakrank: 3\n", encoding="utf-8")
    done = call("case", "check", folder)
    assert (done.code, done.out) == (2, "")
    for words in ("case.yaml:1", "the key 'title' is missing", "the key 'country' is missing"):
        assert words in done.err


def test_evidence_of_the_built_in_case_is_complete(call: Call) -> None:
    from breakrank import load_case

    case = load_case("venezuela-2019")
    book = json.loads(call("evidence", "venezuela-2019", "--json").out)
    assert len(book["parameters"]) > 60
    assert len(book["targets"]) >= 10
    for name, entry in {**book["parameters"], **book["targets"]}.items():
        assert entry["unit"], name
        for seen in entry["evidence"]:
            assert seen["what"]
            assert seen["source"]["publisher"]
    assert list(book["fields"]) == list(case.catalogue.fields)
    assert list(book["events"]) == list(case.events.ids)
    assert list(book["payers"]) == list(case.payers.ids)
    assert list(book["sites"]) == list(case.sites.ids)
    for part in ("parameters", "targets", "fields", "events", "payers", "sites"):
        for name, entry in book[part].items():
            assert entry["evidence"] or entry["assumed"], name
    posting = call("evidence", "venezuela-2019", "posting").out
    for words in ("posting, per soldier and day", "by day in posting.csv, by state", "brazil-border-closed"):
        assert words in posting
    event = case.events[0]
    told = call("evidence", "venezuela-2019", event.id).out
    assert f"{event.id}, {event.date}" in told
    assert told.startswith("Events of venezuela-2019\n")


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ((), "targets"),
        (("targets", "pledges"), "Pledges given to a plot"),
        (("parameters", "kin_abroad"), "national"),
        (("patterns", "guards"), "fact of a soldier"),
        (("crossings", "capacity"), "In routes:"),
        (("mechanisms",), "In case:"),
        (("checkpoints",), "In routes:"),
        (("relatives who",), "In parameters:"),
        (("events", "revelation"), "add 0.2 to 2"),
    ],
)
def test_what_is_asked_is_told(call: Call, asked: tuple[str, ...], told: str) -> None:
    done = call("case", "keys", *asked)
    assert done.code == 0
    assert told in done.out
    assert "`" not in done.out


def test_a_wrong_name_is_told_all_files_with_a_line_each(call: Call) -> None:
    done = call("case", "keys", "crosings")
    assert done.code == 2
    assert "did you mean 'crossings'" in done.err
    lines = {words[0]: words[1:] for line in done.err.splitlines() if (words := line.split())}
    assert lines["routes"][:3] == ["roads,", "roads_basis,", "crossings"]
    assert "force," in lines["parameters"]
    assert {"case", "force", "fields", "targets", "patterns"} <= {*lines}
    plain = call("case", "keys")
    assert plain.out.splitlines() == [one for one in done.err.splitlines() if one.startswith("  ")]


def test_only_what_stands_below_a_key_is_told(call: Call) -> None:
    out = call("case", "keys", "crossings").out
    assert "checkpoints" not in out  # of a road
    assert "schedule" in out
    assert "war.opportunities" not in call("case", "keys", "high_command").out
