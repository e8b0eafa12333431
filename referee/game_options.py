"""The options of a game with the readings that a table may choose, and how it is played, in a few steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from referee.board import BoardPart
from referee.dice import RefereeError
from referee.sentences import say

# The options of a game: what its rulebook leaves open, with the readings that a table may choose


class BadOption(RefereeError, ValueError):
    """An option, or a reading of one, that the game does not have."""


@dataclass(frozen=True)
class Option:
    """One ambiguity of the rulebook, named: its readings, the default first, and the sentence that explains it."""

    name: str
    title: str
    readings: tuple[tuple[str, str], ...]
    """(value, what it means), the default first."""
    source: str
    """The ambiguity's number, for example AMB-I-10."""
    before: str = ""
    """The reading of kept games that do not name the option, '' for the default: it, or its default, came later.

    One that is none of the readings is how the game was ruled on once, which no new game may choose.
    """

    @property
    def default(self) -> str:
        """The recommended reading."""
        return self.readings[0][0]

    def read(self, value: str) -> str:
        """Return the value when it is one of the readings, or that of older games. Raises BadOption."""
        values = [known for known, _ in self.readings]
        if value not in (*values, *([self.before] if self.before else [])):
            raise BadOption(
                say(
                    "the option {name} cannot be {value}; it is one of {known}",
                    name=self.name,
                    value=repr(value),
                    known=", ".join(values),
                )
            )
        return value


PLAYERS = "players"
"""The name of the option for how many may play; a reading such as `up-to-12` raises the limit."""
_UP_TO = "up-to-"


def more_players(box: str, most: int, why: str, source: str) -> Option:
    """Return the option that lets more people play than the box is for."""
    return Option(PLAYERS, say("How many may play?"), (("box", box), (f"{_UP_TO}{most}", why)), source)


def most_players(most: int, options: Mapping[str, str]) -> int:
    """Return how many may play by the options of a table, where without the option `most` may."""
    chosen = options.get(PLAYERS, "")
    return int(chosen.removeprefix(_UP_TO)) if chosen.startswith(_UP_TO) else most


LEANING_DIE: Final = "leaning-die"
"""The name of the option for a die that leaned and was set flat by hand."""
THROWN_AGAIN: Final = "thrown-again"
SET_FLAT: Final = "set-flat"


def leaning_die(source: str) -> Option:
    """Return the option that says what a leaning die is worth which was set flat by hand instead of thrown again."""
    return Option(
        LEANING_DIE,
        say("A die leans and a hand sets it flat: does it count?"),
        ((THROWN_AGAIN, say("No, it is thrown again.")), (SET_FLAT, say("Yes, as it lies then."))),
        source,
    )


SKIPPED_TURN: Final = "skipped-turn"
"""The name of the option for what a turn has brought that is then skipped, or whose player leaves (A.1-1, A.1-3)."""
STAYS: Final = "stays"


def skipped_turn(source: str, before: str = STAYS) -> Option:
    """Return the option of a game in which a turn brings something before it ends."""
    return Option(
        SKIPPED_TURN,
        say("A turn is skipped, or its player leaves: what becomes of what it has brought?"),
        (("taken-back", say("It is taken back.")), (STAYS, say("It stays."))),
        source,
        before=before,
    )


LEADER_LEAVES: Final = "leader-leaves"
"""The name of the option for last turns in which everybody leaves who has reached the goal."""
ENDS: Final = "ends"


def leader_leaves(source: str) -> Option:
    """Return the option of a game that ends with last turns after somebody has reached a goal."""
    return Option(
        LEADER_LEAVES,
        say("Whoever has reached the goal leaves before the last turns are over: what then?"),
        (
            ("plays-on", say("The game goes on until somebody reaches it again.")),
            (ENDS, say("The game ends with the last turns all the same.")),
        ),
        source,
        before=ENDS,
    )


def options_of_its_day(options: Sequence[Option], kept: Mapping[str, str]) -> dict[str, str]:
    """Return the options of a game that was begun earlier: one that it does not name is newer than the game."""
    return {option.name: option.before for option in options if option.before} | dict(kept)


def read_options(options: Sequence[Option], given: Mapping[str, str]) -> dict[str, str]:
    """Return every option of a game with its reading: the given one, else the default. Raises BadOption."""
    names = [option.name for option in options]
    for name in given:
        if name not in names:
            raise BadOption(
                say(
                    "there is no option {name}; there are {known}",
                    name=repr(name),
                    known=", ".join(names) or say("none"),
                )
            )
    return {option.name: option.read(given.get(option.name, option.default)) for option in options}


# How a game is played, told in one minute: a few steps, each a short sentence with a picture


@dataclass(frozen=True)
class PlayStep:
    """One step: a sentence of 20 words at most, and the parts of a board that picture it."""

    sentence: str
    picture: tuple[BoardPart, ...]
