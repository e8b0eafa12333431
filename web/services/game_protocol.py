"""What the pages need of the running program: the desk. `vander` gives one; `web` knows no more of it than this."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from referee.dice import DieSet
from referee.game import Game
from referee.odds import Chance
from referee.snapshot import Snapshot


class GameBackend(Protocol):
    """The game as the pages need it. Every method may be called from any thread. All refusals are `Refused`."""

    def snapshot(self) -> Snapshot:
        """All that a tablet shows now."""

    def wait(self, number: int, timeout: float) -> Snapshot:
        """The first snapshot whose number is not `number`, or the present one after `timeout` seconds."""

    def games(self) -> Sequence[Game]:
        """The games that can be set up."""

    def die_sets(self) -> Sequence[DieSet]:
        """The dice that a game which takes any may be played with, the usual ones first."""

    def odds(self) -> Sequence[Chance]:
        """What chance gives for where the game stands, worked out when asked."""

    def start(
        self, game: str, players: Sequence[str], options: Mapping[str, str], die_set: str = "", *, step: str = ""
    ) -> None:
        """Set up a game, in place of the one under way; `die_set` chooses the dice of a game that takes any.

        `step` is as for `act`, or `0.0` where the page shows no game that goes on: another game is not ended.
        """

    def act(self, text: str, *, step: str = "") -> None:
        """Do a tapped action, given in the notation of Action.

        `step` is that of the snapshot that the page shows: what it offered before other things happened
        is turned down. The answer may take some seconds: an action that another player may interrupt waits before it
        counts.
        """

    def by_hand(self, text: str, *, step: str = "") -> None:
        """Say what was thrown where the camera does not see it: an action that throws, with all its faces."""

    def answer(self, question: int, choice: str) -> None:
        """Answer an open question with one of its choices."""

    def correct(self, die: int, face: str, *, step: str = "") -> None:
        """Say what a die really shows; `step` is as for `act`."""

    def undo(self, *, step: str = "") -> None:
        """Take back the last standing entry."""

    def picture(self, name: str) -> bytes:
        """A JPEG by the name a snapshot gave it; `view` is what the camera sees now.

        A name is one or more letters, digits, `-`, `_` and `.`, and stands for one picture for ever.
        """


class SimulatorBackend(Protocol):
    """Hands for the virtual tray's page: where its dice lie, never what they show.

    Positions are fractions of the picture's width and height, from the top left.
    """

    def dice(self) -> Sequence[Mapping[str, float | int | str]]:
        """For each die: number, x, y, edge (fractions of the width), place ('field', 'aside', 'out', 'off')."""

    def throw(self, numbers: Sequence[int]) -> None:
        """Pick up these dice and throw them together. Raises LookupError for an unknown die."""

    def move(self, number: int, x: float, y: float) -> None:
        """Carry a die to a place of the picture, keeping its face up."""

    def tip(self, number: int) -> None:
        """Turn a die over onto its next side; the seventh time it shows the first again. Raises LookupError."""

    def twist(self, number: int, degrees: float) -> None:
        """Turn a die where it lies, keeping its face up: clockwise in the picture, or back when negative."""

    def knock_off(self, number: int) -> None:
        """Knock a die off the table."""

    def hand(self, inside: bool) -> None:
        """Reach into the tray, or take the hand out."""

    def sets(self) -> Mapping[str, str]:
        """The die sets that can be put out: name and title."""

    def looks(self) -> Mapping[str, str]:
        """Who may have drawn the dice: name and title."""

    def out(self) -> tuple[str, str]:
        """The die set that is out and its look, by name."""

    def set_out(self, die_set: str, look: str = "") -> None:
        """Put out the dice of another die set, in that look or the same as before. Raises LookupError."""

    def trouble(self, kind: str) -> None:
        """'', 'covered', 'frozen' or 'unplugged': what happens to the camera."""
