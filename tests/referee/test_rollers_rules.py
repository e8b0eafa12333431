"""Every numbered rule of Rollers, and every reading of its options, has a test here that bears its number."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod
from pathlib import Path

import pytest
from rollers_table import GAME, apply, dice, do, done, new_game, offers, refused, said, turn

from models import die_sets
from referee.actions import DiePosition
from referee.board import BoardPart, DicePlace, Lights, Tally
from referee.board import Section as BoardSection
from referee.calls import Call
from referee.dice import Die, Zone
from referee.game import BadOption, BadStart, begin_again
from referee.games.rollers import RollersPhase as Phase
from referee.games.rollers import RollersSection as Section
from referee.games.rollers import RollersState
from referee.games.rollers.state import BLACK, PURPLE, counts_as, spell, take, takings

SIX = "b5 1 3 3 4 *"
THREE = ("Ann", "Bob", "Cy")
FULL = "ccccc"


def test_every_numbered_rule_has_a_test() -> None:
    page = (Path(__file__).parents[2] / "referee/rules/rollers.md").read_text("utf-8")
    numbered = {int(number) for number in re.findall(r"\*\*R\.2-(\d+)\*\*", page)}
    assert numbered == set(range(1, 17))
    assert {int(found[1]) for name in globals() if (found := re.match(r"test_rule_(\d+)_", name))} == numbered


# The game's record


def test_the_game_says_what_it_is() -> None:
    assert (GAME.name, GAME.title, GAME.die_set, GAME.seats) == ("rollers", "Rollers", "rollers", (2, 5))
    assert (GAME.by_hand, GAME.implied, GAME.held_actions, GAME.lost) == ({"save"}, {"done"}, 1, "")
    cites = {"dice": "R.1", "turn": "R.2-2", "over": "R.2-16", "touched": "R.2-4", "cocked": "R.2-3", "verb": "R.2-2"}
    assert GAME.cites == cites
    assert list(GAME.help_texts) == ["lot", "roll", "stop", "save", "open", "close", "collect", "done"]
    assert all(re.fullmatch(r"[A-Z].*\.", meaning) for meaning in GAME.help_texts.values())


def test_options_have_their_default_first() -> None:
    assert {option.name: [value for value, _ in option.readings] for option in GAME.options} == {
        "saved-dice": ["anew", "final"],
        "round-end": ["after-apply", "at-once"],
        "chip-tie": ["nobody", "all"],
        "target": ["5", "3"],
        "skipped-turn": ["taken-back", "stays"],
        "leaning-die": ["thrown-again", "set-flat"],
        "players": ["box", "up-to-8"],
    }
    assert {option.name: option.source for option in GAME.options} == {
        "saved-dice": "AMB-R-1",
        "round-end": "AMB-R-5",
        "chip-tie": "AMB-R-6",
        "target": "AMB-R-12",
        "skipped-turn": "AMB-R-16",
        "leaning-die": "AMB-R-15",
        "players": "AMB-R-14",
    }
    assert all(option.title[0].isupper() for option in GAME.options)
    assert all(re.fullmatch("[A-Za-z].*[a-z.]", words) for option in GAME.options for _, words in option.readings)
    with pytest.raises(BadOption, match="cannot be '4'"):
        new_game(target="4")


def test_two_to_five_play() -> None:
    with pytest.raises(BadStart, match="2 to 5"):
        new_game("Ann")
    with pytest.raises(BadStart, match="2 to 5"):
        new_game(*"ABCDEF")
    assert len(new_game(*"ABCDE").players) == 5


def test_a_new_game_has_empty_boards_full_chips_and_waits_for_the_first_lot() -> None:
    state = new_game(*THREE)
    assert (state.phase, state.to_act, state.contenders, state.lots) == (Phase.LOTS, (1,), (1, 2, 3), ())
    assert (state.scores, state.chips, state.round, state.starter) == ((0, 0, 0), (55, 55, 55), 0, 0)
    assert state.sections == ((Section.EMPTY,) * 5,) * 3
    assert state.dice_awaited == (Die(PURPLE),)
    assert GAME.lay(state) == ()


def test_words_for_dice_and_what_they_count_as() -> None:
    assert spell(dice("b5 1 3 3 *")) == "black 5, 1, 3, 3 and star"
    assert spell(dice("bz 2")) == "zap and 2"
    assert take(dice("3 3 *"), dice("3 4")) == dice("3 *")
    assert [counts_as(each, 3) for each in dice("b3 bz 3 4 *")] == [True, False, True, False, True]


# Lots


def test_rule_1_the_highest_number_starts_and_turns_go_clockwise() -> None:
    state = done(new_game(*THREE), "1 lot 2", "2 lot b5")
    assert (state.to_act, state.lots) == ((3,), (2, 5))
    ruling = do(state, "3 lot 4")
    assert said(ruling) == [("R.2-1", "Cy throws 4."), ("R.2-1", "Bob has the highest and starts.")]
    state = done(state, "3 lot 4")
    assert (state.phase, state.to_act, state.starter, state.round) == (Phase.ROLL, (2,), 2, 1)
    assert (state.contenders, state.lots) == ((), ())
    assert state.dice_awaited == (Die(BLACK), *[Die(PURPLE)] * 5)
    nothing = ("roll bz 1 1 1 1 1", "stop", "done")
    assert done(state, *(f"2 {each}" for each in nothing)).to_act == (3,)
    assert done(state, *(f"{seat} {each}" for seat in (2, 3) for each in nothing)).to_act == (1,)


def test_rule_1_lots_are_one_die_and_for_the_first_turn_only() -> None:
    state = new_game()
    assert offers(state) == ["lot ?", "lot b?"]
    one = ("R.2-1", "To see who starts, throw one die: a purple one or the black one.")
    assert refused(state, "1 lot 2 3") == one
    assert refused(state, "1 lot 2 =3") == one
    other = ("R.2-1", "First each player throws one die to see who starts.")
    assert all(refused(state, f"1 {text}") == other for text in (f"roll {SIX}", "save", "stop", "open 1 =1", "done"))
    only = ("R.2-1", "Who starts is already decided.")
    assert all(refused(later, "1 lot 3") == only for later in (turn(rolls=0), turn(SIX), apply(SIX)))


def test_amb_9_no_number_is_thrown_again_and_so_are_those_who_are_level() -> None:
    state = new_game(*THREE)
    ruling = do(state, "1 lot *")
    assert said(ruling) == [
        ("R.2-1", "Ann throws star."),
        ("AMB-R-9", "That is no number: Ann throws again."),
    ]
    assert ruling.state == state
    assert done(state, "1 lot bz") == state
    level = do(state, "1 lot 4", "2 lot 3", "3 lot b4")
    assert said(level)[-1] == ("AMB-R-9", "Ann and Cy are tied and throw again.")
    after = done(state, "1 lot 4", "2 lot 3", "3 lot b4")
    assert (after.contenders, after.lots, after.to_act) == ((1, 3), (), (1,))
    assert done(after, "1 lot 1", "3 lot 2").starter == 3


# Rolling


def test_rule_2_rolling_first_and_applying_afterwards() -> None:
    rolling = ("R.2-2", "Ann is still rolling. Use the dice after the last roll.")
    for text in ("open 1 =1", "close 1 =1", "collect 1 =1", "done"):
        assert refused(turn(SIX), f"1 {text}") == rolling
    known = "lot, roll, stop, save, open, close, collect or done"
    assert refused(turn(SIX), "1 sing") == ("R.2-2", f"Rollers has no 'sing'; a player may {known}.")
    assert refused(turn(SIX), "2 stop") == ("R.2-2", "It is not Bob's turn. Now Ann plays.")


def test_rule_3_three_rolls_the_first_with_all_six() -> None:
    state = turn(rolls=0)
    assert offers(state) == ["roll b? ? ? ? ? ?"]
    assert refused(state, "1 roll 1 3 3 4 *") == ("R.2-3", "Start your turn with all six dice.")
    first = ("R.2-3", "Ann has not rolled yet: a turn starts with all six dice.")
    assert all(refused(state, f"1 {text}") == first for text in ("save", "stop", "open 1 =1", "done"))
    ruling = do(state, f"1 roll {SIX}")
    assert said(ruling) == [("R.2-3", "Ann rolls black 5, 1, 3, 3, 4 and star: roll 1 of 3.")]
    rolled = done(state, f"1 roll {SIX}")
    assert (rolled.rolls, rolled.good, rolled.dead, rolled.saved) == (1, dice(SIX), (), ())
    assert (rolled.phase, rolled.dice_awaited) == (Phase.ROLL, ())
    third = do(rolled, f"1 roll {SIX}", f"1 roll {SIX}")
    assert said(third) == [
        ("R.2-3", "Ann rolls black 5, 1, 3, 3, 4 and star: roll 3 of 3."),
        ("R.2-4", "That was the last roll. The dice stay as they are."),
    ]
    no_more = ("R.2-3", "Ann has rolled 3 times. A turn has no more rolls.")
    after = done(rolled, f"1 roll {SIX}", f"1 roll {SIX}")
    assert all(refused(after, f"1 {text}") == no_more for text in (f"roll {SIX}", "save", "stop"))


def test_rule_4_saved_dice_stay_and_the_others_are_rolled() -> None:
    ruling = do(turn(SIX), "1 save 3 3 *")
    assert said(ruling) == [("R.2-4", "Ann saves 3, 3 and star.")]
    state = done(turn(SIX), "1 save 3 3 *")
    assert (state.saved, state.to_roll) == (dice("3 3 *"), dice("b5 1 4"))
    assert offers(state, "roll") == ["roll b? ? ?"]
    others = "Roll all dice that are not saved: 2 purple and the black one."
    assert refused(state, "1 roll 1 3") == ("R.2-4", others)
    assert refused(state, "1 roll b1 1 3 =3") == ("R.2-4", others)
    rolled = done(state, "1 roll b2 3 5")
    assert (rolled.rolls, rolled.good, rolled.saved, rolled.bound) == (2, dice("b2 3 3 3 5 *"), (), ())
    assert rolled.to_roll == rolled.good


def test_rule_4_the_dice_to_be_rolled_are_named_by_their_kinds() -> None:
    without_black = turn(SIX, saved="b5 1 3 3")
    assert refused(without_black, "1 roll 1")[1].endswith("not saved: 2 purple.")
    black_alone = turn(SIX, saved="1 3 3 4 *")
    assert refused(black_alone, "1 roll 1")[1].endswith("not saved: the black one.")


def test_rule_4_every_choice_of_dice_may_be_saved() -> None:
    assert len(offers(turn("b1 1 2 3 4 5"), "save")) == 2**6 - 1
    # Five equal purple dice and the black one: 0 to 5 of the former with or without the latter, but not all six.
    assert len(offers(turn("b1 1 1 1 1 1"), "save")) == 6 * 2 - 1
    # Two pairs, a single one and the black one.
    assert len(offers(turn("b1 2 2 3 3 4"), "save")) == 3 * 3 * 2 * 2 - 1
    assert offers(turn("1", dead="bz 2 2 2 2"), "save") == ["save", "save 1"]
    assert len(offers(turn("1 2 3 4 5", dead="bz"), "save")) == sum(comb(5, count) for count in range(6))
    assert said(do(turn(SIX), "1 save")) == [("R.2-4", "Ann saves no die.")]


def test_rule_4_what_cannot_be_saved() -> None:
    state = turn(SIX)
    assert refused(state, "1 save 3 3 3 2") == ("R.2-4", "You do not have these dice to save: 2 and 3.")
    all_six = ("R.2-4", "With all six dice saved, none is left to roll. Stop instead.")
    assert refused(state, f"1 save {SIX}") == all_six
    assert refused(state, "1 save 3 =3") == ("R.2-4", "Choose only the dice that you save.")


def test_rule_4_stopping_before_the_third_roll() -> None:
    ruling = do(turn(SIX, rolls=2), "1 save 3", "1 stop")
    assert said(ruling) == [("R.2-4", "Ann stops rolling and can use black 5, 1, 3, 3, 4 and star.")]
    state = done(turn(SIX, rolls=2), "1 save 3", "1 stop")
    assert (state.phase, state.good, state.saved, state.rolls) == (Phase.APPLY, dice(SIX), (), 2)
    stopped = ("R.2-4", "Ann has stopped rolling. The dice stay as they are.")
    assert all(refused(state, f"1 {text}") == stopped for text in (f"roll {SIX}", "save", "stop"))
    assert refused(turn(SIX), "1 stop =1") == ("R.2-4", "Just stop rolling: there is nothing to choose.")


def test_amb_1_by_default_a_saved_die_may_be_rolled_after_all() -> None:
    state = done(turn(SIX), "1 save 3 3 *", "1 roll b1 1 1", "1 save b1 1 1 *")
    assert done(state, "1 roll 1 1").good == dice("b1 1 1 1 1 *")


def test_amb_1_where_saved_dice_are_final_they_stay() -> None:
    state = done(turn(SIX, saved_dice="final"), "1 save 3 3 *", "1 roll b1 1 3")
    assert (state.saved, state.bound) == (dice("3 3 *"), dice("3 3 *"))
    assert offers(state, "roll") == ["roll b? ? ?"]
    final = ("AMB-R-1", "At this table saved dice stay saved: 3, 3 and star.")
    assert refused(state, "1 save b1 3 3 3") == final
    # The third 3, the 1 and the black one are free: 2 x 2 x 2 choices, without that of all six.
    assert len(offers(state, "save")) == 7
    zapped = done(state, "1 save 3 3 3 *", "1 roll bz *")
    assert (zapped.phase, zapped.good, zapped.bound) == (Phase.APPLY, dice("3 3 3 *"), ())
    assert refused(state, "1 save 3 3 * =3") == ("R.2-4", "Choose only the dice that you save.")
    second = done(turn(SIX, saved_dice="final"), "1 save 3 3", "1 roll bz 1 1 1")
    assert (second.saved, second.bound) == (dice("3 3"), dice("3 3"))
    assert offers(second, "save") == ["save 3 3"]


def test_rule_5_a_star_is_any_number_and_says_which_when_it_is_applied() -> None:
    assert offers(apply("* *")) == ["open * =1", "open * * =2", "done"]
    ruling = do(apply("3 * *"), "1 open 3 * * =3")
    assert said(ruling) == [
        ("R.2-8", "Ann opens the 3s with 3, star and star."),
        ("R.2-5", "2 stars count as 3s."),
    ]
    assert said(do(apply("* 4"), "1 open * =1"))[1:] == [("R.2-5", "1 star counts as a 1.")]
    assert said(do(apply("1"), "1 open 1 =1"))[1:] == []


def test_rule_6_a_zap_leaves_only_the_dice_saved_before() -> None:
    state = done(turn(SIX), "1 save 3 3 *")
    ruling = do(state, "1 roll bz 3 3")
    assert said(ruling) == [
        ("R.2-3", "Ann rolls zap, 3 and 3: roll 2 of 3."),
        ("R.2-6", "The zap cancels this roll. Ann keeps 3, 3 and star, saved before."),
    ]
    zapped = done(state, "1 roll bz 3 3")
    assert (zapped.good, zapped.dead, zapped.saved, zapped.bound) == (dice("3 3 *"), dice("bz 3 3"), dice("3 3 *"), ())
    assert zapped.rolls == 2
    assert refused(zapped, "1 save 3 3 3") == ("R.2-6", "You cannot save dice that were rolled with a zap.")
    assert refused(zapped, "1 save bz") == ("R.2-6", "You cannot save dice that were rolled with a zap.")
    assert offers(zapped, "roll") == ["roll b? ? ?"]
    assert done(zapped, "1 save *").to_roll == dice("bz 3 3 3 3")
    assert done(zapped, "1 roll b1 1 1").good == dice("b1 1 1 3 3 *")
    assert done(zapped, "1 roll b1 1 1").dead == ()


def test_rule_6_a_zap_in_the_third_roll() -> None:
    state = do(turn(SIX, rolls=2), "1 save 3 3 *", "1 roll bz 3 1")
    assert [rule for rule, _ in said(state)] == ["R.2-3", "R.2-6", "R.2-4"]
    after = done(turn(SIX, rolls=2), "1 save 3 3 *", "1 roll bz 3 1")
    assert (after.phase, after.good, after.dead, after.saved) == (Phase.APPLY, dice("3 3 *"), dice("bz 1 3"), ())
    assert refused(after, "1 open 1 =1") == ("R.2-6", "You cannot use dice that were rolled with a zap.")
    assert offers(after) == ["open * =1", "open 3 3 * =3", "done"]


def test_rule_6_a_zap_in_the_first_roll_leaves_nothing() -> None:
    ruling = do(turn(rolls=0), "1 roll bz 1 1 1 1 *")
    assert said(ruling)[1] == ("R.2-6", "The zap cancels this roll. Ann has no dice left to use.")
    state = done(turn(rolls=0), "1 roll bz 1 1 1 1 *")
    assert (state.good, state.saved, len(state.dead)) == ((), (), 6)
    assert offers(state) == ["roll b? ? ? ? ? ?", "stop", "save"]


def test_amb_2_stopping_after_a_zap() -> None:
    state = turn("3 3", dead="bz 1 1 1", saved="3 3", rolls=2)
    assert said(do(state, "1 stop")) == [("AMB-R-2", "Ann stops rolling and can use 3 and 3.")]
    assert done(state, "1 stop").good == dice("3 3")
    assert said(do(turn(dead="bz 1 1 1 1 1"), "1 stop"))[0][1] == "Ann stops rolling and can use no dice."


# Applying


def test_rule_7_each_die_is_applied_once() -> None:
    state = done(apply("b1 2 2 2 4 *"), "1 open b1 =1")
    assert (state.good, state.used) == (dice("2 2 2 4 *"), dice("b1"))
    assert refused(state, "1 close b1 =1") == ("R.2-7", "Use each die only once in a turn.")
    assert refused(state, "1 close 1 =1") == ("R.2-7", "You do not have these dice to use: 1.")
    assert done(state, "1 close * =1", "1 open 2 2 =2", "1 close 2 =2").good == dice("4")


def test_amb_3_nobody_has_to_apply_dice() -> None:
    assert offers(apply("1 4")) == ["open 1 =1", "done"]
    assert done(apply("1 4"), "1 done").to_act == (2,)


@pytest.mark.parametrize("value", [1, 2, 3, 4, 5])
def test_rule_8_a_section_is_opened_with_as_many_dice_as_its_number(value: int) -> None:
    enough = " ".join([str(value)] * value)
    state = done(apply(enough), f"1 open {enough} ={value}")
    assert [state.section(1, each) for each in range(1, 6)].count(Section.OPEN) == 1
    assert state.section(1, value) is Section.OPEN
    assert state.section(2, value) is Section.EMPTY
    assert state.good == ()
    assert said(do(apply(enough), f"1 open {enough} ={value}"))[0][0] == "R.2-8"
    words = ("one 1", "two 2s", "three 3s", "four 4s", "five 5s")[value - 1]
    few = ("R.2-8", f"It takes {words} to open the {value}s.")
    assert refused(apply(f"{enough} b{value}"), f"1 open {enough} b{value} ={value}") == few
    assert refused(apply(enough), f"1 open ={value}") == few


def test_rule_8_which_dice_and_which_sections() -> None:
    state = apply("b3 3 3 * 4 2")
    assert offers(state, "open") == ["open * =1", "open 2 * =2", "open b3 3 3 =3", "open b3 3 * =3", "open 3 3 * =3"]
    assert refused(state, "1 open 3 4 * =3") == ("R.2-8", "Only dice that show 3, or a star, count for the 3s.")
    where = ("R.2-8", "Choose the section that you open: 1 to 5.")
    assert all(refused(state, f"1 open * {choice}") == where for choice in ("", "=6", "=0", "=field"))
    assert refused(apply("1", boards=("o----", "-----")), "1 open 1 =1") == ("R.2-8", "Ann has already opened the 1s.")
    assert refused(apply("1", boards=("c----", "-----")), "1 open 1 =1") == ("R.2-8", "Ann has already closed the 1s.")


def test_rule_9_an_open_section_is_closed_with_one_more() -> None:
    state = apply("b3 3 * 4", boards=("--o--", "-----"))
    assert offers(state, "close") == ["close b3 =3", "close 3 =3", "close * =3"]
    assert said(do(state, "1 close b3 =3")) == [("R.2-9", "Ann closes the 3s with black 3.")]
    assert said(do(state, "1 close * =3"))[1] == ("R.2-5", "1 star counts as a 3.")
    after = done(state, "1 close b3 =3")
    assert (after.section(1, 3), after.good, after.used) == (Section.CLOSED, dice("3 * 4"), dice("b3"))
    assert refused(state, "1 close 4 =4") == ("R.2-9", "Open the 4s before you close them.")
    assert refused(after, "1 close 3 =3") == ("R.2-9", "Ann has already closed the 3s.")
    assert refused(state, "1 close 3 * =3") == ("R.2-9", "Close the 3s with one 3 at a time.")
    assert refused(state, "1 close 4 =3") == ("R.2-9", "Only dice that show 3, or a star, count for the 3s.")
    assert refused(state, "1 close 3") == ("R.2-9", "Choose the section that you close: 1 to 5.")
    assert done(apply("1 1"), "1 open 1 =1", "1 close 1 =1").section(1, 1) is Section.CLOSED


def test_rule_10_collecting_from_those_who_have_not_closed_the_section() -> None:
    state = apply("b3 * 4", names=("Ann", "Bob", "Cy", "Dee"), boards=("--c--", "--o--", "--c--", "-----"))
    assert takings(state, 3) == {2: 3, 4: 3}
    assert offers(state, "collect") == ["collect b3 =3", "collect * =3"]
    ruling = do(state, "1 collect * =3")
    assert said(ruling) == [
        ("R.2-10", "Ann collects chips: 3 from Bob and 3 from Dee."),
        ("R.2-5", "1 star counts as a 3."),
    ]
    after = done(state, "1 collect * =3", "1 collect b3 =3")
    assert (after.chips, after.good, after.used) == ((67, 49, 55, 49), dice("4"), dice("b3 *"))
    assert done(apply("1 1 1"), "1 open 1 =1", "1 close 1 =1", "1 collect 1 =1").chips == (56, 54)


def test_rule_10_what_cannot_be_collected() -> None:
    state = apply("b3 3 * 4", boards=("--co-", "-----"))
    for choice in (4, 5):
        reason = ("R.2-10", f"Ann has to close the {choice}s before collecting for them.")
        assert refused(state, f"1 collect 4 ={choice}") == reason
    assert refused(state, "1 collect b3 3 =3") == ("R.2-10", "Collect for the 3s with one 3 at a time.")
    assert refused(state, "1 collect 4 =3") == ("R.2-10", "Only dice that show 3, or a star, count for the 3s.")
    assert refused(state, "1 collect 3") == ("R.2-10", "Choose the section that you collect for: 1 to 5.")
    shut = apply("3", boards=("--c--", "--c--"))
    assert refused(shut, "1 collect 3 =3") == ("R.2-10", "All others have closed their 3s: nobody has to pay.")
    assert offers(shut) == ["done"]


def test_amb_4_nobody_pays_more_than_he_has() -> None:
    boards = ("----c", "-----", "-----", "-----")
    names = ("Ann", "Bob", "Cy", "Dee")
    state = apply("5 5", names=names, boards=boards, chips=(55, 3, 5, 0))
    assert said(do(state, "1 collect 5 =5")) == [
        ("R.2-10", "Ann collects chips: 3 from Bob and 5 from Cy."),
        ("AMB-R-4", "Bob pays the last chips (3) and cannot collect any more."),
        ("R.2-11", "Cy pays the last chips (5) and cannot collect any more."),
    ]
    after = done(state, "1 collect 5 =5")
    assert after.chips == (63, 0, 0, 0)
    broke = ("AMB-R-4", "Nobody has chips left to pay for the 5s.")
    assert refused(after, "1 collect 5 =5") == broke
    assert offers(after) == ["done"]


def test_rule_11_without_chips_nothing_is_collected() -> None:
    state = apply("3 1", boards=("--c--", "-----"), chips=(0, 110))
    assert refused(state, "1 collect 3 =3") == ("R.2-11", "Ann has no chips and cannot collect any more.")
    assert offers(state) == ["open 1 =1", "done"]
    assert offers(replace(state, chips=(1, 109)), "collect") == ["collect 3 =3"]


def test_rule_12_the_dice_are_passed_clockwise() -> None:
    state = apply(
        "b5 1", dead="2", used="3 3 4", saved="1", bound="1", names=THREE, chips=(50, 60, 55), scores=(1, 2, 3), rolls=3
    )
    assert said(do(state, "1 done")) == [("R.2-12", "Ann passes the dice to Bob.")]
    after = done(state, "1 done")
    assert (after.phase, after.to_act, after.rolls, after.round) == (Phase.ROLL, (2,), 0, 1)
    assert (after.good, after.dead, after.used, after.saved, after.bound) == ((),) * 5
    assert (after.chips, after.scores, after.starter) == ((50, 60, 55), (1, 2, 3), 1)
    assert len(after.dice_awaited) == 6
    assert refused(state, "1 done 1") == ("R.2-12", "Just pass the dice: there is nothing to choose.")


# The end of a round, and of the game


def filling(good: str = "5", others: tuple[str, ...] = ("-----",), **given: object) -> RollersState:
    """Ann has only her 5s to close."""
    return apply(good, boards=("cccco", *others), **given)


def test_rule_13_the_fifth_closed_section_ends_the_round() -> None:
    assert done(filling(), "1 close 5 =5").round == 1
    assert said(do(filling(), "1 close 5 =5", "1 done"))[0] == ("R.2-13", "Ann is done: the round is over.")
    assert done(filling(), "1 close 5 =5", "1 done").round == 2
    not_yet = apply("5", boards=("ccoco", "-----"))
    assert done(not_yet, "1 close 5 =5", "1 done").round == 1


def test_rule_13_a_full_board_ends_the_round_also_when_the_rest_of_the_turn_is_skipped() -> None:
    ruling = do(filling("4 5"), "1 close 5 =5", "1 skip")
    assert said(ruling)[1:3] == [
        ("R.2-13", "Ann has closed all five: the round is over."),
        ("R.2-14", "Ann filled the board and gets 2 points."),
    ]
    assert ruling.state.scores == (2, 0)
    assert done(filling("4 5"), "1 close 5 =5", "1 skip").round == 2


def test_a_game_of_an_older_vander_goes_on_after_a_skip_with_a_full_board_as_it_did() -> None:
    kept = begin_again(GAME, ("Ann", "Bob"), die_sets.load("rollers"), {})
    old = replace(done(filling("4 5"), "1 close 5 =5"), options=kept.options)
    after = done(old, "1 skip")
    assert (after.round, after.to_act, after.filled(1)) == (1, (2,), True)


def test_rule_13_who_leaves_with_a_full_board_ends_the_round_and_gets_no_points() -> None:
    ruling = do(filling("4 5", ("-----", "-----"), names=THREE, chips=(60, 55, 50)), "1 close 5 =5", "1 quit")
    assert said(ruling)[1:4] == [
        ("R.2-13", "Ann has closed all five: the round is over."),
        ("R.2-14", "Ann has left and gets no points for the full board."),
        ("R.2-14", "Bob has the most chips, 55, and gets 1 point."),
    ]
    assert (ruling.state.scores, ruling.state.to_act) == ((0, 1, 0), (3,))


def in_mid_turn(**options: str) -> RollersState:
    """Ann has opened and closed the 1s and collected for them in this turn; her 2s were open before."""
    state = apply("1 1 1 3", boards=("-o---", "-----"), chips=(40, 70), **options)
    return done(state, "1 open 1 =1", "1 close 1 =1", "1 collect 1 =1")


@pytest.mark.parametrize("verb", ["skip", "quit"])
def test_amb_16_a_turn_that_is_skipped_or_left_brings_nothing(verb: str) -> None:
    began = apply("1 1 1 3", boards=("-o---", "-----", "-----"), chips=(40, 70, 50), names=THREE)
    ruling = do(began, "1 open 1 =1", "1 close 1 =1", "1 collect 1 =1", f"1 {verb}")
    assert said(ruling)[1] == ("AMB-R-16", "What Ann opened, closed and collected in this turn is taken back.")
    after = ruling.state
    assert isinstance(after, RollersState)
    assert (after.sections, after.laid, after.chips) == (began.sections, began.laid, began.chips)
    assert (after.to_act, after.phase) == ((2,), Phase.ROLL)


def test_amb_16_what_earlier_turns_brought_stays_and_nothing_is_said_of_a_turn_without_anything() -> None:
    state = done(in_mid_turn(), "1 done", "2 roll b5 1 1 1 2 2", "2 stop", "2 open 1 =1")
    after = done(state, "2 skip")
    assert (after.section(1, 1), after.section(2, 1), after.chips) == (Section.CLOSED, Section.EMPTY, (41, 69))
    assert len(said(do(after, "1 skip"))) == 1


def test_amb_16_it_stays_where_the_table_plays_so() -> None:
    after = done(in_mid_turn(skipped_turn="stays"), "1 skip")
    assert (after.section(1, 1), after.chips, after.to_act) == (Section.CLOSED, (41, 69), (2,))


def test_amb_5_by_default_the_other_dice_are_applied_first() -> None:
    ruling = do(filling("4 5"), "1 close 5 =5")
    assert said(ruling)[-1] == ("AMB-R-5", "Ann has closed all five: the round ends with this turn.")
    state = done(filling("4 5"), "1 close 5 =5")
    assert offers(state) == ["collect 4 =4", "done"]
    assert done(state, "1 collect 4 =4").chips == (59, 51)


def test_amb_5_where_the_round_ends_at_once_it_does() -> None:
    ruling = do(filling("4 *", round_end="at-once"), "1 close * =5")
    assert said(ruling)[:3] == [
        ("R.2-9", "Ann closes the 5s with star."),
        ("R.2-5", "1 star counts as a 5."),
        ("R.2-13", "Ann has closed all five: the round is over."),
    ]
    assert done(filling("4 5", round_end="at-once"), "1 close 5 =5").round == 2


def test_rule_14_two_points_for_the_board_and_one_for_the_chips() -> None:
    ruling = do(filling(chips=(50, 60)), "1 close 5 =5", "1 done")
    assert said(ruling)[1:3] == [
        ("R.2-14", "Ann filled the board and gets 2 points."),
        ("R.2-14", "Bob has the most chips, 60, and gets 1 point."),
    ]
    assert done(filling(chips=(50, 60)), "1 close 5 =5", "1 done").scores == (2, 1)
    assert done(filling(chips=(60, 50), scores=(1, 4)), "1 close 5 =5", "1 done").scores == (4, 4)


def test_rule_14_one_point_for_a_board_filled_without_chips() -> None:
    ruling = do(filling(chips=(0, 110)), "1 close 5 =5", "1 done")
    assert said(ruling)[1] == ("R.2-14", "Ann filled the board without chips and gets 1 point.")
    assert ruling.state.scores == (1, 1)
    assert done(filling(chips=(1, 109)), "1 close 5 =5", "1 done").scores == (2, 1)


def test_amb_6_level_for_the_most_chips() -> None:
    three = {"others": ("-----", "-----"), "names": THREE, "chips": (45, 60, 60)}
    ruling = do(filling(**three), "1 close 5 =5", "1 done")
    assert said(ruling)[2] == ("AMB-R-6", "Bob and Cy have the same number of chips: nobody gets the point.")
    assert ruling.state.scores == (2, 0, 0)
    each = do(filling(**three, chip_tie="all"), "1 close 5 =5", "1 done")
    assert said(each)[2] == ("AMB-R-6", "Bob and Cy have the same number of chips: each gets 1 point.")
    assert each.state.scores == (2, 1, 1)


@pytest.mark.parametrize(("starter", "following"), [(1, 3), (2, 1), (3, 2)])
def test_rule_15_the_next_round_starts_to_the_right(starter: int, following: int) -> None:
    state = replace(filling(others=("-----", "-----"), names=THREE, chips=(60, 50, 55), rolls=3), starter=starter)
    ruling = do(state, "1 close 5 =5", "1 done")
    name = THREE[following - 1]
    right = f"A new round: {name}, to the right of {THREE[starter - 1]}, starts."
    assert said(ruling)[-1] == ("R.2-15", right)
    after = done(state, "1 close 5 =5", "1 done")
    assert (after.starter, after.to_act, after.round, after.phase) == (following, (following,), 2, Phase.ROLL)
    assert (after.chips, after.scores, after.rolls) == ((55, 55, 55), (3, 0, 0), 0)
    assert after.sections == ((Section.EMPTY,) * 5,) * 3
    assert after.winner == ()


def test_rule_16_five_points_win() -> None:
    ruling = do(filling(scores=(3, 4)), "1 close 5 =5", "1 done")
    assert said(ruling)[-1] == ("R.2-16", "Ann has 5 points and wins: 5 are enough.")
    state = done(filling(scores=(3, 4)), "1 close 5 =5", "1 done")
    assert (state.phase, state.winner, state.to_act, state.scores) == (Phase.OVER, (1,), (), (5, 4))
    assert (state.good, state.rolls, GAME.legal(state), GAME.lay(state)) == ((), 0, (), ())
    assert refused(state, "2 roll b1 1 1 1 1 1") == ("R.2-16", "The game is over.")
    assert done(filling(scores=(2, 4)), "1 close 5 =5", "1 done").winner == ()


def test_amb_7_among_those_who_reach_five_together_the_chips_decide() -> None:
    state = filling(scores=(4, 4), chips=(54, 56))
    ruling = do(state, "1 close 5 =5", "1 done")
    decided = "Ann and Bob have reached 5 together: the most chips decide, Bob wins."
    assert said(ruling)[-1] == ("AMB-R-7", decided)
    assert (ruling.state.scores, ruling.state.winner) == ((6, 5), (2,))
    names, others = ("Ann", "Bob", "Cy", "Dee"), ("-----",) * 3
    four = filling(others=others, names=names, scores=(4, 0, 0, 4), chips=(60, 70, 20, 70), chip_tie="all")
    assert done(four, "1 close 5 =5", "1 done").winner == (4,)


def test_amb_7_those_who_are_level_in_chips_as_well_win_together() -> None:
    ruling = do(filling(scores=(3, 4), chip_tie="all"), "1 close 5 =5", "1 done")
    together = "Ann and Bob have reached 5 together: the most chips decide, Ann and Bob win together."
    assert said(ruling)[-1] == ("AMB-R-7", together)
    assert (ruling.state.scores, ruling.state.winner) == ((6, 5), (1, 2))
    assert GAME.tell(ruling.state) == "Ann and Bob win together."


def test_amb_12_a_shorter_game_to_three_points() -> None:
    ruling = do(filling(scores=(1, 2), target="3"), "1 close 5 =5", "1 done")
    assert said(ruling)[-1] == ("R.2-16", "Ann has 3 points and wins: 3 are enough.")
    assert done(filling(scores=(0, 2), target="3"), "1 close 5 =5", "1 done").winner == ()


def test_the_rulebooks_three_example_turns() -> None:
    state = done(apply("b5 1 3 3 4 *"), "1 open 1 =1", "1 open 3 3 * =3")
    assert offers(state) == ["done"]
    state = replace(state, good=dice("b4 1 2 2 2 3"), used=())
    state = done(state, "1 close 1 =1", "1 close 3 =3", "1 open 2 2 =2", "1 close 2 =2")
    assert offers(state) == ["done"]
    third = replace(state, good=dice("b3 4 4 4 5 *"), used=())
    assert done(third, "1 collect b3 =3", "1 open 4 4 4 * =4").chips == (58, 52)
    assert done(third, "1 collect b3 =3", "1 collect * =3").chips == (61, 49)


# The table


def test_the_six_dice_of_a_turn_may_lie_anywhere() -> None:
    state = turn("3 3", dead="bz 1", used="*", saved="3")
    assert GAME.lay(state) == tuple(DiePosition(each, None) for each in (*dice("3 3"), *dice("bz 1"), *dice("*")))
    assert GAME.lay(turn(rolls=0)) == ()
    (roll,) = (offer for offer in GAME.legal(state) if offer.verb == "roll")
    assert GAME.thrown(state, roll) == tuple(DiePosition(each, None) for each in dice("bz 1 3"))
    (first,) = GAME.legal(turn(rolls=0))
    assert GAME.thrown(turn(rolls=0), first) == tuple(DiePosition(Die(each.kind), Zone.FIELD) for each in first.dice)
    lot = GAME.legal(new_game())[1]
    assert GAME.thrown(new_game(), lot) == (DiePosition(Die(BLACK), Zone.FIELD),)
    assert all(GAME.thrown(state, offer) == () for offer in GAME.legal(state) if offer.verb != "roll")


def lying(text: str) -> tuple[DiePosition, ...]:
    return tuple(DiePosition(each, Zone.FIELD) for each in dice(text))


def relaid(state: RollersState, lying: tuple[DiePosition, ...]) -> RollersState | None:
    outcome = GAME.relaid(state, lying)
    return outcome[0] if outcome else None


def test_a_table_goes_on_as_the_dice_lie() -> None:
    state = turn(SIX, saved="3", saved_dice="final", bound="3")
    after = relaid(state, lying("b2 1 1 3 4 *"))
    assert after == replace(state, good=dice("b2 1 1 3 4 *"), saved=dice("3"), bound=dice("3"))
    assert relaid(state, lying("b2 1 1 2 4 *")) == replace(state, good=dice("b2 1 1 2 4 *"), saved=(), bound=())
    _, calls = GAME.relaid(state, lying("bz 1 1 3 3 5")) or (state, ())
    assert calls == (Call("The zap cancels this roll. Ann keeps 1, 3 and 3, saved before.", "R.2-6"),)
    zap = relaid(state, lying("bz 1 1 3 3 5"))
    assert zap
    assert zap.dead == dice("bz 1 5")
    assert zap == replace(state, good=dice("1 3 3"), dead=dice("bz 1 5"), saved=dice("1 3 3"), bound=dice("3"))


def test_a_table_goes_on_while_dice_are_applied_unless_a_used_one_has_changed() -> None:
    state = apply("b5 4 4", used="1 *", dead="2")
    assert relaid(state, lying("b5 1 2 3 4 *")) == replace(state, good=dice("b5 3 4"))
    assert relaid(state, lying("b5 1 3 3 4 *")) is None
    assert relaid(state, lying("b5 1 2 3 4 5")) is None


def test_no_table_goes_on_with_too_few_dice_or_before_the_first_roll() -> None:
    assert relaid(turn(SIX), lying("b2 1 1 3 4")) is None
    assert relaid(turn(SIX), lying("1 1 3 4 5")) is None
    assert relaid(turn(rolls=0), lying(SIX)) is None
    unread = (*lying("b2 1 1 3 4"), DiePosition(Die(PURPLE), Zone.FIELD))
    assert relaid(turn(SIX), unread) is None


# In words


def test_what_the_table_waits_for() -> None:
    assert GAME.tell(new_game()) == "Ann: throw one die for the first turn."
    assert GAME.tell(turn(rolls=0)) == "Ann: roll all six dice."
    assert GAME.tell(turn(SIX)) == "Ann: save dice and roll the rest, or stop?"
    assert GAME.tell(turn(SIX, saved="3 3")) == "Ann: roll the other 4 dice, or stop?"
    one = turn(SIX, saved="b5 1 3 3 4", rolls=2)
    assert GAME.tell(one) == "Ann: roll the last die, or stop?"
    assert GAME.tell(turn(dead="bz 1 1 1 1 1")) == "Ann: roll all six dice again, or stop?"
    assert GAME.tell(apply("1 4")) == "Ann: fill a section or pass the dice?"
    assert GAME.tell(apply("4")) == "Ann cannot use any dice and passes them on."
    assert GAME.tell(done(filling(scores=(3, 4)), "1 close 5 =5", "1 done")) == "Ann wins."


def titles(state: RollersState, verb: str) -> list[str]:
    return [GAME.offer_title(state, offer) for offer in GAME.legal(state) if offer.verb == verb]


def test_what_buttons_say() -> None:
    assert titles(new_game(), "lot") == ["Throw a purple die", "Throw the black die"]
    assert titles(turn(rolls=0), "roll") == ["Roll all six dice"]
    assert titles(turn(SIX, saved="3 3"), "roll") == ["Roll 4 dice"]
    assert titles(turn(SIX, saved="1 3 3 4 *"), "roll") == ["Roll one die"]
    assert titles(turn("3", dead="bz 1 1 1 1"), "save") == ["Save nothing", "Save 3"]
    assert titles(turn(SIX), "stop") == ["Stop rolling"]
    state = apply("1 3 *", names=THREE, boards=("--co-", "-----", "--o--"), chips=(50, 113, 2))
    assert titles(state, "open") == ["Open the 1s with 1", "Open the 1s with star"]
    assert titles(state, "close") == ["Close the 4s with star"]
    assert titles(state, "collect") == [
        "Collect 5 in chips for the 3s with 3",
        "Collect 5 in chips for the 3s with star",
    ]
    assert titles(state, "done") == ["Pass the dice"]


# The boards


def part(state: RollersState, key: str, seat: int = 1) -> BoardPart:
    """The part of a player's board with this key."""
    (found,) = (each for each in GAME.boards(state)[seat - 1].parts if each.key == key)
    return found


