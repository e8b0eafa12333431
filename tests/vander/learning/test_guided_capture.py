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
from referee.refused import Reason, Refused
from vander.learning.coverage import WANTED
from vander.learning.guided_capture import LATEST, GuidedCapture
from vander.learning.newly_laid_dice import REST_FRAMES, SightedPosition
from vision.die_crops import RotatedSquare
from vision.frames import Pixels
from vision.kind_assignment import KindFace
from vision.observations import Observation, Posture

ODD = KindName("odd")


def never(_dice: Sequence[tuple[Pixels, RotatedSquare]], _said: KindFace) -> KindFace | None:
    """Nothing looks otherwise than is said."""
    return None


@dataclass
class Sitting:
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
def sit(tmp_path: Path) -> Callable[..., Sitting]:
    """Begin a sitting at an empty tray."""

    def begun(dice: DieSet | None = None, otherwise: Callable[..., KindFace | None] = never) -> Sitting:
        store = SampleStore(tmp_path / "captured")
        sitting = Sitting(GuidedCapture(dice or odd_dice(), store, "reader 7", otherwise), store)
        sitting.look()
        return sitting

    return begun


@pytest.fixture
def sitting(sit: Callable[..., Sitting]) -> Sitting:
    return sit()


def test_a_sitting_begins_with_the_first_face(sitting: Sitting) -> None:
    shown = sitting.capture.status()
    assert (shown.dice, shown.title, shown.kind, shown.face) == ("ours", "Our dice", "odd", "sun")
    assert (shown.says, shown.mood) == ("Lay the dice with Sun upward.", "look")
    assert (shown.taken, shown.in_view, shown.latest, shown.itself) == (0, 0, (), True)
    assert shown.meter.pictures == 0


def test_dice_that_are_laid_are_pictured_by_themselves_and_once(sitting: Sitting) -> None:
    sitting.lay_anew(2)
    for _ in range(4):
        sitting.look()
    shown = sitting.capture.status()
    assert (shown.taken, shown.in_view, shown.mood) == (2, 2, "taken")
    assert shown.says == "2 taken of Sun; 4 more pictures. Turn and move the dice."
    assert sitting.labels == ["sun", "sun"]
    assert shown.latest == tuple(sample.name for sample in sitting.store.samples()[::-1])


def test_a_picture_is_kept_with_all_that_is_known_of_it(sitting: Sitting) -> None:
    sitting.lay(Laid(200, 120, 30))
    (sample,) = sitting.store.samples()
    assert (sample.die_set, sample.origin) == ("ours", "guided")
    assert sample.place == RotatedSquare(60, 60, 40, 30)
    assert sample.in_frame == RotatedSquare(190, 100, 40, 30)
    assert sample.light == pytest.approx(sitting.tray.die_image(1).mean() / 255, abs=1e-3)
    assert sample.label is not None
    assert sample.label == FaceLabel("odd", "sun", "guided capture", sample.label.at)
    assert sample.read is not None
    assert (sample.read.face, sample.read.model, sample.read.accepted) == ("sun", "reader 7", False)
    assert np.array_equal(sitting.store.pixels(sample.name), sitting.tray.die_image(1))
    assert sitting.store.frame(sample.name) is not None


def test_without_a_tray_in_sight_only_the_die_is_kept(sitting: Sitting) -> None:
    sitting.tray.in_sight = False
    sitting.lay_anew()
    assert sitting.store.samples() == ()  # it may be anything in the room
    assert sitting.says == ("No tray is in sight: bring its markers into the picture, or press the shutter.", "trouble")
    sitting.capture.shutter()
    (sample,) = sitting.store.samples()
    assert (sample.frame, sample.in_frame) == ("", None)


def test_a_die_that_was_turned_down_is_not_looked_at_again_before_it_was_moved(tmp_path: Path) -> None:
    asked: list[KindFace] = []

    def always(_dice: Sequence[tuple[Pixels, RotatedSquare]], said: KindFace) -> KindFace | None:
        asked.append(said)
        return said[0], FaceName("moon")

    store = SampleStore(tmp_path)
    sitting = Sitting(GuidedCapture(odd_dice(), store, "reader 7", always), store)
    sitting.look()
    sitting.lay_anew()
    for _ in range(5):
        sitting.look()
    assert len(asked) == 1
    assert sitting.says[0].startswith("That looks like Moon")
    sitting.lay_anew()
    assert len(asked) == 2
    assert store.samples() == ()


