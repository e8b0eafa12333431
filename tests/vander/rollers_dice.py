"""The dice of Rollers laid out by hand, with kinds that may be in doubt: what the pipeline would say of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from session_states import a_match, no_game, watched

from referee.dice import FaceName, KindName, Zone
from referee.games import named
from vander.table.session_state import SessionState
from vander.table.taps import on_start
from vision.observations import DieReading, DieSighting, Observation, Posture, TrackedDie

PURPLE, BLACK = KindName("rollers-purple"), KindName("rollers-black")
DIE_6_BLACK = dict(zip(range(1, 7), (*(PURPLE,) * 5, BLACK), strict=True))


@dataclass
class RollersDice:
    """Five purple dice and a black one; `doubted` are those whose kind is in doubt: the share of the other kind.

    `flat` is how likely dice lie flat that may lean.
    """

    faces: dict[int, str] = field(default_factory=lambda: dict.fromkeys(range(1, 7), "pip-1"))
    kinds: Mapping[int, KindName] = field(default_factory=lambda: DIE_6_BLACK)
    zones: dict[int, Zone] = field(default_factory=dict)
    doubted: dict[int, float] = field(default_factory=dict)
    unsure: dict[int, tuple[str, float]] = field(default_factory=dict)
    thrown: dict[int, int] = field(default_factory=dict)
    flat: dict[int, float] = field(default_factory=dict)
    number: int = 0

    def throw(self, faces: Mapping[int, str], doubted: Mapping[int, float] | None = None) -> Observation:
        """Throw these dice together."""
        self.number += 1
        self.faces.update(faces)
        self.thrown.update(dict.fromkeys(faces, self.number))
        self.zones.update(dict.fromkeys(faces, Zone.FIELD))
        self.doubted = dict(doubted or {})
        return self.look()

    def roll(self, *faces: str, doubted: Mapping[int, float] | None = None) -> Observation:
        """Throw all six."""
        return self.throw(dict(enumerate(faces, 1)), doubted)

    def look(self) -> Observation:
        """What the pipeline says now."""
        return Observation(self.number + 1, self.number, tuple(map(self._die, self.faces)))

    def _die(self, number: int) -> TrackedDie:
        flat = self.flat.get(number, 1.0)
        sighting = DieSighting(30.0 * number, 50, 16, 0, Posture.FLAT, 0.99, 100.0 * number, 200, 50, flat)
        reading = DieReading(sighting, self.kinds[number], FaceName(self.faces[number]), 0.99, accepted=True)
        if number in self.unsure:
            face, share = self.unsure[number]
            reading = replace(reading, accepted=False, runners_up=((FaceName(face), share),))
        if number in self.doubted:
            share, other = self.doubted[number], BLACK if self.kinds[number] == PURPLE else PURPLE
            reading = replace(
                reading,
                accepted=False,
                kind_accepted=False,
                kind_confidence=1 - share,
                kinds=((other, share),),
                only_kind_doubted=number not in self.unsure,
            )
        return TrackedDie(number, reading, self.zones.get(number, Zone.FIELD), self.thrown.get(number, 0))


def rollers_game(dice: RollersDice) -> SessionState:
    """Ann begins a game of Rollers by agreement."""
    state = on_start(no_game(), a_match(named("rollers"), ("Ann", "Bob")), starter=1).state
    return watched(state, dice.look())
