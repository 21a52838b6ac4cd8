"""A text's language is told by its words; nothing is proposed in one that the desk does not read."""

import re
from pathlib import Path

import pytest

from breakrank import new_case
from breakrank.errors import UsageError
from breakrank_desk import Desk
from breakrank_desk.context import Context
from breakrank_desk.languages import language_of, unread
from breakrank_desk.library import text_of
from breakrank_desk.normal import words
from breakrank_desk.proposals import mark, propose, sentences_of
from breakrank_desk.reading.html import read_html
from breakrank_desk.texts import Block, Extract, Text
from packages.desk.tests.invented import REPORTS, ids, invented

FOREIGN = {
    "de": (
        "Mehr als 1.200 Soldaten in Norlund registriert. Nach Angaben des Bürgermeisters hatten "
        "sich bis zum 1. April 1.300 Soldaten gemeldet. Am 5. März kamen 85 Soldaten. Rund 2.500 "
        "Angehörige begleiten sie. Der Bürgermeister sagte, 2.500 Soldaten hätten sich gemeldet. "
        "Davon sind 1.040 Offiziere. Die Stadt zahlt 12.450 Euro am Tag. General Juan Carlos de "
        "la Torre verließ La Guaira am 2. März mit 40 Mann. Das Ministerium wollte sich nicht "
        "äußern. Die Zahl der Deserteure sei in Los Teques gestiegen, teilte das Rote Kreuz mit."
    ),
    "fr": (
        "Plus de 1 200 soldats enregistrés à Norlund. Selon le maire, 1.300 soldats s'étaient "
        "présentés au registre de Norlund au 1er avril. Le 5 mars, 85 soldats étaient arrivés. "
        "Près de 2 500 proches les accompagnent, a déclaré la responsable du registre. Le général "
        "Juan de la Torre a quitté San Cristóbal avec 40 hommes. Les autorités n'ont pas "
        "commenté. La ville paie 12 450 euros par jour."
    ),
    "pt": (
        "Mais de 1.200 militares registrados em Norlund. Segundo o prefeito, 1.300 soldados se "
        "apresentaram ao registro de Norlund até 1º de abril. Em 5 de março chegaram 85 soldados. "
        "Cerca de 2.500 familiares os acompanham, disse a responsável. O general Juan de la Torre "
        "deixou San Cristóbal com 40 homens. As autoridades não comentaram. A cidade paga 12.450 "
        "euros por dia."
    ),
    "it": (
        "Oltre 1.200 soldati registrati a Norlund. Secondo il sindaco, 1.300 soldati si erano "
        "presentati al registro entro il 1 aprile. Il 5 marzo sono arrivati 85 soldati. Circa "
        "2.500 familiari li accompagnano, ha detto la responsabile. Il generale Juan de la Torre "
        "ha lasciato San Cristóbal con 40 uomini. Le autorità non hanno commentato. La città paga "
        "12.450 euro al giorno."
    ),
    "ar": (
        "تسجيل أكثر من 1200 جندي في نورلوند. قال رئيس البلدية إن 1300 جندي سجلوا أسماءهم حتى 1 "
        "أبريل. وفي 5 مارس وصل ٨٥ جندياً. ولم تعلق السلطات على ذلك."
    ),
    "uk": (
        "Понад 1200 військових зареєстровано в Норлунді. За словами мера, до 1 квітня "
        "зареєструвалися 1 300 військових. 5 березня прибули 85 військових. Влада не коментує це."
    ),
    "ru": (
        "Более 1200 военных зарегистрированы в Норлунде. По словам мэра, к 1 апреля "
        "зарегистрировались 1 300 солдат. 5 марта прибыли 85 солдат. Власти это не комментируют."
    ),
    "tr": (
        "Norlund'da 1.200'den fazla asker kaydedildi. Belediye başkanına göre 1 Nisan'a kadar "
        "1.300 asker kayıt yaptırdı. 5 Mart'ta 85 asker geldi ve daha sonra bir otele "
        "yerleştirildi. Yaklaşık 2.500 yakını da onlara eşlik ediyor, dedi yetkili. General Juan "
        "de la Torre 40 adamla birlikte San Cristóbal'dan ayrıldı."
    ),
    "id": (
        "Lebih dari 1.200 tentara terdaftar di Norlund. Menurut wali kota, 1.300 tentara telah "
        "mendaftar hingga 1 April. Pada 5 Maret, 85 tentara tiba. Sekitar 2.500 anggota keluarga "
        "ikut bersama mereka, kata petugas itu. Jenderal Juan de la Torre meninggalkan San "
        "Cristóbal dengan 40 orang. Pihak berwenang tidak berkomentar."
    ),
    "tl": (
        "Mahigit 1,200 sundalo ang nakarehistro sa Norlund. Ayon sa alkalde, 1,300 sundalo ang "
        "nagpatala hanggang Abril 1. Noong Marso 5, dumating ang 85 sundalo. Kasama nila ang "
        "humigit-kumulang 2,500 kamag-anak, sabi ng opisyal. Umalis si Heneral Juan de la Torre "
        "sa San Cristóbal kasama ang 40 tauhan. Walang pahayag ang mga awtoridad. Nag-surrender "
        "ang 20 soldiers sa Armed Forces of the Philippines sa Barangay San Juan."
    ),
    "ca": (
        "Més de 1.200 soldats registrats a Norlund. Segons l'alcalde, 1.300 soldats s'havien "
        "presentat al registre fins a l'1 d'abril. El 5 de març van arribar 85 soldats. Prop de "
        "2.500 familiars els acompanyen, ha dit la responsable. El general Juan de la Torre va "
        "deixar San Cristóbal amb 40 homes. Les autoritats no ho han comentat."
    ),
    "gl": (
        "Máis de 1.200 soldados rexistrados en Norlund. Segundo o alcalde, 1.300 soldados "
        "presentáronse ao rexistro ata o 1 de abril. O 5 de marzo chegaron 85 soldados. Preto de "
        "2.500 familiares acompáñanos, dixo a responsable. O xeneral Juan de la Torre deixou San "
        "Cristóbal con 40 homes. As autoridades non o comentaron."
    ),
    "nl": (
        "Meer dan 1.200 soldaten geregistreerd in Norlund. Volgens de burgemeester hadden zich "
        "tot 1 april 1.300 soldaten gemeld. Op 5 maart kwamen 85 soldaten aan. Ongeveer 2.500 "
        "familieleden gaan met hen mee, zei de ambtenaar. Generaal Juan de la Torre verliet San "
        "Cristóbal met 40 man. Het ministerie wilde er niets over zeggen."
    ),
    "pl": (
        "Ponad 1200 żołnierzy zarejestrowano w Norlund. Według burmistrza do 1 kwietnia zgłosiło "
        "się 1300 żołnierzy. 5 marca przybyło 85 żołnierzy, ale nie wiadomo, czy to już wszyscy. "
        "Towarzyszy im około 2500 krewnych. Generał Juan de la Torre opuścił San Cristóbal z 40 "
        "ludźmi, które jest o godzinę od granicy."
    ),
    "ro": (
        "Peste 1.200 de soldați înregistrați la Norlund. Potrivit primarului, 1.300 de soldați "
        "s-au prezentat până la 1 aprilie. Pe 5 martie au sosit 85 de soldați. Circa 2.500 de "
        "rude îi însoțesc, a spus responsabila. Generalul Juan de la Torre a părăsit San "
        "Cristóbal cu 40 de oameni. Autoritățile nu au comentat."
    ),
    "sv": (
        "Fler än 1 200 soldater registrerade i Norlund. Enligt borgmästaren hade 1 300 soldater "
        "anmält sig till den 1 april. Den 5 mars kom 85 soldater. Omkring 2 500 anhöriga följer "
        "med dem, sade hon. General Juan de la Torre lämnade San Cristóbal med 40 man. "
        "Myndigheterna ville inte säga något."
    ),
    "sw": (
        "Zaidi ya wanajeshi 1,200 wamesajiliwa Norlund. Kwa mujibu wa meya, wanajeshi 1,300 "
        "walijiandikisha hadi tarehe 1 Aprili. Machi 5 wanajeshi 85 waliwasili. Jamaa wapatao "
        "2,500 wako pamoja nao, alisema afisa huyo. Jenerali Juan de la Torre aliondoka San "
        "Cristóbal na watu 40. Serikali haikutoa maelezo."
    ),
    "so": (
        "In ka badan 1,200 oo askari ayaa laga diiwaangeliyay Norlund. Duqa magaalada ayaa "
        "sheegay in 1,300 oo askari ay is diiwaangeliyeen ilaa 1 Abriil. 5 Maarso waxaa yimid 85 "
        "askari. Ku dhawaad 2,500 oo qaraabo ah ayaa la socda."
    ),
    "fa": (
        "بیش از ۱۲۰۰ سرباز در نورلوند ثبت شدند. به گفته شهردار تا اول آوریل ۱۳۰۰ سرباز ثبت نام "
        "کردند. در ۵ مارس ۸۵ سرباز رسیدند."
    ),
    "ht": (
        "Plis pase 1,200 sòlda anrejistre nan Norlund. Dapre majistra a, 1,300 sòlda te prezante "
        "tèt yo jiska 1 avril. 5 mas, 85 sòlda te rive. Anviwon 2,500 fanmi ap akonpaye yo, se sa "
        "responsab la te di."
    ),
    "hu": (
        "Több mint 1200 katonát vettek nyilvántartásba Norlundban. A polgármester szerint április "
        "1-ig 1300 katona jelentkezett, és ez a szám még nem végleges. Március 5-én 85 katona "
        "érkezett. Juan de la Torre tábornok 40 emberrel hagyta el San Cristóbalt."
    ),
}

