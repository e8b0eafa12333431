"""What other programs send: archives checked before they are opened, boxes, annotations, and names of labels."""

from __future__ import annotations

import math
import os
import re
import stat
import unicodedata
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from models.atomic_files import is_plain
from models.dataset.samples import ExchangeError, Sample, quoted
from vision.rectification import RotatedSquare

MOST_RATIO = 200
"""The largest compression ratio of a file: pictures and text stay far below it, zip bombs go far beyond."""
SMALL = 1_000_000
"""Bytes up to which a file may have any ratio."""
DEEPEST = 16

PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".bmp")
TEXTS = (".json", ".jsonl", ".txt", ".xml", ".yaml", ".yml", ".names", ".labels")

_DEVICE = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
_CHUNK = 1 << 20


@dataclass(frozen=True)
class ImportLimits:
    """The most that is imported at once: files, bytes of all of them, and bytes of one text."""

    files: int = 100_000
    total: int = 4_000_000_000
    text: int = 100_000_000


LIMITS = ImportLimits()


@dataclass(frozen=True)
class FileTree:
    """The pictures and texts of a folder or zip by name, such as `data/x.jpg`; nothing else is ever opened.

    Names are `composed`.
    """

    name: str
    files: Mapping[str, Path]
    limits: ImportLimits = LIMITS

    def named(self, *endings: str) -> dict[str, Path]:
        return {name: path for name, path in self.files.items() if name.lower().endswith(endings)}

    def text(self, name: str) -> str:
        """Return the contents of a text file. Raises ExchangeError."""
        path = self.files[name]
        if path.stat().st_size > self.limits.text:
            raise ExchangeError(f"{quoted(name)} has more than {self.limits.text / 1e6:g} megabytes")
        try:
            return path.read_text("utf-8-sig")
        except (UnicodeDecodeError, OSError):
            raise ExchangeError(f"{quoted(name)} cannot be read as text") from None


def composed(name: str) -> str:
    """Return a name with each letter and its marks as one sign: systems write the "ü" of the same file in two ways."""
    return unicodedata.normalize("NFC", name)


def open_tree(path: Path, unpack_to: Path, limits: ImportLimits = LIMITS) -> FileTree:
    """Open a folder, or a zip, which is unpacked into `unpack_to`. Raises ExchangeError and OSError.

    Refused are names that lead out of it, links, encrypted and special files, and whatever exceeds the limits.
    """
    if path.is_dir():
        return FileTree(path.name, _listed(path, limits), limits)
    if not path.is_file():
        raise ExchangeError(f"{path} does not exist; give a folder or a zip")
    with _zip(path) as archive:
        entries = _checked(archive, path, limits)
        unpack_to.mkdir(parents=True, exist_ok=True)
        places = {name: unpack_to / f"{n:06d}{PurePosixPath(name).suffix.lower()}" for n, name in enumerate(entries)}
        for name, place in places.items():
            _unpack(archive, entries[name], place)
    return FileTree(path.name, places, limits)


def _listed(folder: Path, limits: ImportLimits) -> dict[str, Path]:
    found: dict[str, Path] = {}
    total = 0
    for inner, folders, names in os.walk(folder, onerror=_unreadable):
        here = Path(inner)
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__MACOSX")))
        for name in [*folders, *sorted(names)]:
            if (here / name).is_symlink():
                raise ExchangeError(
                    f"{quoted(str((here / name).relative_to(folder)))} is a link; give the files themselves"
                )
        for path in (here / name for name in sorted(names) if is_wanted(name)):
            name = composed(path.relative_to(folder).as_posix())
            if name in found:
                raise ExchangeError(f"{folder} holds {quoted(name)} twice")
            found[name] = path
            total += path.stat().st_size
        _check_amount(len(found), total, folder, limits)
    return found


def _unreadable(error: OSError) -> None:
    raise ExchangeError(f"{error.filename} cannot be read: {error.strerror}")


@contextmanager
def _zip(path: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, UnicodeDecodeError, ValueError) as error:
        if isinstance(error, ExchangeError):
            raise
        raise ExchangeError(f"{path} is no zip, or damaged; give a folder or a zip") from None


