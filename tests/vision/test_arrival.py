"""How dice came to lie: what the network is given, and what it says of films that it was not fitted on."""

from __future__ import annotations

import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bench.simulator_truth import nearest_die
from hardware.simulator.virtual_tray import REACHING_SECONDS, Manner
from tests.small_tray import SmallTray
from vision.arrival import (
    NUMBERS,
    PLANES,
    SECONDS_TO_FACE,
    SIDE,
    TIMES,
    ArrivalModel,
    BurstView,
)
from vision.model_file import BrokenModel
from vision.motion_burst import BurstFilm, FilmPicture

WEIGHTS = Path(__file__).parents[2] / "models/weights"
TABLE = np.full((240, 320, 3), 90, np.uint8)
EDGE = 16.0


def shown(x: float | None, level: int = 220) -> np.ndarray:
    """The table with a square of a die's size at (x, 100), None without it."""
    picture = TABLE.copy()
    if x is not None:
        picture[92:108, round(x) - 8 : round(x) + 8] = level
    return picture


def film(places: list[float | None], step: float = 1 / 30, before: float | None = None) -> BurstFilm:
    """A film of a square that is at one place after another, and stays at the last."""
    pictures, last = [], shown(before)
    for k, x in enumerate(places, 1):
        now = shown(x)
        moved = np.where(np.abs(now.astype(int) - last).max(2) > 14, 255, 0).astype(np.uint8)
        pictures.append(FilmPicture(k * step, step, now, moved, None))
        last = now
    return BurstFilm(shown(before), tuple(pictures), shown(places[-1]))


