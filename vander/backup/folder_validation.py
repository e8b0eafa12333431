"""Load what a backup brings with the program's own loaders, and play its games again, before anything is swapped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from time import monotonic

from models.dataset import DatasetError, SaveFailed
from models.dataset.store_recovery import make_folder
from models.die_sets import DieSetSource
from models.die_sets.catalog import BadDieSet
from referee.game import BadSheet, Game, begin
from referee.journal import Entry, JournalReader
from vander.backup import journal_validation
from vander.backup.backup_contents import BadBackup
from vander.learning.accuracy import AccuracyLog
from vander.resources import game_catalog
from vander.session.taps import find_game
from vander.storage.data_folder_names import JOURNAL
from vander.storage.journal_store import Journal
from vander.storage.preferences import PreferenceStore
from vander.storage.settings import SettingError, Settings, load
from vander.storage.storage_errors import BrokenJournal, StorageError
from vander.storage.stored_game import Ending, KeptGame

TOO_LONG = "playing it again takes too long"
REPLAY_S = 300.0
"""Seconds for playing all games again; those that are left then are named, and need a yes like one that is refused."""


def load_all(folder: Path, source: str) -> Settings:
    """Load everything without which Vander would not start, and return the settings. Raises BadBackup."""
    try:
        settings = load(data_dir=folder)
        game_catalog.load_games(settings)
        game_catalog.open_die_sets(settings)
        PreferenceStore(folder)
        AccuracyLog(folder)
        if (folder / "captured").is_dir():
            make_folder(folder / "captured")
    except (SettingError, BadSheet, BadDieSet, StorageError, DatasetError, SaveFailed, RecursionError) as error:
        why = str(error).replace(f"{folder}/", "")
        raise BadBackup(f"{source} holds what Vander would not start with: {why}") from error
    return settings


def open_journal(folder: Path, source: str) -> None:
    """Migrate the journal, compare its tables with those of a new one, and count what it holds. Raises BadBackup."""
    journal = folder / JOURNAL
    if not journal.is_file():
        return
    journal_validation.check_untrusted(journal, source)
    try:
        with closing(Journal.in_folder(folder)) as restored:
            restored.accept_missing()
    except BrokenJournal as error:
        raise BadBackup(f"the journal in {source} cannot be used: {error}") from error
    journal_validation.check_migrated(journal, source)


def replay_games(folder: Path, settings: Settings, source: str, limit_s: float = REPLAY_S) -> tuple[str, ...]:
    """Play every game again; return for each that the rules refuse its number and why. Raises BadBackup.

    Such a game stays as it is, since an honest one may have been played before a rule was corrected. If it was going
    on, it is ended: Vander goes on with no game that its rules refuse.
    """
    if not (folder / JOURNAL).is_file():
        return ()
    until = monotonic() + limit_s
    try:
        with closing(Journal.in_folder(folder)) as journal:
            return tuple(_replayed(journal, settings, until))
    except (BrokenJournal, RecursionError) as error:
        raise BadBackup(f"the journal in {source} cannot be used: {error}") from error


def _replayed(journal: Journal, settings: Settings, until: float) -> Iterator[str]:
    """Yield a line for each game that the rules refuse, those that go on first, and end those."""
    games, known = game_catalog.load_games(settings), game_catalog.open_die_sets(settings)
    for kept in sorted(journal.games(), key=lambda kept: kept.ended_at is not None):
        entries = journal.entries(kept.number)
        why = _refusal(kept, entries, games, known, until)
        if why and why != TOO_LONG and kept.ended_at is None:
            journal.write(kept.number, ending=Ending(max((entry.at for entry in entries), default=kept.started_at)))
        if why:
            yield f"game {kept.number} ({why.rstrip('.')})"


def _refusal(kept: KeptGame, entries: Sequence[Entry], games: Sequence[Game], known: DieSetSource, until: float) -> str:
    """Return why the rules refuse a game, TOO_LONG after `until`, or ''."""
    try:
        game = find_game(games, kept.game)
        reader = JournalReader(game, begin(game, kept.players, known.load(kept.die_set), kept.options))
        for entry in entries:
            if monotonic() > until:
                return TOO_LONG
            if refusal := reader.add(entry):
                return f"entry {entry.number}: {refusal.sentence}"
    except (LookupError, ValueError, TypeError, AttributeError) as error:  # names that are no names, for one
        return str(error)
    return ""
