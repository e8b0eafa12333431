"""The umpire: what changed on the table, explained, asked, left unfinished or named as a breach."""

from dataclasses import replace

import pytest
from at_the_table import GAME, done, new_game, seen, spelled, turn, with_chances

from referee.actions import Action
from referee.dice import Seen
from referee.games.intersection import IntersectionPhase as Phase
from referee.games.intersection import IntersectionState
from referee.judge import judge
from referee.umpire import Explanation, describe, differs, explain

OPENED = ("1 happy field 1", "2 sad field 1", "3 star field 1", "4 two field 1", "5 two field 1", "6 go signal 1")


def ways(found: Explanation) -> list[list[str]]:
    return [[str(action) for action in way] for way in found.ways]


def way(*texts: str) -> list[list[str]]:
    return [[spelled(text) for text in texts]]


def legal_ways(state: IntersectionState, found: Explanation) -> bool:
    for each in found.ways:
        now = state
        for action in each:
            ruling = judge(GAME, now, action)
            assert not ruling.refusal, ruling.refusal
            now = ruling.state
    return True


def test_six_dice_thrown_open_a_turn() -> None:
    state = new_game("Ann")
    found = explain(GAME, state, Seen(), seen(*OPENED))
    assert ways(found) == way("1 roll go happy sad star two two")


def test_five_traffic_dice_are_a_lot() -> None:
    found = explain(GAME, new_game(), Seen(), seen(*OPENED[:5]))
    assert ways(found) == way("1 lot happy sad star two two")


def test_a_table_where_nothing_changed_means_nothing() -> None:
    state = turn("happy sad star two two")
    assert explain(GAME, state, seen(*OPENED), seen(*OPENED)) == Explanation()
    assert explain(GAME, new_game(), Seen(), seen(*OPENED, throw=1)) != Explanation()
    assert explain(GAME, new_game(), seen(*OPENED), seen(*OPENED[:3])) == Explanation()


def test_a_happy_and_a_sad_face_thrown_are_a_fix() -> None:
    state = turn("happy sad star two two")
    after = seen("1 two field 2", "2 star field 2", *OPENED[2:], throw=2)
    assert ways(explain(GAME, state, seen(*OPENED), after)) == way("1 fix two star =field")


def test_dice_carried_by_hand_may_have_new_numbers() -> None:
    state = turn("happy sad star two two")
    after = seen("11 two field 2", "12 star field 2", *OPENED[2:], throw=2)
    assert ways(explain(GAME, state, seen(*OPENED), after)) == way("1 fix two star =field")


def test_a_die_thrown_into_the_bay_still_belongs_to_the_field() -> None:
    state = turn("happy sad star two two")
    after = seen("1 two aside 2", "2 star aside 2", *OPENED[2:], throw=2)
    assert ways(explain(GAME, state, seen(*OPENED), after)) == way("1 fix two star =field")
    again = done(state, "1 fix two star =field")
    assert explain(GAME, again, after, after) == Explanation()


def test_the_signal_die_may_lie_anywhere() -> None:
    state = turn("happy sad star two two")
    for zone in ("field", "aside", "signal"):
        lying = (*OPENED[2:5], f"6 go {zone} 1")
        after = seen("1 two field 2", "2 star field 2", *lying, throw=2)
        assert ways(explain(GAME, state, seen(*OPENED), after)) == way("1 fix two star =field")


def test_signal_and_sad_thrown_are_a_go() -> None:
    state = turn("two sad star two four")
    before = seen("1 two field", "2 sad field", "3 star field", "4 two field", "5 four field", "6 go signal")
    after = seen(
        "1 two field 1",
        "2 four field 2",
        "3 star field 1",
        "4 two field 1",
        "5 four field 1",
        "6 slow field 2",
        throw=2,
    )
    assert ways(explain(GAME, state, before, after)) == way("1 go slow four")


def test_signal_and_star_thrown_are_a_star() -> None:
    state = turn("two sad star two four", signal="slow")
    before = seen("1 two field", "2 sad field", "3 star field", "4 two field", "5 four field", "6 slow signal")
    after = seen(
        "1 two field 1", "2 sad field 1", "3 sad field 2", "4 two field 1", "5 four field 1", "6 go field 2", throw=2
    )
    assert ways(explain(GAME, state, before, after)) == way("1 star go sad =field")


QUIET = ("1 happy field 1", "2 happy field 1", "3 star field 1", "4 two field 1", "5 two field 1", "6 go signal 1")


def test_dice_moved_to_the_bay_are_held_back_until_the_throw() -> None:
    state = turn("happy happy star two two")
    moved = ("1 happy aside 1", "2 happy field 1", "3 star aside 1", *QUIET[3:])
    resting = explain(GAME, state, seen(*QUIET), seen(*moved))
    assert resting.ways == ()
    assert resting.breach == ""
    assert [str(action) for action in resting.pending] == [spelled("1 park happy star")]
    assert resting.unfinished.startswith("Ann, 150 parked: play on")
    after = seen(
        "1 happy aside 1", "2 sad field 2", "3 star aside 1", "4 sad field 2", "5 four field 2", QUIET[5], throw=2
    )
    assert ways(explain(GAME, state, seen(*QUIET), after)) == way("1 park happy star", "1 on sad sad four")


