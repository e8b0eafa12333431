"""Toss Up! in words, as boards, as facts of `vander check --json`, and how it is played in one minute."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypedDict

from referee.actions import Player
from referee.board import Board, BoardPart, DicePlace, Light, Lights, Token, Track
from referee.dice import Die, FaceName
from referee.game import PlayStep
from referee.games.toss_up.state import DICE, GREEN, KIND, YELLOW, TossUpState, end_refusal, target, to_beat
from referee.games.toss_up.verbs import next_roll
from referee.phrases import points
from referee.sentences import say, say_count

# Toss Up! in words: what the table waits for, and what lies before the players


LAST: Final = "last-turn"


def tell(state: TossUpState) -> str:
    """Return one sentence: who is to do what."""
    if not state.to_act:
        return _won(state)
    who: str = state.who
    if state.last_turns is not None:
        who = say("{who}, last turn, {total} to beat", who=who, total=to_beat(state))
    if not end_refusal(state):
        return say("{who}: keep {points} or roll {dice}?", who=who, points=points(state.points), dice=next_roll(state))
    if state.rolled:
        who = say("{who}, {points}", who=who, points=points(state.points))
    return say("{who}: roll {dice}.", who=who, dice=next_roll(state))


def _won(state: TossUpState) -> str:
    if not state.winner:
        return say("Nobody has won.")
    names, total = state.names(state.winner), state.scores[state.winner[0] - 1]
    return say_count(
        "{names} has won with {total}.",
        "{names} have won with {total}.",
        len(state.winner),
        names=names,
        total=total,
    )


def boards(state: TossUpState) -> tuple[Board, ...]:
    """Return the ten lights and the road in the middle, and before each player whether a last turn is still to come."""
    middle = Board(0, say("The lights"), parts=(*_turn(state), _road(state)))
    return (middle, *(_board(state, player) for player in state.players))


def _turn(state: TossUpState) -> Iterator[BoardPart]:
    if state.to_act:
        title = say("{aside} green, {dice} in hand", aside=state.aside, dice=DICE - state.aside)
        yield Lights("lights", title, tuple(_lights(state)))


def _lights(state: TossUpState) -> Iterator[Light]:
    """Yield green for the dice set aside, then the dice in hand as the last roll left them, unlit before a roll."""
    yield from (Light("green", is_lit=True, face=GREEN) for _ in range(state.aside))
    yield from (Light(face, is_lit=True, face=face) for face in reversed(state.field))
    unlit = DICE - state.aside - len(state.field)
    yield from (Light("white", is_lit=False) for _ in range(unlit))


def _road(state: TossUpState) -> Track:
    """Return the road, on which a tap takes the points of the turn; in the last turns it marks what is to be beaten."""
    at_risk = {state.seat: state.points} if state.to_act else {}
    tokens = tuple(
        Token(player.seat, state.scores[player.seat - 1], at_risk.get(player.seat, 0)) for player in state.players
    )
    marks = (to_beat(state),) if state.to_act and state.last_turns is not None else ()
    title = say("The road to {target}", target=target(state))
    return Track("road", title, target(state), tokens, marks, verbs=("end",))


def _board(state: TossUpState, player: Player) -> Board:
    """Return one yellow light for a player who still has a last turn after this one."""
    last = (Lights(LAST, say("Last turn to come"), (Light("yellow", is_lit=True),), look="titled"),)
    parts = last if player.seat in (state.last_turns or ()) else ()
    return Board(player.seat, player.name, parts=parts, brief=(LAST,) if parts else ())


# Toss Up! as `vander check --json` tells it. docs/record.md names every key, and none of them changes


class TossUpFacts(TypedDict):
    """The dice in hand as the last roll left them, the number of green dice set aside, and who has a last turn.

    `last_turns` are the seats that still have one after the present turn; None before anybody passed 100.
    """

    rolled: bool
    field: list[str]
    aside: int
    last_turns: list[int] | None


def facts(state: TossUpState) -> TossUpFacts:
    """Return what everybody at the table can see."""
    return TossUpFacts(
        rolled=state.rolled,
        field=list(state.field),
        aside=state.aside,
        last_turns=None if state.last_turns is None else list(state.last_turns),
    )


# How Toss Up! is played, in one minute


_GREEN, _YELLOW, _RED = (Die(KIND, face) for face in (GREEN, YELLOW, FaceName("red")))

STEPS: Final = (
    PlayStep(
        say("Roll all ten dice."),
        (DicePlace("", "", (_GREEN, _YELLOW, _GREEN, _RED, _GREEN, _YELLOW, _RED, _GREEN, _YELLOW, _YELLOW)),),
    ),
    PlayStep(
        say("Set the green ones aside: each is a point."), (DicePlace("", say("Aside"), (_GREEN,) * 4, points=4),)
    ),
    PlayStep(
        say("Roll the others again, or end the turn and keep its points."),
        (
            DicePlace("", say("Aside"), (_GREEN,) * 4, points=4),
            DicePlace("", say("Roll again"), (_YELLOW, _YELLOW, _YELLOW, _YELLOW, _RED, _RED)),
        ),
    ),
    PlayStep(
        say("Red and no green is a red light. The points of the turn are lost."),
        (DicePlace("", say("Red light"), (_YELLOW, _YELLOW, _YELLOW, _RED)),),
    ),
    PlayStep(
        say("All ten green? You may roll all ten again and keep the points."),
        (DicePlace("", "", (_GREEN,) * 10, points=10),),
    ),
    PlayStep(
        say("Whoever passes 100 starts the last turns; the highest total wins."),
        (Track("", say("Points"), 100, (Token(1, 55, at_risk=12),)),),
    ),
)
