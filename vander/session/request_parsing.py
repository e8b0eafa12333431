"""What requests name: a game, dice, an action, a face, a step. What means nothing is Refused in one sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from models.die_sets import DieSetSource, NoSuchDieSet
from referee.actions import Action
from referee.dice import Die, DieSet, FaceName, KindName
from referee.game import Game
from referee.games import NoSuchGame
from referee.phrases import as_sentence
from referee.refused import Reason, Refused
from referee.sentences import say
from vander.session.match import Match
from vander.session.seen_dice import named_kinds
from vander.session.session_state import SessionState

OLD_PAGE = say("The table has moved on since this page was drawn: look again, then tap.")


def playing(state: SessionState) -> Match:
    """Return the match that is on, or was last. Raises Refused."""
    if state.match is None:
        raise Refused(say("No game is being played; set one up first."), Reason.CONFLICT)
    return state.match


def find_game(games: Sequence[Game], name: str) -> Game:
    """Return the game of that name. Raises NoSuchGame."""
    found = next((game for game in games if game.name == name), None)
    if found is None:
        raise NoSuchGame(
            say(
                "there is no game {name}; there are {known}",
                name=repr(name),
                known=", ".join(game.name for game in games),
            )
        )
    return found


def find_dice(known: DieSetSource, name: str) -> DieSet:
    """Return the die set of that name. Raises Refused."""
    try:
        return known.load(name)
    except NoSuchDieSet as error:
        raise Refused(as_sentence(error), Reason.NOT_FOUND) from None


def parse_action(text: str) -> Action:
    """Return the action in the notation of Action. Raises Refused."""
    try:
        return Action.parse(text)
    except ValueError as error:
        raise Refused(as_sentence(error)) from None


def check_step(match: Match, step: str, seat: int = 0) -> None:
    """Refuse what a page that shows that step offered to a seat, if it is old; '' stands for the present step."""
    with _parsing(step):
        if step and match.is_old_for(step, seat):
            raise Refused(OLD_PAGE, Reason.CONFLICT)


def check_step_of_dice(match: Match, step: str) -> None:
    """Refuse what is said of dice that something has happened to since that step."""
    with _parsing(step):
        if step and match.is_old_for_dice(step):
            raise Refused(OLD_PAGE, Reason.CONFLICT)


def check_step_of_game(match: Match, step: str) -> None:
    """Refuse to end another game than the one that a page shows at that step, `0.0` for none."""
    with _parsing(step):
        if step and match.is_of_another_game(step):
            raise Refused(OLD_PAGE, Reason.CONFLICT)


def check_settled(state: SessionState) -> None:
    """Refuse what changes the game while dice move or a hand is in the tray: the throw to come was made before it."""
    if not state.is_settled:
        raise Refused(say("Wait until the dice lie still and all hands are out of the tray."), Reason.CONFLICT)


@contextmanager
def _parsing(step: str) -> Iterator[None]:
    try:
        yield
    except Refused:
        raise
    except ValueError:
        raise Refused(say("{step!r} is no step of a game; a snapshot holds one, such as 12.34.", step=step)) from None


def find_die(dice: DieSet, kind: KindName, face: str) -> Die:
    """Return a die with the face that somebody named: of that kind, or of another where only that has the face.

    Raises Refused where none has.
    """
    kinds = (*named_kinds(dice, kind), *dice.kinds)
    right = next((known for known in kinds if face in known.faces), None)
    if right is None:
        raise Refused(say("No die of this game has a face {face!r}.", face=face))
    return Die(right.name, face_of(dice, right.name, face))


def face_of(dice: DieSet, kind: KindName, face: str) -> FaceName:
    """Return a face by its name, which `dice` must have for the kind."""
    return next(known for known in dice.kind(kind).faces if known == face)
