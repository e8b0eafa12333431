"""A past throw over HTTP: its film, its dice as they were read, what would follow, and what people decide."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from laid_dice import Dice, StillPicture
from true_tray import FRAME, TrayPictures

from hardware.cameras.base import CameraReport, CameraStatus
from models import die_sets
from referee.games import games
from vander.app.backends import Backends
from vander.app.film_recorder import DAMAGED, DELETED, NO_FILM, FilmRecorder, ThrowChallenges
from vander.app.web_app import create_app
from vander.storage.evidence_store import EvidenceStore, FilmStore, read_film
from vander.storage.journal_store import Journal
from vander.table.pictures import FilmedRuling
from vander.table.session import Session, open_session
from vision.image_io import decode_picture

OPENING = ("go", "happy", "happy", "star", "two", "three")


@pytest.fixture
def session(tmp_path: Path, recorder: FilmRecorder) -> Iterator[Session]:
    with closing(Journal.in_folder(tmp_path)) as journal:
        evidence = EvidenceStore(tmp_path / "evidence")
        yield open_session(journal, evidence, games=games(), dice=die_sets.load("intersection"), films=recorder)


@pytest.fixture
def client(session: Session, store: FilmStore) -> Any:
    found = create_app(Backends(session, challenges=ThrowChallenges(session, store))).test_client()
    found.environ_base["HTTP_X_VANDER"] = "tablet"
    return found


@pytest.fixture
def thrown(session: Session, recorder: FilmRecorder, dice: Dice, pictures: TrayPictures) -> int:
    """Ann has thrown, in sight of the camera; the film is on disk. Returns the entry."""
    session.observe(dice.look(), pictures)
    session.start("intersection", ["Ann"], {})
    for number in range(30):
        recorder.take(dice.look(at_rest=False), pictures.at(50 + number / 30))
    session.observe(dice.roll(*OPENING), pictures)
    recorder.stop()
    return entry_of(session)


@pytest.fixture
def pictures() -> TrayPictures:
    return TrayPictures(FRAME)


def entry_of(session: Session) -> int:
    return session.snapshot().last_throws[0]


def sheet(client: Any, entry: int) -> dict[str, Any]:
    answer = client.get("/api/challenge", query_string={"entry": entry})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.get_json()
    return found


def said(answer: Any, status: int) -> str:
    assert answer.status_code == status, answer.text
    return str(answer.get_json()["error"])


def test_a_throw_is_shown_with_its_film_and_each_die_as_it_was_read(client: Any, thrown: int) -> None:
    found = sheet(client, thrown)
    assert found["calls"][0]["rule"]
    assert sorted(die["face"] for die in found["dice"]) == sorted(OPENING)
    star = next(die for die in found["dice"] if die["face"] == "star")
    assert star["confidence"] == pytest.approx(0.99)
    assert {face["face"] for face in star["faces"]} >= {"happy", "sad", "star"}
    assert decode_picture(client.get(star["crop"]).data).shape[0] > 30
    film = read_film(client.get(found["film"]).data)
    assert len(film.index.times) == 30
    name = found["evidence"]
    assert np.std(decode_picture(client.get(f"/films/{name}/29.jpg").data)) > 10
    assert client.get(f"/films/{name}/30.jpg").status_code == 404
    assert client.get(f"/films/{name}/die-99.jpg").status_code == 404


def test_the_throws_of_the_game_are_listed(client: Any, thrown: int) -> None:
    (row,) = client.get("/api/throws").get_json()["throws"]
    assert row["entry"] == thrown
    assert row["sentence"].startswith("Ann")


def place_of(found: dict[str, Any], face: str) -> int:
    return int(next(die["place"] for die in found["dice"] if die["face"] == face))


def test_another_face_is_predicted_and_then_taken(client: Any, session: Session, thrown: int) -> None:
    found = sheet(client, thrown)
    asked = {"entry": thrown, "action": found["action"], "faces": f"{place_of(found, 'star')}:four"}
    predicted = client.get("/api/challenge/what-if", query_string=asked).get_json()
    assert predicted["rows"][0]["entry"] == thrown
    assert (predicted["can_take"], predicted["refusal"]) == (True, "")
    before = session.snapshot().dice
    answer = client.post("/api/challenge", json={**asked, "verdict": "correct", "step": predicted["step"]})
    assert answer.status_code == 200, answer.text
    assert [die.face for die in before] != [die.face for die in session.snapshot().dice]
    corrected = sheet(client, thrown)
    four = next(die for die in corrected["dice"] if die["face"] == "four")
    assert four["read"] == "Star"
    assert four["crop"]
    again = client.post("/api/challenge", json={**asked, "verdict": "correct", "step": predicted["step"]})
    assert "Somebody corrected that throw meanwhile" in said(again, 409)


def test_a_throw_that_stands_is_an_entry(client: Any, session: Session, thrown: int) -> None:
    assert client.post("/api/challenge", json={"entry": thrown, "verdict": "stands"}).status_code == 200
    match = session.state.match
    assert match is not None
    assert match.entries[-1].note.endswith("It stands.")


def test_a_throw_that_was_taken_back_is_said(client: Any, session: Session, thrown: int) -> None:
    session.undo()
    assert "taken back meanwhile" in said(client.get("/api/challenge", query_string={"entry": thrown}), 409)
    body = {"entry": thrown, "verdict": "stands"}
    assert "taken back meanwhile" in said(client.post("/api/challenge", json=body), 409)


def test_a_film_that_is_damaged_or_gone_leaves_the_throw_to_be_challenged(
    client: Any, store: FilmStore, tmp_path: Path, thrown: int
) -> None:
    address = sheet(client, thrown)["film"]
    (path,) = (tmp_path / "films").glob("*.film")
    path.write_bytes(path.read_bytes()[:-100])
    found = sheet(client, thrown)
    assert (found["film"], found["film_note"]) == ("", DAMAGED)
    assert said(client.get(address), 410) == DAMAGED
    path.unlink()
    assert sheet(client, thrown)["film_note"] == DELETED
    assert said(client.get(address), 410) == DELETED
    assert [die["confidence"] for die in found["dice"]] == [None] * 6
    asked = {"entry": thrown, "faces": f"{place_of(found, 'star')}:four", "verdict": "correct"}
    assert client.post("/api/challenge", json=asked).status_code == 200


def test_a_film_of_another_journal_under_the_same_name_is_not_shown(
    client: Any, store: FilmStore, tmp_path: Path, thrown: int
) -> None:
    (path,) = (tmp_path / "films").glob("*.film")
    other = FilmRecorder(store)
    other.start()
    other.keep(FilmedRuling(path.stem, "2020-01-01T00:00:00+00:00"))
    other.stop()
    assert sheet(client, thrown)["film_note"] == NO_FILM


def test_a_breach_shows_before_and_after_with_the_die_that_changed(
    client: Any, session: Session, recorder: FilmRecorder, dice: Dice, pictures: TrayPictures
) -> None:
    session.observe(dice.look(), pictures)
    session.start("intersection", ["Ann"], {})
    recorder.take(dice.look(), pictures.at(10.0))
    session.observe(dice.roll(*OPENING), pictures)
    recorder.take(dice.look(), pictures.at(12.0))
    session.observe(dice.throw(d1="star"), pictures)
    recorder.stop()
    name = session.snapshot().evidence
    found = client.get("/api/breach", query_string={"name": name}).get_json()
    (change,) = found["changes"]
    assert change["sentence"] == "Happy became Star."
    assert change["before"] == change["after"]
    assert change["after"]["edge"] > 0
    assert found["after"] == f"/pictures/{name}.jpg"
    assert found["before"] == "/pictures/game-1-entry-1.jpg"
    for address in (found["before"], found["after"]):
        assert client.get(address).status_code == 200


def test_without_a_game_or_a_film_there_is_one_sentence(client: Any, session: Session) -> None:
    assert client.get("/api/throws").get_json() == {"throws": []}
    assert "No game is being played" in said(client.get("/api/challenge", query_string={"entry": 1}), 409)
    assert said(client.get("/api/films/journal.sqlite"), 404) == "There is no film of that name."


def test_dice_that_were_given_by_hand_have_no_film(client: Any, session: Session) -> None:
    session.start("dice", ["Ann"], {}, "d6")
    session.report_camera(CameraReport(CameraStatus.LOST, "There is no camera."))
    session.by_hand("1 roll d6:pip-1 d6:pip-2")
    found = sheet(client, entry_of(session))
    assert found["film_note"] == "The dice were given by hand: there is no film."
    assert found["dice"][0]["crop"] == ""


def test_nobody_is_shown_a_picture_without_a_tray(client: Any, session: Session, recorder: FilmRecorder) -> None:
    dice, blind = Dice(), StillPicture()
    session.observe(dice.look(), blind)
    session.start("intersection", ["Ann"], {})
    recorder.take(dice.look(), blind)
    session.observe(dice.roll(*OPENING), blind)
    recorder.stop()
    found = sheet(client, entry_of(session))
    assert (found["film"], found["film_note"]) == ("", NO_FILM)
    assert all(die["crop"] for die in found["dice"])


def test_an_open_question_has_a_film_of_what_it_is_about(
    client: Any, session: Session, recorder: FilmRecorder, dice: Dice, pictures: TrayPictures
) -> None:
    session.observe(dice.look(), pictures)
    session.start("intersection", ["Ann"], {})
    for number in range(30):
        recorder.take(dice.look(at_rest=False), pictures.at(50 + number / 30))
    dice.roll(*OPENING)
    dice.unsure[5] = (("sad", 0.3),)
    session.observe(dice.look(), pictures)
    (question,) = session.snapshot().questions
    recorder.stop()
    found = client.get("/api/question", query_string={"number": question.number}).get_json()
    assert found["film"] == f"/api/question/film?number={question.number}"
    assert len(found["after"]["rings"]) == 1
    assert len(read_film(client.get(found["film"]).data).index.times) == 30
    session.answer(question.number, "three")
    said(client.get("/api/question", query_string={"number": question.number}), 404)
