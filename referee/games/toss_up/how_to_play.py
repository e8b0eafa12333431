"""How Toss Up! is played, in one minute."""

from __future__ import annotations

from typing import Final

from referee.board import DicePlace, Token, Track
from referee.dice import Die, FaceName
from referee.games.toss_up.state import GREEN, KIND, YELLOW
from referee.play_step import PlayStep
from referee.sentences import say

_GREEN, _YELLOW, _RED = (Die(KIND, face) for face in (GREEN, YELLOW, FaceName("red")))

STEPS: Final = (
    PlayStep(
        say("Roll all ten dice."),
        (DicePlace("", "", (_GREEN, _YELLOW, _GREEN, _RED, _GREEN, _YELLOW, _RED, _GREEN, _YELLOW, _YELLOW)),),
    ),
    PlayStep(
        say("Set the green ones aside: each is a point."), (DicePlace("", say("Aside"), (_GREEN,) * 4, points=4),)
    ),
    PlayStep(
        say("Roll the others again, or end the turn and keep its points."),
        (
            DicePlace("", say("Aside"), (_GREEN,) * 4, points=4),
            DicePlace("", say("Roll again"), (_YELLOW, _YELLOW, _YELLOW, _YELLOW, _RED, _RED)),
        ),
    ),
    PlayStep(
        say("A red without any green is a red light: the points of the turn are lost."),
        (DicePlace("", say("Red light"), (_YELLOW, _YELLOW, _YELLOW, _RED)),),
    ),
    PlayStep(
        say("When all ten are green, you may roll all ten again, and keep the points."),
        (DicePlace("", "", (_GREEN,) * 10, points=10),),
    ),
    PlayStep(
        say("Whoever passes 100 starts the last turns; the highest total wins."),
        (Track("", say("Points"), 100, (Token(1, 55, at_risk=12),)),),
    ),
)
