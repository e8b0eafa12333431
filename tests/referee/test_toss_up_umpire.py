"""The umpire on Toss Up!: green dice lie anywhere, a roll is told by its count, and few things are asked."""

from __future__ import annotations

from at_the_table import with_chances
from toss_up_table import deed, done, new_game, seen, turn

from referee.actions import Action, GameState
from referee.dice import Seen
from referee.games.toss_up import GAME, TossUpState
from referee.judge import judge
from referee.umpire import Explanation, differs, explain

START = ("1-6 green field", "7-8 yellow field", "9-10 red field")
"""How the first roll of `six_green` lies."""


def ways(found: Explanation) -> list[list[str]]:
    return [[str(action) for action in way] for way in found.ways]


def way(state: TossUpState, *texts: str) -> list[str]:
    """The texts as actions, each by the player whose turn it is by then."""
    found = []
    for text in texts:
        found.append(str(deed(state, text)))
        state = done(state, text)
    return found


def six_green() -> TossUpState:
    return done(new_game(), "6g 2y 2r")


def after(*lying: str, before: tuple[str, ...] = START, bay: bool = True) -> Explanation:
    return explain(GAME, six_green(), seen(*before, bay=bay), seen(*lying, throw=2, bay=bay))


def test_ten_dice_thrown_start_a_turn() -> None:
    found = explain(GAME, new_game(), Seen(), seen(*START))
    assert ways(found) == [way(new_game(), "6g 2y 2r")]
    assert not found.question


def test_green_dice_may_lie_anywhere() -> None:
    rolled = way(six_green(), "1g 1y 2r")
    fell = ("7 green field", "8 yellow field", "9-10 red field")
    for zone in ("field", "aside"):
        assert ways(after(f"1-6 green {zone} 1", *fell)) == [rolled]
    assert ways(after("1-3 green aside 1", "4-6 green field 1", *fell)) == [rolled]
    assert ways(after(*fell)) == [rolled]
    assert ways(after("1-2 green aside 1", *fell)) == [rolled]
    assert ways(after(*fell, bay=False)) == [rolled]
    assert not after(*fell).question


def test_green_dice_put_aside_say_nothing_yet() -> None:
    moved = seen("1-6 green aside", *START[1:])
    assert explain(GAME, six_green(), seen(*START), moved) == Explanation()
    assert differs(GAME, six_green(), moved) == ""
    away = seen(*START[1:])
    assert explain(GAME, six_green(), seen(*START), away) == Explanation()
    tapped = explain(GAME, six_green(), seen(*START), moved, Action(1, "end"))
    assert ways(tapped) == [["1 end"]]


def test_dice_in_a_hand_are_no_throw() -> None:
    found = explain(GAME, six_green(), seen(*START), seen("1-6 green field"))
    assert found == Explanation()


def test_ten_dice_thrown_end_the_turn_and_start_the_next() -> None:
    found = after("1-3 green field", "4-10 red field")
    assert ways(found) == [way(six_green(), "end", "3g 7r")]
    assert found.ways[0][1].player == 2
    assert not found.question


def test_with_ten_green_it_is_asked_who_rolled() -> None:
    state = done(new_game(), "10g")
    found = explain(GAME, state, seen("1-10 green field"), seen("1-3 green field", "4-10 red field", throw=2))
    assert ways(found) == [way(state, "3g 7r"), way(state, "end", "3g 7r")]
    assert found.question == (
        "What was it: Roll all ten dice again, or End the turn with 10 points, then roll all ten dice?"
    )


def test_with_all_ten_yellow_it_is_asked_who_rolled() -> None:
    state = done(new_game(), "10y")
    found = explain(GAME, state, seen("1-10 yellow field"), seen("1-3 green field", "4-10 red field", throw=2))
    assert ways(found) == [way(state, "3g 7r"), way(state, "end", "3g 7r")]
    assert found.question


def test_where_the_turn_cannot_end_nothing_is_asked() -> None:
    state = done(new_game(yellow_start="roll-again"), "10y")
    found = explain(GAME, state, seen("1-10 yellow field"), seen("1-3 green field", "4-10 red field", throw=2))
    assert ways(found) == [way(state, "3g 7r")]
    assert not found.question


def test_after_a_red_light_ten_dice_are_the_next_player_s() -> None:
    state = done(six_green(), "4r")
    lying = seen("1-6 green field 1", "7-10 red field", throw=2)
    found = explain(GAME, state, lying, seen("1-3 green field", "4-10 red field", throw=3))
    assert ways(found) == [way(state, "3g 7r")]


def test_all_yellow_is_rolled_again() -> None:
    state = done(six_green(), "4y")
    lying = ("1-6 green aside 1", "7-10 yellow field 2")
    found = explain(GAME, state, seen(*lying, throw=2), seen("1-6 green aside 1", "7-10 green field 3", throw=3))
    assert ways(found) == [way(state, "4g")]


def test_too_few_dice_thrown_are_a_breach() -> None:
    found = after("1-6 green field 1", "7-9 green field", "10 red field 1")
    assert (found.ways, found.rule) == ((), "T.2-9")
    assert found.breach == "Roll every die that is not green. 1 was left lying."
    start = explain(GAME, new_game(), Seen(), seen("1-9 green field", "10 red field 0"))
    assert (start.ways, start.rule) == ((), "T.2-2")
    ten = explain(
        GAME, done(new_game(), "10g"), seen("1-10 green field"), seen("1-5 green field 1", "6-10 red field", throw=2)
    )
    assert (ten.ways, ten.rule) == ((), "T.2-8")


