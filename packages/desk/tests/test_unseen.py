"""The desk's rates on invented reports that no rule was written from do not fall."""

import datetime as dt
import html
import textwrap
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from breakrank.case.dates import first_day, last_day
from breakrank.case.models_evidence import Observation
from breakrank_desk.context import Context
from breakrank_desk.library import text_of
from breakrank_desk.measure import Row, offered, offered_dates, place_alike, said_alike
from breakrank_desk.proposals import Proposal, Used, propose
from breakrank_desk.reading.parent import DocumentReader
from breakrank_desk.syndication import links
from breakrank_desk.texts import Text
from packages.desk.tests.invented import pdf_of

FOLDER = Path(__file__).parent / "unseen"
SUFFIX = {"txt": ".txt", "html": ".html", "pdf": ".pdf", "eml": ".eml"}


def entries() -> list[dict[str, Any]]:
    """Return the reports, copies written out."""
    out: dict[str, dict[str, Any]] = {}
    for file in sorted(FOLDER.glob("*.yaml"), key=lambda f: f.name == "copies.yaml"):
        for e in yaml.safe_load(file.read_text(encoding="utf-8")):
            told = {"language": "es" if file.name.startswith("spanish") else "en", **e}
            out[e["id"]] = told if "text" in e else _copied(e, out[e["of"]])
    return list(out.values())


def _copied(entry: dict[str, Any], of: dict[str, Any]) -> dict[str, Any]:
    head, *story = of["text"].strip().split("\n\n")
    story = [p for k, p in enumerate(story, 1) if k not in entry.get("without", ())]
    text = "\n\n".join([head, *story, *([entry["after"]] if "after" in entry else [])])
    for old, new in entry.get("change", {}).items():
        assert old in text, old
        text = text.replace(old, new)
    more = {"text": text, "story": len(story) + ("after" in entry), "language": of["language"]}
    return entry | more


def written(entry: dict[str, Any], folder: Path) -> Path:
    """Write a report in its format."""
    file = folder / f"{entry['id']}{SUFFIX[entry['as']]}"
    head, *story = entry["text"].strip().split("\n\n")
    if entry["as"] == "pdf":
        lines = [line for p in (head, *story) for line in (*textwrap.wrap(p, 90), "")]
        lines = [line.replace("—", "-") for line in lines]
        file.write_bytes(pdf_of([lines]))
    elif entry["as"] == "html":
        body = f"<h1>{html.escape(head)}</h1>" + "".join(f"<p>{html.escape(p)}</p>\n" for p in story)
        menu = "<nav><a href='/'>Home</a> <a href='/n'>News</a></nav>"
        page = f"<html><head><meta charset='utf-8'><title>{html.escape(head)}</title></head><body>{menu}"
        file.write_text(f"{page}<article>{body}</article></body></html>", encoding="utf-8")
    elif entry["as"] == "eml":
        told = f"From: press@example.org\nTo: you@example.org\nSubject: {head}\nMIME-Version: 1.0\n"
        told += "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n"
        file.write_text(told + "\n\n".join(story) + "\n", encoding="utf-8")
    else:
        file.write_text(entry["text"], encoding="utf-8")
    return file


def texts(folder: Path) -> list[tuple[dict[str, Any], Text]]:
    """Return each report as written down and as the desk reads it."""
    out = []
    with DocumentReader() as reader:
        for e in entries():
            data, found = reader.read(written(e, folder))
            made = text_of(found[0], e["id"], str(len(data)))
            day = e["date"] if isinstance(e["date"], dt.date) else dt.date.fromisoformat(e["date"])
            out.append((e, replace(made, date=day, outlet=e["outlet"])))
    return out