def sections(state: RollersState, seat: int = 1) -> tuple[DicePlace, ...]:
    found = part(state, "sections", seat)
    assert isinstance(found, BoardSection)
    return tuple(place for place in found.places if isinstance(place, DicePlace))


def test_the_five_sections_fill_with_dice_and_show_which_they_take_next() -> None:
    state = turn(SIX, boards=("-oc--", "-----"), rolls=2)
    one, two, three, four, five = sections(state)
    assert one == DicePlace("1", "1s", room=2, needs="one 1", wanted=dice("1"))
    assert two == DicePlace("2", "2s", dice("2 2"), 3, needs="one more 2", mark="open", wanted=dice("2"))
    closed = DicePlace("3", "3s", dice("3 3 3 3"), 4, 3, needs="collects 3 a die", mark="done", wanted=dice("3"))
    assert three == closed
    assert (four.room, five.wanted) == (5, dice("5 5 5 5 5"))
    assert [place.needs for place in sections(state, 2)] == ["one 1", "two 2s", "three 3s", "four 4s", "five 5s"]


def test_a_section_keeps_the_dice_that_were_laid_there_until_the_round_is_over() -> None:
    state = done(apply("b2 2 * 4"), "1 open 2 * =2", "1 close b2 =2", "1 done")
    assert sections(state)[1].dice == (*dice("2 *"), *dice("b2"))
    assert sections(state)[0].dice == ()
    over = done(filling(), "1 close 5 =5", "1 done")
    assert all(not place.dice for seat in (1, 2) for place in sections(over, seat))


