"""The umpire on Rollers: saved dice are found by what was left lying, and only what it cannot tell is asked."""

import pytest
from at_the_table import with_chances
from rollers_table import GAME, action, apply, dice, new_game, seen, turn

from referee.actions import DiePosition
from referee.calls import Call, Refusal
from referee.dice import Die, Seen, Zone
from referee.games.rollers import RollersState
from referee.games.rollers.state import PURPLE
from referee.judge import go_on
from referee.sentences import in_language
from referee.umpire import Explanation, differs, explain
from web.languages import translations

ROLLED = ("1 b5", "2 1", "3 3", "4 3", "5 4", "6 *")
STATE = turn("b5 1 3 3 4 *")


def after(*changed: str, table: tuple[str, ...] = ROLLED, **given: object) -> Seen:
    """The table after a second throw: `2 5` says that die 2 was thrown and shows a 5; all others lie as they did."""
    new = {words.split()[0]: f"{words} 2" for words in changed}
    old = {words.split()[0]: f"{words} 1" for words in table}
    return seen(*(old | new).values(), throw=2, **given)  # type: ignore[arg-type]


def ways(found: Explanation) -> list[list[str]]:
    return [[str(each) for each in way] for way in found.ways]


def way(*texts: str) -> list[list[str]]:
    return [[str(action(text)) for text in texts]]


def explained(changed: Seen, state: RollersState = STATE, table: tuple[str, ...] = ROLLED) -> Explanation:
    return explain(GAME, state, seen(*table), changed)


# Lots and first rolls


@pytest.mark.parametrize("die", ["4", "b4"])
def test_one_die_thrown_is_a_lot(die: str) -> None:
    assert ways(explain(GAME, new_game(), Seen(), seen(f"1 {die}"))) == way(f"1 lot {die}")


def test_two_dice_thrown_for_the_first_turn_are_a_breach() -> None:
    found = explain(GAME, new_game(), Seen(), seen("1 4", "2 3"))
    assert (found.rule, found.breach) == ("R.2-1", "To see who starts, throw one die. 2 were thrown.")


def test_six_dice_are_the_first_roll() -> None:
    assert ways(explain(GAME, turn(rolls=0), Seen(), seen(*ROLLED))) == way("1 roll b5 1 3 3 4 *")


def test_five_dice_are_no_first_roll_while_the_sixth_lies_there() -> None:
    found = explain(GAME, turn(rolls=0), seen("6 *"), after(*ROLLED[:5], table=("6 *",)))
    assert (found.rule, found.breach) == ("R.2-3", "Start your turn with all six dice. 5 were rolled.")
    one = explain(GAME, turn(rolls=0), seen(*ROLLED), after("2 1"))
    assert (one.rule, one.breach) == ("R.2-3", "Start your turn with all six dice. 1 was rolled.")


def test_a_die_that_comes_into_view_is_asked_about_where_it_may_have_been_overlooked_and_not_thrown() -> None:
    table = (*ROLLED[:4], ROLLED[5])
    found = explained(after("5 4", table=table), table=table)
    assert (ways(found), found.question) == (way("1 save b5 1 3 3 *", "1 roll 4"), "")
    doubted = explained(with_chances(after("5 4", table=table), {5: 0.5}), table=table)
    assert (doubted.question, doubted.dice) == ("It was not seen to tumble. Was this die thrown?", (5,))
    assert not explained(with_chances(after("5 4", table=table), {5: 0.02}), table=table).question


def test_a_sixth_die_out_of_view_is_waited_for() -> None:
    found = explain(GAME, turn(rolls=0), Seen(), seen(*ROLLED[:5]))
    assert (found.ways, found.breach) == ((), "")
    assert found.unfinished == "A die left the tray: throw the dice of this throw again."


def test_a_seventh_die_has_to_be_taken_away() -> None:
    found = explain(GAME, turn(rolls=0), Seen(), seen(*ROLLED, "7 2"))
    assert found.unfinished == "6 Purple dice lie in the tray, and the game has 5: take the rest away."
    again = explain(GAME, STATE, seen(*ROLLED), seen(*ROLLED, "7 b2"))
    assert again.unfinished.startswith("2 Black dice")


# Saving


def test_the_dice_left_lying_are_the_saved_ones() -> None:
    found = explained(after("1 b2", "2 5", "5 3"))
    assert ways(found) == way("1 save 3 3 *", "1 roll b2 3 5")
    assert found.question == ""


def test_saved_dice_may_be_carried_aside_or_out_of_view() -> None:
    aside = after("1 b2", "2 5", "5 3", table=("1 b5", "2 1", "3 3 aside", "4 3 aside", "5 4", "6 * aside"))
    assert ways(explained(aside)) == way("1 save 3 3 *", "1 roll b2 3 5")
    resting = explained(seen("1 b5", "2 1", "3 3 aside", "4 3 aside", "5 4", "6 * aside"))
    assert resting == Explanation()


