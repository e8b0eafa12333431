"""What the referee of Intersection says, word for word: refusals, faults, calls, buttons, boards."""

from __future__ import annotations

from dataclasses import replace

import pytest
from at_the_table import DICE, GAME, do, done, faces, new_game, spelled, turn

from referee.actions import Action, DiePosition
from referee.board import Board, BoardPart, DicePlace, Light, Lights, Tally, Token, Track
from referee.dice import Die, Zone
from referee.games.intersection import IntersectionPhase as Phase
from referee.games.intersection import IntersectionState
from referee.judge import judge

PARKED, MUST, DOUBLE, START = Phase.PARKED, Phase.MUST_PLAY_ON, Phase.DOUBLE, Phase.START
LOTS = new_game()
TIE = replace(LOTS, phase=Phase.TIE_ROLL)


def refusal(state: IntersectionState, text: str) -> tuple[str, str]:
    found = judge(GAME, state, Action.parse(spelled(text))).refusal
    assert found, text
    return found.rule, found.sentence


@pytest.mark.parametrize(
    ("state", "text", "rule", "sentence"),
    [
        (
            LOTS,
            "1 end",
            "I.2-1",
            "First each player throws the five Traffic dice to see who starts.",
        ),
        (TIE, "1 end", "I.2-21", "To break the tie, each tied player throws the five Traffic dice."),
        (
            LOTS,
            "1 vander",
            "I.2-19",
            "The Vander Rule is only for turns. Just throw the dice again.",
        ),
        (TIE, "1 vander", "I.2-19", "The Vander Rule is only for turns. Just throw the dice again."),
        (
            turn(phase=START, signal=""),
            "1 end",
            "I.2-2",
            "Start your turn with all six dice: the Signal die and five Traffic dice.",
        ),
        (
            turn("two", "four four four star", phase=DOUBLE),
            "1 end",
            "I.2-13",
            "You declared double or nothing: roll the last Traffic die with the Signal die.",
        ),
        (
            turn("star two two two four"),
            "1 sing",
            "I.2-2",
            "Intersection has no 'sing'; a player may lot, roll, fix, go, end, on, double, star, park, give-up or "
            "vander.",
        ),
        (turn(), "1 lot two two two two two", "I.2-1", "That throw is only for the first turn or for a tie."),
        (turn(), "1 roll go star", "I.2-4", "Roll all six dice together, and only at the start of a turn."),
        (
            turn("two", "four four four star", phase=PARKED),
            "1 roll go star",
            "I.2-13",
            "First declare double or nothing, then roll.",
        ),
        (
            turn("two", "four four four star", phase=PARKED),
            "1 roll star",
            "I.2-4",
            "Roll all six dice together, and only at the start of a turn.",
        ),
    ],
)
def test_out_of_its_time_an_action_is_refused(state: IntersectionState, text: str, rule: str, sentence: str) -> None:
    assert refusal(state, text) == (rule, sentence)


NO_SAD = "There was no sad face to fix."
NO_HAPPY = "There was no happy face to fix the sad one with."
STRICT = turn("happy sad two", "happy star", parked_happy="field-first")
BOTH = turn("happy sad two", "happy star")
ONLY_FIELD = "There was no parked happy face, only one on the field."
ONLY_PARKED = "There was no happy face on the field, only a parked one."
FIX_SHAPE = "Roll one sad and one happy die. Say if the happy one was parked."


@pytest.mark.parametrize(
    ("state", "text", "sentence"),
    [
        (turn("happy star two two two"), "1 fix two two =field", NO_SAD),
        (turn("star sad two two two"), "1 fix two two =field", NO_HAPPY),
        (turn("happy sad two two two"), "1 fix two two =parked", ONLY_FIELD),
        (turn("sad two two two", "happy"), "1 fix two two =field", ONLY_PARKED),
        (
            STRICT,
            "1 fix two two =parked",
            "At this table, roll the happy face on the field first, not a parked one.",
        ),
        (BOTH, "1 fix two two", FIX_SHAPE),
        (BOTH, "1 fix two =field", FIX_SHAPE),
        (BOTH, "1 fix two two =moon", FIX_SHAPE),
    ],
)
def test_a_wrong_fix_is_refused(state: IntersectionState, text: str, sentence: str) -> None:
    assert refusal(state, text) == ("I.2-7", sentence)


