"""Who says so, and when: rules of grammar on sentences written for them, English and Spanish alike."""

import datetime as dt
import time

import pytest

from breakrank_desk.context import Context
from breakrank_desk.figures import figures
from breakrank_desk.people import cast_of
from breakrank_desk.proposals import Surroundings, Used
from breakrank_desk.said import quoted, sayings
from breakrank_desk.speakers import talk_of
from breakrank_desk.texts import Paragraph, Text
from breakrank_desk.words import table

PUBLISHED = dt.date(2031, 4, 2)  # a Wednesday
TOLD = '"I ran," Guard Sgt. Ida Lind told Radio Sil.'
DRAY = "Sgt. Ed Dray, a baker's son, said that 9 men followed."


def report(language: str, *paragraphs: str, agency: str = "") -> Surroundings:
    made = tuple(Paragraph(k, "story", k + 1, text, "") for k, text in enumerate(paragraphs))
    text = Text("r", "", "text", "1", language, made, outlet="The Outlet", agency=agency, date=PUBLISHED)
    return Surroundings.of(text, Context.open("venezuela-2019"))


def first(language: str, figure: str, *paragraphs: str) -> tuple[str, str]:
    """Return the first speaker and the first date for a figure of the last paragraph."""
    around = report(language, *paragraphs)
    last = around.text.paragraphs[-1]
    at = last.text.index(figure)
    kind = next((f.sort for f in figures(last.text, table(language)) if f.start <= at < f.end), "")
    return around.says(last, at, Used())[0], around.dates(last, at, Used(), kind)[0].when


def test_the_time_chosen_in_a_paragraph_is_taken_up_there_where_a_figure_has_none_of_its_own() -> None:
    told = "Vale fell on March 3. Its 12 men ran. On March 9 some 30 came back. The town has 4,000 people."
    around = report("en", told)
    (paragraph,), used = around.text.paragraphs, Used()
    used.add("2031-03-05", "a nurse", None, "r", 1)

    def when(figure: str, paragraph: Paragraph = paragraph, used: Used = used) -> str:
        return around.dates(paragraph, told.index(figure), used)[0].when

    assert when("12", used=Used()) == "2031-03-03"
    assert [when("12"), when("30"), when("4,000")] == ["2031-03-05", "2031-03-09", "2031-04-02"]
    assert when("12", Paragraph(5, "story", 6, told, "")) != "2031-03-05"
    assert around.says(paragraph, 20, used)[0] == "a nurse"


@pytest.mark.parametrize(
    ("language", "text", "subject"),
    [
        ("en", "In the town of Brenn the mayor said that 35 men had left.", "the mayor"),
        ("en", "A captain in the fourth division said it had 64.", "A captain"),
        ("en", "The man who opened the door says he was paid.", "The man"),
        ("en", '"No," one of them, a colonel, said.', "one of them"),
        ("en", "Police saw it, witnesses said on Monday.", "witnesses"),
        ("en", '"Yes," said a nurse who was there.', "a nurse"),
        ("en", "It costs 5 crowns, its government reports.", "its government"),
        ("en", "A corporal, who asked for no name, said his unit had 64.", "A corporal"),
        ("es", "Un cabo, quien pidió no dar su nombre, dijo que su unidad tenía 64.", "Un cabo"),
        ("en", "The reports of a loss were wrong.", None),
        ("es", "«Nos fuimos», dijo una enfermera que estaba allí.", "una enfermera"),
        ("es", "Unos 60 se fueron, informó el lunes un portavoz de la armada.", "un portavoz de la armada"),
        ("es", "Perdieron 20, dijeron a la AFP dos oficiales.", "dos oficiales"),
        ("es", "El alcalde de Brenn dijo que se fueron 35.", "El alcalde de Brenn"),
    ],
)
def test_subjects_of_verbs_of_saying(language: str, text: str, subject: str | None) -> None:
    found = sayings(text, table(language))
    assert [s.subject[0] if s.subject else "" for s in found] == ([] if subject is None else [subject])


def test_verbs_within_a_quotation_do_not_count() -> None:
    text = '"The major said he would fire at 20 men," a private recalled.'
    assert [s.subject for s in sayings(text, table("en"))] == [("a private",)]
    assert [text[a:b] for a, b in quoted(text)] == ["The major said he would fire at 20 men,"]


