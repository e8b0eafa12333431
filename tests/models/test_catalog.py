"""The shelf: die sets that people made are files that read back, and no file of theirs can hurt."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models import die_sets
from models.atomic_files import is_plain
from models.dataset import SaveFailed
from models.die_sets import LONGEST, MOST_FACES, BadDieSet, DieSetCatalog, NoSuchDieSet, build_die_set, slug
from referee.dice import Die, DieSet, Face, FaceName, KindName

titles = st.text(st.characters(exclude_categories=("Cc", "Cs")), max_size=50)
kinds = st.tuples(titles, st.integers(1, 20), st.lists(titles, min_size=1, max_size=MOST_FACES))


def ours(name: str = "ours", title: str = "Our dice", faces: tuple[str, ...] = ("Sun", "Moon", "Boat")) -> DieSet:
    return build_die_set(name, title, [("Die", 2, faces)])


def written(folder: Path, text: str, name: str = "ours") -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / f"{name}.toml"
    file.write_text(text, "utf-8")
    return file


@pytest.mark.slow
@given(titles, st.lists(kinds, min_size=1, max_size=8))
@settings(max_examples=80, deadline=None)
def test_whatever_people_call_their_dice_reads_back_as_it_was_made(
    tmp_path_factory: pytest.TempPathFactory, title: str, rows: list[tuple[str, int, list[str]]]
) -> None:
    folder = tmp_path_factory.mktemp("dice")
    shelf = DieSetCatalog(folder)
    try:
        dice = build_die_set(shelf.free_name(title), title, rows)
    except BadDieSet:
        return
    shelf.save(dice)
    assert DieSetCatalog(folder).load(dice.name) == dice
    for kind in dice.kinds:
        assert len(kind.faces) == len(kind.sides)
        assert all(Die.parse(f"{kind.name}:{face}").face == face for face in kind.faces)
        assert all(is_plain(name) and len(name) <= LONGEST for name in (dice.name, kind.name, *kind.faces))


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Moon", "moon"),
        ("Ünser Würfel!", "unser-wurfel"),
        ("  --Sun--  ", "sun"),
        ("月", ""),
        ("Con", ""),
        ("nul", ""),
        ("com1", ""),
        ("x" * 60, "x" * 36),
        (f"{'x' * 35} y", "x" * 35),
    ],
)
def test_a_name_is_made_of_a_title(title: str, name: str) -> None:
    assert slug(title) == name


@given(titles)
def test_a_name_made_of_its_name_is_that_name(title: str) -> None:
    assert slug(slug(title)) == slug(title)


def test_faces_whose_titles_make_the_same_name_have_names_of_their_own() -> None:
    dice = ours(faces=("Sun", "Sun!", "a 2 3", "a-2", "a 2", "月", "Face 6", ""))
    assert dice.kinds[0].faces == ("sun", "sun-2", "a-2-3", "a-2", "a-2-5", "face-6", "face-6-7", "face-8")
    assert [side.title for side in dice.kinds[0].sides][-2:] == ["Face 6", "Face 8"]


def test_numbers_are_called_as_the_games_call_them() -> None:
    assert ours(faces=("1", "20", "x")).kinds[0].faces == ("digit-1", "digit-20", "x")


@pytest.mark.parametrize(
    ("title", "rows", "sentence"),
    [
        ("  ", [("Die", 1, ["Sun"])], "needs a name"),
        ("Ours", [], "1 to 8 kinds"),
        ("Ours", [(f"Die {n}", 1, ["Sun"]) for n in range(9)], "1 to 8 kinds"),
        ("Ours", [("Die", 1, [])], "0 faces; 1 to 20"),
        ("Ours", [("Die", 1, [f"Face {n}" for n in range(21)])], "21 faces; 1 to 20"),
        ("Ours", [("Die", 0, ["Sun"])], "0 dice of a kind"),
        ("Ours", [("Die", -1, ["Sun"])], "-1 dice of a kind"),
        ("Ours", [("Die", 1, ["Sun"]), ("die ", 1, ["Sun"])], "'die' is the name of a kind of dice twice"),
        ("Ours", [("Die", 1, ["Sun", "SUN"])], "'SUN' is the name of a face of Die twice"),
        ("Ours\x7f", [("Die", 1, ["Sun"])], "signs that cannot be written"),
        ("Ours", [("Die", 1, ["\ud800"])], "signs that cannot be written"),
        ("Ours", [("\x00", 1, ["Sun"])], "signs that cannot be written"),
    ],
)
def test_dice_that_cannot_be_are_refused(title: str, rows: list[tuple[str, int, list[str]]], sentence: str) -> None:
    with pytest.raises(BadDieSet, match=sentence):
        build_die_set("ours", title, rows)


def test_the_shelf_has_the_games_dice_and_those_made_here(tmp_path: Path) -> None:
    shelf = DieSetCatalog(tmp_path / "dice")
    assert (shelf.names(), shelf.own) == (die_sets.names(), ())
    shelf.save(ours())
    assert shelf.names() == (*die_sets.names(), "ours")
    assert shelf.own == ("ours",)
    assert shelf.load("ours") == ours()
    assert shelf.load("d6") == die_sets.load("d6")
    with pytest.raises(NoSuchDieSet, match="dominoes"):
        shelf.load("dominoes")


def test_a_set_can_be_changed_and_dropped(tmp_path: Path) -> None:
    shelf = DieSetCatalog(tmp_path)
    shelf.save(ours())
    shelf.save(ours(title="Granny's dice"))
    assert DieSetCatalog(tmp_path).load("ours").title == "Granny's dice"
    shelf.delete("ours")
    assert DieSetCatalog(tmp_path).own == shelf.own == ()
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(NoSuchDieSet, match="ours"):
        shelf.delete("ours")


def test_the_games_dice_stay_as_they_are(tmp_path: Path) -> None:
    shelf = DieSetCatalog(tmp_path)
    with pytest.raises(BadDieSet, match="comes with Vander"):
        shelf.save(ours("d6"))
    with pytest.raises(NoSuchDieSet):
        shelf.delete("d6")
    assert shelf.load("d6") == die_sets.load("d6")


@pytest.mark.parametrize("name", ["queue", "x" * 41, "", "Our dice", "../ours", "con"])
def test_a_set_by_a_name_that_cannot_be_is_not_kept(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadDieSet, match="cannot be the name of dice"):
        DieSetCatalog(tmp_path).save(ours(name))
    assert list(tmp_path.iterdir()) == []


def test_a_set_that_could_not_be_read_again_is_not_kept(tmp_path: Path) -> None:
    (kind,) = ours().kinds
    many = tuple(Face(FaceName(f"face-{n}"), f"Face {n}") for n in range(21))
    for counts, why in (
        ((), "kinds"),
        (tuple((replace(kind, name=KindName(f"die-{n}")), 1) for n in range(9)), "9 kinds of dice; there can be 8"),
        (((replace(kind, sides=many), 1),), "21 faces; 1 to 20"),
        (((kind, 21),), "count of 1 to 20"),
    ):
        with pytest.raises(BadDieSet, match=why):
            DieSetCatalog(tmp_path).save(replace(ours(), counts=counts))
    assert list(tmp_path.iterdir()) == []


def test_a_new_set_never_takes_anothers_name(tmp_path: Path) -> None:
    shelf = DieSetCatalog(tmp_path)
    names = []
    for title in ("Ours", "ours!", "OURS", "d6", "Con", "月"):
        names.append(shelf.free_name(title))
        shelf.save(ours(names[-1], title))
    assert names == ["ours", "ours-2", "ours-3", "d6-2", "dice", "dice-2"]
    assert len(set(shelf.names())) == len(shelf.names())


def test_where_nothing_can_be_written_nothing_is_on_the_shelf(tmp_path: Path) -> None:
    (tmp_path / "dice").write_text("no folder")
    shelf = DieSetCatalog(tmp_path / "dice")
    with pytest.raises(SaveFailed, match="Our dice cannot be kept"):
        shelf.save(ours())
    assert shelf.own == ()


KIND = '[[kinds]]\nname = "die"\ntitle = "Die"\ncount = 1\nsides = ["sun", "moon"]\n'
HEAD = 'name = "ours"\ntitle = "Ours"\nedge_mm = 16\n'


def test_a_set_may_be_written_by_hand(tmp_path: Path) -> None:
    text = HEAD + KIND.replace('"sun", "moon"', '"sun", "sun", "pip-3"').replace("count = 1", "count = 5")
    written(tmp_path, text + 'titles = { sun = "The \\u007f sun" }\nbodies = ["#102030"]\n')
    shelf = DieSetCatalog(tmp_path)
    dice = shelf.load("ours")
    assert dice.kinds[0].faces == ("sun", "pip-3")
    assert dice.kinds[0].bodies == ("#102030",)
    assert [side.title for side in dice.kinds[0].sides] == ["The \x7f sun", "The \x7f sun", "3"]
    shelf.save(dice)
    assert DieSetCatalog(tmp_path).load("ours") == dice


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "kinds"),
        ("name = ", "Invalid"),
        ("\x00", "Illegal|Invalid"),
        (HEAD, "kinds"),
        (HEAD + "kinds = []\n", "kinds"),
        (HEAD + "kinds = 3\n", "not iterable"),
        (HEAD + KIND + KIND, "a name of its own"),
        (HEAD + KIND.replace("count = 1", "count = 0"), "count of 1 to 20"),
        (HEAD + KIND.replace("count = 1", 'count = "many"'), "many"),
        (HEAD + KIND.replace('"sun", "moon"', ""), "needs sides"),
        (HEAD + KIND.replace('"sun"', '"the sun"'), "'the sun' is no name"),
        (HEAD + KIND.replace('"sun"', "3"), "no attribute"),
        (HEAD + KIND.replace('title = "Die"', "title = 3"), "3 is no name"),
        (HEAD + KIND.replace('"sun"', ", ".join(f'"sun-{n}"' for n in range(20))), "21 faces"),
        (HEAD.replace("16", "nan") + KIND, "edge_mm"),
        (HEAD.replace("16", "1e9") + KIND, "edge_mm"),
        (HEAD.replace("ours", "theirs") + KIND, "calls itself 'theirs'"),
    ],
)
def test_a_file_that_is_no_die_set_is_named_in_one_sentence(tmp_path: Path, text: str, why: str) -> None:
    written(tmp_path, text)
    with pytest.raises(BadDieSet, match=why) as refused:
        DieSetCatalog(tmp_path)
    assert str(tmp_path / "ours.toml") in str(refused.value)
    assert "\n" not in str(refused.value)


def test_no_file_takes_the_name_of_a_games_dice(tmp_path: Path) -> None:
    written(tmp_path, HEAD.replace("ours", "d6") + KIND, "d6")
    with pytest.raises(BadDieSet, match="comes with Vander"):
        DieSetCatalog(tmp_path)


@pytest.mark.parametrize("contents", [b"\xff\xfe", "name = 'ours'".encode("utf-16")])
def test_a_file_in_other_letters_is_named(tmp_path: Path, contents: bytes) -> None:
    (tmp_path / "ours.toml").write_bytes(contents)
    with pytest.raises(BadDieSet, match=r"ours\.toml"):
        DieSetCatalog(tmp_path)


def test_what_was_being_written_when_the_plug_was_pulled_is_no_set(tmp_path: Path) -> None:
    DieSetCatalog(tmp_path).save(ours())
    (tmp_path / "theirs.toml.part").write_text('name = "the')
    assert DieSetCatalog(tmp_path).own == ("ours",)


def test_the_file_of_a_set_has_the_form_of_those_that_ship(tmp_path: Path) -> None:
    DieSetCatalog(tmp_path).save(ours())
    table = tomllib.loads((tmp_path / "ours.toml").read_text("utf-8"))
    assert die_sets.parse(table) == ours()
