"""What people are shown of a frame: the tray, with dice that fell out of it, and nothing of the room."""

from __future__ import annotations

from threading import Thread

import cv2
import numpy as np
import pytest
from painted import LAYOUT, Piece, paint

from vision.frame_reader import CameraPicture, is_cut
from vision.frames import Frame
from vision.image_io import add_comment, decode_picture, encode_jpeg, has_comment
from vision.rectification import GREY, MARGIN_MM, tray_outline
from vision.tray_calibration import Calibration, calibrate
from vision.tray_markers import MARKERS

ROOM = (255, 0, 255)
"""The colour of everything but the table."""


def in_room(*pieces: Piece, hidden: tuple[int, ...] = (), left: int = 320, top: int = 240) -> Frame:
    """A tray that takes a quarter of the picture, in a room of one colour."""
    pixels = np.full((960, 1280, 3), ROOM, np.uint8)
    pixels[top : top + 480, left : left + 640] = paint(pieces, hidden=hidden, size=(640, 480))
    return Frame(pixels, 1, 0.0)


def calibration_of(frame: Frame) -> Calibration:
    found = calibrate(frame, LAYOUT)
    assert found is not None
    return found


def share_of_room(jpeg: bytes) -> float:
    """The share of a picture that has the room's colour, or nearly so."""
    off = np.abs(decode_picture(jpeg).astype(int) - ROOM).max(axis=2)
    return float((off < 60).mean())


def cut_of(picture: CameraPicture) -> bytes:
    jpeg = picture.tray_jpeg()
    assert jpeg is not None
    return jpeg


def test_the_tray_is_shown_and_the_room_is_not() -> None:
    frame = in_room()
    picture = CameraPicture(frame, LAYOUT)
    assert share_of_room(picture.whole_jpeg()) > 0.6
    cut = decode_picture(cut_of(picture))
    outline = tray_outline(calibration_of(frame), MARGIN_MM)
    assert cut.shape[1] <= np.ptp(outline[:, 0]) + 2
    assert cut.shape[0] <= np.ptp(outline[:, 1]) + 2
    assert cut.size < frame.pixels.size / 2


def test_the_corners_of_the_cut_that_are_room_are_grey() -> None:
    frame = in_room()
    before = np.array([[320, 240], [960, 240], [960, 720], [320, 720]], np.float32)
    after = np.array([[420, 240], [860, 260], [1000, 720], [280, 740]], np.float32)
    tilted = cv2.warpPerspective(
        frame.pixels, cv2.getPerspectiveTransform(before, after), (1280, 960), borderValue=ROOM
    )
    cut = cut_of(CameraPicture(Frame(np.asarray(tilted, np.uint8), 1, 0.0), LAYOUT))
    pixels = decode_picture(cut)
    assert np.allclose(pixels[3, 3], GREY, atol=12)
    assert np.allclose(pixels[3, -4], GREY, atol=12)


def test_a_die_that_fell_out_of_the_tray_is_evidence() -> None:
    pixels = decode_picture(cut_of(CameraPicture(in_room(Piece(-30, 100, "happy")), LAYOUT)))
    red = (pixels[..., 2] > 150) & (pixels[..., 0] < 110) & (pixels[..., 1] < 110)
    assert red.sum() > 200


@pytest.mark.parametrize("known", [True, False])
def test_a_frame_without_a_marker_shows_nothing(known: bool) -> None:
    last = calibration_of(in_room()) if known else None
    assert CameraPicture(in_room(hidden=MARKERS), LAYOUT, last).tray_jpeg() is None
    black = Frame(np.zeros((960, 1280, 3), np.uint8), 1, 0.0)
    assert CameraPicture(black, LAYOUT, last).tray_jpeg() is None


def test_a_covered_marker_hides_nothing_where_the_tray_was_known() -> None:
    frame = in_room(hidden=(2,))
    assert CameraPicture(frame, LAYOUT).tray_jpeg() is None
    assert CameraPicture(frame, LAYOUT, calibration_of(in_room())).tray_jpeg() is not None


def test_a_camera_that_was_pushed_shows_the_tray_where_it_is_now() -> None:
    last = calibration_of(in_room())
    pushed = CameraPicture(in_room(left=60, top=50), LAYOUT, last)
    assert decode_picture(cut_of(pushed)).shape == decode_picture(cut_of(CameraPicture(in_room(), LAYOUT))).shape
    straight = CameraPicture(in_room(left=60, top=50), LAYOUT)
    assert cut_of(pushed) == cut_of(straight)


def test_a_cut_picture_says_so_and_an_uncut_one_does_not() -> None:
    picture = CameraPicture(in_room(), LAYOUT)
    assert is_cut(cut_of(picture))
    assert not is_cut(picture.whole_jpeg())
    for other in (b"", b"\xff\xd8", b"not a picture"):
        assert not is_cut(other)


def test_the_tray_is_found_in_a_cut_picture_too() -> None:
    pixels = decode_picture(cut_of(CameraPicture(in_room(), LAYOUT)))
    assert calibrate(Frame(pixels, 1, 0.0), LAYOUT) is not None


def test_a_comment_leaves_the_picture_as_it_is() -> None:
    jpeg = encode_jpeg(paint())
    commented = add_comment(jpeg, b"one thing")
    assert has_comment(commented, b"one thing")
    assert not has_comment(commented, b"another")
    assert not has_comment(jpeg, b"one thing")
    assert np.array_equal(decode_picture(commented), decode_picture(jpeg))


def test_a_crowd_that_asks_for_a_frame_has_it_made_once() -> None:
    picture, made = CameraPicture(in_room(), LAYOUT), list[bytes]()
    crowd = [Thread(target=lambda: made.append(cut_of(picture))) for _ in range(20)]
    for one in crowd:
        one.start()
    for one in crowd:
        one.join()
    assert len(made) == 20
    assert all(jpeg is made[0] for jpeg in made)
