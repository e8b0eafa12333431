"""The files of the pages: sent from memory, compressed, and asked for again only when they have changed."""

from __future__ import annotations

import gzip
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from stub_game import StubGame
from werkzeug.test import EnvironBuilder

from vander.app.backends import Backends
from vander.app.web_app import create_app
from web.static_files import JOINED, STATIC, Release, StaticFile, StaticFiles, without_comments

GZIP = {"Accept-Encoding": "gzip"}
ENDLESS = re.compile(r"([^{}]*?) *\{[^{}]*\binfinite\b")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "board.js").write_text("export const LANES = 3;\n")
    (tmp_path / "page.css").write_text("main { color: red; }\n" * 20)
    return tmp_path


@pytest.fixture
def unread(game_stub: StubGame) -> Iterator[Iterable[bytes]]:
    """The answer to a request for a module whose client has not read yet."""
    environ = EnvironBuilder("/static/access.js", headers={"Host": "localhost"}).get_environ()
    answer = create_app(Backends(game_stub))(environ, lambda *_: lambda _data: None)
    yield answer
    getattr(answer, "close", lambda: None)()


def test_only_dice_that_move_are_animated_without_end() -> None:
    """What glows for ever has a tablet draw sixty times a second while nothing happens."""
    found = [each[1].strip() for style in STATIC.rglob("*.css") for each in ENDLESS.finditer(style.read_text("utf-8"))]
    assert found == [".overlay .moving .die"]


def test_the_files_are_read_once_for_all_applications_of_a_process(game_stub: StubGame) -> None:
    one, other = (create_app(Backends(game_stub)).extensions["static_files"].newest() for _ in range(2))
    assert one is other


def test_no_file_is_open_while_a_client_reads(unread: Iterable[bytes]) -> None:
    assert unread
    ours = [file.path for file in psutil.Process().open_files() if Path(file.path).is_relative_to(STATIC)]
    assert ours == []


