"""Rollers in words, as boards, as facts of `vander check --json`, and how it is played in one minute."""

from __future__ import annotations

from typing import Final, TypedDict

from referee.actions import Player
from referee.board import Board, BoardPart, DicePlace, Light, Lights, Section, Tally
from referee.dice import Die, FaceName, KindName
from referee.game import PlayStep
from referee.games.rollers.state import (
    ALL_SIX,
    BLACK,
    CHIPS,
    PURPLE,
    ROLLS,
    SETS,
    STAR,
    TARGET,
    VALUES,
    ZAP,
    RollersPhase,
    RollersSection,
    RollersState,
    outcome_of,
    take,
    takings,
)
from referee.games.rollers.verbs import SECTION_VERBS
from referee.sentences import say, say_count

# Rollers in words: what the table waits for, and what lies before the players


SECTIONS: Final = "sections"
CHIP_TALLY: Final = "chips"
POINTS: Final = "points"


def tell(state: RollersState) -> str:
    """Return one sentence: who is to do what."""
    if state.phase is RollersPhase.OVER:
        return say("{outcome}.", outcome=outcome_of(state))
    if state.phase is RollersPhase.LOTS:
        return say("{who}: throw one die for the first turn.", who=state.who)
    if state.phase is RollersPhase.APPLY:
        return _tell_apply(state)
    if not state.rolls:
        return say("{who}: roll all six dice.", who=state.who)
    return _tell_roll(state)


def _tell_roll(state: RollersState) -> str:
    if state.saved:
        dice = say_count("the last die", "the other {count} dice", len(state.to_roll))
        return say("{who}: roll {dice}, or stop?", who=state.who, dice=dice)
    if state.dead:
        return say("{who}: roll all six dice again, or stop?", who=state.who)
    return say("{who}: save dice and roll the rest, or stop?", who=state.who)


def _tell_apply(state: RollersState) -> str:
    if not any(offer for verb in SECTION_VERBS for offer in verb.offers(state, state.seat)):
        return say("{who} cannot use any dice and passes them on.", who=state.who)
    return say("{who}: fill a section or pass the dice?", who=state.who)


def boards(state: RollersState) -> tuple[Board, ...]:
    """Return each player's board with its five sections."""
    return tuple(_board(state, player) for player in state.players)


def _board(state: RollersState, player: Player) -> Board:
    seat = player.seat
    sections = Section(SECTIONS, say("Sections"), tuple(_section(state, seat, value) for value in VALUES))
    chips = Tally(CHIP_TALLY, say("Chips"), state.chips[seat - 1], look="chips")
    points = Tally(POINTS, say("Points"), state.scores[seat - 1], of=int(state.options[TARGET]), look="dots")
    turn = _turn(state) if seat == state.seat else ()
    return Board(seat, player.name, parts=(*turn, sections, chips, points), brief=(SECTIONS, CHIP_TALLY))


# The five sections


_MARKS: Final = {RollersSection.EMPTY: "", RollersSection.OPEN: "open", RollersSection.CLOSED: "done"}


def _section(state: RollersState, seat: int, value: int) -> DicePlace:
    stands = state.section(seat, value)
    needs, count = {
        RollersSection.EMPTY: (SETS[value - 1], value),
        RollersSection.OPEN: (say("one more {number}", number=value), 1),
        RollersSection.CLOSED: (say("collects {chips} a die", chips=value), 1),
    }[stands]
    return DicePlace(
        key=str(value),
        title=say("{number}s", number=value),
        dice=state.laid[seat - 1][value - 1],
        room=value + 1,
        points=_takes(state, seat, value) if stands is RollersSection.CLOSED else None,
        needs=needs,
        mark=_MARKS[stands],
        wanted=(Die(PURPLE, FaceName(f"pip-{value}")),) * count,
    )


def _takes(state: RollersState, seat: int, value: int) -> int:
    """Return what one die of a closed section takes in from the others as they stand."""
    return sum(takings(state, value, seat).values()) if state.chips[seat - 1] else 0


