"""An ended game entry by entry: what was said, and the scores after it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from random_matches import random_match

from referee.game import Game
from referee.games import games, named
from referee.sentences import Reason, Refused
from vander.extras.players.play_statistics_service import PlayStatisticsService, past_steps
from vander.storage.journal_store import Journal
from vander.table.match import Match


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with closing(Journal.in_folder(tmp_path)) as opened:
        yield opened


def keep(journal: Journal, match: Match) -> int:
    """Put a match into the journal as a game that has ended."""
    return journal.keep(replace(match.kept, ended_at=match.entries[-1].at), match.entries).number


@pytest.mark.parametrize("game", games(), ids=lambda game: game.name)
def test_each_step_has_the_scores_after_the_entries_up_to_it(game: Game) -> None:
    match = random_match(game, 40, seed=3)
    steps = past_steps(match)
    assert [step.entry for step in steps] == [entry.number for entry in match.entries]
    for step in steps:
        until = Match.of(match.kept, match.game, match.start.dice, match.entries[: step.entry])
        assert step.scores == until.state.scores
        assert step.calls[: len(until.replay.calls)] == until.replay.calls
        assert step.picture == match.entries[step.entry - 1].evidence


def test_what_was_taken_back_is_seen_as_it_was_and_then_taken_back() -> None:
    match = random_match(named("toss-up"), 30, seed=5)
    steps = past_steps(match.undo())
    *before, last = steps
    assert before == list(past_steps(match))
    assert not last.is_play
    assert last.calls[0].sentence.startswith("Taken back: ")


def test_a_breach_is_a_step_with_its_rule() -> None:
    match = random_match(named("toss-up"), 10, seed=5).breach("A die was turned.", "T.2-1", "game-1-entry-11")
    last = past_steps(match)[-1]
    assert (last.calls[0].sentence, last.calls[0].rule) == ("A die was turned.", "T.2-1")
    assert last.picture == "game-1-entry-11"


def test_a_game_of_the_journal_is_shown_and_one_that_goes_on_is_not(journal: Journal) -> None:
    match = random_match(named("toss-up"), 400, seed=1)
    statistics = PlayStatisticsService(journal)
    assert statistics.steps(keep(journal, match)) == past_steps(match)
    going_on = journal.begin("toss-up", ("Ann", "Bob"), {}, "toss-up")
    for number in (going_on.number, 99):
        with pytest.raises(Refused) as refused:
            statistics.steps(number)
        assert refused.value.reason is Reason.NOT_FOUND


def test_a_game_with_dice_that_are_gone_is_refused_in_a_sentence(journal: Journal) -> None:
    match = random_match(named("toss-up"), 20, seed=1)
    number = keep(journal, replace(match, kept=replace(match.kept, die_set="lost-dice")))
    with pytest.raises(Refused, match="cannot play this game again") as refused:
        PlayStatisticsService(journal).steps(number)
    assert refused.value.reason is Reason.CONFLICT
