"""What the tests of the session look at: entries, offers, scores, and an opening throw."""

from contextlib import closing
from pathlib import Path
from typing import Any

from referee.fair_play import FairPlayMark, is_asked_note, mark_of_entry
from referee.journal import Deed, Entry
from referee.snapshot import Snapshot
from vander.storage.journal_store import Journal
from vander.table.session import Session


def entries(folder: Path) -> tuple[Entry, ...]:
    """All entries of the game, without those that only keep which question is open."""
    return tuple(entry for entry in all_entries(folder) if not is_about_asking(entry))


def is_about_asking(entry: Entry) -> bool:
    """True if an entry keeps that a question is open, or not any more."""
    return is_asked_note(entry) or mark_of_entry(entry) is FairPlayMark.UNANSWERED


def all_entries(folder: Path) -> tuple[Entry, ...]:
    with closing(Journal.in_folder(folder)) as journal:
        kept = journal.latest()
        return journal.entries(kept.number) if kept else ()


def done(folder: Path) -> list[str]:
    return [f"{entry.source} {entry.action}" for entry in entries(folder) if entry.deed is not Deed.ANSWER]


def verbs(snapshot: Snapshot, *, by_tap: bool = True) -> set[str]:
    return {offer.action.verb for offer in snapshot.offers if offer.by_tap is by_tap}


def scores(table: Session) -> tuple[int, ...]:
    state = table.snapshot().state
    assert state is not None
    return state.scores


def opened(table: Session, dice: Any) -> None:
    table.observe(dice.roll("go", "happy", "happy", "star", "two", "three"))


def kept(folder: Path) -> tuple[bool, int]:
    """Whether the journal's game is over, and how many entries it has."""
    with closing(Journal.in_folder(folder)) as journal:
        (game,) = journal.games()
        return game.ended_at is not None, len(journal.entries(game.number))
