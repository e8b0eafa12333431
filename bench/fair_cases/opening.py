"""How a case begins: a game played by the rules alone up to a fitting point, and the dice lying as it has them.

Nothing is rendered: hands lay the dice while nobody looks.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import dist

import numpy as np

from bench.fair_cases.table import NAMES
from bench.simulator_truth import truth
from hardware.simulator.virtual_tray import VirtualTray
from referee.actions import Action, DiePosition, GameState
from referee.dice import Die, DieSet, Zone
from referee.game import Game, begin
from referee.judge import judge

MOST_ACTIONS = 90
BAY_SPOTS = tuple((252.0 + 17.0 * (place % 3), 92.0 + 18.0 * (place // 3)) for place in range(18))
FIELD_SPOTS = tuple((25.0 + 22.0 * (place % 9), 40.0 + 24.0 * (place // 9)) for place in range(63))
"""Places in millimetres where hands lay dice."""
LONG = 8.0
"""Seconds after which everything lies still."""


@dataclass(frozen=True)
class Opening:
    """The actions that were done, where they lead, and a throw that may come next."""

    actions: tuple[Action, ...]
    state: GameState
    throw: Action


Wanted = Callable[[Game, GameState, Action], bool]
"""True if a case may begin at that state with that throw as the next one."""


def any_throw(_game: Game, _state: GameState, _throw: Action) -> bool:
    """Any state with any throw will do."""
    return True


def keeps_dice(game: Game, state: GameState, throw: Action) -> bool:
    """True if dice stay behind at the next throw that show what the rules go by."""
    return bool(kept_positions(game, state, throw))


def kept_positions(game: Game, state: GameState, throw: Action) -> list[DiePosition]:
    """Return where the dice lie that a throw leaves, and that must show what they show.

    Nothing where the throw takes any dice, whatever they show: then none is sure to be left.
    """
    left = list(game.lay(state))
    if any(position.die.face is None for position in game.thrown(state, throw)):
        return []
    for position in game.thrown(state, throw):
        fitting = [each for each in left if each.die == position.die] or [
            each for each in left if each.die.kind == position.die.kind and each.die.face is None
        ]
        if fitting:
            left.remove(fitting[0])
    return [each for each in left if each.die.face is not None]


def find_opening(game: Game, dice: DieSet, rng: random.Random, wanted: Wanted) -> Opening | None:
    """Play at random by the rules until a throw comes next that is wanted, after a few actions at least."""
    state = begin(game, NAMES[: max(game.seats[0], 2)], dice, {})
    actions, patience = list[Action](), rng.randint(0, 25)
    while state.to_act and len(actions) < MOST_ACTIONS:
        throws = [offer for offer in _offers(game, state) if offer.is_throw]
        fitting = [offer for offer in throws if wanted(game, state, offer)]
        if fitting and len(actions) >= patience:
            return Opening(tuple(actions), state, rng.choice(fitting))
        action = _chosen(game, state, rng)
        if action is None:
            return None
        action = with_faces(action, dice, rng)
        ruling = judge(game, state, action)
        assert ruling.refusal is None, (action, ruling.refusal)
        actions.append(action)
        state = ruling.state
    return None


def _offers(game: Game, state: GameState) -> list[Action]:
    return [offer for offer in game.legal(state) if offer.verb not in (*game.grave, game.lost)]


def _chosen(game: Game, state: GameState, rng: random.Random) -> Action | None:
    verbs = dict[str, list[Action]]()
    for offer in _offers(game, state):
        verbs.setdefault(offer.verb, []).append(offer)
    for dull in ("price", "erase", "not-ready"):
        if len(verbs) > 1:
            verbs.pop(dull, None)
    if len(verbs) > 1 and rng.random() < 0.6:
        for end in game.ends_turn:
            verbs.pop(end, None)
    return rng.choice(verbs[rng.choice(list(verbs))]) if verbs else None


def with_faces(offer: Action, dice: DieSet, rng: random.Random) -> Action:
    """Return the offer with chance's faces."""
    sides = {kind.name: [side.name for side in kind.sides] for kind in dice.kinds}
    shown = tuple(Die(die.kind, die.face or rng.choice(sides[die.kind])) for die in offer.dice)
    return replace(offer, dice=shown)


# Hands that lay dice while nobody looks


def lay_out(tray: VirtualTray, layout: Sequence[DiePosition], rng: random.Random, thrown: bool = True) -> None:
    """Throw all dice, then turn and carry them until they lie as they should; '()' is anywhere.

    With `thrown` False they are carried only: throws of this tray may lean or leave.
    """
    numbers = [int(die["number"]) for die in tray.dice()]
    if thrown:
        tray.throw(numbers)
        tray.advance(LONG)
    for number in () if thrown else numbers:
        carry_to(tray, number, rng.uniform(30, 210), rng.uniform(40, 190))
    for number, position in _assigned(tray, layout):
        turn_to(tray, number, position.die)
        for x, y in _places(tray, position, rng):
            carry_to(tray, number, x, y)


def turn_to(tray: VirtualTray, number: int, die: Die) -> bool:
    """Tip a die until it shows that face; nobody looks. False if it cannot."""
    for _ in range(6):
        if die.face is None or truth(tray)[number].face == die.face:
            return True
        tray.tip(number)
        tray.advance(LONG)
    return False


def carry_to(tray: VirtualTray, number: int, x_mm: float, y_mm: float) -> None:
    """Carry a die to a place on the table; nobody looks."""
    tray.move(number, *fraction(tray, x_mm, y_mm))
    tray.advance(LONG)


def fraction(tray: VirtualTray, x_mm: float, y_mm: float) -> tuple[float, float]:
    """Return where a place on the table is in the picture, as fractions of its sides."""
    x, y = np.asarray(tray.lens.project(np.array([[x_mm, y_mm, tray.die_set.edge_mm / 2]])))[0]
    return float(x / tray.size[0]), float(y / tray.size[1])


def _places(tray: VirtualTray, position: DiePosition, rng: random.Random) -> Iterator[tuple[float, float]]:
    """Yield where a die is carried, if it has to be: in the bay far from others, which would be in its way."""
    if position.zone is Zone.ASIDE or (position.zone is None and position.die.face is not None and rng.random() < 0.4):
        lying = [(die.x_mm, die.y_mm) for die in truth(tray).values()]
        yield max(rng.sample(BAY_SPOTS, 6), key=lambda spot: min(dist(spot, one) for one in lying))
    elif position.zone is Zone.SIGNAL:
        yield 266.0, 34.0


def _assigned(tray: VirtualTray, layout: Sequence[DiePosition]) -> Iterator[tuple[int, DiePosition]]:
    kinds = {die.number: die.kind.name for die in tray.scene().dice}
    free = sorted(kinds)
    for position in sorted(layout, key=lambda each: each.die.face is None):
        fitting = [number for number in free if kinds[number] == position.die.kind]
        same = [number for number in fitting if truth(tray)[number].face == position.die.face]
        number = (same or fitting)[0]
        free.remove(number)
        yield number, position
