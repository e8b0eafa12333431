"""What marked dice did is weighed: by the camera, by the faces, and by what the rules make of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from at_the_table import seen as intersection_table
from at_the_table import turn as intersection_turn
from at_the_table import with_chances
from rollers_table import seen as rollers_table
from rollers_table import turn as rollers_turn
from toss_up_table import new_game as toss_up_game

from models.die_sets import load
from referee.actions import Action
from referee.dice import Blindness, FaceName, Handling, KindName, Seen, SeenDie, Zone
from referee.game import begin
from referee.games import named
from referee.judge import judge
from referee.umpire import Explanation, explain

ROLLED = ("1 b5", "2 1", "3 3", "4 3", "5 4", "6 *")
PLACED, TURNED = Handling.PLACED, Handling.TURNED


def three_thrown(chances: dict[int, float], faces: tuple[str, str, str] = ("2", "5", "1")) -> Explanation:
    """Dice 4 to 6 of six are thrown: three are a legal throw, and fewer are none."""
    lying = ("1 b5 1", "2 1 1", "3 3 1", *(f"{number} {face} 2" for number, face in zip((4, 5, 6), faces, strict=True)))
    after = with_chances(rollers_table(*lying, throw=2), chances, PLACED)
    return explain(named("rollers"), rollers_turn("b5 1 3 3 4 *"), rollers_table(*ROLLED), after)


def is_taken(found: Explanation) -> bool:
    return len(found.ways) == 1 and not found.question


def test_a_die_that_most_likely_was_thrown_with_the_others_is_taken_so_where_only_that_is_legal() -> None:
    assert is_taken(three_thrown({5: 0.55}))
    asked = three_thrown({5: 0.05})
    assert (asked.question, asked.perhaps_thrown) == ("It was not seen to tumble. Was this die thrown?", (5,))
    told = three_thrown({5: 0.001})
    assert told.intervention == "This die was set down, not thrown. Throw it."
    assert told.perhaps_thrown == (5,), "people may say that it was thrown all the same"


def test_a_die_that_fell_on_its_old_face_is_more_likely_to_have_been_left() -> None:
    """Three dice of Toss Up! did not come up green: all of them must be thrown."""
    game, faces = named("toss-up"), ["green"] * 7 + ["yellow", "yellow", "red"]
    roll = Action.parse(" ".join(["1 roll", *(f"tossup:{face}" for face in faces)]))
    state = judge(game, toss_up_game(), roll).state

    def table(faces: Sequence[str], since: int) -> Seen:
        dice = (
            SeenDie(number, KindName("tossup"), ((FaceName(face), 1.0),), Zone.FIELD, 1 if number <= since else 2)
            for number, face in enumerate(faces, 1)
        )
        return Seen(tuple(dice), 1 if since == len(faces) else 2)

    def thrown(*now: str) -> Explanation:
        return explain(game, state, table(faces, 10), with_chances(table([*faces[:7], *now], 7), {10: 0.4}, PLACED))

    assert is_taken(thrown("green", "green", "yellow"))
    assert thrown("green", "green", "red").question == "It was not seen to tumble. Was this die thrown?"


@pytest.mark.parametrize(("tidied", "becomes"), [(0.65, "asked"), (0.998, "breach")])
def test_before_anybody_is_accused_it_is_weighed_whether_a_die_was_only_tidied(tidied: float, becomes: str) -> None:
    """A die that was tidied passed for thrown; with it the throw of one die for the first turn would be one of two."""
    game, dice = named("switch-16"), load("switch-16")
    kinds = [kind.name for kind, count in dice.counts for _ in range(count)]

    def table(*throws: int, chances: dict[int, float], last: str = "pip-2") -> Seen:
        faces = [FaceName("pip-4"), FaceName(last), *[FaceName("pip-4")] * 3, FaceName("blank")]
        rows = enumerate(zip(kinds, faces, throws, strict=True), 1)
        lying = (SeenDie(n, k, ((f, 1.0),), Zone.FIELD, throw, chance=chances.get(n)) for n, (k, f, throw) in rows)
        return Seen(tuple(lying), max(throws))

    before = table(1, 1, 1, 1, 1, 1, chances={})
    after = table(2, 3, 1, 1, 1, 1, chances={1: tidied, 2: 0.99}, last="pip-6")
    found = explain(game, begin(game, ("Ann", "Bob"), dice, {}), before, after)
    assert ("breach" if found.breach else "asked" if found.question else "taken") == becomes


def test_dice_that_were_tidied_are_not_to_be_thrown_while_another_is_in_a_hand() -> None:
    """A lot of one die is thrown, and Bob takes another one for his."""
    game, dice = named("switch-16"), load("switch-16")
    kinds = [kind.name for kind, count in dice.counts for _ in range(count)]
    lying = tuple(
        SeenDie(
            number,
            kind,
            ((FaceName("blank" if kind == "switch" else "pip-4"), 1.0),),
            Zone.FIELD,
            1 if number == 1 else 0,
        )
        for number, kind in enumerate(kinds, 1)
    )
    first = judge(game, begin(game, ("Ann", "Bob"), dice, {}), Action.parse("1 lot d6:pip-4")).state
    in_the_tray = with_chances(Seen(lying[:1] + lying[2:], 1), {3: 0.03, 4: 0.02, 5: 0.002})
    assert explain(game, first, Seen(lying, 1), in_the_tray).intervention == ""


@pytest.mark.parametrize("hid", [Blindness.LENS, Blindness.NO_FRAMES, Blindness.HAND])
def test_a_single_die_for_the_first_turn_that_nobody_saw_is_asked_about_only_where_a_hand_hid_it(
    hid: Blindness,
) -> None:
    game, dice = named("switch-16"), load("switch-16")

    def table(face: str, throw: int, mark: Handling | None, blind: tuple[Blindness, ...]) -> Seen:
        lot = SeenDie(1, KindName("d6"), ((FaceName(face), 1.0),), Zone.FIELD, throw, handled=mark)
        return Seen((lot,), throw, blind=blind)

    before, after = table("pip-2", 0, None, ()), table("pip-5", 1, Handling.UNSEEN, (hid,))
    found = explain(game, begin(game, ("Ann", "Bob"), dice, {}), before, after)
    assert (is_taken(found), found.unseen) == ((True, (1,)) if hid is not Blindness.HAND else (False, ()))


def test_dice_that_fall_from_the_fingers_are_asked_about_together() -> None:
    """Each seems to have tumbled likelier than not, and none of them surely: the film is one, and tells so little."""
    for chances in ({4: 0.7, 5: 0.75, 6: 0.8}, {4: 0.82, 5: 0.85, 6: 0.87}):
        fallen = three_thrown(chances)
        asked = "They were not seen to tumble. Were these dice thrown?"
        assert (fallen.question, fallen.perhaps_thrown) == (asked, (4, 5, 6))
    assert is_taken(three_thrown({4: 0.93, 5: 0.85, 6: 0.97}))


def test_a_kept_die_that_came_with_a_throw_is_weighed_too() -> None:
    """All dice of Toss Up! that did not come up green must be thrown; one of three lies elsewhere and as it was."""
    game, faces = named("toss-up"), ["green"] * 7 + ["yellow", "yellow", "red"]
    roll = Action.parse(" ".join(["1 roll", *(f"tossup:{face}" for face in faces)]))
    state = judge(game, toss_up_game(), roll).state

    def found(chance: float) -> Explanation:
        kind, now = KindName("tossup"), [*faces[:7], "green", "green", "red"]
        chances = {8: 0.98, 9: 0.97, 10: chance}
        before, after = (
            Seen(
                tuple(
                    SeenDie(number, kind, ((FaceName(face), 1.0),), Zone.FIELD, throws.get(number, 1), chance=chance)
                    for number, (face, chance) in enumerate(zip(shown, told, strict=True), 1)
                ),
                throw,
            )
            for shown, told, throws, throw in (
                (faces, [None] * 10, {}, 1),
                (now, [chances.get(number) for number in range(1, 11)], {8: 2, 9: 2}, 2),
            )
        )
        return explain(game, state, before, after)

    assert (found(0.3).question, found(0.3).perhaps_thrown) == (
        "It was not seen to tumble. Was this die thrown?",
        (10,),
    )
    laid = found(0.001)
    assert (laid.intervention, laid.dice) == ("This die was set down, not thrown. Throw it.", (10,))


def test_it_is_asked_about_the_dice_that_make_the_difference() -> None:
    assert three_thrown({5: 0.55, 6: 0.02}).perhaps_thrown == (6,)
    assert three_thrown({5: 0.1, 6: 0.1}).question == "They were not seen to tumble. Were these dice thrown?"


@pytest.mark.parametrize("chance", [0.1, 0.5])
def test_where_no_throw_is_legal_nobody_is_asked_and_the_hand_is_named(chance: float) -> None:
    """A star die is turned, and none may be thrown now."""
    lying = ("1 happy field 1", "2 sad field 1", "3 star field 1", "4 two field 1", "5 two field 1", "6 go signal 1")
    now = intersection_table(*lying[:2], "3 happy field 2", *lying[3:], throw=2)
    after = with_chances(now, {3: chance}, TURNED)
    state = intersection_turn("happy sad star two two")
    found = explain(named("intersection"), state, intersection_table(*lying), after)
    assert (found.question, found.breach) == ("", "")
    assert found.intervention == "A die was turned: star, now happy. Put it back to star."


def test_what_people_said_weighs_more_than_what_the_camera_saw() -> None:
    lying = ("1 b5 1", "2 1 1", "3 3 1", "4 2 2", "5 5 2", "6 1 2")
    after = with_chances(rollers_table(*lying, throw=2), {5: 0.55}, PLACED)
    state, before = rollers_turn("b5 1 3 3 4 *"), rollers_table(*ROLLED)
    denied = explain(named("rollers"), state, before, after, said={(5, 2): False})
    assert denied.intervention == "This die was set down, not thrown. Throw it."
    assert denied.perhaps_thrown == ()
    doubted = with_chances(after, {5: 0.001}, PLACED)
    assert is_taken(explain(named("rollers"), state, before, doubted, said={(5, 2): True}))


def test_two_dice_that_people_say_were_not_thrown_leave_the_others_to_be_weighed() -> None:
    """A die that was kept moved too, and is likelier to have been thrown than the one that is left."""
    lying = ("1 b5 1", "2 1 1", "3 3 1", "4 2 2", "5 5 2", "6 1 2")
    after = with_chances(rollers_table(*lying, throw=2), {3: 0.5, 4: 0.3, 5: 0.9, 6: 0.9})
    said = {(5, 2): False, (6, 2): False}
    found = explain(named("rollers"), rollers_turn("b5 1 3 3 4 *"), rollers_table(*ROLLED), after, said=said)
    assert {*found.perhaps_thrown}.isdisjoint({5, 6})


def ten_unseen(now: Sequence[str], *blind: Blindness) -> Explanation:
    """Ten dice of Toss Up! lie otherwise after the camera was blind."""
    kind, lay = KindName("tossup"), ["red", "yellow"] * 5
    before, after = (
        Seen(
            tuple(
                SeenDie(number, kind, ((FaceName(face), 1.0),), Zone.FIELD, throw, handled=mark)
                for number, face in enumerate(faces, 1)
            ),
            throw,
            blind=blind,
        )
        for faces, throw, mark in ((lay, 1, None), (now, 2, Handling.UNSEEN))
    )
    return explain(named("toss-up"), toss_up_game(), before, after)


def test_a_throw_of_all_dice_counts_though_nobody_saw_the_tray_and_is_asked_about_where_a_hand_hid_it() -> None:
    changed = ["green", "red"] * 5
    for unseen in ((Blindness.NO_FRAMES,), (Blindness.LENS,), (Blindness.NO_FRAMES, Blindness.LENS)):
        assert is_taken(ten_unseen(changed, *unseen))
    for blind in ((Blindness.HAND,), (Blindness.LENS, Blindness.HAND), ()):
        assert ten_unseen(changed, *blind).question.endswith("Were these dice thrown?")
    tidied = ten_unseen(["red", "yellow"] * 5, Blindness.NO_FRAMES)
    assert (tidied.ways, tidied.question) == ((), "")


@pytest.mark.parametrize(
    ("reason", "is_counted"),
    [(Blindness.LENS, True), (Blindness.NO_FRAMES, True), (Blindness.HAND, False), (Blindness.RESTART, False)],
)
def test_dice_that_nobody_saw_count_with_one_that_was_seen_to_tumble_where_no_hand_hid_them(
    reason: Blindness, is_counted: bool
) -> None:
    """Three of six dice are a legal throw: one was seen, and two fell unseen."""
    lying = ("1 b5 1", "2 1 1", "3 3 1", "4 2 2", "5 5 2", "6 1 2")
    seen = rollers_table(*lying, throw=2)
    dice = tuple(replace(die, handled=Handling.UNSEEN) if die.number > 4 else die for die in seen.dice)
    after = replace(seen, dice=dice, blind=(reason,))
    found = explain(named("rollers"), rollers_turn("b5 1 3 3 4 *"), rollers_table(*ROLLED), after)
    assert is_taken(found) == is_counted


def test_dice_that_are_no_legal_throw_are_not_taken_for_thrown_where_nobody_saw_them() -> None:
    lying = ("1 b2 2", "2 4 2", "3 3 1", "4 2 2", "5 5 2", "6 1 2")
    seen = rollers_table(*lying, throw=2)
    dice = tuple(replace(die, handled=Handling.UNSEEN) if die.number < 3 else die for die in seen.dice)
    after = replace(seen, dice=dice, blind=(Blindness.NO_FRAMES,))
    found = explain(named("rollers"), rollers_turn("b5 1 3 3 4 *"), rollers_table(*ROLLED), after)
    assert not found.breach


def test_dice_of_which_half_fell_as_they_lay_count_where_only_pictures_were_missing() -> None:
    """Hands that laid ten dice would hardly turn just these five."""
    assert is_taken(ten_unseen(["red", "yellow"] * 2 + ["green"] * 5 + ["yellow"], Blindness.NO_FRAMES))


def test_while_a_thrown_die_leans_the_others_of_its_throw_count_for_it_whatever_is_doubted() -> None:
    lying = ("1 b5 1", "2 1 1", "3 3 1", "4 2 2 !", "5 4 2", "6 1 2")
    after = with_chances(rollers_table(*lying, throw=2), {5: 0.1})
    found = explain(named("rollers"), rollers_turn("b5 1 3 3 4 *"), rollers_table(*ROLLED), after)
    assert found.rethrow is not None
    assert [die.number for die in found.rethrow.table.dice if die.throw == 2] == [4, 5, 6]


def test_dice_before_the_first_throw_of_a_turn_may_be_on_their_way_and_wait_for_the_rest() -> None:
    """Nine of ten dice have been read, and none is known to have been thrown."""
    nine = ten_unseen(["green", "red"] * 4 + ["green"], Blindness.NO_FRAMES)
    assert (nine.ways, nine.question, nine.unchanged) == ((), "", False)


def test_one_die_alone_in_the_tray_is_asked_about_where_nobody_saw_it() -> None:
    lay, now = (rollers_table(f"6 {face} {throw}", throw=throw) for face, throw in (("*", 1), ("2", 2)))
    unseen = replace(now, dice=tuple(replace(die, handled=Handling.UNSEEN) for die in now.dice))
    after = replace(unseen, blind=(Blindness.NO_FRAMES,))
    assert not is_taken(explain(named("rollers"), rollers_turn("b5 1 3 3 4 *"), lay, after))


@pytest.mark.parametrize("mark", [None, PLACED])
def test_dice_that_only_moved_are_where_they_lie_from_then_on(mark: Handling | None) -> None:
    """A push looks like a throw, or as a hand's doing: nothing follows from either."""
    lying = ("1 happy field 1", "2 sad field 1", "3 star field 1", "4 two field 1", "5 two field 1", "6 go signal 1")
    now = intersection_table(*lying[:2], "3 star field 2", *lying[3:], throw=2)
    after = with_chances(now, {3: 0.3}, mark)
    found = explain(
        named("intersection"), intersection_turn("happy sad star two two"), intersection_table(*lying), after
    )
    assert found.unchanged
    assert (found.ways, found.question, found.breach, found.unfinished) == ((), "", "", "")
