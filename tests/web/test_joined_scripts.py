"""The modules of the table page joined into one file: each runs once, in order, and late ones find what is in there."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from web.static_files import ENTRIES, STATIC, StaticFiles, imported_by, joined_files, run_order

FILES = {name: file.contents for name, file in StaticFiles(STATIC).newest().files.items()}
TOGETHER = {
    "display.js": b"import { LANES } from './boards/lane.js';\nexport const WIDTH = LANES * 2;\n",
    "table.js": b"import { LANES as lanes, isOpen } from './boards/lane.js';\nimport './display.js';\nisOpen(lanes);\n",
    "boards/lane.js": b"export const LANES = 3;\nexport async function isOpen() {}\nclass Own {}\nexport { Own };\n",
    "boards/late.js": b"import { LANES, Own as Lane } from './lane.js';\nimport { other } from '../other.js';\n",
    "other.js": b"export const other = 1;\n",
    "page.css": b"main { color: red; }\n",
}
"""A page of three modules, with one that is loaded later."""


def test_a_module_runs_after_what_it_imports_and_once() -> None:
    assert run_order(TOGETHER, ["display.js", "table.js"]) == ["boards/lane.js", "display.js", "table.js"]


def test_each_module_is_a_function_that_gives_what_it_exports() -> None:
    text = joined_files(TOGETHER)["joined/table.js"].decode()
    assert "return { LANES, isOpen, Own };" in text
    assert "const { LANES: lanes, isOpen } = $boards_lane;" in text
    assert text.endswith("export { $boards_lane, $display, $table };\n")
    assert re.findall(r"^(?:import|export) ", text, re.MULTILINE) == ["export "]


def test_nothing_of_languages_is_made_before_a_sentence_needs_it() -> None:
    """Three objects of `Intl` took more than half of the time in which the page's modules ran."""
    made = re.compile(rb"^(?:export )?const \w+ = new Intl", re.MULTILINE)
    assert [name for name in run_order(FILES, ENTRIES) if made.search(FILES[name])] == []


def test_a_late_module_takes_from_the_joined_file_what_is_in_there() -> None:
    late = joined_files(TOGETHER)["joined/boards/late.js"].decode().splitlines()
    assert late[0] == "import { $boards_lane } from './../table.js'; const { LANES, Own: Lane } = $boards_lane;"
    assert late[1] == "import { other } from '../other.js';"


def test_no_module_is_there_twice_and_all_other_files_are() -> None:
    found = set(joined_files(TOGETHER))
    assert found == {f"joined/{name}" for name in TOGETHER} - {"joined/display.js", "joined/boards/lane.js"}


@pytest.mark.parametrize(
    "form", ["import * as all from './other.js';", "export default 3;", "export * from './other.js';", "import {\n"]
)
def test_a_form_that_is_not_known_is_refused(form: str) -> None:
    with pytest.raises(ValueError, match=r"table\.js"):
        joined_files(TOGETHER | {"table.js": form.encode()})


def test_modules_that_import_each_other_are_refused() -> None:
    with pytest.raises(ValueError, match=r"table\.js → other\.js → table\.js"):
        joined_files(TOGETHER | {"table.js": b"import './other.js';\n", "other.js": b"import './table.js';\n"})


def test_the_address_of_a_module_in_a_folder_is_not_asked_for_where_it_would_be_another() -> None:
    with pytest.raises(ValueError, match=r"boards/lane\.js: import\.meta\.url"):
        joined_files(TOGETHER | {"boards/lane.js": b"export const own = import.meta.url;\n"})


def test_every_import_within_the_folder_of_joined_files_is_there() -> None:
    missing = [
        (name, imported)
        for name, contents in FILES.items()
        if name.startswith("joined/") and name.endswith(".js")
        for imported in imported_by(name, contents)
        if imported not in FILES
    ]
    assert missing == []


@pytest.mark.browser
def test_a_module_that_is_loaded_later_uses_the_objects_of_the_page(new_page: Page) -> None:
    new_page.goto("/")
    expect(new_page.locator("#turn h1")).to_be_visible()
    inside = {name for name in run_order(FILES, ENTRIES) if not name.startswith("vendor/")}
    new_page.locator("#new-game").tap()
    expect(new_page.get_by_role("heading", name="New game")).to_be_visible()
    loaded = new_page.evaluate("performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)")
    paths = {re.sub(r"^/static/[^/]+/(joined/)?", "", path) for path in loaded if path.endswith(".js")}
    assert paths & inside == {"table.js"}
    assert "setup.js" in paths
