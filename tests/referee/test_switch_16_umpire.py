"""The umpire at a table of Switch 16: what a throw tells, what has to be asked, and what breaks a rule."""

from __future__ import annotations

from at_the_table import with_chances
from switch_16_table import done, new_game, seen, spelled, started

from referee.actions import Action
from referee.dice import Handling, Seen, SeenDie, Zone
from referee.games.switch_16 import GAME, Switch16State
from referee.judge import judge
from referee.umpire import Explanation, differs, explain

ROLLED = ("1", "2", "4", "blank")
"""Ann's first roll: cards 1 to 7 could go."""


def told(state: Switch16State, before: Seen, after: Seen, tapped: str = "") -> Explanation:
    return explain(GAME, state, before, after, Action.parse(spelled(tapped)) if tapped else None)


def ways(found: Explanation) -> list[list[str]]:
    return [[str(action) for action in way] for way in found.ways]


def way(*texts: str) -> list[str]:
    return [spelled(text) for text in texts]


def rolled(*tops: int, holder: int = 0, blocked: int = 0, **options: str) -> Switch16State:
    """Seat 1 has rolled 1, 2 and 4 with a blank."""
    return done(started(*tops, holder=holder, blocked=blocked, **options), "1 roll 1 2 4 blank")


# Throws


def test_one_die_is_a_lot() -> None:
    assert ways(told(new_game(), Seen(), seen("5"))) == [way("1 lot 5")]


def test_the_dice_of_the_top_card_and_the_switch_die_are_a_roll() -> None:
    assert ways(told(started(1, 1), Seen(), seen(*ROLLED))) == [way("1 roll 1 2 4 blank")]
    assert ways(told(started(7, 1), Seen(), seen(*ROLLED, "4"))) == [way("1 roll 1 2 4 4 blank")]


def test_dice_that_are_not_needed_lie_anywhere() -> None:
    after = seen(*ROLLED, "3 aside @0", "6 @0", throw=1)
    assert ways(told(started(1, 1), Seen(), after)) == [way("1 roll 1 2 4 blank")]
    state = rolled(1, 1)
    moved = seen(*ROLLED, "3 @1", "6 out @1", throw=1)
    assert told(state, after, moved) == Explanation()
    assert told(state, after, seen(*ROLLED)) == Explanation()


def test_too_many_or_too_few_dice_break_the_rule_of_the_top_card() -> None:
    many = told(started(1, 1), Seen(), seen("1", "2", "4", "5", "blank"))
    assert (many.ways, many.rule) == ((), "S.2-2")
    assert many.breach == "With 1 on top Ann rolls 3 dice and the Switch die, not 4."
    assert many.dice == (1, 2, 3, 4, 5)
    few = told(started(12, 1), seen("3", throw=0), seen("3 @0", "1", "2", "4", "5", "blank"))
    assert few.breach == "With 12 on top Ann rolls 5 dice and the Switch die, not 4."


def test_the_switch_die_is_not_left_out_and_not_rolled_alone() -> None:
    out = told(started(1, 1), seen("blank", throw=0), seen("blank @0", "1", "2", "4"))
    assert (out.breach, out.rule) == ("Roll the Switch die with the other dice every time.", "S.2-2")
    alone = told(started(1, 1), seen("1", "2", "4", throw=0), seen("1 @0", "2 @0", "4 @0", "blank"))
    assert (alone.breach, alone.rule) == ("Never roll the Switch die alone.", "S.2-2")


def test_a_die_that_is_nowhere_may_have_left_the_tray() -> None:
    for thrown in (("1", "2", "4"), ("1", "2", "blank")):
        found = told(started(1, 1), Seen(), seen(*thrown))
        assert (found.ways, found.unfinished) == ((), "A die left the tray: throw the dice of this throw again.")


def test_more_than_one_die_is_no_lot() -> None:
    found = told(new_game(), Seen(), seen("5", "3"))
    assert (found.rule, found.breach) == (
        "S.2-1",
        "To see who starts, throw one ordinary die, not 2 dice.",
    )