def test_the_tap_at_the_end_takes_the_dice_in_the_bay() -> None:
    state = turn("happy happy star two two", scores=(300, 0))
    moved = seen("1 happy aside 1", "2 happy aside 1", *QUIET[2:])
    found = explain(GAME, state, seen(*QUIET), moved, Action(1, "end"))
    assert ways(found) == way("1 park happy happy", "1 end")


def test_the_tap_counts_with_the_other_dice_in_a_hand() -> None:
    state = turn("happy happy star two two", scores=(300, 0))
    moved = seen("1 happy aside 1", "2 happy aside 1", "6 go signal 1")
    assert ways(explain(GAME, state, seen(*QUIET), moved, Action(1, "end"))) == way("1 park happy happy", "1 end")


def test_a_tap_which_the_rules_refuse_says_why() -> None:
    state = turn("happy happy star two two", scores=(300, 0))
    found = explain(GAME, state, seen(*QUIET), seen(*QUIET), Action(1, "end"))
    assert (found.ways, found.rule) == ((), "I.2-11")
    odd = seen(*QUIET[:3], "4 two aside 1", *QUIET[4:])
    found = explain(GAME, state, seen(*QUIET), odd, Action(1, "end"))
    assert (found.ways, found.rule, found.dice) == ((), "I.2-10", (4,))


def test_giving_up_needs_no_tidy_table() -> None:
    state = turn("happy happy star two two")
    odd = seen("1 star aside 1", "9 four field 1")
    assert ways(explain(GAME, state, seen(*QUIET), odd, Action(1, "give-up"))) == [["1 give-up"]]


def test_an_ended_turn_is_ended_though_the_dice_are_swept_up() -> None:
    state = turn("star two", "four four four", phase=Phase.PARKED)
    before = seen("1 star field", "2 two field", "3 four aside", "4 four aside", "5 four aside", "6 go signal")
    assert ways(explain(GAME, state, before, seen(), Action(1, "end"))) == [["1 end"]]


def test_double_or_nothing_is_tapped_after_parking_and_then_thrown() -> None:
    state = turn("happy happy star star two")
    before = seen("1 happy field", "2 happy field", "3 star field", "4 star field", "5 two field", "6 go signal")
    parked = ("1 happy aside 1", "2 happy aside 1", "3 star aside 1", "4 star aside 1")
    tapped = explain(GAME, state, before, seen(*parked, "5 two field 1", "6 go signal 1"), Action(1, "double"))
    assert ways(tapped) == way("1 park happy happy star star", "1 double")
    declared = done(state, "1 park happy happy star star", "1 double")
    after = seen(*parked, "5 star field 2", "6 go field 2", throw=2)
    table = seen(*parked, "5 two field 1", "6 go signal 1")
    assert ways(explain(GAME, declared, table, after)) == way("1 roll star go")
    undeclared = explain(GAME, state, before, after)
    assert (undeclared.ways, undeclared.rule) == ((), "I.2-13")


SWEPT = ("1 sad field 2", "2 sad field 2", "3 star field 2", "4 two field 2", "5 two field 2", "6 go signal 2")


def test_dice_seen_in_the_bay_were_parked_though_all_are_swept_up() -> None:
    state = turn("happy star three two two", scores=(500, 500))
    before = seen("1 happy field 1", "2 star field 1", "3 three field 1", "4 two field 1", "5 two field 1", OPENED[5])
    assert len(explain(GAME, state, before, seen(*SWEPT, throw=2)).ways) == 3
    parked = seen("1 happy aside 1", "2 star aside 1", "3 three field 1", "4 two field 1", "5 two field 1", OPENED[5])
    moved = explain(GAME, state, before, parked).pending
    found = explain(GAME, state, before, seen(*SWEPT, throw=2), moved=moved)
    assert ways(found) == way("1 park happy star", "1 end", "2 roll go sad sad star two two")
    assert not found.question


def test_a_die_that_falls_in_the_next_throw_leaves_what_was_seen_in_the_bay() -> None:
    state = turn("happy star three two two", scores=(500, 500))
    before = seen("1 happy field 1", "2 star field 1", "3 three field 1", "4 two field 1", "5 two field 1", OPENED[5])
    moved = (Action.parse(spelled("1 park happy star")),)
    after = seen("1 sad out 2", *SWEPT[1:], throw=2)
    found = explain(GAME, state, before, after, moved=moved)
    assert ways(found)[0] == way("1 park happy star", "1 end", "2 vander")[0]


