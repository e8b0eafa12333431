"""One player's results as a JSON or a CSV file, to take along. Other players are counted in it, and not named."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from dataclasses import asdict
from io import StringIO

from referee.known_players import KnownPlayer
from referee.play_statistics import GameSum, PastGame

FORMAT = 1
"""The version of the file's form."""
COLUMNS = ("game", "started_at", "ended_at", "players", "finished", "won", "score", "turns", "throws", "best_turn")
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
    rows = csv.DictWriter(text, COLUMNS, lineterminator="\r\n", extrasaction="ignore")
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
        "players": len(game.seats),
        "result": asdict(seat.result) if seat.result else None,
    }