@pytest.mark.parametrize(
    ("language", "figure", "says", "paragraphs"),
    [
        ("en", "35", "the mayor", ["In Brenn the mayor said that 35 men had left."]),
        ("en", "600", "the prosecutor", ["The prosecutor said it was late. He expects 600 trials."]),
        ("en", "18", "a nurse", ['"I came late," a nurse said. "We had 18 beds."']),
        ("en", "12", "a navy sergeant", ["Sgt. Tomas Bel of the navy said it.", "Bel drove for 12 hours."]),
        ("en", "three", "the outlet", ["Three officers said so. They have three cars."]),
        ("en", "Nine", "Radio Sil", ["Nine guards told Radio Sil that they were hungry."]),
        ("en", "50", "the outlet", ["When the minister announced it, 50 men ran to the bridge."]),
        ("en", "9", "a United Nations envoy", ["A U.N. envoy said that 9 boats came."]),
        ("en", "9", "officials", ["President Vale fled.", "Pro-Vale officials say that 9 men stayed."]),
        ("en", "9", "a guard sergeant", ["Army Sgt. Ida Lind left.", "Guard Sgt. Tom Lind said 9 men left."]),
        ("en", "9", "a sergeant, to Radio Sil", [TOLD, DRAY]),
        ("en", "9", "the mayor", [TOLD, "The mayor said that 9 men followed."]),
        ("en", "9", "a sergeant", [TOLD, "It rained.", "The river rose.", DRAY]),
        ("en", "9", "a sergeant", [TOLD, "Navy Sgt. Vi Roe told the Outlet that it was late.", DRAY]),
        ("es", "9", "un portavoz de Naciones Unidas", ["Un portavoz de la ONU dijo que llegaron 9 botes."]),
        ("es", "35", "el alcalde", ["En Brenn el alcalde dijo que se fueron 35 hombres."]),
        ("es", "14", "la directora", ["La directora dice que es caro. Cada una cuesta 14 euros, añadió."]),
        ("es", "18", "una enfermera", ["«Llegué tarde», dijo una enfermera. «Teníamos 18 camas»."]),
        ("es", "40", "el medio", ["Cuando el ministro anunció la orden, 40 hombres corrieron al puente."]),
    ],
)  # fmt: skip
def test_the_first_speaker(language: str, figure: str, says: str, paragraphs: list[str]) -> None:
    assert first(language, figure if figure in paragraphs[-1] else figure.lower(), *paragraphs)[0] == says


@pytest.mark.parametrize(
    ("language", "figure", "when", "paragraphs"),
    [
        ("en", "63", "2031-03-03/2031-04-02", ["Since March 3, 63 men have crossed."]),
        ("en", "63", "2031-03-03/2031-03-09", ["Between 3 and 9 March 63 men crossed."]),
        ("en", "63", "2030-11-30/2031-02-03", ["From 30 November to 3 February 2031 it counted 63 men."]),
        ("en", "63", "2031-01-01/2031-01-31", ["In February 46 crossed; in January, 63."]),
        ("en", "63", "2031-02-01/2031-02-28", ["In February it was moved to Lund.", "It lost 63 men there."]),
        ("en", "63", "2031-04-02", ["In February the brigade was moved to Lund.", "It has 63 men."]),
        ("en", "63", "2031-04-02", ["In February the brigade was moved.", "They are allowed 63 visits."]),
        ("en", "63", "2031-03-31", ["The base has 63 men, the ministry said on Monday."]),
        ("en", "63", "2031-02-09/2031-04-02", ["It fell on February 9.", "Since then 63 men were arrested."]),
        ("en", "63", "2031-04-02", ["He led 200 in 2028, and now 63 follow him."]),
        ("en", "63", "2031-04-02", ["It fell on February 9.", "Ever since, 63 men have been living here."]),
        ("en", "63", "2031-03-03/2031-04-02", ["Since March 3, 63 men have been living in tents."]),
        ("en", "63", "2031-04-02", ["It is a small part of the 63 men who have come in recent years."]),
        ("en", "63", "2031-03-08/2031-03-12", ["A few days before March 13, 63 men left the base."]),
        ("en", "63", "2031-03-15", ["Two days after March 13, 63 men left the base."]),
        ("en", "63", "2031-02-03/2031-03-09",
         ["The raid went on from 3 February to 9 March.", "They took 63 men with them."]),
        ("en", "63", "2031-02-09",
         ["It fell on February 9.", "It was planned, the mayor said on March 3.", "63 men fled."]),
        ("en", "63", "2031-04-02", ["63 men may be called up on April 5."]),
        ("en", "63", "2031-02-28/2031-04-02",
         ["It fell on February 28.", "Over the past month, 63 men left the base."]),
        ("en", "63", "2031-03-03/2031-04-02",
         ["It fell on February 9.", "Over the past month, 63 men left the base."]),
        ("en", "five", "2031-02-28/2031-04-02",
         ["It fell on February 28.", "For five long weeks they slept in cellars."]),
        ("en", "five", "2031-01-03", ["It fell on January 3.", "For five long weeks they slept in cellars."]),
        ("es", "cinco", "2031-02-28/2031-04-02",
         ["Cayó el 28 de febrero.", "Durante cinco semanas durmieron en sótanos."]),
        ("en", "Three", "2031-04-02",
         ["It fell on February 9.", "Three officers told the Valley Ledger that they had run."]),
        ("en", "63", "2031-02-09", ["It fell on February 9.", "Today 16 came home.", "He led 63 men."]),
        ("es", "63", "2031-02-03/2031-03-09", ["Duró del 3 de febrero al 9 de marzo.", "Perdió 63 hombres."]),
        ("es", "63", "2031-03-11", ["Dos días antes del 13 de marzo, 63 hombres dejaron la base."]),
        ("es", "63", "2031-04-02",
         ["Cayó el 9 de febrero.", "Desde entonces 63 hombres siguen viviendo allí."]),
        ("es", "63", "2031-03-03/2031-04-02", ["Desde el 3 de marzo cruzaron 63 hombres."]),
        ("es", "63", "2031-03-03/2031-03-09", ["Entre el 3 y el 9 de marzo cruzaron 63 hombres."]),
        ("es", "63", "2031-02-01/2031-02-28", ["En febrero fue llevada a Lund.", "Perdió allí 63 hombres."]),
        ("es", "63", "2031-04-02", ["En febrero la brigada fue llevada a Lund.", "Hoy tiene 63 hombres."]),
        ("es", "63", "2031-03-31", ["La base tiene 63 hombres, dijo el lunes el ministerio."]),
    ],
)  # fmt: skip
def test_the_first_date(language: str, figure: str, when: str, paragraphs: list[str]) -> None:
    assert first(language, figure, *paragraphs)[1] == when


