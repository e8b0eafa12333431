"""A solo game to its end through the virtual tray: a script throws and carries dice, and taps the decisions."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from math import hypot
from pathlib import Path

import pytest

from bench.simulator_truth import truth
from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.virtual_tray import VirtualTray
from referee.actions import Action
from referee.games import games
from referee.games.intersection import IntersectionState
from referee.snapshot import Question, Snapshot, TrayActivity
from vander.app.camera_loop import CameraLoop
from vander.resources.vision_models import LoadedModels
from vander.storage.evidence_store import EvidenceStore
from vander.storage.journal_store import Journal
from vander.table.questions import LIES_FLAT, NOT_ALL
from vander.table.session import Session, open_session
from vision.frames import Frame
from vision.observations import Observation
from vision.pipeline import Pipeline
from vision.tray_calibration import TrayLayout

GOLDEN = Path(__file__).parents[2] / "referee/golden/intersection-solo.txt"
SEED = 5
SIZE = (960, 720)
PATIENCE_S = 60.0
CARRYING_S = 10.0
"""So long a person waits for the page to notice a die that was carried."""
SLOTS = tuple((0.775 + 0.05 * (place % 2), 0.46 + 0.09 * (place // 2)) for place in range(6))
"""Places in the bay, as fractions of the picture."""
ENOUGH = 300


class RememberingPipeline(Pipeline):
    """A pipeline whose last observation can be asked for, so that the script knows which die a question is about."""

    seen = Observation(0, 0)

    def process(self, frame: Frame) -> Observation:
        self.seen = super().process(frame)
        return self.seen


@dataclass
class Person:
    """Someone at the virtual tray who plays by what the page offers and sees the dice with their own eyes."""

    table: Session
    tray: VirtualTray
    pipeline: RememberingPipeline

    def play(self) -> Snapshot:
        """Play until the game is over."""
        while (now := self.table.snapshot()).state is not None and now.state.to_act:
            self._step(now)
        return now

    def _step(self, now: Snapshot) -> None:
        """Do one thing; where what the page asks for does not lie there, wait for the page to notice that."""
        try:
            self._act(now)
        except (StopIteration, IndexError):
            self.table.wait(now.number, 1.0)  # on a busy machine the page may be a throw behind

    def _act(self, now: Snapshot) -> None:
        """Do one thing and wait for the page to say something new."""
        offers = {offer.action.verb: offer.action for offer in now.offers}
        parks = [offer.action for offer in now.offers if offer.action.verb == "park"]
        if now.mood == "breach":
            self._put_right(now)
        elif now.questions:
            self._answer(now.questions[0])
        elif "lean" in now.notice:
            self._throw(self._leaning(), now)
        elif "end" in offers and (now.turn_points >= ENOUGH or "on" not in offers):
            self.table.act(str(offers["end"]))
        elif "roll" in offers:
            self._throw(range(1, 7), now)
        elif "fix" in offers:
            self._throw([self._showing("happy"), self._showing("sad")], now)
        elif "go" in offers:
            self._throw([self._showing("sad"), self._signal()], now)
        elif parks:
            self._park(max(parks, key=lambda park: len(park.dice)))
        elif "on" in offers:
            self._throw(self._field(), now)
        else:
            self._throw([self._showing("star"), self._signal()], now)

    def _answer(self, question: Question) -> None:
        """Answer as somebody does who threw what the page asked for: whatever came of it was that; and say a face."""
        choices = [choice for choice, _ in question.choices]
        if choices == [LIES_FLAT]:
            self._answer_leaning(question)
            return
        faces = {self._true_face(number) for number in question.dice}
        answer = NOT_ALL if len(faces) > 1 else next(iter(faces), "0")
        assert answer in choices, question
        self.table.answer(question.number, answer)

    def _answer_leaning(self, question: Question) -> None:
        """Throw again what leans; of a die that lies flat say so."""
        if leaning := self._leaning():
            self._throw(leaning, self.table.snapshot())
        else:
            self.table.answer(question.number, LIES_FLAT, die=question.dice[0])

    def _put_right(self, now: Snapshot) -> None:
        """Say that play goes on as the dice lie, and take back out of the bay what the page has not counted there."""
        self.table.answer(now.questions[0].number, "as-it-lies", confirmed=True)
        state = self.table.snapshot().state
        assert isinstance(state, IntersectionState)
        counted = Counter(str(face) for face in state.parked)
        shown = {number: str(die.face) for number, die in truth(self.tray).items() if die.kind == "traffic"}
        places = self._places()
        for number in [number for number in shown if places[number] == "aside"]:
            counted[shown[number]] -= 1
            if counted[shown[number]] < 0:
                self._carry(number, 0.25 + 0.08 * number, 0.5)

    def _true_face(self, number: int) -> str:
        """What the die of that number in the pipeline's count really shows."""
        width, height = self.tray.size
        at = next(die.reading.sighting for die in self.pipeline.seen.dice if die.number == number)
        nearest = min(
            self.tray.dice(), key=lambda die: hypot(float(die["x"]) * width - at.x, float(die["y"]) * height - at.y)
        )
        return str(truth(self.tray)[int(nearest["number"])].face)

    def _throw(self, numbers: Iterable[int], now: Snapshot) -> None:
        self.tray.throw(list(numbers))
        self._wait(now)

    def _park(self, park: Action) -> None:
        """Carry the dice into the bay one after another."""
        places = self._places()
        free = list(SLOTS)[sum(place == "aside" for place in places.values()) :]
        for die in park.dice:
            number = next(n for n in self._of_face(str(die.face)) if places[n] == "field")
            self._carry(number, *free.pop(0))
            places[number] = "aside"

    def _carry(self, number: int, x: float, y: float) -> None:
        """Carry one die, and wait until the page has it there; if it has not, lay it down anew."""
        for place in ((x, y), (0.45, 0.5), (x, y), (0.3, 0.4), (x, y)):
            self.tray.move(number, *place)
            if self._has_all_zones_right():
                return
        raise AssertionError(f"die {number} was carried and the page says {self.table.snapshot().notice!r}")

    def _has_all_zones_right(self) -> bool:
        """Whether the page comes to show as many dice in the bay as lie there."""
        until, now = time.monotonic() + CARRYING_S, self.table.snapshot()
        while time.monotonic() < until:
            aside = sum(die.zone == "aside" for die in now.dice)
            lying = sum(place == "aside" for place in self._places().values())
            if aside == lying and now.tray == TrayActivity.AT_REST and self._all_are_shown(now) and self._still():
                return True
            now = self.table.wait(now.number, 0.5)
        return False

    def _still(self) -> bool:
        before = self.tray.dice()
        time.sleep(0.2)
        return before == self.tray.dice()

    def _wait(self, before: Snapshot) -> None:
        """Wait until the table is quiet and the page says something new."""
        until = time.monotonic() + PATIENCE_S
        now = before
        while time.monotonic() < until:
            now = self.table.wait(now.number, 1.0)
            ruled = now.last != before.last or self._all_are_shown(now)
            if now.tray == TrayActivity.AT_REST and _told(now) != _told(before) and ruled and self._still():
                return
        raise AssertionError(f"nothing new in {PATIENCE_S} seconds: {now.notice!r}, {_told(now)}")

    def _all_are_shown(self, now: Snapshot) -> bool:
        """Whether the page shows every die in view; one that the picture's edge cuts may be shown or not."""
        in_view = [die for die in self.tray.dice() if die["place"] != "off"]
        whole = [die for die in in_view if all(0.04 < float(die[axis]) < 0.96 for axis in ("x", "y"))]
        return len(whole) <= len(now.dice) <= len(in_view)

    def _of_face(self, face: str) -> list[int]:
        return [number for number, die in truth(self.tray).items() if die.face == face]

    def _showing(self, face: str) -> int:
        """A die that shows the face, on the field if one is there."""
        places = self._places()
        return sorted(self._of_face(face), key=lambda number: places[number] != "field")[0]

    def _signal(self) -> int:
        return next(number for number, die in truth(self.tray).items() if die.kind == "signal")

    def _leaning(self) -> list[int]:
        return [number for number, die in truth(self.tray).items() if not die.flat]

    def _field(self) -> list[int]:
        places = self._places()
        return [n for n, die in truth(self.tray).items() if places[n] == "field" and die.kind == "traffic"]

    def _places(self) -> dict[int, str]:
        return {int(die["number"]): str(die["place"]) for die in self.tray.dice()}


