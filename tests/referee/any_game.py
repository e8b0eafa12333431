"""What the laws of all games share: games played at random, and hands that play them on a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from models.die_sets import load
from referee.actions import Action, DiePosition, GameState
from referee.dice import Die, DieSet, Seen, SeenDie, Zone
from referee.game import Game, begin
from referee.judge import judge

QUIET = settings(deadline=None, max_examples=30, suppress_health_check=[HealthCheck.too_slow])
"""No law is about time, and a machine may be busy."""
NAMES = ("Ann", "Bob", "Cy", "Dee", "Eli", "Fay", "Gus", "Hal")


@dataclass(frozen=True)
class Played:
    """A game from its start: the actions done, and the state before the first and after each."""

    game: Game
    start: GameState
    actions: tuple[Action, ...]
    states: tuple[GameState, ...]

    @property
    def end(self) -> GameState:
        return self.states[-1]


def dice_of(game: Game) -> DieSet:
    """The dice that a game is played with; ordinary ones where any will do."""
    return load(game.die_set or "d6")


@st.composite
def played_at_random(draw: st.DrawFn, game: Game, most: int = 40) -> Played:
    """A start with any options, and legal actions from it; what ends a turn for nothing is the least likely."""
    fewest, seats = game.seats
    names = NAMES[: draw(st.integers(fewest, min(seats, 4)))]
    options = {option.name: draw(st.sampled_from([value for value, _ in option.readings])) for option in game.options}
    states, done = [begin(game, names, dice_of(game), options)], list[Action]()
    for _ in range(draw(st.integers(1, most))):
        offers = game.legal(states[-1])
        if not offers:
            break
        cheap = [offer for offer in offers if offer.verb not in (*game.grave, game.lost)]
        action = filled(draw(st.sampled_from([*cheap * 8, *offers])), states[-1].dice, draw)
        ruling = judge(game, states[-1], action)
        assert not ruling.refusal, (action, ruling.refusal)
        assert ruling.calls, action
        done.append(action)
        states.append(ruling.state)
    return Played(game, states[0], tuple(done), tuple(states))


def filled(offer: Action, dice: DieSet, draw: st.DrawFn) -> Action:
    """The offer with chance's faces, each side of a die as likely as another."""
    sides = {kind.name: [side.name for side in kind.sides] for kind in dice.kinds}
    shown = [Die(die.kind, die.face or draw(st.sampled_from(sides[die.kind]))) for die in offer.dice]
    return replace(offer, dice=tuple(shown))


class Hands:
    """Hands that play a game on a table: what a perfect camera would see of it."""

    def __init__(self) -> None:
        self.dice: list[SeenDie] = []
        self.throw = 0
        self.number = 0

    def seen(self) -> Seen:
        return Seen(tuple(self.dice), self.throw)

    def sweep(self) -> None:
        """Take all dice up, as one does between turns."""
        self.dice = []

    def put_aside(self, dice: Sequence[Die], layout: Sequence[DiePosition]) -> None:
        """Carry dice to the bay, unless the rules let them lie where they are."""
        for die in dice:
            found = next(each for each in self.dice if each.die == die and each.zone is Zone.FIELD)
            if not layout or DiePosition(die, Zone.ASIDE) in layout:
                self.dice[self.dice.index(found)] = replace(found, zone=Zone.ASIDE)

    def roll(self, old: Sequence[DiePosition], dice: Sequence[Die]) -> None:
        """Pick up the old dice and throw them; so they fall."""
        for lying in sorted(old, key=lambda lying: lying.die.face is None):
            found = next((each for each in self.dice if _is(each, lying)), None)
            if found:
                self.dice.remove(found)
        self.throw += 1
        for die in dice:
            self.number += 1
            assert die.face
            self.dice.append(SeenDie(self.number, die.kind, ((die.face, 1.0),), Zone.FIELD, self.throw))


def _is(each: SeenDie, lying: DiePosition) -> bool:
    there = lying.zone in (None, Zone.SIGNAL, each.zone) or (lying.die.face is None and lying.zone is Zone.FIELD)
    return there and lying.die in (each.die, Die(each.kind))
