"""What may happen to a table in the middle of a game: lamps, shadows, jolts, markers. With the real models."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import cv2
import numpy as np
import pytest

from hardware.cameras.virtual_camera import UNPACED_RATE, VirtualCamera
from hardware.simulator.physics import Mishaps
from hardware.simulator.virtual_tray import VirtualTray
from vander.resources.models_and_stores import LoadedModels
from vision.feed_health import FeedFault
from vision.frames import Frame, Pixels
from vision.observations import Observation, TrackedDie
from vision.pipeline import SCENE_CHANGED, Pipeline
from vision.tray_calibration import TRAY_MOVED, TappedTray, TrayLayout
from vision.tray_edge import TrayEdge

Change = Callable[[Pixels, float], Pixels]
"""A picture as it looks when so much (0 to 1) of something has happened."""
SUDDENLY, OVER_A_SECOND = 1, round(UNPACED_RATE)
LATER = 12
"""Frames after which everything must be as before."""
MARKERS = ((193, 148), (1086, 148), (1108, 827), (171, 827))
"""Where the markers' centres are in the picture."""


@pytest.fixture(scope="module")
def table() -> list[Pixels]:
    """Pictures of a virtual tray on which six dice were thrown; the sensor's noise differs."""
    tray = VirtualTray("intersection", seed=4, mishaps=Mishaps(0.0, 0.0))
    camera = VirtualCamera(tray, paced=False, seed=4)
    camera.open()
    tray.throw([1, 2, 3, 4, 5, 6])
    tray.advance(6.0)
    return [camera.frame().pixels for _ in range(9)]


class Game:
    """A pipeline that has read the table, and what it says from then on."""

    def __init__(self, pipeline: Pipeline, table: Sequence[Pixels]) -> None:
        self.pipeline, self._table = pipeline, table
        self._number = 0
        self.before = self.show(_nothing, [0.0] * LATER)[-1]

    def show(self, change: Change, shares: Sequence[float]) -> list[Observation]:
        return [self.pipeline.process(frame) for frame in self._frames(change, shares)]

    def _frames(self, change: Change, shares: Sequence[float]) -> Iterator[Frame]:
        for share in shares:
            self._number += 1
            yield Frame(
                change(self._table[self._number % len(self._table)], share), self._number, self._number / UNPACED_RATE
            )


@pytest.fixture
def game(models: LoadedModels, table: list[Pixels]) -> Game:
    tray = VirtualTray("intersection")
    game = Game(models.pipeline(tray.die_set, TrayLayout()), table)
    assert game.before.at_rest
    assert len(game.before.dice) == 6
    assert all(die.reading.accepted for die in game.before.dice)
    return game


def _nothing(pixels: Pixels, _: float) -> Pixels:
    return pixels


