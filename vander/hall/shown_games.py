"""What the pages of a hall show of a game, from where it stands. Pure."""

from __future__ import annotations

from referee.dice import Die
from referee.game import Game
from referee.game_state import GameState
from referee.past_steps import PastStep
from referee.snapshot import Snapshot
from vander.hall.game_replays import GameReplay
from web.schemas.hall_table_values import ShownGame, ShownSeat

UNSCORED = "dice"
"""The game of plain dice, which are only counted."""
MOST_RULINGS = 12


def shown_game(number: int, replayed: GameReplay, *, ended: bool, refused: str = "") -> ShownGame:
    """Return a game in short; `ended` is True if its table says that it is over or was left."""
    game, state = replayed.game, replayed.state
    calls = replayed.reader.calls
    is_over = ended or not state.to_act
    ruling = calls[-1].sentence if calls else ""
    return ShownGame(number, game.name, game.title, _seats(game, state, is_over), ruling, is_over, refused)


def _seats(game: Game, state: GameState, is_over: bool) -> tuple[ShownSeat, ...]:
    scores = dict(enumerate(state.scores, start=1)) if game.name != UNSCORED else {}
    return tuple(
        ShownSeat(
            player.seat,
            player.name,
            scores.get(player.seat),
            acts=player.seat in state.to_act and not is_over,
            won=player.seat in state.winner,
        )
        for player in state.players
    )


def last_rulings(replayed: GameReplay) -> tuple[PastStep, ...]:
    """Return the last rulings that stand, the newest first; the scores are those after each."""
    standing = replayed.reader.replay().standing[-MOST_RULINGS:]
    return tuple(
        PastStep(entry.number, entry.at, ruling.action.player, ruling.calls, True, ruling.state.scores, "")
        for entry, ruling in reversed(standing)
    )


def last_dice(replayed: GameReplay) -> tuple[Die, ...]:
    """Return the dice of the last standing action that names any: those of the last throw, or that were moved."""
    standing = reversed(replayed.reader.replay().standing)
    return next((ruling.action.dice for _, ruling in standing if ruling.action.dice), ())


def game_snapshot(number: int, game: int, replayed: GameReplay, waits_for: str = "") -> Snapshot:
    """Return a game as a table's page shows it, without what only the table knows: offers, pictures, questions.

    `waits_for` is what the table says that it waits for, '' for what the game's state says.
    """
    state, found = replayed.state, replayed.reader.replay()
    return Snapshot(
        number,
        replayed.game,
        state,
        calls=found.calls,
        called=found.last,
        notice=waits_for or replayed.game.tell(state),
        notice_is_prompt=not waits_for,
        boards=replayed.game.boards(state),
        turn_points=replayed.game.turn_points(state),
        step=f"{game}.{found.last}",
    )
