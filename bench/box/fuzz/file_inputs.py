"""The inputs through which files of strangers come in. Each takes any bytes, and lets out only what can be said.

An input raises nothing for bad input, since what can be said in a sentence ends here; all else that comes out is a
finding.
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import struct
import tempfile
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from models import die_sets
from models.dataset import ImportOptions, SampleStore, import_export
from models.die_sets import DieSetCatalog
from referee.game import begin
from referee.games import games
from referee.record_parser import parse_record
from vander import backup
from vander.access.devices import DeviceStore
from vander.cli import check, journal_commands, learning_commands, tray_commands
from vander.cli.journal_commands import import_game
from vander.extras.players.exports import export_game
from vander.learning.accuracy import AccuracyLog
from vander.resources import game_catalog
from vander.storage import settings
from vander.storage.journal_store import Journal
from vander.storage.preferences import PreferenceStore
from vision.image_io import load_picture

HOUSE = Path(__file__).parents[3]
SAID = tuple(
    error
    for command in (check, journal_commands, learning_commands, tray_commands)
    for error in command.EXPECTED_ERRORS
)
FORMS = ("coco", "yolo", "faces")
PARTING = b"\n=====\n"
"""Between the members of an archive, as the fuzzer writes one."""
MOST_GAMES = 300
"""A journal with so many imported games is put away for a new one."""
FAST = Path("/dev/shm")  # noqa: S108  # where nothing is ever synced to a disk


@dataclass(frozen=True)
class FileInput:
    """Somewhere that a file of a stranger comes in. `takes` gives True where the file was taken for good.

    No file is longer than `longest` bytes.
    """

    takes: Callable[[bytes, Path], bool]
    seeds: Callable[[], Iterable[bytes]]
    longest: int


@contextmanager
def scratch() -> Iterator[Path]:
    """A new folder, in memory where there is one for that."""
    folder = Path(tempfile.mkdtemp(prefix="vander-fuzz-", dir=FAST if FAST.is_dir() else None))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


# Game records


class _Records:
    """`vander check` and `vander import`: what is imported must come out again as it went in."""

    def __init__(self) -> None:
        self._journal = Journal("sqlite://")
        self._games = games()
        self._imported = 0

    def takes(self, contents: bytes, folder: Path) -> bool:
        path = folder / "record.txt"
        path.write_bytes(contents)
        for as_json in (False, True):
            with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
                status = check.check_all([str(path)], (), as_json)
        if status == check.UNREADABLE:
            return False
        try:
            kept, _ = import_game(self._journal, str(path), self._games)
        except SAID:
            return False
        parse_record(export_game(self._journal, self._games, kept.number))
        self._imported += 1
        if self._imported % MOST_GAMES == 0:
            self._journal.close()
            self._journal = Journal("sqlite://")
        return True


def _record_seeds() -> Iterator[bytes]:
    pages = [*(HOUSE / "docs").rglob("*.md"), HOUSE / "README.md"]
    for page in pages:
        yield from (block.encode() for block in re.findall(r"```record\n(.*?)```", page.read_text("utf-8"), re.DOTALL))
    for test in (HOUSE / "tests").rglob("test_*record*.py"):
        texts = re.findall(r'"""\\?\n?(vander[^"]*|game:[^"]*)"""', test.read_text("utf-8"))
        yield from (text.encode() for text in texts)
    for path in sorted((HOUSE / "tests/referee/golden").glob("*.txt"))[:12]:
        yield path.read_bytes()


# Pictures


def _picture(contents: bytes, folder: Path) -> bool:
    path = folder / "picture"
    path.write_bytes(contents)
    try:
        return load_picture(path).ndim == 3
    except SAID:
        return False


def _drawn() -> list[bytes]:
    """A small picture in each form that is read, and a grey and a see-through one."""
    pixels = np.zeros((40, 48, 3), np.uint8)
    cv2.rectangle(pixels, (8, 8), (30, 30), (230, 240, 240), -1)
    cv2.circle(pixels, (19, 19), 4, (0, 0, 0), -1)
    see_through = np.dstack([pixels, np.full((40, 48), 128, np.uint8)])
    made = [cv2.imencode(kind, pixels)[1].tobytes() for kind in (".png", ".jpg", ".webp", ".bmp")]
    made += [cv2.imencode(".webp", pixels, [cv2.IMWRITE_WEBP_QUALITY, 101])[1].tobytes()]
    made += [cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])[1].tobytes()]
    made += [cv2.imencode(".png", pixels[:, :, 0])[1].tobytes(), cv2.imencode(".png", see_through)[1].tobytes()]
    return [*made, _turned(made[1])]


def _turned(jpeg: bytes) -> bytes:
    """The JPEG with an Exif heading that says it lies on its side."""
    entry = struct.pack("<HHIHH", 0x0112, 3, 1, 6, 0)
    exif = b"Exif\0\0II*\0\x08\0\0\0\x01\0" + entry + b"\0\0\0\0"
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + jpeg[2:]


def _chunk(kind: bytes, contents: bytes) -> bytes:
    return struct.pack(">I", len(contents)) + kind + contents + struct.pack(">I", zlib.crc32(kind + contents))


def _odd_pictures() -> Iterator[bytes]:
    """Pictures that say they are larger, deeper or longer than they are."""
    for width, height, depth, colours in (
        (2**31 - 1, 2, 8, 2),
        (33, 2**31 - 1, 16, 6),
        (40, 40, 1, 3),
        (7000, 7000, 8, 0),
    ):
        heading = struct.pack(">IIBBBBB", width, height, depth, colours, 0, 0, 0)
        parts = _chunk(b"IHDR", heading) + _chunk(b"IDAT", zlib.compress(bytes(5000))) + _chunk(b"IEND", b"")
        yield b"\x89PNG\r\n\x1a\n" + parts
    yield b"RIFF\x1a\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff"


# Archives of captured dice


def _archive(contents: bytes, folder: Path) -> bool:
    """The first byte says the form; a zip follows as it is, or its members in plain words (see `_packed`)."""
    form, rest = FORMS[contents[0] % len(FORMS)] if contents else "coco", contents[1:]
    path = folder / "dice.zip"
    path.write_bytes(rest if rest.startswith(b"PK") else _packed(rest))
    there = folder / "captured"
    try:
        return bool(import_export.import_dataset(SampleStore(there), path, form, ImportOptions(die_set="theirs")).taken)
    except SAID:
        return False
    finally:
        shutil.rmtree(there, ignore_errors=True)


def _packed(text: bytes) -> bytes:
    """A zip of members that are parted by PARTING, each a line with its name and then what it holds.

    `@3` stands for the third picture of `_drawn`: so the fuzzer need not invent pictures.
    """
    packed, pictures = io.BytesIO(), _PICTURES
    with warnings.catch_warnings(action="ignore"), zipfile.ZipFile(packed, "w") as archive:
        for member in text.split(PARTING)[:40]:
            name, _, contents = member.partition(b"\n")
            found = re.fullmatch(rb"@(\d)", contents.strip())
            entry = zipfile.ZipInfo(name.decode("utf-8", "replace")[:200] or "nameless")
            archive.writestr(entry, pictures[int(found[1]) % len(pictures)] if found else contents)
    return packed.getvalue()


_PICTURES = _drawn()


def _archive_seeds() -> Iterator[bytes]:
    box, size = [8, 8, 22, 22], {"width": 48, "height": 40}
    coco = {
        "images": [{"id": 1, "file_name": "a.png", **size}, {"id": 2, "file_name": "b.jpg", **size}],
        "annotations": [
            {"id": 1, "image_id": 1, "category_id": 1, "bbox": box, "area": 484, "iscrowd": 0},
            {"id": 2, "image_id": 2, "category_id": 2, "bbox": box, "segmentation": [[8, 8, 30, 8, 30, 30, 8, 30]]},
        ],
        "categories": [{"id": 1, "name": "d6:pip-1"}, {"id": 2, "name": "pip-2", "supercategory": "d6"}],
    }
    told = json.dumps(coco).encode()
    yield b"\0_annotations.coco.json\n" + told + PARTING + b"a.png\n@0" + PARTING + b"b.jpg\n@1"
    yield b"\0train/_annotations.coco.json\n" + told + PARTING + b"train/a.png\n@2" + PARTING + b"train/b.jpg\n@8"
    data = b"names: [pip-1, pip-2]\ntrain: images/train\nval: images/val\n"
    row = b"0 0.4 0.47 0.45 0.55\n1 0.4 0.47 0.45 0.55\n"
    images = b"images/train/a.png\n@0" + PARTING + b"images/val/b.jpg\n@1"
    labels = b"labels/train/a.txt\n" + row + PARTING + b"labels/val/b.txt\n" + row
    yield b"\x01data.yaml\n" + data + PARTING + images + PARTING + labels
    turned = b"0 0.1 0.2 0.6 0.2 0.6 0.7 0.1 0.7\n"
    yield b"\x01data.yaml\nnames:\n  0: pip-1\n" + PARTING + b"images/a.png\n@0" + PARTING + b"labels/a.txt\n" + turned
    yield b"\x02d6/pip-1/a.png\n@0" + PARTING + b"d6/pip-2/b.jpg\n@1" + PARTING + b"d6/pip-2/c.webp\n@2"
    yield b"\x02pip-1/a.png\n@0" + PARTING + b"pip-2/b.jpg\n@1"
    yield b"\x02" + _packed(b"d6/pip-1/a.png\n@0")
    yield from _put_out()


def _put_out() -> Iterator[bytes]:
    """What Vander itself puts out, in each form, as the fuzzer writes archives and as the zip that it is."""
    from tests.models.dataset.dataset_scenes import a_set  # it is a test's own, and large

    with tempfile.TemporaryDirectory() as place:
        collection = SampleStore(Path(place) / "captured")
        a_set(collection, throws=1)
        for number, form in enumerate(FORMS):
            packed = Path(place) / f"{form}.zip"
            import_export.export_dataset(SampleStore(Path(place) / "captured"), packed, form)
            with zipfile.ZipFile(packed) as archive:
                members = [(name, archive.read(name)) for name in archive.namelist() if not name.endswith("/")]
            yield bytes([number]) + PARTING.join(_in_words(name, contents) for name, contents in members)
            yield bytes([number]) + packed.read_bytes()


def _in_words(name: str, contents: bytes) -> bytes:
    is_picture = contents[:4] in (b"\x89PNG", b"\xff\xd8\xff\xe0")
    return name.encode() + b"\n" + (b"@0" if is_picture else contents)


# Settings, and what else lies in the data folder


def _kept_file(contents: bytes, folder: Path) -> bool:
    """The first byte says which file of the data folder the rest is."""
    if not contents:
        return False
    kind = KEPT_FILES[contents[0] % len(KEPT_FILES)]
    there = folder / "data"
    there.mkdir()
    try:
        return kind(contents[1:], there)
    except SAID:
        return False
    finally:
        shutil.rmtree(there, ignore_errors=True)
        shutil.rmtree(there.with_name("data.before"), ignore_errors=True)


def _settings(contents: bytes, there: Path) -> bool:
    (there / "settings.toml").write_bytes(contents)
    found = settings.load(data_dir=there)
    return found.port > 0


def _sheet(contents: bytes, there: Path) -> bool:
    path = there / "theirs.toml"
    path.write_bytes(contents)
    fair = next(
        game for game in game_catalog.games_with_sheets({"theirs": game_catalog.read_sheet(path)}) if game.on_sheets
    )
    theirs = next(option for option in fair.options if option.name == "sheet").readings[-1][0]
    state = begin(fair, ["Ann", "Bob"], die_sets.load(fair.die_set or "d6"), {"sheet": theirs})
    return bool(fair.boards(state)) and bool(fair.legal(state))


def _die_set(contents: bytes, there: Path) -> bool:
    (there / "theirs.toml").write_bytes(contents)
    shelf = DieSetCatalog(there)
    return all(shelf.load(name).counts for name in shelf.own)


def _choices(contents: bytes, there: Path) -> bool:
    (there / "choices.toml").write_bytes(contents)
    return PreferenceStore(there).current.quota_mb > 0


def _certificate(contents: bytes, there: Path) -> bool:
    (there / "certificate.jsonl").write_bytes(contents)
    with closing(AccuracyLog(there)) as kept:
        return bool(kept.summarize().sentence)


def _guests(contents: bytes, there: Path) -> bool:
    (there / "tablets.json").write_bytes(contents)
    return not DeviceStore(there).read()[1]


def _backup(contents: bytes, there: Path) -> bool:
    archive = there.with_name("backup.zip")
    archive.write_bytes(contents if contents.startswith(b"PK") else _packed(contents))
    return bool(backup.restore_backup(there, archive))


def _journal(contents: bytes, there: Path) -> bool:
    (there / "journal.sqlite").write_bytes(contents)
    with closing(Journal.in_folder(there)) as journal:
        return all(journal.entries(game.number) is not None for game in journal.games())


KEPT_FILES = (_settings, _sheet, _die_set, _choices, _certificate, _guests, _backup, _journal)


def _kept_seeds() -> Iterator[bytes]:
    yield b"\0" + b'port = 8081\nhost = "0.0.0.0"\ncamera = "virtual"\ngame = "rollers"\nbay = false\npause_s = 1.5\n'
    yield b"\0" + b'tray_width_mm = 310.5\ntray_height_mm = 222\nbutton_pin = 17\nlamp_pins = "5,6,13"\n'
    sheets = [(HOUSE / "referee/games/dice_county_fair/county.toml").read_bytes()]
    sheets += [
        block.encode() for block in re.findall(r"```toml\n(.*?)```", (HOUSE / "docs/sheets.md").read_text(), re.DOTALL)
    ]
    yield from (b"\x01" + sheet for sheet in sheets)
    for path in sorted((HOUSE / "models/die_sets").glob("*.toml")):
        yield b"\x02" + path.read_bytes().replace(path.stem.encode(), b"theirs", 1)
    yield b"\x03" + b"# What was chosen on the page.\nkeep_play = true\nquota_mb = 200\ncheck_one_in = 10\n"
    yield b"\x04" + b'{"throws": 5, "read": 30, "asked": 1, "checks": 1, "clean": 1, "checked": 6, "right": 6}\n'
    guest = {"number": 1, "name": "Tablet", "role": "keeper", "digest": "0" * 64, "paired_on": "2026-11-21"}
    yield b"\x05" + json.dumps({"format": 1, "last": 1, "guests": [guest]}).encode()
    yield from (b"\x06" + packed for packed in _backups())
    with tempfile.TemporaryDirectory() as place:
        with closing(Journal.in_folder(Path(place))) as journal:
            journal.begin("dice", ["Ann", "Bob"], {}, "d6")
        yield b"\x07" + (Path(place) / "journal.sqlite").read_bytes()


def _backups() -> Iterator[bytes]:
    with tempfile.TemporaryDirectory() as place:
        data, packed = Path(place) / "data", Path(place) / "backup.zip"
        data.mkdir()
        (data / "choices.toml").write_text("quota_mb = 200\n")
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            backup.create_backup(data, packed)
        yield packed.read_bytes()
        with zipfile.ZipFile(packed) as archive:
            yield PARTING.join(name.encode() + b"\n" + archive.read(name) for name in archive.namelist())


INPUTS = {
    "records": FileInput(_Records().takes, _record_seeds, 6_000),
    "pictures": FileInput(_picture, lambda: [*_drawn(), *_odd_pictures()], 8_000),
    "archives": FileInput(_archive, _archive_seeds, 12_000),
    "kept": FileInput(_kept_file, _kept_seeds, 20_000),
}


def without_wishes() -> None:
    """Forget what the environment wishes of the settings, so that only the file speaks."""
    for name in [name for name in os.environ if name.startswith(settings.PREFIX)]:
        del os.environ[name]
