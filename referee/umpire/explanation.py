"""What the umpire says of a change on the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from referee.game import Action
from referee.umpire.rethrow_due import RethrowDue

LOST_DIE_QUESTION: Final = "Has a die left the table?"


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