def test_dice_taken_out_of_the_bay_again_were_not_parked() -> None:
    state = turn("happy star three two two", scores=(500, 500))
    before = seen("1 happy field 1", "2 star field 1", "3 three field 1", "4 two field 1", "5 two field 1", OPENED[5])
    moved = (Action.parse(spelled("1 park happy star")),)
    after = seen(
        "1 happy aside 1", "2 two field 2", "3 sad field 2", "4 two field 2", "5 two field 2", OPENED[5], throw=2
    )
    assert ways(explain(GAME, state, before, after, moved=moved)) == way("1 park happy", "1 on sad two two two")


def test_the_turn_ended_by_parking_all_is_explained_by_the_next_throw() -> None:
    state = turn("star star star star star")
    before = seen(*(f"{number} star field" for number in range(1, 6)), "6 go signal")
    parked = [f"{number} star aside 1" for number in range(1, 6)]
    resting = explain(GAME, state, before, seen(*parked, "6 go signal 1"))
    assert [action.verb for action in resting.pending] == ["park"]
    assert resting.unfinished == "Bob: roll all six dice."
    tapped = explain(GAME, state, before, seen(*parked, "6 go signal 1"), Action(1, "end"))
    assert [[action.verb for action in each] for each in tapped.ways] == [["park"]]
    thrown = seen(*(f"{number} two field 2" for number in range(1, 6)), "6 go field 2", throw=2)
    found = explain(GAME, state, before, thrown)
    assert [[action.verb for action in each] for each in found.ways] == [["park", "roll"]]
    assert legal_ways(state, found)


# Without a bay


def test_without_a_bay_a_throw_tells_what_was_parked() -> None:
    state = turn("happy happy star two two")
    after = seen(*QUIET[:3], "4 sad field 2", "5 four field 2", QUIET[5], throw=2, bay=False)
    found = explain(GAME, state, seen(*QUIET, bay=False), after)
    assert ways(found) == way("1 park happy happy star", "1 on sad four")


def test_without_a_bay_moving_dice_says_nothing() -> None:
    state = turn("happy happy star two two")
    moved = seen("1 happy aside 1", *QUIET[1:], bay=False)
    assert explain(GAME, state, seen(*QUIET, bay=False), moved) == Explanation()
    found = explain(GAME, state, seen(*QUIET, bay=False), moved, Action.parse("1 park traffic:happy"))
    assert ways(found) == [["1 park traffic:happy"]]


def test_without_a_bay_parked_dice_and_the_signal_die_may_be_out_of_view() -> None:
    state = turn("sad two", "star star star")
    before = seen("1 sad field", "2 two field", bay=False)
    after = seen("1 four field 2", "2 two field 1", "6 go field 2", throw=2, bay=False)
    assert ways(explain(GAME, state, before, after)) == way("1 go go four")


def test_without_a_bay_a_wrong_throw_is_a_breach_though_the_signal_die_is_out_of_view() -> None:
    state = turn("happy sad star two two")
    after = seen(*OPENED[:2], "3 four field 2", "4 four field 2", OPENED[4], throw=2, bay=False)
    found = explain(GAME, state, seen(*OPENED[:5], bay=False), after)
    assert (found.ways, found.rule) == ((), "I.2-7")


def test_without_a_bay_dice_parked_out_of_view_are_asked_about() -> None:
    state = turn("happy happy star two two")
    after = seen("4 sad field 2", "5 four field 2", QUIET[5], throw=2, bay=False)
    found = explain(GAME, state, seen(*QUIET, bay=False), after)
    assert ways(found) == [*way("1 park happy happy star", "1 on sad four"), ["1 vander"]]
    gone = seen(*QUIET[:3], "4 four field 2", QUIET[5], throw=2, bay=False)
    assert explain(GAME, state, seen(*QUIET, bay=False), gone).question == "Has a die left the table?"


def test_which_happy_face_was_rolled_is_asked_where_the_table_does_not_tell() -> None:
    state = turn("happy sad two", "happy star")
    dice = ("1 happy field 1", "2 sad field 1", "3 two field 1", "4 happy field 1", "5 star field 1", "6 go field 1")
    after = seen("1 four field 2", "2 four field 2", *dice[2:], throw=2, bay=False)
    found = explain(GAME, state, seen(*dice, bay=False), after)
    assert {each[0].choice for each in found.ways} == {"field", "parked"}
    assert found.question == "What was it: Fix a sad face with a happy one, or Fix a sad face with a parked happy one?"
    assert legal_ways(state, found)


def test_with_a_bay_the_table_tells_which_happy_face_was_rolled() -> None:
    state = turn("happy sad two", "happy star")
    dice = ("1 happy field 1", "2 sad field 1", "3 two field 1", "4 happy aside 1", "5 star aside 1", "6 go signal 1")
    from_bay = seen(dice[0], "2 four field 2", dice[2], "4 four field 2", *dice[4:], throw=2)
    assert ways(explain(GAME, state, seen(*dice), from_bay)) == way("1 fix four four =parked")
    from_field = seen("1 four field 2", "2 four field 2", *dice[2:], throw=2)
    assert ways(explain(GAME, state, seen(*dice), from_field)) == way("1 fix four four =field")