def _checked(archive: zipfile.ZipFile, path: Path, limits: ImportLimits) -> dict[str, zipfile.ZipInfo]:
    """Return the wanted entries by name, after all entries have been checked."""
    entries: dict[str, zipfile.ZipInfo] = {}
    whole = [entry for entry in archive.infolist() if not _is_folder(entry)]
    for entry in archive.infolist():
        name = _checked_name(entry.filename, path)
        _check_entry(entry, path)
        if name in entries:
            raise ExchangeError(f"{path} holds {quoted(name)} twice")
        if is_wanted(PurePosixPath(name).name) and not _is_folder(entry) and not name.startswith("__MACOSX/"):
            entries[name] = entry
    _check_amount(len(whole), sum(entry.file_size for entry in whole), path, limits)
    return entries


def _is_folder(entry: zipfile.ZipInfo) -> bool:
    return entry.filename.endswith("/")  # Python 3.11's own is_dir fails for an entry without a name


def is_wanted(name: str) -> bool:
    """True if a file of that name is opened at all."""
    return name.lower().endswith((*PICTURES, *TEXTS)) and not name.startswith(".")


def _checked_name(name: str, path: Path) -> str:
    parts = composed(name).replace("\\", "/").removesuffix("/").split("/")
    if any(not part.isprintable() for part in parts) or len(name) > 500 or len(parts) > DEEPEST:
        raise ExchangeError(f"{path} holds a file with an impossible name, {quoted(name)}")
    if any(part in ("", ".", "..") or ":" in part or _DEVICE.fullmatch(part) for part in parts):
        raise ExchangeError(f"{path} holds a file whose name leads elsewhere, {quoted(name)}")
    return "/".join(parts)


def _check_entry(entry: zipfile.ZipInfo, path: Path) -> None:
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise ExchangeError(f"{path} holds a link or a device, {quoted(entry.filename)}; give the files themselves")
    if entry.flag_bits & 0x1:
        raise ExchangeError(f"{path} is encrypted; give it without a password")
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ExchangeError(f"{path} is packed in a way that is not read; pack it as a plain zip")
    if entry.file_size > SMALL and entry.file_size > MOST_RATIO * max(1, entry.compress_size):
        raise ExchangeError(f"{path} holds {quoted(entry.filename)}, which unpacks to far more than a picture could")


def _check_amount(files: int, total: int, path: Path, limits: ImportLimits) -> None:
    if files > limits.files:
        raise ExchangeError(f"{path} holds {files} files; more than {limits.files} are not taken at once")
    if total > limits.total:
        raise ExchangeError(f"{path} holds {total / 1e9:.1f} gigabytes; more than {limits.total / 1e9:g} are not taken")


def _unpack(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, to: Path) -> None:
    """Unpack one file under a name of our own, up to the size that its entry states."""
    left = entry.file_size
    with archive.open(entry) as packed, to.open("wb") as file:
        while chunk := packed.read(_CHUNK):
            left -= len(chunk)
            if left < 0:
                raise ExchangeError(f"{quoted(entry.filename)} unpacks to more than it says")
            file.write(chunk)


MEAN_SPREAD = 4 / math.pi
"""A square of edge 1, turned by t, has a box of |cos t| + |sin t| a side: on average over all turns 4 / pi."""
BEYOND = 2.0
"""Pixels by which a box may reach beyond its picture without a word, since programs round."""
LEAST_INSIDE = 0.5
"""The fraction of a box that must lie in its picture: with less of it, the box was drawn on another picture."""
SAME_DIE = 0.7
"""The overlap from which on two boxes are of one die, marked twice: people and programs draw a die within a tenth."""
SAME = 2.0
"""Pixels by which the sides of a box may differ from those that were exported."""


