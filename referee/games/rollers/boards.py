"""Rollers in words: what the table waits for, and what lies before the players."""

from __future__ import annotations

from typing import Final

from referee.board import Board, BoardPart, DicePlace, Light, Lights, Section, Tally
from referee.dice import Die, FaceName
from referee.game import Player
from referee.games.rollers.applying import SECTION_VERBS
from referee.games.rollers.scoring import outcome_of
from referee.games.rollers.state import (
    ALL_SIX,
    PURPLE,
    ROLLS,
    SETS,
    TARGET,
    VALUES,
    RollersPhase,
    RollersSection,
    RollersState,
    spell,
    take,
    takings,
)
from referee.phrases import counted

SECTIONS: Final = "sections"
CHIP_TALLY: Final = "chips"
POINTS: Final = "points"


def tell(state: RollersState) -> str:
    """Return one sentence: who is to do what."""
    if state.phase is RollersPhase.OVER:
        return f"{outcome_of(state)}."
    if state.phase is RollersPhase.LOTS:
        return f"{state.who} throws one die for the first turn."
    if state.phase is RollersPhase.APPLY:
        return _tell_apply(state)
    if not state.rolls:
        return f"{state.who} rolls all six dice."
    kept = f" keeps {spell(state.saved)} and" if state.saved else ""
    return f"{state.who}{kept} rolls {_rest(state)}, or stops; {counted(ROLLS - state.rolls, 'roll')} left."


def _rest(state: RollersState) -> str:
    if state.saved:
        return "the last die" if len(state.to_roll) == 1 else f"the other {len(state.to_roll)} dice"
    return "all six dice again" if state.dead else "the dice that are not to be saved"


def _tell_apply(state: RollersState) -> str:
    if not any(offer for verb in SECTION_VERBS for offer in verb.offers(state, state.seat)):
        return f"{state.who} has nothing to apply and passes the dice."
    return f"{state.who} applies {spell(state.good)}, then passes the dice."


def boards(state: RollersState) -> tuple[Board, ...]:
    """Return the round in the middle, and each player's board with its five sections."""
    return (Board(0, f"Round {state.round}", _facts(state)), *(_board(state, player) for player in state.players))


def _facts(state: RollersState) -> tuple[tuple[str, str], ...]:
    between = state.phase in (RollersPhase.LOTS, RollersPhase.OVER)
    return () if between else (("Started by", state.name(state.starter)),)


def _board(state: RollersState, player: Player) -> Board:
    seat = player.seat
    sections = Section(SECTIONS, "Sections", tuple(_section(state, seat, value) for value in VALUES))
    chips = Tally(CHIP_TALLY, "Chips", state.chips[seat - 1], look="chips")
    points = Tally(POINTS, "Points", state.scores[seat - 1], of=int(state.options[TARGET]), look="dots")
    turn = _turn(state) if seat == state.seat else ()
    return Board(seat, player.name, parts=(*turn, sections, chips, points), brief=(SECTIONS, CHIP_TALLY))


# The five sections


_MARKS: Final = {RollersSection.EMPTY: "", RollersSection.OPEN: "open", RollersSection.CLOSED: "done"}


def _section(state: RollersState, seat: int, value: int) -> DicePlace:
    stands = state.section(seat, value)
    needs, count = {
        RollersSection.EMPTY: (SETS[value - 1], value),
        RollersSection.OPEN: (f"one more {value}", 1),
        RollersSection.CLOSED: (f"collects {value} a die", 1),
    }[stands]
    return DicePlace(
        key=str(value),
        title=f"{value}s",
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
        return (DicePlace("to-apply", "To apply", state.good, room=len(ALL_SIX)),)
    if state.phase is not RollersPhase.ROLL:
        return ()
    left = tuple(Light("green", roll >= state.rolls) for roll in range(ROLLS))
    rolls = Lights("rolls", f"{counted(ROLLS - state.rolls, 'roll')} left", left)
    return (rolls, *_saved(state))


def _saved(state: RollersState) -> tuple[BoardPart, ...]:
    """Return the dice of the last roll that may be saved, and those that are; () before the first roll."""
    if not state.rolls:
        return ()
    saved = DicePlace("saved", "Saved", state.saved, room=len(ALL_SIX) - 1, verbs=("save",), takes_all=True)
    if state.dead:
        return DicePlace("rolled", "Cancelled by the zap", state.dead, mark="blocked"), saved
    return DicePlace("rolled", "Rolled", take(state.good, state.saved)), saved
