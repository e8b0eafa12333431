"""Dice that people laid: how a turn goes on after a breach, with the dice as they lie."""

from __future__ import annotations

import pytest
from at_the_table import GAME, entry, faces, new_game, turn, verbs

from referee.actions import DiePosition
from referee.calls import Refusal
from referee.dice import Zone
from referee.games.intersection import IntersectionPhase as Phase
from referee.games.intersection import IntersectionState
from referee.games.intersection.state import lay
from referee.games.intersection.turns import relaid
from referee.journal import Deed, Entry, laid_text, replay
from referee.judge import go_on

PARKED, MUST, DOUBLE, START = Phase.PARKED, Phase.MUST_PLAY_ON, Phase.DOUBLE, Phase.START


def lying(field: str, aside: str = "", signal: str = "go@signal", elsewhere: str = "") -> tuple[DiePosition, ...]:
    """The dice of the field, those in the bay, the signal, and further ones in full: `happy` or `happy@out`."""
    traffic = [*(f"{face}@field" for face in field.split()), *(f"{face}@aside" for face in aside.split())]
    texts = [f"traffic:{text}" for text in (*traffic, *elsewhere.split())]
    return tuple(DiePosition.parse(text) for text in (*texts, *(f"signal:{signal}".split() if signal else ())))


def laid(state: IntersectionState, *dice: DiePosition) -> IntersectionState:
    outcome = relaid(state, dice)
    assert outcome
    return outcome[0]


def test_dice_lying_otherwise_stand_as_if_they_had_just_been_rolled() -> None:
    state = laid(turn("two two", "happy star star", phase=PARKED), *lying("happy sad", "star star star"))
    assert (state.phase, state.field, state.parked) == (Phase.RESOLVE, ("happy", "sad"), ("star",) * 3)
    assert verbs(state) == {"fix=field", "give-up", "vander"}
    assert [str(die) for die in state.dice_awaited] == ["traffic:?"] * 2
    assert (state.to_act, state.turns, state.scores) == ((1,), (0, 0), (0, 0))


@pytest.mark.parametrize("phase", [PARKED, MUST, DOUBLE])
def test_a_player_who_had_parked_may_do_what_could_be_done_when_the_others_are_untouched(phase: Phase) -> None:
    signal = "slow" if phase is MUST else "go"
    state = turn("two", "four four four star", phase=phase, signal=signal)
    after = laid(state, *lying("two", "four four four happy", f"{signal}@signal"))
    assert (after.phase, after.parked, after.field) == (phase, faces("four four four happy"), ("two",))
    assert verbs(after) == verbs(state)


@pytest.mark.parametrize(
    ("field", "aside", "signal"), [("two star", "four four four", "go"), ("two", "four four four star", "slow")]
)
def test_a_die_taken_back_or_a_signal_turned_asks_for_parking_anew(field: str, aside: str, signal: str) -> None:
    state = turn("two", "four four four star", phase=PARKED)
    assert laid(state, *lying(field, aside, f"{signal}@signal")).phase is Phase.RESOLVE


def test_after_a_wrong_opening_roll_the_dice_may_count_as_it() -> None:
    state = laid(turn(phase=START, signal=""), *lying("two two star sad happy", signal="slow@field"))
    assert (state.phase, state.signal, len(state.field), state.parked) == (Phase.RESOLVE, "slow", 5, ())


@pytest.mark.parametrize(
    ("field", "aside", "signal"),
    [
        ("two two star sad happy", "", "stop"),
        ("two two three three four", "", "go"),
        ("", "star star star star star", "stop"),
    ],
)
def test_a_stop_or_nothing_left_to_do_ends_the_turn(field: str, aside: str, signal: str) -> None:
    state = laid(turn("star star star star two"), *lying(field, aside, f"{signal}@signal"))
    assert (state.phase, state.to_act, state.turns, state.scores) == (START, (2,), (1, 0), (0, 0))
    assert (state.field, state.parked, state.signal) == ((), (), "")
    assert len(state.dice_awaited) == 6