def test_all_six_again_save_nothing() -> None:
    assert ways(explained(after("1 b2", "2 2", "3 2", "4 2", "5 2", "6 2"))) == way("1 roll b2 2 2 2 2 2")


def test_what_was_tapped_as_saved_gives_way_to_what_is_left_lying() -> None:
    state = turn("b5 1 3 3 4 *", saved="1 *")
    assert ways(explained(after("1 b2", "3 2", "4 2", "5 2"), state)) == way("1 roll b2 2 2 2")
    assert ways(explained(after("1 b2", "2 5", "5 3"), state)) == way("1 save 3 3 *", "1 roll b2 3 5")


def test_a_saved_die_may_be_rolled_later_where_the_choice_is_anew() -> None:
    state = turn("b5 1 3 3 4 *", rolls=2)
    assert ways(explained(after("3 5", "4 5", "5 5"), state)) == way("1 save b5 1 *", "1 roll 5 5 5")


def test_a_saved_die_that_is_final_is_not_rolled() -> None:
    state = turn("b5 1 3 3 4 *", saved="1 *", bound="1 *", rolls=2, saved_dice="final")
    assert ways(explained(after("3 5", "4 5", "5 5"), state)) == way("1 save b5 1 *", "1 roll 5 5 5")
    found = explained(after("2 5", "3 5"), state)
    assert (found.rule, found.breach) == (
        "AMB-R-1",
        "A saved die was rolled again. At this table these stay saved: 1 and star.",
    )
    assert found.dice == (2, 3)


def test_a_die_in_doubt_is_asked_for() -> None:
    found = explained(after("1 b2", "2 5/*"))
    assert (found.ways, found.unsure_dice) == ((), (2,))


def test_a_die_in_doubt_is_not_asked_for_when_a_zap_cancels_it_all_the_same() -> None:
    found = explained(after("1 bz", "2 5/*"))
    assert ways(found) == way("1 save 3 3 4 *", "1 roll bz 5")
    assert (found.unsure_dice, found.question) == ((), "")
    assert explained(after("1 bz/b5", "2 5")).unsure_dice == (1,)


def test_a_saved_die_out_of_view_is_asked_for_among_those_it_may_be() -> None:
    gone = seen("1 b2 2", "2 5 2", "3 3 1", "4 3 1", "5 4 1", throw=2)
    found = explained(gone)
    assert ways(found) == way("1 save 1 3 3 4", "1 roll b2 5") + way("1 save 3 3 4 *", "1 roll b2 5")
    one, other = "Save 1, 3, 3 and 4, then roll 2 dice", "Save 3, 3, 4 and star, then roll 2 dice"
    assert found.question == f"What was it: {one}, or {other}?"


# Zaps

ZAPPED = turn("3 3 *", dead="bz 1 5", saved="3 3 *", rolls=2)
LYING = ("1 bz", "2 1", "3 3", "4 3", "5 5", "6 *")


def test_after_a_zap_the_same_dice_are_rolled_again() -> None:
    found = explained(after("1 b4", "2 2", "5 2", table=LYING), ZAPPED, LYING)
    assert ways(found) == way("1 roll b4 2 2")


def test_after_a_zap_a_die_saved_before_may_be_rolled_too() -> None:
    found = explained(after("1 b4", "2 2", "5 2", "6 1", table=LYING), ZAPPED, LYING)
    assert ways(found) == way("1 save 3 3", "1 roll b4 1 2 2")


def test_no_die_rolled_with_a_zap_may_be_kept() -> None:
    found = explained(after("1 b4", "2 2", table=LYING), ZAPPED, LYING)
    kept = "You kept a die that was rolled with a zap. Roll it again."
    assert (found.rule, found.breach) == ("R.2-6", kept)
    assert found.dice == (1, 2)
    saved_too = explained(after("2 2", "5 2", "6 1", table=LYING), ZAPPED, LYING)
    assert saved_too.rule == "R.2-6"


# Applying


def test_a_fourth_roll_is_a_breach() -> None:
    state = apply("b5 1 3 3 4 *", rolls=3)
    found = explained(after("1 b2", "2 5"), state)
    third = "Ann has rolled 3 times. A turn has no more rolls. A new turn starts with all six dice."
    assert (found.rule, found.breach) == ("R.2-3", third)


def test_a_roll_after_stopping_is_a_breach() -> None:
    found = explained(after("1 b2", "2 5"), apply("b5 1 3 3 4 *", rolls=2))
    stopped = "Ann has stopped rolling. The dice stay as they are. A new turn starts with all six dice."
    assert (found.rule, found.breach) == ("R.2-4", stopped)


def test_six_dice_thrown_pass_the_turn() -> None:
    fresh = after("1 b2", "2 2", "3 2", "4 2", "5 2", "6 2")
    found = explained(fresh, apply("b5 1 3 3 4", used="*", rolls=3))
    assert ways(found) == way("1 done", "2 roll b2 2 2 2 2 2")
    assert found.question == ""


