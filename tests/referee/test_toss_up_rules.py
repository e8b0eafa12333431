"""Every numbered rule of Toss Up!, and each reading of its options, has a test here that bears its number."""

from __future__ import annotations

import re
from dataclasses import replace
from math import comb
from pathlib import Path

import pytest
from toss_up_table import COLOURS, dice, do, done, new_game, offers, refused, refused_action, said, turn

from models.die_sets import load
from referee.actions import Action, DiePosition
from referee.board import BoardPart, Lights, Token, Track
from referee.calls import Call, Refusal
from referee.dice import Die, Seen, SeenDie, Zone
from referee.game import BadStart, begin
from referee.games.toss_up import GAME
from referee.games.toss_up.state import ASIDE, KIND, ROLLED, TossUpState, hand, taken_back, throws
from referee.judge import judge
from referee.umpire import explain

GREEN, YELLOW, RED = COLOURS["g"], COLOURS["y"], COLOURS["r"]
NUMBERED = tuple(range(1, 13))
AMBIGUITIES = tuple(range(1, 11))


def test_every_numbered_rule_and_every_ambiguity_has_a_test() -> None:
    assert {int(found[1]) for name in globals() if (found := re.match(r"test_rule_(\d+)_", name))} == set(NUMBERED)
    assert {int(found[1]) for name in globals() if (found := re.match(r"test_amb_(\d+)_", name))} == set(AMBIGUITIES)
    assert [option.source for option in GAME.options] == [f"AMB-T-{number}" for number in AMBIGUITIES]


def test_every_numbered_rule_is_cited_and_stands_on_the_page() -> None:
    root = Path(__file__).parents[2]
    page = (root / "referee/rules/toss-up.md").read_text("utf-8")
    source = "".join(path.read_text("utf-8") for path in (root / "referee/games/toss_up").glob("*.py"))
    for number in NUMBERED:
        assert f'"T.2-{number}"' in source
        assert f"**T.2-{number}**" in page


# The game


def test_the_game_says_what_it_is() -> None:
    assert (GAME.name, GAME.title, GAME.die_set, GAME.seats) == ("toss-up", "Toss Up!", "toss-up", (2, 6))
    assert set(GAME.help_texts) == {"roll", "end"}
    assert all(meaning.endswith(".") for meaning in GAME.help_texts.values())
    assert (GAME.by_hand, GAME.implied, GAME.held_actions, GAME.lost) == (frozenset(), frozenset({"end"}), 1, "")
    cites = {"dice": "T.1", "turn": "T.2-1", "over": "T.2-11", "touched": "T.2-9", "cocked": "T.2-3", "verb": "T.2-7"}
    assert GAME.cites == cites


def test_every_option_has_the_recommended_reading_first() -> None:
    assert [(option.name, *(value for value, _ in option.readings)) for option in GAME.options] == [
        ("target", "over-100", "from-100"),
        ("last-turns", "everyone", "later-seats"),
        ("tie", "shared", "one-more-turn"),
        ("yellow-start", "may-end", "roll-again"),
        ("ten-green", "may-end", "roll-on"),
        ("new-green", "set-aside", "may-roll"),
        ("last-yellow", "caution", "red-light"),
        ("players", "box", "up-to-12"),
        ("leaning-die", "thrown-again", "set-flat"),
        ("leader-leaves", "plays-on", "ends"),
    ]
    for option in GAME.options:
        assert option.title.endswith("?")
        assert all(re.fullmatch(r"[A-Z0-9].*\.", meaning) for _, meaning in option.readings)


def test_rule_1_seat_1_begins_and_the_turns_go_round_to_the_left() -> None:
    state = new_game("Ann", "Bob", "Cy")
    assert (state.to_act, state.seat, state.who, state.scores) == ((1,), 1, "Ann", (0, 0, 0))
    for seat in (2, 3, 1):
        state = done(state, "10r")
        assert (state.to_act, state.scores) == ((seat,), (0, 0, 0))
    assert refused_action(state, Action(2, "roll", dice("10g")))[0] == "T.2-1"


