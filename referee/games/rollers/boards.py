"""Rollers in words: what the table waits for, and what lies before the players."""

from __future__ import annotations

from typing import Final

from referee.board import Board, BoardRow
from referee.game import Player
from referee.games.rollers.applying import SECTION_VERBS
from referee.games.rollers.scoring import outcome_of
from referee.games.rollers.state import ROLLS, SETS, VALUES, RollersPhase, RollersSection, RollersState, spell
from referee.phrases import counted


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
    return (Board(0, "The round", _facts(state)), *(_board(state, player) for player in state.players))


def _facts(state: RollersState) -> tuple[tuple[str, str], ...]:
    if state.phase in (RollersPhase.LOTS, RollersPhase.OVER):
        return ()
    kept = [("Saved", state.saved)] if state.phase is RollersPhase.ROLL else [("To apply", state.good)]
    dice = tuple((name, spell(dice)) for name, dice in kept if dice)
    return (("Round", str(state.round)), ("Roll", f"{state.rolls} of {ROLLS}"), *dice)


def _board(state: RollersState, player: Player) -> Board:
    place = player.seat - 1
    facts = (("Chips", str(state.chips[place])), ("Points", str(state.scores[place])))
    rows = tuple(_row(value, state.section(player.seat, value)) for value in VALUES)
    return Board(player.seat, player.name, facts, ("Section", "Needs", "State"), rows)


_MARKS: Final = {RollersSection.EMPTY: "", RollersSection.OPEN: "open", RollersSection.CLOSED: "done"}


def _row(value: int, section: RollersSection) -> BoardRow:
    needs = {
        RollersSection.EMPTY: SETS[value - 1],
        RollersSection.OPEN: f"one more {value}",
        RollersSection.CLOSED: f"collects {value} a die",
    }
    return BoardRow(str(value), (f"{value}s", needs[section], section.value), _MARKS[section])