# Dice that left the table


def test_a_die_out_of_the_field_after_a_throw_is_the_vander_rule() -> None:
    state = turn("happy sad star two two")
    out = seen("1 two out 2", "2 star field 2", *OPENED[2:], throw=2)
    found = explain(GAME, state, seen(*OPENED), out)
    assert (ways(found), found.dice) == ([["1 vander"]], (1,))


def test_a_die_missing_after_a_throw_is_the_vander_rule() -> None:
    state = turn("happy sad star two two")
    missing = seen("2 star field 2", *OPENED[2:], throw=2)
    assert ways(explain(GAME, state, seen(*OPENED), missing)) == [["1 vander"]]
    opening = explain(GAME, new_game("Ann"), Seen(), seen(*OPENED[:5]))
    assert ways(opening) == [["1 vander"]]


def test_dice_that_a_hand_may_hold_are_asked_about_and_end_no_turn() -> None:
    state = turn("happy sad star two two")
    one_of_five = explain(GAME, state, seen(*OPENED), seen("2 star field 2", *OPENED[5:], throw=2))
    assert ways(one_of_five) == [["1 vander"]]
    assert one_of_five.question == "Has a die left the table?"


def test_a_die_knocked_off_in_a_turn_is_the_vander_rule() -> None:
    state = turn("happy sad star two two")
    assert ways(explain(GAME, state, seen(*OPENED), seen("1 happy out 1", *OPENED[1:]))) == [["1 vander"]]


def test_a_die_laid_outside_by_hand_is_asked_about_and_an_end_may_be_tapped() -> None:
    state = turn("star two", "four four four", phase=Phase.PARKED)
    laid = seen(*PARKED[:4], "5 two out 1", PARKED[5])
    found = explain(GAME, state, seen(*PARKED), laid)
    assert (ways(found), found.question, found.dice) == ([["1 vander"]], "Has a die left the table?", (5,))
    assert ways(explain(GAME, state, seen(*PARKED), laid, Action(1, "end"))) == [["1 end"]]


def test_the_signal_die_set_off_the_field_by_hand_is_not_lost() -> None:
    state = turn("star two", "four four four", phase=Phase.PARKED)
    set_off = (*PARKED[:3], "4 star field 1", "5 two field 1", "6 go out 1")
    assert explain(GAME, state, seen(*PARKED), seen(*set_off)) == Explanation()
    thrown = seen(*PARKED[:3], "4 two field 2", "5 two field 2", "6 go out 1", throw=2)
    assert (found := explain(GAME, state, seen(*PARKED), thrown)).question == ""
    assert ways(found) == way("1 on two two")


@pytest.mark.parametrize("away", [1, 6])
def test_a_throw_in_order_with_a_die_gone_from_the_bay_is_asked_about(away: int) -> None:
    state = turn("star two", "four four four", phase=Phase.PARKED)
    lying = [*PARKED[:3], "4 two field 2", "5 two field 2", PARKED[5]]
    del lying[away - 1]
    found = explain(GAME, state, seen(*PARKED), seen(*lying, throw=2))
    assert ways(found) == [*way("1 on two two"), ["1 vander"]]
    assert found.question == "Has a die left the table?"
    again = explain(GAME, state, seen(*(text for text in PARKED if text[0] != str(away))), seen(*lying, throw=2))
    assert ways(again) == way("1 on two two")


def test_a_die_thrown_off_the_table_counts_before_one_that_leans() -> None:
    state = turn("happy sad star two two")
    after = seen("1 two out 2", "2 star field 2 !", *OPENED[2:], throw=2)
    assert ways(explain(GAME, state, seen(*OPENED), after)) == [["1 vander"]]


def test_a_leaning_die_may_hide_another_and_nothing_is_lost_yet() -> None:
    state = turn("happy sad star two two")
    after = seen("2 star field 2 !", *OPENED[2:], throw=2)
    assert "Throw it again." in explain(GAME, state, seen(*OPENED), after).unfinished


def test_a_player_may_say_that_a_die_left_the_table_whatever_the_dice_say() -> None:
    state = turn("happy sad star two two")
    wrong = seen(*OPENED[:2], "3 four field 2", "4 four field 2", *OPENED[4:], throw=2)
    assert ways(explain(GAME, state, seen(*OPENED), wrong, Action(1, "vander"))) == [["1 vander"]]


def test_dice_put_down_one_by_one_before_a_turn_are_asked_about() -> None:
    found = explain(GAME, new_game("Ann"), seen(*OPENED), seen("1 two field 2", "2 sad field 2", throw=2))
    assert (ways(found), found.question) == ([["1 vander"]], "Has a die left the table?")
    swept = seen("1 two field 2", "2 sad out 2", *OPENED[2:], throw=2)
    assert explain(GAME, new_game("Ann"), seen(*OPENED), swept).question == "Has a die left the table?"


