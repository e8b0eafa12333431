"""Intersection: one to twelve players, five Traffic dice and the Signal die. Rule numbers are those of docs/rules."""

from __future__ import annotations

from referee.game import Game
from referee.games.intersection.faults import fault, why_not
from referee.games.intersection.options import OPTIONS
from referee.games.intersection.play import legal, play, setup
from referee.games.intersection.table import IntersectionState, Phase, lay, points, thrown, turn_points
from referee.games.intersection.words import offer_title, tell

GAME = Game(
    name="intersection",
    title="Intersection",
    die_set="intersection",
    seats=(1, 12),
    options=OPTIONS,
    setup=setup,
    legal=legal,
    play=play,
    lay=lay,
    thrown=thrown,
    tell=tell,
    offer_title=offer_title,
    why_not=why_not,
    fault=fault,
    turn_points=turn_points,
    verbs={
        "lot": "Throw five Traffic dice for the first turn, or for a tie.",
        "roll": "Roll all six dice at the start of a turn, or the last die with the signal for double or nothing.",
        "fix": "Roll a happy face, from the field or parked, with a sad one.",
        "go": "Roll the go with a sad face.",
        "star": "Roll a star, from the field or parked, with the slow.",
        "park": "Park scoring dice.",
        "on": "Play on with all dice that are not parked.",
        "double": "Declare double or nothing.",
        "end": "End the turn and take its points.",
        "give-up": "Give up the turn for nothing.",
        "vander": "A die left the table: the turn is over.",
    },
    by_hand=frozenset({"park"}),
    implied=frozenset({"end"}),
    lost="vander",
    grave=frozenset({"give-up", "vander"}),
    cites={"dice": "I.1", "turn": "I.2-1", "over": "I.2-20", "touched": "I.2-12", "cocked": "AMB-I-16"},
)

__all__ = ["GAME", "IntersectionState", "Phase", "points", "turn_points"]
