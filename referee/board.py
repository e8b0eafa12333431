"""What lies before the players besides the thrown dice, as values: places for dice, tracks, cards, lights, tallies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.actions import GameState
from referee.dice import Die
from referee.sentences import say, say_count


def tell_winner(state: GameState) -> str:
    """Return who has won, as what a table says when a game is over."""
    if not state.winner:
        return say("Nobody has won.")
    return say_count("{names} has won.", "{names} have won.", len(state.winner), names=state.names(state.winner))


# What lies before the players besides the thrown dice, as values: places for dice, tracks, cards, lights, tallies
#
# A game describes its board in these values, and the pages draw them. A part with a `key` is a place: offers belong
# to it whose choice is the key, or begins with the key and a slash. Where a part has `verbs`, offers with one of
# these belong to it instead; `switch =2` among them is the verb with that choice alone.


@dataclass(frozen=True)
class DicePlace:
    """A place for dice: a lane of parked dice, a section, a space of a sheet.

    `dice` lie there; one whose face is None is a die that is to come. `room` is how many places are drawn at least.
    `points` is what the dice are worth there, None where that has no meaning; `price` is what using it costs, 0 for
    nothing. `needs` says in a few words which dice the place takes, '' for any; `wanted` shows them, where they can be
    shown, and is drawn pale. `mark` says how the place stands: '', `open`, `done`, `blocked` or `here`. `takes_all`:
    an offer names all dice that are to lie there, also those that do already.
    """

    key: str
    title: str
    dice: tuple[Die, ...] = ()
    room: int = 0
    points: int | None = None
    price: int = 0
    needs: str = ""
    mark: str = ""
    verbs: tuple[str, ...] = ()
    wanted: tuple[Die, ...] = ()
    takes_all: bool = False


@dataclass(frozen=True)
class Card:
    """A card or a deck: what its top shows, the dice that it pictures, what was discarded, and what lies on it.

    `face` is '' for no card. `holds` names what lies on the card, such as the Block disk; '' for nothing. `made_of` are
    dice on the table that let the card go. `dealt_to` is the seat in whose colour the card is drawn, 0 for none.
    """

    key: str
    title: str
    face: str
    dice: tuple[Die, ...] = ()
    discarded: tuple[str, ...] = ()
    holds: str = ""
    mark: str = ""
    verbs: tuple[str, ...] = ()
    made_of: tuple[Die, ...] = ()
    dealt_to: int = 0


@dataclass(frozen=True)
class Section:
    """A part of a sheet, or cards to choose from: places under one title, drawn in their order.

    `note` says in a few words how one gets there; `is_here`: the player is there now. `facts` are named values, such as
    awards with those who lead for them.
    """

    key: str
    title: str
    places: tuple[DicePlace | Card, ...] = ()
    note: str = ""
    is_here: bool = False
    facts: tuple[tuple[str, str], ...] = ()
    verbs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Token:
    """A player's token on a track: where it is, and how much farther it gets if the points at risk are kept."""

    seat: int
    at: int
    at_risk: int = 0


@dataclass(frozen=True)
class Track:
    """A way to a goal on which players' tokens advance. `marks` are numbers on it that matter, such as a come-in."""

    key: str
    title: str
    goal: int
    tokens: tuple[Token, ...] = ()
    marks: tuple[int, ...] = ()
    verbs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Light:
    """A light of one colour (`green`, `yellow`, `red` or `white`), with the face that stands for it, '' for none."""

    colour: str
    is_lit: bool
    face: str = ""


@dataclass(frozen=True)
class Lights:
    """Lights.

    `look` is how they are drawn: '' in a row, `upright` one above the other like a traffic light, `titled` in a row
    with the title next to it, which the lights alone do not say.
    """

    key: str
    title: str
    lights: tuple[Light, ...]
    look: str = ""
    verbs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Tally:
    """A number with a name: points, chips, rolls that are left.

    `of` is the most that it can be, 0 where there is no such number. `at_risk` is what would be added, or is lost.
    `look` is how it is drawn: '' as a number, `chips` as a stack of chips, `dots` as so many dots of the most.
    """

    key: str
    title: str
    value: int
    of: int = 0
    at_risk: int = 0
    verbs: tuple[str, ...] = ()
    look: str = ""


BoardPart = DicePlace | Section | Track | Card | Lights | Tally


@dataclass(frozen=True)
class BoardRow:
    """A line of a board. `key` ties it to actions: those whose choice is the key, or begins with the key and a slash.

    `mark` says how it stands: '', `open`, `done`, `blocked` or `here`.
    """

    key: str
    cells: tuple[str, ...]
    mark: str = ""


@dataclass(frozen=True)
class Board:
    """What lies before a player besides the dice: a sheet, a deck, chips. Seat 0 is the middle of the table.

    `parts` are drawn in their order. `brief` names by their keys those that are shown of a player who does not act.
    `facts` are names with their values; `columns` head the cells of the rows.
    """

    seat: int
    title: str
    facts: tuple[tuple[str, str], ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[BoardRow, ...] = ()
    parts: tuple[BoardPart, ...] = ()
    brief: tuple[str, ...] = ()


def places_of(board: Board) -> dict[str, tuple[str, ...]]:
    """Return the keys of a board's places, each with the verbs whose offers belong to it."""
    found: dict[str, tuple[str, ...]] = {row.key: () for row in board.rows}
    for part in board.parts:
        found[part.key] = part.verbs
        if isinstance(part, Section):
            found |= {place.key: place.verbs for place in part.places}
    return {key: verbs for key, verbs in found.items() if key}


# The board of a game that describes none: the dice that are awaited, and everybody's points


def default_boards(state: GameState) -> tuple[Board, ...]:
    """Return one board in the middle of the table; none while there is nothing to show."""
    parts = (*_awaited(state), *_points(state))
    return (Board(0, "The table", parts=parts),) if parts else ()


def _awaited(state: GameState) -> Iterator[BoardPart]:
    if state.dice_awaited:
        who = state.name(state.to_act[0]) if len(state.to_act) == 1 else "Everybody"
        yield DicePlace("awaited", f"{who} throws", state.dice_awaited)


def _points(state: GameState) -> Iterator[BoardPart]:
    best = max(state.scores, default=0)
    for seat, score in enumerate(state.scores, start=1):
        yield Tally(f"points-{seat}", state.name(seat), score, of=best)