UNKNOWN = {
    "zh": (
        "诺伦德登记的士兵超过1200名。市长说，截至4月1日有1300名士兵登记。3月5日有85名士兵抵达。大约2500名家属随行。"
    ),
    "el": (
        "Πάνω από 1.200 στρατιώτες καταγράφηκαν στο Νόρλουντ. Σύμφωνα με τον δήμαρχο, 1.300 "
        "στρατιώτες παρουσιάστηκαν έως την 1η Απριλίου. Στις 5 Μαρτίου έφτασαν 85 στρατιώτες."
    ),
    "eu": (
        "1.200 soldadu baino gehiago erregistratu dira Norlunden. Alkatearen arabera, 1.300 "
        "soldadu aurkeztu ziren apirilaren 1era arte. Martxoaren 5ean 85 soldadu iritsi ziren. "
        "Agintariek ez dute ezer esan."
    ),
    "et": (
        "Norlundis registreeriti üle 1200 sõduri. Linnapea sõnul oli 1. aprilliks end "
        "registreerinud 1300 sõdurit. 5. märtsil saabus 85 sõdurit. Neid saadab umbes 2500 "
        "sugulast, ütles ametnik. Kindral Juan de la Torre lahkus San Cristóbalist koos 40 "
        "mehega."
    ),
    "lt": (
        "Norlunde užregistruota daugiau kaip 1200 karių. Mero teigimu, iki balandžio 1 dienos "
        "užsiregistravo 1300 karių. Kovo 5 dieną atvyko 85 kariai. Juos lydi apie 2500 "
        "giminaičių, sakė pareigūnė."
    ),
    "la": (
        "Milites plus quam 1200 in Norlundia inscripti sunt. Praefectus dixit milites 1300 ante "
        "Kalendas Apriles venisse. Die quinto Martii 85 milites advenerunt et cum familiaribus "
        "suis in oppido manent."
    ),
    "am": ("በኖርሉንድ ከ1200 በላይ ወታደሮች ተመዝግበዋል። ከንቲባው እንዳሉት እስከ ሚያዝያ 1 ድረስ 1300 ወታደሮች ተመዝግበዋል።"),
}