def test_a_closed_section_says_what_a_die_takes_in_now() -> None:
    boards = ("--c--", "--c--", "-----", "-----")
    state = turn(SIX, boards=boards, names=("Ann", "Bob", "Cy", "Dee"), chips=(50, 60, 2, 55))
    assert [place.points for place in sections(state)] == [None, None, 5, None, None]
    assert sections(state, 2)[2].points == 5
    assert sections(replace(state, chips=(0, 60, 2, 55)))[2].points == 0


def test_the_board_of_the_player_to_roll_has_the_rolls_and_the_saved_dice() -> None:
    state = turn(SIX, saved="3 *", rolls=2)
    rolls = part(state, "rolls")
    assert isinstance(rolls, Lights)
    assert (rolls.title, [light.is_lit for light in rolls.lights]) == ("1 roll left", [False, False, True])
    assert part(state, "saved") == DicePlace("saved", "Saved", dice("3 *"), 5, verbs=("save",), takes_all=True)
    assert part(state, "rolled") == DicePlace("rolled", "Rolled", dice("b5 1 3 4"))
    zapped = turn("3", dead="bz 1 1 1 1", saved="3")
    assert part(zapped, "rolled") == DicePlace("rolled", "Cancelled by the zap", dice("bz 1 1 1 1"), mark="blocked")
    assert part(apply("1 4"), "to-apply") == DicePlace("to-apply", "To use", dice("1 4"), 6)
    keys = {each.key for board in GAME.boards(turn(rolls=0)) for each in board.parts}
    assert keys == {"rolls", "sections", "chips", "points"}


