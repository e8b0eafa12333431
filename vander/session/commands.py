"""What people's words mean: a game, dice, an action, a face. What means nothing is turned down in one sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from models.die_sets import DieSetSource, NoSuchDieSet
from referee.dice import Die, DieSet, FaceName, KindName
from referee.game import Action, Game
from referee.games import NoSuchGame
from referee.refused import Reason, Refused
from referee.text import as_sentence
from vander.session import view
from vander.session.match import Match


def game_named(games: Sequence[Game], name: str) -> Game:
    """The game of that name. Raises NoSuchGame."""
    found = next((game for game in games if game.name == name), None)
    if found is None:
        raise NoSuchGame(f"there is no game {name!r}; there are {', '.join(game.name for game in games)}")
    return found


def dice_named(known: DieSetSource, name: str) -> DieSet:
    """The die set of that name. Raises Refused."""
    try:
        return known.load(name)
    except NoSuchDieSet as error:
        raise Refused(as_sentence(error), Reason.NOT_FOUND) from None


def action_in(text: str) -> Action:
    """The action that was tapped. Raises Refused."""
    try:
        return Action.parse(text)
    except ValueError as error:
        raise Refused(as_sentence(error)) from None


def is_old(match: Match, step: str, seat: int = 0) -> bool:
    """Whether a page that shows that step offers something old to a seat; '' says nothing of it. Raises Refused."""
    with _a_step(step):
        return bool(step) and match.since(step, seat)


def is_of_other_dice(match: Match, step: str) -> bool:
    """Whether something happened to the dice that a page shows at that step; '' says nothing of it. Raises Refused."""
    with _a_step(step):
        return bool(step) and match.since_seen(step)


def is_of_another_game(match: Match, step: str) -> bool:
    """True if a page at that step shows another game, or (`0.0`) none; False for an empty step. Raises Refused."""
    with _a_step(step):
        return bool(step) and match.is_another(step)


@contextmanager
def _a_step(step: str) -> Iterator[None]:
    try:
        yield
    except ValueError:
        raise Refused(f"{step!r} is no step of a game; a snapshot holds one, such as 12.34.") from None


def showing(dice: DieSet, kind: KindName, face: str) -> Die:
    """A die taken for one of that kind, with the face that somebody says; of another kind where only that has the face.

    Raises Refused where none has.
    """
    right = view.kind_with(dice, kind, face)
    if right is None:
        raise Refused(f"No die of this game has a face {face!r}.")
    return Die(right, face_of(dice, right, face))


def face_of(dice: DieSet, kind: KindName, face: str) -> FaceName:
    """A face by its name, which `dice` must have for the kind."""
    return next(known for known in dice.kind(kind).faces if known == face)