def test_dice_in_a_hand_are_not_lost() -> None:
    state = turn("happy sad star two two")
    found = explain(GAME, state, seen(*OPENED), seen(*OPENED[2:]))
    assert found.ways == ()
    assert found.unfinished == "2 dice are not in view: in a hand, or off the table."
    assert explain(GAME, state, seen(*OPENED), seen(*OPENED[2:], hands_in=True)).unfinished == "A hand is in the tray."


def test_dice_swept_out_between_turns_are_not_lost() -> None:
    state = done(turn("happy sad star two two"), "1 give-up")
    out = tuple(text.replace("field 1", "out 2") for text in OPENED)
    assert explain(GAME, state, seen(*OPENED), seen(*out, throw=2)).ways == ()


def test_a_lot_with_a_die_off_the_table_is_thrown_again() -> None:
    found = explain(GAME, new_game(), Seen(), seen("1 happy out", *OPENED[1:5]))
    assert found.ways == ()
    assert found.unfinished == "A die left the tray: throw the dice of this throw again."


def test_moving_dice_are_waited_for() -> None:
    found = explain(GAME, new_game("Ann"), Seen(), seen(*OPENED, at_rest=False))
    assert found.unfinished == "The dice are still moving."


def test_a_die_that_leans_is_rolled_again() -> None:
    state = new_game("Ann")
    found = explain(GAME, state, Seen(), seen("1 happy field 1 !", *OPENED[1:]))
    assert (found.unfinished, found.rule, found.dice) == (
        "The die that shows Happy leans. Throw it again.",
        "AMB-I-16",
        (1,),
    )
    again = seen("1 two field 2", *OPENED[1:], throw=2)
    assert ways(explain(GAME, state, Seen(), again)) == way("1 roll go two sad star two two")


def test_a_die_too_many_is_taken_away_first() -> None:
    found = explain(GAME, new_game("Ann"), Seen(), seen(*OPENED, "7 two field 1"))
    assert "6 Traffic dice" in found.unfinished


# Breaches


SAD_TABLE = ("happy sad star two two", OPENED)
QUIET_TABLE = ("happy happy star two two", QUIET)


@pytest.mark.parametrize(
    ("field", "dice", "thrown", "rule", "words"),
    [
        (*SAD_TABLE, {3: "four", 4: "four"}, "I.2-7", "You rolled star and a two"),
        (*SAD_TABLE, {1: "four", 2: "four", 4: "four"}, "I.2-7", "You rolled happy, sad and a two"),
        (*SAD_TABLE, {1: "four", 2: "four", 3: "two", 4: "four", 5: "four"}, "I.2-6", "Fix the sad faces first"),
        (*SAD_TABLE, {6: "slow"}, "I.2-4", "Never roll the Signal die alone"),
        (*SAD_TABLE, {2: "four", 6: "slow"}, "I.2-8", "with a happy one"),
        (*SAD_TABLE, {3: "four", 6: "slow"}, "I.2-9", "only on slow"),
        (*SAD_TABLE, {4: "four", 6: "slow"}, "I.2-4", "a sad face, a star"),
        (*QUIET_TABLE, {1: "four", 2: "four", 3: "four", 4: "four", 5: "four"}, "I.2-11", "Park at least one"),
        (*QUIET_TABLE, {4: "four", 5: "four", 6: "slow"}, "I.2-4", "not with 2"),
        (*QUIET_TABLE, {1: "four"}, "I.2-11", "Park at least one"),
    ],
)
def test_a_wrong_throw_is_a_breach_named_by_its_rule(
    field: str, dice: tuple[str, ...], thrown: dict[int, str], rule: str, words: str
) -> None:
    lying = [f"{n} {thrown[n]} field 2" if n in thrown else text for n, text in enumerate(dice, start=1)]
    found = explain(GAME, turn(field), seen(*dice), seen(*lying, throw=2))
    assert found.ways == ()
    assert (found.rule, set(found.dice)) == (rule, set(thrown))
    assert words in found.breach


@pytest.mark.parametrize(
    ("moved", "thrown", "rule", "words"),
    [
        ({1: "happy"}, {2: "four", 4: "four"}, "I.2-12", "2 dice were left lying"),
        ({4: "two", 5: "two"}, {1: "four", 2: "four", 3: "four"}, "I.2-10", "You cannot park just 2 twos"),
    ],
)
def test_wrong_parking_before_a_throw_is_a_breach(
    moved: dict[int, str], thrown: dict[int, str], rule: str, words: str
) -> None:
    lying = [
        f"{n} {thrown[n]} field 2" if n in thrown else f"{n} {moved[n]} aside 1" if n in moved else text
        for n, text in enumerate(QUIET, start=1)
    ]
    found = explain(GAME, turn("happy happy star two two"), seen(*QUIET), seen(*lying, throw=2))
    assert (found.ways, found.rule) == ((), rule)
    assert words in found.breach


