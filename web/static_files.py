"""The files that pages load, read once and sent from memory: no file stays open while a client reads or goes away."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path, PurePosixPath
from threading import Lock

from flask import Flask, Request, Response, current_app

STATIC = Path(__file__).parent / "static"
_MEDIA_TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".txt": "text/plain",
}
"""By a file's suffix, since the system's own table may call a module by a type that browsers do not run."""
_PACKED = frozenset({".png"})
"""Suffixes of files that are compressed by their own format."""
_LEVEL = 9
"""gzip's best: each file is compressed once."""

Stamp = tuple[tuple[str, int, int], ...]
"""Path, time of the last change in nanoseconds and length of each file of a folder."""


@dataclass(frozen=True)
class StaticFile:
    """A file as it is sent. `name` is its path under static/, with slashes."""

    name: str
    contents: bytes

    @property
    def media_type(self) -> str:
        """The media type by the file's suffix."""
        return _MEDIA_TYPES[PurePosixPath(self.name).suffix]

    @cached_property
    def gzipped(self) -> bytes | None:
        """The contents compressed, or None where that saves nothing. The same contents always give the same bytes."""
        if PurePosixPath(self.name).suffix in _PACKED:
            return None
        packed = gzip.compress(self.contents, _LEVEL, mtime=0)
        return packed if len(packed) < len(self.contents) else None

    @cached_property
    def digest(self) -> str:
        """A digest of the contents: the strong ETag of the uncompressed file."""
        return sha256(self.contents).hexdigest()[:16]


@dataclass(frozen=True)
class Release:
    """All files of the pages as they were read together."""

    files: Mapping[str, StaticFile]


class StaticFiles:
    """The files under a folder, read together, and again as soon as one of them has changed. Any thread may ask."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = Lock()
        self._stamp: Stamp | None = None
        self._newest = Release({})

    def newest(self) -> Release:
        """Return the files as they are on disk now."""
        stamp = self._look()
        with self._lock:
            if stamp != self._stamp:
                self._newest, self._stamp = self._read(stamp), stamp
            return self._newest

    def _look(self) -> Stamp:
        found = ((path, path.stat()) for path in self._folder.rglob("*") if path.suffix in _MEDIA_TYPES)
        return tuple(sorted((self._name(path), stat.st_mtime_ns, stat.st_size) for path, stat in found))

    def _read(self, stamp: Stamp) -> Release:
        return Release({name: StaticFile(name, (self._folder / name).read_bytes()) for name, _, _ in stamp})

    def _name(self, path: Path) -> str:
        return path.relative_to(self._folder).as_posix()


def serve_static_files(app: Flask) -> None:
    """Give an application the files of the pages."""
    app.extensions["static_files"] = StaticFiles(STATIC)


def static_files() -> StaticFiles:
    """Return the files of the application that serves the current request."""
    found: StaticFiles = current_app.extensions["static_files"]
    return found


def file_response(file: StaticFile, request: Request) -> Response:
    """Return a file as an HTTP answer: compressed where the browser takes that, and 304 where it has the file."""
    packed = file.gzipped if request.accept_encodings["gzip"] > 0 else None
    response = Response(file.contents if packed is None else packed, mimetype=file.media_type)
    if packed is not None:
        response.content_encoding = "gzip"
    if file.gzipped is not None:
        response.vary.add("Accept-Encoding")
    response.set_etag(file.digest if packed is None else f"{file.digest}-gzip")
    response.cache_control.no_cache = True
    response.make_conditional(request)
    return response
