"""A hook of MkDocs for `make site`: pages from outside `docs/`, and links that lead where pages lie in the site."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # tests of the links need no MkDocs
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

HOUSE = Path(__file__).parents[1]
OUTSIDE = {
    "README.md": "vander.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "web/static/die.svg": "die.svg",
} | {f"referee/rules/{path.name}": f"rules/{path.name}" for path in sorted((HOUSE / "referee/rules").glob("*.md"))}
"""Where files of the project lie in the site."""
INSIDE = {in_site: in_house for in_house, in_site in OUTSIDE.items()}
LINK = re.compile(r"(?<!!)\[(?P<words>[^\]]+)\]\((?P<link>[^)\s]+)\)")
PICTURE = re.compile(r"(?P<before>!\[[^\]]*\]\(|\bsrc=\")(?P<link>[^)\s\"]+)")


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the files outside `docs/`."""
    from mkdocs.structure.files import File

    for in_house, in_site in OUTSIDE.items():
        files.append(File.generated(config, in_site, abs_src_path=str(HOUSE / in_house)))
    return files


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Let the links of a page lead where things lie in the site."""
    return linked(markdown, page.file.src_uri)


def linked(markdown: str, in_site: str) -> str:
    """Return a page's text with the links of the site; a link to what is not there becomes its words."""
    markdown = PICTURE.sub(lambda found: found["before"] + (_moved(found["link"], in_site) or found["link"]), markdown)
    return LINK.sub(lambda found: _link(found["words"], _moved(found["link"], in_site)), markdown)


def _link(words: str, link: str) -> str:
    return f"[{words}]({link})" if link else words


def _moved(link: str, in_site: str) -> str:
    """Return the link from a page of the site, '' for what the site does not have."""
    name, mark, anchor = link.partition("#")
    if not name or re.match(r"[a-z]+:", link):
        return link
    page = INSIDE.get(in_site, f"docs/{in_site}")
    target = posixpath.normpath(posixpath.join(posixpath.dirname(page), name))
    moved = OUTSIDE.get(target, target.removeprefix("docs/"))
    if moved == target or not (HOUSE / target).is_file():
        return ""
    return posixpath.relpath(moved, posixpath.dirname(in_site) or ".") + mark + anchor