def test_parking_with_a_sad_face_on_the_field_is_hinted_and_then_a_breach() -> None:
    state = turn("happy sad star two two")
    moved = ("1 happy field 1", "2 sad field 1", "3 star aside 1", *OPENED[3:])
    assert "still a sad face" in explain(GAME, state, seen(*OPENED), seen(*moved)).unfinished
    after = seen("1 two field 2", "2 two field 2", *moved[2:], throw=2)
    found = explain(GAME, state, seen(*OPENED), after)
    assert (found.ways, found.rule) == ((), "I.2-6")


PARKED = ("1 four aside 1", "2 four aside 1", "3 four aside 1", "4 star field 1", "5 two field 1", "6 go signal 1")


def test_a_parked_die_thrown_is_a_breach() -> None:
    state = turn("star two", "four four four", phase=Phase.PARKED)
    after = seen("1 sad field 2", *PARKED[1:3], "4 two field 2", "5 four field 2", PARKED[5], throw=2)
    found = explain(GAME, state, seen(*PARKED), after)
    assert (found.ways, found.rule) == ((), "I.2-12")
    assert "A parked four was rolled" in found.breach


def test_too_few_dice_at_the_start_are_a_breach() -> None:
    lying = [text.replace(" 1", " 2") if text[0] != "4" else text for text in OPENED]
    found = explain(GAME, new_game("Ann"), seen(*OPENED), seen(*lying, throw=2))
    assert (found.ways, found.rule) == ((), "I.2-2")
    assert "the Signal die and 4 Traffic dice" in found.breach


def test_a_lot_with_the_signal_die_is_a_breach() -> None:
    found = explain(GAME, new_game(), Seen(), seen(*OPENED))
    assert (found.ways, found.rule) == ((), "I.2-1")


def test_double_or_nothing_with_more_dice_is_a_breach() -> None:
    state = turn("two", "four four four star", phase=Phase.DOUBLE)
    dice = ("1 four aside 1", "2 four aside 1", "3 four aside 1", "4 star aside 1", "5 two field 1", "6 go signal 1")
    after = seen(*dice[:3], "4 two field 2", "5 star field 2", "6 slow field 2", throw=2)
    assert explain(GAME, state, seen(*dice), after).rule == "I.2-13"


def test_a_die_turned_over_by_hand_is_a_breach() -> None:
    state = turn("happy sad star two two")
    found = explain(GAME, state, seen(*OPENED), seen("1 happy field 1", "2 star field 1", *OPENED[2:]))
    assert (found.breach, found.rule, found.dice) == (
        "A die was turned from sad to star without being thrown.",
        "I.2-12",
        (2,),
    )
    thrown = seen("1 two field 2", "2 two field 2", "3 four field 1", *OPENED[3:], throw=2)
    assert "turned from star to four" in explain(GAME, state, seen(*OPENED), thrown).breach


def test_a_corrected_reading_is_no_turned_die() -> None:
    state = turn("star sad star two two", signal="slow")
    table = seen(*OPENED[:5], "6 slow signal 1")
    assert explain(GAME, state, table, table) == Explanation()
    after = seen(OPENED[0], OPENED[1], "3 two field 2", *OPENED[3:5], "6 go field 2", throw=2)
    assert ways(explain(GAME, state, table, after)) == way("1 star two go =field")


def test_a_sad_face_thrown_alone_is_told_what_it_is_thrown_with() -> None:
    dice = ("1 two field 1", *OPENED[1:])
    alone = seen(dice[0], "2 four field 2", *dice[2:], throw=2)
    assert explain(GAME, turn("two sad star two two"), seen(*dice), alone).rule == "I.2-8"
    slow = (*dice[:5], "6 slow signal 1")
    under_slow = seen(slow[0], "2 four field 2", *slow[2:], throw=2)
    found = explain(GAME, turn("two sad star two two", signal="slow"), seen(*slow), under_slow)
    assert found.breach == "There was no happy face to fix the sad one with."


def test_a_happy_face_rolled_with_two_sad_ones_is_a_breach_of_the_fix() -> None:
    state = turn("sad sad two two", "happy")
    dice = ("1 happy aside 1", "2 sad field 1", "3 sad field 1", *OPENED[3:])
    after = seen(*(f"{number} four field 2" for number in (1, 2, 3)), *dice[3:], throw=2)
    found = explain(GAME, state, seen(*dice), after)
    assert (found.rule, found.breach) == (
        "I.2-7",
        "Fix a sad face by rolling it with one happy face. You rolled 2 x sad and happy.",
    )


def test_dice_changed_by_hand_and_unknown_by_number_are_a_breach() -> None:
    state = turn("happy sad star two two")
    found = explain(GAME, state, seen(*OPENED), seen(OPENED[0], "12 happy field 1", *OPENED[2:]))
    assert (found.breach, found.rule) == ("Dice have changed, but none was thrown.", "I.2-12")


def test_a_strange_die_laid_into_the_tray_is_taken_away_and_nobody_is_accused() -> None:
    state = turn("happy sad star two two")
    found = explain(GAME, state, seen(*OPENED), seen(*OPENED, "7 two field 1"))
    assert (found.breach, found.dice) == ("", (1, 2, 3, 4, 5, 7))
    assert found.unfinished.endswith("take the rest away.")


