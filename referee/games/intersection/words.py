"""Intersection in words: what the table waits for, and what a button says."""

from __future__ import annotations

from typing import Final

from referee.dice import Die
from referee.game import Action
from referee.games.intersection.play import counts, legal
from referee.games.intersection.table import (
    IntersectionState,
    Phase,
    points,
    spell,
    spell_list,
    traffic_faces,
    turn_points,
)


def tell(state: IntersectionState) -> str:
    """One sentence: who is to do what."""
    if state.phase == Phase.GAME_OVER:
        return f"{state.name(state.winner[0])} has won."
    ways = dict.fromkeys(_way(state, offer.verb) for offer in legal(state) if offer.verb not in _ALWAYS)
    worth = f", {turn_points(state)} parked" if state.parked else ""
    return f"{state.who}{worth}: {spell_list(list(ways), 'or')}."


_ALWAYS: Final = ("give-up", "vander")


def _way(state: IntersectionState, verb: str) -> str:
    title = _TITLES[_occasion(state, verb)].format(**_figures(state, ()))
    return f"{title[:1].lower()}{title[1:]}"


def offer_title(state: IntersectionState, action: Action) -> str:
    """What a button for the action says; also the words for an action already done."""
    if action.choice == "parked":
        return _PARKED_TITLES[action.verb]
    title = _PARK if action.verb == "park" else _TITLES[_occasion(state, action.verb)]
    return title.format(**_figures(state, action.dice))


def _occasion(state: IntersectionState, verb: str) -> str:
    return f"{state.phase} {verb}" if f"{state.phase} {verb}" in _TITLES else verb


def _figures(state: IntersectionState, dice: tuple[Die, ...]) -> dict[str, str]:
    left = len(state.field)
    return {
        "kept": f"keep {turn_points(state)}" if state.seat and counts(state, turn_points(state)) else "record nothing",
        "stake": str(turn_points(state)),
        "left": "the last die" if left == 1 else f"the other {left} dice" if state.parked else f"all {left} dice",
        "dice": spell(dice),
        "worth": str(points([*state.parked, *traffic_faces(dice)]) - points(state.parked)),
    }


_PARK: Final = "Park {dice} ({worth})"

_TITLES: Final = {
    "lot": "Throw the five Traffic dice",
    "roll": "Roll all six dice",
    "double roll": "Roll the last die with the signal",
    "fix": "Fix a sad face with a happy one",
    "go": "Roll the go with a sad face",
    "star": "Roll a star with the slow",
    "park": "Park scoring dice",
    "on": "Play on with {left}",
    "end": "End the turn and {kept}",
    "double": "Declare double or nothing for {stake}",
    "give-up": "Give up the turn",
    "vander": "A die left the table",
}

_PARKED_TITLES: Final = {
    "fix": "Fix a sad face with a parked happy one",
    "star": "Roll a parked star with the slow",
}
