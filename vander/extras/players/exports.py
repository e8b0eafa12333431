"""Past games as files: game records, plays as CSV, JSON or for BG Stats, and one player's results."""

from __future__ import annotations

import csv
import json
import re
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from io import StringIO
from urllib.parse import quote

from models import die_sets
from models.die_sets import DieSetSource
from referee.fair_play import fair_play, told
from referee.game import Game, options_of_its_day
from referee.games import named
from referee.journal import Entry
from referee.known_players import KnownPlayer
from referee.past_result import GameSum, PastGame, PastSeat
from referee.record_check import claims_of_the_game
from referee.record_parser import (
    BadRecord,
    Claim,
    JournalLines,
    Record,
    RecordedEntry,
    journal_lines,
    parse_record,
    write_record,
)
from vander.storage.journal_schema import KeptGame
from vander.storage.journal_store import Journal
from vander.table.match import Match

# All plays as CSV and as JSON, and one of them as a link that opens BG Stats
#
# The link has the form that BG Stats documents under "Push plays to BG Stats from other apps or websites"
# (https://www.bgstatsapp.com/support/push-plays-to-bg-stats-from-other-apps-or-websites/). The form with the scheme
# `bgstats:` is used: it opens the app on the device, and no server sees the names.


COLUMNS = (
    "number",
    "game",
    "started_at",
    "ended_at",
    "clock_doubted",
    "finished",
    "seat",
    "player",
    "score",
    "won",
    "turns",
    "throws",
    "best_turn",
)
"""The columns of the CSV: a row for each seat of each game."""
BG_STATS = "bgstats://app.bgstatsapp.com/createPlay.html?data="
SOURCE = "Vander"
"""The name by which BG Stats remembers what it matched: it never changes."""
CLOCK_DOUBTED = "The clock may have been wrong."
"""The comment of a record whose times nobody is sure of."""
_FORMULA = re.compile(r"""(?:^|(?<=[;,|\t\r\n]))(?=[ \xa0"]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])""")
"""Where a formula begins in a cell, also in quotes, or in the wide signs of East Asia, whatever separates cells."""


def plays_csv(games: Iterable[PastGame]) -> Iterator[str]:
    """Yield a row for each seat of each game; empty where a game is not counted.

    A name that a spreadsheet would take for a formula gets an apostrophe in front.
    """
    text = StringIO()
    rows = csv.DictWriter(text, COLUMNS, lineterminator="\r\n", extrasaction="ignore")
    rows.writeheader()
    for game in games:
        for seat in game.seats:
            rows.writerow({**_figures(seat), **_heading(game), "seat": seat.seat, "player": plain_cell(seat.name)})
        yield text.getvalue()
        text.seek(0)
        text.truncate()
    yield text.getvalue()


def plain_cell(name: str) -> str:
    """Return a name for a cell of a CSV; what a spreadsheet would take for a formula in it gets an apostrophe."""
    return _FORMULA.sub("'", name)


def plays_json(games: Iterable[PastGame]) -> Iterator[str]:
    """Yield all games with their seats, as the pieces of one JSON object."""
    yield '{"what": "vander plays", "format": 1, "plays": ['
    before = "\n"
    for game in games:
        play = {**_heading(game), "seats": [_seat(seat) for seat in game.seats]}
        yield before + json.dumps(play, ensure_ascii=False, indent=1)
        before = ",\n"
    yield "]}\n"


def bg_stats_link(game: PastGame, title: str) -> str:
    """Return the link that opens BG Stats with this play; `title` is the game's name for people.

    The time is in UTC. Each player has all that the app asks for: on Android it refuses one without `startPlayer`.
    """
    play = {
        "sourceName": SOURCE,
        "sourcePlayId": f"vander-{game.number}-{game.started_at:%Y%m%d%H%M%S}",
        "playDate": f"{game.started_at:%Y-%m-%d %H:%M:%S}",
        **_duration(game),
        "game": {"name": title, "sourceGameId": game.game, "highestWins": True, "noPoints": not _has_points(game)},
        "players": [_bg_stats_player(seat) for seat in game.seats],
    }
    return BG_STATS + quote(json.dumps(play, ensure_ascii=False), safe="")


def _duration(game: PastGame) -> Mapping[str, int]:
    """Return how long a game took; nothing where the clock may have been wrong."""
    return {} if game.clock_doubted else {"durationMin": round((game.ended_at - game.started_at).total_seconds() / 60)}


def _bg_stats_player(seat: PastSeat) -> Mapping[str, object]:
    score = {"score": seat.result.score} if seat.result else {}
    won = bool(seat.result and seat.result.won)
    number = str(seat.player or f"seat-{seat.seat}")
    return {"name": seat.name, "sourcePlayerId": number, "startPlayer": False, "winner": won, **score}


def _has_points(game: PastGame) -> bool:
    return any(seat.result for seat in game.seats)


def _heading(game: PastGame) -> dict[str, object]:
    return {
        "number": game.number,
        "game": game.game,
        "started_at": game.started_at.isoformat(),
        "ended_at": game.ended_at.isoformat(),
        "clock_doubted": game.clock_doubted,
        "finished": all(seat.result and seat.result.finished for seat in game.seats),
    }