def test_what_lies_there_when_the_sitting_begins_was_not_laid_for_it(tmp_path: Path) -> None:
    store = SampleStore(tmp_path)
    sitting = Sitting(GuidedCapture(odd_dice(), store, "reader 7", never), store)
    sitting.tray.lay(Laid(50, 50), Laid(150, 50))
    for _ in range(3):
        sitting.look()
    assert sitting.store.samples() == ()
    assert sitting.says == ("Turn or move the dice, with Sun upward.", "look")
    sitting.lay(Laid(50, 50), Laid(150, 150))
    assert sitting.capture.status().taken == 1


def test_a_sitting_that_goes_to_a_face_at_once_waits_for_it_to_be_laid(tmp_path: Path) -> None:
    store = SampleStore(tmp_path)
    sitting = Sitting(GuidedCapture(odd_dice(), store, "reader 7", never), store)
    sitting.capture.go_to(ODD, FaceName("boat"))
    sitting.tray.lay(Laid(50, 50))
    sitting.look()
    assert store.samples() == ()
    sitting.lay_anew()
    assert sitting.labels == ["boat"]


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
def test_only_what_is_moved_or_turned_is_pictured_again(sitting: Sitting, to: Laid, taken: int) -> None:
    sitting.lay(Laid(50, 50, 20))
    sitting.lay(to)
    assert sitting.capture.status().taken == taken


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


def test_of_several_dice_only_the_moved_one_is_pictured(sitting: Sitting) -> None:
    sitting.lay(Laid(50, 50), Laid(150, 50), Laid(250, 50))
    sitting.lay(Laid(50, 50), Laid(150, 150), Laid(250, 50))
    assert sitting.capture.status().taken == 4
    assert sitting.says[0] == "1 taken of Sun; 2 more pictures. Turn and move the dice."


@pytest.mark.parametrize(
    ("how", "says"),
    [({"at_rest": False}, "The dice are moving."), ({"hands_in": True}, "Take your hands out of the tray.")],
)
def test_nothing_is_pictured_before_all_is_still(sitting: Sitting, how: dict[str, bool], says: str) -> None:
    sitting.tray.lay(Laid(50, 50))
    sitting.look(**how)
    assert sitting.says == (says, "wait")
    assert sitting.store.samples() == ()
    with pytest.raises(Refused, match="Wait until the dice lie still"):
        sitting.capture.shutter()


@pytest.mark.parametrize("odd", [Laid(50, 50, sure=0.4), Laid(50, 50, zone=Zone.OUT)])
def test_what_is_hardly_a_die_or_lies_beside_the_tray_is_not_pictured(sitting: Sitting, odd: Laid) -> None:
    sitting.lay(odd)
    assert sitting.capture.status().in_view == 0
    assert sitting.says == ("Lay the dice with Sun upward.", "look")
    with pytest.raises(Refused, match="No die is in sight"):
        sitting.capture.shutter()
    assert sitting.store.samples() == ()


def test_a_leaning_die_is_told_and_pictured_only_on_demand(sitting: Sitting) -> None:
    sitting.lay(Laid(50, 50, posture=Posture.COCKED))
    assert sitting.says == ("That die seems to lean: lay it flat, or press the shutter.", "trouble")
    assert sitting.store.samples() == ()
    sitting.capture.shutter()
    assert sitting.labels == ["sun"]


def test_a_flat_die_beside_a_leaning_one_is_pictured(sitting: Sitting) -> None:
    sitting.lay(Laid(50, 50, posture=Posture.COCKED), Laid(150, 50))
    assert sitting.capture.status().taken == 1


def test_when_a_face_is_enough_the_next_is_asked_for(sitting: Sitting) -> None:
    for _ in range(WANTED):
        sitting.lay_anew()
    assert sitting.says == ("Sun is enough. Now lay Moon upward.", "taken")
    assert sitting.capture.status().face == "moon"
    assert sitting.capture.status().meter.pictures == 0
    for _ in range(3):
        sitting.look()  # the last die still shows the sun
    assert sitting.labels == ["sun"] * WANTED
    sitting.lay_anew()
    assert sitting.labels == ["sun"] * WANTED + ["moon"]


def test_when_every_face_is_enough_it_says_so_and_goes_on(sitting: Sitting) -> None:
    for _ in range(3 * WANTED):
        sitting.lay_anew()
    assert sitting.says == ("Every face is enough. Teach them now, or show more.", "taken")
    assert sitting.labels == ["sun"] * WANTED + ["moon"] * WANTED + ["boat"] * WANTED
    sitting.lay_anew()
    assert sitting.labels[-1] == "boat"
    assert len(sitting.capture.status().latest) == LATEST
    assert sitting.capture.status().latest[0] == sitting.store.samples()[-1].name


