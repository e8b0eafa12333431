"""The modules of the table page joined into one file: a browser asks once, instead of sixty times and six at a time.

No build step: the server joins what it reads. The joined file runs each module in a function of its own, in the order
in which a browser would run them, and exports what they export, by module. In the same folder lie all other
files as that page loads them: a module that is wanted later takes from the joined one what it imports from modules that
are in there, so that each module runs once.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Set

from web.script_imports import imported_by

FOLDER = "joined/"
JOINED = "table.js"
"""The joined file, under `joined/`."""
ENTRIES = ("display.js", "table.js")
"""The modules that are joined, with all that they import."""
_IMPORT = re.compile(r"^import (?:(?:\{ ([^}]*) \}|(\w+)) from )?'(\.{1,2}/[^']+)';$", re.MULTILINE)
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
    return {FOLDER + name: contents for name, contents in ({JOINED: _joined(files, order)} | others).items()}


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
    body = _IMPORT.sub(lambda found: _taken(name, found), text)
    body = _LISTED_EXPORT.sub("", _EXPORT.sub("", body))
    _refuse_other_forms(name, body)
    return f"const {_name_of(name)} = (() => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}})();"


def _with_joined(name: str, contents: bytes, inside: Set[str]) -> bytes:
    """Return a module with what it imports from joined modules taken from the joined file; other files as they are."""
    if not name.endswith(".js") or _is_foreign(name):
        return contents
    address = "./" + posixpath.relpath(JOINED, posixpath.dirname(name) or ".")

    def taken(found: re.Match[str]) -> str:
        imported = _path_of(name, found)
        if imported not in inside:
            return found[0]
        return f"import {{ {_name_of(imported)} }} from '{address}'; {_taken(name, found)}"

    return _IMPORT.sub(taken, contents.decode()).encode()


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