def test_a_die_that_leans_by_hand_is_set_down_and_nobody_is_accused() -> None:
    state = turn("happy sad star two two")
    found = explain(GAME, state, seen(*OPENED), seen("1 two field 1 !", *OPENED[1:]))
    assert (found.breach, found.unfinished) == ("", "The die that shows Two leans. Set it down flat, as before.")


# Pushed dice and doubts


def test_a_parked_die_that_others_pushed_out_of_the_bay_is_no_part_of_their_throw() -> None:
    state = turn("star two", "four four four", phase=Phase.PARKED)
    thrown = (*PARKED[1:3], "4 two field 2", "5 four field 2", PARKED[5])
    pushed, doubted = (
        explain(GAME, state, seen(*PARKED), with_chances(seen(four, *thrown, throw=2), {1: chance}))
        for four, chance in (("1 four field 1", 0.02), ("1 four field 2", 0.3))
    )
    assert (ways(pushed), pushed.question) == (way("1 on two four"), "")
    assert doubted.question == "It was not seen to tumble. Was this die thrown?"


def test_a_signal_die_rolled_from_its_spot_is_no_bumped_one() -> None:
    state = turn("star two", "four four four", phase=Phase.PARKED)
    after = seen(*PARKED[:3], "4 two field 2", "5 four field 2", "6 go field 2", throw=2)
    found = explain(GAME, state, seen(*PARKED), after)
    assert (found.ways, found.rule) == ((), "I.2-4")


def pushed_star(chance: float) -> Seen:
    """Two dice are thrown, and a star moves that may have been thrown with them."""
    after = seen("1 four field 2", "2 four field 2", "3 star field 2", *OPENED[3:], throw=2)
    return with_chances(after, {1: 0.97, 2: 0.97, 3: chance})


def test_a_tap_does_not_answer_an_open_question() -> None:
    state = turn("happy sad star two two")
    after = pushed_star(0.3)
    found = explain(GAME, state, seen(*OPENED), after, Action.parse("1 park traffic:star"))
    asked = explain(GAME, state, seen(*OPENED), after)
    assert asked.question
    assert found == Explanation(unfinished=f"Answer first: {asked.question}", dice=asked.dice)
    assert len(asked.dice) == 1


def test_dice_of_several_throws_are_not_silently_one() -> None:
    opened_then_played_on = seen(
        "1 happy aside 1", "2 happy aside 1", "3 star field 2", "4 two field 2", "5 two field 2", OPENED[5], throw=2
    )
    found = explain(GAME, new_game("Ann"), Seen(), opened_then_played_on)
    assert ways(found) == way("1 roll go happy happy star two two")
    assert found.question.startswith("The dice were thrown more than once. Was it all this")
    last_die = seen(*(f"{number} star aside 1" for number in range(1, 5)), "5 two field 2", OPENED[5], throw=2)
    assert explain(GAME, new_game("Ann"), Seen(), last_die).question


def test_a_single_die_thrown_after_the_others_is_part_of_their_throw_where_it_leaned_or_was_asked_for() -> None:
    flat = seen("1 two field 1", *OPENED[1:])
    leaned = replace(flat, dice=(replace(flat.dice[0], cocked=True), *flat.dice[1:]))
    due = explain(GAME, new_game("Ann"), Seen(), leaned).rethrow
    again = seen("1 two field 2", *OPENED[1:], throw=2)
    assert explain(GAME, new_game("Ann"), Seen(), again, rethrow=due).question == ""
    assert explain(GAME, new_game("Ann"), Seen(), again).question.startswith("The dice were thrown more than once.")
    assert explain(GAME, new_game("Ann"), Seen(), again, told=True).question == ""


def test_what_comes_to_the_same_is_not_asked() -> None:
    state = turn("star star three three two", signal="slow", star_after_park="allowed")
    dice = ("1 star field 1", "2 star field 1", "3 three field 1", "4 three field 1", "5 two field 1", "6 slow field 1")
    after = seen("1 star aside 1", "2 two field 2", *dice[2:5], "6 go field 2", throw=2)
    assert ways(explain(GAME, state, seen(*dice), after)) == way("1 park star", "1 star go two =field")


def test_a_die_that_others_pushed_is_asked_about_where_it_may_have_been_thrown() -> None:
    state = turn("happy sad star two two")
    found = explain(GAME, state, seen(*OPENED), pushed_star(0.02))
    assert (ways(found), found.question) == (way("1 fix four four =field"), "")
    asked = explain(GAME, state, seen(*OPENED), pushed_star(0.3))
    assert (asked.question, asked.dice) == ("It was not seen to tumble. Was this die thrown?", (3,))