@pytest.mark.parametrize(
    ("state", "text", "sentence"),
    [
        (turn("star two two two four"), "1 go go two", "There was no sad face to roll with the Signal die."),
        (
            turn("sad two two two", "happy"),
            "1 go go two",
            "Roll the sad face with a happy one, not with the Signal die.",
        ),
        (turn("sad star two two two", signal="slow"), "1 go go two", "The signal showed slow, not go."),
        (turn("sad star two two two"), "1 go two", "Roll the Signal die with exactly one sad die."),
    ],
)
def test_a_wrong_go_is_refused(state: IntersectionState, text: str, sentence: str) -> None:
    assert refusal(state, text) == ("I.2-8", sentence)


SLOW_STAR = turn("star two two two two", signal="slow")
PARKED_STAR = turn("two two two two", "star", signal="slow")
STAR_SHAPE = "Roll the Signal die with one star. Say if the star was parked."


@pytest.mark.parametrize(
    ("state", "text", "rule", "sentence"),
    [
        (
            turn("star two two two two"),
            "1 star go two =field",
            "I.2-9",
            "Roll a star with the Signal die only on slow. It showed go.",
        ),
        (
            turn("sad happy two two two", signal="slow"),
            "1 star go two =field",
            "I.2-9",
            "There was no star to roll with the Signal die.",
        ),
        (SLOW_STAR, "1 star go two =parked", "I.2-9", "There was no parked star, only one on the field."),
        (PARKED_STAR, "1 star go two =field", "I.2-9", "There was no star on the field, only a parked one."),
        (SLOW_STAR, "1 star go two", "I.2-9", STAR_SHAPE),
        (SLOW_STAR, "1 star two =field", "I.2-9", STAR_SHAPE),
        (
            turn("star two", "star star star", signal="slow", phase=MUST),
            "1 star go two =field",
            "I.2-14",
            "You parked on slow, so play on first. After that you may roll a star.",
        ),
        (
            turn("happy sad star two two", signal="slow", star_with_sad="last-resort"),
            "1 star go two =field",
            "I.2-9",
            "At this table, fix the sad face first.",
        ),
    ],
)
def test_a_wrong_star_is_refused(state: IntersectionState, text: str, rule: str, sentence: str) -> None:
    assert refusal(state, text) == (rule, sentence)


@pytest.mark.parametrize(
    ("state", "text", "rule", "sentence"),
    [
        (
            turn("sad happy star two two"),
            "1 park star",
            "I.2-6",
            "There is still a sad face, so you cannot park yet.",
        ),
        (turn("star star two two three"), "1 park go star", "I.2-5", "You cannot park the Signal die."),
        (turn("star two two four four"), "1 park", "I.2-10", "Park at least one scoring die."),
        (
            turn("star two two four four"),
            "1 park happy happy star three",
            "I.2-10",
            "You can park only dice on the field. Not there: 2 x happy and a three.",
        ),
        (
            turn("star two two four four"),
            "1 park two two",
            "I.2-10",
            "You cannot park just 2 twos. You need three, or three that are parked already.",
        ),
        (
            turn("star two two three four"),
            "1 park star three",
            "I.2-10",
            "You cannot park just 1 three. You need three, or three that are parked already.",
        ),
        (
            turn("star two two two three"),
            "1 park star =field",
            "I.2-10",
            "Choose only the Traffic dice that you park.",
        ),
    ],
)
def test_wrong_parking_is_refused(state: IntersectionState, text: str, rule: str, sentence: str) -> None:
    assert refusal(state, text) == (rule, sentence)


@pytest.mark.parametrize(
    ("state", "text", "rule", "sentence"),
    [
        (
            turn("sad star", "four four four"),
            "1 on two two",
            "I.2-12",
            "There is still a sad face: fix it before you play on.",
        ),
        (
            turn("", "four four four star star", phase=PARKED),
            "1 on",
            "I.2-11",
            "All five Traffic dice are parked: none is left to roll.",
        ),
        (
            turn("star two two two three"),
            "1 on two two two two two",
            "I.2-11",
            "Park at least one scoring die before you play on.",
        ),
        (
            turn("two three", "four four four", phase=PARKED),
            "1 on two",
            "I.2-12",
            "To play on, roll all Traffic dice that are not parked: 2.",
        ),
    ],
)
def test_wrong_playing_on_is_refused(state: IntersectionState, text: str, rule: str, sentence: str) -> None:
    assert refusal(state, text) == (rule, sentence)


