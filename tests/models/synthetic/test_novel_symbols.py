"""Symbols that no reader was trained on, and dice met so often that they can be taught."""

import itertools
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.die_sets import load, names
from models.synthetic.canvas import Style, Use
from models.synthetic.faces import NoSuchDrawing
from models.synthetic.novel_symbols import FINISHES, SYMBOLS, draw_novel, random_novel_style, symbol
from models.synthetic.palette import BODIES_CHOOSING, BODIES_SCORING
from models.training import picture_dataset
from models.training.picture_dataset import PictureSpec
from models.training.texture_atlas import dice_in_few_styles, novel_dice, random_dice
from referee.dice import FaceName
from vision.kinds import CLASSES

ALL = SYMBOLS[Use.CHOOSING] + SYMBOLS[Use.SCORING]
PLAIN = Style("white", (244, 244, 244), (20, 20, 20), (250, 250, 250))


def test_there_are_twenty_to_choose_and_twenty_others_to_score_on_and_none_to_train_on() -> None:
    assert [len(SYMBOLS[use]) for use in (Use.TRAINING, Use.CHOOSING, Use.SCORING)] == [0, 20, 20]
    assert len(set(ALL)) == 40


def test_no_game_has_such_a_face_and_no_reader_a_class_of_that_name() -> None:
    faces = {face for name in names() for kind in load(name).kinds for face in kind.faces}
    assert not set(ALL) & (faces | set(CLASSES))


def _in_square(face: FaceName) -> np.ndarray:
    mask = symbol(face)
    side = max(mask.shape)
    down, across = (side - mask.shape[0]) // 2, (side - mask.shape[1]) // 2
    square = np.zeros((side, side), np.uint8)
    square[down : down + mask.shape[0], across : across + mask.shape[1]] = mask
    return cv2.resize(square, (48, 48), interpolation=cv2.INTER_AREA) > 127


def test_no_symbol_is_another_one_turned() -> None:
    squares = {face: _in_square(face) for face in ALL}
    for one, other in itertools.combinations(ALL, 2):
        for turns in range(4):
            turned = np.rot90(squares[other], turns)
            both, either = (squares[one] & turned).sum(), (squares[one] | turned).sum()
            assert both / either < 0.85, (one, other)


@pytest.mark.parametrize("finish", FINISHES)
def test_every_symbol_can_be_told_from_its_die_in_every_finish(finish: str) -> None:
    for face in ALL:
        art = draw_novel(face, finish, PLAIN, 64, np.random.default_rng(0))
        inked = (np.abs(art.pixels.astype(int) - PLAIN.body).max(axis=2) > 100).mean()
        assert art.pixels.shape == (64, 64, 3)
        assert 0.04 < inked < 0.75, face


def test_a_symbol_in_outline_has_less_ink_than_a_full_one() -> None:
    full, lined = (
        draw_novel(FaceName("strange-heart"), finish, PLAIN, 64, np.random.default_rng(0)).pixels.mean()
        for finish in ("solid", "lined")
    )
    assert lined > full + 10


def test_the_bodies_of_novel_dice_are_those_of_their_use() -> None:
    rng = np.random.default_rng(3)
    drawn = {use: {random_novel_style(rng, use)[1].name for _ in range(40)} for use in (Use.CHOOSING, Use.SCORING)}
    assert drawn[Use.CHOOSING] <= set(BODIES_CHOOSING)
    assert drawn[Use.SCORING] <= set(BODIES_SCORING)


@pytest.mark.parametrize(("face", "finish"), [("strange-nonsense", "solid"), ("strange-moon", "scrawled")])
def test_an_unknown_symbol_or_finish_is_refused_by_name(face: str, finish: str) -> None:
    with pytest.raises(NoSuchDrawing, match=r"nonsense|scrawled"):
        draw_novel(FaceName(face), finish, PLAIN, 32, np.random.default_rng(0))


def test_a_novel_die_has_six_symbols_of_its_use_and_names_its_style() -> None:
    dice = novel_dice(np.random.default_rng(1), 3, Use.SCORING, "r0007")
    for number, die in enumerate(dice, 1):
        assert len(set(die.faces)) == 6
        assert set(die.faces) <= set(SYMBOLS[Use.SCORING])
        assert die.drawings == tuple(f"{face}/r0007-{number}" for face in die.faces)


def test_there_are_no_novel_dice_to_train_on() -> None:
    with pytest.raises(ValueError, match="no novel symbols for training"):
        novel_dice(np.random.default_rng(1), 1, Use.TRAINING, "r0000")


def test_a_die_seen_often_names_its_style_and_draws_a_face_the_same_on_all_its_sides() -> None:
    for die in dice_in_few_styles(np.random.default_rng(2), 8, Use.SCORING, "r0001"):
        assert all(drawing.rpartition("/")[2].startswith("r0001-") for drawing in die.drawings)
        assert len(set(die.drawings)) == len({drawing.partition("/")[0] for drawing in die.drawings})


def test_random_dice_stay_what_they_were() -> None:
    first, second, _ = (die.drawings for die in random_dice(np.random.default_rng(1), 3))
    assert first == (
        "four/ring+hollow", "three/pennant+stencil", "two/bold", "happy/open", "star/bare+asterisk", "sad/tearful"
    )  # fmt: skip
    assert second == (
        "block/panel", "blank/plain", "red-switch/swap", "green-switch/swap", "blank/plain", "block/panel"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        (PictureSpec(1), "seed 1, training"),
        (PictureSpec(3, Use.SCORING, 3), "seed 3, scoring, 3 styles a scene"),
        (PictureSpec(1, Use.CHOOSING, 2, novel=True), "seed 1, choosing, 2 novel styles a scene"),
    ],
)
def test_a_folder_says_what_its_pictures_are_made_of(spec: PictureSpec, said: str) -> None:
    assert str(spec) == said


def test_pictures_of_another_spec_are_not_mixed_in(tmp_path: Path) -> None:
    (tmp_path / "made.txt").write_text("seed 1, choosing\n", "utf-8")
    with pytest.raises(FileExistsError, match="2 novel styles a scene in another folder"):
        picture_dataset.make_pictures(tmp_path, 1, PictureSpec(1, Use.CHOOSING, 2, novel=True))