def test_rule_2_a_turn_starts_with_all_ten_dice() -> None:
    for state in (new_game(), done(new_game(), "10r"), done(new_game(), "4g 6y", "end")):
        assert offers(state) == ["roll 10"]
        assert state.dice_awaited == (ROLLED,) * 10
        assert (state.rolled, state.field, state.aside, state.fresh, state.points) == (False, (), 0, 0, 0)
        assert GAME.lay(state) == ()
    assert refused(new_game(), "9g") == ("T.2-2", "Start your turn with all ten dice, not with 9.")
    assert refused(new_game(), "end") == ("T.2-2", "Start your turn with all ten dice.")


def test_rule_3_only_the_dice_just_rolled_are_judged() -> None:
    state = turn("2y 1r", 7)
    assert said(state, "2y 1r")[0][0] == "T.2-5"
    assert said(state, "3y")[0][0] == "T.2-6"
    assert done(state, "1g 2r").points == 8


def test_rule_4_green_dice_are_set_aside_and_are_points() -> None:
    state = done(new_game(), "4g 3y 3r")
    assert (state.rolled, state.aside, state.fresh, state.points) == (True, 4, 4, 4)
    assert state.field == (RED, RED, RED, YELLOW, YELLOW, YELLOW)
    assert state.dice_awaited == ()
    assert said(new_game(), "4g 3y 3r") == [("T.2-4", "Ann sets 4 green aside and has 4 points in this turn.")]
    after = done(state, "1g 5r")
    assert (after.aside, after.fresh, after.points, after.field) == (5, 1, 5, (RED,) * 5)
    assert after.to_act == (1,)


def test_rule_4_one_green_does_with_all_the_others_red() -> None:
    assert said(new_game(), "1g 9r") == [("T.2-4", "Ann sets 1 green aside and has 1 point in this turn.")]
    assert offers(done(new_game(), "1g 9r")) == ["roll 9", "end"]


def test_rule_5_no_green_and_a_red_end_the_turn_with_nothing() -> None:
    loss = "No green, and a red: Ann runs a red light and loses"
    assert said(new_game(), "9y 1r") == [("T.2-5", f"{loss} the turn.")]
    assert said(turn("2y", 8, scores=(40, 0)), "1y 1r") == [("T.2-5", f"{loss} 8 points.")]
    assert said(turn("9y", 1), "9r") == [("T.2-5", f"{loss} 1 point.")]
    after = done(turn("2y", 8, scores=(40, 0)), "1y 1r")
    assert (after.scores, after.to_act, after.points) == ((40, 0), (2,), 0)


def test_rule_6_all_yellow_changes_nothing() -> None:
    state = turn("3r", 7, fresh=2)
    after = done(state, "3y")
    assert (after.points, after.aside, after.fresh, after.field, after.to_act) == (7, 7, 0, (YELLOW,) * 3, (1,))
    assert said(state, "3y") == [("T.2-6", "All yellow: nothing happens, and Ann has 7 points.")]
    assert offers(after) == ["roll 3", "end"]
    assert said(new_game(), "10y") == [("T.2-6", "All yellow: nothing happens, and Ann has 0 points.")]


def test_rule_7_the_player_rolls_on_or_ends() -> None:
    assert offers(done(new_game(), "7g 3y")) == ["roll 3", "end"]
    state = turn("3y", 7)
    assert refused_action(state, Action(1, "sing")) == ("T.2-7", "Toss Up! has no 'sing'; a player may roll or end.")
    no_dice = ("T.2-7", "Just end the turn: there is nothing to choose.")
    assert refused_action(state, Action(1, "end", dice("1g"))) == no_dice
    assert refused_action(state, Action(1, "end", (), "now")) == no_dice


def test_rule_8_with_ten_green_all_ten_are_rolled_again() -> None:
    state = turn("2y", 8)
    assert said(state, "2g") == [
        ("T.2-4", "Ann sets 2 green aside and has 10 points in this turn."),
        ("T.2-8", "All ten dice are green: all ten may be rolled again."),
    ]
    ten = done(state, "2g")
    assert (ten.aside, ten.field, ten.points) == (10, (), 10)
    assert offers(ten) == ["roll 10", "end"]
    assert refused(ten, "4g") == ("T.2-8", "All ten dice are green: roll all ten again, not 4.")
    assert said(ten, "3g 7r") == [
        ("T.2-8", "Ann rolls all ten dice again and keeps 10 points."),
        ("T.2-4", "Ann sets 3 green aside and has 13 points in this turn."),
    ]
    after = done(ten, "3g 7r")
    assert (after.aside, after.fresh, after.points, after.field) == (3, 3, 13, (RED,) * 7)
    assert done(ten, "10g", "10g").points == 30
    assert done(ten, "10y").aside == 0
    assert done(ten, "9y 1r").to_act == (2,)


