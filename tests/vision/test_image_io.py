"""Pictures from files: what is loaded, and what is refused with one sentence."""

import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image, ImageOps

from vision.image_io import BadPicture, load_picture, stored_orientation


@pytest.fixture
def picture() -> np.ndarray:
    return np.random.default_rng(3).integers(0, 255, (60, 80, 3), np.uint8)


def save(path: Path, picture: np.ndarray) -> Path:
    assert cv2.imwrite(str(path), picture)
    return path


def fault(path: Path) -> str:
    with pytest.raises(BadPicture) as refused:
        load_picture(path)
    sentence = str(refused.value)
    assert str(path) in sentence
    assert "\n" not in sentence
    return sentence


@pytest.mark.parametrize("suffix", ["png", "bmp"])
def test_a_lossless_picture_comes_back_as_it_was(tmp_path: Path, picture: np.ndarray, suffix: str) -> None:
    assert np.array_equal(load_picture(save(tmp_path / f"tray.{suffix}", picture)), picture)


@pytest.mark.parametrize("suffix", ["jpg", "webp"])
def test_a_lossy_picture_has_its_size(tmp_path: Path, picture: np.ndarray, suffix: str) -> None:
    assert load_picture(save(tmp_path / f"tray.{suffix}", picture)).shape == (60, 80, 3)


def test_a_lossless_webp_is_read(tmp_path: Path, picture: np.ndarray) -> None:
    path = tmp_path / "tray.webp"
    assert cv2.imwrite(str(path), picture, [cv2.IMWRITE_WEBP_QUALITY, 101])
    assert np.array_equal(load_picture(path), picture)


def test_a_progressive_jpeg_is_read(tmp_path: Path, picture: np.ndarray) -> None:
    path = tmp_path / "tray.jpg"
    assert cv2.imwrite(str(path), picture, [cv2.IMWRITE_JPEG_PROGRESSIVE, 1, cv2.IMWRITE_JPEG_RST_INTERVAL, 2])
    assert load_picture(path).shape == (60, 80, 3)


def test_a_grey_picture_becomes_blue_green_red(tmp_path: Path, picture: np.ndarray) -> None:
    assert load_picture(save(tmp_path / "grey.png", picture[:, :, 0])).shape == (60, 80, 3)


@pytest.mark.parametrize("suffix", ["jpg", "png", "bmp", "webp"])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_truncated_picture_is_refused(tmp_path: Path, picture: np.ndarray, suffix: str, share: float) -> None:
    path = save(tmp_path / f"tray.{suffix}", picture)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share)])
    assert "cut short" in fault(path)


def test_a_jpeg_cut_behind_its_embedded_thumbnail_is_refused(tmp_path: Path, picture: np.ndarray) -> None:
    path = save(tmp_path / "tray.jpg", picture)
    whole = path.read_bytes()
    thumbnail = b"\xff\xd8thumbnail\xff\xd9"
    segment = b"\xff\xe1" + struct.pack(">H", len(thumbnail) + 2) + thumbnail
    path.write_bytes(whole[:2] + segment + whole[2:])
    assert load_picture(path).shape == (60, 80, 3)
    path.write_bytes(whole[:2] + segment + whole[2 : len(whole) // 2])
    assert "cut short" in fault(path)


@pytest.mark.parametrize("form", ["PNG", "WEBP"])
@pytest.mark.parametrize("orientation", [*range(9), 77])
def test_a_picture_is_turned_upright_as_its_exif_data_says(
    tmp_path: Path, picture: np.ndarray, orientation: int, form: str
) -> None:
    """What Pillow makes of it."""
    exif = Image.Exif()
    exif[0x0112] = orientation
    Image.fromarray(picture).save(tmp_path / "tray", form, exif=exif, lossless=True)
    with Image.open(tmp_path / "tray") as stored:
        upright = np.asarray(ImageOps.exif_transpose(stored).convert("RGB"))
    assert np.array_equal(load_picture(tmp_path / "tray"), upright[:, :, ::-1])
    assert stored_orientation(tmp_path / "tray") == (orientation if orientation in range(1, 9) else 1)


def test_exif_data_that_cannot_be_read_turns_nothing(tmp_path: Path, picture: np.ndarray) -> None:
    Image.fromarray(picture).save(tmp_path / "tray", "PNG", exif=b"Exif\0\0II*\0" + b"\xff" * 30)
    assert np.array_equal(load_picture(tmp_path / "tray"), picture[:, :, ::-1])


def test_a_missing_picture_is_named(tmp_path: Path) -> None:
    assert "does not exist" in fault(tmp_path / "nowhere.jpg")


def test_a_folder_is_no_picture(tmp_path: Path) -> None:
    assert "no file" in fault(tmp_path)


def test_a_text_named_jpg_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.jpg"
    path.write_text("three sixes and a star")
    assert "no JPEG, PNG, WebP or BMP" in fault(path)


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "nothing.png"
    path.touch()
    assert "is empty" in fault(path)


def test_a_place_of_one_pixel_is_refused(tmp_path: Path) -> None:
    assert "1 x 1" in fault(save(tmp_path / "dot.png", np.zeros((1, 1, 3), np.uint8)))


def chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def test_a_picture_bomb_is_refused_by_its_heading(tmp_path: Path) -> None:
    path = tmp_path / "bomb.png"
    heading = struct.pack(">IIBBBBB", 10_000, 10_000, 8, 2, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", heading) + chunk(b"IDAT", b"x") + chunk(b"IEND", b""))
    assert "10000 x 10000" in fault(path)


def test_a_damaged_picture_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "damaged.png"
    heading = struct.pack(">IIBBBBB", 64, 64, 8, 2, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", heading) + chunk(b"IEND", b""))
    assert "damaged" in fault(path)
