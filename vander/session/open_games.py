"""Games that stand open: they are listed, gone back to, and ended without being played on."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

from models.die_sets import DieSetSource
from referee.game import Game
from referee.open_game import MOST_OPEN, OpenGame
from referee.refused import Reason, Refused
from referee.sentences import say
from vander.session.backlog import without_backlog
from vander.session.journal_writer import GameRecord
from vander.session.match import Match
from vander.session.ruling_decisions import recount
from vander.session.session_state import SessionState, Step, ThrowEnded, Unresolved
from vander.storage.storage_errors import BrokenJournal
from vander.storage.stored_game import KeptGame

log = logging.getLogger(__name__)


def list_open(
    record: GameRecord, games: Sequence[Game], known: DieSetSource, now: Match | None = None
) -> tuple[OpenGame, ...]:
    """Return the games that stand open, the one that was on the table last first; `now` is the game on the table."""
    titles = {game.name: game.title for game in games}
    on_table = now.kept.number if now else 0
    return tuple(
        _told(
            kept,
            titles.get(kept.game, kept.game),
            now if kept.number == on_table else find_match(record, kept, games, known),
            on_table=kept.number == on_table,
        )
        for kept in record.open_games()
    )


def find_match(record: GameRecord, kept: KeptGame, games: Sequence[Game], known: DieSetSource) -> Match | None:
    """Return an open game as it stands; None where the rules of today cannot play it again."""
    try:
        return record.open_match(kept, games, known)
    except BrokenJournal as error:
        log.warning("session: game %s cannot be gone on with: %s", kept.number, error)
        return None


def _told(kept: KeptGame, title: str, match: Match | None, *, on_table: bool) -> OpenGame:
    """Return what is told of an open game; `match` is None where it cannot be played on."""
    scores = match.state.scores if match else ()
    played_at = match.entries[-1].at if match and match.entries else kept.started_at
    return OpenGame(kept.number, kept.game, title, kept.players, scores, kept.started_at, played_at, on_table)


def check_room(open_games: Sequence[KeptGame], *, leave_open: bool) -> None:
    """Refuse a further open game where as many stand open as may; one that ends with the start gives way."""
    if leave_open and len(open_games) >= MOST_OPEN:
        sentence = say(
            "{count} games stand open: play one of them to its end, or end it, first.", count=len(open_games)
        )
        raise Refused(sentence, Reason.CONFLICT)


def find_kept(open_games: Sequence[KeptGame], number: int) -> KeptGame:
    """Return the open game of that number. Raises Refused."""
    found = next((kept for kept in open_games if kept.number == number), None)
    if found is None:
        raise Refused(say("That game is over, or was never begun."), Reason.NOT_FOUND)
    return found


def on_play_on(state: SessionState, match: Match) -> Step:
    """Go back to an open game: where dice of its turn lie matters, they are to be laid as they lay.

    What was asked about a throw when it was left is not asked any more: that throw is made again.
    """
    put_away = without_backlog(replace(state, unresolved=Unresolved(), waiting=None, unconfirmed=None))
    step = recount(Step(replace(put_away, match=match, unresolved=Unresolved(), resumed=False, returned=True)))
    return step.to(step.state, ThrowEnded())
