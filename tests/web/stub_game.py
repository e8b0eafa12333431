"""A table and a virtual tray for tests: they show values of the referee and write down what was asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from threading import Condition, Event

import cv2
import numpy as np
from scenes import CHANCES, GAMES, PLAYING

from models import die_sets
from referee.actions import Action
from referee.chances import Chance
from referee.dice import DieSet
from referee.fair_play import FairPlay, FairPlayMark, FairPlayTurn, GameReport
from referee.game import Game
from referee.journal import NOBODY, Actor, OpenGame
from referee.sentences import Reason, Refused
from referee.snapshot import DieRing, PicturedTray, QuestionPictures, Snapshot

REPORTS = (
    GameReport(
        7,
        "Intersection",
        ("Ann", "Bob"),
        datetime(2026, 5, 1, 20, 15, tzinfo=UTC),
        FairPlay(
            (
                FairPlayTurn(1, 1),
                FairPlayTurn(2, 4, (FairPlayMark.ANSWER, FairPlayMark.CORRECTION)),
                FairPlayTurn(1, 9, (FairPlayMark.BLIND, FairPlayMark.NEAR_MISS, FairPlayMark.BREACH)),
                FairPlayTurn(2, 15, (FairPlayMark.LEANING, FairPlayMark.ANSWER)),
                FairPlayTurn(1, 20),
                FairPlayTurn(2, 23, (FairPlayMark.TAKE_BACK,)),
            ),
            3.2,
            {"Ann\u2019s phone": 3, "": 1},
        ),
    ),
    GameReport(6, "Toss Up!", ("Ann",), datetime(2026, 4, 30, 19, 0, tzinfo=UTC), FairPlay((FairPlayTurn(1, 1),))),
)


class StubGame:
    """Shows the snapshot that it was given and writes down every request in `asked`."""

    def __init__(self, scene: Snapshot = PLAYING) -> None:
        self.asked: list[tuple[object, ...]] = []
        self.refusal: Refused | None = None
        self.odds_ready = Event()
        self.odds_wait_s: float | None = 1.0
        self.odds_ready.set()
        self.by = NOBODY
        self.sees_tray = True
        self.film = b""
        self.left_open = False
        self.standing: tuple[OpenGame, ...] = ()
        self.pictured_faces = {("intersection", "traffic", "sad")}
        self._scene = scene
        self._changed = Condition()

    def show(self, scene: Snapshot) -> None:
        """Show another scene, under the next number."""
        with self._changed:
            self._scene = replace(scene, number=self._scene.number + 1)
            self._changed.notify_all()

    def start_again(self, scene: Snapshot) -> None:
        """Show a scene under its own number, as a program does that was started again."""
        with self._changed:
            self._scene = scene
            self._changed.notify_all()

    def snapshot(self) -> Snapshot:
        with self._changed:
            return self._scene

    def wait(self, number: int, timeout: float) -> Snapshot:
        with self._changed:
            self._changed.wait_for(lambda: self._scene.number != number, timeout)
            return self._scene

    def __repr__(self) -> str:
        return f"StubGame(asked={self.asked})"  # so that a test which waited in vain says what was asked instead

    def wait_for_asked(self, *request: object) -> bool:
        """Whether this was asked, now or within a minute."""
        with self._changed:
            return self._changed.wait_for(lambda: request in self.asked, 60)

    def games(self) -> Sequence[Game]:
        return GAMES

    def die_sets(self) -> Sequence[DieSet]:
        return [die_sets.load(name) for name in ("intersection", "d6", "rollers")]

    def odds(self) -> Sequence[Chance]:
        if self._scene.game is None:
            raise Refused("No game is being played; set one up first.", Reason.CONFLICT)
        if not self.odds_ready.is_set():
            raise Refused("The chances are being worked out.", Reason.UNAVAILABLE, wait_s=self.odds_wait_s)
        return CHANCES

    def fair_play(self) -> Sequence[GameReport]:
        return REPORTS

    def start(  # as the protocol has it
        self,
        game: str,
        players: Sequence[str],
        options: Mapping[str, str],
        die_set: str = "",
        *,
        step: str = "",
        starter: int = 0,
        leave_open: bool = False,
    ) -> None:
        self._heed_game(step)
        if game not in {known.name for known in GAMES}:
            raise Refused(f"There is no game {game!r}.", Reason.NOT_FOUND)
        self._note("start", game, tuple(players), dict(options), die_set, *([starter] if starter else []))
        self.left_open = leave_open

    def open_games(self) -> Sequence[OpenGame]:
        return self.standing

    def play_on(self, number: int, *, step: str = "") -> None:
        self._heed_game(step)
        if number not in {game.number for game in self.standing}:
            raise Refused("That game is over or never began.", Reason.NOT_FOUND)
        self._note("play-on", number)

    def end_open(self, number: int) -> None:
        self.standing = tuple(game for game in self.standing if game.number != number)
        self._note("end-open", number)

    def act(self, text: str, *, step: str = "", by: Actor = NOBODY) -> None:
        self.by = by
        self._heed(step)
        try:
            Action.parse(text)
        except ValueError as bad:
            raise Refused(f"{bad}.") from bad
        self._note("act", text)

    def by_hand(self, text: str, *, step: str = "", by: Actor = NOBODY) -> None:
        self.by = by
        self._heed(step)
        self._note("by-hand", text)

    def answer(self, question: int, choice: str, *, die: int = 0, by: Actor = NOBODY, confirmed: bool = False) -> None:
        self.by = by
        if question not in {asked.number for asked in self._scene.questions}:
            raise Refused("That question is answered already.", Reason.CONFLICT)
        self._note("answer", question, choice, *([die] if die else []), *(["confirmed"] if confirmed else []))

    def correct(self, die: int, face: str, *, step: str = "", kind: str = "", by: Actor = NOBODY) -> None:
        self.by = by
        self._heed(step)
        if die not in {shown.number for shown in self._scene.dice}:
            raise Refused(f"There is no die {die} on the table.", Reason.NOT_FOUND)
        self._note("correct", die, face, *([kind] if kind else []))

    def play_again(self, *, step: str = "") -> None:
        self._heed_game(step)
        self._note("play_again")

    def undo(self, *, step: str = "", by: Actor = NOBODY) -> None:
        self.by = by
        self._heed(step)
        self._note("undo")

    def void(self, *, step: str = "", by: Actor = NOBODY) -> None:
        self.by = by
        self._heed(step)
        self._note("void")

    def confirm(self, number: int, *, agrees: bool, by: Actor = NOBODY, may_override: bool = False) -> None:
        self.by = by
        self._note("confirm", number, agrees, may_override)

    def tray_picture(self) -> bytes:
        if not self.sees_tray:
            raise Refused("The camera does not see the tray now.", Reason.NOT_FOUND)
        return _jpeg(_tray())

    def camera_picture(self) -> bytes:
        return _jpeg(_tray())

    def picture(self, name: str, *, uncut: bool = False) -> bytes:
        prefix, _, face = name.partition("-")
        if prefix == "old" and not uncut:
            raise Refused("Only a keeper may see it.", Reason.NOT_ALLOWED)
        if prefix not in ("crop", "evidence", "old"):
            raise Refused("There is no picture of that name.", Reason.NOT_FOUND)
        return _jpeg(_crop(face) if prefix == "crop" else _tray())

    def question_pictures(self, question: int) -> QuestionPictures:
        if question not in {asked.number for asked in self._scene.questions}:
            raise Refused("That question is no longer open.", Reason.NOT_FOUND)
        ring = DieRing(0.4, 0.5, 0.06)
        tray = PicturedTray("evidence-1", (ring,))
        return QuestionPictures(tray, replace(tray, name="evidence-2"), has_film=bool(self.film))

    def question_film(self, question: int) -> bytes:
        if not self.film:
            raise Refused("There is no film of that.", Reason.NOT_FOUND)
        return self.film

    def face_picture(self, die_set: str, kind: str, face: str) -> bytes | None:
        return _jpeg(_crop(face)) if (die_set, kind, face) in self.pictured_faces else None

    def _heed(self, step: str) -> None:
        if step and step != self._scene.step:
            raise Refused("The game has moved on. Look again, then tap.", Reason.CONFLICT)

    def _heed_game(self, step: str) -> None:
        game = self._scene.step.partition(".")[0]
        if step and game and step.partition(".")[0] != game:
            raise Refused("The game has moved on. Look again, then tap.", Reason.CONFLICT)

    def _note(self, *request: object) -> None:
        if self.refusal:
            raise self.refusal
        with self._changed:
            self.asked.append(request)
            self._scene = replace(self._scene, number=self._scene.number + 1)
            self._changed.notify_all()


class StubSimulator:
    """Six dice in a virtual tray, and what was done to them in `asked`."""

    def __init__(self) -> None:
        self.asked: list[tuple[object, ...]] = []
        self._out = "intersection", "house-1"
        self.resting_in = -10.0
        self.places = {number: (x, y, "field") for number, (x, y) in enumerate(_SPOTS, start=1)}

    def dice(self) -> Sequence[Mapping[str, float | int | str]]:
        return [
            {
                "number": number,
                "kind": "signal" if number == 6 else "traffic",
                "x": x,
                "y": y,
                "edge": 0.052,
                "place": place,
            }
            | {"upright_x": x, "upright_y": y, "face": "happy"}
            for number, (x, y, place) in self.places.items()
        ]

    def straight(self) -> tuple[float, ...]:
        return (1.25, 0.0, -0.125, 0.0, 1.25, -0.125, 0.0, 0.0, 1.0)

    def rests_in(self) -> float:
        return self.resting_in

    def throw(self, numbers: Sequence[int]) -> None:
        for number in numbers:
            self._known(number)
        self.asked.append(("throw", tuple(numbers)))

    def move(self, number: int, x: float, y: float) -> None:
        self._known(number)
        self.places[number] = (x, y, "field")
        self.asked.append(("move", number, round(x, 2), round(y, 2)))

    def tip(self, number: int) -> None:
        self._known(number)
        self.asked.append(("tip", number))

    def twist(self, number: int, degrees: float) -> None:
        self._known(number)
        self.asked.append(("twist", number, degrees))

    def knock_off(self, number: int) -> None:
        self._known(number)
        self.places[number] = (0.0, 0.0, "off")
        self.asked.append(("knock-off", number))

    def put_back(self, wanted: Sequence[tuple[str, str, str]]) -> None:
        self.asked.append(("put-back", tuple(wanted)))

    def set_aside(self, numbers: Sequence[int]) -> None:
        self.asked.append(("set-aside", tuple(numbers)))

    def hand(self, inside: bool) -> None:
        self.asked.append(("hand", inside))

    def sets(self) -> Mapping[str, str]:
        return {"intersection": "Intersection", "strange": "Strange dice"}

    def looks(self) -> Mapping[str, str]:
        return {"house-1": "Vander (look 1)", "unseen-1": "a stranger (look 1)"}

    def out(self) -> tuple[str, str]:
        return self._out

    def situations(self) -> Sequence[Mapping[str, str]]:
        return [
            {"name": "turn", "title": "A die is turned with two fingers", "intent": "cheat"},
            {"name": "fly-off", "title": "A die flies off the tray", "intent": "mishap"},
            {"name": "bump", "title": "Somebody bumps the table", "intent": "mishap"},
        ]

    def stage(self, name: str, numbers: Sequence[int]) -> None:
        if name not in {situation["name"] for situation in self.situations()}:
            raise LookupError(f"there is no situation {name!r}")
        for number in numbers:
            self._known(number)
        self.asked.append(("stage", name, tuple(numbers)))

    def set_out(self, die_set: str, look: str = "") -> None:
        if die_set not in self.sets():
            raise LookupError(f"there is no die set {die_set!r}")
        if look not in {"", *self.looks()}:
            raise LookupError(f"there is no look {look!r}")
        self._out = die_set, look or self._out[1]
        self.asked.append(("set-out", die_set, look))

    def trouble(self, kind: str) -> None:
        self.asked.append(("trouble", kind))

    def _known(self, number: int) -> None:
        if number not in self.places:
            raise LookupError(f"there is no die {number} in the tray")


_SPOTS = ((0.22, 0.3), (0.41, 0.55), (0.3, 0.72), (0.6, 0.35), (0.55, 0.74), (0.88, 0.2))


def _jpeg(pixels: np.ndarray) -> bytes:
    return cv2.imencode(".jpg", pixels)[1].tobytes()


def _tray() -> np.ndarray:
    pixels = np.full((480, 640, 3), (52, 74, 38), np.uint8)
    cv2.rectangle(pixels, (500, 20), (620, 460), (44, 60, 32), -1)
    for x, y in _SPOTS:
        centre = (int(x * 640), int(y * 480))
        cv2.rectangle(pixels, (centre[0] - 17, centre[1] - 17), (centre[0] + 17, centre[1] + 17), (225, 236, 240), -1)
        cv2.circle(pixels, centre, 8, (60, 60, 200), -1)
    return pixels


def _crop(face: str) -> np.ndarray:
    pixels = np.full((96, 96, 3), (52, 74, 38), np.uint8)
    box = cv2.boxPoints(((48, 48), (66, 66), 12)).astype(np.int32)
    cv2.fillPoly(pixels, [box], (225, 236, 240))
    cv2.putText(pixels, face[:2], (26, 60), cv2.FONT_HERSHEY_SIMPLEX, 1.1, (40, 40, 60), 3, cv2.LINE_AA)
    return pixels