def test_rule_9_all_that_is_not_green_is_rolled_and_no_green() -> None:
    state = turn("3y 2r", 5)
    rule = "Roll every die that is not green. "
    assert refused(state, "4y") == ("T.2-9", f"{rule}1 was left lying.")
    assert refused(state, "3y") == ("T.2-9", f"{rule}2 were left lying.")
    aside = "Leave green dice aside until all ten are green. "
    assert refused(state, "6y") == ("T.2-9", f"{aside}1 was rolled.")
    assert refused(state, "10y") == ("T.2-9", f"{aside}5 were rolled.")
    assert refused_action(state, Action(1, "roll", dice("5y"), "now")) == (
        "T.2-9",
        "Just roll: there is nothing to choose.",
    )


def test_rule_10_ending_the_turn_adds_its_points() -> None:
    state = turn("3y", 17, scores=(24, 31))
    after = done(state, "end")
    assert (after.scores, after.to_act, after.last_turns) == ((41, 31), (2,), None)
    assert said(state, "end") == [("T.2-10", "Ann takes 17 points and has 41.")]
    assert said(turn("9y", 1), "end") == [("T.2-10", "Ann takes 1 point and has 1.")]
    assert done(after, "10r").scores == (41, 31)


def test_rule_11_over_100_gives_everybody_else_one_last_turn() -> None:
    state = replace(turn("3y", 17, scores=(50, 84, 0)), to_act=(2,))
    after = done(state, "end")
    assert (after.scores, after.to_act, after.last_turns) == ((50, 101, 0), (3,), (1,))
    assert said(state, "end") == [
        ("T.2-10", "Bob takes 17 points and has 101."),
        ("T.2-11", "Bob has reached 101: Cy and Ann have one last turn each."),
    ]
    last = done(after, "10r")
    assert (last.to_act, last.last_turns) == ((1,), ())
    assert done(last, "10r").to_act == ()
    assert said(turn("3y", 17, scores=(83, 0), target="from-100"), "end")[1][1].startswith("Ann has reached 100: ")
    two = turn("3y", 17, scores=(84, 0))
    assert said(two, "end")[1] == ("T.2-11", "Ann has reached 101: Bob has one last turn.")


def test_rule_11_overtaking_in_a_last_turn_gives_nobody_another() -> None:
    state = turn("3y", 60, scores=(50, 0, 101), still=(2,))
    assert said(state, "end") == [("T.2-10", "Ann takes 60 points and has 110.")]
    after = done(state, "end")
    assert (after.to_act, after.last_turns) == ((2,), ())


def test_rule_11_the_game_over_is_over() -> None:
    over = done(turn("3y", 1, scores=(0, 101), still=()), "end")
    assert (over.to_act, over.seat, over.winner, GAME.legal(over), GAME.lay(over)) == ((), 0, (2,), (), ())
    assert over.dice_awaited == ()
    assert refused_action(over, Action(1, "roll", dice("10g"))) == ("T.2-11", "The game is over.")
    assert GAME.fault(over, (ASIDE,), ()) == Refusal("The game is over.", "T.2-11")
    assert list(parts_of(over, 0)) == ["road"]


def test_rule_12_the_highest_total_wins() -> None:
    state = turn("3y", 3, scores=(99, 101), still=())
    over = done(state, "end")
    assert (over.winner, over.to_act, over.scores) == ((1,), (), (102, 101))
    assert said(state, "end") == [("T.2-10", "Ann takes 3 points and has 102."), ("T.2-12", "Ann wins with 102.")]
    lost = said(state, "3r")
    assert lost[1:] == [("T.2-12", "Bob wins with 101.")]


# The options


