"""What may be done in Intersection, verb by verb."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, product
from typing import Final

from referee.actions import Action
from referee.dice import Die, FaceName
from referee.games.intersection.state import (
    ANY_TRAFFIC,
    DOUBLE_DICE,
    GO,
    HAPPY,
    LOTS,
    OPENING,
    PAIR,
    PARKED_HAPPY,
    SAD,
    SET_SIZE,
    SLOW,
    STAR,
    STAR_AFTER_PARK,
    STAR_WITH_SAD,
    TRAFFIC_DICE,
    IntersectionPhase,
    IntersectionState,
    may_record,
    scores_alone,
    traffic,
)

PARKING: Final = (IntersectionPhase.RESOLVE, IntersectionPhase.PARKED, IntersectionPhase.MUST_PLAY_ON)
"""In these phases dice lie on the field that may be parked, and a star may be rolled with the slow."""
DECIDING: Final = (*PARKING, IntersectionPhase.DOUBLE)
"""In these phases a turn goes on after its first roll."""


def lot_offers(state: IntersectionState, seat: int) -> Iterator[Action]:
    """Offer five Traffic dice for the first turn, or for a tie (I.2-1, I.2-21)."""
    if state.phase in LOTS:
        yield Action(seat, "lot", (ANY_TRAFFIC,) * TRAFFIC_DICE)


def roll_offers(state: IntersectionState, seat: int) -> Iterator[Action]:
    """Offer all six dice at the start of a turn (I.2-2), the last die and the signal for double or nothing (I.2-13)."""
    if state.phase == IntersectionPhase.START:
        yield Action(seat, "roll", OPENING)
    if state.phase == IntersectionPhase.DOUBLE:
        yield Action(seat, "roll", PAIR)


def fix_offers(state: IntersectionState, seat: int) -> Iterator[Action]:
    """Offer a happy and a sad face, rolled together (I.2-7)."""
    if state.phase != IntersectionPhase.RESOLVE or SAD not in state.field:
        return
    if HAPPY in state.field:
        yield Action(seat, "fix", (ANY_TRAFFIC,) * 2, "field")
    if HAPPY in state.parked and not (HAPPY in state.field and state.chose(PARKED_HAPPY, "field-first")):
        yield Action(seat, "fix", (ANY_TRAFFIC,) * 2, "parked")


def go_offers(state: IntersectionState, seat: int) -> Iterator[Action]:
    """Offer the go and a sad face, rolled together where no happy face is on the field or parked (I.2-8)."""
    if (
        state.phase == IntersectionPhase.RESOLVE
        and state.signal == GO
        and SAD in state.field
        and not state.is_happy_face_there
    ):
        yield Action(seat, "go", PAIR)


def star_offers(state: IntersectionState, seat: int) -> Iterator[Action]:
    """Offer the slow and a star, rolled together (I.2-9)."""
    if state.phase not in PARKING or state.signal != SLOW or star_waits_for_play(state) or star_waits_for_fix(state):
        return
    if STAR in state.field:
        yield Action(seat, "star", PAIR, "field")
    if STAR in state.parked:
        yield Action(seat, "star", PAIR, "parked")


def star_waits_for_play(state: IntersectionState) -> bool:
    """True if the player has to play on before a star may be rolled (AMB-I-5)."""
    return state.phase == IntersectionPhase.MUST_PLAY_ON and state.chose(STAR_AFTER_PARK, "play-on-first")


def star_waits_for_fix(state: IntersectionState) -> bool:
    """True if a sad face has to be fixed before a star may be rolled (AMB-I-3)."""
    return state.chose(STAR_WITH_SAD, "last-resort") and any(fix_offers(state, state.seat))


def park_offers(state: IntersectionState, seat: int) -> Iterator[Action]:
    """Offer every choice of scoring dice, one at least, that may be parked (I.2-6, I.2-10).

    More dice of the same roll may be parked before the player goes on: parking them one after another has the same
    effect as parking them together, as long as each step is legal.
    """
    if state.phase not in PARKING or SAD in state.field:
        return
    field = Counter(state.field)
    for counts in product(*(_parkable(state, face, count) for face, count in field.items())):
        faces = [face for face, count in zip(field, counts, strict=True) for _ in range(count)]
        if faces:
            yield Action(seat, "park", traffic(faces))


def _parkable(state: IntersectionState, face: FaceName, count: int) -> tuple[int, ...]:
    fewest = 1 if scores_alone(state, face) else SET_SIZE
    return (0, *range(fewest, count + 1))


def on_offers(state: IntersectionState, seat: int) -> Iterator[Action]:
    """Offer all Traffic dice that are not parked, rolled together (I.2-12)."""
    if state.phase in (IntersectionPhase.PARKED, IntersectionPhase.MUST_PLAY_ON) and state.field:
        yield Action(seat, "on", (ANY_TRAFFIC,) * len(state.field))


def end_offers(state: IntersectionState, seat: int) -> Iterator[Action]:
    """Offer to end the turn with its points (I.2-11, I.2-17)."""
    if state.phase == IntersectionPhase.PARKED and may_record(state):
        yield Action(seat, "end")


def double_offers(state: IntersectionState, seat: int) -> Iterator[Action]:
    """Offer double or nothing with four dice parked (I.2-13)."""
    if state.phase == IntersectionPhase.PARKED and len(state.parked) == DOUBLE_DICE and may_record(state):
        yield Action(seat, "double")


def give_up_offers(state: IntersectionState, seat: int) -> Iterator[Action]:
    """Offer to give up a turn that has been opened (I.2-16)."""
    if state.phase in DECIDING:
        yield Action(seat, "give-up")


def vander_offers(state: IntersectionState, seat: int) -> Iterator[Action]:
    """Offer the Vander Rule in a player's own turn (I.2-19)."""
    if state.phase in (IntersectionPhase.START, *DECIDING):
        yield Action(seat, "vander")


def decisions(state: IntersectionState) -> Iterator[Action]:
    """Return all that the player to act may do now, but to end the turn for nothing."""
    ways = (
        lot_offers,
        roll_offers,
        end_offers,
        double_offers,
        fix_offers,
        go_offers,
        on_offers,
        star_offers,
        park_offers,
    )
    return chain.from_iterable(way(state, state.seat) for way in ways)


def settle(state: IntersectionState) -> IntersectionState:
    """Return the state with `dice_awaited`: set while one and the same throw is all that may be done."""
    awaited = _awaited(state)
    return state if awaited == state.dice_awaited else replace(state, dice_awaited=awaited)


def _awaited(state: IntersectionState) -> tuple[Die, ...]:
    throws = set[tuple[Die, ...]]()
    for way in decisions(state):
        if not way.is_throw:
            return ()
        throws.add(way.dice)
    return throws.pop() if len(throws) == 1 else ()
