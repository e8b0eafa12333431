"""The house keeps its promises: documentation that is true, imports that run one way, models with their cards."""

from __future__ import annotations

import ast
import hashlib
import os
import re
import shlex
import sys
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner

from bench.house import is_small, is_small_script, scripts
from bench.readme_pictures import MOST_OF_FILM
from bench.site_pages import OUTSIDE, linked
from hardware.wiring import RECOMMENDED, wiring
from vander.box.panel import MEANINGS
from vander.cli.main import command_line, main
from vander.storage.settings import Settings

HOUSE = Path(__file__).parent.parent
PROJECT = tomllib.loads((HOUSE / "pyproject.toml").read_text("utf-8"))
ROOMS = ("referee", "vision", "models", "hardware", "web", "vander")
PAGES = sorted([*HOUSE.glob("*.md"), *(HOUSE / "docs").rglob("*.md"), *(HOUSE / "referee/rules").glob("*.md")])
GROUPS = ("bench", "capture", "players", "voice", "webhooks")
"""Commands that have commands of their own."""
LARGEST_FILE = 4 * 1024 * 1024
MOST_SMALL = 29
"""Modules of under 120 lines: as many as there were when it was counted last. It may only be set lower."""
MOST_SMALL_SCRIPTS = 18
"""Scripts of the pages of under 60 lines: as many as there were when they were counted last; to be set lower only."""
FOR_DEVELOPERS = HOUSE / "docs/developers.md"
MOST_FOR_DEVELOPERS = 22_500
"""Characters of the page for developers, which was twice as long. It may only be set lower."""

MOST_OF_README = 3_300
"""Characters of the README, which is read in ten seconds; it was twice as long."""
MOST_OF_PICTURE = 60_000

ALIKE = {
    ("AnswerChoice", "AnswerEffect"),  # the faces of dice have titles, as in the parts of boards below
    ("BeforeAfterResponse", "QuestionPicturesResponse"),  # addresses of pictures, and trays with rings
    ("BoardSchema", "Board"),
    ("CardSchema", "Card"),
    ("DecisionSchema", "DecisionLine"),  # a title in place of the decision
    ("DicePlaceSchema", "DicePlace"),
    ("FairnessResponse", "GameHeading"),  # kinds with counts, and kinds with colours
    ("GameSumSchema", "GameSum"),  # figures of what is summed, which the exported file has too
    ("HallGame", "PastGame"),  # an ended game of a hall, and one of the table
    ("HallSeat", "PastSeatSchema"),  # a player of the hall, and one of the table whose game may not be counted yet
    ("HallSeat", "ShownSeat"),  # after a game, and in one
    ("OpenGameSchema", "OpenGame"),  # `vander games` tells names and scores apart
    ("OptionSchema", "Option"),
    ("PairedTablet", "Tablet"),  # with whether it is the one that asks
    ("PastGameSchema", "HallGame"),
    ("PastGameSchema", "PastGame"),  # seats with what is counted of them
    ("PastResultResponse", "PastResult"),
    ("SectionSchema", "Section"),
    ("StandingSchema", "Standing"),  # of a player by name
    ("SumTermSchema", "SumTerm"),
}
"""Pairs of dataclasses of which one is for the pages and has most fields of the other. It may only be made shorter."""
NOT_OURS = {"__pycache__", "build", "dist", "data"}


def files() -> Iterator[Path]:
    """Every file of the project; what tools leave behind is not."""
    for folder, inner, names in os.walk(HOUSE):
        inner[:] = [
            name for name in inner if name not in NOT_OURS and not name.startswith(".") and "egg-info" not in name
        ]
        yield from (Path(folder) / name for name in names)


def sources() -> list[Path]:
    return sorted(path for room in ROOMS for path in (HOUSE / room).rglob("*.py"))


def called(paths: list[Path]) -> list[str]:
    return [str(path.relative_to(HOUSE)) for path in paths]


