"""Marked dice: of these nobody saw whether they were thrown, and none is taken for thrown without a question."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import pytest
from at_the_table import seen as intersection_table
from at_the_table import turn as intersection_turn
from rollers_table import seen as rollers_table
from rollers_table import turn as rollers_turn
from test_laws import every_game, numbers_in
from test_umpire_any_game import MISHAPS, Scene, scenes
from toss_up_table import new_game as toss_up_game

from referee.dice import Blindness, FaceName, Handling, KindName, Seen, SeenDie, Zone
from referee.game import Game
from referee.games import named
from referee.umpire import NOTHING_SAID, Explanation, HandDeed, ask_if_thrown, explain

PLACED, TURNED, UNSEEN = Handling.PLACED, Handling.TURNED, Handling.UNSEEN
BY_HAND_OR_UNSEEN = (PLACED, TURNED, UNSEEN)


def marked(seen: Seen, marks: dict[int, Handling]) -> Seen:
    dice = (replace(die, handled=marks.get(die.number), chance=chance_of(marks.get(die.number))) for die in seen.dice)
    return replace(seen, dice=tuple(dice))


def chance_of(mark: Handling | None) -> float | None:
    """How likely a die with a mark was thrown; nothing tells that of one that nobody saw."""
    return 0.01 if mark in {PLACED, TURNED} else None


def explained(scene: Scene, after: Seen, said: Mapping[tuple[int, int], bool] = NOTHING_SAID) -> Explanation:
    return explain(scene.game, scene.state, scene.before, after, said=said)


def thrown_of(scene: Scene, after: Seen) -> list[SeenDie]:
    return [die for die in after.dice if die.throw > scene.before.throw]


def sprinkled(game: Game, marks: Sequence[Handling] = BY_HAND_OR_UNSEEN) -> Iterator[tuple[Scene, Seen]]:
    """Throws and mishaps out of random games, where chance has marked one die of the throws or more."""
    chance = random.Random(game.name)  # noqa: S311 - dice, not secrets
    for scene in scenes(game):
        chance.choice([*MISHAPS, *[lambda each: each.table.cast(each.thrown)] * 6])(scene)
        after = scene.table.seen()
        moved = thrown_of(scene, after)
        if moved:
            some = chance.sample(moved, chance.randint(1, len(moved)))
            yield scene, marked(after, {die.number: chance.choice(marks) for die in some})


def sentences_in_order(scene: Scene, found: Explanation) -> None:
    for sentence in (found.question, found.breach, found.unfinished, found.intervention):
        assert re.fullmatch(r"|[A-Z0-9].{8,399}[.?]", sentence), sentence
    if found.intervention or found.perhaps_thrown:
        assert len(found.intervention.split()) <= 20
        assert not found.breach
    assert not found.rule or found.rule in numbers_in(scene.game)


# Laws of every game


@every_game
def test_no_marked_die_is_taken_for_thrown_without_a_question(game: Game) -> None:
    asked = 0
    for scene, after in sprinkled(game):
        found = explained(scene, after)
        sentences_in_order(scene, found)
        asked += bool(found.perhaps_thrown and found.question)
        if found.question or found.unsure_dice or len(found.ways) != 1 or found.ways[0][-1].verb == game.lost:
            continue
        tumbled = sum(die.handled is None for die in thrown_of(scene, after) if die.zone is not Zone.OUT)
        assert len(found.ways[0][-1].dice) <= tumbled, (found, after)
    assert asked


@every_game
def test_marked_dice_of_which_people_say_that_they_were_thrown_are_ruled_on_as_those_that_surely_were(
    game: Game,
) -> None:
    for scene, after in sprinkled(game):
        sure = (replace(die, handled=None, chance=1.0) if die.handled else die for die in after.dice)
        plain = replace(after, dice=tuple(sure))
        said = {(die.number, die.throw): True for die in after.dice if die.handled}
        assert explained(scene, after, said) == explained(scene, plain)


@every_game
def test_marked_dice_of_which_people_say_that_they_were_not_thrown_are_never_a_throw(game: Game) -> None:
    for scene, after in sprinkled(game):
        found = explained(scene, after, {(die.number, die.throw): False for die in after.dice if die.handled})
        sentences_in_order(scene, found)
        assert not found.perhaps_thrown
        tumbled = sum(die.handled is None for die in thrown_of(scene, after) if die.zone is not Zone.OUT)
        for way in found.ways:
            assert len(way[-1].dice) <= tumbled or way[-1].verb == game.lost


@every_game
def test_dice_that_hands_laid_down_are_no_throw_and_no_breach(game: Game) -> None:
    for scene in scenes(game):
        scene.table.cast(scene.thrown)
        after = scene.table.seen()
        for mark in (PLACED, TURNED):
            found = explained(scene, marked(after, dict.fromkeys(scene.thrown, mark)))
            assert (found.ways, found.breach, found.question) == ((), "", "")


@every_game
def test_dice_that_were_only_tidied_are_no_turn_and_nobody_is_accused(game: Game) -> None:
    """A hand takes up all dice and lays them down again as they were, or turned."""
    for scene in scenes(game):
        for turned in (False, True):
            table = scene.table.copy()
            before = {number: real.seen.faces for number, real in table.dice.items() if real.in_view}
            table.cast(list(before))
            for number, faces in before.items():
                table.change(number, **({} if turned else {"faces": faces}))
            found = explained(scene, marked(table.seen(), dict.fromkeys(before, PLACED)))
            assert (found.ways, found.breach, found.question) == ((), "", "")
            assert not found.intervention or turned


def hidden_throws(game: Game) -> Iterator[tuple[Scene, Seen]]:
    """Throws that nobody saw; one whose dice all fell as they lay is more likely to be none."""
    for scene in scenes(game):
        scene.table.cast(scene.thrown)
        covered = marked(scene.table.seen(), dict.fromkeys(scene.thrown, UNSEEN))
        lay = {die.number: die.faces for die in scene.before.dice}
        if any(lay.get(die.number) != die.faces for die in thrown_of(scene, covered)):
            yield scene, covered


@every_game
def test_a_throw_that_a_hand_hid_is_asked_about_in_one_question(game: Game) -> None:
    for scene, covered in hidden_throws(game):
        found = explained(scene, replace(covered, blind=(Blindness.HAND,)))
        words = "Was this die thrown?" if len(scene.thrown) == 1 else "Were these dice thrown?"
        assert (found.question, found.ways) == (f"A hand was in the way. {words}", ())
        assert set(found.perhaps_thrown) == set(scene.thrown)


@every_game
def test_a_tap_settles_no_open_question_about_a_marked_die(game: Game) -> None:
    for scene, covered in hidden_throws(game):
        for offer in [each for each in game.legal(scene.state) if not each.is_throw and each.verb != game.lost][:3]:
            found = explain(game, scene.state, scene.before, covered, offer)
            assert found.ways == ()
            assert found.unfinished.startswith("Answer first: The camera did not see it. ")


# In words


FIELD = ("1 happy field 1", "2 sad field 1", "3 star field 1", "4 two field 1", "5 two field 1", "6 go signal 1")


def hands_on(
    state: object, lying: Sequence[str], now: Sequence[str], marks: dict[int, Handling], **told: object
) -> Explanation:
    after = marked(intersection_table(*now, throw=2), marks)
    return explain(named("intersection"), state, intersection_table(*lying), after, **told)  # type: ignore[arg-type]


def test_a_turned_die_is_called_turned_and_is_to_be_put_back() -> None:
    state = intersection_turn("happy sad star two two")
    found = hands_on(state, FIELD, (*FIELD[:2], "3 happy field 2", *FIELD[3:]), {3: TURNED})
    assert found.intervention == "A die was turned: star, now happy. Put it back to star."
    assert (found.breach, found.rule, found.dice) == ("", "I.2-12", (3,))
    (hand,) = found.hands
    assert (hand.deed, hand.number, str(hand.old), str(hand.new)) == (
        HandDeed.TURNED,
        3,
        "traffic:star",
        "traffic:happy",
    )


ANEW = ("1 sad field 2", "2 star field 2", "3 happy field 2", "4 four field 2", "5 three field 2", "6 go signal 1")


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ((3,), "A die shows happy after star, and the camera did not see why. Put it back to star."),
        ((1, 3, 4, 5), "4 dice show other faces, and the camera did not see why. Put each back as it was."),
    ],
    ids=["one", "four"],
)
def test_dice_that_changed_while_frames_were_missed_accuse_nobody(changed: Sequence[int], sentence: str) -> None:
    state = intersection_turn("happy sad star two two")
    now = [ANEW[place] if place + 1 in changed else line for place, line in enumerate(FIELD)]
    found = hands_on(state, FIELD, now, dict.fromkeys(changed, UNSEEN))
    assert (found.intervention, found.breach) == (sentence, "")
    assert {hand.deed for hand in found.hands} == {HandDeed.UNSEEN}


def test_a_turned_die_put_back_is_nothing_any_more() -> None:
    state = intersection_turn("happy sad star two two")
    found = hands_on(state, FIELD, (*FIELD[:2], "3 star field 3", *FIELD[3:]), {3: TURNED})
    assert (found.intervention, found.unfinished, found.ways) == ("", "", ())


def test_swapped_dice_are_called_swapped() -> None:
    state = intersection_turn("happy sad two two", "star", phase=type(intersection_turn().phase)("parked"))
    lying = (*FIELD[:2], "3 star aside 1", *FIELD[3:])
    found = hands_on(state, lying, ("1 star field 2", FIELD[1], "3 happy aside 2", *FIELD[3:]), {1: PLACED, 3: PLACED})
    assert found.intervention == "Two dice were swapped: happy and star. Put each back as it was."
    assert [(hand.number, hand.other) for hand in found.hands] == [(1, 3), (3, 1)]


def test_a_die_laid_in_is_called_added() -> None:
    state = intersection_turn("happy sad star two two")
    strange = replace(intersection_table("7 four field 2", throw=2).dice[0], handled=PLACED, chance=0.01)
    before = intersection_table(*FIELD[:3], *FIELD[4:])
    after = replace(before, dice=(*before.dice, strange), throw=2)
    found = explain(named("intersection"), state, before, after)
    assert (found.intervention, found.breach) == ("A die was added that shows four. Take it away.", "")


def test_a_die_carried_to_the_bay_is_only_moved() -> None:
    state = intersection_turn("happy star two two two")
    lying = ("1 happy field 1", "2 two field 1", *FIELD[2:])
    found = hands_on(state, lying, (*lying[:2], "3 star aside 2", *FIELD[3:]), {3: PLACED})
    assert (found.intervention, found.question) == ("", "")
    assert [str(action) for action in found.pending] == ["1 park traffic:star"]
    assert [hand.deed for hand in found.hands] == [HandDeed.MOVED]


def test_a_die_laid_next_to_a_throw_is_asked_about() -> None:
    """Two dice tumble, and a third is set down with them: three would be a legal throw, and two would not."""
    state = rollers_turn("b5 1 3 3 4 *")
    rolled = ("1 b5", "2 1", "3 3", "4 3", "5 4", "6 *")
    after = rollers_table("1 b5 1", "2 1 1", "3 3 1", "4 3 2", "5 5 2", "6 * 2", throw=2)
    found = explain(named("rollers"), state, rollers_table(*rolled), marked(after, {5: PLACED}))
    assert (found.question, found.perhaps_thrown) == ("It was not seen to tumble. Was this die thrown?", (5,))
    denied = explain(named("rollers"), state, rollers_table(*rolled), marked(after, {5: PLACED}), said={(5, 2): False})
    assert (denied.ways, denied.unfinished) == ((), "This die was set down, not thrown. Throw it.")


def red_die(number: int, face: str, throw: int, mark: Handling | None = None) -> SeenDie:
    faces = ((FaceName(face), 1.0),)
    return SeenDie(number, KindName("tossup"), faces, Zone.FIELD, throw, handled=mark, chance=chance_of(mark))


def test_ten_dice_set_down_at_the_start_of_a_turn_are_to_be_thrown() -> None:
    game, state = named("toss-up"), toss_up_game()
    before = Seen(tuple(red_die(number, "red", 1) for number in range(1, 11)), 1)
    after = Seen(tuple(red_die(number, "green", 2, PLACED) for number in range(1, 11)), 2)
    found = explain(game, state, before, after)
    assert found.intervention == "These dice were set down, not thrown. Throw them."
    assert set(found.perhaps_thrown) == set(range(1, 11))
    tidied = Seen(tuple(red_die(number, "red", 2, PLACED) for number in range(1, 11)), 2)
    assert explain(game, state, before, tidied).intervention == ""
    fresh = Seen(tuple(red_die(number, "green", 3) for number in range(1, 11)), 3)
    assert [str(action.verb) for action in explain(game, state, before, fresh).ways[0]] == ["roll"]


def test_dice_tidied_between_two_throws_leave_the_second_throw_certain() -> None:
    game, state = named("toss-up"), toss_up_game()
    before = Seen(tuple(red_die(number, "red", 1) for number in range(1, 11)), 1)
    tumbled = Seen(tuple(red_die(number, "green", 3) for number in range(1, 11)), 3)
    assert explain(game, state, before, tumbled) == explain(
        game, state, before, Seen(tuple(red_die(number, "green", 2) for number in range(1, 11)), 2)
    )


def test_the_question_counts_the_dice_that_nobody_saw_tumble() -> None:
    assert ask_if_thrown(1, Handling.TURNED) == "It was not seen to tumble. Was this die thrown?"
    assert ask_if_thrown(2, Handling.TURNED) == "They were not seen to tumble. Were these dice thrown?"


@pytest.mark.parametrize(
    ("blind", "why"),
    [
        ((), "The camera did not see it."),
        ((Blindness.HAND,), "A hand was in the way."),
        ((Blindness.LENS,), "The lens was covered."),
        ((Blindness.NO_FRAMES,), "The camera saw nothing for a moment."),
        ((Blindness.RESTART,), "Vander has started again."),
    ],
)
def test_the_question_says_why_nobody_saw_the_die(blind: tuple[Blindness, ...], why: str) -> None:
    state = rollers_turn("b5 1 3 3 4 *")
    rolled = ("1 b5", "2 1", "3 3", "4 3", "5 4", "6 *")
    after = marked(rollers_table("1 b5 1", "2 1 1", "3 3 1", "4 3 1", "5 4 1", "6 2 2", throw=2), {6: UNSEEN})
    found = explain(named("rollers"), state, rollers_table(*rolled), replace(after, blind=blind))
    assert found.question == f"{why} Was this die thrown?"
