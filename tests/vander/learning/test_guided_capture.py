"""A guided capture: the tray takes its own pictures, of dice that were newly laid, and nothing under a false name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from showing import Laid, Tray, a_kind, files, full_disk, odd_dice

from models.dataset import FaceLabel, SampleStore, SaveFailed
from referee.dice import DieSet, FaceName, KindName, Zone
from referee.sentences import Reason, Refused
from vander.learning.guided_capture import LATEST, REST_FRAMES, WANTED, GuidedCapture, SightedPosition
from vision.frames import Pixels
from vision.kinds import KindFace
from vision.observations import Observation, Posture
from vision.rectification import RotatedSquare

ODD = KindName("odd")


def never(_dice: Sequence[tuple[Pixels, RotatedSquare]], _said: KindFace) -> KindFace | None:
    """Nothing looks otherwise than is said."""
    return None


@dataclass
class CaptureScene:
    """A capture, and the tray it is of."""

    capture: GuidedCapture
    store: SampleStore
    tray: Tray = field(default_factory=Tray)
    laid: int = 0

    def look(self, *, at_rest: bool = True, hands_in: bool = False) -> None:
        for _ in range(REST_FRAMES if at_rest and not hands_in else 1):
            self.capture.observe(self.tray.seen(at_rest=at_rest, hands_in=hands_in), self.tray)

    def lay(self, *dice: Laid) -> None:
        """Lay these dice, take the hand out, and let them lie."""
        self.look(hands_in=True)
        self.tray.lay(*dice)
        self.look(at_rest=False)
        self.look()

    def lay_anew(self, count: int = 1) -> None:
        """Lay dice where none lay, turned as none was turned."""
        self.laid += 1
        self.lay(*(Laid(50.0 + 90 * n, 60.0 * self.laid, 17.0 * self.laid % 90) for n in range(count)))

    @property
    def says(self) -> tuple[str, str]:
        shown = self.capture.status()
        return shown.says, shown.mood

    @property
    def labels(self) -> list[str]:
        return [sample.label.face for sample in self.store.samples() if sample.label]


@pytest.fixture
def begin(tmp_path: Path) -> Callable[..., CaptureScene]:
    """Begin a scene at an empty tray."""

    def begun(dice: DieSet | None = None, otherwise: Callable[..., KindFace | None] = never) -> CaptureScene:
        store = SampleStore(tmp_path / "captured")
        scene = CaptureScene(GuidedCapture(dice or odd_dice(), store, "reader 7", otherwise), store)
        scene.look()
        return scene

    return begun


@pytest.fixture
def scene(begin: Callable[..., CaptureScene]) -> CaptureScene:
    return begin()


def test_a_sitting_begins_with_the_first_face(scene: CaptureScene) -> None:
    shown = scene.capture.status()
    assert (shown.dice, shown.title, shown.kind, shown.face) == ("ours", "Our dice", "odd", "sun")
    assert (shown.says, shown.mood) == ("Lay the dice with Sun upward.", "look")
    assert (shown.taken, shown.in_view, shown.latest, shown.itself) == (0, 0, (), True)
    assert shown.meter.pictures == 0


def test_dice_that_are_laid_are_pictured_by_themselves_and_once(scene: CaptureScene) -> None:
    scene.lay_anew(2)
    for _ in range(4):
        scene.look()
    shown = scene.capture.status()
    assert (shown.taken, shown.in_view, shown.mood) == (2, 2, "taken")
    assert shown.says == "2 taken of Sun; 4 more pictures. Turn and move the dice."
    assert scene.labels == ["sun", "sun"]
    assert shown.latest == tuple(sample.name for sample in scene.store.samples()[::-1])


def test_a_picture_is_kept_with_all_that_is_known_of_it(scene: CaptureScene) -> None:
    scene.lay(Laid(200, 120, 30))
    (sample,) = scene.store.samples()
    assert (sample.die_set, sample.origin) == ("ours", "guided")
    assert sample.place == RotatedSquare(60, 60, 40, 30)
    assert sample.in_frame == RotatedSquare(190, 100, 40, 30)
    assert sample.light == pytest.approx(scene.tray.die_image(1).mean() / 255, abs=1e-3)
    assert sample.label is not None
    assert sample.label == FaceLabel("odd", "sun", "guided capture", sample.label.at)
    assert sample.read is not None
    assert (sample.read.face, sample.read.model, sample.read.accepted) == ("sun", "reader 7", False)
    assert np.array_equal(scene.store.pixels(sample.name), scene.tray.die_image(1))
    assert scene.store.frame(sample.name) is not None


def test_without_a_tray_in_sight_only_the_die_is_kept(scene: CaptureScene) -> None:
    scene.tray.in_sight = False
    scene.lay_anew()
    assert scene.store.samples() == ()  # it may be anything in the room
    assert scene.says == ("No tray is in sight: bring its markers into the picture, or press the shutter.", "trouble")
    scene.capture.shutter()
    (sample,) = scene.store.samples()
    assert (sample.frame, sample.in_frame) == ("", None)


def test_a_die_that_was_turned_down_is_not_looked_at_again_before_it_was_moved(tmp_path: Path) -> None:
    asked: list[KindFace] = []

    def always(_dice: Sequence[tuple[Pixels, RotatedSquare]], said: KindFace) -> KindFace | None:
        asked.append(said)
        return said[0], FaceName("moon")

    store = SampleStore(tmp_path)
    scene = CaptureScene(GuidedCapture(odd_dice(), store, "reader 7", always), store)
    scene.look()
    scene.lay_anew()
    for _ in range(5):
        scene.look()
    assert len(asked) == 1
    assert scene.says[0].startswith("That looks like Moon")
    scene.lay_anew()
    assert len(asked) == 2
    assert store.samples() == ()


def test_what_lies_there_when_the_sitting_begins_was_not_laid_for_it(tmp_path: Path) -> None:
    store = SampleStore(tmp_path)
    scene = CaptureScene(GuidedCapture(odd_dice(), store, "reader 7", never), store)
    scene.tray.lay(Laid(50, 50), Laid(150, 50))
    for _ in range(3):
        scene.look()
    assert scene.store.samples() == ()
    assert scene.says == ("Turn or move the dice, with Sun upward.", "look")
    scene.lay(Laid(50, 50), Laid(150, 150))
    assert scene.capture.status().taken == 1


def test_a_sitting_that_goes_to_a_face_at_once_waits_for_it_to_be_laid(tmp_path: Path) -> None:
    store = SampleStore(tmp_path)
    scene = CaptureScene(GuidedCapture(odd_dice(), store, "reader 7", never), store)
    scene.capture.go_to(ODD, FaceName("boat"))
    scene.tray.lay(Laid(50, 50))
    scene.look()
    assert store.samples() == ()
    scene.lay_anew()
    assert scene.labels == ["boat"]


@pytest.mark.parametrize(
    ("to", "taken"),
    [
        (Laid(51, 50, 20), 1),  # hardly moved
        (Laid(100, 50, 20), 2),  # moved
        (Laid(50, 50, 35), 2),  # turned
        (Laid(50, 50, 28), 1),  # hardly turned
        (Laid(50, 50, 110), 1),  # turned by a quarter, which looks the same
    ],
)
def test_only_what_is_moved_or_turned_is_pictured_again(scene: CaptureScene, to: Laid, taken: int) -> None:
    scene.lay(Laid(50, 50, 20))
    scene.lay(to)
    assert scene.capture.status().taken == taken


turns = st.floats(-720, 720)


@given(st.floats(0, 500), st.floats(0, 500), turns)
def test_a_die_lies_still_where_it_lies_however_often_it_is_turned_by_a_quarter(
    x: float, y: float, turned: float
) -> None:
    lay = SightedPosition(x, y, 40, turned)
    assert lay.is_still(lay)
    assert lay.is_still(SightedPosition(x, y, 40, turned + 90))
    assert lay.is_still(SightedPosition(x, y, 40, turned - 9))
    assert not lay.is_still(SightedPosition(x, y, 40, turned + 45))
    assert not lay.is_still(SightedPosition(x + 15, y, 40, turned))


def test_of_several_dice_only_the_moved_one_is_pictured(scene: CaptureScene) -> None:
    scene.lay(Laid(50, 50), Laid(150, 50), Laid(250, 50))
    scene.lay(Laid(50, 50), Laid(150, 150), Laid(250, 50))
    assert scene.capture.status().taken == 4
    assert scene.says[0] == "1 taken of Sun; 2 more pictures. Turn and move the dice."


@pytest.mark.parametrize(
    ("how", "says"),
    [({"at_rest": False}, "The dice are moving."), ({"hands_in": True}, "Take your hands out of the tray.")],
)
def test_nothing_is_pictured_before_all_is_still(scene: CaptureScene, how: dict[str, bool], says: str) -> None:
    scene.tray.lay(Laid(50, 50))
    scene.look(**how)
    assert scene.says == (says, "wait")
    assert scene.store.samples() == ()
    with pytest.raises(Refused, match="Wait until the dice lie still"):
        scene.capture.shutter()


@pytest.mark.parametrize("odd", [Laid(50, 50, sure=0.4), Laid(50, 50, zone=Zone.OUT)])
def test_what_is_hardly_a_die_or_lies_beside_the_tray_is_not_pictured(scene: CaptureScene, odd: Laid) -> None:
    scene.lay(odd)
    assert scene.capture.status().in_view == 0
    assert scene.says == ("Lay the dice with Sun upward.", "look")
    with pytest.raises(Refused, match="No die is in sight"):
        scene.capture.shutter()
    assert scene.store.samples() == ()


def test_a_leaning_die_is_told_and_pictured_only_on_demand(scene: CaptureScene) -> None:
    scene.lay(Laid(50, 50, posture=Posture.COCKED))
    assert scene.says == ("That die seems to lean: lay it flat, or press the shutter.", "trouble")
    assert scene.store.samples() == ()
    scene.capture.shutter()
    assert scene.labels == ["sun"]


def test_a_flat_die_beside_a_leaning_one_is_pictured(scene: CaptureScene) -> None:
    scene.lay(Laid(50, 50, posture=Posture.COCKED), Laid(150, 50))
    assert scene.capture.status().taken == 1


def test_when_a_face_is_enough_the_next_is_asked_for(scene: CaptureScene) -> None:
    for _ in range(WANTED):
        scene.lay_anew()
    assert scene.says == ("Sun is enough. Now lay Moon upward.", "taken")
    assert scene.capture.status().face == "moon"
    assert scene.capture.status().meter.pictures == 0
    for _ in range(3):
        scene.look()  # the last die still shows the sun
    assert scene.labels == ["sun"] * WANTED
    scene.lay_anew()
    assert scene.labels == ["sun"] * WANTED + ["moon"]


def test_when_every_face_is_enough_it_says_so_and_goes_on(scene: CaptureScene) -> None:
    for _ in range(3 * WANTED):
        scene.lay_anew()
    assert scene.says == ("Every face is enough. Teach them now, or show more.", "taken")
    assert scene.labels == ["sun"] * WANTED + ["moon"] * WANTED + ["boat"] * WANTED
    scene.lay_anew()
    assert scene.labels[-1] == "boat"
    assert len(scene.capture.status().latest) == LATEST
    assert scene.capture.status().latest[0] == scene.store.samples()[-1].name


def test_a_second_sitting_goes_on_where_the_first_ended(begin: Callable[..., CaptureScene]) -> None:
    first = begin()
    for _ in range(WANTED):
        first.lay_anew()
    second = begin()
    assert second.capture.status().face == "moon"
    assert second.capture.status().taken == 0
    second.lay_anew()
    assert len({sample.session for sample in second.store.samples()}) == 2


def test_a_face_can_be_chosen_and_what_lies_there_must_be_moved_first(scene: CaptureScene) -> None:
    scene.lay_anew()
    scene.capture.go_to(ODD, FaceName("boat"))
    assert scene.says == ("Lay the dice with Boat upward.", "look")
    scene.look()
    assert scene.labels == ["sun"]
    scene.lay_anew()
    assert scene.labels == ["sun", "boat"]


@pytest.mark.parametrize(
    ("kind", "face", "sentence"), [("odd", "comet", "no face 'comet'"), ("even", "sun", "no kind 'even'")]
)
def test_a_face_that_there_is_not_is_turned_down(scene: CaptureScene, kind: str, face: str, sentence: str) -> None:
    with pytest.raises(Refused, match=sentence) as refused:
        scene.capture.go_to(KindName(kind), FaceName(face))
    assert refused.value.reason == Reason.NOT_FOUND
    assert scene.capture.status().face == "sun"


def test_a_face_of_several_kinds_is_called_with_its_kind(begin: Callable[..., CaptureScene]) -> None:
    scene = begin(odd_dice(a_kind("sun", "moon"), a_kind("sun", "star", name="even", title="Even die")))
    assert scene.says[0] == "Lay the dice with Sun (Odd die) upward."
    scene.capture.go_to(KindName("even"), FaceName("sun"))
    assert scene.says[0] == "Lay the dice with Sun (Even die) upward."


def test_the_shutter_may_be_the_persons_own(scene: CaptureScene) -> None:
    scene.capture.automatic = False
    scene.lay_anew(2)
    assert scene.says == ("Press the shutter.", "look")
    assert scene.store.samples() == ()
    scene.capture.shutter()
    assert scene.capture.status().taken == 2
    for _ in range(4):
        scene.lay_anew(2)
        scene.capture.shutter()
    assert scene.capture.status().face == "sun"  # who presses says when it goes on
    assert scene.says[0] == "2 taken of Sun; that is enough. Turn and move the dice."
    scene.capture.automatic = True
    scene.lay_anew()
    assert scene.capture.status().face == "moon"


@pytest.mark.parametrize("before", [lambda _: None, lambda scene: scene.capture.report_trouble("The camera is gone.")])
def test_the_shutter_needs_something_to_take(
    begin: Callable[..., CaptureScene], before: Callable[[CaptureScene], None]
) -> None:
    scene = begin()
    before(scene)
    with pytest.raises(Refused, match=r"No die is in sight|Wait until") as refused:
        scene.capture.shutter()
    assert refused.value.reason == Reason.CONFLICT


def test_dice_that_are_snatched_while_the_shutter_is_pressed_are_not_pictured(scene: CaptureScene) -> None:
    scene.capture.automatic = False
    scene.lay_anew()
    scene.tray.moved_just_now = True
    with pytest.raises(Refused, match="The dice were moved just then"):
        scene.capture.shutter()
    assert scene.store.samples() == ()


def test_trouble_with_the_camera_is_said_until_it_sees_again(scene: CaptureScene) -> None:
    scene.lay_anew()
    scene.capture.report_trouble("")
    assert scene.says[1] == "taken"
    scene.capture.report_trouble("The lens is covered.")
    assert scene.says == ("The lens is covered.", "trouble")
    assert scene.capture.status().in_view == 0
    scene.lay_anew()
    assert scene.labels == ["sun", "sun"]


# ── what looks otherwise than is said ────────────────────────────────────────────────────────────────────────────────


def looks_like(face: str) -> Callable[..., KindFace | None]:
    return lambda _dice, said: (ODD, FaceName(face)) if said[1] != face else None


def test_a_die_that_looks_like_another_face_is_asked_about_and_not_pictured(begin: Callable[..., CaptureScene]) -> None:
    scene = begin(otherwise=looks_like("moon"))
    scene.lay_anew()
    scene.look()
    asked = "That looks like Moon. Lay Sun upward, or press the shutter if it is right."
    assert scene.says == (asked, "trouble")
    assert scene.store.samples() == ()
    scene.look(hands_in=True)
    scene.look()
    assert scene.says == (asked, "trouble")
    scene.capture.shutter()
    assert scene.labels == ["sun"]


def test_what_looks_as_is_said_is_pictured(begin: Callable[..., CaptureScene]) -> None:
    scene = begin(otherwise=looks_like("sun"))
    scene.lay_anew()
    assert scene.labels == ["sun"]


def test_only_what_was_newly_laid_is_looked_at(begin: Callable[..., CaptureScene]) -> None:
    asked: list[int] = []

    def otherwise(dice: Sequence[tuple[Pixels, RotatedSquare]], _said: KindFace) -> KindFace | None:
        asked.append(len(dice))
        return None

    scene = begin(otherwise=otherwise)
    scene.lay(Laid(50, 50), Laid(150, 50))
    scene.look()
    scene.lay(Laid(50, 50), Laid(150, 150))
    assert asked == [2, 1]


# ── what is thrown away, and what cannot be kept ─────────────────────────────────────────────────────────────────────


def test_what_is_thrown_away_is_no_longer_of_the_sitting(scene: CaptureScene) -> None:
    for _ in range(3):
        scene.lay_anew()
    first, second, third = (sample.name for sample in scene.store.samples())
    scene.store.delete([second])
    scene.capture.forget([second])
    shown = scene.capture.status()
    assert (shown.taken, shown.latest, shown.meter.pictures) == (2, (third, first), 2)
    scene.lay_anew()
    assert scene.capture.status().taken == 3
    assert second not in scene.capture.status().latest


def test_a_face_of_which_pictures_are_thrown_away_is_asked_for_again(scene: CaptureScene) -> None:
    for _ in range(WANTED):
        scene.lay_anew()
    names = [sample.name for sample in scene.store.samples()]
    scene.store.delete(names[:3])
    scene.capture.forget(names[:3])
    for _ in range(WANTED):
        scene.lay_anew()
    assert scene.capture.status().face == "sun"
    assert scene.says[0] == "Moon is enough. Now lay Sun upward."


@pytest.mark.parametrize("most_bytes", [0, 300, 5000])
def test_a_full_disk_is_said_and_nothing_is_half_kept(scene: CaptureScene, most_bytes: int) -> None:
    scene.lay_anew(2)
    before = files(scene.store.folder)
    with full_disk(most_bytes):
        scene.lay_anew(2)
        sentence, mood = scene.says
        scene.look()
        assert scene.says == (sentence, mood) == (sentence, "trouble")
        with pytest.raises(SaveFailed):
            scene.capture.shutter()
    assert "cannot be kept: File too large." in sentence
    assert files(scene.store.folder) == before
    assert (scene.capture.status().taken, scene.capture.status().meter.pictures) == (2, 2)
    assert SampleStore(scene.store.folder).samples() == scene.store.samples()


def test_when_there_is_room_again_the_sitting_goes_on(scene: CaptureScene) -> None:
    with full_disk():
        scene.lay_anew()
    scene.look()
    assert scene.store.samples() == ()  # it is not tried again and again
    scene.capture.shutter()
    assert scene.capture.status().taken == 1
    scene.lay_anew()
    assert scene.labels == ["sun", "sun"]
    assert scene.says[1] == "taken"


def test_a_picture_that_is_thrown_away_by_another_program_does_not_hinder_the_sitting(scene: CaptureScene) -> None:
    scene.lay_anew(2)
    SampleStore(scene.store.folder).delete_die_set("ours")
    assert scene.capture.status().meter.pictures == 0
    scene.lay_anew(2)
    assert scene.labels == ["sun", "sun"]


def test_dice_that_are_surely_read_as_another_face_are_not_taken_before_the_shutter(scene: CaptureScene) -> None:
    plain = scene.tray.seen
    scene.tray.seen = lambda **how: _surely_read(plain(**how), "moon")  # type: ignore[method-assign]
    scene.lay_anew(2)
    assert scene.store.samples() == ()
    assert scene.says[0].startswith("That looks like Moon. Lay Sun upward")
    scene.capture.shutter()
    assert scene.labels == ["sun", "sun"]


def _surely_read(seen: Observation, face: str) -> Observation:
    """The same, with the last die read for certain."""
    read = [replace(die, reading=replace(die.reading, face=FaceName(face), accepted=True)) for die in seen.dice[-1:]]
    return replace(seen, dice=(*seen.dice[:-1], *read))
