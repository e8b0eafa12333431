"""The umpire: from what changed on the real table to the legal actions that explain it."""

from __future__ import annotations

from dataclasses import dataclass

from referee.dice import Seen
from referee.game import Action, Game, GameState


@dataclass(frozen=True)
class Explained:
    """What the change on the table means.

    `ways` are the legal explanations, each a sequence of actions with their faces filled in:
    one way is taken, several are asked, none with a `breach` is a breach; none without one means that nothing
    that matters happened, or that the player is not finished (`unfinished` says with what).
    `doubts` are the numbers of the dice whose face must be asked, because the likely faces lead to different rulings.
    `dice` are the numbers of the dice that the breach or the question is about, for the picture.
    """

    ways: tuple[tuple[Action, ...], ...] = ()
    question: str = ""
    breach: str = ""
    rule: str = ""
    unfinished: str = ""
    doubts: tuple[int, ...] = ()
    dice: tuple[int, ...] = ()


def explain(game: Game, state: GameState, before: Seen, after: Seen, tapped: Action | None = None) -> Explained:
    """Find the legal actions that turn `before` into `after`; with `tapped`, ways that end with that decision.

    `before` is the table as last ruled on, `after` the settled table now.
    """
    raise NotImplementedError


def differs(game: Game, state: GameState, seen: Seen) -> str:
    """On resuming: one sentence saying where the real table is not as the state has it, or ''."""
    raise NotImplementedError