def test_chips_and_points_stand_on_every_board_and_in_short_on_the_others() -> None:
    state = turn(SIX, chips=(50, 60), scores=(2, 1), target="3")
    assert part(state, "chips", 2) == Tally("chips", "Chips", 60, look="chips")
    assert part(state, "points") == Tally("points", "Points", 2, of=3, look="dots")
    ann, bob = GAME.boards(state)
    assert (ann.title, bob.title, bob.brief) == ("Ann", "Bob", ("sections", "chips"))


# Counted


def test_the_choices_after_a_first_roll_are_as_many_as_reckoned() -> None:
    # Of c dice with one face 0 to c are saved: over the 6^5 falls of the purple dice the products of c + 1 sum up to
    # 5! [x^5] ((1 + x) e^x)^6. The black die is saved or not, never all six together; after a zap there is one choice.
    sums = sum(comb(6, k) * 6 ** (5 - k) * factorial(5) // factorial(5 - k) for k in range(6))
    assert sum(_saves("b1", faces) * _falls(faces) for faces in _rolls()) == 2 * sums - 6**5
    assert len(offers(done(turn(rolls=0), "1 roll bz 1 2 3 4 5"), "save")) == 1


def _rolls() -> Iterator[tuple[str, ...]]:
    return combinations_with_replacement("12345*", 5)


def _falls(faces: tuple[str, ...]) -> int:
    """In how many ways five dice show these."""
    return factorial(5) // prod(map(factorial, Counter(faces).values()))


def _saves(black: str, faces: tuple[str, ...]) -> int:
    return len(offers(turn(" ".join([black, *faces])), "save"))


def test_one_turn_in_216_is_all_zaps_and_one_in_six_ends_with_a_zap() -> None:
    ends = Counter(_three_rolls(zaps) for zaps in product("123456", repeat=3))
    assert ends == {0: 36, 6: 180}


def _three_rolls(blacks: tuple[str, ...]) -> int:
    """How many dice can be applied after three rolls of all six, the black die falling so."""
    rolls = (f"1 roll {'bz' if black == '6' else 'b' + black} 1 2 3 4 5" for black in blacks)
    return len(done(turn(rolls=0), *rolls).good)
