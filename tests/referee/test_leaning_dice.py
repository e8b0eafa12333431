"""Leaning dice: they are thrown again, and that belongs to the throw in which they came to lean, in every game."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from at_the_table import GAME, new_game, seen, spelled, turn
from test_laws import every_game
from test_umpire_any_game import Scene, played_with_rules, scenes

from referee.dice import Seen, Zone
from referee.game import Game
from referee.umpire import Explanation, RethrowDue, explain

OPENED = ("1 happy field 1", "2 sad field 1", "3 star field 1", "4 two field 1", "5 two field 1", "6 go signal 1")


def leaned(scene: Scene, count: int) -> tuple[list[int], RethrowDue]:
    """Throw the dice of a scene so that the first ones lean; what the umpire then remembers."""
    scene.table.cast(scene.thrown)
    leaning = scene.thrown[:count]
    for number in leaning:
        scene.table.change(number, cocked=True)
    found = asked_again(scene.explained())
    assert found.rethrow
    assert set(found.dice) == set(leaning)
    return leaning, replace(found.rethrow, touched=True)


def asked_again(found: Explanation) -> Explanation:
    assert (found.ways, found.question, found.breach, found.unsure_dice) == ((), "", "", ())
    assert re.fullmatch(r".* leans?\. Throw (it|them) again\.", found.unfinished)
    assert len(found.unfinished.split()) <= 20
    return found


def cast_again(scene: Scene, numbers: Sequence[int]) -> None:
    scene.table.cast(numbers)
    for number in numbers:
        scene.table.change(number, cocked=False)


def now(scene: Scene, due: RethrowDue) -> Explanation:
    return explain(scene.game, scene.state, scene.before, scene.table.seen(), rethrow=due)


def thrown_flat_at_once(scene: Scene) -> Explanation:
    """What the umpire says of the same dice where none has leaned."""
    after = scene.table.seen()
    at_once = scene.before.throw + 1
    dice = tuple(replace(die, throw=at_once) if die.number in scene.thrown else die for die in after.dice)
    return explain(scene.game, scene.state, scene.before, Seen(dice, at_once))


def leaning_scenes(game: Game, fewest: int = 1) -> Iterator[Scene]:
    return (scene for scene in scenes(game) if len(scene.thrown) >= fewest)


@every_game
@pytest.mark.parametrize("count", [1, 2, 3])
def test_leaning_dice_thrown_again_belong_to_their_throw(game: Game, count: int) -> None:
    for scene in leaning_scenes(game, count):
        leaning, due = leaned(scene, count)
        cast_again(scene, leaning)
        found = now(scene, due)
        assert found == thrown_flat_at_once(scene)
        assert found.ways
        assert not found.breach


@every_game
def test_dice_thrown_again_one_after_the_other_belong_to_their_throw(game: Game) -> None:
    for scene in leaning_scenes(game, 2):
        (first, second), due = leaned(scene, 2)
        cast_again(scene, [first])
        scene.table.change(first, cocked=True)
        still = asked_again(now(scene, due))
        assert still.rethrow
        cast_again(scene, [first])
        last = asked_again(now(scene, still.rethrow))
        assert last.dice == (second,)
        assert last.rethrow
        cast_again(scene, [second])
        assert now(scene, last.rethrow) == thrown_flat_at_once(scene)


@every_game
def test_a_die_that_lay_flat_and_is_only_touched_changes_nothing(game: Game) -> None:
    for scene in leaning_scenes(game, 2):
        leaning, due = leaned(scene, 1)
        cast_again(scene, leaning)
        scene.table.change(scene.thrown[1], throw=scene.table.throw)
        for number in scene.left[:1]:
            scene.table.change(number, throw=scene.table.throw)
        found = now(scene, due)
        for number in scene.left[:1]:
            scene.table.change(number, throw=scene.before.throw)
        assert found == thrown_flat_at_once(scene)


@played_with_rules
def test_a_die_that_was_not_thrown_and_is_turned_by_it_is_no_breach(game: Game) -> None:
    for scene in leaning_scenes(game):
        if not scene.left or not game.lay(scene.state):
            continue
        table, left = scene.table, scene.left[0]
        leaning, due = leaned(scene, 1)
        cast_again(scene, leaning)
        old = table.dice[left].seen
        face = next(face for face in table.sides[old.kind] if face != old.die.face)
        table.change(left, faces=((face, 1.0),), throw=table.throw)
        found = now(scene, due)
        assert (found.ways, found.breach, found.turned) == ((), "", (left,))
        assert found.unfinished.endswith("Turn it back, or go on as the dice lie.")
        table.change(left, faces=old.faces)
        back = now(scene, due)
        table.change(left, throw=old.throw)
        assert back == thrown_flat_at_once(scene)


@played_with_rules
def test_a_flat_die_of_the_throw_that_is_thrown_with_it_is_asked_about(game: Game) -> None:
    asked = 0
    for scene in leaning_scenes(game, 2):
        table, other = scene.table, scene.thrown[1]
        leaning, due = leaned(scene, 1)
        cast_again(scene, leaning)
        old = table.dice[other].seen
        face = next(face for face in table.sides[old.kind] if face != old.die.face)
        table.change(other, faces=((face, 1.0),), throw=table.throw)
        found = now(scene, due)
        assert not found.breach
        assert found.question
        asked += found.question.startswith("Flat dice were thrown again too. Was it all this")
    assert asked


@every_game
def test_a_leaning_die_in_a_hand_is_waited_for(game: Game) -> None:
    for scene in leaning_scenes(game):
        (number,), due = leaned(scene, 1)
        scene.table.change(number, in_view=False)
        found = now(scene, due)
        assert (found.ways, found.question, found.breach) == ((), "", "")
        assert found.unfinished == "A leaning die is not in view. Throw it again."


@played_with_rules
def test_a_leaning_die_that_a_hand_set_flat_counts_as_the_option_says(game: Game) -> None:
    for scene in leaning_scenes(game):
        (number,), due = leaned(scene, 1)
        scene.table.change(number, cocked=False)
        found = now(scene, due)
        if scene.state.options["leaning-die"] == "set-flat":
            assert found == thrown_flat_at_once(scene)
        else:
            assert (found.ways, found.breach, found.set_flat) == ((), "", (number,))
            assert found.unfinished == "A leaning die was set flat, not thrown. Throw it again."
            assert now(scene, due.accepting([number])) == thrown_flat_at_once(scene)


@every_game
def test_a_doubtful_face_is_not_asked_while_the_die_leans(game: Game) -> None:
    for scene in leaning_scenes(game):
        scene.table.cast(scene.thrown)
        old = scene.table.dice[scene.thrown[0]].seen
        faces = tuple((face, 0.4) for face in scene.table.sides[old.kind][:2])
        scene.table.change(scene.thrown[0], cocked=True, faces=faces)
        assert asked_again(scene.explained()).unfinished == "A die leans. Throw it again."


@every_game
def test_a_leaning_die_of_which_people_said_what_it_shows_counts(game: Game) -> None:
    for scene in leaning_scenes(game):
        (number,), due = leaned(scene, 1)
        scene.table.change(number, cocked=False)
        assert now(scene, due.accepting([number])) == thrown_flat_at_once(scene)


# Intersection, in words


def opened_leaning(*leaning: int) -> RethrowDue:
    dice = [f"{text} !" if number in leaning else text for number, text in enumerate(OPENED, 1)]
    found = explain(GAME, new_game("Ann"), Seen(), seen(*dice))
    assert found.rethrow
    return replace(found.rethrow, touched=True)


@pytest.mark.parametrize(
    ("leaning", "words"),
    [
        ((1,), "The die that shows Happy leans. Throw it again."),
        ((1, 3), "The dice that show Happy and Star lean. Throw them again."),
        ((1, 2, 3), "3 dice lean. Throw them again."),
    ],
)
def test_leaning_dice_are_named(leaning: Sequence[int], words: str) -> None:
    dice = [f"{text} !" if number in leaning else text for number, text in enumerate(OPENED, 1)]
    found = explain(GAME, new_game("Ann"), Seen(), seen(*dice))
    assert (found.unfinished, found.rule, found.dice) == (words, "AMB-I-16", tuple(leaning))


def test_a_die_that_seems_to_lie_on_another_may_also_lean_and_is_called_so() -> None:
    table = seen(*OPENED)
    first, *others = table.dice
    stacked = replace(table, dice=(replace(first, cocked=True, stacked=True), *others))
    found = explain(GAME, new_game("Ann"), Seen(), stacked)
    assert found.unfinished == "The die that shows Happy leans or lies on another. Throw it again."


def test_a_leaning_die_thrown_off_the_table_falls_under_the_vander_rule() -> None:
    state = turn("happy sad star two two")
    leaning = explain(GAME, state, seen(*OPENED), seen("1 two field 2 !", "2 star field 2", *OPENED[2:], throw=2))
    after = seen("1 two out 3", "2 star field 2", *OPENED[2:], throw=3)
    found = explain(GAME, state, seen(*OPENED), after, rethrow=leaning.rethrow)
    assert [[str(action) for action in way] for way in found.ways] == [["1 vander"]]
    assert not found.question


def test_a_leaning_die_that_was_taken_for_another_kind_is_no_stranger() -> None:
    """A die's kind is as doubtful as its face while it leans; once flat it has another number."""
    dice = (*OPENED[:5], "6 two field 1 !")
    leaning = explain(GAME, new_game("Ann"), Seen(), seen(*dice))
    assert leaning.unfinished == "The die that shows Two leans. Throw it again."
    after = seen(*OPENED[:5], "7 go field 2", throw=2)
    found = explain(GAME, new_game("Ann"), Seen(), after, rethrow=leaning.rethrow)
    assert [[str(action) for action in way] for way in found.ways] == [[spelled("1 roll go happy sad star two two")]]
    assert not found.question