@pytest.mark.parametrize(
    ("state", "text", "rule", "sentence"),
    [
        (
            turn("sad star", "four four four"),
            "1 end",
            "I.2-12",
            "There is still a sad face: fix it before you take points.",
        ),
        (
            turn("two", "four four four star", signal="slow", phase=MUST),
            "1 end",
            "I.2-14",
            "The signal shows slow and you have dice left: play on.",
        ),
        (
            turn("", "four four four star star", signal="slow"),
            "1 end",
            "I.2-15",
            "You get no points on slow. The signal has to show go first.",
        ),
        (
            turn("star", "four four four star"),
            "1 end",
            "I.2-11",
            "Park at least one scoring die before you end the turn.",
        ),
        (
            turn("two two", "happy happy star", phase=PARKED),
            "1 end",
            "I.2-18",
            "250 points are not enough. Your first score must be 300 or more.",
        ),
        (
            turn("two", "four four four star", phase=PARKED),
            "1 end =now",
            "I.2-17",
            "There is nothing to choose for 'end'.",
        ),
        (
            turn("two two", "four four four", phase=PARKED),
            "1 give-up star",
            "I.2-16",
            "There is nothing to choose for 'give-up'.",
        ),
        (
            turn("two two", "four four four", phase=PARKED),
            "1 vander star",
            "I.2-19",
            "There is nothing to choose for 'vander'.",
        ),
        (
            turn("two", "four four four star"),
            "1 double",
            "I.2-13",
            "Declare double or nothing after you park, and only on go.",
        ),
        (
            turn("", "four four four star star", signal="slow", phase=PARKED),
            "1 double",
            "I.2-13",
            "Declare double or nothing after you park, and only on go.",
        ),
        (
            turn("two two", "four four four", phase=PARKED),
            "1 double",
            "I.2-13",
            "Double or nothing takes exactly four parked dice; there are 3.",
        ),
        (
            turn("two", "star star star star", phase=PARKED),
            "1 double",
            "I.2-18",
            "200 points are not enough. Your first score must be 300 or more.",
        ),
        (
            turn("two", "four four four star", phase=PARKED),
            "1 double star",
            "I.2-13",
            "There is nothing to choose for 'double'.",
        ),
    ],
)
def test_a_wrong_end_is_refused(state: IntersectionState, text: str, rule: str, sentence: str) -> None:
    assert refusal(state, text) == (rule, sentence)


# Throws that no legal action explains


def lying(*texts: str) -> tuple[DiePosition, ...]:
    """Dice from words: `happy@field`, `?@aside` (a Traffic die of any face), `go@signal`."""
    return tuple(DiePosition.parse(("signal:" if text[:2] in ("go", "sl") else "traffic:") + text) for text in texts)


def fault(state: IntersectionState, thrown: str, kept: str = "") -> tuple[str, str]:
    found = GAME.fault(state, lying(*thrown.split()), lying(*kept.split()))
    return found.rule, found.sentence


@pytest.mark.parametrize(
    ("state", "thrown", "rule", "sentence"),
    [
        (LOTS, "?@field ?@field", "I.2-1", "Throw with the five Traffic dice now, not with 2 Traffic dice."),
        (
            TIE,
            "?@field go@field",
            "I.2-21",
            "Throw with the five Traffic dice now, not with the Signal die and 1 Traffic die.",
        ),
        (
            turn(phase=START, signal=""),
            "?@field ?@field ?@field ?@field go@field",
            "I.2-2",
            "Start your turn with all six dice together, not with the Signal die and 4 Traffic dice.",
        ),
        (
            turn("two", "four four four star", phase=DOUBLE),
            "two@field",
            "I.2-13",
            "For double or nothing, roll just the last Traffic die and the Signal die.",
        ),
    ],
)
def test_a_throw_at_the_wrong_time_is_a_breach(state: IntersectionState, thrown: str, rule: str, sentence: str) -> None:
    assert fault(state, thrown) == (rule, sentence)


