"""Writing the journal: entries and their pictures, in order, and again where the disk did not take them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from threading import Condition, Lock
from typing import TypeVar

from models.die_sets import DieSetSource
from referee.game import Game
from referee.journal import Contradiction, Entry
from referee.sentences import message_of, say
from vander.storage.data_folder import BrokenJournal, Unwritten
from vander.storage.evidence_store import MOST_ROUNDS, EvidenceStore
from vander.storage.journal_schema import Ending, KeptGame, Misreading
from vander.storage.journal_store import Journal
from vander.table.match import Match
from vander.table.session_state import Step
from vander.table.taps import GameSetup, find_game

# Writing

T = TypeVar("T")


class GameRecord:
    """The journal of the games, on a disk that it shares with their evidence."""

    def __init__(self, journal: Journal, evidence: EvidenceStore) -> None:
        self._journal = journal
        self._evidence = evidence
        self._rounds = 0

    def resume(self, games: Sequence[Game], known: DieSetSource) -> Match | None:
        """Return the game that is going on; None without one. Raises BrokenJournal where it contradicts the rules."""
        kept = self._journal.latest()
        return None if kept is None else self.open_match(kept, games, known)

    def open_match(self, kept: KeptGame, games: Sequence[Game], known: DieSetSource) -> Match:
        """Return an open game as it stands. Raises BrokenJournal where its entries contradict the rules."""
        try:
            entries = self._journal.entries(kept.number)
            highest = self._evidence.highest_numbers().get(kept.number, 0)
            return Match.of(kept, find_game(games, kept.game), known.load(kept.die_set), entries, highest)
        except (Contradiction, LookupError, ValueError) as error:
            raise BrokenJournal(
                say(
                    "the journal's game {number} ({game}) cannot be gone on with: {cause}; nothing was changed",
                    number=kept.number,
                    game=kept.game,
                    cause=message_of(error),
                )
            ) from error

    def last_games(self, most: int) -> Iterator[tuple[KeptGame, tuple[Entry, ...]]]:
        """Yield the last games with their entries, the newest first. Raises BrokenJournal."""
        for kept in reversed(self._journal.games()[-most:]):
            yield kept, self._journal.entries(kept.number)

    def begin(self, setup: GameSetup, clock_doubted: bool, *, leave_open: bool = False) -> Match:
        """Begin a game; the one on the table is ended, or left open. Raises Unwritten."""
        names = setup.game.name, setup.players, setup.options, setup.dice.name
        kept = self._with_room(lambda: self._journal.begin(*names, clock_doubted=clock_doubted, leave_open=leave_open))
        return Match.of(kept, setup.game, setup.dice)

    def open_games(self) -> tuple[KeptGame, ...]:
        """Return the games that stand open, the one that was on the table last first."""
        return self._journal.open_games()

    def open_games_with_entries(self) -> tuple[tuple[KeptGame, int], ...]:
        """Return the same, each with how many entries it has. Raises BrokenJournal."""
        kept = self._journal.open_games()
        entries = self._journal.entry_counts([each.number for each in kept])
        return tuple((each, entries.get(each.number, 0)) for each in kept)

    def put_on_table(self, match: Match) -> None:
        """Let an open game be the one on the table. Raises Unwritten."""
        self._with_room(lambda: self._journal.put_on_table(match.kept.number))

    def end(self, kept: KeptGame) -> None:
        """End an open game as it stands. Raises Unwritten."""
        self._with_room(lambda: self._journal.write(kept.number, ending=Ending(datetime.now(UTC))))

    def write(self, before: Match | None, step: Step) -> None:
        """Put a step's entries on disk, whether the game is over by them, and its misreadings. Raises Unwritten."""
        after = step.state.match
        misreadings = _changed_misreadings(before, after)
        if after is None or (not step.entries and misreadings is None):
            return
        was_over = before is not None and before.over
        ending = Ending(after.now() if after.over else None) if step.entries and after.over != was_over else None
        number = after.kept.number
        self._with_room(lambda: self._journal.write(number, *step.entries, ending=ending, misreadings=misreadings))

    def try_out(self, match: Match | None) -> None:
        """Write that a game goes on, which changes nothing. Raises Unwritten; nothing is written if no game is on."""
        if match is not None and not match.over:
            self._with_room(lambda: self._journal.write(match.kept.number, ending=Ending(None)))

    def _with_room(self, write: Callable[[], T]) -> T:
        """Write; where the disk is full, once more after old evidence gave way. Raises Unwritten."""
        try:
            written = write()
        except Unwritten as unwritten:
            if not unwritten.no_room or not self._make_room():
                raise
            written = write()
        self._rounds = 0
        return written

    def _make_room(self) -> bool:
        """Delete old evidence. Not again and again: a disk that is still full is full of something else."""
        self._rounds += 1
        return self._rounds <= MOST_ROUNDS and self._evidence.make_room()


def _changed_misreadings(before: Match | None, after: Match | None) -> tuple[Misreading, ...] | None:
    """Return the misreadings of a game where they are others than on disk; None where they are not."""
    if after is None:
        return None
    known = before.kept.misreadings if before and before.kept.number == after.kept.number else ()
    return after.kept.misreadings if after.kept.misreadings != known else None


# Who may write


class WriteLock:
    """Let one writer in at a time. The underlying `lock` is taken for a moment only, when a writer comes or goes."""

    def __init__(self, lock: Lock) -> None:
        self._free = Condition(lock)
        self._is_held = False

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Hold the write lock, after the writer that holds it now. A thread that holds it must not ask for it again."""
        with self._free:
            self._acquire()
        try:
            yield
        finally:
            with self._free:
                self._release()

    def release_until(self, is_so: Callable[[], bool], timeout: float) -> None:
        """Let other writers in until something is so, or `timeout` seconds are over; then hold the write lock again.

        Return at once where it is so already. `is_so` is called under the underlying lock, whenever a writer goes.
        """
        with self._free:
            if not is_so():
                self._release()
                try:
                    self._free.wait_for(lambda: not self._is_held and is_so(), timeout)
                finally:
                    self._acquire()

    def _acquire(self) -> None:
        self._free.wait_for(lambda: not self._is_held)
        self._is_held = True

    def _release(self) -> None:
        self._is_held = False
        self._free.notify_all()


# Trying again

FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 8.0
"""Seconds between attempts: they double, from the first pause to the longest. A failing card may hang at each."""


class WriteRetry:
    """The pause after a failed write; `clock` returns seconds that never go back."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._pause_s = FIRST_PAUSE_S
        self._due_at = float("-inf")

    @property
    def is_due(self) -> bool:
        """True if it may be tried now."""
        return self._clock() >= self._due_at

    def failed(self) -> None:
        """Wait for the pause, which doubles each time."""
        self._due_at = self._clock() + self._pause_s
        self._pause_s = min(2 * self._pause_s, LONGEST_PAUSE_S)

    def succeeded(self) -> None:
        """Begin with the first pause again."""
        self._pause_s, self._due_at = FIRST_PAUSE_S, float("-inf")
