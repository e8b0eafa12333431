"""Boards as JSON, and the places on them to which offers belong."""

from __future__ import annotations

import json

from referee.actions import Action
from referee.board import Board, BoardRow, Card, DicePlace, Light, Lights, Section, Tally, Token, Track
from referee.dice import Die
from referee.snapshot import Offer
from web.schemas.response_model import encode
from web.schemas.snapshot_response import PlaceIndex, board_schema

LANE = DicePlace("lane", "Parked", (Die.parse("traffic:happy"), Die.parse("traffic:?")), room=5, verbs=("park",))
HALL = Section(
    "hall",
    "Food Hall",
    (DicePlace("lemonade", "Lemonade", needs="11 or more", price=3),),
    is_here=True,
    facts=(("Most, 5 / 3", "Ann 2"),),
)
BOARD = Board(
    1,
    "Ann",
    parts=(
        LANE,
        HALL,
        Track("road", "The road", 5000, (Token(1, 1250, 250),), (300,)),
        Card("deck", "Deck", "7", holds="Block disk"),
        Lights("signal", "Signal", (Light("green", True, "go"),), look="upright"),
        Tally("chips", "Chips", 55, of=55),
    ),
    rows=(BoardRow("2", ("Bob", "7")),),
    brief=("road",),
)


def tap(text: str) -> Offer:
    return Offer(Action.parse(text), text, by_tap=True)


def test_each_part_is_told_with_its_kind() -> None:
    shown = json.loads(encode(board_schema(BOARD, PlaceIndex((BOARD,), ()), None)))
    assert [part["part"] for part in shown["parts"]] == ["dice", "section", "track", "card", "lights", "tally"]
    assert [die["face"] for die in shown["parts"][0]["dice"]] == ["happy", ""]
    assert shown["parts"][1]["places"][0]["needs"] == "11 or more"
    assert shown["parts"][1]["facts"] == [{"name": "Most, 5 / 3", "value": "Ann 2"}]
    assert shown["brief"] == ["road"]


def test_an_offer_belongs_to_the_places_that_its_choice_names_or_that_take_its_verb() -> None:
    offers = tuple(
        map(tap, ("1 park traffic:happy", "1 price =lemonade/2", "1 disk =2", "1 end", "2 park traffic:star"))
    )
    places = PlaceIndex((BOARD,), offers)
    assert [places.of(offer) for offer in offers] == [{(1, "lane")}, {(1, "lemonade")}, {(1, "2")}, set(), set()]
    assert places.taps((1, "lane")) == 1


def test_a_throw_belongs_nowhere_and_what_hands_do_is_no_tap() -> None:
    by_hand = Offer(Action.parse("1 park traffic:happy"), "Park", by_tap=False)
    places = PlaceIndex((BOARD,), (by_hand, Offer(Action.parse("1 park traffic:?"), "Throw", by_tap=False)))
    assert places.of(by_hand) == {(1, "lane")}
    assert places.taps((1, "lane")) == 0
    assert places.of(Offer(Action.parse("1 park traffic:?"), "Throw", by_tap=False)) == set()


def test_a_place_may_take_a_verb_with_one_choice_alone() -> None:
    decks = tuple(Card(str(seat), "Deck", "7", verbs=(f"disk ={seat}", f"switch ={seat}")) for seat in (1, 2))
    offers = tuple(map(tap, ("1 disk =2", "2 switch =1", "1 discard =2")))
    places = PlaceIndex((Board(0, "Decks", parts=decks),), offers)
    assert [places.of(offer) for offer in offers] == [{(0, "2")}, {(0, "1")}, set()]


def test_a_section_holds_cards_and_dice_and_what_a_place_wants() -> None:
    card = Card("keep", "Keep yours", "7", made_of=(Die.parse("d6:pip-3"),), dealt_to=2)
    place = DicePlace("3", "3s", wanted=(Die.parse("d6:pip-3"),))
    chips = Tally("chips", "Chips", 55, look="chips")
    board = Board(1, "Ann", parts=(Section("question", "Which?", (card, place)), chips))
    question, shown = json.loads(encode(board_schema(board, PlaceIndex((board,), ()), None)))["parts"]
    assert [each["part"] for each in question["places"]] == ["card", "dice"]
    assert (question["places"][0]["made_of"][0]["face"], question["places"][0]["dealt_to"]) == ("pip-3", 2)
    assert (question["places"][1]["wanted"][0]["face"], shown["look"]) == ("pip-3", "chips")