@pytest.mark.parametrize(
    ("state", "thrown", "rule", "sentence"),
    [
        (turn("star two two two four"), "go@signal", "I.2-4", "Never roll the Signal die alone."),
        (
            turn("star two two two four"),
            "go@signal star@field two@field",
            "I.2-4",
            "Roll the Signal die with one Traffic die, not with 2.",
        ),
        (
            turn("two", "four four four star", phase=PARKED),
            "go@signal two@field",
            "I.2-13",
            "First declare double or nothing, then roll.",
        ),
        (
            turn("sad two two two", "happy"),
            "go@signal sad@field",
            "I.2-8",
            "Roll the sad face with a happy one, not with the Signal die.",
        ),
        (
            turn("star two two two four"),
            "go@signal star@field",
            "I.2-9",
            "Roll a star with the Signal die only on slow. It showed go.",
        ),
        (
            turn("two two two two", "star", signal="slow"),
            "slow@signal star@aside",
            "I.2-4",
            "The Signal die goes with a sad face, a star, or double or nothing.",
        ),
        (
            turn("two three", "four four four", phase=PARKED),
            "go@signal two@field",
            "I.2-4",
            "The Signal die goes with a sad face, a star, or double or nothing.",
        ),
    ],
)
def test_the_signal_rolled_with_the_wrong_dice_is_a_breach(
    state: IntersectionState, thrown: str, rule: str, sentence: str
) -> None:
    assert fault(state, thrown) == (rule, sentence)


@pytest.mark.parametrize(
    ("state", "thrown", "kept", "rule", "sentence"),
    [
        (
            STRICT,
            "happy@aside sad@field",
            "happy@field two@field star@aside go@signal",
            "I.2-7",
            "At this table, roll the happy face on the field first, not a parked one.",
        ),
        (
            BOTH,
            "happy@field sad@field",
            "happy@field two@field star@aside go@signal",
            "I.2-12",
            "Leave the dice that you do not roll where they are.",
        ),
        (
            turn("sad star two two three"),
            "sad@field",
            "star@field two@field two@field three@field go@signal",
            "I.2-8",
            "Without a happy face, roll the sad one with the Signal die, not alone.",
        ),
        (
            turn("sad star two two three", signal="slow"),
            "sad@field star@field",
            "two@field two@field three@field slow@signal",
            "I.2-7",
            NO_HAPPY,
        ),
        (
            turn("happy sad two two three"),
            "sad@field two@field",
            "happy@field two@field three@field go@signal",
            "I.2-7",
            "Fix a sad face by rolling it with one happy face. You rolled sad and a two.",
        ),
        (
            turn("happy sad two two three"),
            "happy@field two@field",
            "sad@field two@field three@field go@signal",
            "I.2-7",
            "Fix a sad face by rolling it with one happy face. You rolled happy and a two.",
        ),
        (
            turn("happy sad two two three"),
            "happy@field two@field three@field",
            "sad@field two@field go@signal",
            "I.2-6",
            "Fix the sad faces first: roll each one with a happy face.",
        ),
        (
            turn("star sad two two three", signal="slow"),
            "star@field two@field three@field",
            "sad@field two@field slow@signal",
            "I.2-9",
            "There is no happy face, and the signal shows slow. Roll it with a star.",
        ),
        (
            turn("star sad two two three", signal="slow"),
            "two@field two@field",
            "star@field sad@field three@field slow@signal",
            "I.2-9",
            "There is no happy face, and the signal shows slow. Roll it with a star.",
        ),
        (
            turn("star sad two two three"),
            "star@field sad@field two@field two@field three@field",
            "go@signal",
            "I.2-8",
            "Without a happy face, first roll one sad face with the Signal die.",
        ),
        (
            turn("star two two two four"),
            "two@field four@field",
            "star@field two@field two@field go@signal",
            "I.2-11",
            "Park at least one scoring die before you play on.",
        ),
        (
            turn("star two two two four"),
            "two@field",
            "star@aside two@field two@field four@field go@signal",
            "I.2-12",
            "To play on, roll all dice that are not parked. 3 dice were left lying.",
        ),
        (
            turn("two four", "star star star", phase=PARKED),
            "two@field",
            "four@field star@aside star@aside star@aside go@signal",
            "I.2-12",
            "To play on, roll all dice that are not parked. 1 die was left lying.",
        ),
        (
            turn("two four", "star star happy", phase=PARKED),
            "two@field four@field happy@aside",
            "star@aside star@aside go@signal",
            "I.2-12",
            "A parked happy was rolled. Leave parked dice where they are.",
        ),
        (
            turn("two four", "star star happy", phase=PARKED),
            "two@field",
            "four@field star@field star@aside happy@aside go@signal",
            "I.2-12",
            "A parked die was put back on the field. Leave it parked.",
        ),
        (
            turn("two four", "star star star", phase=PARKED),
            "two@field four@field",
            "star@aside star@aside star@aside go@signal",
            "I.2-12",
            "To play on, roll all dice that are not parked, and no others.",
        ),
        (
            turn("star two two two four"),
            "two@field two@field two@field",
            "star@aside four@aside go@signal",
            "I.2-10",
            "You cannot park just 1 four. You need three, or three that are parked already.",
        ),
        (
            turn("star star two two four", signal="slow"),
            "star@field slow@signal",
            "star@aside two@field two@field four@field",
            "I.2-14",
            "You parked on slow, so play on first. After that you may roll a star.",
        ),
    ],
)
def test_a_throw_with_the_wrong_dice_is_a_breach(
    state: IntersectionState, thrown: str, kept: str, rule: str, sentence: str
) -> None:
    assert fault(state, thrown, kept) == (rule, sentence)