@pytest.mark.parametrize(("reading", "points", "last"), [("over-100", 16, False), ("over-100", 17, True)])
def test_amb_1_over_a_hundred_is_101(reading: str, points: int, last: bool) -> None:
    state = turn("3y", points, scores=(84, 0), target=reading)
    assert (done(state, "end").last_turns is not None) is last


@pytest.mark.parametrize(("points", "last"), [(15, False), (16, True), (17, True)])
def test_amb_1_a_hundred_may_be_enough(points: int, last: bool) -> None:
    state = turn("3y", points, scores=(84, 0), target="from-100")
    assert (done(state, "end").last_turns is not None) is last


def test_amb_2_everyone_else_has_a_last_turn() -> None:
    state = replace(turn("3y", 17, scores=(0, 84, 0, 0)), to_act=(2,))
    after = done(state, "end")
    assert (after.to_act, after.last_turns) == ((3,), (4, 1))


def test_amb_2_only_later_seats_may_have_a_last_turn() -> None:
    state = replace(turn("3y", 17, scores=(0, 84, 0, 0), last_turns="later-seats"), to_act=(2,))
    after = done(state, "end")
    assert (after.to_act, after.last_turns) == ((3,), (4,))
    last = replace(turn("3y", 17, scores=(0, 84), last_turns="later-seats"), to_act=(2,))
    assert done(last, "end").winner == (2,)
    assert said(last, "end") == [("T.2-10", "Bob takes 17 points and has 101."), ("T.2-12", "Bob wins with 101.")]


def test_amb_3_a_tie_is_shared() -> None:
    state = turn("3y", 3, scores=(101, 20, 104), still=())
    over = done(state, "end")
    assert (over.winner, over.to_act) == ((1, 3), ())
    assert said(state, "end")[1] == ("AMB-T-3", "Ann and Cy share the win with 104.")


def test_amb_3_a_tie_may_be_played_off() -> None:
    state = turn("3y", 3, scores=(101, 20, 104), still=(), tie="one-more-turn")
    assert said(state, "end")[1] == ("AMB-T-3", "Ann and Cy are tied at 104 and play one more turn each.")
    again = done(state, "end")
    assert (again.to_act, again.last_turns, again.winner, again.rolled) == ((1,), (3,), (), False)
    assert done(again, "5g 5r", "end").to_act == (3,)
    assert done(again, "10r", "10r").to_act == (1,)
    assert done(again, "5g 5r", "end", "10r").winner == (1,)
    assert done(again, "5g 5r", "end", "6g 4r", "end").winner == (3,)
    assert done(again, "5g 5r", "end", "5g 5r", "end").last_turns == (3,)


def test_amb_4_a_turn_may_end_with_nothing_after_an_all_yellow_start() -> None:
    assert offers(done(new_game(), "10y")) == ["roll 10", "end"]
    assert done(new_game(), "10y", "end").to_act == (2,)
    state = new_game(yellow_start="roll-again")
    assert offers(done(state, "10y")) == ["roll 10"]
    assert done(state, "10y").dice_awaited == (ROLLED,) * 10
    nothing = ("AMB-T-4", "You have no points in this turn yet. At this table you roll again.")
    assert refused(done(state, "10y"), "end") == nothing
    assert offers(done(state, "10y", "1g 9y")) == ["roll 9", "end"]


def test_amb_5_a_turn_may_end_with_ten_green() -> None:
    assert done(new_game(), "10g", "end").scores == (10, 0)
    state = new_game(ten_green="roll-on")
    assert offers(done(state, "10g")) == ["roll 10"]
    assert done(state, "10g").dice_awaited == (ROLLED,) * 10
    rolls_on = ("AMB-T-5", "All ten dice are green. At this table you roll all ten again.")
    assert refused(done(state, "10g"), "end") == rolls_on
    assert offers(done(state, "9g 1y")) == ["roll 1", "end"]