def test_a_second_sitting_goes_on_where_the_first_ended(sit: Callable[..., Sitting]) -> None:
    first = sit()
    for _ in range(WANTED):
        first.lay_anew()
    second = sit()
    assert second.capture.status().face == "moon"
    assert second.capture.status().taken == 0
    second.lay_anew()
    assert len({sample.session for sample in second.store.samples()}) == 2


def test_a_face_can_be_chosen_and_what_lies_there_must_be_moved_first(sitting: Sitting) -> None:
    sitting.lay_anew()
    sitting.capture.go_to(ODD, FaceName("boat"))
    assert sitting.says == ("Lay the dice with Boat upward.", "look")
    sitting.look()
    assert sitting.labels == ["sun"]
    sitting.lay_anew()
    assert sitting.labels == ["sun", "boat"]


@pytest.mark.parametrize(
    ("kind", "face", "sentence"), [("odd", "comet", "no face 'comet'"), ("even", "sun", "no kind 'even'")]
)
def test_a_face_that_there_is_not_is_turned_down(sitting: Sitting, kind: str, face: str, sentence: str) -> None:
    with pytest.raises(Refused, match=sentence) as refused:
        sitting.capture.go_to(KindName(kind), FaceName(face))
    assert refused.value.reason == Reason.NOT_FOUND
    assert sitting.capture.status().face == "sun"


def test_a_face_of_several_kinds_is_called_with_its_kind(sit: Callable[..., Sitting]) -> None:
    sitting = sit(odd_dice(a_kind("sun", "moon"), a_kind("sun", "star", name="even", title="Even die")))
    assert sitting.says[0] == "Lay the dice with Sun (Odd die) upward."
    sitting.capture.go_to(KindName("even"), FaceName("sun"))
    assert sitting.says[0] == "Lay the dice with Sun (Even die) upward."


def test_the_shutter_may_be_the_persons_own(sitting: Sitting) -> None:
    sitting.capture.automatic = False
    sitting.lay_anew(2)
    assert sitting.says == ("Press the shutter.", "look")
    assert sitting.store.samples() == ()
    sitting.capture.shutter()
    assert sitting.capture.status().taken == 2
    for _ in range(4):
        sitting.lay_anew(2)
        sitting.capture.shutter()
    assert sitting.capture.status().face == "sun"  # who presses says when it goes on
    assert sitting.says[0] == "2 taken of Sun; that is enough. Turn and move the dice."
    sitting.capture.automatic = True
    sitting.lay_anew()
    assert sitting.capture.status().face == "moon"


@pytest.mark.parametrize(
    "before", [lambda _: None, lambda sitting: sitting.capture.report_trouble("The camera is gone.")]
)
def test_the_shutter_needs_something_to_take(sit: Callable[..., Sitting], before: Callable[[Sitting], None]) -> None:
    sitting = sit()
    before(sitting)
    with pytest.raises(Refused, match=r"No die is in sight|Wait until") as refused:
        sitting.capture.shutter()
    assert refused.value.reason == Reason.CONFLICT


def test_dice_that_are_snatched_while_the_shutter_is_pressed_are_not_pictured(sitting: Sitting) -> None:
    sitting.capture.automatic = False
    sitting.lay_anew()
    sitting.tray.moved_just_now = True
    with pytest.raises(Refused, match="The dice were moved just then"):
        sitting.capture.shutter()
    assert sitting.store.samples() == ()


def test_trouble_with_the_camera_is_said_until_it_sees_again(sitting: Sitting) -> None:
    sitting.lay_anew()
    sitting.capture.report_trouble("")
    assert sitting.says[1] == "taken"
    sitting.capture.report_trouble("The lens is covered.")
    assert sitting.says == ("The lens is covered.", "trouble")
    assert sitting.capture.status().in_view == 0
    sitting.lay_anew()
    assert sitting.labels == ["sun", "sun"]


# ── what looks otherwise than is said ────────────────────────────────────────────────────────────────────────────────


def looks_like(face: str) -> Callable[..., KindFace | None]:
    return lambda _dice, said: (ODD, FaceName(face)) if said[1] != face else None


def test_a_die_that_looks_like_another_face_is_asked_about_and_not_pictured(sit: Callable[..., Sitting]) -> None:
    sitting = sit(otherwise=looks_like("moon"))
    sitting.lay_anew()
    sitting.look()
    asked = "That looks like Moon. Lay Sun upward, or press the shutter if it is right."
    assert sitting.says == (asked, "trouble")
    assert sitting.store.samples() == ()
    sitting.look(hands_in=True)
    sitting.look()
    assert sitting.says == (asked, "trouble")
    sitting.capture.shutter()
    assert sitting.labels == ["sun"]