def test_a_knocked_table_is_no_throw() -> None:
    state = turn("happy sad star two two")
    moved = tuple(text.replace(" 1", " 2") for text in OPENED)
    found = explain(GAME, state, seen(*OPENED), with_chances(seen(*moved, throw=2), dict.fromkeys(range(1, 7), 0.6)))
    assert (found.ways, found.breach) == ((), "")
    assert found.unchanged


def test_dice_that_seemed_to_roll_into_the_bay_and_show_what_they_showed_are_parked() -> None:
    state = turn("star star star two four", signal="go")
    dice = ("1 star field 1", "2 star field 1", "3 star field 1", "4 two field 1", "5 four field 1", "6 go field 1")
    after = seen("1 star aside 2", "2 star aside 2", "3 star aside 1", *dice[3:], throw=2)
    found = explain(GAME, state, seen(*dice), with_chances(after, {1: 0.6, 2: 0.6}))
    assert [str(action) for action in found.pending] == ["1 park traffic:star traffic:star traffic:star"]


def test_a_doubtful_face_that_matters_is_asked() -> None:
    found = explain(GAME, new_game("Ann"), Seen(), seen("1 happy/sad field", *OPENED[1:]))
    assert (found.ways, found.unsure_dice) == ((), (1,))


def test_a_doubtful_face_under_a_stop_does_not_matter() -> None:
    dice = ("1 happy/sad field", *OPENED[1:5], "6 stop field")
    found = explain(GAME, new_game("Ann"), Seen(), seen(*dice))
    assert ways(found) == way("1 roll stop happy sad star two two")


def test_a_doubt_between_faces_that_are_not_counted_does_not_matter() -> None:
    lot = seen("1 two/four field", "2 star/sad field", *OPENED[2:5])
    assert ways(explain(GAME, new_game(), Seen(), lot)) == way("1 lot two star star two two")
    lot = seen("1 two/happy field", "2 star/sad field", *OPENED[2:5])
    assert explain(GAME, new_game(), Seen(), lot).unsure_dice == (1,)


def test_a_doubtful_stop_is_asked_and_nothing_else() -> None:
    dice = ("1 happy field", *OPENED[1:5], "6 stop/go field")
    assert explain(GAME, new_game("Ann"), Seen(), seen(*dice)).unsure_dice == (6,)


def test_many_doubts_are_all_asked() -> None:
    dice = (*(f"{number} two/three/four field" for number in range(1, 6)), "6 go/slow/stop field")
    assert explain(GAME, new_game("Ann"), Seen(), seen(*dice)).unsure_dice == (1, 2, 3, 4, 5, 6)


def test_an_unread_die_is_asked() -> None:
    table = seen(*OPENED)
    unread = replace(table, dice=(replace(table.dice[0], faces=()), *table.dice[1:]))
    assert explain(GAME, new_game("Ann"), Seen(), unread).unsure_dice == (1,)


# Ways in words, and resuming


def test_a_way_can_be_said() -> None:
    state = turn("happy happy star two two")
    actions = [Action.parse(spelled(text)) for text in ("1 park happy star", "1 on sad sad four")]
    assert describe(GAME, state, actions) == "Park happy and star (150), then play on with the other 3 dice"


def test_on_resuming_the_table_is_compared() -> None:
    state = turn("star two", "four four four", phase=Phase.PARKED)
    assert differs(GAME, state, seen(*PARKED)) == ""
    assert differs(GAME, new_game(), seen()) == ""
    assert "but it shows four, star, two, go" not in differs(GAME, state, seen(*PARKED))
    assert differs(GAME, state, seen(*PARKED[2:])).endswith("but it shows four, star, two, go.")
    assert differs(GAME, state, seen()).endswith("but it is empty.")
    turned = seen("1 sad aside", *PARKED[1:])
    assert "but it shows sad, 2 x four, star, two, go" in differs(GAME, state, turned)
    astray = seen("1 four field", *PARKED[1:])
    assert differs(GAME, state, astray).startswith("The faces are right. But these go in the bay: 3 x four.")
    assert differs(GAME, state, replace(astray, bay=False)) == ""


# A tap while a throw lies there that nobody has ruled on yet


def test_a_tap_comes_after_the_throw_that_lies_there_unruled() -> None:
    state = new_game("Ann")
    found = explain(GAME, state, Seen(), seen(*OPENED), Action(1, "give-up"))
    assert ways(found) == way("1 roll go happy sad star two two", "1 give-up")
    assert (found.question, found.breach, found.unsure_dice) == ("", "", ())


def test_a_tap_that_the_throw_makes_illegal_is_refused_by_the_rule_after_it() -> None:
    found = explain(GAME, new_game("Ann"), Seen(), seen(*OPENED), Action(1, "end"))
    assert found.ways == ()
    assert found.rule == "I.2-12"
    assert "sad face" in found.breach


def test_a_doubtful_face_is_asked_before_a_tap_counts() -> None:
    unsure = seen("1 happy/sad field 1", *OPENED[1:])
    found = explain(GAME, new_game("Ann"), Seen(), unsure, Action(1, "give-up"))
    assert (found.ways, found.unsure_dice) == ((), (1,))