def rates(folder: Path, context: Context) -> dict[str, Row]:
    """Return the desk's rates on the reports, figures coded one after the other as somebody would."""
    rows = {k: Row(k) for k in ("story", "found", "kept", "language")}
    rows |= {f"{k} offered": Row(f"{k} offered") for k in ("date", "speaker", "place", "all three")}
    rows |= {f"{k} first": Row(f"{k} first") for k in ("date", "speaker", "place")}
    rows |= {k: Row(k) for k in ("copies found", "called copies")}
    known = texts(folder)
    for e, text in known:
        rows["language"].add(text.language == e["language"], e["id"])
        rows["story"].add(len(text.story) == e["story"], f"{e['id']} {len(text.story)}")
        if "figures" not in e:
            continue
        used, hit = Used(), set()
        for figure in e["figures"]:
            fits = [p for p in propose(text, context, used) if _fits(p, figure, text)]
            rows["found"].add(bool(fits), f"{e['id']} {figure[0]}")
            if fits:
                hit.add(fits[0].key)
                _offers(rows, figure, fits[0], used, e["id"])
        for p in propose(text, context):
            rows["kept"].add(p.key in hit, f"{e['id']} {p.words}")
    _links(rows, known)
    return rows


def _fits(p: Proposal, figure: list[Any], text: Text) -> bool:
    low, high = float(figure[1]), float(figure[2])
    if abs((p.low or 0) - low) > 0.001 * low + 1e-9 or (
        p.high != high and abs((p.high or 0) - high) > 0.001 * high
    ):
        return False
    for paragraph in text.story:
        if paragraph.hash == p.anchor.hash:
            there: str = figure[0]
            at, mine = paragraph.text.find(there), paragraph.text.find(p.words)
            return bool(min(at, mine) >= 0 and at < mine + len(p.words) and mine < at + len(there))
    return False


def _offers(rows: dict[str, Row], figure: list[Any], p: Proposal, used: Used, name: str) -> None:
    when, says, place = str(figure[3]), str(figure[4]), str(figure[5])
    first, last = first_day(when), last_day(when)
    one = Observation.model_construct(date=f"{first}/{last}")
    dates, said = offered_dates(one, p), offered(says, p.says, said_alike)
    where = offered(place, p.places, place_alike) if place else 1
    told = f"{name} {figure[0]}"
    rows["date offered"].add(bool(dates), f"{told}: {when}")
    rows["speaker offered"].add(bool(said), f"{told}: {says}; {p.says[:3]}")
    rows["place offered"].add(bool(where), f"{told}: {place}; {p.places[:3]}")
    rows["all three offered"].add(bool(dates and said and where))
    right = bool(p.dates) and (p.dates[0].first, p.dates[0].last) == (first, last)
    rows["date first"].add(right, f"{told}: {when}; {[m.when for m in p.dates[:3]]}")
    rows["speaker first"].add(said == 1, f"{told}: {says}; {p.says[:3]}")
    if place:
        rows["place first"].add(where == 1, f"{told}: {place}; {p.places[:3]}")
    used.add(_when(first, last), says, place or None, p.source, p.anchor.paragraph)


def _when(first: dt.date, last: dt.date) -> str:
    return str(first) if first == last else f"{first}/{last}"


def _links(rows: dict[str, Row], known: list[tuple[dict[str, Any], Text]]) -> None:
    found = {
        frozenset((x.fuller, x.shorter))
        for x in links([t for _, t in known])
        if x.verdict in ("copy", "version")
    }
    true = {frozenset((e["id"], e["of"])) for e, _ in known if "of" in e}
    for pair in sorted(true, key=sorted):
        rows["copies found"].add(pair in found, " ".join(sorted(pair)))
    for pair in sorted(found, key=sorted):
        rows["called copies"].add(pair in true, " ".join(sorted(pair)))


FLOORS = {
    "language": 1.0, "story": 0.98, "found": 0.97, "kept": 0.96, "date offered": 0.98,
    "speaker offered": 0.94, "place offered": 0.925, "all three offered": 0.86, "date first": 0.75,
    "speaker first": 0.80, "copies found": 0.99, "called copies": 0.99,
}  # fmt: skip


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Row]:
    return rates(tmp_path_factory.mktemp("reports"), Context.open("venezuela-2019"))


@pytest.mark.parametrize("name", FLOORS)
def test_a_rate_does_not_fall(measured: dict[str, Row], name: str) -> None:
    share = measured[name].share
    assert share is not None
    assert share >= FLOORS[name], str(measured[name])


def test_the_set_is_what_it_claims() -> None:
    known = entries()
    assert len(known) == 60
    assert sum("of" in e for e in known) == 15
    assert sum(e["language"] == "es" for e in known) == 20
    assert sum(e["as"] == "pdf" for e in known) >= 10
    assert sum(len(e.get("figures", ())) for e in known) == 289
