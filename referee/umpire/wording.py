"""Dice and ways in the words that players read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final

from referee.actions import Action
from referee.dice import Die, number_on
from referee.game import Game
from referee.game_state import GameState
from referee.judge import judge
from referee.phrases import FACE_WORDS, in_a_row, join_each, times
from referee.sentences import as_part, as_title, as_whole, say, say_count

SYMBOLS: Final[Mapping[str, str]] = {
    **FACE_WORDS,
    "green-switch": say("green switch"),
    "red-switch": say("red switch"),
}
"""The symbols of the games' own dice, as the umpire says them."""
SHORTENED_FROM: Final = 3
"""The number of like actions in a row from which `describe` names only the first and the last."""


def describe(game: Game, state: GameState, way: Sequence[Action]) -> str:
    """Return a way in words, for the button that takes it; of a long row of one verb, the first and the last action."""
    return join_each(_steps(game, state, way), _then)


def ask_if_all(doubt: str, game: Game, state: GameState, way: Sequence[Action]) -> str:
    """Return the question whether a way is all that was done, after what speaks against it."""
    first, *others = _steps(game, state, way)
    words = join_each((as_part(first), *others), _then)
    return in_a_row(as_whole(doubt), say("Was it all this: {way}?", way=words))


def _steps(game: Game, state: GameState, way: Sequence[Action]) -> Sequence[str]:
    """Return the titles of a way's actions; of a long row of one verb the first and the last in one."""
    titles = list[str]()
    for _verb, row in groupby(_titled(game, state, way), key=lambda titled: titled[0]):
        same = [title for _, title in row]
        titles += same if len(same) < SHORTENED_FROM else [_and_so_on(same[0], same[-1])]
    return titles


def _and_so_on(first: str, last: str) -> str:
    return as_title(say("{first}, and so on to {last}", first=as_part(first), last=as_part(last)))


def _then(first: str, other: str) -> str:
    return say("{first}, then {other}", first=first, other=as_part(other))


def _titled(game: Game, state: GameState, way: Sequence[Action]) -> Iterator[tuple[str, str]]:
    """Yield each action's verb and its title where it is played."""
    for action in way:
        yield action.verb, game.offer_title(state, action)
        state = judge(game, state, action).state


def dice_words(dice: Iterable[Die]) -> str:
    """Return the faces of dice in words, numbers one by one in their order first: `1, 3, 3, 2 x star`."""
    faces = Counter(die_word(die) for die in dice)
    numbers = sorted(face for face in faces.elements() if face.isdigit())
    others = (times(count, face) for face, count in faces.items() if not face.isdigit())
    return join_each([*numbers, *others], _and_more)


def _and_more(first: str, other: str) -> str:
    return say("{first}, {rest}", first=first, rest=other)


def die_word(die: Die) -> str:
    """Return the face of a die in a word: a number, or the name of a symbol."""
    if die.face is None:
        return say("an unread die")
    return str(number_on(die.face) or "") or SYMBOLS.get(die.face, die.face.replace("-", " "))


def out_of_view(count: int) -> str:
    """Return the sentence that so many dice are not in view; '' for none."""
    if not count:
        return ""
    return say_count(
        "{count} die is not in view: in a hand, or off the table.",
        "{count} dice are not in view: in a hand, or off the table.",
        count,
    )


def answer_first(question: str) -> str:
    """Return the sentence that an open question has to be answered first."""
    return say("Answer first: {question}", question=question)
