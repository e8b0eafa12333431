"""Intersection in words, as boards, as facts of `vander check --json`, and how it is played in one minute."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Final, TypedDict

from referee.actions import Action, Player
from referee.board import Board, BoardPart, DicePlace, Light, Lights, Tally, Token, Track, tell_winner
from referee.calls import Verb
from referee.dice import Die
from referee.game import PlayStep
from referee.games.intersection.state import (
    COME_IN_POINTS,
    FOUR,
    GO,
    GOAL_POINTS,
    HAPPY,
    LOTS,
    SAD,
    SIGNAL,
    SLOW,
    STAR,
    STOP,
    TRAFFIC_DICE,
    TWO,
    IntersectionPhase,
    IntersectionState,
    counts,
    in_turns,
    traffic,
    turn_points,
)
from referee.games.intersection.turns import ON
from referee.games.intersection.verbs import DOUBLE, END, PARK, VERBS
from referee.phrases import spell_list
from referee.sentences import as_part, say

# Intersection in words: what the table waits for, and what lies before the players


def tell(state: IntersectionState) -> str:
    """Return one sentence: who is to do what."""
    if state.phase == IntersectionPhase.GAME_OVER:
        return in_turns(state) if state.is_solo else tell_winner(state)
    offered = (verb for verb in VERBS if not verb.grave and any(verb.offers(state, state.seat)))
    titles = [as_part(verb.title_of(state, Action(state.seat, verb.name))) for verb in offered]
    ways = spell_list(titles, "or")
    if state.phase == IntersectionPhase.SETUP:
        return say("{who}: {ways}; the most happy faces start.", who=state.who, ways=ways)
    if state.phase == IntersectionPhase.TIE_ROLL:
        return say("{who}: {ways}; the most happy faces win.", who=state.who, ways=ways)
    if not state.parked:
        return say("{who}: {ways}.", who=state.who, ways=ways)
    choices = [words for verb, words in _choices(state).items() if any(verb.offers(state, state.seat))]
    if len(choices) > 1 and any(END.offers(state, state.seat)):
        return say("{who}: {ways}?", who=state.who, ways=spell_list(choices, "or"))
    return say("{who}, {points} parked: {ways}.", who=state.who, points=turn_points(state), ways=ways)


def _choices(state: IntersectionState) -> Mapping[Verb[IntersectionState], str]:
    """Return the choices of a turn that may be ended, in few words: its buttons say the rest."""
    points = turn_points(state)
    return {
        PARK: say("park more"),
        END: say("keep {points}", points=points) if counts(state, points) else say("end without points"),
        ON: say("play on"),
        DOUBLE: say("double it"),
    }


_COLOURS: Final = {STOP: "red", SLOW: "yellow", GO: "green"}
"""The Signal's faces as a traffic light has them, from above."""


def boards(state: IntersectionState) -> tuple[Board, ...]:
    """Return the Signal, the parked dice and the road in the middle, and before each player what is to come."""
    title = say("Who begins") if state.phase == IntersectionPhase.SETUP else say("The road")
    players = tuple(_board(state, player) for player in state.players)
    return (Board(0, title, parts=(*_lots(state), *_turn(state), _road(state))), *players)


def _lots(state: IntersectionState) -> Iterator[BoardPart]:
    """Yield a light for each happy face that those who throw for the first turn, or for a tie, have thrown so far."""
    for seat, happy in zip_longest(state.contenders, state.lots, fillvalue=0) if state.phase in LOTS else ():
        lights = tuple(Light("green", place < happy) for place in range(TRAFFIC_DICE))
        yield Lights(f"lot-{seat}", state.name(seat), lights, look="titled")


def _turn(state: IntersectionState) -> Iterator[BoardPart]:
    """Yield the Signal as a traffic light, and the lane of parked dice, whose points stand next to the turn."""
    if state.to_act and state.phase not in LOTS:
        lights = tuple(Light(colour, state.signal == face, face) for face, colour in _COLOURS.items())
        yield Lights("signal", say("Signal"), lights, look="upright")
        yield DicePlace(
            "parked",
            say("Parked"),
            traffic(state.parked),
            room=TRAFFIC_DICE,
            verbs=("park", "double"),
        )