def turns_before(points: int) -> list[str]:
    """The actions of a golden game until the player has so many points: the turns that need no camera any more."""
    lines = GOLDEN.read_text("utf-8").partition(f"scores: {points}\n")[0].splitlines()
    return [line for line in lines if line.startswith("1 ")]


def _told(now: Snapshot) -> tuple[object, ...]:
    return now.last, now.turn_points, now.mood, now.state, now.notice


@pytest.mark.slow
@pytest.mark.timeout(900)  # in real time: half a minute on an idle machine, several on a busy one
def test_a_solo_game_is_played_to_its_end_with_no_tap_but_the_decisions(tmp_path: Path, models: LoadedModels) -> None:
    tray = VirtualTray("intersection", seed=SEED, size=SIZE)
    camera = VirtualCamera(tray, paced=False, seed=SEED)
    with closing(Journal.in_folder(tmp_path)) as journal:
        table = open_session(
            journal, EvidenceStore(tmp_path / "evidence"), games=games(), dice=tray.die_set, camera="virtual"
        )
        pipeline = RememberingPipeline(models.finder, models.reader, models.arrivals.tell, tray.die_set, TrayLayout())
        watch = CameraLoop(camera, table, lambda _: pipeline)
        watch.start()
        try:
            table.start("intersection", ["Ann"], {})
            for action in turns_before(4900):
                table.act(action)
            end = Person(table, tray, pipeline).play()
        finally:
            watch.stop()
        assert end.state is not None
        assert end.state.winner == (1,)
        assert end.state.scores[0] >= 5000
        again = open_session(journal, EvidenceStore(tmp_path / "evidence"), games=games(), dice=tray.die_set)
        assert again.snapshot().game is None
