"""The pages in other languages: catalogues that lack nothing, and answers that say it in the language asked for."""

from __future__ import annotations

import json
import re
import string
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import scenes
from access_scene import from_elsewhere
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po
from browsers import tablet
from flask import Flask
from game_phases import whole_game
from past_scene import remembered
from stub_diagnostics import StubDiagnostics
from stub_game import StubGame

from hardware.system_health import Power
from referee.games import named
from referee.sentences import Refused, Remembered, Sentence, in_language, say
from vander.access import PairingService
from vander.app.backends import Backends
from vander.app.web_app import create_app
from vander.doctor import box_checks
from web import languages
from web.languages import LOCALES
from web.schemas.response_model import adapter, encode
from web.schemas.snapshot_response import snapshot_response

HOUSE = Path(__file__).parents[2]
KEYWORDS = {"say": None, "say_count": (1, 2), "_": None, "gettext": None, "ngettext": (1, 2)}
TRANSLATED = [path.stem for path in sorted(LOCALES.glob("*.po"))]
SPOKEN_GAMES = ("dice", "dice-county-fair", "intersection", "rollers", "switch-16", "toss-up")
"""The games in which every sentence can be said in another language."""
SPOKEN_ROOMS = ("referee/games", "referee/umpire", "vander/table")
"""Where rulings, refusals and questions are worded."""
MANY = 500
MOST_WORDS = 15
"""Words of a sentence, or of what stands between colons and semicolons, that a child of ten takes in at once."""
NEUTRAL = {"action", "rule", "step", "run", "die_set", "name", "kind", "face", "evidence", "crop", "camera", "key"}
"""Keys of a snapshot whose texts are for programs, or are names that people gave themselves."""


@cache
def sentences() -> frozenset[tuple[str, ...]]:
    """Every template in code, pages and scripts, and every title in data, with its plural where it has one."""
    mappings = tomllib.loads((HOUSE / "pyproject.toml").read_text("utf-8"))["tool"]["babel"]["mappings"]
    methods = [(each["pattern"], each["method"]) for each in mappings]
    options = {each["pattern"]: each for each in mappings}
    found = extract_from_dir(HOUSE, method_map=methods, options_map=options, keywords=KEYWORDS)
    return frozenset(each[2] if isinstance(each[2], tuple) else (each[2],) for each in found)


def messages(language: str) -> Catalog:
    with (LOCALES / f"{language}.po").open("rb") as file:
        return read_po(file, locale=language)


def forms(message: Message, part: str) -> tuple[str, ...]:
    found = getattr(message, part)
    return tuple(found) if isinstance(found, (tuple, list)) else (found,)