def _figures(seat: PastSeat) -> dict[str, object]:
    return asdict(seat.result) if seat.result else {}


def _seat(seat: PastSeat) -> dict[str, object]:
    return {"seat": seat.seat, "player": seat.name, "result": _figures(seat) or None}


# Write the journal's games as game records: one, or all of them in one archive


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
    options = _options_of(kept, games)
    heading = (kept.game, kept.players, options, kept.die_set, kept.started_at, kept.ended_at)
    record = Record(*heading, lines, comments=_comments(kept, said, entries, len(lines)))
    text = write_record(record)
    if parse_record(text) != record:
        raise BadRecord(1, f"the journal's game {kept.number} holds what a record has no words for")
    return text


def _options_of(kept: KeptGame, games: Sequence[Game]) -> Mapping[str, str]:
    """Return the options kept of a game, and those of its day that are no default today: a record means the default."""
    try:
        known = named(kept.game, games).options
    except LookupError:
        return kept.options
    newer = {option.name: option.default for option in known if option.before}
    return {name: value for name, value in options_of_its_day(known, kept.options).items() if newer.get(name) != value}


def _comments(kept: KeptGame, said: JournalLines, entries: Sequence[Entry], end: int) -> Mapping[int, tuple[str, ...]]:
    """Return the comments of a record: first whether its times are sure, after its last line the fair-play report."""
    told_of: dict[int, tuple[str, ...]] = defaultdict(tuple, said.comments)
    told_of[0] = (*([CLOCK_DOUBTED] if kept.clock_doubted else []), *told_of[0])
    told_of[end] += told(fair_play(entries))
    return told_of


def find_journal_game(journal: Journal, number: int | None) -> KeptGame:
    """Return the game of that number, by default the latest. Raises NoSuchJournalGame."""
    games = journal.games()
    if number is None and games:
        return games[-1]
    found = next((kept for kept in games if kept.number == number), None)
    if found is None:
        wanted = "" if number is None else f" {number}"
        there = ", ".join(str(kept.number) for kept in games[-20:]) or "no games yet"
        raise NoSuchJournalGame(f"the journal has no game{wanted}; it has {there}")
    return found


def _claims(kept: KeptGame, entries: Sequence[Entry], games: Sequence[Game], known: DieSetSource) -> tuple[Claim, ...]:
    """Return the claims that end the record, scores and winner last; none where the rules cannot replay the game."""
    try:
        match = Match.of(kept, named(kept.game, games), known.load(kept.die_set), entries)
    except (LookupError, ValueError):
        return ()
    scores, winner = Claim("scores", match.state.scores), Claim("winner", match.state.winner)
    return tuple(claim for claim in (*claims_of_the_game(match.game, match.state), scores, winner) if claim.numbers)


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


# One player's results as a JSON or a CSV file, to take along. Other players are counted in it, and not named


FORMAT = 1
"""The version of the file's form."""
RESULT_COLUMNS = (
    "game",
    "started_at",
    "ended_at",
    "clock_doubted",
    "players",
    "finished",
    "won",
    "score",
    "turns",
    "throws",
    "best_turn",
)
"""The columns of the CSV: a row for each game."""
_NOT_THEIRS = frozenset({"best_score_in", "best_turn_in", "best_turn_entry"})


def results_file(player: KnownPlayer, sums: Sequence[GameSum], games: Sequence[PastGame]) -> str:
    """Return a player's results: the figures game by game, and each ended game, the newest first."""
    content = {
        "what": "vander results",
        "format": FORMAT,
        "player": {"name": player.name, "colour": player.colour, "picture": player.picture},
        "statistics": [_statistics(each) for each in sums],
        "games": [_game(game, player.number) for game in games],
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def results_csv(games: Sequence[PastGame], player: int) -> str:
    """Return a row for each ended game of a player, the newest first; empty where a game is not counted."""
    text = StringIO()
    rows = csv.DictWriter(text, RESULT_COLUMNS, lineterminator="\r\n", extrasaction="ignore")
    rows.writeheader()
    for game in games:
        row = _game(game, player)
        result = row.pop("result")
        rows.writerow({**row, **(result if isinstance(result, dict) else {})})
    return text.getvalue()


def _statistics(sums: GameSum) -> dict[str, object]:
    figures = {name: value for name, value in asdict(sums).items() if name not in _NOT_THEIRS}
    return figures | {"luck": sums.luck, "luck_in_points": sums.luck_in_points, "risk_taken": sums.risk_taken}


def _game(game: PastGame, player: int) -> dict[str, object]:
    seat = next(seat for seat in game.seats if seat.player == player)
    return {
        "game": game.game,
        "started_at": game.started_at.isoformat(),
        "ended_at": game.ended_at.isoformat(),
        "clock_doubted": game.clock_doubted,
        "players": len(game.seats),
        "result": asdict(seat.result) if seat.result else None,
    }
