"""Luck against the exact chances, held against a script that knows the rule sheets and reads the records alone."""

from __future__ import annotations

from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path
from zipfile import ZipFile

import pytest
from luck_by_hand import THROWN, luck_of
from random_matches import finished_match

from referee.chances import ThrowChances
from referee.game import Game
from referee.game_results import count_results
from referee.games import games
from vander.extras.players.play_statistics_service import PlayStatisticsService
from vander.storage.journal_store import Journal
from vander.table.match import Match

MOST_LINES = 60
"""So much of a game is counted: the chances of all throws of a long one take seconds."""
LUCKY = [game for game in games() if game.name != "dice"]


def begun(game: Game, seed: int) -> Match:
    """Return the beginning of a game, or all of a short one."""
    options = {"prices": "sheet"} if game.name == "dice-county-fair" else {}
    whole = finished_match(game, seed, ("Ann", "Bob"), options)
    return Match.of(whole.kept, whole.game, whole.start.dice, whole.entries[:MOST_LINES])


def record_of(match: Match, folder: Path) -> str:
    """Return the record of a game, as the archive of all records has it."""
    with closing(Journal.in_folder(folder)) as journal:
        journal.keep(replace(match.kept, ended_at=match.entries[-1].at), match.entries)
        archive = folder / "records.zip"
        archive.write_bytes(b"".join(PlayStatisticsService(journal).plays("records")))
    with ZipFile(archive) as packed:
        (name,) = packed.namelist()
        return packed.read(name).decode()


def test_the_script_knows_every_game_with_scores() -> None:
    assert {game.name for game in LUCKY} == THROWN.keys()


@pytest.mark.parametrize("seed", [42, 67])
@pytest.mark.parametrize("game", LUCKY, ids=lambda game: game.name)
def test_luck_and_risk_are_those_of_a_script_which_reads_the_record_alone(
    game: Game, seed: int, tmp_path: Path
) -> None:
    match = begun(game, seed)
    by_hand = luck_of(record_of(match, tmp_path))
    counted = count_results(game, match.start, match.replay, ThrowChances(game))
    for result, luck in zip(counted, by_hand, strict=True):
        figures = asdict(luck)
        assert {name: getattr(result, name) for name in figures} == pytest.approx(figures)
    assert sum(luck.throws for luck in by_hand)
    has_luck = any(luck.stop_variance or luck.points_variance for luck in by_hand)
    assert has_luck == (game.name != "dice-county-fair")
