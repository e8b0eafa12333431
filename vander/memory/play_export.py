"""All plays as CSV and as JSON, and one of them as a link that opens BG Stats.

The link has the form that BG Stats documents under "Push plays to BG Stats from other apps or websites"
(https://www.bgstatsapp.com/support/push-plays-to-bg-stats-from-other-apps-or-websites/). The form with the scheme
`bgstats:` is used: it opens the app on the device, and no server sees the names.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from io import StringIO
from urllib.parse import quote

from referee.play_statistics import PastGame, PastSeat

COLUMNS = (
    "number",
    "game",
    "started_at",
    "ended_at",
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
_FORMULA = ("=", "+", "-", "@", "\t")


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
    """Return a name for a cell of a CSV; one that a spreadsheet would take for a formula gets an apostrophe."""
    return f"'{name}" if name.startswith(_FORMULA) else name


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
        "durationMin": round((game.ended_at - game.started_at).total_seconds() / 60),
        "game": {"name": title, "sourceGameId": game.game, "highestWins": True, "noPoints": not _has_points(game)},
        "players": [_bg_stats_player(seat) for seat in game.seats],
    }
    return BG_STATS + quote(json.dumps(play, ensure_ascii=False), safe="")


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
        "finished": all(seat.result and seat.result.finished for seat in game.seats),
    }


def _figures(seat: PastSeat) -> dict[str, object]:
    return asdict(seat.result) if seat.result else {}


def _seat(seat: PastSeat) -> dict[str, object]:
    return {"seat": seat.seat, "player": seat.name, "result": _figures(seat) or None}