@pytest.mark.parametrize(
    ("dice", "said"),
    [
        (lying("two two star sad happy", signal="stop@signal"), ("Stop: Ann's turn ends without points.", "I.2-3")),
        (
            lying("two two three three four"),
            ("Ann cannot roll or park anything. The turn ends without points.", "I.2-16"),
        ),
        (
            lying("", "star star star star star"),
            ("Ann has no dice left and fewer than 300 points. The turn ends without points.", "I.2-18"),
        ),
    ],
)
def test_what_dice_laid_by_hand_lead_to_is_said(dice: tuple[DiePosition, ...], said: tuple[str, str]) -> None:
    outcome = go_on(GAME, turn("star star star star two"), dice)
    assert not isinstance(outcome, Refusal)
    assert [(call.sentence, call.rule) for call in outcome[1]] == [
        ("The game goes on with the dice as they lie.", "I.2-12"),
        said,
    ]


def test_all_five_in_the_bay_are_parked() -> None:
    state = laid(turn("star star", "four four four"), *lying("", "four four four star star"))
    assert (state.phase, state.field, verbs(state)) == (PARKED, (), {"end", "give-up", "vander"})
    slow = laid(turn("star star", "four four four"), *lying("", "four four four star star", "slow@signal"))
    assert (slow.phase, verbs(slow)) == (Phase.RESOLVE, {"star=parked", "give-up", "vander"})
    poor = laid(turn("star star two two two"), *lying("", "star star star star star"))
    assert (poor.phase, poor.to_act) == (START, (2,))


@pytest.mark.parametrize(
    "dice",
    [
        lying("two two star sad"),
        lying("two two star sad happy happy"),
        lying("two two star sad happy", signal=""),
        (*lying("two two star sad happy"), DiePosition.parse("signal:go@field")),
        lying("two two star", "sad happy"),
        lying("star happy happy", "two two"),
        lying("two two star sad", elsewhere="happy@out"),
        lying("two two star sad happy", signal="go@out"),
        lying("two two star sad", elsewhere="?@field"),
        lying("two two star sad happy", signal="?@signal"),
        (),
    ],
)
def test_dice_that_can_be_no_turn_are_given_no_meaning(dice: tuple[DiePosition, ...]) -> None:
    assert relaid(turn("two two star sad happy"), dice) is None


@pytest.mark.parametrize("phase", [Phase.SETUP, Phase.TIE_ROLL, Phase.GAME_OVER])
def test_between_turns_no_dice_are_laid(phase: Phase) -> None:
    assert relaid(turn(phase=phase, signal=""), lying("two two star sad happy")) is None


def test_dice_on_the_signals_spot_are_off_the_field() -> None:
    state = laid(turn("star two two two two"), *lying("two two two two", elsewhere="star@signal"))
    assert (state.field, state.parked) == (("two",) * 4, ("star",))


def test_where_a_tray_has_no_bay_dice_stay_parked_by_what_they_show() -> None:
    state = turn("two happy", "star star happy", phase=PARKED)
    nowhere = laid(state, *lying("", elsewhere="two star happy star star"))
    assert (nowhere.field, nowhere.parked) == (("star", "two"), ("happy", "star", "star"))
    some = laid(state, *lying("two", "star", elsewhere="star star happy"))
    assert (some.field, some.parked) == (("star", "two"), ("happy", "star", "star"))


def test_the_dice_as_the_rules_have_them_change_nothing() -> None:
    for state in (
        turn("two two star sad happy"),
        turn("two", "four four four star", phase=PARKED),
        turn("two", "four four four star", phase=DOUBLE),
        turn("two", "four four four star", phase=MUST, signal="slow"),
    ):
        after = laid(state, *lay(state))
        assert (after.phase, after.field, after.parked, after.signal) == (
            state.phase,
            state.field,
            state.parked,
            state.signal,
        )


def test_a_journal_goes_on_with_them() -> None:
    start = new_game("Ann")
    first = laid(start, *lying("two two star sad happy"))
    note = laid_text(lay(first))
    assert note == (
        "signal:go@signal traffic:happy@field traffic:sad@field traffic:star@field traffic:two@field traffic:two@field"
    )
    line = entry(1, deed=Deed.LAID)
    journal = [Entry(line.number, line.at, line.source, line.deed, note=note)]
    assert replay(GAME, start, journal).state == first
    assert all(each.zone in (Zone.FIELD, Zone.SIGNAL) for each in lay(first))