def test_amb_6_new_green_dice_may_be_rolled_again_all_but_one() -> None:
    state = done(new_game(new_green="may-roll"), "4g 3y 3r")
    assert offers(state) == ["roll 6", "roll 7", "roll 8", "roll 9", "end"]
    assert [taken_back(state, count) for count in throws(state)] == [0, 1, 2, 3]
    assert said(state, "1g 7r") == [
        ("AMB-T-6", "Ann takes 2 of the new green dice back."),
        ("T.2-4", "Ann sets 1 green aside and has 3 points in this turn."),
    ]
    assert said(state, "1g 6r")[0] == ("AMB-T-6", "Ann takes 1 of the new green dice back.")
    after = done(state, "1g 7r")
    assert (after.aside, after.fresh, after.points, len(after.field)) == (3, 1, 3, 7)
    assert offers(after) == ["roll 7", "end"]
    assert offers(done(state, "6y")) == ["roll 6", "end"]
    assert refused(state, "10y")[0] == "AMB-T-6"
    assert refused(state, "5y")[0] == "T.2-9"


def test_amb_6_with_ten_green_the_new_ones_or_all_ten_are_rolled() -> None:
    state = turn("", 20, fresh=3, new_green="may-roll")
    assert offers(state) == ["roll 10", "roll 1", "roll 2", "end"]
    assert [taken_back(state, count) for count in throws(state)] == [0, 1, 2]
    after = done(state, "2y")
    assert (after.points, after.aside, after.field) == (18, 8, (YELLOW, YELLOW))
    assert done(state, "10y").points == 20
    assert refused(state, "3y")[0] == "AMB-T-6"
    assert hand(state) == 10


def test_amb_6_otherwise_every_new_green_is_set_aside() -> None:
    assert offers(done(new_game(), "4g 3y 3r")) == ["roll 6", "end"]


def test_amb_7_a_single_yellow_is_all_yellow_or_a_red_light() -> None:
    assert said(turn("1r", 9), "1y") == [("T.2-6", "All yellow: nothing happens, and Ann has 9 points.")]
    state = turn("1r", 9, last_yellow="red-light")
    loss = "A single yellow is a red light here: Ann runs a red light and loses 9 points."
    assert said(state, "1y") == [("AMB-T-7", loss)]
    assert done(state, "1y").to_act == (2,)
    assert done(turn("2r", 8, last_yellow="red-light"), "2y").to_act == (1,)


def test_amb_8_more_than_six_may_play_where_the_table_wants_it() -> None:
    names = [f"Player {seat}" for seat in range(1, 8)]
    with pytest.raises(BadStart, match="for 2 to 6 players, not 7"):
        begin(GAME, names, load(GAME.die_set))
    state = begin(GAME, names, load(GAME.die_set), {"players": "up-to-12"})
    for seat in range(1, 8):
        assert state.to_act == (seat,)
        state = judge(GAME, state, Action(seat, "skip")).state
    assert state.to_act == (1,)


def test_amb_9_a_leaning_die_set_flat_is_thrown_again_and_lies_with_all_ten_dice() -> None:
    state = new_game()
    assert state.options["leaning-die"] == "thrown-again"
    seen = tuple(SeenDie(n, KIND, ((COLOURS["g"], 1.0),), Zone.FIELD, 1, cocked=n == 1) for n in range(1, 11))
    found = explain(GAME, state, Seen(), Seen(seen, 1))
    assert not found.ways
    assert not found.breach
    assert "Throw it again." in found.unfinished


def test_amb_10_when_the_leader_leaves_the_game_goes_on_or_ends_with_the_last_turns() -> None:
    for reading, winner, still in (("plays-on", (), None), ("ends", (), (3,))):
        state = turn("6y", 4, scores=(20, 105, 26), still=(3,), leader_leaves=reading)
        state = _said(state, Action(2, "quit"))
        assert (state.winner, state.last_turns, state.to_act) == (winner, still, (1,))
        state = done(state, "end")
        assert (state.to_act, state.scores) == ((3,), (24, 105, 26))
        assert _said(state, Action(3, "skip")).winner == (() if reading == "plays-on" else (3,))


def test_amb_10_the_last_turns_are_called_off_in_a_sentence_and_come_anew() -> None:
    state = turn("6y", 4, scores=(98, 105, 26), still=(3,))
    ruling = judge(GAME, state, Action(2, "quit"))
    nobody = "Nobody who still plays has 101. The game goes on without last turns."
    assert [(call.rule, call.sentence) for call in ruling.calls][1:] == [("AMB-T-10", nobody)]
    assert isinstance(ruling.state, TossUpState)
    assert done(ruling.state, "end").last_turns == ()