def test_a_parked_die_that_leans_and_is_thrown_is_turned_back() -> None:
    state = turn("happy sad star two two")
    leaning = explain(GAME, state, seen(*OPENED), seen(*OPENED[:2], "3 star field 1 !", *OPENED[3:]))
    assert leaning.unfinished == "The die that shows Star leans. Set it down flat, as before."
    after = seen(*OPENED[:2], "3 sad field 2", *OPENED[3:], throw=2)
    found = explain(GAME, state, seen(*OPENED), after, rethrow=leaning.rethrow)
    assert (found.breach, found.turned) == ("", (3,))
    back = seen(*OPENED[:2], "3 star field 2", *OPENED[3:], throw=2)
    assert explain(GAME, state, seen(*OPENED), back, rethrow=leaning.rethrow) == Explanation()


def test_a_kept_die_that_seemed_to_lean_when_the_table_was_ruled_on_stops_no_later_throw() -> None:
    state = turn("happy sad star two two")
    before = seen(*OPENED[:2], "3 star field 1 !", *OPENED[3:])
    thrown = seen("1 two field 2", "2 star field 2", "3 star field 1 !", *OPENED[3:], throw=2)
    flat = seen("1 two field 2", "2 star field 2", *OPENED[2:], throw=2)
    assert explain(GAME, state, before, thrown).ways == explain(GAME, state, seen(*OPENED), flat).ways != ()
    touched = seen("1 two field 2", "2 star field 2", "3 star field 2 !", *OPENED[3:], throw=2)
    assert explain(GAME, state, before, touched).unfinished == "The die that shows Star leans. Throw it again."


def test_a_mistaken_die_that_leaned_is_not_waited_for() -> None:
    due = opened_leaning(1)
    ghost = replace(due.table.dice[0], number=9)
    due = replace(due, table=replace(due.table, dice=(ghost, *due.table.dice[1:])))
    assert explain(GAME, new_game("Ann"), Seen(), seen(*OPENED), rethrow=due).ways


def test_a_die_that_a_re_throw_knocks_off_the_tray_has_fallen() -> None:
    state = turn("happy sad star two two")
    leaning = explain(GAME, state, seen(*OPENED), seen("1 two field 2 !", "2 star field 2", *OPENED[2:], throw=2))
    after = seen("1 two field 3", "2 star field 2", "3 star out 3", *OPENED[3:], throw=3)
    found = explain(GAME, state, seen(*OPENED), after, rethrow=leaning.rethrow)
    assert found.question == "Has a die left the table?"
    assert Zone.OUT in {die.zone for die in after.dice}