def test_the_months_and_years_around_publication_are_offered() -> None:
    around = report("en", "They have 63 men.")
    offered = [m.when for m in around.dates(around.text.paragraphs[0], 10, Used())]
    assert {"2031-03-01/2031-03-31", "2031-04-01/2031-04-30", "2030-01-01/2030-12-31"} <= {*offered}


def test_a_speaker_is_offered_once_whatever_his_article() -> None:
    around = report("en", "The mayor said that 63 men came.", "Each costs $11, according to the mayor.")
    last = around.text.paragraphs[-1]
    assert [s for s in around.says(last, last.text.index("$11"), Used()) if "mayor" in s] == ["the mayor"]


def test_no_name_is_offered() -> None:
    text = (
        "National guardsman Sgt. Jorge Lind told Radio Sil that 5 men left. Lind is tired.",
        "Rosa Quint said so too, and Torres said 7 men of Lind fled.",
    )
    around = report("en", *text)
    for paragraph in around.text.paragraphs:
        for at in range(0, len(paragraph.text), 7):
            for says in (*around.says(paragraph, at, Used()), *around.places(paragraph, at, Used())):
                assert not {"Jorge", "Lind", "Rosa", "Quint", "Torres", "torres"} & set(
                    says.replace(",", "").split()
                )


def test_names_end_with_the_name() -> None:
    made = [
        Paragraph(
            0,
            "story",
            1,
            "Sgt. Jorge Lind told the Harbour Times of it. President Vale fled. In May he fell.",
            "",
        )
    ]
    cast = cast_of(made, table("en"))
    assert set(cast.roles) == {"jorge", "lind", "jorge lind", "vale"}
    assert talk_of(made, cast, table("en"), "x").voices == {"a sergeant"}


@pytest.mark.parametrize(
    ("language", "text", "place"),
    [
        ("en", "Some 20 of the soldiers of Karsia live in Lund.", "Lund"),
        ("en", "Some 20 turned to the Oranian border service at Tarn.", "Tarn"),
        ("en", "Some 20 soldiers left Lund.", "Lund"),
        ("es", "Unos 20 soldados de Karsia viven en Lund.", "Lund"),
    ],
)
def test_the_first_place_is_where_something_stands(language: str, text: str, place: str) -> None:
    around = report(language, text)
    offered = around.places(around.text.paragraphs[0], text.index("20"), Used())
    assert offered[0] == place
    assert "Oranian" not in offered
    assert {"Venezuela", "Caracas"} <= set(offered), "the case's country and places stand in every list"


def test_no_place_is_taken_where_none_is_named() -> None:
    around = report("en", "The mayor counted 20 men.", "The mayor counted 20 men in Lund.")
    nowhere, there = (around.places(p, 18, Used()) for p in around.text.paragraphs)
    assert nowhere[:2] == ("not said", "Venezuela")
    assert (there[0], there[-1]) == ("Lund", "not said")


def test_an_endless_sentence_does_not_hang() -> None:
    text = "20 men said he left on 3 May and " * 300
    around = report("en", text)
    began = time.process_time()
    for at in range(0, len(text), len(text) // 300):
        around.says(around.text.paragraphs[0], at, Used())
        around.dates(around.text.paragraphs[0], at, Used())
    assert time.process_time() - began < 15
