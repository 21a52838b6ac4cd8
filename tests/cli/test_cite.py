"""``breakrank cite``: what to cite for a result."""

from __future__ import annotations

import json
import re

from breakrank import __version__, load_case
from tests.cli.conftest import Call

CASE = "venezuela-2019"


def works_behind(call: Call, *arguments: object) -> dict[str, list[str]]:
    done = call("cite", *arguments, "--json")
    assert done.code == 0
    return {work["key"]: work["mechanisms"] for work in json.loads(done.out)["works"]}


def test_the_case_and_the_works_are_named(call: Call) -> None:
    done = call("cite", CASE)
    case = load_case(CASE, "point")
    assert done.code == 0
    assert f"version {__version__}" in done.out
    words = " ".join(done.out.split())
    assert f"names {len(case.ledger.sources)} sources" in words
    assert all(author in words for author in case.content.case.authors)
    assert "Kuran, T. (1991). Now out of never" in words
    assert "could not be checked" in done.err


def test_a_mechanism_that_is_off_is_not_cited(call: Call) -> None:
    before = works_behind(call, CASE, "--ensemble", "point")
    after = works_behind(call, CASE, "--ensemble", "point", "--set", "high_command.on=0")
    gone = {key for key, mechanisms in before.items() if mechanisms == ["high_command"]}
    assert "fearon1995" in gone
    assert set(before) - set(after) == gone
    assert not any("high_command" in mechanisms for mechanisms in after.values())


def test_methods_are_those_of_a_posterior(call: Call) -> None:
    methods = {
        way: json.loads(call("cite", CASE, "--ensemble", way, "--json").out)["methods"]
        for way in ("posterior", "prior", "point")
    }
    assert "gordon1993" in methods["posterior"]
    assert methods["prior"] == methods["point"] == []


def test_mechanisms_of_a_war_are_cited_where_they_are_added(call: Call) -> None:
    assert works_behind(call, "syria-2011")["levi1997"] == ["war"]
    assert "levi1997" not in works_behind(call, CASE)


def test_bibtex_holds_all_of_it_once(call: Call) -> None:
    done = call("cite", CASE, "--bibtex")
    keys = re.findall(r"^@\w+\{([\w-]+),$", done.out, re.M)
    assert keys[:2] == ["breakrank", CASE]
    assert len(set(keys)) == len(keys)
    assert set(keys[2:]) == set(works_behind(call, CASE))
    assert done.out.count("{") == done.out.count("}")