# Calls


def calls(state: IntersectionState, text: str) -> list[tuple[str, str]]:
    ruling = do(state, text)
    assert not ruling.refusal
    return [(call.rule, call.sentence) for call in ruling.calls]


STOP = ("I.2-3", "Stop: Ann's turn ends without points.")
NOTHING_LEFT = ("I.2-16", "Ann cannot roll or park anything. The turn ends without points.")
SHORT = "Ann has no dice left and fewer than 300 points. The turn ends without points."


@pytest.mark.parametrize(
    ("state", "text", "told"),
    [
        (LOTS, "1 lot happy two two two two", [("I.2-1", "Ann throws 1 happy face.")]),
        (TIE, "1 lot happy happy two two two", [("I.2-21", "Ann throws 2 happy faces.")]),
        (
            done(LOTS, "1 lot happy two two two two"),
            "2 lot happy star star star star",
            [("I.2-1", "Bob throws 1 happy face."), ("I.2-1", "Ann and Bob are tied and throw again.")],
        ),
        (
            done(LOTS, "1 lot happy two two two two"),
            "2 lot sad star star star star",
            [("I.2-1", "Bob throws 0 happy faces."), ("I.2-1", "Ann starts.")],
        ),
        (
            done(TIE, "1 lot happy two two two two"),
            "2 lot sad star star star star",
            [("I.2-21", "Bob throws 0 happy faces."), ("I.2-21", "Ann breaks the tie and wins.")],
        ),
        (
            turn(phase=START, signal=""),
            "1 roll go happy happy star two three",
            [("I.2-2", "Ann rolls go, 2 x happy, star, a three and a two.")],
        ),
        (
            turn(phase=START, signal=""),
            "1 roll stop sad sad sad sad sad",
            [("I.2-2", "Ann rolls stop and 5 x sad."), STOP],
        ),
        (
            turn(phase=START, signal=""),
            "1 roll go two two three three four",
            [("I.2-2", "Ann rolls go, a four, 2 x three and 2 x two."), NOTHING_LEFT],
        ),
        (turn("happy sad two two two"), "1 fix star two =field", [("I.2-7", "Ann rolls star and a two.")]),
        (turn("sad two two two two"), "1 go slow happy", [("I.2-8", "Ann rolls slow and happy.")]),
        (SLOW_STAR, "1 star go happy =field", [("I.2-9", "Ann rolls go and happy.")]),
        (turn("two", "four four four star", phase=PARKED), "1 on star", [("I.2-12", "Ann rolls star.")]),
        (
            turn("star happy two two two"),
            "1 park star happy",
            [("I.2-10", "Ann parks happy and star. 150 points are parked now.")],
        ),
        (
            turn("star happy two two two", signal="slow"),
            "1 park star happy",
            [
                ("I.2-10", "Ann parks happy and star. 150 points are parked now."),
                ("I.2-14", "The signal shows slow: Ann has to play on."),
            ],
        ),
        (
            turn("four four four happy happy", signal="slow"),
            "1 park four four four happy happy",
            [
                ("I.2-10", "Ann parks 3 x four and 2 x happy. 600 points are parked now."),
                ("I.2-15", "There are no points while the signal shows slow."),
                NOTHING_LEFT,
            ],
        ),
        (
            turn("star star star star star"),
            "1 park star star star star star",
            [("I.2-10", "Ann parks 5 x star. 250 points are parked now."), ("I.2-18", SHORT)],
        ),
        (turn("two", "four four four star", phase=PARKED), "1 end", [("I.2-17", "Ann writes down 450 and has 450.")]),
        (
            turn("two", "four four four star", phase=PARKED, scores=(600, 0)),
            "1 end",
            [("I.2-17", "Ann writes down 450 and has 1050.")],
        ),
        (
            turn("two two", "happy happy star", phase=PARKED, below_300="records-0"),
            "1 end",
            [("I.2-18", "250 is not enough: Ann's first score must be 300 or more.")],
        ),
        (
            turn("two", "four four four star", phase=PARKED),
            "1 double",
            [("I.2-13", "Ann declares double or nothing for 450.")],
        ),
        (
            turn("two", "four four four star", phase=DOUBLE),
            "1 roll go star",
            [("I.2-13", "Ann rolls go and star."), ("I.2-13", "Ann writes down 1000 and has 1000.")],
        ),
        (
            turn("four four four star star", signal="slow", five_under_slow="take-points"),
            "1 park four four four star star",
            [("I.2-10", "Ann parks 3 x four and 2 x star. 500 points are parked now.")],
        ),
        (
            turn("two", "four four four star", phase=DOUBLE),
            "1 roll go sad",
            [("I.2-13", "Ann rolls go and sad."), ("I.2-13", "Nothing: Ann loses the four parked dice.")],
        ),
        (
            turn("two", "four four four star", phase=DOUBLE),
            "1 roll stop star",
            [("I.2-13", "Ann rolls stop and star."), STOP],
        ),
        (turn("happy two two two two"), "1 give-up", [("I.2-16", "Ann gives up the turn and gets nothing.")]),
        (
            turn("happy two two two two"),
            "1 vander",
            [("I.2-19", "A die left the table: Ann's turn ends without points.")],
        ),
    ],
)
def test_every_ruling_is_told(state: IntersectionState, text: str, told: list[tuple[str, str]]) -> None:
    assert calls(state, text) == told


