"""Games that stand open: they are listed, gone back to, and ended without being played on."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from models.die_sets import DieSetSource
from referee.game import Game
from referee.journal import MOST_OPEN, OpenGame
from referee.sentences import Reason, Refused, say
from vander.storage.data_folder import BrokenJournal
from vander.storage.journal_schema import KeptGame
from vander.table.held_throws import without_backlog
from vander.table.journal_writer import GameRecord
from vander.table.match import Match
from vander.table.ruling import recount
from vander.table.session_state import SessionState, Step, ThrowEnded, Unresolved

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class OpenScore:
    """What an open game came to by so many entries: its scores, () where it cannot be played on, and its last time."""

    entries: int
    scores: tuple[int, ...]
    played_at: datetime | None


@dataclass
class OpenScores:
    """What open games came to, kept until one has more entries, since each would else be replayed for each page.

    Threads share it: two of them may replay the same game, with the same outcome.
    """

    known: Mapping[int, OpenScore] = field(default_factory=dict)


def list_open(
    record: GameRecord,
    games: Sequence[Game],
    known: DieSetSource,
    now: Match | None = None,
    scores: OpenScores | None = None,
) -> tuple[OpenGame, ...]:
    """Return the games that stand open, the one that was on the table last first; `now` is the game on the table.

    What `scores` knows is not replayed; it knows the games that stand open afterwards. Raises BrokenJournal.
    """
    kept_scores = scores or OpenScores()
    titles = {game.name: game.title for game in games}
    on_table = now.kept.number if now else 0
    found: dict[int, OpenScore] = {}
    told = []
    for kept, entries in record.open_games_with_entries():
        before = kept_scores.known.get(kept.number)
        if now and kept.number == on_table:
            found[kept.number] = _score(now, len(now.entries))
        elif before and before.entries == entries:
            found[kept.number] = before
        else:
            found[kept.number] = _score(find_match(record, kept, games, known), entries)
        title = titles.get(kept.game, kept.game)
        told.append(_told(kept, title, found[kept.number], on_table=kept.number == on_table))
    kept_scores.known = found
    return tuple(told)


def find_match(record: GameRecord, kept: KeptGame, games: Sequence[Game], known: DieSetSource) -> Match | None:
    """Return an open game as it stands; None where the rules of today cannot play it again."""
    try:
        return record.open_match(kept, games, known)
    except BrokenJournal as error:
        log.warning("session: game %s cannot be gone on with: %s", kept.number, error)
        return None


def _score(match: Match | None, entries: int) -> OpenScore:
    if match is None:
        return OpenScore(entries, (), None)
    return OpenScore(entries, match.state.scores, match.entries[-1].at if match.entries else None)


def _told(kept: KeptGame, title: str, score: OpenScore, *, on_table: bool) -> OpenGame:
    when = (kept.started_at, score.played_at or kept.started_at)
    return OpenGame(kept.number, kept.game, title, kept.players, score.scores, *when, on_table)


def check_room(open_games: Sequence[KeptGame], *, leave_open: bool) -> None:
    """Refuse a further open game where as many stand open as may; one that ends with the start gives way."""
    if leave_open and len(open_games) >= MOST_OPEN:
        sentence = say("{count} games are still open. Finish one of them first.", count=len(open_games))
        raise Refused(sentence, Reason.CONFLICT)


def find_kept(open_games: Sequence[KeptGame], number: int) -> KeptGame:
    """Return the open game of that number. Raises Refused."""
    found = next((kept for kept in open_games if kept.number == number), None)
    if found is None:
        raise Refused(say("That game is over or never began."), Reason.NOT_FOUND)
    return found


def on_play_on(state: SessionState, match: Match) -> Step:
    """Return to an open game. Players lay out its dice again if the turn depends on their positions.

    What was asked about a throw when it was left is not asked any more: that throw is made again.
    """
    put_away = without_backlog(replace(state, unresolved=Unresolved(), waiting=None, unconfirmed=None))
    step = recount(Step(replace(put_away, match=match, unresolved=Unresolved(), resumed=False, returned=True)))
    return step.to(step.state, ThrowEnded())
