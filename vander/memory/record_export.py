"""Write the journal's games as game records: one, or all of them in one archive."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping, Sequence

from models import die_sets
from models.die_sets import DieSetSource
from referee.fair_play import fair_play, told
from referee.game import Game
from referee.games import named
from referee.journal import Entry
from referee.journal_record import JournalLines, journal_lines
from referee.record_claims import claims_of_the_game
from referee.record_format import BadRecord, Claim, Record, RecordedEntry, write_record
from referee.record_parser import parse_record
from vander.session.match import Match
from vander.storage.journal_store import Journal
from vander.storage.stored_game import KeptGame


class NoSuchJournalGame(LookupError):
    """The journal holds no game of that number."""

    def __str__(self) -> str:
        return str(self.args[0])


def export_game(
    journal: Journal, games: Sequence[Game], number: int | None = None, known: DieSetSource = die_sets
) -> str:
    """Return a journal's game as a record, by default the latest.

    Raises NoSuchJournalGame, BadRecord and BrokenJournal.
    """
    kept = find_journal_game(journal, number)
    return record_of(kept, journal.entries(kept.number), games, known)


def record_of(kept: KeptGame, entries: Sequence[Entry], games: Sequence[Game], known: DieSetSource) -> str:
    """Return a game with its entries as a record. Raises BadRecord."""
    said = journal_lines(entries)
    lines: tuple[RecordedEntry | Claim, ...] = (*said.entries, *_claims(kept, entries, games, known))
    heading = (kept.game, kept.players, kept.options, kept.die_set, kept.started_at, kept.ended_at)
    record = Record(*heading, lines, comments=_comments(said, entries, len(lines)))
    text = write_record(record)
    if parse_record(text) != record:
        raise BadRecord(1, f"the journal's game {kept.number} holds what a record has no words for")
    return text


def _comments(said: JournalLines, entries: Sequence[Entry], end: int) -> Mapping[int, tuple[str, ...]]:
    """Return the comments of a record, the fair-play report after its last line."""
    return {**said.comments, end: (*said.comments.get(end, ()), *told(fair_play(entries)))}


def find_journal_game(journal: Journal, number: int | None) -> KeptGame:
    """Return the game of that number, by default the latest. Raises NoSuchJournalGame."""
    games = journal.games()
    if number is None and games:
        return games[-1]
    found = next((kept for kept in games if kept.number == number), None)
    if found is None:
        there = ", ".join(str(kept.number) for kept in games[-20:]) or "no games yet"
        raise NoSuchJournalGame(f"the journal has no game {number or ''}".rstrip() + f"; it has {there}")
    return found


def _claims(kept: KeptGame, entries: Sequence[Entry], games: Sequence[Game], known: DieSetSource) -> tuple[Claim, ...]:
    """Return the claims that end the record, scores and winner last; none where the rules cannot replay the game."""
    try:
        match = Match.of(kept, _find_game(kept.game, games), known.load(kept.die_set), entries)
    except (LookupError, ValueError):
        return ()
    scores, winner = Claim("scores", match.state.scores), Claim("winner", match.state.winner)
    return tuple(claim for claim in (*claims_of_the_game(match.game, match.state), scores, winner) if claim.numbers)


def _find_game(name: str, games: Sequence[Game]) -> Game:
    return next((game for game in games if game.name == name), None) or named(name)


def records_archive(journal: Journal, games: Sequence[Game], known: DieSetSource = die_sets) -> Iterator[bytes]:
    """Yield the pieces of a zip with the record of each ended game, `game-12-toss-up.txt`.

    Of a game that a record has no words for, the archive says so in a file of its own. Raises BrokenJournal.
    """
    pieces = ZipPieces()
    with zipfile.ZipFile(pieces, "w", zipfile.ZIP_DEFLATED) as packed:
        for kept in journal.games():
            if kept.ended_at is not None:
                name = f"game-{kept.number}-{kept.game}"
                try:
                    packed.writestr(f"{name}.txt", record_of(kept, journal.entries(kept.number), games, known))
                except BadRecord as error:
                    packed.writestr(f"{name}.not-written.txt", f"{error}\n")
                yield pieces.take()
    yield pieces.take()


class ZipPieces:
    """A stream that is written to, and of which what was written is taken away; a zip needs no more of it."""

    def __init__(self) -> None:
        self._written = bytearray()

    def write(self, some: bytes, /) -> int:
        """Keep some bytes until they are taken."""
        self._written += some
        return len(some)

    def flush(self) -> None:
        """Do nothing: all is there at once."""

    def close(self) -> None:
        """Do nothing: what was written can still be taken."""

    def take(self) -> bytes:
        """Return what was written since the last time."""
        taken, self._written = bytes(self._written), bytearray()
        return taken
