"""The result of explaining a change on the table: ways, doubts, a question or a breach."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from referee.actions import Action
from referee.dice import Departure, Handling
from referee.sentences import say
from referee.umpire.hand_changes import HandChange
from referee.umpire.rethrow_due import RethrowDue

LOST_DIE_QUESTION: Final = say("Has a die left the table?")


@dataclass(frozen=True)
class Explanation:
    """What a change on the table means.

    ways: the legal explanations; a way is a row of actions with their faces filled in. One way is taken, unless there
        is a `question`: then the table may mean something else. Several ways are asked. No way with a `breach` is a
        breach; no way without one means that nothing that matters happened, or that the player is not finished.
    question: the sentence to ask before a way is taken; '' for none.
    breach: the sentence of the breach; '' for none. With a tapped action, why that action is refused.
    rule: the rule that the breach or the unfinished move is about; '' for none.
    unfinished: what the player still has to do; '' for nothing.
    unsure_dice: the numbers of the dice whose face must be asked, since their likely faces lead to different rulings.
    dice: the numbers of the dice that the breach or the question is about, for the picture.
    pending: the actions that the dice moved by hand already amount to, held back until the next throw or tap; what may
        be done next is `legal` after them.
    rethrow: the dice that lean and are to be thrown again, to be given back with the next table; None where none lean.
    set_flat: the numbers of the dice that leaned and were set flat by hand: whether they count so is asked.
    turned: the numbers of the dice that the re-throw of leaning ones turned, to be turned back.
    hands: what hands did with single dice since the last ruling, as far as marks tell of it.
    intervention: what hands did that has to be put right, with what to do, in one sentence; '' for nothing. It is no
        breach, since no rule is broken yet.
    perhaps_thrown: the numbers of the dice of which nobody saw whether they were thrown. With a `question` it is asked;
        without one people may say so of themselves. `mark` is why it is not known.
    unchanged: True if dice were moved, and lie as the rules have them all the same: that is the table from now on.
    unseen: the numbers of the dice of the throw that nobody could see, and that nobody was asked about.
    departed: the dice that were seen to leave the tray in the throw that the ways are about.
    """

    ways: tuple[tuple[Action, ...], ...] = ()
    question: str = ""
    breach: str = ""
    rule: str = ""
    unfinished: str = ""
    unsure_dice: tuple[int, ...] = ()
    dice: tuple[int, ...] = ()
    pending: tuple[Action, ...] = ()
    rethrow: RethrowDue | None = None
    set_flat: tuple[int, ...] = ()
    turned: tuple[int, ...] = ()
    hands: tuple[HandChange, ...] = ()
    intervention: str = ""
    perhaps_thrown: tuple[int, ...] = ()
    mark: Handling | None = None
    unchanged: bool = False
    unseen: tuple[int, ...] = ()
    departed: tuple[Departure, ...] = ()
