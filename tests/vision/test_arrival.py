"""Which dice were seen to tumble, and which were set down, turned or carried."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from painted import LAYOUT, LEFT, SCALE, TOP, ColourFinder, ColourReader, Film, Piece, paint

from referee.dice import Handling
from vision.frames import Frame, Pixels
from vision.observations import Observation
from vision.pipeline import Pipeline

DICE = (Piece(100, 150, "happy", 10), Piece(150, 90, "star", 40), Piece(200, 170, "sad", 70))
LYING = (Piece(60, 60, "two", 20),)


@pytest.fixture
def film() -> Film:
    return Film()


@pytest.fixture
def pipeline() -> Pipeline:
    return Pipeline(ColourFinder(), ColourReader(), None, LAYOUT)


def watch(pipeline: Pipeline, *scenes: Sequence[Frame]) -> Observation:
    return [pipeline.process(frame) for scene in scenes for frame in scene][-1]


def shots(film: Film, tables: Sequence[Sequence[Piece]]) -> list[Frame]:
    return [film.frame(paint(pieces, seed=film.number)) for pieces in tables]


def handled(seen: Observation) -> dict[str, tuple[int, Handling | None]]:
    return {str(die.reading.face): (die.thrown, die.handled) for die in seen.dice}


def test_dice_that_roll_in_were_thrown(pipeline: Pipeline, film: Film) -> None:
    seen = watch(pipeline, film.still(LYING), film.tumble(DICE, LYING), film.still((*DICE, *LYING)))
    assert handled(seen) == {"happy": (1, None), "star": (1, None), "sad": (1, None), "two": (0, None)}


def close_up(frames: Sequence[Frame]) -> list[Frame]:
    """The pictures of a camera so near that four dice go across them, and no marker is in sight."""
    left, top = round(LEFT + 70 * SCALE), round(TOP + 110 * SCALE)
    parts = [frame.pixels[top : top + 180, left : left + 240] for frame in frames]
    shown = [cv2.resize(part, (1280, 960), interpolation=cv2.INTER_CUBIC) for part in parts]
    return [replace(frame, pixels=np.asarray(pixels)) for frame, pixels in zip(frames, shown, strict=True)]


def test_dice_that_are_as_large_as_hands_in_the_picture_were_thrown_all_the_same(film: Film) -> None:
    pipeline = Pipeline(ColourFinder(), ColourReader(), None, LAYOUT, live=False)
    old, new = (Piece(105, 145, "happy", 10),), (Piece(95, 145, "happy", 10), Piece(122, 135, "star", 40))
    first = watch(pipeline, *map(close_up, (film.still(), film.tumble(old), film.still(old))))
    assert handled(first) == {"happy": (1, None)}
    assert not watch(pipeline, close_up(film.still())).dice
    seen = watch(pipeline, *map(close_up, (film.tumble(new), film.still(new))))
    assert handled(seen) == {"happy": (2, None), "star": (2, None)}


@pytest.mark.parametrize("lost", [3, 7, 8, 9])
def test_a_lost_picture_accuses_no_throw(pipeline: Pipeline, film: Film, lost: int) -> None:
    rolling = film.tumble(DICE)
    seen = watch(pipeline, film.still(), [*rolling[:lost], *rolling[lost + 1 :]], film.still(DICE))
    assert set(handled(seen).values()) == {(1, None)}


@pytest.mark.parametrize("pause", [1, 2])
def test_a_die_that_pauses_and_then_tips_is_read_as_it_lies_at_last(pipeline: Pipeline, film: Film, pause: int) -> None:
    """At 15 pictures a second it is still for two of them at most: shorter than what counts as rest."""
    faces = ("star", "two", "happy", "two", "sad", "sad")
    rolling = [[Piece(200 - 25 * (5 - k), 170 - 15 * (5 - k), face, 31 * k)] for k, face in enumerate(faces)]
    tipping = [[Piece(200 + 5 * k, 170, face, 155)] for k, face in enumerate(("two", "happy", "star"), 1)]
    watch(pipeline, film.still())
    paused = watch(pipeline, shots(film, [*rolling, *[rolling[-1]] * pause]))
    assert (paused.at_rest, paused.throw, paused.dice) == (False, 0, ())
    assert handled(watch(pipeline, shots(film, tipping), film.still(tipping[-1]))) == {"star": (1, None)}


def test_a_die_laid_in_under_a_hand_was_placed(pipeline: Pipeline, film: Film) -> None:
    die = (Piece(150, 120, "star", 20),)
    seen = watch(pipeline, film.still(), film.reach((), die), film.still(die))
    assert handled(seen) == {"star": (1, Handling.PLACED)}


def test_a_die_turned_over_under_a_hand_was_turned(pipeline: Pipeline, film: Film) -> None:
    before, after = (Piece(150, 120, "sad", 20),), (Piece(152, 121, "star", 35),)
    seen = watch(pipeline, film.still(before), film.reach(before, after), film.still(after))
    assert handled(seen) == {"star": (1, Handling.TURNED)}


def test_a_die_turned_over_in_its_place_without_a_hand_was_turned(pipeline: Pipeline, film: Film) -> None:
    turning = [(Piece(150, 120, face, 9 * k),) for k, face in enumerate(("sad", "two", "two", "happy", "happy"))]
    after = (Piece(150, 120, "star", 45),)
    seen = watch(pipeline, film.still((Piece(150, 120, "sad"),)), shots(film, turning), film.still(after))
    assert handled(seen) == {"star": (1, Handling.TURNED)}


def test_a_die_that_comes_in_without_turning_over_was_placed(pipeline: Pipeline, film: Film) -> None:
    eased = [done * done * (3 - 2 * done) for done in (k / 9 for k in range(1, 10))]
    way = [(Piece(150, 260 - 120 * done, "star", 20 + 10 * done),) for done in eased]
    seen = watch(
        pipeline, film.still(LYING), shots(film, [(*LYING, *at) for at in way]), film.still((*LYING, *way[-1]))
    )
    assert handled(seen) == {"two": (0, None), "star": (1, Handling.PLACED)}


def test_a_die_that_drops_into_its_place_was_placed(pipeline: Pipeline, film: Film) -> None:
    falling = [
        (Piece(150, 120 + dy, face, 20 * k),) for k, (dy, face) in enumerate(((5, "two"), (0, "sad"), (2, "two")))
    ]
    after = (Piece(150, 122, "star", 45),)
    assert handled(watch(pipeline, film.still(), shots(film, falling), film.still(after))) == {
        "star": (1, Handling.PLACED)
    }


def test_a_die_laid_in_while_others_roll_is_marked_alone(pipeline: Pipeline, film: Film) -> None:
    laid = Piece(60, 200, "two", 5)
    rolling = film.tumble(DICE)
    late = shots(film, [[*DICE, laid]])
    seen = watch(pipeline, film.still(), rolling, late, film.still((*DICE, laid)))
    assert handled(seen) == {"happy": (1, None), "star": (1, None), "sad": (1, None), "two": (1, Handling.PLACED)}


def test_a_mark_stays_while_the_die_is_carried_with_its_face_up(pipeline: Pipeline, film: Film) -> None:
    laid, parked = (Piece(150, 120, "star", 20),), (Piece(270, 150, "star", 5),)
    watch(pipeline, film.still(), film.reach((), laid), film.still(laid))
    assert handled(watch(pipeline, film.reach(laid, parked), film.still(parked))) == {"star": (1, Handling.PLACED)}


@pytest.mark.parametrize("x", [200, 60])
def test_of_dice_picked_up_and_thrown_those_that_rest_under_a_hand_are_asked_about(
    pipeline: Pipeline, film: Film, x: float
) -> None:
    before = (Piece(60, 60, "happy"), Piece(220, 50, "star"), Piece(60, 170, "sad"))
    last = Piece(x, 165, "sad", 20)
    watch(pipeline, film.still(before), film.reach(before, ()), film.still())
    seen = watch(
        pipeline, film.tumble(DICE[:2]), film.reach(DICE[:2], (*DICE[:2], last)), film.still((*DICE[:2], last))
    )
    assert handled(seen) == {"happy": (1, None), "star": (1, None), "sad": (1, Handling.PLACED)}


def test_a_placed_die_that_is_thrown_then_was_thrown(pipeline: Pipeline, film: Film) -> None:
    laid = (Piece(150, 120, "star", 20),)
    watch(pipeline, film.still(), film.reach((), laid), film.still(laid))
    watch(pipeline, film.reach(laid, ()), film.still())
    assert set(handled(watch(pipeline, film.tumble(DICE), film.still(DICE))).values()) == {(2, None)}


def test_a_die_put_back_and_dice_thrown_without_a_pause_are_told_apart(pipeline: Pipeline, film: Film) -> None:
    before, put_back = Piece(60, 60, "two", 20), Piece(160, 40, "two", 25)
    watch(pipeline, film.still((before,)))
    rolling = film.tumble(DICE, (put_back,))
    seen = watch(pipeline, film.reach((before,), (put_back,)), rolling, film.still((*DICE, put_back)))
    assert handled(seen) == {"happy": (1, None), "star": (1, None), "sad": (1, None), "two": (0, None)}


def test_a_die_turned_in_the_fingers_and_set_down_with_its_face_up_at_last_was_placed(
    pipeline: Pipeline, film: Film
) -> None:
    """Three pictures with the face up: slower and slower, as a hand brakes and the felt does not."""
    ahead = [(176, "sad"), (146, "happy"), (116, "sad"), (86, "two"), (56, "star"), (27, "star"), (6, "star")]
    way = [(*LYING, Piece(100 + far, 200 - far / 2, face, 20)) for far, face in ahead]
    after = (*LYING, Piece(100, 200, "star", 20))
    seen = watch(pipeline, film.still(LYING), shots(film, way), film.still(after))
    assert handled(seen) == {"two": (0, None), "star": (1, Handling.PLACED)}


def test_a_die_that_flew_in_and_was_stopped_at_once_among_others_was_thrown(pipeline: Pipeline, film: Film) -> None:
    stopped = [Piece(20, 256, "star", 10), Piece(59, 224, "sad", 40), Piece(61, 226, "two", 70)]
    after = Piece(60, 225, "happy", 20)
    watch(pipeline, film.still(LYING), film.tumble((DICE[1],), LYING))
    flying = shots(film, [(*LYING, DICE[1], die) for die in stopped])
    seen = watch(pipeline, flying, film.still((*LYING, DICE[1], after)))
    assert handled(seen) == {"two": (0, None), "star": (1, None), "happy": (1, None)}


ROLLING_ON = [Piece(50, 150, "sad", 40), Piece(52, 141, "two", 70), Piece(49, 134, "star", 110)]
"""A die that a wall has stopped, on its last bit of way."""


def test_a_die_that_a_wall_stops_at_once_and_that_rolls_on_was_thrown(pipeline: Pipeline, film: Film) -> None:
    way = [Piece(-25, 128, "star", 10), *ROLLING_ON]
    watch(pipeline, film.still(LYING), shots(film, [(*LYING, die) for die in way]))
    seen = watch(pipeline, film.still((*LYING, Piece(46, 128, "happy", 140))))
    assert handled(seen) == {"two": (0, None), "happy": (1, None)}


def test_a_die_that_rolls_so_short_a_way_while_another_flies_far_off_was_not_seen_to_tumble(
    pipeline: Pipeline, film: Film
) -> None:
    flying = [Piece(130, 40, "star", 10), Piece(160, 90, "sad", 40), Piece(180, 120, "two", 70)]
    shown = [[*LYING, flying[0]], *([*LYING, *pair] for pair in zip(flying, ROLLING_ON, strict=True))]
    watch(pipeline, film.still(LYING), shots(film, shown))
    seen = watch(pipeline, film.still((*LYING, Piece(190, 135, "star", 90), Piece(46, 128, "happy", 140))))
    assert handled(seen)["happy"] == (1, Handling.PLACED)


def test_a_die_that_stops_beside_one_with_its_face_and_throws_a_shadow_on_it_was_thrown(
    pipeline: Pipeline, film: Film
) -> None:
    lying, after = Piece(160, 100, "two", 20), Piece(142, 92, "two", 20)
    faces = ("sad", "star", "happy", "sad", "star")
    way = [(lying, Piece(142 - 25 * (5 - k), 92 - 4 * (5 - k), face, 31 * k)) for k, face in enumerate(faces)]
    watch(pipeline, film.still((lying,)), shots(film, way))
    seen = watch(pipeline, [film.frame(_shaded(paint((lying, after), seed=k), lying)) for k in range(8)])
    assert [(die.thrown, die.handled) for die in seen.dice] == [(0, None), (1, None)]


def _shaded(picture: Pixels, piece: Piece) -> Pixels:
    """Darken a picture at a piece."""
    x, y = round(LEFT + piece.x * SCALE), round(TOP + piece.y * SCALE)
    picture[y - 32 : y + 33, x - 32 : x + 33] = picture[y - 32 : y + 33, x - 32 : x + 33] * 0.8
    return picture