def test_too_many_dice_thrown_are_a_breach() -> None:
    found = after("1-5 green field 1", "6-10 red field")
    assert (found.ways, found.rule) == ((), "T.2-9")
    assert found.breach == "Leave green dice aside until all ten are green. 1 was rolled."
    assert found.dice == (6, 7, 8, 9, 10)


def test_the_wrong_dice_thrown_are_a_breach() -> None:
    found = after("1-5 green field 1", "10 red field 1", "6-9 yellow field")
    assert (found.ways, found.rule) == ((), "T.2-9")
    assert found.breach.startswith("Leave green dice aside")


def test_a_die_of_another_colour_in_the_bay_is_told() -> None:
    found = explain(GAME, six_green(), seen(*START), seen("1-6 green field", "7-8 yellow field", "9-10 red aside"))
    assert (found.ways, found.breach) == ((), "")
    assert found.unfinished == "Set only green dice aside. 2 were of another colour."
    thrown = after("1-6 green aside 1", "10 red aside 1", "7-9 green field")
    assert (thrown.ways, thrown.rule) == ((), "T.2-4")


def test_a_die_that_left_the_table_is_thrown_again() -> None:
    again = "A die left the tray: throw the dice of this throw again."
    fell = after("1-6 green field 1", "7-9 green field", "10 red out")
    assert (fell.ways, fell.breach, fell.unfinished) == ((), "", again)
    gone = after("1-6 green field 1", "7-9 green field")
    assert (gone.ways, gone.breach, gone.unfinished) == ((), "", again)
    start = explain(GAME, new_game(), Seen(), seen("1-9 green field"))
    assert (start.ways, start.breach, start.unfinished) == ((), "", again)


def test_a_nudged_die_changes_nothing() -> None:
    nudged = seen("1-6 green field 1", "7-8 yellow field 1", "9 red field 1", "10 red field 2", throw=2)
    found = explain(GAME, six_green(), seen(*START), with_chances(nudged, {10: 0.3}))
    assert (found.ways, found.breach) == ((), "")
    assert found.unchanged


def test_a_green_die_that_a_roll_pushed_is_asked_about_where_it_may_have_been_thrown() -> None:
    rolled = ("7-8 green field", "9-10 red field")
    pushed, doubted = (
        explain(GAME, six_green(), seen(*START), with_chances(seen(*kept, *rolled, throw=2), {6: chance}))
        for kept, chance in ((("1-6 green field 1",), 0.02), (("1-5 green field 1", "6 green field"), 0.4))
    )
    assert (ways(pushed), pushed.question) == ([way(six_green(), "2g 2r")], "")
    assert doubted.question == "It was not seen to tumble. Was this die thrown?"


def test_a_die_turned_over_without_a_throw_is_a_breach() -> None:
    turned = seen("1-6 green field", "7 green field", "8 yellow field", "9-10 red field")
    found = explain(GAME, six_green(), seen(*START), turned)
    assert (found.ways, found.rule, found.dice) == ((), "T.2-9", (7,))
    assert found.breach == "A die was turned from yellow to green without being thrown."
    differing = differs(GAME, six_green(), turned)
    assert differing.startswith("The table should show")


def test_a_die_too_many_is_taken_away_first() -> None:
    found = explain(GAME, six_green(), seen(*START), seen(*START, "11 red field"))
    assert (found.ways, found.dice) == ((), tuple(range(1, 12)))
    assert "the game has 10: take the rest away" in found.unfinished


def test_a_die_that_leans_is_rolled_again() -> None:
    found = after("1-6 green field 1", "7-9 green field", "10 red field !")
    assert (found.ways, found.rule, found.dice) == ((), "T.2-3", (10,))
    assert found.unfinished == "The die that shows Red leans. Throw it again."


def test_a_colour_is_asked_where_it_matters() -> None:
    found = after("1-6 green field 1", "7 green field", "8-9 red field", "10 yellow/red field")
    assert (found.ways, found.unsure_dice) == ((), (10,))
    bust = after("1-6 green field 1", "7-9 red field", "10 yellow/red field")
    assert ways(bust) == [way(six_green(), "3r 1y")]


def test_new_green_dice_may_be_rolled_again_where_the_table_plays_so() -> None:
    state = done(new_game(new_green="may-roll"), "6g 2y 2r")
    found = explain(GAME, state, seen(*START), seen("1-4 green field 1", "5-10 red field", throw=2))
    assert ways(found) == [way(state, "6r")]
    all_six = explain(GAME, state, seen(*START), seen("1 red field", "2-10 green field", throw=2))
    assert ways(all_six) == [way(state, "end", "9g 1r")]


def test_a_turn_taken_whole_from_throws_alone() -> None:
    """Three green, three more, and the next player's ten dice: no tap is needed for the end between them."""
    state: GameState = new_game()
    table = Seen()
    throws = [
        seen("1-3 green field", "4-10 red field", throw=1),
        seen("1-3 green aside 1", "4-6 green field", "7-10 yellow field", throw=2),
        seen("1 green field", "2-10 red field", throw=3),
    ]
    for now in throws:
        found = explain(GAME, state, table, now)
        assert len(found.ways) == 1
        for action in found.ways[0]:
            state = judge(GAME, state, action).state
        table = now
    assert isinstance(state, TossUpState)
    assert (state.scores, state.seat, state.points) == ((6, 0), 2, 1)


def test_a_turn_in_hand_is_told_by_its_dice() -> None:
    state = turn("3y", 7)
    lying = ("1-7 green aside 1", "8-10 yellow field 1")
    found = explain(GAME, state, seen(*lying), seen("1-7 green aside 1", "8-10 red field", throw=2))
    assert ways(found) == [way(state, "3r")]
