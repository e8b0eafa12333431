"""A small game of cards with no dice, for what a table does that no shipped game does alone: pauses, boards, sheets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from referee.board import Board, BoardRow
from referee.dice import DieSet
from referee.game import Action, BadSheet, Call, Game, GameState, Player, Refusal
from referee.options import Option


@dataclass(frozen=True)
class CardState(GameState):
    """How many cards each player has dropped, who is stopped, and who lets the others be."""

    stopped: tuple[int, ...] = ()
    content: tuple[int, ...] = ()


def setup(players: tuple[Player, ...], dice: DieSet, options: Mapping[str, str]) -> CardState:
    seats = tuple(player.seat for player in players)
    return CardState(players, dice, options, to_act=seats, scores=(0,) * len(players))


def legal(state: CardState) -> tuple[Action, ...]:
    if not state.to_act:
        return ()
    drops = (Action(seat, "drop", choice="card") for seat in state.to_act if seat not in state.stopped)
    stops = (Action(seat, verb, choice=str(other)) for seat, other in _pairs(state) for verb in ("stop", "let-be"))
    return (*drops, *stops, Action(1, "finish"))


def _pairs(state: CardState) -> list[tuple[int, int]]:
    return [(seat, other) for seat in state.to_act for other in state.to_act if other != seat]


def play(state: CardState, action: Action) -> tuple[CardState, tuple[Call, ...]]:
    call = Call(f"{state.name(action.player)}: {action.verb}.", "C.1")
    if action.verb == "drop":
        scores = (score + (seat == action.player) for seat, score in enumerate(state.scores, start=1))
        return replace(state, scores=tuple(scores)), (call,)
    if action.verb == "finish":
        return replace(state, to_act=(), winner=(1,)), (call,)
    field = "stopped" if action.verb == "stop" else "content"
    return replace(state, **{field: (*getattr(state, field), int(action.choice))}), (call,)


def pause(state: CardState, action: Action) -> str:
    if action.verb != "drop" or action.player in state.content:
        return ""
    return f"{state.name(3 - action.player)} may stop {state.name(action.player)}."


def boards(state: CardState) -> tuple[Board, ...]:
    return tuple(_board(player, state.scores[player.seat - 1]) for player in state.players)


def _board(player: Player, dropped: int) -> Board:
    return Board(player.seat, f"{player.name}'s cards", (), ("Dropped",), (BoardRow("card", (str(dropped),), "open"),))


def on_sheets(texts: Mapping[str, str]) -> Game:
    if "broken" in texts:
        raise BadSheet("the sheet broken has 17 cards, and there are 18")
    readings = (("own", "Our own"), *((name, name) for name in texts))
    return replace(CARDS, options=(Option("sheet", "The sheet", readings, "AMB-C-1"),))


def _nothing(*_: Any) -> tuple[()]:
    return ()


CARDS = Game(
    name="cards",
    title="Cards",
    die_set="",
    seats=(2, 2),
    options=(),
    setup=setup,
    legal=legal,
    play=play,
    lay=_nothing,
    thrown=_nothing,
    tell=lambda state: "Drop cards." if state.to_act else "The game is over.",
    offer_title=lambda state, action: f"{state.name(action.player)}: {action.verb}",
    why_not=lambda state, action: Refusal(f"{state.name(action.player)} has been stopped.", "C.2"),
    fault=lambda *_: Refusal("No dice are thrown here.", "C.3"),
    verbs={"drop": "Drop a card.", "stop": "Stop another.", "let-be": "Let another be.", "finish": "End the game."},
    boards=boards,
    pause=pause,
    on_sheets=on_sheets,
)