def test_amb_10_the_last_turns_go_on_while_another_player_has_reached_the_total() -> None:
    state = turn("6y", 4, scores=(105, 110, 26), still=(3,))
    assert _said(state, Action(2, "quit")).last_turns == (3,)


def _said(state: TossUpState, agreed: Action) -> TossUpState:
    after = judge(GAME, state, agreed).state
    assert isinstance(after, TossUpState)
    return after


# Dice, words and boards


def test_the_green_dice_lie_anywhere_and_the_others_on_the_field() -> None:
    lay = GAME.lay(turn("1y 1r", 8))
    field = tuple(DiePosition(Die(KIND, face), Zone.FIELD) for face in (RED, YELLOW))
    assert lay == (*field, *((ASIDE,) * 8))
    assert DiePosition(Die(KIND, GREEN), None) == ASIDE


def test_a_roll_throws_what_is_not_green() -> None:
    state = turn("1y 1r", 8, fresh=3, new_green="may-roll")
    field = tuple(DiePosition(Die(KIND, face), Zone.FIELD) for face in (RED, YELLOW))
    assert GAME.thrown(state, Action(1, "roll", (ROLLED,) * 2)) == field
    assert GAME.thrown(state, Action(1, "roll", (ROLLED,) * 4)) == (*field, ASIDE, ASIDE)
    assert GAME.thrown(state, Action(1, "end")) == ()
    assert GAME.thrown(turn("", 10), Action(1, "roll", (ROLLED,) * 10)) == (ASIDE,) * 10
    assert GAME.thrown(new_game(), Action(1, "roll", (ROLLED,) * 10)) == (DiePosition(ROLLED, Zone.FIELD),) * 10


def test_the_table_is_told_what_it_waits_for() -> None:
    assert GAME.tell(new_game()) == "Ann: roll all ten dice."
    assert GAME.tell(turn("3y", 7)) == "Ann: keep 7 points or roll the other 3 dice?"
    assert GAME.tell(turn("9y", 1)) == "Ann: keep 1 point or roll the other 9 dice?"
    assert GAME.tell(turn("1y", 9)) == "Ann: keep 9 points or roll the last die?"
    assert GAME.tell(turn("", 10)) == "Ann: keep 10 points or roll all ten dice again?"
    assert GAME.tell(turn("", 10, ten_green="roll-on")) == "Ann, 10 points: roll all ten dice again."
    assert GAME.tell(turn("10y", 0)) == "Ann: keep 0 points or roll all ten dice?"
    last = turn("3y", 7, scores=(90, 103, 105), still=())
    assert GAME.tell(last) == "Ann, last turn, 105 to beat: keep 7 points or roll the other 3 dice?"
    assert GAME.tell(done(last, "end")) == "Cy has won with 105."
    assert GAME.tell(done(turn("3y", 2, scores=(101, 103), still=()), "end")) == "Ann and Bob have won with 103."


def test_the_one_to_beat_is_another() -> None:
    state = turn("3y", 7, scores=(120, 103), still=())
    assert "103 to beat" in GAME.tell(state)


def test_a_button_says_what_it_does() -> None:
    state = turn("3y", 7, fresh=3, new_green="may-roll")
    titles = [GAME.offer_title(state, offer) for offer in GAME.legal(state)]
    assert titles == [
        "Roll the other 3 dice",
        "Roll 4 dice, 1 green among them",
        "Roll 5 dice, 2 green among them",
        "End the turn with 7 points",
    ]
    ten = turn("", 10)
    assert [GAME.offer_title(ten, offer) for offer in GAME.legal(ten)] == [
        "Roll all ten dice again",
        "End the turn with 10 points",
    ]
    assert GAME.offer_title(turn("1y", 1), Action(1, "end")) == "End the turn with 1 point"


def parts_of(state: TossUpState, seat: int) -> dict[str, BoardPart]:
    return {part.key: part for board in GAME.boards(state) if board.seat == seat for part in board.parts}


def colours(state: TossUpState) -> list[str]:
    lights = parts_of(state, 0)["lights"]
    assert isinstance(lights, Lights)
    return [light.colour if light.is_lit else "unlit" for light in lights.lights]