def test_dice_may_be_pushed_about_while_they_are_applied() -> None:
    state = apply("1 3 3 4", used="b5 *", rolls=3)
    pushed = seen("1 b5 aside", "2 1", "3 3 aside", "4 3", "5 4 out", "6 * aside")
    assert explained(pushed, state) == Explanation()
    tapped = explain(GAME, state, seen(*ROLLED), pushed, action("1 open 1 =1"))
    assert ways(tapped) == way("1 open 1 =1")


def test_stopping_is_told_by_a_tap() -> None:
    found = explain(GAME, STATE, seen(*ROLLED), seen(*ROLLED), action("1 stop"))
    assert ways(found) == way("1 stop")
    early = explain(GAME, STATE, seen(*ROLLED), seen(*ROLLED), action("1 done"))
    assert (early.rule, early.ways) == ("R.2-2", ())


# Dice handled


def test_a_die_turned_over_by_hand_is_a_breach() -> None:
    found = explained(seen("1 b5", "2 5", "3 3", "4 3", "5 4", "6 *"))
    assert (found.rule, found.breach) == ("R.2-4", "A die was turned from 1 to 5 without being thrown.")
    assert found.dice == (2,)
    with_a_roll = explained(after("1 b2", table=("1 b5", "2 5", "3 3", "4 3", "5 4", "6 *")))
    assert with_a_roll.rule == "R.2-4"


def test_a_die_nudged_by_hand_means_nothing() -> None:
    assert explained(seen(*ROLLED[:5], "6 * aside")) == Explanation()


def test_all_dice_jolted_and_unchanged_mean_a_roll_only_if_that_is_legal() -> None:
    """Every handful of dice may be rolled, so dice that fall as they lay are taken for rolled; it makes no odds."""
    found = explained(after("1 b2", "2 5", "6 *"))
    assert ways(found) == way("1 save 3 3 4", "1 roll b2 5 *")


def test_a_die_taken_away_is_missed_only_when_it_matters() -> None:
    found = explained(seen(*ROLLED[:5]))
    assert (found.ways, found.breach) == ((), "")


def test_a_leaning_die_is_rolled_again() -> None:
    found = explained(after("1 b2", "2 5 !"))
    assert (found.unfinished, found.rule) == ("The die that shows 5 leans. Throw it again.", "R.2-3")


def test_resuming_names_what_lies_otherwise() -> None:
    assert differs(GAME, STATE, seen(*ROLLED)) == ""
    assert differs(GAME, STATE, seen("1 b5", "2 1", "3 3", "4 3", "5 4", "6 5")).startswith("The table should show")


# What is wrong with a throw, in the game's own words


def lying(text: str) -> tuple[DiePosition, ...]:
    return tuple(DiePosition(each, Zone.FIELD) for each in dice(text))


def test_faults_in_the_games_own_words() -> None:
    others = "Roll all dice that are not saved. Leave the others as they are."
    assert GAME.fault(STATE, lying("1"), lying("b5 3 3 4 2")).sentence == others
    assert GAME.fault(STATE, lying("1"), lying("b5 3 3 4 2")).rule == "R.2-4"
    twice = turn("3 3", dead="bz 3 1 1", saved="3 3")
    assert GAME.fault(twice, lying("bz 1 1"), lying("3 3 3")).rule == "R.2-6"
    assert GAME.fault(twice, lying("bz 1 1 3"), lying("3 3")).rule == "R.2-4"
    bound = turn("b5 1 3 3 4 *", saved="1", bound="1", saved_dice="final")
    assert GAME.fault(bound, lying("3 3"), lying("b5 1 4 *")).rule == "R.2-4"
    assert GAME.fault(bound, lying("1"), lying("b5 3 3 4 *")).rule == "AMB-R-1"


def test_going_on_as_the_dice_lie() -> None:
    found = go_on(GAME, STATE, lying("b5 2 3 3 4 *"))
    assert not isinstance(found, Refusal)
    after, calls = found
    assert isinstance(after, RollersState)
    assert after.good == dice("b5 2 3 3 4 *")
    assert calls == (Call("The game goes on with the dice as they lie.", "R.2-4"),)
    assert isinstance(go_on(GAME, turn(rolls=0), (DiePosition(Die(PURPLE), Zone.FIELD),)), Refusal)


def test_what_is_asked_of_a_whole_way_is_one_sentence_in_both_languages() -> None:
    lying = (*(f"{each} 1" for each in ROLLED[:3]), "4 3 3", "5 4 3", "6 2 2")
    question = explained(seen(*lying, throw=3)).question
    whole = "Was it all this: save black 5, 1 and 3, then roll 3 dice?"
    assert question == f"The dice were thrown more than once. {whole}"
    german = translations("de")
    assert german is not None
    words = "Die Würfel wurden mehr als einmal geworfen. War es all das: 5 (schwarz), 1 und 3 sichern, dann "
    assert in_language(question, german) == f"{words}3 Würfel werfen?"