@dataclass(frozen=True)
class BoundingBox:
    """Left, top, width and height in pixels; the picture's corner is at 0, 0."""

    left: float
    top: float
    width: float
    height: float

    def to_fractions(self, width: int, height: int) -> BoundingBox:
        """Return the box in fractions of a picture's width and height."""
        return BoundingBox(self.left / width, self.top / height, self.width / width, self.height / height)

    def to_pixels(self, width: int, height: int) -> BoundingBox:
        """Return a box in fractions of a picture in pixels of a picture of that size."""
        return BoundingBox(self.left * width, self.top * height, self.width * width, self.height * height)

    @property
    def is_valid(self) -> bool:
        """True if all numbers are finite and the box is at least a pixel wide and high: one in fractions is not."""
        numbers = (self.left, self.top, self.width, self.height)
        return all(math.isfinite(n) and abs(n) < 1e7 for n in numbers) and self.width >= 1 and self.height >= 1

    def reaches_beyond(self, width: int, height: int) -> bool:
        """True if the box reaches beyond a picture of that size by more than BEYOND pixels."""
        right, bottom = self.left + self.width, self.top + self.height
        return min(self.left, self.top) < -BEYOND or right > width + BEYOND or bottom > height + BEYOND

    def cut_to(self, width: int, height: int) -> BoundingBox | None:
        """Return the part of the box in a picture of that size, or None where that is less than LEAST_INSIDE of it."""
        left, top = max(0.0, self.left), max(0.0, self.top)
        right, bottom = min(width, self.left + self.width), min(height, self.top + self.height)
        if right <= left or bottom <= top:
            return None
        part = BoundingBox(left, top, right - left, bottom - top)
        return part if part.width * part.height >= LEAST_INSIDE * self.width * self.height else None

    def turned_upright(self, orientation: int, width: int, height: int) -> BoundingBox:
        """Return a box of a picture that is stored with an EXIF orientation, in the upright picture of that size."""
        box = BoundingBox(self.top, self.left, self.height, self.width) if orientation >= 5 else self
        left = width - box.left - box.width if orientation in (2, 3, 6, 7) else box.left
        top = height - box.top - box.height if orientation in (3, 4, 7, 8) else box.top
        return BoundingBox(left, top, box.width, box.height)

    def holds(self, place: RotatedSquare) -> bool:
        """True if the centre of a die lies in the box."""
        x, y = place.x + 0.5 - self.left, place.y + 0.5 - self.top
        return 0 <= x <= self.width and 0 <= y <= self.height

    def overlap(self, other: BoundingBox) -> float:
        """Return the fraction of the area of both boxes that they share; 0 for boxes without an area."""
        width = min(self.left + self.width, other.left + other.width) - max(self.left, other.left)
        height = min(self.top + self.height, other.top + other.height) - max(self.top, other.top)
        if not (width > 0 and height > 0):
            return 0.0
        shared = width * height
        return shared / (self.width * self.height + other.width * other.height - shared)

    def is_same(self, other: BoundingBox) -> bool:
        sides = ((self.left, other.left), (self.top, other.top), (self.width, other.width), (self.height, other.height))
        return all(abs(one - two) <= SAME for one, two in sides)


def box_of(place: RotatedSquare, width: int, height: int) -> BoundingBox:
    """Return the axis-aligned box around a die's top face, cut to a picture of that size.

    A place is measured from the centre of the first pixel, a box from its corner.
    """
    turn = math.radians(place.turned_degrees)
    reach = place.edge * (abs(math.cos(turn)) + abs(math.sin(turn))) / 2
    left, right = (min(width, max(0.0, place.x + 0.5 + side * reach)) for side in (-1, 1))
    top, bottom = (min(height, max(0.0, place.y + 0.5 + side * reach)) for side in (-1, 1))
    return BoundingBox(round(left, 3), round(top, 3), round(right - left, 3), round(bottom - top, 3))


def place_of(box: BoundingBox, edge: float = 0.0, turned_degrees: float = 0.0) -> RotatedSquare:
    """Return the place of a die whose box is known, and its edge and turn too unless `edge` is 0."""
    longer = max(box.width, box.height)
    known = math.isfinite(edge) and math.isfinite(turned_degrees) and 0.5 * longer < edge < 1.5 * longer
    x, y = box.left + box.width / 2 - 0.5, box.top + box.height / 2 - 0.5
    return RotatedSquare(x, y, edge if known else longer / MEAN_SPREAD, turned_degrees if known else 0.0)


UNLABELLED = "unlabelled"
"""The category of a sample that waits for its label."""

_NOT_PLAIN = re.compile(r"[^a-z0-9]+")