def placeholders(template: str) -> set[str]:
    """Return the names in a template: `{name}` of code and scripts, `%(name)s` of pages."""
    of_pages = set(re.findall(r"%\((\w+)\)s", template))
    return of_pages or {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


def test_the_table_hears_short_sentences_without_the_notation_of_records() -> None:
    found = [each for room in SPOKEN_ROOMS for each in extract_from_dir(HOUSE / room, keywords=KEYWORDS)]
    templates = [text for each in found for text in (each[2] if isinstance(each[2], tuple) else (each[2],))]
    assert len(templates) > MANY
    assert [text for text in templates if re.search(r"(?<!\w)=[\w{]|\w:\w", text)] == []
    phrases = [phrase for text in templates for phrase in re.split(r"(?<=[.:;?!]) ", text)]
    assert [phrase for phrase in phrases if len(phrase.split()) > MOST_WORDS] == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_sentence_is_without_a_translation_and_none_is_left_over(language: str) -> None:
    written = {forms(each, "id") for each in messages(language) if each.id}
    assert sentences() - written == set(), "run `make messages`, then write what is missing"
    assert written - sentences() == set(), "run `make messages`"


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_translation_is_written_and_sure(language: str) -> None:
    for message in messages(language):
        assert all(forms(message, "string")), message.id
        assert not message.fuzzy or not message.id, message.id


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_fills_in_what_the_english_sentence_does(language: str) -> None:
    for message in messages(language):
        if message.id:
            wanted = set().union(*map(placeholders, forms(message, "id")))
            for said in forms(message, "string"):
                assert placeholders(said) <= wanted, message.id
                assert wanted - placeholders(said) <= {"count"}, message.id


def recalled(text: Remembered) -> object:
    """Return the sentence that a text was once; the text itself where none is known that it could have been."""
    german = languages.translations("de")
    found = german.recall(text, text.names) if german else text
    return str(text) if isinstance(found, Remembered) else found


def plain_texts(value: object, key: str = "") -> Iterator[str]:
    """Yield the texts of an answer, and those within its sentences, that are words which cannot be translated."""
    if isinstance(value, Remembered):
        yield from plain_texts(recalled(value))
    elif isinstance(value, Sentence):
        for each in value.values.values():
            yield from plain_texts(each)
    elif isinstance(value, str):
        is_worded = " " in value or value[:1].isupper() or not key
        if is_worded and any(map(str.isalpha, value)) and key not in NEUTRAL:
            yield value
    elif isinstance(value, Mapping):
        for name, each in value.items():
            yield from plain_texts(each, name)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from plain_texts(each, key)


@pytest.mark.parametrize("game", SPOKEN_GAMES)
def test_whatever_a_game_says_can_be_said_in_another_language(game: str) -> None:
    for scene in whole_game(named(game), 3, 60):
        response = snapshot_response(scene)
        assert scene.state is not None
        names = {player.name for player in scene.state.players}
        assert set(plain_texts(adapter(type(response)).dump_python(response))) <= names


OLD_WORDS = re.compile(
    r"\b(?:anew|amiss|awry|beside|so long|stumbles?|comes? to|the own|shall|(?:is|are|was|were) told)\b", re.I
)
"""Words that nobody says today, and some that are German rather than English."""


def test_english_has_no_word_that_nobody_says_today() -> None:
    assert {each for pair in sentences() for each in pair if OLD_WORDS.search(each)} == set()


RIDDLES = re.compile(
    r"parks \{\w+\}: |left over as \{|with the seat, such as|at the start of a turn only|"
    r"nothing left to do: |lying together, or |has to be, as this|; only with whom|The price \{\w+\} stands|"
    r"says =|; \{\w+\} plays?\."
)
"""Ways to say things that nobody of ten years understood."""


def test_english_has_no_riddle_that_players_stumbled_over() -> None:
    assert {each for pair in sentences() for each in pair if RIDDLES.search(each)} == set()
    told_apart = ("{who} parks {what}: {points} parked.", "There is no seat {seat}; {count} play.", "says =field")
    assert all(RIDDLES.search(each) for each in told_apart)


MOST_WORDS = 20
LOGGED = ("the journal {name} ", "the certificate {file} ")
"""How messages begin that name a file and say all about it at once; a terminal and the log show them."""


def test_english_sentences_have_twenty_words_at_most() -> None:
    """A value that is filled in counts as one word, an element of a page as none."""
    said = {each for pair in sentences() for each in pair if not each.startswith(LOGGED)}
    parts = {part for each in said for part in re.split(r"(?<=[.?!])\s+", re.sub(r"<[^>]*>", "", each))}
    assert {part for part in parts if len(part.split()) > MOST_WORDS} == set()


OTHER_WORDS = re.compile(r"\b(?:Telefon\w*|Journal\w*|Partien?|Tischs|\w*[Ww]ertung|[Aa]usleihen|\w*[Ww]agnis|Ihnen)\b")
"""German for what docs/languages.md calls by another word."""


def test_german_has_one_word_for_one_thing() -> None:
    said = {each for message in messages("de") for each in forms(message, "string")}
    assert {each for each in said if OTHER_WORDS.search(each)} == set()


NAMED_IN_A_REQUEST = re.compile(r'called=say\("([^"]+)"')
"""What a request lacks, as the schemas name it: German has it as the subject of the sentence."""


def test_what_a_request_lacks_is_named_in_german_as_the_subject_of_the_sentence() -> None:
    german = languages.translations("de")
    assert german is not None
    sources = [path.read_text("utf-8") for path in (HOUSE / "web").rglob("*.py")]
    named_so = {name: german.gettext(name) for source in sources for name in NAMED_IN_A_REQUEST.findall(source)}
    assert len(named_so) > 5
    assert {
        name for name, said in named_so.items() if said.split()[0] not in {"der", "die", "das", "ein", "eine"}
    } == set()


UNDECLINED = re.compile(r"\b(?:mit|von|nach|bei|aus|zu|seit|vor) \d+ (?:Punkte|Würfel|Würfe|Züge|Spiele|Bilder|Tage)\b")
"""German counts that follow a preposition and lack the ending of its case."""


def german_texts(value: object) -> Iterator[str]:
    """Yield the texts of an answer, each as German says it."""
    german = languages.translations("de")
    assert german is not None
    if isinstance(value, str):
        yield in_language(value, german)
    elif isinstance(value, (Mapping, list, tuple)):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from german_texts(each)


def test_german_counts_have_the_case_of_their_preposition(tmp_path: Path) -> None:
    with remembered(tmp_path) as (_, history, _):
        said = {each for one in history.result(1).highlights for each in german_texts(one.sentence)}
    for scene in whole_game(named("toss-up"), 2, 40):
        said |= set(german_texts(json.loads(encode(snapshot_response(scene), languages.translations("de")))))
    assert len(said) > 30
    assert {each for each in said if UNDECLINED.search(each)} == set()


@pytest.mark.parametrize("game", SPOKEN_GAMES)
def test_an_answer_in_another_language_has_the_same_values(game: str) -> None:
    for scene in whole_game(named(game), 3, 30):
        response = snapshot_response(scene)
        english, german = (json.loads(encode(response, languages.translations(code))) for code in ("en", "de"))
        assert _shape(english) == _shape(german)
        assert english["number"] == german["number"]
        assert german["notice"] != english["notice"]


def _shape(value: object) -> object:
    """Return values without their texts."""
    if isinstance(value, dict):
        return {key: _shape(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_shape(each) for each in value]
    return "" if isinstance(value, str) else value


def test_a_tablet_is_answered_in_the_language_it_has_chosen(client: Any, game_stub: StubGame) -> None:
    scene = next(iter(whole_game(named("toss-up"), 2, 1)))
    game_stub.show(scene)
    assert client.get("/api/snapshot").get_json()["notice"] == "Ann: roll all ten dice."
    client.set_cookie(languages.COOKIE, "de")
    assert client.get("/api/snapshot").get_json()["notice"] == "Ann: alle zehn Würfel werfen."
    client.set_cookie(languages.COOKIE, "xx")
    assert client.get("/api/snapshot").get_json()["notice"] == "Ann: roll all ten dice."


def test_a_refusal_is_said_in_the_language_of_the_tablet(client: Any, game_stub: StubGame) -> None:
    game_stub.show(scenes.PLAYING)
    game_stub.refusal = Refused(say("The game is over."))
    client.set_cookie(languages.COOKIE, "de")
    assert client.post("/api/undo", json={}).get_json()["error"] == "Das Spiel ist aus."


def test_what_the_doctor_finds_is_said_in_the_language_of_the_tablet(game_stub: StubGame) -> None:
    doctor = StubDiagnostics()
    doctor.found = box_checks.disk_finding(120_000_000, 32_000_000_000, 300), box_checks.check_heat(Power())
    client = tablet(create_app(Backends(game_stub, diagnostics=doctor)))
    client.set_cookie(languages.COOKIE, "de")
    disk, heat = client.get("/api/doctor").get_json()["findings"]
    assert disk["title"] == "Speicherkarte"
    assert disk["told"] == "0,1 von 32,0 GB sind frei, weniger als die 300 MB, die frei bleiben sollen."
    assert disk["advice"].startswith("Alte Bilder von Würfen gehen von selbst")
    assert heat["told"] == "Dieses Gerät sagt nicht, wie warm es ist."


def test_a_wrong_code_is_refused_in_the_language_of_the_tablet(app: Flask, pairing: PairingService) -> None:
    pairing.show_code()
    wrong = [1 + face % 6 for face in pairing.code() or ()]
    phone = from_elsewhere(app)
    phone.set_cookie(languages.COOKIE, "de")
    refused = phone.post("/api/door/pair", json={"code": wrong, "name": "Ann"}).get_json()
    assert refused["error"] == "Das sind nicht die sechs Würfel der Box; noch 4 Versuche."


MALFORMED = [
    ("/api/game", {"players": ["Ann"]}, "In der Anfrage fehlt 'game' als Text."),
    ("/api/game", {"game": "toss-up", "players": [7]}, "In der Anfrage fehlt der Name eines Spielers als Text."),
    (
        "/api/game",
        {"game": "x", "players": ["Ann"], "options": {"a": 1}},
        "In der Anfrage fehlt die Option 'a' als Text.",
    ),
    ("/api/tray/twist", {"die": 1, "degrees": 999}, "In der Anfrage fehlt 'degrees': eine Zahl von -360 bis 360."),
]


@pytest.mark.parametrize(("address", "body", "said"), MALFORMED)
def test_a_malformed_request_is_refused_in_the_language_of_the_tablet(
    client: Any, address: str, body: object, said: str
) -> None:
    client.set_cookie(languages.COOKIE, "de")
    assert client.post(address, json=body).get_json()["error"] == said


def test_a_sentence_in_a_template_is_filled_by_percent_signs() -> None:
    """Jinja's i18n extension fills `%(name)s`; a `{name}` would stand on the page as it is."""
    unfilled = re.compile(r"""\b_\((["'])[^"']*\{\w+\}""")
    found = {path.name: unfilled.findall(path.read_text("utf-8")) for path in (HOUSE / "web/templates").rglob("*.html")}
    assert {name for name, sentences_of_it in found.items() if sentences_of_it} == set()