def test_a_stray_die_is_taken_away_first() -> None:
    found = told(started(1, 1), Seen(), seen(*ROLLED, "3", "3", "3"))
    assert found.ways == ()
    assert found.unfinished.startswith("6 ordinary dice lie in the tray, and the game has 5")


def test_a_die_added_to_the_roll_by_hand_says_nothing() -> None:
    state = rolled(1, 1)
    assert told(state, seen(*ROLLED), seen(*ROLLED, "6 @1")).breach == ""
    assert told(state, seen(*ROLLED), seen(*ROLLED, "6 @1")).ways == ()


def test_a_die_turned_over_without_a_throw_is_a_breach() -> None:
    everywhere = (*ROLLED, "6", "6")
    found = told(rolled(1, 1), seen(*everywhere), seen("1 @1", "2 @1", "5 @1", "blank @1", "6 @1", "6 @1"))
    assert (found.breach, found.rule) == ("A die was turned from 4 to 5 without being thrown.", "S.2-12")


def test_the_switch_die_turned_over_is_a_breach() -> None:
    found = told(rolled(1, 1), seen(*ROLLED), seen("1 @1", "2 @1", "4 @1", "green @1"))
    assert found.breach == "A die was turned from blank to green switch without being thrown."


def test_a_nudged_die_is_nothing() -> None:
    state = rolled(1, 1)
    again = seen("1 @1", "2", "4 @1", "blank @1", throw=2)
    found = told(state, seen(*ROLLED), with_chances(again, {2: 0.3}))
    assert (found.ways, found.breach) == ((), "")
    assert found.unchanged


def test_a_die_that_shows_another_face_is_named_and_not_asked_about_where_alone_it_is_no_roll() -> None:
    lying = seen("6", "2 @1", "4 @1", "blank @1", "5 @1", "5 @1", throw=2)
    found = told(rolled(1, 1), seen(*ROLLED, "5", "5"), with_chances(lying, {1: 0.6}, Handling.TURNED))
    assert (found.question, found.ways, found.perhaps_thrown) == ("", (), ())
    assert found.intervention == "A die was turned: 1, now 6. Put it back to 1."


def test_a_die_of_the_roll_taken_away_is_missed() -> None:
    everywhere = ("1", "2", "4", "blank", "5", "6")
    found = told(rolled(1, 1), seen(*everywhere), seen("1 @1", "2 @1", "4 @1", "blank @1", "5 @1"))
    assert (found.ways, found.breach) == ((), "")
    state = rolled(1, 1)
    assert "4" in differs(GAME, state, seen("1", "2", "blank"))


def test_a_die_of_the_roll_does_not_belong_in_the_bay() -> None:
    everywhere = ("1", "2", "4", "blank", "5", "6")
    found = told(rolled(1, 1), seen(*everywhere), seen("1 @1", "2 @1", "4 @1 aside", *everywhere[3:]))
    assert found.unfinished == "Leave the dice where they fell until the turn is over."


def test_a_die_that_fell_out_of_the_tray_is_thrown_again() -> None:
    found = told(started(1, 1), Seen(), seen("1", "2", "4 out", "blank"))
    assert (found.ways, found.breach) == ((), "")
    midway = done(rolled(1, 1), "1 discard 1")
    after = Seen((*seen("1", "3", "blank", throw=2).dice, SeenDie(9, seen("1").dice[0].kind, (), Zone.OUT, 2)), 2)
    found = told(midway, seen(*ROLLED), after)
    assert (found.ways, found.unfinished) == ((), "A die left the tray: throw the dice of this throw again.")


# What a throw tells of the turn before


