"""How Switch 16 is played, in one minute."""

from __future__ import annotations

from typing import Final

from referee.board import Card, DicePlace
from referee.dice import Die
from referee.games.switch_16.state import BLOCK, GREEN, RED, ROLLED, SWITCH, showing
from referee.play_step import PlayStep
from referee.sentences import say

STEPS: Final = (
    PlayStep(
        say("Roll as many dice as your top card pictures, together with the Switch die."),
        (Card("", say("Your deck"), "1", (ROLLED,) * 3),),
    ),
    PlayStep(
        say("Discard the top card when a die shows its number, or dice add up to it."),
        (Card("", say("Your deck"), "7"), DicePlace("", "3 + 4 = 7", showing((3, 4)))),
    ),
    PlayStep(
        say("Discard more with the same dice, then end the turn or risk another roll."),
        (Card("", say("Next card"), "8"), DicePlace("", "2 + 6 = 8", showing((2, 6)))),
    ),
    PlayStep(
        say("A failed risk brings cards back: down to card 1, from 9 on only to card 8."),
        (Card("", say("Before"), "6"), Card("", say("After"), "1")),
    ),
    PlayStep(
        say("Switch die: green lets you switch decks, red makes you, Block gives you the disk."),
        (
            DicePlace("", say("May switch"), (Die(SWITCH, GREEN),)),
            DicePlace("", say("Must switch"), (Die(SWITCH, RED),)),
            DicePlace("", say("Take the disk"), (Die(SWITCH, BLOCK),)),
        ),
    ),
    PlayStep(
        say("The disk blocks another player's deck until Block is rolled. Whoever discards card 16 wins."),
        (Card("", say("Blocked"), "16", holds=say("Block disk"), mark="blocked"),),
    ),
)
