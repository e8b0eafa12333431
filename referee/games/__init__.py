"""The games: a module or a package each in this folder, which exposes GAME. Nothing else lists them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from referee.dice import RefereeError
from referee.game import Game
from referee.sentences import say


class NoSuchGame(RefereeError, LookupError):
    """No game of that name is known; the message lists those that are."""


@cache
def games() -> tuple[Game, ...]:
    """Return all games, sorted by name."""
    found: list[Game] = [import_module(f"{__name__}.{module.name}").GAME for module in iter_modules(__path__)]
    return tuple(sorted(found, key=lambda game: game.name))


def named(name: str, known: Iterable[Game] = ()) -> Game:
    """Return the game of that name, without importing the others. Raises NoSuchGame.

    One of the `known` games comes first: it may have more printed sheets.
    """
    found = next((game for game in known if game.name == name), None)
    if found is not None:
        return found
    module = name.replace("-", "_")  # a game's module is called like the game
    if any(each.name == module for each in iter_modules(__path__)):
        game: Game = import_module(f"{__name__}.{module}").GAME
        if game.name == name:
            return game
    for game in games():
        if game.name == name:
            return game
    raise NoSuchGame(
        say(
            "there is no game {name}; there are {known}",
            name=repr(name),
            known=", ".join(game.name for game in games()),
        )
    )


def title_of(name: str) -> str:
    """Return what people call a game; its name where this program does not know it."""
    try:
        return named(name).title
    except NoSuchGame:
        return name