NEAR = turn("star", "four four four four", phase=PARKED, scores=(4200, 5100))


def test_the_end_of_the_game_is_told() -> None:
    assert calls(NEAR, "1 end") == [
        ("I.2-17", "Ann writes down 800 and has 5000."),
        ("I.2-20", "Ann has reached 5000: the last turns begin."),
    ]
    assert calls(done(NEAR, "1 end"), "2 vander")[1:] == [("I.2-20", "Bob wins with 5100.")]
    tied = replace(NEAR, scores=(4300, 5100))
    assert calls(done(tied, "1 end"), "2 vander")[1:] == [("I.2-21", "Ann and Bob are tied and throw to see who wins.")]
    bare = replace(NEAR, scores=(4300, 0))
    assert calls(done(bare, "1 end"), "2 roll stop sad sad sad sad sad")[2:] == [
        ("I.2-22", "Bob never scored and ties with the best."),
        ("I.2-21", "Ann and Bob are tied and throw to see who wins."),
    ]


def test_the_end_of_a_game_alone_is_told() -> None:
    alone = turn("star", "four four four four", phase=PARKED, names=("Ann",), scores=(4200,))
    assert calls(alone, "1 end") == [
        ("I.2-17", "Ann writes down 800 and has 5000."),
        ("I.2-23", "Ann has 5000 points in 1 turn."),
    ]
    over = done(alone, "1 end")
    assert GAME.tell(over) == "Ann has 5000 points in 1 turn."
    assert (over.winner, over.phase, over.turns, over.signal) == ((1,), Phase.GAME_OVER, (1,), "")


