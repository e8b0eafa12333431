"""How Intersection is played, in one minute."""

from __future__ import annotations

from typing import Final

from referee.board import DicePlace, Light, Lights, Token, Track
from referee.dice import Die
from referee.games.intersection.scoring import COME_IN_POINTS, GOAL_POINTS
from referee.games.intersection.state import FOUR, GO, HAPPY, SAD, SIGNAL, SLOW, STAR, STOP, TWO, traffic
from referee.play_step import PlayStep
from referee.sentences import say

_LIGHTS: Final = (Light("red", True, STOP), Light("yellow", True, SLOW), Light("green", True, GO))
_ROAD: Final = Track("", say("The road"), GOAL_POINTS, (Token(1, 1200, at_risk=450),), (COME_IN_POINTS,))

STEPS: Final = (
    PlayStep(
        say("Roll all six dice: five Traffic dice and the Signal die."),
        (DicePlace("", "", (*traffic((HAPPY, STAR, SAD, TWO, FOUR)), Die(SIGNAL, GO))),),
    ),
    PlayStep(
        say("A stop ends your turn with nothing; under a slow you play on; a go lets you choose."),
        (Lights("", "", _LIGHTS, is_upright=True),),
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
        say("Then end the turn and keep the points, or play on with the dice left and risk them."),
        (
            DicePlace("", say("Parked"), traffic((FOUR, FOUR, FOUR, STAR)), points=450),
            DicePlace("", say("Left"), traffic((TWO,))),
        ),
    ),
    PlayStep(
        say("Your first score takes 300. Whoever reaches 5000 starts the last turns; the most points win."),
        (_ROAD,),
    ),
)
