"""How heavy the house is: `make house` prints files and lines by room, what the lines are, and what decides."""

from __future__ import annotations

import ast
import io
import tokenize
from collections import Counter
from itertools import chain
from pathlib import Path

HOUSE = Path(__file__).parents[1]
ROOMS = ("referee", "vision", "models", "hardware", "web", "vander")
SMALL = 120
"""A module of fewer lines is small."""
SMALL_SCRIPT = 60
"""A script of the pages of fewer lines is small."""
KINDS = ("code", "imports", "docstrings", "comments", "blank")
DECIDING = {
    "vision": "motion motion_burst background_subtraction arrival tracking frame_clock",
    "referee/umpire": "__init__ weighing leaning throws rest tables",
    "vander/table": "ruling breaches put_back questions answers doubts held_throws undo remarks "
    "seen_dice correction camera_events",
}
"""The modules that decide what happened in the tray: by what was seen, by the rules, and by what people say."""


def sources(room: str) -> list[Path]:
    """Return the modules of a room."""
    return sorted((HOUSE / room).rglob("*.py"))


def scripts() -> list[Path]:
    """Return the scripts of the pages; those of others are not counted."""
    return sorted(path for path in (HOUSE / "web/static").rglob("*.js") if path.parent.name != "vendor")


def is_small_script(path: Path) -> bool:
    """Return True for a small script of the pages."""
    return path.read_text("utf-8").count("\n") < SMALL_SCRIPT


def is_small(text: str) -> bool:
    """Return True for a small module; what only says what a package is for counts as none."""
    return 2 < text.count("\n") < SMALL


def lines_of(text: str) -> Counter[str]:
    """Return how many lines of a module are of each of KINDS; a line of code with a comment is code."""
    lines = text.splitlines()
    kind = ["blank" if not line.strip() else "code" for line in lines]
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and not token.line[: token.start[1]].strip():
            kind[token.start[0] - 1] = "comments"
    for node in ast.walk(ast.parse(text)):
        is_text = (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        )
        if isinstance(node, (ast.Import, ast.ImportFrom)) or is_text:
            for place in range(node.lineno - 1, node.end_lineno or node.lineno):
                kind[place] = "docstrings" if is_text else "imports"
    return Counter(kind)


def constants_of(text: str) -> list[str]:
    """Return the names of a module's constants that hold numbers alone."""
    rows = (node for node in ast.parse(text).body if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value)
    named = ((node.targets[0] if isinstance(node, ast.Assign) else node.target, node.value) for node in rows)
    targets = (target for target, value in named if _is_number(value))
    return [each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)]


def _is_number(value: ast.expr | None) -> bool:
    if isinstance(value, ast.Constant):
        return type(value.value) in (int, float)
    if isinstance(value, (ast.UnaryOp, ast.BinOp)):
        return all(_is_number(each) for each in ast.iter_child_nodes(value) if isinstance(each, ast.expr))
    within = value.values if isinstance(value, ast.Dict) else value.elts if isinstance(value, ast.Tuple) else []
    return bool(within) and all(map(_is_number, within))


def main() -> None:
    print(f"{'room':<14}{'modules':>8}{'small':>7}{'lines':>8}" + "".join(f"{kind:>12}" for kind in KINDS))
    total, modules, small = Counter[str](), 0, 0
    for room in ROOMS:
        texts = [path.read_text("utf-8") for path in sources(room)]
        counts = sum(map(lines_of, texts), Counter[str]())
        _print(room, len(texts), sum(map(is_small, texts)), counts)
        total, modules, small = total + counts, modules + len(texts), small + sum(map(is_small, texts))
    _print("all", modules, small, total)
    lines = sum(path.read_text("utf-8").count("\n") for path in scripts())
    print(f"{'scripts':<14}{len(scripts()):>8}{sum(map(is_small_script, scripts())):>7}{lines:>8}")
    _print_deciding()


def _print_deciding() -> None:
    print(f"\n{'what decides':<14}{'modules':>8}{'lines':>8}{'constants':>11}")
    texts = {
        room: [(HOUSE / room / f"{name}.py").read_text("utf-8") for name in names.split()]
        for room, names in DECIDING.items()
    }
    for room, rows in {**texts, "all": [*chain.from_iterable(texts.values())]}.items():
        lines, constants = sum(text.count("\n") for text in rows), sum(len(constants_of(text)) for text in rows)
        print(f"{room:<14}{len(rows):>8}{lines:>8}{constants:>11}")


def _print(room: str, modules: int, small: int, counts: Counter[str]) -> None:
    shares = "".join(f"{100 * counts[kind] / counts.total():>10.1f} %" for kind in KINDS)
    print(f"{room:<14}{modules:>8}{small:>7}{counts.total():>8}{shares}")


if __name__ == "__main__":
    main()
