"""JSON of a game's rules, and of how it is played."""

from __future__ import annotations

from dataclasses import dataclass

from referee.dice import DieSet
from referee.game import Game
from referee.rule_texts import RuleChapter, RulePage
from web.schemas.response_model import RequestModel
from web.schemas.snapshot_response import part_schemas
from web.schemas.snapshot_schemas import BoardPartSchema, KindHeading


@dataclass(frozen=True)
class PlayStepSchema:
    """A step of how the game is played: a sentence, and the parts of a board that picture it."""

    sentence: str
    picture: tuple[BoardPartSchema, ...]


@dataclass(frozen=True)
class RulesResponse:
    """The rules of a game, and how it is played in one minute; `steps` is empty where that is not told."""

    game: str
    title: str
    die_set: str
    kinds: tuple[KindHeading, ...]
    chapters: tuple[RuleChapter, ...]
    steps: tuple[PlayStepSchema, ...]


class RulesQuery(RequestModel):
    """The rule that is asked for, '' for none in particular."""

    number: str = ""


def rules_response(game: Game, page: RulePage, dice: DieSet | None) -> RulesResponse:
    """Return the JSON of a game's rules; the faces in pictures are titled as `dice` says."""
    chapters = tuple(chapter for chapter in page.chapters if chapter.texts)
    steps = tuple(PlayStepSchema(step.sentence, part_schemas(step.picture, dice)) for step in game.how_to_play)
    kinds = tuple(KindHeading(kind.name, kind.title, kind.bodies) for kind in dice.kinds) if dice else ()
    return RulesResponse(game.name, page.title, game.die_set, kinds, chapters, steps)