def test_what_looks_as_is_said_is_pictured(sit: Callable[..., Sitting]) -> None:
    sitting = sit(otherwise=looks_like("sun"))
    sitting.lay_anew()
    assert sitting.labels == ["sun"]


def test_only_what_was_newly_laid_is_looked_at(sit: Callable[..., Sitting]) -> None:
    asked: list[int] = []

    def otherwise(dice: Sequence[tuple[Pixels, RotatedSquare]], _said: KindFace) -> KindFace | None:
        asked.append(len(dice))
        return None

    sitting = sit(otherwise=otherwise)
    sitting.lay(Laid(50, 50), Laid(150, 50))
    sitting.look()
    sitting.lay(Laid(50, 50), Laid(150, 150))
    assert asked == [2, 1]


# ── what is thrown away, and what cannot be kept ─────────────────────────────────────────────────────────────────────


def test_what_is_thrown_away_is_no_longer_of_the_sitting(sitting: Sitting) -> None:
    for _ in range(3):
        sitting.lay_anew()
    first, second, third = (sample.name for sample in sitting.store.samples())
    sitting.store.delete([second])
    sitting.capture.forget([second])
    shown = sitting.capture.status()
    assert (shown.taken, shown.latest, shown.meter.pictures) == (2, (third, first), 2)
    sitting.lay_anew()
    assert sitting.capture.status().taken == 3
    assert second not in sitting.capture.status().latest


def test_a_face_of_which_pictures_are_thrown_away_is_asked_for_again(sitting: Sitting) -> None:
    for _ in range(WANTED):
        sitting.lay_anew()
    names = [sample.name for sample in sitting.store.samples()]
    sitting.store.delete(names[:3])
    sitting.capture.forget(names[:3])
    for _ in range(WANTED):
        sitting.lay_anew()
    assert sitting.capture.status().face == "sun"
    assert sitting.says[0] == "Moon is enough. Now lay Sun upward."


@pytest.mark.parametrize("most_bytes", [0, 300, 5000])
def test_a_full_disk_is_said_and_nothing_is_half_kept(sitting: Sitting, most_bytes: int) -> None:
    sitting.lay_anew(2)
    before = files(sitting.store.folder)
    with full_disk(most_bytes):
        sitting.lay_anew(2)
        sentence, mood = sitting.says
        sitting.look()
        assert sitting.says == (sentence, mood) == (sentence, "trouble")
        with pytest.raises(SaveFailed):
            sitting.capture.shutter()
    assert "cannot be kept: File too large." in sentence
    assert files(sitting.store.folder) == before
    assert (sitting.capture.status().taken, sitting.capture.status().meter.pictures) == (2, 2)
    assert SampleStore(sitting.store.folder).samples() == sitting.store.samples()


def test_when_there_is_room_again_the_sitting_goes_on(sitting: Sitting) -> None:
    with full_disk():
        sitting.lay_anew()
    sitting.look()
    assert sitting.store.samples() == ()  # it is not tried again and again
    sitting.capture.shutter()
    assert sitting.capture.status().taken == 1
    sitting.lay_anew()
    assert sitting.labels == ["sun", "sun"]
    assert sitting.says[1] == "taken"


def test_a_picture_that_is_thrown_away_by_another_program_does_not_hinder_the_sitting(sitting: Sitting) -> None:
    sitting.lay_anew(2)
    SampleStore(sitting.store.folder).delete_die_set("ours")
    assert sitting.capture.status().meter.pictures == 0
    sitting.lay_anew(2)
    assert sitting.labels == ["sun", "sun"]


def test_dice_that_are_surely_read_as_another_face_are_not_taken_before_the_shutter(sitting: Sitting) -> None:
    plain = sitting.tray.seen
    sitting.tray.seen = lambda **how: _surely_read(plain(**how), "moon")  # type: ignore[method-assign]
    sitting.lay_anew(2)
    assert sitting.store.samples() == ()
    assert sitting.says[0].startswith("That looks like Moon. Lay Sun upward")
    sitting.capture.shutter()
    assert sitting.labels == ["sun", "sun"]


def _surely_read(seen: Observation, face: str) -> Observation:
    """The same, with the last die read for certain."""
    read = [replace(die, reading=replace(die.reading, face=FaceName(face), accepted=True)) for die in seen.dice[-1:]]
    return replace(seen, dice=(*seen.dice[:-1], *read))
