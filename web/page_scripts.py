"""The script element of a page, with every module that the script imports announced to the browser.

Pages need no build step: modules are served as they are written, without comments, or joined by the server. Without the
announcement a browser would learn of a module only after it had read the one that imports it, one round trip for each
level.
"""

from __future__ import annotations

from functools import lru_cache

from flask import Flask, url_for
from markupsafe import Markup

from web.script_imports import imported_by
from web.static_files import Release, current_release


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