def _road(state: IntersectionState) -> Track:
    """Return the road to 5000, on which a tap takes the points of the turn."""
    tokens = tuple(
        Token(player.seat, state.scores[player.seat - 1], turn_points(state) if player.seat in state.to_act else 0)
        for player in state.players
    )
    is_anybody_out = not all(map(state.come_in, state.present))
    marks = (COME_IN_POINTS,) if is_anybody_out else ()
    title = say("The road to {target}", target=GOAL_POINTS)
    return Track("road", title, GOAL_POINTS, tokens, marks, verbs=("end",))


def _board(state: IntersectionState, player: Player) -> Board:
    parts = tuple(_player_parts(state, player.seat))
    return Board(player.seat, player.name, parts=parts, brief=tuple(part.key for part in parts))


def _player_parts(state: IntersectionState, seat: int) -> Iterator[BoardPart]:
    """Yield a lone player's turns, and a last turn that is still to come."""
    if state.is_solo:
        yield Tally("turns", say("Turns"), state.turns[seat - 1])
    if seat in (state.last_turns or ()):
        yield Lights("last-turn", say("Last turn to come"), (Light("yellow", is_lit=True),), look="titled")


# Intersection as `vander check --json` tells it. docs/record.md names every key, and none of them changes


class IntersectionFacts(TypedDict):
    """The Signal die ('' between turns), the faces on the field and parked, and the turns had so far.

    `starter` is 0 until somebody starts. `last_turns` are the seats that still have their last turn, the present one
    first; None before anybody has reached 5000.
    """

    phase: str
    signal: str
    field: list[str]
    parked: list[str]
    starter: int
    turns: list[int]
    last_turns: list[int] | None


def facts(state: IntersectionState) -> IntersectionFacts:
    """Return what everybody at the table can see."""
    return IntersectionFacts(
        phase=state.phase.value,
        signal=state.signal,
        field=list(state.field),
        parked=list(state.parked),
        starter=state.starter,
        turns=list(state.turns),
        last_turns=None if state.last_turns is None else list(state.last_turns),
    )


# How Intersection is played, in one minute


_LIGHTS: Final = (Light("red", True, STOP), Light("yellow", True, SLOW), Light("green", True, GO))
_ROAD: Final = Track("", say("The road"), GOAL_POINTS, (Token(1, 1200, at_risk=450),), (COME_IN_POINTS,))

STEPS: Final = (
    PlayStep(
        say("Roll all six dice: five Traffic dice and the Signal die."),
        (DicePlace("", "", (*traffic((HAPPY, STAR, SAD, TWO, FOUR)), Die(SIGNAL, GO))),),
    ),
    PlayStep(
        say("Stop: your turn ends without points. Slow: you play on. Go: you choose."),
        (Lights("", "", _LIGHTS, look="upright"),),
    ),
    PlayStep(
        say("Fix each sad face: roll it again, together with a happy one."),
        (DicePlace("", say("Roll these two"), traffic((SAD, HAPPY))),),
    ),
    PlayStep(
        say("Park dice that score: stars, happy faces, or three of a number."),
        (
            DicePlace("", say("Star"), traffic((STAR,)), points=50),
            DicePlace("", say("Happy"), traffic((HAPPY,)), points=100),
            DicePlace("", say("Three fours"), traffic((FOUR,) * 3), points=400),
        ),
    ),
    PlayStep(
        say("Then end the turn and keep the points. Or play on and risk them."),
        (
            DicePlace("", say("Parked"), traffic((FOUR, FOUR, FOUR, STAR)), points=450),
            DicePlace("", say("Left"), traffic((TWO,))),
        ),
    ),
    PlayStep(
        say("Your first score needs 300. At 5000 the last turns begin. The most points win."),
        (_ROAD,),
    ),
)