ENGLISH = "On 5 March the mayor said that 85 soldiers had come to the town with 2,500 of their relatives."
SHORT = "146 soldiers registered."


@pytest.fixture(scope="module")
def context() -> Context:
    return Context.open("venezuela-2019")


def text(*paragraphs: str, user: str = "", page: str = "") -> Text:
    blocks = tuple(Block(p) for p in paragraphs)
    return text_of(Extract("text", "1", blocks, language=page), "r000", "", user)


@pytest.mark.parametrize("language", FOREIGN)
def test_nothing_is_proposed_in_another_language(context: Context, language: str) -> None:
    made = text(FOREIGN[language])
    assert made.language == language
    assert propose(made, context) == []
    assert sentences_of(made) == []
    with pytest.raises(UsageError, match="the desk reads English and Spanish"):
        mark(made, made.paragraphs[0], 0, context)


@pytest.mark.parametrize("language", UNKNOWN)
def test_nor_in_one_that_it_does_not_know(context: Context, language: str) -> None:
    made = text(UNKNOWN[language], page="en")
    assert made.language not in ("en", "es")
    assert propose(made, context) == []
    assert unread(made)


@pytest.mark.parametrize("language", FOREIGN | UNKNOWN)
def test_no_sentence_of_another_language_is_taken_for_one_that_is_read(language: str) -> None:
    for sentence in re.split(r"(?<=[.。።]) *", (FOREIGN | UNKNOWN)[language]):
        assert language_of(words(sentence)) not in ("en", "es"), sentence