def code_in(page: Path) -> Iterator[str]:
    """Yield what stands in a page as code: inline, and line by line in fenced blocks."""
    prose, *blocks = re.split(r"^```", page.read_text("utf-8"), flags=re.MULTILINE)
    for number, part in enumerate(blocks):
        if number % 2 == 0:
            yield from part.splitlines()[1:]
        else:
            prose += part
    yield from re.findall(r"`([^`\n]+)`", prose)


def commands() -> list[tuple[str, ...]]:
    """Every `vander ...` in the documentation, as words."""
    lines = {line.split("#")[0].strip() for page in PAGES for line in code_in(page)}
    named = (re.search(r"(?:^|\s|/bin/)vander (.+)", line) for line in lines)
    return sorted({tuple(shlex.split(found[1])) for found in named if found})


@cache
def help_for(*words: str) -> tuple[int, str]:
    """Ask for `vander WORDS --help`: its exit status and its text."""
    asked = CliRunner().invoke(
        command_line(words), [*words, "--help"], env={"COLUMNS": "300", "TERM": "dumb", "NO_COLOR": "1"}
    )
    return asked.exit_code, asked.output


def test_the_command_is_installed_as_vander() -> None:
    (vander,) = entry_points(group="console_scripts", name="vander")
    assert vander.load() is main


