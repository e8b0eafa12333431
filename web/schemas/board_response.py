"""Build the JSON of the boards, and find the places on them to which offers belong."""

from __future__ import annotations

import collections
from collections.abc import Iterable

from referee.board import Board, BoardPart, BoardRow, Card, DicePlace, Lights, Section, Tally, Track, places_of
from referee.dice import Die, DieSet
from referee.snapshot import Offer
from web.schemas.board_schemas import (
    BoardDie,
    BoardFact,
    BoardPartSchema,
    BoardRowSchema,
    BoardSchema,
    CardSchema,
    DicePlaceSchema,
    LightSchema,
    LightsSchema,
    SectionSchema,
    TallySchema,
    TokenSchema,
    TrackSchema,
)

BoardPlace = tuple[int, str]
"""A place on a board: the board's seat, and the key of the place."""


class PlaceIndex:
    """To which places of the boards each offer belongs: of the player's own board, or of the middle of the table."""

    def __init__(self, boards: Iterable[Board], offers: tuple[Offer, ...]) -> None:
        self._verbs: dict[int, dict[str, tuple[str, ...]]] = {}
        for board in boards:
            self._verbs.setdefault(board.seat, {}).update(places_of(board))
        self._found: dict[tuple[int, str, str], frozenset[BoardPlace]] = {}
        self._taps: collections.Counter[BoardPlace] | None = None
        self._offers = offers

    def of(self, offer: Offer) -> frozenset[BoardPlace]:
        """Return the places whose key is the offer's choice, or begins it up to a slash, or that take its verb.

        A throw belongs to none.
        """
        if offer.action.is_throw:
            return frozenset()
        wanted = offer.action.player, offer.action.verb, offer.action.choice
        found = self._found.get(wanted)
        if found is None:
            found = self._found[wanted] = frozenset(self._search(*wanted))
        return found

    def taps(self, place: BoardPlace) -> int:
        """Return how many offers that are tapped belong to a place."""
        if self._taps is None:
            self._taps = collections.Counter(
                place for offer in self._offers if offer.by_tap for place in self.of(offer)
            )
        return self._taps[place]

    def _search(self, player: int, verb: str, choice: str) -> set[BoardPlace]:
        words = choice.split("/")
        heads = {"/".join(words[:count]) for count in range(1, len(words) + 1)}
        near = ((seat, self._verbs.get(seat, {})) for seat in (0, player))
        said = {verb, f"{verb} ={choice}"}
        return {
            (seat, key)
            for seat, places in near
            for key, verbs in places.items()
            if (not said.isdisjoint(verbs) if verbs else key in heads)
        }


def board_schema(board: Board, places: PlaceIndex, dice: DieSet | None) -> BoardSchema:
    """Return the JSON of a board; the faces of its dice are titled as `dice` says."""
    builder = _PartBuilder(board.seat, places, dice)
    return BoardSchema(
        seat=board.seat,
        title=board.title,
        facts=_facts(board.facts),
        columns=board.columns,
        rows=tuple(_row(row, places.taps((board.seat, row.key))) for row in board.rows),
        parts=tuple(builder.part(part) for part in board.parts),
        brief=board.brief,
    )


def _facts(facts: Iterable[tuple[str, str]]) -> tuple[BoardFact, ...]:
    return tuple(BoardFact(name, value) for name, value in facts)


def _row(row: BoardRow, taps: int) -> BoardRowSchema:
    return BoardRowSchema(row.key, row.cells, row.mark, taps)


def dice_schema(dice: Iterable[Die], known: DieSet | None) -> tuple[BoardDie, ...]:
    """Return the JSON of dice on a board or in an offer; their faces are titled as the die set says."""
    return tuple(
        BoardDie(die.kind, die.face or "", known.face_title(die.kind, die.face) if known and die.face else "")
        for die in dice
    )


def part_schemas(parts: Iterable[BoardPart], dice: DieSet | None) -> tuple[BoardPartSchema, ...]:
    """Return the JSON of parts that lie before nobody, such as those of a picture."""
    builder = _PartBuilder(0, PlaceIndex((), ()), dice)
    return tuple(map(builder.part, parts))


class _PartBuilder:
    """Makes the JSON of one board's parts."""

    def __init__(self, seat: int, places: PlaceIndex, dice: DieSet | None) -> None:
        self._seat, self._places, self._dice = seat, places, dice

    def part(self, part: BoardPart) -> BoardPartSchema:
        taps = self._taps(part.key)
        match part:
            case DicePlace():
                return self._place(part)
            case Section(key, title, places, note, is_here, facts):
                shown = tuple(self._card(place) if isinstance(place, Card) else self._place(place) for place in places)
                return SectionSchema("section", key, title, shown, note, is_here, _facts(facts), taps)
            case Track(key, title, goal, tokens, marks):
                shown_tokens = tuple(TokenSchema(token.seat, token.at, token.at_risk) for token in tokens)
                return TrackSchema("track", key, title, goal, shown_tokens, marks, taps)
            case Card():
                return self._card(part)
            case Lights(key, title, lights, is_upright):
                shown_lights = tuple(LightSchema(light.colour, light.is_lit, light.face) for light in lights)
                return LightsSchema("lights", key, title, shown_lights, is_upright, taps)
            case Tally(key, title, value, of, at_risk):
                return TallySchema("tally", key, title, value, of, at_risk, part.look, taps)

    def _place(self, place: DicePlace) -> DicePlaceSchema:
        return DicePlaceSchema(
            part="dice",
            key=place.key,
            title=place.title,
            dice=dice_schema(place.dice, self._dice),
            room=place.room,
            points=place.points,
            price=place.price,
            needs=place.needs,
            wanted=dice_schema(place.wanted, self._dice),
            takes_all=place.takes_all,
            mark=place.mark,
            taps=self._taps(place.key),
        )

    def _card(self, card: Card) -> CardSchema:
        return CardSchema(
            part="card",
            key=card.key,
            title=card.title,
            face=card.face,
            dice=dice_schema(card.dice, self._dice),
            discarded=card.discarded,
            holds=card.holds,
            made_of=dice_schema(card.made_of, self._dice),
            dealt_to=card.dealt_to,
            mark=card.mark,
            taps=self._taps(card.key),
        )

    def _taps(self, key: str) -> int:
        return self._places.taps((self._seat, key)) if key else 0