def test_the_game_over_lies_cleared() -> None:
    tie = done(replace(NEAR, scores=(4300, 5100)), "1 end", "2 vander")
    assert (tie.phase, tie.contenders, tie.lots, tie.to_act, tie.last_turns) == (Phase.TIE_ROLL, (1, 2), (), (1,), None)
    over = done(tie, "1 lot happy two two two two", "2 lot sad two two two two")
    assert (over.contenders, over.lots, over.last_turns, over.to_act) == ((), (), None, ())
    assert (over.field, over.parked, over.signal, over.dice_awaited) == ((), (), "", ())


# Buttons


@pytest.mark.parametrize(
    ("state", "text", "title"),
    [
        (LOTS, "1 lot ? ? ? ? ?", "Throw the five Traffic dice"),
        (turn(phase=START, signal=""), "1 roll", "Roll all six dice"),
        (turn("two", "four four four star", phase=DOUBLE), "1 roll", "Roll the last die with the signal"),
        (BOTH, "1 fix =field", "Fix a sad face with a happy one"),
        (BOTH, "1 fix =parked", "Fix a sad face with a parked happy one"),
        (turn("sad two two two two"), "1 go", "Roll the go with a sad face"),
        (SLOW_STAR, "1 star =field", "Roll a star with the slow"),
        (PARKED_STAR, "1 star =parked", "Roll a parked star with the slow"),
        (turn("two two two star four"), "1 park two two two star", "Park star and 3 x two (250)"),
        (turn("two four", "two two two"), "1 park two", "Park a two (200)"),
        (turn("two four star star star"), "1 on", "Play on with all 5 dice"),
        (turn("two four", "star star star"), "1 on", "Play on with the other 2 dice"),
        (turn("two", "star star star star"), "1 on", "Play on with the last die"),
        (turn("two", "star star star star"), "1 end", "End the turn without points"),
        (turn("two", "star star star star", scores=(300, 0)), "1 end", "End the turn and keep 200"),
        (turn("two", "happy happy star star"), "1 end", "End the turn and keep 300"),
        (turn("two", "happy happy star star"), "1 double", "Double or nothing for 300"),
        (turn(), "1 give-up", "Give up the turn"),
        (turn(), "1 vander", "A die left the table"),
    ],
)
def test_a_button_says_what_it_does(state: IntersectionState, text: str, title: str) -> None:
    action = Action.parse(text.replace("?", "traffic:?")) if "?" in text else Action.parse(spelled(text))
    assert GAME.offer_title(state, action) == title


@pytest.mark.parametrize(
    ("state", "told"),
    [
        (turn("star two two two two", signal="slow"), "Ann: roll a star with the slow or park scoring dice."),
        (turn("two", "four four four star", signal="slow", phase=MUST), "Ann, 450 parked: play on with the last die."),
        (
            turn("two two", "happy star star", phase=PARKED, below_300="records-0"),
            "Ann: end without points or play on?",
        ),
    ],
)
def test_the_table_is_told_what_it_waits_for(state: IntersectionState, told: str) -> None:
    assert GAME.tell(state) == told


# Boards


def parts_of(state: IntersectionState, seat: int) -> dict[str, BoardPart]:
    return {part.key: part for board in GAME.boards(state) if board.seat == seat for part in board.parts}


def test_the_boards_show_the_signal_the_parked_dice_and_the_road() -> None:
    state = turn("two", "four four four star", scores=(0, 300))
    middle = parts_of(state, 0)
    assert list(middle) == ["signal", "parked", "road"]
    signal = Lights("signal", "Signal", tuple(Light(*light) for light in SIGNAL_LIGHTS), look="upright")
    assert middle["signal"] == signal
    parked = tuple(Die.parse(f"traffic:{face}") for face in ("four", "four", "four", "star"))
    assert middle["parked"] == DicePlace("parked", "Parked", parked, room=5, verbs=("park", "double"))
    tokens = (Token(1, 0, 450), Token(2, 300))
    assert middle["road"] == Track("road", "The road to 5000", 5000, tokens, (300,), ("end",))


