"""From which day a figure is known: once a source that is cited for it can have printed it."""

import datetime as dt
from dataclasses import replace
from typing import Any

import pytest

import breakrank
from breakrank.case import Case
from breakrank.case.models_evidence import Observation, Source, Target
from breakrank.results.outcomes import is_known, known_from, unpublished

DAY = dt.date(2025, 3, 10)


def source(name: str, date: str, **more: Any) -> Source:
    told = {"publisher": "A paper", "title": "Made up", "kind": "report", "reliability": "low", **more}
    return Source.model_validate({"id": name, "date": date, **told})


def observation(name: str, of: str, **figure: Any) -> Observation:
    told = {"says": "a paper", "what": "A count", "date": str(DAY), "paragraph": "1", "confidence": "low"}
    return Observation.model_validate({"id": name, "source": of, **told, **figure})


def target(*evidence: str, **more: Any) -> Target:
    told = {"label": "Registered", "measure": "registered", "date": str(DAY), "unit": "soldiers", "value": 5}
    parent = {"evidence": evidence} if evidence else {"assumed": "A guess."}
    return Target.model_validate({"id": "one", **told, **parent, **more})


@pytest.fixture(scope="module")
def case() -> Case:
    made = breakrank.load_case("venezuela-2019").with_draws(None)
    sources = (
        source("early", "2025-03-01"),
        source("soon", "2025-03-12"),
        source("spring", "2025-04"),
        source("year", "2025"),
        source("copy", "2025-06-01", copy_of="soon"),
    )
    observations = (
        observation("early-count", "early", value=4, unit="persons"),
        observation("soon-words", "soon", text="many"),
        observation("spring-count", "spring", value=5, unit="persons"),
        observation("spring-share", "spring", value=0.1, unit="share"),
        observation("year-count", "year", range=[4, 6], unit="persons"),
        observation("copy-count", "copy", value=5, unit="persons"),
        observation("soon-before", "soon", value=3, unit="persons", date="2025-03-02"),
        observation("soon-money", "soon", value=20, unit="US dollars"),
        observation("soon-bound", "soon", value=4, unit="persons", bound="at_least"),
    )
    return Case(replace(made.content, sources=sources, observations=observations), made.catalogue)


@pytest.mark.parametrize(
    ("figure", "known"),
    [
        (target("spring-count"), "2025-04-30"),  # of a month the last day
        (target("year-count"), "2025-12-31"),
        (target("year-count", "spring-count"), "2025-04-30"),  # the earliest that prints it
        (target("spring-count", "soon-words"), "2025-04-30"),  # words do not print a number
        (target("soon-words"), "2025-03-12"),
        (target("copy-count"), "2025-03-12"),  # its original is older
        (target("early-count", "spring-count"), "2025-04-30"),  # no paper of 1 March counts until the 10th
        (target("early-count", "spring-count", lag=9), str(DAY)),  # unless the count may be so late
        (target("early-count"), str(DAY)),  # it follows from what was printed before
        (target("spring-share", "copy-count", measure="share_left", unit="share", value=0.1), "2025-04-30"),
        (target("copy-count", "soon-words", measure="share_left", unit="share", value=0.1), "2025-03-12"),
        (target("soon-words", measure="rate_ratio", unit="ratio"), "2025-04-09"),  # its month is over
        (target("soon-before", "spring-count"), "2025-04-30"),  # of an earlier day
        (target("soon-money", "spring-count"), "2025-04-30"),  # it counts something else
        (target("soon-bound", "spring-count"), "2025-04-30"),  # a bound is not the figure
        (target("soon-bound", value=None, at_least=4), "2025-03-12"),
        (target(), None),  # nobody printed it
    ],
)
def test_a_figure_is_known_from_the_earliest_cited_source_that_prints_it(
    case: Case, figure: Target, known: str | None
) -> None:
    assert known_from(figure, case) == (None if known is None else dt.date.fromisoformat(known))


def test_what_nobody_printed_is_known_on_no_day(case: Case) -> None:
    assert not is_known(target(date="2019-02-01"), case, dt.date(2100, 1, 1))


def test_figures_that_were_not_out_are_named_with_their_day() -> None:
    case = breakrank.load_case("venezuela-2019")
    late = unpublished(case, dt.date(2019, 2, 28))
    assert late["registered-february"] == dt.date(2019, 4, 4)
    assert late["shot-at-the-second-border"] == dt.date(2019, 3, 5)
    assert "registered-april" not in late, "what has not happened yet is not late"