def category_of(sample: Sample, with_set: bool) -> str:
    """Return a sample's label as a category, `kind:face`, or `set:kind:face` where several die sets are exported."""
    if sample.label is None:
        return UNLABELLED
    words = (sample.label.kind, sample.label.face)
    return ":".join((sample.die_set, *words) if with_set else words)


@dataclass
class LabelNames:
    """Gives every text a name of its own, of small letters, digits and `-`. `kind` is for faces without a kind."""

    kind: str
    titles: dict[tuple[str, str], str] = field(default_factory=dict)

    def of(self, text: str) -> tuple[str, str]:
        """Return the kind and face of a category `kind:face`, `kind/face` or `face`; ('', '') for unlabelled."""
        if text.strip() == UNLABELLED:
            return "", ""
        parts = [part.strip() for part in re.split(r"[:/]", composed(text)) if part.strip()] or ["face"]
        kind = plain_name(parts[-2]) if len(parts) > 1 else self.kind
        return kind, self._face(kind, parts[-1])

    def _face(self, kind: str, title: str) -> str:
        name, number = plain_name(title), 1
        while self.titles.setdefault((kind, name), title).casefold() != title.casefold():
            number += 1
            name = f"{plain_name(title)}-{number}"
        return name


def plain_name(text: str) -> str:
    """Return a text in small letters, digits and `-`; a sign becomes its Unicode name, a star `black-star`."""
    if is_plain(text):
        return text
    letters = unicodedata.normalize("NFKD", text.casefold())
    spelt = (_spelt(letter) for letter in letters if not unicodedata.combining(letter))
    name = _NOT_PLAIN.sub("-", "".join(spelt)).strip("-")[:56].strip("-")
    return name if is_plain(name) else f"face-{name}".strip("-")


def _spelt(letter: str) -> str:
    if letter.isascii() or not unicodedata.category(letter).startswith(("L", "S", "N")):
        return letter
    return f"-{unicodedata.name(letter, 'sign').casefold()}-"


_MARKED = re.compile(r"^[0-9a-f]{8}(?:-|__)(?=.)")
"""The prefix that Label Studio gives to the pictures that it stores or exports."""


@dataclass(frozen=True)
class Annotation:
    """A die, or several of one face, in a picture: the picture's name in the tree, the category's text, and the box.

    Without a box, dice lie anywhere in the picture. `in_shares`: the box is in fractions of the picture, not in pixels.
    `edge` (pixels) and `turned_degrees` are 0 where they are unknown. `drawn_on` is the picture's width and height as
    the labels state them, None where they state none.
    """

    picture: str
    category: str
    box: BoundingBox | None = None
    in_shares: bool = False
    edge: float = 0.0
    turned_degrees: float = 0.0
    drawn_on: tuple[int, int] | None = None


class PictureIndex:
    """Finds the pictures of a tree by the names that a file in one of its folders uses.

    `here` are those that were found where they were said to be, `elsewhere` the names of those that were not.
    """

    def __init__(self, tree: FileTree, folder: PurePosixPath) -> None:
        self._folder, self._there = folder, tree.named(*PICTURES)
        self.here: set[str] = set()
        self.elsewhere: dict[str, str] = {}
        self._alike: dict[str, list[str]] = defaultdict(list)
        for name in self._there:
            self._alike[PurePosixPath(name).name].append(name)

    def find(self, text: str) -> str:
        """Return a picture: next to the file, in `data` or `images` there, or the only one of that name anywhere.

        Label Studio's prefix is ignored where no picture has it. Raises ExchangeError.
        """
        asked = PurePosixPath(composed(text).replace("\\", "/"))
        for place in (self._folder, self._folder / "data", self._folder / "images"):
            if str(place / asked) in self._there:
                self.here.add(str(place / asked))
                return str(place / asked)
        alike = self._alike.get(asked.name) or self._alike.get(_MARKED.sub("", asked.name, count=1), [])
        if len(alike) != 1:
            why = "is not there" if not alike else f"is there {len(alike)} times"
            raise ExchangeError(f"the picture {quoted(text)} {why}")
        self.elsewhere[alike[0]] = text
        return alike[0]