def test_the_documentation_shows_the_commands() -> None:
    assert {words[0] for words in commands()} >= {"play", "read", "mat", "bench"}


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_every_command_in_the_documentation_exists_with_its_options(words: tuple[str, ...]) -> None:
    named = [word for word in words[:2] if not word.startswith("-")]
    depth = 2 if len(named) == 2 and words[0] in GROUPS else 0 if words[0].startswith("-") else 1
    status, text = help_for(*words[:depth])
    assert status == 0, text
    for option in (word for word in words if word.startswith("--")):
        assert re.search(rf"{option}\b", text), f"`vander {words[0]}` has no {option}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_make_verb_in_the_documentation_exists(page: Path) -> None:
    verbs = set(re.findall(r"^([a-z]+):", (HOUSE / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = {found for line in code_in(page) for found in re.findall(r"\bmake ([a-z]+)\b", line)}
    assert named <= verbs


def test_the_documentation_and_the_settings_name_the_same_variables() -> None:
    settings = {f"VANDER_{name.upper()}" for name in Settings.model_fields}
    named = {name for page in PAGES for name in re.findall(r"\bVANDER_[A-Z_]+[A-Z]\b", page.read_text("utf-8"))}
    assert named == settings | {"VANDER_CHROMIUM"}  # which is for the page tests alone


def test_the_documentation_gives_each_setting_its_default() -> None:
    rows = re.findall(
        r"^\| `VANDER_(\w+)` \|.*\| `([^`]*)` \|$", (HOUSE / "docs/owners.md").read_text("utf-8"), re.MULTILINE
    )
    written = {name.lower(): default for name, default in rows}
    for name, field in Settings.model_fields.items():
        if field.default_factory is None and field.default not in {"", None}:
            assert written.get(name) == _as_written(field.default), name


def _as_written(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def test_every_setting_has_a_help_line() -> None:
    assert [name for name, field in Settings.model_fields.items() if not field.description] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_relative_link_in_the_documentation_resolves(page: Path) -> None:
    links = re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8"))
    local = [link for link in links if not re.match(r"[a-z]+:", link)]
    assert [link for link in local if not _resolves(page, link)] == []


def _resolves(page: Path, link: str) -> bool:
    name, _, anchor = link.partition("#")
    target = page.parent / name if name else page
    return target.exists() and (not anchor or anchor in _anchors(target))


def _anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_each_file_that_the_page_for_developers_names_is_one_file() -> None:
    """One alone by that name, so that whoever looks for it has found it; with a `*` there may be several."""
    named = set(re.findall(r"`(?:python )?([\w./*-]+\.(?:py|js|css|html))`", FOR_DEVELOPERS.read_text("utf-8")))
    ours = [path.relative_to(HOUSE) for path in files()]
    found = {name: called_so(name, ours) for name in named}
    assert {name: paths for name, paths in found.items() if not paths or (len(paths) > 1 and "*" not in name)} == {}


def called_so(name: str, paths: list[Path]) -> list[str]:
    last = name.rpartition("/")[2]
    return sorted(str(path) for path in paths if fnmatch(path.name, last) and path.match(name))


def test_the_page_for_developers_becomes_shorter_and_not_longer() -> None:
    length = len(FOR_DEVELOPERS.read_text("utf-8"))
    assert length <= MOST_FOR_DEVELOPERS, "one row for each module, none for a file whose name says it"


def test_the_readme_shows_a_throw_and_is_read_in_ten_seconds() -> None:
    text = (HOUSE / "README.md").read_text("utf-8")
    assert len(text) <= MOST_OF_README, "what is longer stands in docs/"
    shown = set(re.findall(r"!\[.+\]\((\S+)\)|src=\"(\S+)\"", text))
    assert {HOUSE / (one or other) for one, other in shown} == set((HOUSE / "docs/pictures").iterdir())
    large = {path.name: path.stat().st_size for path in (HOUSE / "docs/pictures").iterdir()}
    with Image.open(HOUSE / "docs/pictures/throw.webp") as film:
        assert getattr(film, "n_frames", 1) > 20
    assert large.pop("throw.webp") < MOST_OF_FILM
    assert max(large.values()) < MOST_OF_PICTURE, large


def test_the_list_of_pages_leads_to_every_page() -> None:
    listed = set(re.findall(r"\]\((\S+\.md)\)", (HOUSE / "docs/README.md").read_text("utf-8")))
    pages = {path.name for path in (HOUSE / "docs").glob("*.md")} - {"README.md"}
    assert pages <= listed


def test_the_site_has_every_page_in_its_navigation() -> None:
    site = (HOUSE / "mkdocs.yml").read_text("utf-8")
    named = set(re.findall(r"^ +- .+: (\S+\.md)$", site, re.MULTILINE))
    pages = {path.name for path in (HOUSE / "docs").glob("*.md")} | {name for name in OUTSIDE.values() if ".md" in name}
    assert named == pages


def test_the_page_of_the_look_names_the_colours_that_there_are() -> None:
    page = (HOUSE / "docs/design.md").read_text("utf-8")
    named = set(re.findall(r"`(--[\w-]+)`", page))
    styles = {path.name: path.read_text("utf-8") for path in (HOUSE / "web/static").glob("*.css")}
    assert named <= set(re.findall(r"(--[\w-]+):", "".join(styles.values())))
    shared = styles["base.css"].partition("}")[0]
    assert set(re.findall(r"(--[\w-]+):", shared)) <= named
    said = {"--gap": "12px", "--round": "18px", "font-size": "18px"}
    assert [f"{name}: {size};" for name, size in said.items() if f"{name}: {size};" not in shared] == []


def test_links_of_the_site_lead_where_pages_lie_there() -> None:
    text = (
        "[a](../referee/rules/rollers.md#dice) [b](owners.md) [c](../referee/board.py) ![d](pictures/far.webp) [e](#e)"
    )
    there = "[a](rules/rollers.md#dice) [b](owners.md) c ![d](pictures/far.webp) [e](#e)"
    assert linked(text, "players.md") == there
    text = '[a](docs/box.md) <img src="docs/pictures/far.webp"> [b](LICENSE) [c](https://example.com/)'
    assert linked(text, "vander.md") == '[a](box.md) <img src="pictures/far.webp"> b [c](https://example.com/)'
    assert linked("[a](../../docs/players.md)", "rules/rollers.md") == "[a](../players.md)"


def test_the_changelog_tells_of_the_version_that_this_is() -> None:
    assert f"## [{PROJECT['project']['version']}]" in (HOUSE / "CHANGELOG.md").read_text("utf-8")


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Return what a file's syntax tree holds of imports and classes, which all of these tests ask about."""
    all_nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    return tuple(node for node in all_nodes if isinstance(node, ast.Import | ast.ImportFrom | ast.ClassDef))


@cache
def imports(path: Path) -> set[str]:
    """List the modules that a file imports, with their whole names."""
    plain = {alias.name for node in nodes(path) if isinstance(node, ast.Import) for alias in node.names}
    froms = [node for node in nodes(path) if isinstance(node, ast.ImportFrom)]
    return plain | {name for node in froms for name in _imported_from(node.module or "", node)}


def _imported_from(module: str, node: ast.ImportFrom) -> list[str]:
    """Name what a `from` brings in: `from models import die_sets` is the module models.die_sets."""
    if "." in module or module not in ROOMS:
        return [module]
    return [f"{module}.{alias.name}" for alias in node.names]


MAY_IMPORT = {
    # A page shows why a model cannot be used.
    "vision": ("vision", "referee.dice", "referee.phrases", "referee.sentences"),
    "models": (
        "models.die_sets",
        "models.synthetic",
        "models.atomic_files",
        "referee.dice",
        "referee.sentences",
    ),
    # A captured die is cut as the reader cuts it.
    "models/dataset": (
        "models",
        "vision",
        "referee.dice",
        "referee.phrases",
        "referee.sentences",
    ),
    "models/training": ("models", "vision", "referee.dice"),
    "hardware": (
        "hardware",
        "vision.frames",
        "vision.image_io",
        "vision.tray_markers",  # a mat prints what the camera looks for
        "models.die_sets",
        "models.synthetic",
        "referee.dice",
        "referee.phrases",
        "referee.sentences",
    ),
    "vander": (
        "vander",
        "hardware",
        "web",
        "models.atomic_files",
        "models.dataset",
        "models.die_sets",
        "models.synthetic",
        "models.weights",
        "models.training.surfaces",  # what the families of `vander bench first-game` lie on: NumPy and OpenCV alone
        "models.training.yolo_sized_network",  # a baseline that `vander bench` times
        "vision",
        "referee",
    ),
}
"""What a room may import of the floors below it, where that is less than the import contract allows."""


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_a_room_knows_no_more_of_the_house_than_it_should(room: str) -> None:
    for path in (HOUSE / room).rglob("*.py"):
        rooms_within = [HOUSE / within for within in MAY_IMPORT if within.startswith(f"{room}/")]
        inner = any(within in path.parents for within in rooms_within)
        ours = {name for name in imports(path) if name.split(".")[0] in ROOMS and not inner}
        assert {
            name for name in ours if not f"{name}.".startswith(tuple(f"{own}." for own in MAY_IMPORT[room]))
        } == set(), path


def test_the_referee_imports_the_standard_library_only() -> None:
    allowed = sys.stdlib_module_names | {"referee"}
    for path in (HOUSE / "referee").rglob("*.py"):
        assert {name.split(".")[0] for name in imports(path)} <= allowed, path


def test_no_game_imports_another() -> None:
    rooms = HOUSE / "referee/games"
    for path in rooms.rglob("*.py"):
        own = f"referee.games.{path.relative_to(rooms).parts[0].removesuffix('.py')}"
        others = {name for name in imports(path) if name.startswith("referee.games.")}
        assert path == rooms / "__init__.py" or all(f"{name}.".startswith(f"{own}.") for name in others), path


@pytest.mark.parametrize("package", ["picamera2", "gpiozero"])
def test_what_only_a_raspberry_pi_has_is_imported_in_one_file_at_most(package: str) -> None:
    users = [path for path in sources() if any(name.split(".")[0] == package for name in imports(path))]
    assert len(users) <= 1, called(users)


def test_nothing_outside_the_training_imports_pytorch() -> None:
    shipped = [path for path in sources() if HOUSE / "models/training" not in path.parents]
    torch = [path for path in shipped if {name.split(".")[0] for name in imports(path)} & {"torch", "mujoco", "onnx"}]
    assert called(torch) == []


def test_pictures_are_decoded_in_one_place() -> None:
    own = {
        "vision/image_io.py",
        "hardware/cameras/pi_camera.py",  # frames of the camera's own driver
        "models/training/picture_dataset.py",  # encoded in memory, as is the next
        "models/training/camera_emulation.py",
    }
    found = {path for path in sources() if re.search(r"\b(imread|imdecode|Image\.open)\b", path.read_text("utf-8"))}
    assert set(called(sorted(found))) == own


def test_every_package_says_what_it_is_for() -> None:
    packages = [path for path in sources() if path.name == "__init__.py"]
    silent = [path for path in packages if len(ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "") < 20]
    assert called(silent) == []


def test_small_modules_become_fewer_and_not_more() -> None:
    small = [path for path in sources() if is_small(path.read_text("utf-8"))]
    assert len(small) <= MOST_SMALL, "put what belongs together into one module (`make house` counts them)"


def test_small_scripts_of_the_pages_become_fewer_and_not_more() -> None:
    small = [path for path in scripts() if is_small_script(path)]
    assert len(small) <= MOST_SMALL_SCRIPTS, "put what belongs together into one script (`make house` counts them)"


def dataclass_fields() -> Iterator[tuple[str, str, frozenset[str]]]:
    """Yield the room, the name and the own fields of each dataclass."""
    for path in sources():
        for node in nodes(path):
            if isinstance(node, ast.ClassDef) and "dataclass" in "".join(map(ast.unparse, node.decorator_list)):
                fields = (line.target for line in node.body if isinstance(line, ast.AnnAssign))
                yield path.relative_to(HOUSE).parts[0], node.name, frozenset(map(ast.unparse, fields))


def test_no_response_shares_60_percent_of_its_fields_with_another_dataclass() -> None:
    """Three fields or more, and of all that either has."""
    found = list(dataclass_fields())
    alike = {
        (response, other)
        for room, response, own in found
        for _, other, fields in found
        if room == "web" and response != other and len(own & fields) >= max(3, 0.6 * len(own | fields))
    }
    new = {pair for pair in alike if pair not in ALIKE and pair[::-1] not in ALIKE}
    assert new == set(), "answer the one value in place of the other, or let one be the base of both"
    assert {pair for pair in ALIKE if pair not in alike} == set(), "take from ALIKE what is not alike any more"


def test_nothing_in_the_source_is_left_for_later() -> None:
    later = re.compile(r"\bTO" r"DO\b|\bFIX" r"ME\b|\bNotImplemented" r"Error\b")
    left = [path for path in sources() if later.search(path.read_text("utf-8"))]
    assert called(left) == []


def test_no_page_with_other_peoples_photographs_lies_in_the_house() -> None:
    """A bench writes one where it was called: it stays out of the repository."""
    assert "/worst.html" in (HOUSE / ".gitignore").read_text("utf-8").splitlines()
    pages = [path for path in files() if path.suffix == ".html"]
    assert called([path for path in pages if "data:image/jpeg" in path.read_text("utf-8")]) == []


def test_no_file_is_larger_than_four_mebibytes() -> None:
    assert called([path for path in files() if path.stat().st_size > LARGEST_FILE]) == []


def test_the_wiring_in_the_documentation_is_the_recommended_one() -> None:
    page = (HOUSE / "docs/box.md").read_text("utf-8")
    rows = [f"| {wire.what} | {wire.bcm} | {wire.header} | {wire.remark} |" for wire in wiring(RECOMMENDED)]
    assert "\n".join(rows) in page


def test_the_documentation_tells_every_signal_of_the_lamp() -> None:
    page = (HOUSE / "docs/box.md").read_text("utf-8")
    assert "\n".join(f"| {signal} | {meaning} |" for signal, meaning in MEANINGS.items()) in page


def weights() -> list[Path]:
    return sorted((HOUSE / "models/weights").glob("*.onnx"))


def test_there_are_a_finder_and_a_reader_under_six_megabytes_together() -> None:
    assert len(weights()) >= 2
    assert sum(path.stat().st_size for path in weights()) < 6_000_000


def test_every_model_is_the_one_that_its_card_describes() -> None:
    for path in weights():
        card = tomllib.loads(path.with_suffix(".toml").read_text("utf-8"))
        assert card.keys() >= {"name", "purpose", "input", "trained_on", "remade_by", "sha256"}, path.name
        assert card["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest(), path.name