def test_the_number_of_dice_tells_who_rolls() -> None:
    """Ann, with 7 on top, takes the risk with four dice; Bob, with 12 on top, would have taken five."""
    state = done(rolled(6, 12), "1 discard 6", "1 discard 7")
    risk = told(state, seen(*ROLLED), seen("3", "3", "3", "3", "blank", throw=2))
    assert ways(risk) == [way("1 roll 3 3 3 3 blank")]
    ended = told(state, seen(*ROLLED), seen("3", "3", "3", "3", "3", "blank", throw=2))
    assert ways(ended) == [way("1 end", "2 roll 3 3 3 3 3 blank")]


def test_the_number_of_dice_tells_a_discard() -> None:
    """The 6 is the only card to go: four dice are the risk after it."""
    state = done(started(6, 12), "1 roll 2 4 3 blank")
    assert GAME.legal(done(state, "1 discard 6"))[0].choice == "card-7"
    alone = done(started(6, 12), "1 roll 6 6 6 blank")
    found = told(alone, seen("6", "6", "6", "blank"), seen("3", "3", "3", "3", "blank", throw=2))
    assert ways(found) == [way("1 discard 6", "1 roll 3 3 3 3 blank")]


def test_whether_cards_were_discarded_before_the_end_is_asked() -> None:
    state = done(started(6, 12), "1 roll 6 6 6 blank")
    after = seen("3", "3", "3", "3", "3", "blank", throw=2)
    found = told(state, seen("6", "6", "6", "blank"), after)
    assert sorted(ways(found)) == sorted(
        [way("1 end", "2 roll 3 3 3 3 3 blank"), way("1 discard 6", "1 end", "2 roll 3 3 3 3 3 blank")]
    )
    assert found.question.startswith("What was it: ")
    assert "Discard card 6 (6), then end the turn, then roll 5 dice and the Switch die" in found.question


def test_every_number_of_discards_is_offered() -> None:
    """Seven cards could go, and Bob rolls three dice: none to seven discards and the end, or one to five and a risk.

    The risks after two and after three cards both fail and come to the same.
    """
    found = told(rolled(1, 1), seen(*ROLLED), seen("2", "5", "6", "block", throw=2))
    ended = [each for each in ways(found) if spelled("2 roll 2 5 6 block") in each]
    risked = [each for each in ways(found) if spelled("1 roll 2 5 6 block") in each]
    assert [len(each) for each in sorted(ended, key=len)] == [2, 3, 4, 5, 6, 7, 8, 9]
    assert sorted(len(each) for each in risked) == [2, 3, 5, 6]


def test_where_all_has_to_be_discarded_the_throw_tells_it_all() -> None:
    state = rolled(1, 1, discards="all")
    cards = [f"1 discard {card}" for card in range(1, 8)]
    bob = told(state, seen(*ROLLED), seen("2", "5", "6", "block", throw=2))
    assert ways(bob) == [way(*cards, "1 end", "2 roll 2 5 6 block")]
    ann = told(state, seen(*ROLLED), seen("2", "5", "6", "6", "block", throw=2))
    assert ways(ann) == [way(*cards, "1 roll 2 5 6 6 block")]


def test_a_throw_may_tell_of_the_16_too() -> None:
    state = done(started(16, 1, variant="to-100"), "1 roll 6 6 4 1 1 blank")
    found = told(state, seen("6", "6", "4", "1", "1", "blank"), seen("3", "3", "2", "blank", throw=2))
    assert sorted(map(len, ways(found))) == [2, 2]
    assert way("1 discard 16", "2 roll 3 3 2 blank") in ways(found)


def test_a_roll_that_nobody_could_make_is_a_breach() -> None:
    state = done(rolled(3, 1), "1 discard 3", "1 discard 4")
    found = told(state, seen(*ROLLED), seen("3", "3", "3", "3", "6", "blank", throw=2))
    assert (found.ways, found.rule) == ((), "S.2-2")
    assert found.breach == "Nobody may roll 5 dice and the Switch die now."


