"""How a game is played, in one minute: few steps, short sentences, and pictures of the game's own dice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest

from models import die_sets
from referee.board import BoardPart, Card, DicePlace, Lights, Section
from referee.dice import Die, FaceName
from referee.game import Game
from referee.games import games

MOST_WORDS = 20
TOLD = [game for game in games() if game.how_to_play]


def dice_in(parts: Iterable[BoardPart]) -> Iterator[Die]:
    """The dice that a picture shows."""
    for part in parts:
        if isinstance(part, DicePlace | Card):
            yield from part.dice
        if isinstance(part, Section):
            yield from dice_in(part.places)


def test_the_five_games_are_told_and_plain_dice_need_no_telling() -> None:
    assert [game.name for game in games() if not game.how_to_play] == ["dice"]


@pytest.mark.parametrize("game", TOLD, ids=lambda game: game.name)
def test_a_game_is_told_in_four_to_six_short_steps_with_a_picture_each(game: Game) -> None:
    assert 4 <= len(game.how_to_play) <= 6
    for step in game.how_to_play:
        assert step.sentence.endswith(".")
        assert len(step.sentence.split()) <= MOST_WORDS, step.sentence
        assert step.picture


@pytest.mark.parametrize("game", TOLD, ids=lambda game: game.name)
def test_the_pictures_show_dice_of_the_game_and_offer_nothing(game: Game) -> None:
    known = die_sets.load(game.die_set)
    for step in game.how_to_play:
        for die in dice_in(step.picture):
            assert die.face is None or die.face in known.kind(die.kind).faces, die
        faces = {light.face for part in step.picture if isinstance(part, Lights) for light in part.lights}
        assert faces <= {FaceName(face) for kind in known.kinds for face in kind.faces}
        assert all(part.key == "" and not part.verbs for part in step.picture)