def test_english_and_spanish_are_told_from_three_sentences() -> None:
    told, of = 0, 0
    for name in ids():
        story = [p.text for p in invented()[name].text.story]
        sentences = [s for p in story for s in re.split(r"(?<=[.!?”]) +", p)]
        for k in range(len(sentences) - 2):
            found = language_of(words(" ".join(sentences[k : k + 3])))
            assert found in ("", invented()[name].text.language)
            told, of = told + bool(found), of + 1
    assert told / of > 0.9


def test_a_text_too_short_to_tell_is_said_to_be_so(context: Context) -> None:
    made = text(SHORT)
    assert (made.language, propose(made, context)) == ("", [])
    assert "cannot be told" in unread(made)
    assert "--language en or es" in unread(made)
    assert [p.value for p in propose(text(SHORT, user="en"), context)] == [146]


def test_the_words_count_for_more_than_what_is_declared() -> None:
    made = text(FOREIGN["de"], user="en", page="es")
    assert made.language == "de"
    assert "you say English; its words are German" in made.told
    assert "the page declares Spanish; its words are German" in made.told


@pytest.mark.parametrize(
    ("written", "page", "language"),
    [
        ("146 soldiers in the town", "en-US", "en"),
        ("146 soldiers in the town", "de", ""),
        ("146 Soldaten in der Stadt", "de", "de"),
        (SHORT, "en", ""),
        ("Am 5. März 85 Soldaten", "en", ""),
        (UNKNOWN["et"], "en", ""),
        (SHORT, "", ""),
    ],
)
def test_what_a_page_declares_counts_only_for_a_few_words(written: str, page: str, language: str) -> None:
    made = read_html(f'<html lang="{page}"><body><p>{written}</p></body></html>'.encode())
    assert text_of(made, "r000", "").language == language


def test_a_paragraph_in_another_language_is_named_and_proposes_nothing(context: Context) -> None:
    french = FOREIGN["fr"].partition(" Le général")[0]
    made = text(ENGLISH, french, *(ENGLISH.replace("85", f"8{k}") for k in range(4)))
    assert made.language == "en"
    assert "paragraph 2 is in French; nothing is proposed from it" in made.told
    assert {p.anchor.paragraph for p in propose(made, context)} == {"1", "3", "4", "5", "6"}


def test_what_the_user_says_is_kept(tmp_path: Path) -> None:
    case, folder = new_case(tmp_path / "mine", full=True), tmp_path / "texts"
    folder.mkdir()
    (folder / "a.txt").write_text(SHORT)
    with pytest.raises(UsageError, match="does not read 'de'"):
        Desk.open(case, folder).read(folder, language="de")
    Desk.open(case, folder).read(folder, language="en")
    desk = Desk.open(case, folder)
    assert desk.text("r000").language == "en"
    assert desk.read(folder)[0].language == "en"
    assert [p.value for p in desk.proposals()] == [146]
    assert desk.unread() == {}


def test_texts_that_are_not_read_are_named_beside_those_that_are(tmp_path: Path) -> None:
    case = new_case(tmp_path / "mine", full=True)
    (tmp_path / "de.txt").write_text(FOREIGN["de"])
    (tmp_path / "en.txt").write_text((REPORTS / "en-river.txt").read_text("utf-8"))
    desk = Desk.open(case, tmp_path)
    german, english = (desk.read(tmp_path / n)[0].source for n in ("de.txt", "en.txt"))
    assert {p.source for p in desk.proposals()} == {english}
    assert list(desk.unread()) == [german]
    assert desk.unread(english) == {}
    assert [f.about for f in desk.check() if "names of persons" in f.told] == [german]