def test_the_boards_show_ten_lights() -> None:
    assert colours(turn("2y 1r", 7)) == ["green"] * 7 + ["yellow", "yellow", "red"]
    assert colours(new_game()) == ["unlit"] * 10
    assert parts_of(turn("3y", 7), 0)["lights"].title == "7 green, 3 in hand"


def test_the_boards_show_what_is_banked_and_at_risk() -> None:
    state = replace(turn("3y", 7, scores=(0, 12, 0)), to_act=(2,), points=9)
    tokens = (Token(1, 0), Token(2, 12, 9), Token(3, 0))
    assert parts_of(state, 0)["road"] == Track("road", "The road to 101", 101, tokens, verbs=("end",))


def test_the_boards_show_who_has_a_last_turn_and_what_is_to_beat() -> None:
    last = turn("3y", 7, scores=(90, 103, 105), still=(2, 3))
    road = parts_of(last, 0)["road"]
    assert isinstance(road, Track)
    assert road.marks == (105,)
    assert [board.brief for board in GAME.boards(last)] == [(), (), ("last-turn",), ("last-turn",)]
    assert parts_of(last, 2)["last-turn"].title == "Last turn to come"
    assert not parts_of(replace(last, last_turns=()), 2)


def test_the_turn_is_worth_its_points() -> None:
    assert GAME.turn_points(turn("3y", 27)) == 27
    assert GAME.turn_points(new_game()) == 0


# Throws that break a rule, and dice as people laid them


def thrown(text: str) -> tuple[DiePosition, ...]:
    return tuple(ASIDE if die.face == GREEN else DiePosition(die, Zone.FIELD) for die in dice(text))


@pytest.mark.parametrize(
    ("field", "old", "kept", "rule", "sentence"),
    [
        ("3y 2r", "2y 2r", "5g 1y", "T.2-9", "Roll every die that is not green. 1 was left lying."),
        ("3y 2r", "2y", "5g 3y", "T.2-9", "Roll every die that is not green. 3 were left lying."),
        (
            "3y 2r",
            "3y 2r 1g",
            "4g",
            "T.2-9",
            "Leave green dice aside until all ten are green. 1 was rolled.",
        ),
        ("3y 2r", "2y 2g", "3g", "T.2-9", "Leave green dice aside until all ten are green. 2 were rolled."),
        ("3y 2r", "3y 2r", "5r", "T.2-9", "Leave only green dice lying."),
        ("", "4g", "6g", "T.2-8", "All ten dice are green: roll all ten again, not 4."),
    ],
)
def test_a_wrong_throw_breaks_a_rule(field: str, old: str, kept: str, rule: str, sentence: str) -> None:
    assert GAME.fault(turn(field, 15), thrown(old), thrown(kept)) == Refusal(sentence, rule)


def test_a_first_throw_of_fewer_dice_breaks_a_rule() -> None:
    fault = GAME.fault(new_game(), (DiePosition(ROLLED, Zone.FIELD),) * 7, ())
    assert fault == Refusal("Start your turn with all ten dice, not with 7.", "T.2-2")


@pytest.mark.parametrize(("count", "dice_were"), [(1, "1 was of another colour."), (2, "2 were of another colour.")])
def test_only_green_dice_are_set_aside(count: int, dice_were: str) -> None:
    kept = (*((DiePosition(Die(KIND, RED), Zone.ASIDE),) * count), DiePosition(Die(KIND, GREEN), Zone.ASIDE))
    state = turn("3r", 7)
    assert GAME.fault(state, (), kept) == Refusal(f"Set only green dice aside. {dice_were}", "T.2-4")


def test_new_green_dice_that_may_go_back_are_no_breach() -> None:
    state = turn("3y", 7, fresh=3, new_green="may-roll")
    fault = GAME.fault(state, thrown("3y 3g"), thrown("4g"))
    stay = "Leave all older green dice and at least one new one. "
    assert fault == Refusal(f"{stay}1 too many was rolled.", "AMB-T-6")
    assert refused(state, "7y") == ("AMB-T-6", f"{stay}2 too many were rolled.")


