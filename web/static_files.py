"""The files that pages load, read once and sent from memory, and what the scripts of a page import."""

from __future__ import annotations

import gzip
import os
import posixpath
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from hashlib import sha256
from pathlib import Path, PurePosixPath
from threading import Lock

from flask import Flask, Request, Response, current_app, g, url_for
from markupsafe import Markup
from werkzeug.exceptions import NotFound

from web.languages import ENGLISH, language, languages, script_in_language, translations

# What a page's module imports


_IMPORT = re.compile(r"^(?:import|export)\b[^;'\"]*['\"](\.{1,2}/[^'\"]+)['\"]", re.MULTILINE)


def imported_by(name: str, contents: bytes) -> tuple[str, ...]:
    """Return the paths under static/ of the modules that a module imports itself, each once, in order."""
    paths = _IMPORT.findall(contents.decode())
    return tuple(dict.fromkeys(posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) for path in paths))


# The modules of the table page joined into one file: a browser asks once, instead of sixty times and six at a time
#
# No build step: the server joins what it reads. The joined file runs each module in a function of its own, in the
# order in which a browser would run them, and exports what they export, by module. In the same folder lie all other
# files as that page loads them: a module that is wanted later takes from the joined one what it imports from modules
# that are in there, so that each module runs once.


FOLDER = "joined/"
JOINED_FILE = "table.js"
"""The joined file, under `joined/`."""
ENTRIES = ("display.js", "table.js")
"""The modules that are joined, with all that they import."""
_WHOLE_IMPORT = re.compile(r"^import (?:(?:\{ ([^}]*) \}|(\w+)) from )?'(\.{1,2}/[^']+)';$", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_LISTED_EXPORT = re.compile(r"^export \{ ([\w, ]+) \};$", re.MULTILINE)
_OTHER_FORM = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


def joined_files(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return what lies under `joined/`: the joined scripts, and all files that are not in one of them.

    `files` are the contents by path under static/, scripts without comments. Raises ValueError where a module has a
    form that this file does not know, or modules import each other in a circle.
    """
    if not files.keys() >= set(ENTRIES):
        return {}
    order = run_order(files, ENTRIES)
    inside = frozenset(name for name in order if not _is_foreign(name))
    others = {name: _with_joined(name, files[name], inside) for name in files if name not in inside}
    return {FOLDER + name: contents for name, contents in ({JOINED_FILE: _joined(files, order)} | others).items()}


def run_order(files: Mapping[str, bytes], entries: Iterable[str]) -> list[str]:
    """Return the modules that some modules need, each after what it imports, as a browser runs them."""
    order: list[str] = []

    def visit(name: str, importers: tuple[str, ...]) -> None:
        if name in importers:
            raise ValueError(f"modules import each other in a circle: {' → '.join([*importers, name])}")
        if name not in order:
            for imported in imported_by(name, files[name]):
                visit(imported, (*importers, name))
            order.append(name)

    for entry in entries:
        visit(entry, ())
    return order


def _joined(files: Mapping[str, bytes], order: Iterable[str]) -> bytes:
    """Return one module that runs all of `order`. Modules of others, which have licences, stay files of their own."""
    parts = [_foreign_import(name) if _is_foreign(name) else _as_function(name, files[name].decode()) for name in order]
    names = ", ".join(_name_of(name) for name in order if not _is_foreign(name))
    return "\n".join([*parts, f"export {{ {names} }};\n"]).encode()


def _foreign_import(name: str) -> str:
    return f"import * as {_name_of(name)} from './{name}';"


def _as_function(name: str, text: str) -> str:
    exported = list(_exports(text))
    body = _WHOLE_IMPORT.sub(lambda found: _taken(name, found), text)
    body = _LISTED_EXPORT.sub("", _EXPORT.sub("", body))
    _refuse_other_forms(name, body)
    return f"const {_name_of(name)} = (() => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}})();"


def _with_joined(name: str, contents: bytes, inside: Set[str]) -> bytes:
    """Return a module with what it imports from joined modules taken from the joined file; other files as they are."""
    if not name.endswith(".js") or _is_foreign(name):
        return contents
    address = "./" + posixpath.relpath(JOINED_FILE, posixpath.dirname(name) or ".")

    def taken(found: re.Match[str]) -> str:
        imported = _path_of(name, found)
        if imported not in inside:
            return found[0]
        return f"import {{ {_name_of(imported)} }} from '{address}'; {_taken(name, found)}"

    return _WHOLE_IMPORT.sub(taken, contents.decode()).encode()


def _taken(name: str, found: re.Match[str]) -> str:
    """Return the constants that an import gives its module, taken from the object of the module that is imported."""
    listed, default, _ = found.groups()
    constants = f"default: {default}" if default else (listed or "").replace(" as ", ": ")
    return f"const {{ {constants} }} = {_name_of(_path_of(name, found))};" if constants else ""


def _exports(text: str) -> Iterator[str]:
    yield from (found[1] for found in _EXPORT.finditer(text))
    for found in _LISTED_EXPORT.finditer(text):
        yield from found[1].split(", ")


def _refuse_other_forms(name: str, body: str) -> None:
    other = _OTHER_FORM.search(body)
    if other:
        raise ValueError(f"{name}: {other[0]!r} cannot be joined; write `import {{ a }} from './b.js';` on one line")
    if "import.meta" in body and "/" in name:
        raise ValueError(f"{name}: import.meta.url is another folder where the module is joined")


def _path_of(name: str, found: re.Match[str]) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), found[3]))


def _name_of(name: str) -> str:
    """Return the constant of a module: no name in our scripts begins with a dollar sign."""
    return "$" + re.sub(r"\W", "_", name.removesuffix(".js"))


def _is_foreign(name: str) -> bool:
    return name.startswith("vendor/")


# The files that pages load, read once and sent from memory: no file stays open while a client reads or goes away
#
# All of them together are a release, and its version is part of their addresses: `/static/VERSION/table.js`. A
# browser asks for such a file once. What a module imports, at once or later, has the same version, so that the files
# of two releases never mix: the modules of a page that was opened before an update are found as they were, or not at
# all.
# Each language has a release of its own, whose scripts say their sentences in it (`web/languages.py`). So a
# page that is loaded again after its language was changed asks for other addresses, and no browser mixes two
# languages.


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
        "moments.css",
    )
}
"""Stylesheets that a page loads in one file: one request, and fewer bytes than each compressed by itself."""
_COMMENT = re.compile(rb"^[ \t]*(?:/\*(?:(?!\*/).)*\*/|//[^\n]*)[ \t]*$", re.MULTILINE | re.DOTALL)
"""A comment that has its lines to itself. No line within a template literal may look like one."""
_CSS_COMMENT, _SPACES = re.compile(rb"/\*.*?\*/", re.DOTALL), re.compile(rb"\s+")
_AROUND_SIGNS = re.compile(rb" ?([{};,]) ?")
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
        return tuple(sorted(_stamped(self._folder)))

    def _read(self, stamp: Stamp) -> Release:
        found = {name: (self._folder / name).read_bytes() for name, _, _ in stamp}
        found = {name: without_comments(name, contents) for name, contents in found.items()}
        found |= joined_files(found) | _joined_styles(found)
        return Release({name: StaticFile(name, found[name]) for name in sorted(found)})


def _stamped(folder: Path, within: str = "") -> Iterator[tuple[str, int, int]]:
    """Yield the name, time (ns) and size of each file. Every page looks; paths would take four times as long."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                yield from _stamped(Path(entry.path), f"{within}{entry.name}/")
            elif posixpath.splitext(entry.name)[1] in _MEDIA_TYPES:
                stat = entry.stat()
                yield f"{within}{entry.name}", stat.st_mtime_ns, stat.st_size


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
    """Return a script or stylesheet without its comments, up to a quarter of what is sent.

    Each line of a script stays at its number; a stylesheet is one line. Other files, and scripts of others with their
    licences, stay as they are.
    """
    if not name.endswith((".js", ".css")) or name.startswith("vendor/"):
        return contents
    code = _COMMENT.sub(lambda comment: b"\n" * comment[0].count(b"\n"), contents)
    return code if name.endswith(".js") else _squeezed(code)


def _squeezed(styles: bytes) -> bytes:
    """Return a stylesheet in one line without the spaces that tell a browser nothing."""
    line = _SPACES.sub(b" ", _CSS_COMMENT.sub(b"", styles))
    return _AROUND_SIGNS.sub(rb"\1", line).replace(b": ", b":").strip()


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


# The script element of a page, with every module that the script imports announced to the browser
#
# Pages need no build step: modules are served as they are written, without comments, or joined by the server. Without
# the announcement a browser would learn of a module only after it had read the one that imports it, one round trip
# for each level.


def register_page_scripts(app: Flask) -> None:
    """Give templates the function `page_script`."""
    app.jinja_env.globals["page_script"] = page_script


def page_script(module: str) -> Markup:
    """Return the script element of a page's module, for example `table.js`, after links to what it imports."""
    link = Markup('<link rel="modulepreload" href="{}">')
    links = [link.format(url_for("static", filename=name)) for name in imported_modules(current_release(), module)]
    script = Markup('<script type="module" src="{}"></script>').format(url_for("static", filename=module))
    return Markup("\n").join([*links, script])


@lru_cache(maxsize=64)
def imported_modules(release: Release, module: str) -> tuple[str, ...]:
    """Return the paths under static/ of all modules that one imports, directly or through others, in order."""
    found: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        direct = set(imported_by(name, release.files[name].contents))
        waiting += direct - found
        found |= direct
    return tuple(sorted(found))
