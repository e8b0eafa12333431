from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from web.static_files import STATIC, StaticFiles, imported_modules

FILES = StaticFiles(STATIC).newest()
PAGES = ["/", "/tray", "/dice", "/doctor", "/pair", "/box"]


def test_what_a_script_imports_through_others_is_announced_too() -> None:
    modules = imported_modules(FILES, "table.js")
    assert {"api.js", "dom.js", "events.js"} <= set(modules)
    assert "table.js" not in modules


def test_every_module_of_the_learning_pages_is_found_next_to_it_or_above() -> None:
    modules = imported_modules(FILES, "learning/capture.js")
    assert "api.js" in modules
    assert any(name.startswith("learning/") for name in modules)
    assert all((STATIC / name).is_file() for name in modules)


@pytest.mark.parametrize("script", sorted(path.name for path in Path(STATIC).glob("*.js")))
def test_every_imported_module_exists(script: str) -> None:
    assert [name for name in imported_modules(FILES, script) if not (STATIC / name).is_file()] == []


def test_a_page_announces_the_modules_of_its_script(client: Any) -> None:
    page = client.get("/dice").get_data(as_text=True)
    announced = re.findall(r'<link rel="modulepreload" href="/static/[^/]+/([^"?]+)', page)
    assert set(imported_modules(FILES, "learning/die_sets.js")) <= set(announced)


def test_the_table_loads_its_modules_in_one_file(client: Any) -> None:
    page = client.get("/").get_data(as_text=True)
    named = re.findall(r'(?:src|href)="/static/[^/]+/([^"?]+\.js)"', page)
    assert "joined/table.js" in named
    assert set(named) & set(imported_modules(FILES, "table.js")) == set()
