"""The files that pages load, read once and sent from memory: no file stays open while a client reads or goes away.

All of them together are a release, and its version is part of their addresses: `/static/VERSION/table.js`. A browser
asks for such a file once. What a module imports, at once or later, has the same version, so that the files of two
releases never mix: the modules of a page that was opened before an update are found as they were, or not at all.

Each language has a release of its own, whose scripts say their sentences in it (`web/script_sentences.py`). So a page
that is loaded again after its language was changed asks for other addresses, and no browser mixes two languages.
"""

from __future__ import annotations

import gzip
import re
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path, PurePosixPath
from threading import Lock

from flask import Flask, Request, Response, current_app, g
from werkzeug.exceptions import NotFound

from web.joined_scripts import joined_files
from web.languages import ENGLISH, language, languages, translations
from web.script_sentences import script_in_language

STATIC = Path(__file__).parent / "static"
_MEDIA_TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".txt": "text/plain",
    ".json": "application/json",
    ".toml": "application/toml",
    ".mp3": "audio/mpeg",
}
"""By a file's suffix, since the system's own table may call a module by a type that browsers do not run."""
_PACKED = frozenset({".png", ".mp3"})
"""Suffixes of files that are compressed by their own format.

The caller's clips are kept in memory like all else: 1.4 MB of a Pi's 1 GB, and no file is open while a client reads,
goes away or is answered 304. Pages fetch a language whole and decode it for Web Audio; no media element plays it, so
that no browser, Safari neither, asks for a range.
"""
_LEVEL = 9
"""gzip's best: each file is compressed once."""
JOINED = {
    "joined/table.css": (
        "table.css",
        "boards.css",
        "boards/cards.css",
        "frame.css",
        "boards/sheet.css",
        "questions.css",
        "moments.css",
    )
}
"""Stylesheets that a page loads in one file: one request, and fewer bytes than each compressed by itself."""
_COMMENT = re.compile(rb"^[ \t]*(?:/\*(?:(?!\*/).)*\*/|//[^\n]*)[ \t]*$", re.MULTILINE | re.DOTALL)
"""A comment that has its lines to itself. No line within a template literal may look like one."""
_KEPT = 3
"""Releases that are kept, in all languages: files may change under a running server, and an open page keeps its own."""
_A_YEAR_S = 365 * 24 * 3600

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


@dataclass(frozen=True, eq=False)
class Release:
    """All files of the pages as they were read together, by their path under static/."""

    files: Mapping[str, StaticFile]

    @cached_property
    def version(self) -> str:
        """A digest of all files and their paths."""
        digests = (f"{name} {file.digest}\n" for name, file in sorted(self.files.items()))
        return sha256("".join(digests).encode()).hexdigest()[:12]


class StaticFiles:
    """The files under a folder, read together, and again as soon as one of them has changed. Any thread may ask."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = Lock()
        self._stamp: Stamp | None = None
        self._kept = deque[Mapping[str, Release]](maxlen=_KEPT)
        """Releases by language, the newest last."""

    def newest(self, code: str = ENGLISH) -> Release:
        """Return the files as they are on disk now, in the language of this code."""
        stamp = self._look()
        with self._lock:
            if stamp != self._stamp:
                read = self._read(stamp)
                self._kept.append({each: _in_language(read, each) for each in languages()})
                self._stamp = stamp
            return self._kept[-1][code]

    def release(self, version: str) -> Release | None:
        """Return the release of this version, or None where it is not kept. The disk is not looked at."""
        with self._lock:
            kept = (release for releases in self._kept for release in releases.values())
            return next((release for release in kept if release.version == version), None)

    def _look(self) -> Stamp:
        found = ((path, path.stat()) for path in self._folder.rglob("*") if path.suffix in _MEDIA_TYPES)
        return tuple(sorted((self._name(path), stat.st_mtime_ns, stat.st_size) for path, stat in found))

    def _read(self, stamp: Stamp) -> Release:
        found = {name: (self._folder / name).read_bytes() for name, _, _ in stamp}
        found = {name: without_comments(name, contents) for name, contents in found.items()}
        found |= joined_files(found) | _joined_styles(found)
        return Release({name: StaticFile(name, found[name]) for name in sorted(found)})

    def _name(self, path: Path) -> str:
        return path.relative_to(self._folder).as_posix()


def _joined_styles(files: Mapping[str, bytes]) -> dict[str, bytes]:
    return {
        joined: b"\n".join(files[name] for name in names)
        for joined, names in JOINED.items()
        if files.keys() >= set(names)
    }


def _in_language(release: Release, code: str) -> Release:
    """Return a release whose scripts speak a language. All other files are those of the English one, held once."""
    found = translations(code)
    if found is None:
        return release
    spoken = {
        name: StaticFile(name, script_in_language(file.contents.decode(), found, code).encode())
        for name, file in release.files.items()
        if name.endswith(".js")
    }
    return Release({**release.files, **spoken})


def without_comments(name: str, contents: bytes) -> bytes:
    """Return a script or stylesheet without its comments, up to a quarter of what is sent, each line at its number.

    Other files, and scripts of others with their licences, stay as they are.
    """
    if not name.endswith((".js", ".css")) or name.startswith("vendor/"):
        return contents
    return _COMMENT.sub(lambda comment: b"\n" * comment[0].count(b"\n"), contents)


def serve_static_files(app: Flask) -> None:
    """Give an application the files of the pages, with their version in each address that `url_for` makes."""
    app.extensions["static_files"] = _shipped_files()
    app.url_defaults(_add_version)


@cache
def _shipped_files() -> StaticFiles:
    """Return the files that ship, which all applications of a process share: each would read all of them."""
    return StaticFiles(STATIC)


def current_release() -> Release:
    """Return the files that the page of the current request loads: those that are on disk when it first asks."""
    if "static_release" not in g:
        g.static_release = _static_files().newest(language())
    found: Release = g.static_release
    return found


def static_response(path: str, request: Request) -> Response:
    """Return a file as an HTTP answer. Raises NotFound.

    A file of a version is kept by browsers for good; one without a version is asked for again each time.
    """
    version, _, name = path.partition("/")
    release = _static_files().release(version)
    file = release.files.get(name) if release else _static_files().newest().files.get(path)
    if file is None:
        raise NotFound
    response = _encoded(file, request)
    if release:
        response.cache_control.max_age = _A_YEAR_S
        response.cache_control.immutable = True
    else:
        response.cache_control.no_cache = True
    response.make_conditional(request)
    return response


def _static_files() -> StaticFiles:
    found: StaticFiles = current_app.extensions["static_files"]
    return found


def _add_version(endpoint: str, values: dict[str, str]) -> None:
    if endpoint == "static":
        values["filename"] = f"{current_release().version}/{values['filename']}"


def _encoded(file: StaticFile, request: Request) -> Response:
    """Return a file compressed where the browser takes that, with the strong ETag of that form."""
    packed = file.gzipped if request.accept_encodings["gzip"] > 0 else None
    response = Response(file.contents if packed is None else packed, mimetype=file.media_type)
    if packed is not None:
        response.content_encoding = "gzip"
    response.set_etag(file.digest if packed is None else f"{file.digest}-gzip")
    return response