def test_what_is_seen_of_a_place_has_its_shape_and_begins_with_the_table_as_it_was() -> None:
    seen = BurstView(film([None, 120, 140, 160])).at(160, 100, EDGE)
    assert (seen.planes.shape, seen.planes.dtype) == ((PLANES, SIDE, SIDE), np.uint8)
    assert seen.numbers.shape == (NUMBERS,)
    assert seen.arrived_at == pytest.approx(4 / 30)
    assert seen.longest_step == pytest.approx(1 / 30)
    middle = slice(SIDE // 2 - 1, SIDE // 2 + 1)
    at_face, long_ago = SECONDS_TO_FACE.index(0.0), len(SECONDS_TO_FACE) - 1
    assert seen.planes[3 * at_face, middle, middle].max() == 0  # as after the burst
    assert seen.planes[3 * at_face + 1, middle, middle].min() > 100  # and not as before it
    assert seen.planes[3 * long_ago + 1].max() == 0  # the table as it was


def test_a_face_that_a_hand_hides_later_was_there_when_it_was_seen_first() -> None:
    hidden = film([None, 130, 160, 160])
    covered = [FilmPicture(0.2 + k / 30, 1 / 30, TABLE, np.full((240, 320), 255, np.uint8), None) for k in range(6)]
    seen = BurstView(BurstFilm(hidden.before, (*hidden.pictures, *covered), hidden.after)).at(160, 100, EDGE)
    assert seen.arrived_at == pytest.approx(3 / 30)
    assert seen.numbers[1] == pytest.approx(0.2 + 5 / 30 - 3 / 30, abs=1e-3)


def test_a_die_that_lay_there_with_another_face_has_its_face_from_the_moment_at_which_a_hand_gives_it() -> None:
    def die(dot: tuple[int, int], light: float = 1.0) -> np.ndarray:
        picture = shown(160)
        picture[dot[1] : dot[1] + 5, dot[0] : dot[0] + 5] = 60
        return (light * picture).astype(np.uint8)

    other, now = (155, 95), (162, 102)
    hand = shown(160)
    hand[80:120] = 150
    shows = [shown(None), *3 * [die(other)], hand, die(now)]
    pictures = [
        FilmPicture(k / 10, 0.1, picture, np.full((240, 320), 255, np.uint8), None) for k, picture in enumerate(shows)
    ]
    turned = BurstView(BurstFilm(shown(120), tuple(pictures), die(now)))
    assert turned.at(160, 100, EDGE).arrived_at == pytest.approx(0.5)
    pictures[2:4] = [replace(picture, pixels=die(now, light=0.85)) for picture in pictures[2:4]]
    in_shade = BurstView(BurstFilm(shown(120), tuple(pictures), die(now)))
    assert in_shade.at(160, 100, EDGE).arrived_at == pytest.approx(0.2)


def test_a_lamp_that_is_dimmed_in_the_film_changes_nothing_of_what_is_seen() -> None:
    steady = film([None, 120, 140, 160])
    pictures = [replace(one, pixels=(0.6 * one.pixels).astype(np.uint8)) for one in steady.pictures[:2]]
    dimmed = replace(steady, pictures=(*pictures, *steady.pictures[2:]))
    one, other = (BurstView(each).at(160, 100, EDGE).planes.astype(int) for each in (steady, dimmed))
    assert np.abs(one - other).max() <= 3


def test_a_hand_that_covers_most_of_a_picture_is_no_other_light() -> None:
    steady = film([None, 120, 140, 160])
    skin = np.kron(np.random.default_rng(1).integers(100, 200, (30, 20)), np.ones((8, 16)))[..., None].repeat(3, 2)
    skin[50:150, 110:210] = 90
    hand = replace(steady.pictures[1], pixels=skin.astype(np.uint8))
    covered = replace(steady, pictures=(steady.pictures[0], hand, *steady.pictures[2:]))
    seen = BurstView(covered).at(160, 100, EDGE).planes[: 3 * TIMES : 3, 0]
    assert seen.max() == 0, "the table between the fingers looks as it did"


def test_the_longest_step_is_that_of_the_pictures_before_the_die_came() -> None:
    slow = film([None, 120, 160], step=0.3)
    assert BurstView(slow).at(160, 100, EDGE).longest_step == pytest.approx(0.3)


@pytest.mark.parametrize("at", [(160.0, 100.0), (2.0, 1.0), (318.0, 239.0)])
def test_a_place_at_the_border_and_a_film_without_pictures_are_seen_too(at: tuple[float, float]) -> None:
    seen = BurstView(BurstFilm(TABLE, (), shown(160))).at(*at, EDGE)
    assert seen.planes.shape == (PLANES, SIDE, SIDE)
    assert seen.longest_step == 0.0


def test_a_model_that_knows_other_ways_is_refused(tmp_path: Path) -> None:
    for suffix in (".onnx", ".toml"):
        shutil.copy(WEIGHTS / f"arrival{suffix}", tmp_path)
    card = tmp_path / "arrival.toml"
    card.write_text(card.read_text("utf-8").replace('"turned"', '"tossed"'), "utf-8")
    with pytest.raises(BrokenModel, match="other ways"):
        ArrivalModel(tmp_path / "arrival.onnx")


def judged(small: SmallTray) -> Counter[str]:
    """How the dice of a settled table are numbered and marked: by the throw that they belong to, and by the mark."""
    seen = small.settle()
    return Counter(f"{die.thrown == seen.throw} {die.handled}" for die in seen.dice)


def test_dice_of_the_virtual_tray_that_are_thrown_are_taken_for_thrown_and_carried_ones_are_not() -> None:
    thrown, carried = Counter[str](), Counter[str]()
    for seed in range(1, 6):
        small = SmallTray("toss-up", seed)
        small.settle()
        small.tray.throw(small.numbers)
        thrown += judged(small)
        for number in small.numbers[:2]:
            small.tray.set_down(number, 0.2 + 0.1 * number, 0.7, Manner.CARRIED)
            before = {die.number: die.thrown for die in small.settle().dice}
            carried[str(set(before.values()) == {1})] += 1
    assert thrown["True None"] >= 0.94 * thrown.total()
    assert carried["True"] >= 8


def test_a_thrown_die_that_a_hand_turns_as_soon_as_it_lies_still_is_not_taken_for_thrown() -> None:
    chances = []
    for seed in range(1, 7):
        small = SmallTray("d6", seed)
        small.settle()
        small.tray.throw(small.numbers)
        small.watch(small.tray.rests_in() - REACHING_SECONDS)
        small.tray.tip(small.numbers[0])
        at = {nearest_die(small.tray, at.x, at.y): die for die in small.settle().dice for at in [die.reading.sighting]}
        chances.append(at[small.numbers[0]].chance)
    assert sum(chance < 0.5 for chance in chances) >= 5, chances