# The turn


def _turn(state: RollersState) -> tuple[BoardPart, ...]:
    """Return the rolls that are left, and the dice that are saved or are to be applied."""
    if state.phase is RollersPhase.APPLY:
        return (DicePlace("to-apply", say("To use"), state.good, room=len(ALL_SIX)),)
    if state.phase is not RollersPhase.ROLL:
        return ()
    lights = tuple(Light("green", roll >= state.rolls) for roll in range(ROLLS))
    title = say_count("{count} roll left", "{count} rolls left", ROLLS - state.rolls)
    return (Lights("rolls", title, lights), *_saved(state))


def _saved(state: RollersState) -> tuple[BoardPart, ...]:
    """Return the dice of the last roll that may be saved, and those that are; () before the first roll."""
    if not state.rolls:
        return ()
    saved = DicePlace("saved", say("Saved"), state.saved, room=len(ALL_SIX) - 1, verbs=("save",), takes_all=True)
    if state.dead:
        return DicePlace("rolled", say("Cancelled by the zap"), state.dead, mark="blocked"), saved
    return DicePlace("rolled", say("Rolled"), take(state.good, state.saved)), saved


# Rollers as `vander check --json` tells it. docs/record.md names every key, and none of them changes


class RollersFacts(TypedDict):
    """The boards and the chips, each in the order of the seats, and the dice of the turn.

    `starter` began the round, 0 until it is known. `boards` holds for each seat the sections 1 to 5: empty, open or
    closed. `good` dice may be saved and applied; `saved` are those of them that the next roll leaves lying.
    """

    phase: str
    round: int
    starter: int
    rolls: int
    good: list[str]
    saved: list[str]
    used: list[str]
    boards: list[list[str]]
    chips: list[int]


def facts(state: RollersState) -> RollersFacts:
    """Return what everybody at the table can see."""
    return RollersFacts(
        phase=state.phase.value,
        round=state.round,
        starter=state.starter,
        rolls=state.rolls,
        good=list(map(str, state.good)),
        saved=list(map(str, state.saved)),
        used=list(map(str, state.used)),
        boards=[[section.value for section in board] for board in state.sections],
        chips=list(state.chips),
    )


# How Rollers is played, in one minute


def _dice(*faces: int, kind: KindName = PURPLE) -> tuple[Die, ...]:
    return tuple(Die(kind, FaceName(f"pip-{face}")) for face in faces)


_STAR: Final = Die(PURPLE, STAR)

STEPS: Final = (
    PlayStep(
        say("Roll all six dice, up to three times. Save those that you want to keep."),
        (
            DicePlace("", say("Saved"), _dice(3, 3)),
            DicePlace("", say("Roll again"), (*_dice(1, 4), _STAR, *_dice(2, kind=BLACK))),
        ),
    ),
    PlayStep(
        say("A zap cancels its roll: only dice saved before stay."),
        (DicePlace("", say("Cancelled"), (Die(BLACK, ZAP), *_dice(1, 4, 5))), DicePlace("", say("Saved"), _dice(3, 3))),
    ),
    PlayStep(
        say("Three 3s open the 3s, four 4s the 4s. A star counts as any number."),
        (DicePlace("", say("{number}s", number=3), (*_dice(3, 3), _STAR), mark="open"),),
    ),
    PlayStep(
        say("Close it with one more die of its number."),
        (DicePlace("", say("{number}s", number=3), (*_dice(3, 3), _STAR, *_dice(3)), mark="done"),),
    ),
    PlayStep(
        say("Each die more brings its number in chips from all who have not closed theirs."),
        (DicePlace("", say("{number}s", number=3), _dice(3), mark="done"), Tally("", say("Chips"), CHIPS, at_risk=6)),
    ),
    PlayStep(
        say("All five closed: two points, and one for the most chips. Five points win."),
        tuple(DicePlace("", say("{number}s", number=number), _dice(number), mark="done") for number in (1, 2, 3, 4, 5)),
    ),
)
