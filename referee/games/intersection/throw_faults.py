"""Throws of Intersection that no legal action explains, each with the rule that it breaks."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from referee.actions import Action, DiePosition
from referee.calls import Refusal
from referee.dice import FaceName, Zone
from referee.games.intersection.legality import go_offers, park_offers
from referee.games.intersection.state import (
    GO,
    HAPPY,
    SAD,
    SLOW,
    STAR,
    TRAFFIC,
    IntersectionPhase,
    IntersectionState,
    put,
    take,
    traffic,
    traffic_faces,
)
from referee.games.intersection.turns import PARK_FIRST, no_double_roll, no_fix, no_go, no_star
from referee.games.intersection.verbs import PARK
from referee.phrases import FACE_WORDS, spell
from referee.sentences import say, say_count
from referee.verb import Reasons


def fault(state: IntersectionState, thrown: tuple[DiePosition, ...], kept: tuple[DiePosition, ...]) -> Refusal:
    """Return the rule that a throw breaks. `thrown` are the dice where they lay before, `kept` where they lie now."""
    parked = _newly_parked(state, kept)
    park = Action(state.seat, "park", traffic(parked))
    out_of_phase = next(_thrown_out_of_phase(state, thrown), None)
    if out_of_phase:
        return out_of_phase
    if parked and park not in park_offers(state, state.seat):
        return PARK.why_not(state, park)
    return _badly_thrown(_with_parked(state, parked), thrown, kept)


def _thrown_out_of_phase(state: IntersectionState, thrown: tuple[DiePosition, ...]) -> Reasons:
    dice = _so_many(thrown)
    lot = say("Throw with the five Traffic dice now, not {dice}.", dice=dice)
    if state.phase == IntersectionPhase.SETUP:
        yield Refusal(lot, "I.2-1")
    if state.phase == IntersectionPhase.TIE_ROLL:
        yield Refusal(lot, "I.2-21")
    if state.phase == IntersectionPhase.START:
        yield Refusal(say("Start your turn with all six dice together, not {dice}.", dice=dice), "I.2-2")
    if state.phase == IntersectionPhase.DOUBLE:
        alone = say("Double or nothing is rolled with the last Traffic die and the Signal die alone.")
        yield Refusal(alone, "I.2-13")


def _newly_parked(state: IntersectionState, kept: tuple[DiePosition, ...]) -> tuple[FaceName, ...]:
    aside = traffic_faces(lying.die for lying in kept if lying.zone is Zone.ASIDE)
    return take(aside, state.parked)


def _with_parked(state: IntersectionState, faces: tuple[FaceName, ...]) -> IntersectionState:
    if not faces:
        return state
    phase = IntersectionPhase.MUST_PLAY_ON if state.signal == SLOW else IntersectionPhase.PARKED
    return replace(state, phase=phase, field=take(state.field, faces), parked=put(state.parked, faces))


def _badly_thrown(state: IntersectionState, thrown: tuple[DiePosition, ...], kept: tuple[DiePosition, ...]) -> Refusal:
    faces = traffic_faces(lying.die for lying in thrown)
    if len(thrown) > _count_traffic(thrown):
        reasons, otherwise = _bad_signal(state, thrown, faces), _NO_PAIR
    elif sorted(faces) == sorted((HAPPY, SAD)):
        choice = "parked" if any(lying.zone is Zone.ASIDE for lying in thrown) else ""
        reasons, otherwise = no_fix(state, Action(state.seat, "fix", choice=choice)), _MISPLACED
    else:
        reasons, otherwise = _bad_traffic(state, thrown, kept, faces), _NO_OTHER
    return next(reasons, otherwise)


_NO_PAIR: Final = Refusal(say("The Signal die goes with a sad face, a star, or double or nothing."), "I.2-4")
_MISPLACED: Final = Refusal(say("Leave the dice that you do not roll where they are."), "I.2-12")
_NO_OTHER: Final = Refusal(say("To play on, roll all dice that are not parked, and no others."), "I.2-12")


def _bad_signal(state: IntersectionState, thrown: tuple[DiePosition, ...], faces: tuple[FaceName, ...]) -> Reasons:
    count = _count_traffic(thrown)
    if count == 0:
        yield Refusal(say("Never roll the Signal die alone."), "I.2-4")
    if count > 1:
        yield Refusal(say("Roll the Signal die with one Traffic die, not with {dice}.", dice=count), "I.2-4")
    yield from no_double_roll(state)
    if faces == (SAD,):
        yield from no_go(state, Action(state.seat, "go"))
    if faces == (STAR,):
        yield from no_star(state, Action(state.seat, "star"))


def _bad_traffic(
    state: IntersectionState,
    thrown: tuple[DiePosition, ...],
    kept: tuple[DiePosition, ...],
    faces: tuple[FaceName, ...],
) -> Reasons:
    played_on = len(faces) == len(state.field)
    if faces == (SAD,) and any(go_offers(state, state.seat)):
        alone = say("Without a happy face, roll the sad one with the Signal die, not alone.")
        yield Refusal(alone, "I.2-8")
    if SAD in faces and not played_on:
        yield from no_fix(state, Action(state.seat, "fix"))
        yield _one_happy(faces)
    yield from _parked_touched(state, thrown, kept)
    if SAD in state.field and len(faces) == 2 and state.is_happy_face_there:
        yield _one_happy(faces)
    if SAD in state.field:
        yield _unfixed(state)
    if state.phase == IntersectionPhase.RESOLVE:
        yield Refusal(PARK_FIRST, "I.2-11")
    if len(state.field) > len(faces):
        yield _left_lying(len(state.field) - len(faces))


def _one_happy(faces: tuple[FaceName, ...]) -> Refusal:
    if faces == (SAD,):
        return Refusal(say("Roll a sad face together with one happy face, not alone."), "I.2-7")
    dice = spell(traffic(faces))
    return Refusal(say("Fix a sad face by rolling it with one happy face. You rolled {dice}.", dice=dice), "I.2-7")


def _left_lying(count: int) -> Refusal:
    sentence = say_count(
        "To play on, roll all dice that are not parked. {count} die was left lying.",
        "To play on, roll all dice that are not parked. {count} dice were left lying.",
        count,
    )
    return Refusal(sentence, "I.2-12")


def _unfixed(state: IntersectionState) -> Refusal:
    """Return what should have been rolled while a sad face lies: with a happy face, else the go, else the slow."""
    if state.is_happy_face_there:
        unfixed = say("Fix the sad faces first: roll each one with a happy face.")
        return Refusal(unfixed, "I.2-6")
    if state.signal == GO:
        go_first = say("Without a happy face, first roll one sad face with the Signal die.")
        return Refusal(go_first, "I.2-8")
    only_star = say("There is no happy face, and the signal shows slow. Roll it with a star.")
    return Refusal(only_star, "I.2-9")


def _parked_touched(
    state: IntersectionState, thrown: tuple[DiePosition, ...], kept: tuple[DiePosition, ...]
) -> Reasons:
    rolled = traffic_faces(lying.die for lying in thrown if lying.zone is Zone.ASIDE)[:1]
    if rolled:
        face = FACE_WORDS[rolled[0]]
        yield Refusal(say("A parked {face} was rolled. Leave parked dice where they are.", face=face), "I.2-12")
    lying = traffic_faces(die.die for die in kept if die.zone is Zone.FIELD)
    if take(lying, state.field):
        yield Refusal(say("A parked die was put back on the field. Leave it parked."), "I.2-12")


def _count_traffic(thrown: tuple[DiePosition, ...]) -> int:
    return sum(lying.die.kind == TRAFFIC for lying in thrown)


def _so_many(thrown: tuple[DiePosition, ...]) -> str:
    """Return with how many dice was thrown, in words: `with the Signal die and 3 Traffic dice`."""
    traffic_dice = _count_traffic(thrown)
    if not traffic_dice:
        return say("with the Signal die alone")
    if len(thrown) == traffic_dice:
        return say_count("with {count} Traffic die", "with {count} Traffic dice", traffic_dice)
    return say_count(
        "with the Signal die and {count} Traffic die", "with the Signal die and {count} Traffic dice", traffic_dice
    )