def test_every_file_of_the_pages_is_served(client: Any) -> None:
    names = [path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*") if path.is_file()]
    sent = {name: client.get(f"/static/{name}").data for name in names}
    assert [name for name in names if sent[name] != without_comments(name, (STATIC / name).read_bytes())] == []


SCRIPTS = sorted(path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*.js") if path.parent.name != "vendor")


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_is_sent_without_its_comments_and_with_all_else_at_its_line(name: str) -> None:
    written = (STATIC / name).read_text("utf-8").splitlines()
    sent = without_comments(name, (STATIC / name).read_bytes()).decode().splitlines()
    assert len(sent) == len(written)
    left_out = [number for number, line in enumerate(written) if line != sent[number]]
    assert left_out
    is_block = False
    for number in left_out:
        line = written[number].strip()
        assert sent[number] == ""
        assert is_block or line.startswith(("//", "/*")), f"{name}:{number + 1}"
        assert sum(each.count("`") for each in sent[:number]) % 2 == 0, f"{name}:{number + 1} is within a template"
        is_block = (is_block or line.startswith("/*")) and "*/" not in line


def test_a_stylesheet_is_sent_without_its_comments() -> None:
    styles = b"/* Lanes,\n   three of them */\nmain { color: red; } /* why */\n  /* how */\n.lane { order: 1; }\n"
    assert without_comments("page.css", styles) == b"main{color:red;}.lane{order:1;}"


def test_spaces_of_a_stylesheet_stay_where_they_mean_something() -> None:
    styles = (
        b'ol > li :is(a, b) { width: calc(1px + 2%); }\n@media (max-width: 3px) { p { grid: "a b" auto / 1fr 2fr; } }'
    )
    squeezed = b'ol > li :is(a,b){width:calc(1px + 2%);}@media (max-width:3px){p{grid:"a b" auto / 1fr 2fr;}}'
    assert without_comments("page.css", styles) == squeezed


def test_what_only_begins_as_a_comment_is_sent() -> None:
    script = b"/** @type {any} */ (self).x = 1;\n\n/** Say why. */\nconst x = 'http://vander.local'; // why\n"
    assert without_comments("a.js", script) == (
        b"/** @type {any} */ (self).x = 1;\n\n\nconst x = 'http://vander.local'; // why\n"
    )


def test_scripts_of_others_keep_their_licences(client: Any) -> None:
    assert client.get("/static/vendor/preact.module.js").data == (STATIC / "vendor/preact.module.js").read_bytes()


@pytest.mark.parametrize("joined", JOINED)
def test_a_joined_stylesheet_has_all_that_it_is_made_of(client: Any, joined: str) -> None:
    text = client.get(f"/static/{joined}").text
    assert [name for name in JOINED[joined] if client.get(f"/static/{name}").text not in text] == []


@pytest.mark.parametrize("name", ["nothing.js", "../app.py", "boards", "%2e%2e/app.py", "/etc/passwd"])
def test_nothing_else_is_served(client: Any, name: str) -> None:
    assert client.get(f"/static/{name}").status_code in {404, 308}


@pytest.mark.parametrize(
    ("name", "media_type"),
    [
        ("table.js", "text/javascript; charset=utf-8"),
        ("base.css", "text/css; charset=utf-8"),
        ("die.svg", "image/svg+xml; charset=utf-8"),
    ],
)
def test_text_is_compressed_for_who_takes_it(client: Any, name: str, media_type: str) -> None:
    plain, packed = client.get(f"/static/{name}"), client.get(f"/static/{name}", headers=GZIP)
    assert (plain.content_encoding, packed.content_encoding) == (None, "gzip")
    assert gzip.decompress(packed.data) == plain.data
    assert len(packed.data) < 0.75 * len(plain.data)
    assert plain.content_type == packed.content_type == media_type
    assert "Accept-Encoding" in plain.vary
    assert "Accept-Encoding" in packed.vary


def test_who_does_not_take_gzip_is_not_sent_it(client: Any) -> None:
    assert client.get("/static/table.js", headers={"Accept-Encoding": "br"}).content_encoding is None


def test_a_picture_is_not_compressed_again(client: Any) -> None:
    assert client.get("/static/icons/vander-192.png", headers=GZIP).content_encoding is None


@pytest.mark.parametrize("headers", [{}, GZIP])
def test_what_the_browser_has_is_not_sent_again(client: Any, headers: dict[str, str]) -> None:
    first = client.get("/static/table.js", headers=headers)
    assert not first.headers["ETag"].startswith("W/")
    again = client.get("/static/table.js", headers={**headers, "If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    assert again.headers["X-Content-Type-Options"] == "nosniff"
    assert "frame-ancestors 'none'" in again.headers["Content-Security-Policy"]


def test_the_two_forms_of_a_file_are_told_apart(client: Any) -> None:
    plain = client.get("/static/table.js").headers["ETag"]
    assert client.get("/static/table.js", headers={**GZIP, "If-None-Match": plain}).status_code == 200


def test_a_file_that_was_changed_is_read_again(folder: Path) -> None:
    files = StaticFiles(folder)
    before = files.newest()
    assert files.newest() is before
    (folder / "page.css").write_text("main { color: blue; }\n" * 20)
    os.utime(folder / "page.css", ns=(1, 1))
    after = files.newest()
    assert after.files["page.css"].contents.startswith(b"main{color:blue")
    assert after.files["page.css"].digest != before.files["page.css"].digest


def test_a_file_that_is_new_is_found_and_one_that_is_gone_is_not(folder: Path) -> None:
    files = StaticFiles(folder)
    assert set(files.newest().files) == {"boards/board.js", "page.css"}
    (folder / "boards" / "board.js").rename(folder / "lane.js")
    assert set(files.newest().files) == {"lane.js", "page.css"}


def test_a_page_names_its_files_by_one_version_and_they_are_kept_for_good(client: Any) -> None:
    named = re.findall(r'(?:src|href)="(/static/[^"]+)"', client.get("/").text)
    assert len(named) > 9
    assert len({address.split("/")[2] for address in named}) == 1
    for address in named:
        assert client.get(address).headers["Cache-Control"] == "max-age=31536000, immutable", address


def test_what_a_module_imports_is_of_its_own_version(client: Any) -> None:
    version = re.findall(r"/static/([^/]+)/joined/table.js", client.get("/").text)[0]
    beside = client.get(f"/static/{version}/boards/boards.js")
    assert beside.data == without_comments("boards.js", (STATIC / "boards/boards.js").read_bytes())


def test_a_version_that_is_not_known_is_not_found_and_that_is_not_kept(client: Any) -> None:
    answer = client.get("/static/0123456789ab/table.js")
    assert (answer.status_code, answer.headers["Cache-Control"]) == (404, "no-store")


def test_a_page_that_is_open_goes_on_with_its_own_files(folder: Path) -> None:
    files = StaticFiles(folder)
    before = files.newest()
    (folder / "boards" / "board.js").write_text("export const LANES = 4;\n")
    after = files.newest()
    assert after.version != before.version
    kept = files.release(before.version)
    assert kept is not None
    assert kept.files["boards/board.js"].contents == b"export const LANES = 3;\n"
    assert files.release(after.version) is after


def test_a_file_that_is_called_otherwise_is_another_version() -> None:
    text = b"export const LANES = 3;\n"
    assert Release({"a.js": StaticFile("a.js", text)}).version != Release({"b.js": StaticFile("b.js", text)}).version


def test_a_file_is_compressed_to_the_same_bytes_each_time_and_only_where_that_saves_something() -> None:
    text = b"export const LANES = 3;\n" * 9
    assert StaticFile("a.js", text).gzipped == StaticFile("a.js", text).gzipped != None  # noqa: E711
    assert StaticFile("a.js", b"1").gzipped is None