def lamp(gain: float, cast: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> Change:
    def lit(pixels: Pixels, share: float) -> Pixels:
        gains = 1 + share * (gain * np.array(cast) - 1)
        levels = np.arange(256)[:, None] * gains
        return np.asarray(cv2.LUT(pixels, levels.clip(0, 255).astype(np.uint8)[:, None, :]), np.uint8)

    return lit


def jolt(right: float, down: float, degrees: float) -> Change:
    def pushed(pixels: Pixels, share: float) -> Pixels:
        height, width = pixels.shape[:2]
        move = cv2.getRotationMatrix2D((width / 2, height / 2), degrees * share, 1.0)
        move[:, 2] += right * share, down * share
        return np.asarray(cv2.warpAffine(pixels, move, (width, height), borderMode=cv2.BORDER_REFLECT), np.uint8)

    return pushed


def shadow(pixels: Pixels, share: float) -> Pixels:
    """Someone walks by between lamp and table."""
    middle = -300 + 1900 * share
    across = np.arange(pixels.shape[1], dtype=np.float32)
    light = 1 - 0.5 / (1 + np.exp(((np.abs(across - middle) - 200) / 20).clip(-30, 30)))
    return np.asarray((pixels * light[None, :, None]).astype(np.uint8))


def marker(number: int, how: str) -> Change:
    x, y = MARKERS[number]

    def spoilt(pixels: Pixels, share: float) -> Pixels:
        if not share:
            return pixels
        pixels = pixels.copy()
        patch = pixels[y - 44 : y + 44, x - 44 : x + 44]
        wood = np.full_like(patch, (100, 140, 175))
        patch[:] = {
            "missing": wood,
            "covered": np.hstack([patch[:, :44], wood[:, 44:]]),
            "tilted": np.vstack([cv2.resize(patch, (88, 62), interpolation=cv2.INTER_AREA), wood[62:]]),
        }[how]
        return pixels

    return spoilt


def lying(observation: Observation) -> list[tuple[object, ...]]:
    """What the referee goes by: numbers, zones, faces, throws."""
    return [
        (die.number, die.zone, die.thrown, die.reading.kind, die.reading.face, die.reading.accepted)
        for die in observation.dice
    ]


def over(frames: int) -> list[float]:
    return [(frame + 1) / frames for frame in range(frames)]


LAMPS = [
    *[lamp(gain) for gain in (0.35, 0.6, 1.6, 2.5)],
    lamp(0.7, (0.6, 0.95, 1.25)),
    lamp(1.0, (1.3, 1.0, 0.75)),
]


@pytest.mark.parametrize("frames", [SUDDENLY, OVER_A_SECOND])
@pytest.mark.parametrize("change", LAMPS, ids=["out", "dimmer", "brighter", "glaring", "candle", "daylight"])
def test_a_lamp_counts_no_throw_and_moves_no_die(game: Game, change: Change, frames: int) -> None:
    for shares in ([*over(frames), *[1.0] * LATER], [*[1 - share for share in over(frames)], *[0.0] * LATER]):
        seen = game.show(change, shares)
        assert {observation.throw for observation in seen} == {game.before.throw}
        assert {tuple(lying(observation)) for observation in seen} == {tuple(lying(game.before))}
        assert not any(observation.hands_in for observation in seen[frames:])
        assert seen[-1].at_rest
        assert SCENE_CHANGED not in seen[-1].doubts


def test_a_lamp_that_changes_is_said_and_then_forgotten(game: Game) -> None:
    seen = game.show(lamp(0.4), [1.0] * LATER)
    assert seen[0].doubts == (SCENE_CHANGED,)
    assert not seen[0].at_rest
    assert seen[-1].doubts == ()


def test_a_room_too_dark_to_read_is_said_and_the_dice_are_kept(game: Game) -> None:
    for _ in range(2):
        dark = game.show(lamp(0.12), [1.0] * 20)
        assert game.pipeline.fault is FeedFault.DARK
        assert lying(dark[-1]) == lying(game.before)
        assert not dark[-1].at_rest
        light = game.show(_nothing, [0.0] * LATER)
        assert game.pipeline.fault is None
        assert (light[-1].throw, lying(light[-1]), light[-1].at_rest) == (game.before.throw, lying(game.before), True)


def test_a_shadow_that_passes_over_the_tray_moves_nothing(game: Game) -> None:
    passing = game.show(shadow, over(2 * OVER_A_SECOND))
    after = game.show(_nothing, [0.0] * LATER)
    assert {tuple(lying(observation)) for observation in (*passing, *after)} == {tuple(lying(game.before))}
    assert not any(observation.hands_in for observation in after)
    assert sum(observation.hands_in for observation in passing) <= 6
    assert (after[-1].throw, after[-1].at_rest, after[-1].doubts) == (game.before.throw, True, ())


@pytest.mark.parametrize(
    ("change", "frames"),
    [
        (jolt(5, 0, 0), 1),
        (jolt(-12, 9, 1), 1),
        (jolt(-12, 9, 1), 5),
        (jolt(40, -20, 2), 1),
        (jolt(40, -20, 2), 5),
        (jolt(-25, -35, -3), 5),
    ],
)
def test_a_jolt_to_the_camera_moves_no_die_and_is_said_while_it_lasts(game: Game, change: Change, frames: int) -> None:
    seen = game.show(change, [*over(frames), *[1.0] * LATER])
    assert any(observation.doubts == (SCENE_CHANGED,) and not observation.at_rest for observation in seen[:frames])
    assert {tuple(lying(observation)) for observation in seen} == {tuple(lying(game.before))}
    assert (seen[-1].throw, seen[-1].at_rest, seen[-1].doubts) == (game.before.throw, True, ())
    assert game.pipeline.calibration is not None
    mm = [(die.reading.sighting.x_mm, die.reading.sighting.y_mm) for die in seen[-1].dice]
    assert mm == [pytest.approx(_place(die), abs=1.5) for die in game.before.dice]


def test_a_drift_of_the_camera_too_slow_to_be_seen_moves_no_die(game: Game) -> None:
    seen = game.show(jolt(5, 0, 0.2), [*over(OVER_A_SECOND), *[1.0] * LATER])
    assert {tuple(lying(observation)) for observation in seen} == {tuple(lying(game.before))}
    assert (seen[-1].throw, seen[-1].at_rest) == (game.before.throw, True)


def _place(die: TrackedDie) -> tuple[float, float]:
    return die.reading.sighting.x_mm, die.reading.sighting.y_mm


@pytest.mark.parametrize(("number", "corner"), [(0, "top left"), (2, "bottom right")])
@pytest.mark.parametrize("how", ["missing", "covered", "tilted"])
def test_a_marker_that_is_not_seen_whole_is_named_until_it_is(game: Game, how: str, number: int, corner: str) -> None:
    seen = game.show(marker(number, how), [1.0] * LATER)
    (doubt,) = seen[-1].doubts
    assert f"Marker {number} ({corner})" in doubt
    assert (seen[-1].throw, lying(seen[-1]), seen[-1].at_rest) == (game.before.throw, lying(game.before), True)
    free = game.show(_nothing, [0.0] * LATER)
    assert (free[-1].throw, lying(free[-1]), free[-1].doubts) == (game.before.throw, lying(game.before), ())


def test_a_tray_that_is_known_by_taps_goes_through_lamps_and_jolts_and_says_when_it_is_lost(
    models: LoadedModels, table: list[Pixels]
) -> None:
    size = table[0].shape[1], table[0].shape[0]
    corners = [(x / size[0], y / size[1]) for x, y in MARKERS]
    tapped = TappedTray((corners[0], corners[1], corners[2], corners[3]), size, TrayEdge.of(table[0], corners))
    layout = TrayLayout.by_taps(300.0, 225.0, tapped)
    game = Game(models.pipeline(VirtualTray("intersection").die_set, layout), table)
    assert game.before.calibrated
    for change in (lamp(1.6), jolt(8.0, 5.0, 0.3)):
        after = game.show(change, [1.0] * LATER)[-1]
        assert after.calibrated
        assert lying(after) == lying(game.before)
    lost = game.show(jolt(90.0, 40.0, 0.0), [1.0] * LATER)[-1]
    assert (lost.calibrated, lost.doubts, lying(lost)) == (False, (TRAY_MOVED,), lying(game.before))
    back = game.show(_nothing, [0.0] * LATER)[-1]
    assert (back.calibrated, back.throw, lying(back)) == (True, game.before.throw, lying(game.before))
    assert TRAY_MOVED not in back.doubts
