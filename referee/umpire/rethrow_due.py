"""What is remembered of dice that lean until they have been thrown again."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from referee.dice import Seen, SeenDie


@dataclass(frozen=True)
class RethrowDue:
    """Dice that lean and are to be thrown again, and how the table lay then.

    table: its dice have the throws that they count for, and those that lie flat the faces that they first showed.
    touched: True if something has moved in the tray since, or a hand was in it.
    """

    table: Seen
    touched: bool = False

    def accepting(self, numbers: Collection[int]) -> RethrowDue:
        """Return the same where these dice count as they lie: people said what they show."""
        dice = tuple(replace(die, cocked=die.cocked and die.number not in numbers) for die in self.table.dice)
        return replace(self, table=replace(self.table, dice=dice))

    def thrown_leaning(self, before: Seen) -> tuple[SeenDie, ...]:
        """Return the dice that came to lean in a throw since the table `before`."""
        return tuple(die for die in self.table.dice if die.cocked and die.throw > before.throw)