SIGNAL_LIGHTS = (("red", False, "stop"), ("yellow", False, "slow"), ("green", True, "go"))


def test_the_mark_of_the_come_in_is_gone_when_everybody_has_come_in() -> None:
    road = parts_of(turn("two", "four four four star", scores=(300, 300)), 0)["road"]
    assert isinstance(road, Track)
    assert road.marks == ()


def test_the_boards_of_the_players_hold_nothing_that_the_road_shows() -> None:
    state = turn("two", "four four four star", scores=(0, 300))
    assert GAME.boards(state)[1:] == (Board(1, "Ann"), Board(2, "Bob"))


def test_who_has_a_last_turn_to_come_is_shown() -> None:
    state = done(NEAR, "1 end")
    last = Lights("last-turn", "Last turn to come", (Light("yellow", is_lit=True),), look="titled")
    assert parts_of(state, 1) == {}
    assert parts_of(state, 2) == {"last-turn": last}


def test_while_lots_are_thrown_the_boards_show_what_fell() -> None:
    state = done(LOTS, "1 lot happy happy star two two")
    happy, others = Light("green", is_lit=True), Light("green", is_lit=False)
    ann = Lights("lot-1", "Ann", (*[happy] * 2, *[others] * 3), look="titled")
    bob = Lights("lot-2", "Bob", (others,) * 5, look="titled")
    assert (parts_of(state, 0)["lot-1"], parts_of(state, 0)["lot-2"]) == (ann, bob)
    assert list(parts_of(state, 0)) == ["lot-1", "lot-2", "road"]


def test_a_lone_player_sees_the_turns() -> None:
    state = replace(turn("two", scores=(0,)), players=turn("two").players[:1], turns=(3,))
    assert parts_of(state, 1)["turns"] == Tally("turns", "Turns", 3)


# What lies where


def test_the_dice_of_a_turn_lie_where_the_rules_have_them() -> None:
    assert GAME.lay(turn("two", "four four four star", signal="slow")) == lying(
        "two@field", "four@aside", "four@aside", "four@aside", "star@aside", "slow@signal"
    )


@pytest.mark.parametrize(
    ("state", "text", "old"),
    [
        (LOTS, "1 lot", ""),
        (BOTH, "1 fix ? ? =field", "happy@field sad@field"),
        (BOTH, "1 fix ? ? =parked", "happy@aside sad@field"),
        (turn("sad two two two two"), "1 go ? !", "sad@field go@signal"),
        (SLOW_STAR, "1 star ? ! =field", "star@field slow@signal"),
        (PARKED_STAR, "1 star ? ! =parked", "star@aside slow@signal"),
        (turn("three two", "star star star", phase=PARKED), "1 on ? ?", "three@field two@field"),
        (turn("two", "star star star happy", phase=DOUBLE), "1 roll ? !", "two@field go@signal"),
        (turn("two", "star star star happy", phase=PARKED), "1 end", ""),
        (turn("two", "star star star happy", phase=PARKED), "1 double", ""),
    ],
)
def test_the_dice_of_a_throw_lay_there_before(state: IntersectionState, text: str, old: str) -> None:
    words = [{"?": "traffic:?", "!": "signal:?"}.get(word, word) for word in text.split()]
    dice = tuple(Die.parse(word) for word in words[2:] if ":" in word)
    choice = next((word[1:] for word in words if word.startswith("=")), "")
    assert GAME.thrown(state, Action(1, words[1], dice, choice)) == lying(*old.split())


def test_an_opening_roll_takes_dice_from_anywhere() -> None:
    (roll, _) = GAME.legal(turn(phase=START, signal=""))
    old = GAME.thrown(turn(phase=START, signal=""), roll)
    assert sorted(map(str, old)) == ["signal:?@field", *["traffic:?@field"] * 5]
    assert all(each.zone is Zone.FIELD for each in old)


def test_what_the_game_is() -> None:
    assert (GAME.name, GAME.title, GAME.die_set, GAME.seats) == ("intersection", "Intersection", DICE.name, (1, 12))
    assert (GAME.by_hand, GAME.implied, GAME.lost) == ({"park"}, {"end"}, "vander")
    assert GAME.grave == {"give-up", "vander"}
    assert faces("two star") == ("star", "two")
