"""The odds of Intersection: every throw that may be made, tried with all its outcomes by the game's own rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations_with_replacement, product
from math import factorial, prod
from typing import Final

from referee.actions import Action
from referee.chances import Chance
from referee.dice import Die, DieKind, DieSet
from referee.games.intersection import GAME, IntersectionPhase, IntersectionState
from referee.games.intersection.state import GO, SAD, signal_face, traffic_faces
from referee.sentences import as_part, say

ThrowOutcome = tuple[Action, IntersectionState, int]
"""A throw with its faces, the state after it, and the number of ways in which it comes about."""


def chances(state: IntersectionState) -> tuple[Chance, ...]:
    """Return the figures of every throw that may be made now, of playing on after each parking, and of the double.

    Where double or nothing may be declared, it or ending is advised, whichever brings more points on average; playing
    on is not weighed against them, since what it brings depends on all that may follow.
    """
    offers = GAME.legal(state)
    throws = (chance for offer in offers if offer.is_throw for chance in _of_throw(state, offer))
    parked = (chance for offer in offers if offer.verb == "park" for chance in _on_after(state, offer))
    return (*throws, *parked, *_stake(state, {offer.verb: offer for offer in offers}))


def _of_throw(state: IntersectionState, offer: Action) -> Iterator[Chance]:
    if state.phase == IntersectionPhase.DOUBLE:
        yield from _double_or_nothing(state)
        return
    title = GAME.offer_title(state, offer)
    for figure, wanted in _FIGURES.get(offer.verb, ()):
        yield Chance(_figure_of(title, figure), _chance(state, offer, wanted), "chance")


def _figure_of(way: str, figure: str) -> str:
    return say("{way}: {figure}", way=way, figure=figure)


def _on_after(state: IntersectionState, park: Action) -> Iterator[Chance]:
    after, _ = GAME.play(state, park)
    for on in (offer for offer in GAME.legal(after) if offer.verb == "on"):
        going_on = as_part(GAME.offer_title(after, on))
        way = say("{park}, then {going_on}", park=GAME.offer_title(state, park), going_on=going_on)
        yield Chance(_figure_of(way, _DEAD), _chance(after, on, _is_dead), "chance")


def _stake(state: IntersectionState, offers: Mapping[str, Action]) -> Iterator[Chance]:
    if "double" not in offers or "end" not in offers:
        return
    kept = _gained(state, GAME.play(state, offers["end"])[0])
    declared, _ = GAME.play(state, offers["double"])
    succeeds, average = _double_or_nothing(declared, kept)
    yield from (succeeds, average)
    yield Chance(GAME.offer_title(state, offers["end"]), kept, "points", advised=not average.advised)


def _double_or_nothing(declared: IntersectionState, kept: float | None = None) -> tuple[Chance, Chance]:
    """Return the chance of success and the average points, advised if these are more than the points kept."""
    (roll,) = (offer for offer in GAME.legal(declared) if offer.is_throw)
    succeeds = _chance(declared, roll, lambda before, _throw, after: _gained(before, after) > 0)
    points = _average(declared, roll)
    return (
        Chance(say("Double or nothing: it succeeds"), succeeds, "chance"),
        Chance(say("Double or nothing: on average"), points, "points", advised=kept is not None and points > kept),
    )


# What is asked of an outcome

Wanted = Callable[[IntersectionState, Action, IntersectionState], bool]


def _is_dead(before: IntersectionState, _throw: Action, after: IntersectionState) -> bool:
    return after.turns != before.turns


def _goes_on(before: IntersectionState, _throw: Action, after: IntersectionState) -> bool:
    return after.turns == before.turns


def _is_parkable(_before: IntersectionState, _throw: Action, after: IntersectionState) -> bool:
    return any(offer.verb == "park" for offer in GAME.legal(after))


def _has_no_sad_face(_before: IntersectionState, throw: Action, _after: IntersectionState) -> bool:
    return SAD not in traffic_faces(throw.dice)


def _shows_go(_before: IntersectionState, throw: Action, _after: IntersectionState) -> bool:
    return signal_face(throw.dice) == GO


def _gained(before: IntersectionState, after: IntersectionState) -> int:
    return sum(after.scores) - sum(before.scores)


_DEAD: Final = say("the turn is over at once")
_PARKABLE: Final = (say("dice can be parked at once"), _is_parkable)
_FIGURES: Final[Mapping[str, tuple[tuple[str, Wanted], ...]]] = {
    "roll": ((_DEAD, _is_dead), _PARKABLE),
    "fix": ((say("neither die is sad"), _has_no_sad_face), _PARKABLE),
    "go": ((say("the turn goes on"), _goes_on), _PARKABLE),
    "star": ((say("the signal shows go"), _shows_go), (say("the turn goes on"), _goes_on), _PARKABLE),
    "on": ((_DEAD, _is_dead), _PARKABLE),
}


# Outcomes


def _chance(state: IntersectionState, offer: Action, wanted: Wanted) -> float:
    hits = (ways for throw, after, ways in _outcomes(state, offer) if wanted(state, throw, after))
    return sum(hits) / _ways(state, offer)


def _average(state: IntersectionState, offer: Action) -> float:
    return sum(_gained(state, after) * ways for _, after, ways in _outcomes(state, offer)) / _ways(state, offer)


def _ways(state: IntersectionState, offer: Action) -> int:
    return prod(len(state.dice.kind(die.kind).sides) for die in offer.dice)


@lru_cache(maxsize=128)
def _outcomes(state: IntersectionState, offer: Action) -> tuple[ThrowOutcome, ...]:
    """Return the outcomes of a throw, each roll of interchangeable dice once."""
    throws = ((Action(offer.player, offer.verb, dice, offer.choice), ways) for dice, ways in _rolls(state.dice, offer))
    return tuple((throw, GAME.play(state, throw)[0], ways) for throw, ways in throws)


def _rolls(dice: DieSet, offer: Action) -> Iterator[tuple[tuple[Die, ...], int]]:
    kinds = Counter(die.kind for die in offer.dice)
    for rolls in product(*(_rolls_of(dice.kind(kind), count) for kind, count in kinds.items())):
        yield tuple(die for shown, _ in rolls for die in shown), prod(ways for _, ways in rolls)


@lru_cache(maxsize=16)
def _rolls_of(kind: DieKind, count: int) -> tuple[tuple[tuple[Die, ...], int], ...]:
    """Return every roll of `count` dice of a kind, with the number of ways in which it falls."""
    sides = Counter(side.name for side in kind.sides)
    rolls = combinations_with_replacement(sides, count)
    return tuple(
        (
            tuple(Die(kind.name, face) for face in faces),
            factorial(count) // prod(map(factorial, Counter(faces).values())) * prod(sides[face] for face in faces),
        )
        for faces in rolls
    )
