"""No refusal, and no error that a page shows, is a text that cannot be said in another language."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[2]
ROOMS = ("referee", "vision", "models", "hardware", "web", "vander")
FOR_A_TERMINAL = (
    "models/dataset/foreign_annotations.py",
    "models/dataset/coco.py",
    "models/dataset/export_",
    "models/dataset/import_",
    "models/dataset/yolo.py",
    "models/training",
    "referee/record_",
    "vander/backup",
    "vander/bench",
    "vander/cli",
    "vander/extras/voice",
)
"""Where only a terminal shows what is refused, which stays English."""
SHOWN = {
    "BadAction", "BadDieSet", "BadOption", "BadPicture", "BadPreferences", "BadStart", "BrokenAccuracyLog",
    "BrokenJournal", "BrokenLesson", "BrokenModel", "CameraLost", "CameraStuck", "CertificateError", "Contradiction",
    "DamagedFilm", "HttpRefused", "Needs", "NoSuchCamera", "NoSuchCaptureSession", "NoSuchDie", "NoSuchDieSet",
    "NoSuchFace", "NoSuchGame", "NoSuchLook", "NoSuchSample", "NoSuchSituation", "NothingToPutBack", "OtherMediaType",
    "PictureDeleted", "PictureTooLarge", "PowerOffFailed", "Refused", "SaveFailed", "TooSoon", "UnknownHost",
    "Unwritten", "_template_error", "bad", "good", "saving", "sentence_error", "unsure",
}  # fmt: skip
"""Refusals, errors and findings whose words a page shows; the first argument of each is the sentence."""


def files() -> Iterator[Path]:
    """Yield every module whose words a page may show."""
    for room in ROOMS:
        for path in sorted((HOUSE / room).rglob("*.py")):
            if not str(path.relative_to(HOUSE)).startswith(FOR_A_TERMINAL):
                yield path


def called(call: ast.Call) -> str:
    """Return the name of what is called, without the object that it belongs to."""
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def assigned(tree: ast.Module) -> Mapping[str, list[ast.expr]]:
    """Return what each name of a module is given, wherever that is."""
    found: dict[str, list[ast.expr]] = {}
    for node in ast.walk(tree):
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        for target in targets:
            if isinstance(target, ast.Name) and node.value is not None:
                found.setdefault(target.id, []).append(node.value)
    return found


def texts(value: ast.expr, names: Mapping[str, list[ast.expr]], seen: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yield the texts of which a value may be, as they are written; those within `say` are none."""
    if isinstance(value, ast.JoinedStr) or (isinstance(value, ast.Constant) and isinstance(value.value, str)):
        yield ast.unparse(value)
    elif isinstance(value, ast.IfExp):
        yield from texts(value.body, names, seen)
        yield from texts(value.orelse, names, seen)
    elif isinstance(value, (ast.BoolOp, ast.BinOp)):
        for part in value.values if isinstance(value, ast.BoolOp) else (value.left, value.right):
            yield from texts(part, names, seen)
    elif isinstance(value, ast.Name) and value.id not in seen:
        for given in names.get(value.id, ()):
            yield from texts(given, names, seen | {value.id})


def unsaid(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of each sentence that a page shows and nothing says."""
    tree = ast.parse(source)
    names = assigned(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and called(node) in SHOWN and node.args:
            for text in texts(node.args[0], names):
                if any(map(str.isalpha, text.strip("f'\""))):
                    yield node.lineno, text


@pytest.mark.parametrize("path", list(files()), ids=lambda path: str(path.relative_to(HOUSE)))
def test_whatever_a_page_shows_of_a_refusal_is_said(path: Path) -> None:
    assert list(unsaid(path.read_text("utf-8"))) == []


@pytest.mark.parametrize(
    "source",
    [
        'raise Refused("No.")',
        'raise Refused(f"No, {name}.", Reason.GONE)',
        'WHY = "No."\nraise Refused(WHY if this else say("Yes."))',
        'def f(x):\n    sentence = "No " + x\n    raise web.errors.TooSoon(sentence, 3.0)',
        'return SUBJECT.bad(say("Yes."), advice) if x else SUBJECT.bad("No", advice)',
    ],
)
def test_a_sentence_that_nothing_says_is_found(source: str) -> None:
    assert [text for _, text in unsaid(source) if "No" in text]


def test_what_is_said_is_no_finding() -> None:
    assert list(unsaid('A = say("Yes.")\nraise Refused(A)\nraise Unwritten(say("{x} it is", x="ab"), True)')) == []
