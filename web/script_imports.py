"""What a page's module imports."""

from __future__ import annotations

import posixpath
import re

_IMPORT = re.compile(r"^(?:import|export)\b[^;'\"]*['\"](\.{1,2}/[^'\"]+)['\"]", re.MULTILINE)


def imported_by(name: str, contents: bytes) -> tuple[str, ...]:
    """Return the paths under static/ of the modules that a module imports itself, each once, in order."""
    paths = _IMPORT.findall(contents.decode())
    return tuple(dict.fromkeys(posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) for path in paths))
