"""The pictures of an import, decoded once each, and copied under their new names."""

from __future__ import annotations

import shutil
from pathlib import Path

from models.dataset.archives import FileTree
from models.dataset.capture_sessions import FRAME_QUALITY
from models.dataset.dataset_errors import ExchangeError
from models.dataset.samples import quoted
from vision.frames import Pixels
from vision.image_io import BadPicture, encode_jpeg, encode_png, load_picture

SIGNATURES = {".png": b"\x89PN", ".jpg": b"\xff\xd8\xff"}
"""The first three bytes of the two formats that a store holds."""


class ImportPictures:
    """The pictures of a tree by name. The one loaded last is remembered, since its dice come one after another."""

    def __init__(self, tree: FileTree) -> None:
        self._tree = tree
        self._last: tuple[str, Pixels] | None = None

    def __contains__(self, name: str) -> bool:
        return name in self._tree.files

    def load(self, name: str) -> Pixels:
        """Return a picture (height x width x 3, BGR, uint8). Raises ExchangeError."""
        if name not in self:
            raise ExchangeError(f"the picture {quoted(name)} is not there")
        if self._last is None or self._last[0] != name:
            self._last = name, self._decode(name)
        return self._last[1]

    def copy(self, name: str, to: Path) -> None:
        """Copy a picture to a .png or .jpg, byte for byte where it has that format. Raises ExchangeError, OSError."""
        path, pixels = self._tree.files[name], self.load(name)
        with path.open("rb") as file:
            signature = file.read(3)
        if signature == SIGNATURES[to.suffix]:
            shutil.copyfile(path, to)
        else:
            to.write_bytes(encode_png(pixels) if to.suffix == ".png" else encode_jpeg(pixels, FRAME_QUALITY))

    def _decode(self, name: str) -> Pixels:
        path = self._tree.files[name]
        try:
            return load_picture(path)
        except BadPicture as fault:
            raise ExchangeError(str(fault).replace(str(path), name, 1)) from None