def test_a_risk_may_be_rolled_with_other_dice() -> None:
    """A spare die is taken instead of one that was rolled, which stays lying."""
    state = done(started(2, 12), "1 roll 2 5 6 blank", "1 discard 2")
    before = seen("2", "5", "6", "blank", "3 @0", "3 @0")
    after = Seen(
        (
            *(die for die in before.dice if die.number in (3, 6)),
            *(SeenDie(die.number + 20, die.kind, die.faces, die.zone, 2) for die in seen("1", "1", "2", "blank").dice),
        ),
        2,
    )
    assert ways(told(state, before, after)) == [way("1 roll 1 1 2 blank")]


def test_a_switch_may_be_told_by_the_next_roll() -> None:
    """Nothing can be discarded, so four dice are Bob's, who has had his deck taken: Ann's card 7 pictures four."""
    state = done(started(7, 12), "1 roll 1 1 1 1 green")
    found = told(state, seen("1", "1", "1", "1", "green"), seen("6", "6", "6", "6", "blank", throw=2))
    assert ways(found) == [way("1 switch =2", "2 roll 6 6 6 6 blank")]
    found = told(state, seen("1", "1", "1", "1", "green"), seen("6", "6", "6", "6", "6", "blank", throw=2))
    assert ways(found) == [way("1 decline", "2 roll 6 6 6 6 6 blank")]


def test_with_whom_it_was_switched_is_asked() -> None:
    state = done(started(7, 12, 13), "1 roll 1 1 1 1 green")
    found = told(state, seen("1", "1", "1", "1", "green"), seen("6", "6", "6", "6", "6", "blank", throw=2))
    assert len(found.ways) == 2
    assert "Switch decks with Cy, then roll 5 dice" in found.question


def test_whether_the_disk_was_taken_is_asked() -> None:
    state = done(started(7, 12, blocked=2), "1 roll 1 1 1 1 green", "1 decline", "2 roll 1 1 1 1 1 blank")
    state = done(state, "1 roll 1 1 1 1 block")
    found = told(state, seen("1", "1", "1", "1", "block"), seen("6", "6", "6", "6", "6", "blank", throw=2))
    assert sorted(each[0] for each in ways(found)) == ["1 leave", "1 take"]


def test_the_answer_of_the_holder_may_be_told_by_the_next_roll() -> None:
    state = done(started(7, 12, holder=2), "1 roll 1 1 1 1 green", "1 switch =2")
    lying = seen("1", "1", "1", "1", "green")
    assert ways(told(state, lying, seen("6", "6", "6", "6", "blank", throw=2))) == [
        way("2 agree", "2 roll 6 6 6 6 blank")
    ]
    assert ways(told(state, lying, seen("6", "6", "6", "6", "6", "blank", throw=2))) == [
        way("2 refuse", "2 roll 6 6 6 6 6 blank")
    ]


# Taps


def test_a_tap_counts_while_the_dice_lie_or_are_in_a_hand() -> None:
    state = rolled(1, 1, holder=2)
    assert ways(told(state, seen(*ROLLED), seen(*ROLLED), "1 discard 1")) == [way("1 discard 1")]
    assert ways(told(state, seen(*ROLLED), seen(*ROLLED), "2 disk =1")) == [way("2 disk =1")]
    assert ways(told(state, seen(*ROLLED), seen(), "1 end")) == [way("1 end")]


def test_a_tap_that_the_rules_refuse_says_why() -> None:
    found = told(rolled(1, 1), seen(*ROLLED), seen(*ROLLED), "1 discard 2")
    assert (found.ways, found.rule) == ((), "S.2-12")


def test_the_disk_is_never_put_down_by_a_throw() -> None:
    state = done(rolled(6, 12, holder=2), "1 discard 6", "1 discard 7")
    found = told(state, seen(*ROLLED), seen("3", "3", "3", "3", "blank", throw=2))
    assert ways(found) == [way("1 roll 3 3 3 3 blank")]
    assert not judge(GAME, state, Action.parse("2 disk =1")).refusal
