"""A small game of cards with no dice, for what a table does that no shipped game does alone: pauses, boards, sheets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from referee.actions import Action, GameState, Player
from referee.board import Board, BoardRow
from referee.calls import Call, Outcome, Reasons, Refusal, Verb
from referee.dice import DieSet
from referee.game import BadSheet, Game, Option


@dataclass(frozen=True)
class CardState(GameState):
    """How many cards each player has dropped, who is stopped, and who lets the others be."""

    stopped: tuple[int, ...] = ()
    content: tuple[int, ...] = ()


def setup(players: tuple[Player, ...], dice: DieSet, options: Mapping[str, str]) -> CardState:
    seats = tuple(player.seat for player in players)
    return CardState(players, dice, options, to_act=seats, scores=(0,) * len(players))


def drops(state: CardState, seat: int) -> Iterator[Action]:
    if seat not in state.stopped:
        yield Action(seat, "drop", choice="card")


def others(verb: str) -> Callable[[CardState, int], Iterator[Action]]:
    """The offers of a verb that is done to another player."""

    def offers(state: CardState, seat: int) -> Iterator[Action]:
        return (Action(seat, verb, choice=str(other)) for other in state.to_act if other != seat)

    return offers


def finishes(_state: CardState, seat: int) -> Iterator[Action]:
    if seat == 1:
        yield Action(seat, "finish")


def play(state: CardState, action: Action) -> Outcome[CardState]:
    call = Call(f"{state.name(action.player)}: {action.verb}.", "C.1")
    if action.verb == "drop":
        scores = (score + (seat == action.player) for seat, score in enumerate(state.scores, start=1))
        return replace(state, scores=tuple(scores)), (call,)
    if action.verb == "finish":
        return replace(state, to_act=(), winner=(1,)), (call,)
    field = "stopped" if action.verb == "stop" else "content"
    return replace(state, **{field: (*getattr(state, field), int(action.choice))}), (call,)


def refusals(state: CardState, action: Action) -> Reasons:
    yield Refusal(f"{state.name(action.player)} has been stopped.", "C.2")


def verb(name: str, help_text: str, offers: Callable[[CardState, int], Iterator[Action]]) -> Verb[CardState]:
    return Verb(name, "C.2", help_text, offers, play, title, refusals=refusals)


def title(state: CardState, action: Action) -> str:
    return f"{state.name(action.player)}: {action.verb}"


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


CARDS = Game(
    name="cards",
    title="Cards",
    die_set="",
    seats=(2, 2),
    options=(),
    state_type=CardState,
    rules=frozenset(("C.1", "C.2", "C.3", "AMB-C-1")),
    verbs=(
        verb("drop", "Drop a card.", drops),
        verb("stop", "Stop another.", others("stop")),
        verb("let-be", "Let another be.", others("let-be")),
        verb("finish", "End the game.", finishes),
    ),
    setup=setup,
    lay=lambda _: (),
    tell=lambda state: "Drop cards." if state.to_act else "The game is over.",
    fault=lambda *_: Refusal("No dice are thrown here.", "C.3"),
    boards=boards,
    pause=pause,
    on_sheets=on_sheets,
)
