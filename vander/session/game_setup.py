"""Check what the set-up sheet asks for, and begin the game. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from models.die_sets import DieSetSource
from referee.actions import Action
from referee.agreements import BEGIN
from referee.dice import DieSet
from referee.game import BadStart, Game, begin
from referee.game_options import BadOption
from referee.games import NoSuchGame
from referee.journal import Source
from referee.judge import judge
from referee.phrases import as_sentence
from referee.player_names import check_names
from referee.refused import Reason, Refused
from vander.session.label_events import ThrowEnded
from vander.session.match import Match
from vander.session.request_parsing import check_step_of_game, find_dice, find_game
from vander.session.session_state import Backlog, SessionState, Step, Unresolved
from vander.session.table_acceptance import recount


@dataclass(frozen=True)
class GameSetup:
    """A game that can begin: checked, not yet in the journal."""

    game: Game
    players: tuple[str, ...]
    options: Mapping[str, str]
    dice: DieSet
    starter: int = 0


@dataclass(frozen=True)
class SetupRequest:
    """What was chosen on the set-up sheet.

    `die_set` counts for a game that takes any dice; `step` is the page's. `starter` is the seat that begins by
    agreement, 0 where the game's own rules decide. `leave_open` keeps the game open that is on the table.
    """

    game: str
    players: tuple[str, ...]
    options: Mapping[str, str]
    die_set: str = ""
    step: str = ""
    starter: int = 0
    leave_open: bool = False


def check_setup(state: SessionState, request: SetupRequest, games: Sequence[Game], known: DieSetSource) -> GameSetup:
    """Return the game that is wanted. Raises Refused for a bad choice, and where another game would be ended."""
    if state.match is not None and state.is_on:
        check_step_of_game(state.match, request.step)
    try:
        game = find_game(games, request.game)
        dice = find_dice(known, game.die_set or request.die_set or state.config.dice.name)
        check_names(request.players)
        start = begin(game, request.players, dice, request.options)
    except NoSuchGame as error:
        raise Refused(as_sentence(error), Reason.NOT_FOUND) from None
    except (BadStart, BadOption) as error:
        raise Refused(as_sentence(error)) from None
    refusal = judge(game, start, _beginning(request.starter)).refusal if request.starter else None
    if refusal:
        raise Refused(refusal.sentence, Reason.INVALID, refusal.rule)
    return GameSetup(game, request.players, start.options, dice, request.starter)


def _beginning(starter: int) -> Action:
    return Action(starter, BEGIN.name)


def on_start(state: SessionState, match: Match, starter: int = 0) -> Step:
    """Begin a match that the journal holds; one that was going on has ended.

    With a `starter` that seat has the first turn, as the table has agreed: the first entry says so.
    """
    step = Step(state)
    if match.start.dice != state.dice:
        step = recount(step)
    seen = step.state.table.seen
    before_game = seen.throw if seen else -1
    table = replace(step.state.table.ruled_on(), thrown_by={}, given={}, before_game=before_game)
    begun = replace(step.state, match=match, table=table, unresolved=Unresolved(), backlog=Backlog())
    step = step.to(replace(begun, waiting=None, unconfirmed=None, resumed=False, returned=False), ThrowEnded())
    return step.with_match(match.play([(_beginning(starter), Source.TABLET)])) if starter else step
