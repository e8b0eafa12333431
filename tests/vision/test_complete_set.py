"""A die that the finder doubts is believed where it makes the set complete, and nowhere else."""

import pytest

from models.die_sets import load
from vision.kinds import SightedDie, missing_dice, vouched_dice

DICE = load("rollers")
SURE = SightedDie(16.0, 0.0, is_sure=True)
DOUBTED = SightedDie(17.0, 0.01, is_sure=False)


def test_a_doubted_die_that_completes_the_set_is_vouched_for() -> None:
    assert vouched_dice([SURE] * 5 + [DOUBTED], DICE) == (False,) * 5 + (True,)


def test_nothing_is_vouched_for_while_dice_are_missing_or_too_many() -> None:
    for sighted in ([SURE] * 4 + [DOUBTED], [SURE] * 6 + [DOUBTED]):
        assert not any(vouched_dice(sighted, DICE))


def test_what_has_another_size_or_hardly_a_face_is_no_die_by_its_count() -> None:
    for other in (SightedDie(25.0, 0.01, is_sure=False), SightedDie(16.0, 0.4, is_sure=False)):
        assert not any(vouched_dice([SURE] * 5 + [other], DICE))


def test_many_doubted_things_vouch_for_nothing() -> None:
    assert not any(vouched_dice([SURE] * 3 + [DOUBTED] * 3, DICE))


def test_without_a_die_set_there_is_no_count() -> None:
    assert not any(vouched_dice([SURE] * 5 + [DOUBTED], None))


def test_a_die_with_an_untaught_drawing_is_kept_where_it_completes_the_set() -> None:
    untaught = SightedDie(15.0, 0.95, is_sure=True)
    assert missing_dice([SURE] * 5, [untaught], DICE, by_plane=False) == (True,)
    assert missing_dice([SURE] * 4, [untaught], DICE, by_plane=False) == (False,)


def test_dice_that_lie_there_are_dice_whatever_they_show_as_far_as_the_set_has_room() -> None:
    untaught = SightedDie(15.0, 0.95, is_sure=True)
    assert missing_dice([SURE] * 2, [untaught] * 3, DICE, by_plane=True) == (True,) * 3
    assert missing_dice([], [untaught] * 6, DICE, by_plane=True) == (True,) * 6
    assert missing_dice([SURE] * 2, [untaught] * 5, DICE, by_plane=True) == (False,) * 5
    assert missing_dice([], [untaught] * 9, None, by_plane=True) == (True,) * 9


@pytest.mark.parametrize("by_plane", [False, True])
def test_a_coin_beside_a_whole_set_and_a_mark_that_is_doubted_stay_out(by_plane: bool) -> None:
    coin, mark = SightedDie(16.0, 0.95, is_sure=True), SightedDie(16.0, 0.95, is_sure=False)
    assert missing_dice([SURE] * 6, [coin], DICE, by_plane=by_plane) == (False,)
    assert missing_dice([SURE] * 5, [mark], DICE, by_plane=by_plane) == (False,)
