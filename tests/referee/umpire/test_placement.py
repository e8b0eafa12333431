"""Matching kept dice with the places that the rules lay out."""

from __future__ import annotations

from referee.actions import DiePosition
from referee.dice import Die, FaceName, KindName, Zone, closest_pairs
from referee.umpire.tables import KeptDie, is_laid_out, places_left, without_zones


def die(face: str | None) -> Die:
    return Die(KindName("d6"), FaceName(face) if face else None)


def kept(number: int, *faces: str, zone: Zone | None = Zone.FIELD) -> KeptDie:
    return KeptDie(number, tuple(map(die, faces)), zone)


ONE, TWO = DiePosition(die("pip-1"), Zone.FIELD), DiePosition(die("pip-2"), Zone.ASIDE)


def test_without_kept_dice_the_whole_layout_is_left() -> None:
    assert list(places_left((ONE, TWO), ())) == [(ONE, TWO)]


def test_a_kept_die_takes_the_place_of_its_face_and_zone() -> None:
    assert list(places_left((ONE, TWO), (kept(1, "pip-1"),))) == [(TWO,)]
    assert not is_laid_out((ONE, TWO), (kept(1, "pip-1", zone=Zone.ASIDE),))
    assert is_laid_out((ONE, TWO), without_zones((kept(1, "pip-1", zone=Zone.ASIDE),)))


def test_a_die_that_may_be_two_things_has_two_places() -> None:
    assert list(places_left((ONE, TWO), (kept(1, "pip-1", "pip-2", zone=None),))) == [(TWO,), (ONE,)]


def test_two_dice_cannot_take_one_place() -> None:
    assert not is_laid_out((ONE, TWO), (kept(1, "pip-1"), kept(2, "pip-1")))


def test_a_place_for_any_face_takes_every_die_of_its_kind() -> None:
    anywhere = DiePosition(die(None), None)
    assert is_laid_out((anywhere,), (kept(1, "pip-6", zone=Zone.ASIDE),))


def test_the_closest_make_pairs_first_and_each_is_in_one() -> None:
    def apart(one: float, other: float) -> float | None:
        return abs(one - other) if abs(one - other) < 5 else None

    assert closest_pairs((1.0, 4.0, 20.0), (3.0, 3.5), apart) == [(4.0, 3.5), (1.0, 3.0)]
    assert closest_pairs((1.0, 1.0), (2.0, 2.0, 0.0), apart) == [(1.0, 2.0), (1.0, 2.0)]
    assert closest_pairs((), (1.0,), apart) == []