def test_with_ten_green_a_throw_of_too_many_new_ones_is_one_of_too_few_dice() -> None:
    state = turn("", 20, fresh=3, new_green="may-roll")
    fault = GAME.fault(state, thrown("4g"), thrown("6g"))
    sentence = "All ten dice are green: roll all ten again, or up to 2 new ones."
    assert fault == Refusal(sentence, "AMB-T-6")


def relaid(state: TossUpState, lying: tuple[DiePosition, ...]) -> TossUpState | None:
    outcome = GAME.relaid(state, lying)
    return outcome[0] if outcome else None


def test_dice_as_they_lie_give_the_turn_its_points() -> None:
    state = turn("3y 2r", 25, fresh=2)
    after = relaid(state, thrown("7g 2y 1r"))
    assert isinstance(after, TossUpState)
    assert (after.points, after.aside, after.fresh, after.field) == (27, 7, 0, (RED, YELLOW, YELLOW))
    assert (after.to_act, after.rolled, after.dice_awaited) == ((1,), True, ())
    _, calls = GAME.relaid(state, thrown("7g 2y 1r")) or (state, ())
    assert calls == (Call("Ann has 7 green aside and 27 points in this turn.", "T.2-4"),)
    fewer = relaid(state, thrown("4g 6r"))
    assert fewer == replace(state, points=24, aside=4, fresh=0, field=(RED,) * 6)


def test_dice_out_of_view_are_green_ones_set_aside() -> None:
    state = turn("3y 2r", 25)
    assert relaid(state, thrown("1g 2y 2r")) == replace(state, points=26, aside=6, field=(RED, RED, YELLOW, YELLOW))
    assert relaid(state, thrown("1g 2y 1r")) is None
    forced = turn("1r", 9, ten_green="roll-on")
    assert relaid(forced, thrown("1g")).dice_awaited == (ROLLED,) * 10  # type: ignore[union-attr]


def test_before_the_first_roll_no_dice_lie() -> None:
    assert relaid(new_game(), thrown("10g")) is None


# Counted


def rolls(count: int) -> list[tuple[str, int]]:
    """Every outcome of a roll, and in how many ways of 6 to the count it comes: 3 green, 2 yellow, 1 red side."""
    ways = []
    for greens in range(count + 1):
        for yellows in range(count - greens + 1):
            reds = count - greens - yellows
            ways.append(
                (
                    f"{greens}g {yellows}y {reds}r",
                    comb(count, greens) * comb(count - greens, yellows) * 3**greens * 2**yellows,
                )
            )
    return ways


@pytest.mark.parametrize("count", range(1, 11))
def test_red_lights_come_as_often_as_reckoned(count: int) -> None:
    """No green is 3 sides of 6 on every die, all yellow 2 of 6: the difference is a red light."""
    state = turn(f"{count}y", 10 - count) if count < 10 else new_game()
    over = sum(ways for text, ways in rolls(count) if do(state, text).state.to_act == (2,))
    assert over == 3**count - 2**count


def counted(state: TossUpState, depth: int) -> int:
    """How many ways a game may go on for so many actions; dice that show the same are the same."""
    if not depth:
        return 1
    texts = [text for size in throws(state) for text, _ in rolls(size)] + ["end"] * ("end" in offers(state))
    return sum(counted(done(state, text), depth - 1) for text in texts)


def reckoned(in_hand: int, depth: int, may_end: bool = True) -> int:
    """The same by recurrence.

    A roll of n dice has n - g + 1 outcomes with g green, after which n - g are in hand, or all ten again; one that is
    all yellow and changes nothing; and n red lights, after which the next turn starts, as it does after an end.
    """
    if not depth:
        return 1
    greens = sum((in_hand - green + 1) * reckoned(in_hand - green or 10, depth - 1) for green in range(1, in_hand + 1))
    next_turn = reckoned(10, depth - 1, may_end=False)
    return greens + reckoned(in_hand, depth - 1) + in_hand * next_turn + (next_turn if may_end else 0)


def test_a_game_has_as_many_ways_as_reckoned() -> None:
    assert counted(new_game(), 1) == reckoned(10, 1, may_end=False) == 66
    assert counted(new_game(), 2) == reckoned(10, 2, may_end=False)
    assert counted(turn("2y", 8), 2) == reckoned(2, 2)
    assert counted(turn("1y", 9), 3) == reckoned(1, 3)
