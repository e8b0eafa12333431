"""The remembered players: renamed, merged and forgotten in all that is kept of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy.engine import Connection

from models.atomic_files import replacing
from referee.error_messages import cause_of, message_of
from referee.game import BadStart
from referee.known_players import (
    COLOURS,
    PICTURES,
    ForgetWishes,
    ForgottenPlayer,
    KnownPlayer,
    NameTraces,
    VoiceWish,
)
from referee.phrases import as_sentence, counted, in_a_row
from referee.player_names import as_read, check_names
from referee.refused import Reason, Refused
from referee.sentences import say
from vander.memory.kept_copies import (
    find_copies,
    find_held,
    find_owners_copies,
    find_voices,
    remove_all,
    remove_voices,
    voices_renamed,
)
from vander.storage import player_tables
from vander.storage.evidence_store import free_bytes
from vander.storage.journal_store import Journal
from vander.storage.storage_errors import Unwritten

Renaming = Callable[[str, str, Collection[str]], AbstractContextManager[None]]
"""Told of a player's old name and the new one, '' for a player who is forgotten, and of the names of all others, which
stay as they are: the paired phones go by names.

It writes what needs room on the disk before the block, and counts after the block, unless that raises."""


def nobody_listens(_old: str, _new: str, _others: Collection[str]) -> AbstractContextManager[None]:
    """Tell nobody of a new name."""
    return nullcontext()


@dataclass(frozen=True)
class SeatedPlayers:
    """Who sits at the table: `names` returns them, and `standing_still` lets no other game come there meanwhile."""

    names: Callable[[], Collection[str]] = tuple
    standing_still: Callable[[], AbstractContextManager[None]] = nullcontext


NOBODY_SEATED = SeatedPlayers()
UNASKED = ForgetWishes()
"""What is done where nobody was asked: voices are called by no name, and the owner's copies stay."""


class PlayerService:
    """The players of a journal; implements `web.services.PlayerBackend`. Any thread may call any method.

    `seated` are those who sit at the table now: a name that is in use is not changed, since the game that is on would
    write it again. `data_dir` is searched for copies of what is forgotten; `room` returns the free bytes of a folder's
    disk. On a full disk a name is changed everywhere or nowhere.
    """

    def __init__(
        self,
        journal: Journal,
        data_dir: Path,
        *,
        seated: SeatedPlayers = NOBODY_SEATED,
        renaming: Renaming = nobody_listens,
        room: Callable[[Path], int] = free_bytes,
    ) -> None:
        self._journal, self._data_dir = journal, data_dir
        self._at_table, self._standing_still = seated.names, seated.standing_still
        self._renaming, self._room = renaming, room

    def players(self) -> Sequence[KnownPlayer]:
        """Return the players who are remembered, in the order in which they came. Raises BrokenJournal."""
        with self._journal.reading() as connection:
            return player_tables.list_players(connection)

    def player(self, number: int) -> KnownPlayer:
        """Return the player of that number. Raises Refused (NOT_FOUND)."""
        found = next((player for player in self.players() if player.number == number), None)
        if found is None:
            raise Refused(say("There is no such player; the name may have been forgotten meanwhile."), Reason.NOT_FOUND)
        return found

    def change(self, number: int, *, name: str = "", colour: str = "", picture: str = "") -> None:
        """Give a player another name, colour or picture; '' leaves each as it is.

        The new name stands in all games. Raises Refused: CONFLICT for the name of somebody else, or while the player
        sits at the table.
        """
        with self._standing_still():
            player = self.player(number)
            _check_look(colour, picture)
            name = name.strip()
            if name and name != player.name:
                self._check_name(player, name)
            values = {"name": name, "colour": colour, "picture": picture}
            changed = {what: value for what, value in values.items() if value and value != getattr(player, what)}
            if not changed:
                return
            phones = self._renamed(player, name) if "name" in changed else nullcontext()
            with phones, self._writing() as connection:
                if "name" in changed:
                    player_tables.name_seats(connection, number, name)
                player_tables.set_player(connection, number, **changed)

    def merge(self, number: int, into: int) -> None:
        """Make one player of two: the games of the first are the other's, who keeps name, colour and picture.

        Raises Refused: NOT_FOUND, CONFLICT where they sat in one game, or while either sits at the table.
        """
        with self._standing_still():
            one, other = self.player(number), self.player(into)
            if one == other:
                raise Refused(say("{player} is one player already.", player=one.name))
            self._check_away(one, other)
            with self._renamed(one, other.name), self._writing() as connection:
                both = player_tables.games_with_both(connection, number, into)
                if both:
                    raise Refused(
                        say(
                            "{one} and {other} played together in game {game}, so they are two people.",
                            one=one.name,
                            other=other.name,
                            game=both[0],
                        ),
                        Reason.CONFLICT,
                    )
                player_tables.name_seats(connection, number, other.name)
                player_tables.move_seats(connection, number, into)

    def traces(self, number: int) -> NameTraces:
        """Return what holds a player's name besides the journal, and is the owner's to decide on. Raises Refused."""
        player = self.player(number)
        named = (self._data_dir, player.name, self._others(player))
        return NameTraces(find_voices(*named), find_owners_copies(*named))

    def forget(self, number: int, wishes: ForgetWishes = UNASKED) -> ForgottenPlayer:
        """Take a player's name out of everything that Vander keeps; the games stay, under `Player 1` and so on.

        Copies of the journal that an update left are deleted, since they hold the name; those of the owner as `wishes`
        say, and what is left is returned. Raises Refused: NOT_FOUND, CONFLICT while the player sits at the table,
        UNAVAILABLE where the disk does not let the name go.
        """
        with self._standing_still():
            player = self.player(number)
            self._check_away(player)
            self._check_room(player.name)
            named = (self._data_dir, player.name, self._others(player))
            voices = find_voices(*named)
            wanted = tuple(one for one in find_owners_copies(*named) if one in wishes.copies)
            phones, voiced = self._renamed(player, ""), self._voices_renamed(player, wishes.voices)
            with phones, voiced, self._writing() as connection:
                games = player_tables.name_seats(connection, number, "")
                player_tables.blank_player(connection, number, datetime.now(UTC))
            remove_voices(self._data_dir, voices if wishes.voices == "delete" else ())
        removed = (*find_copies(*named), *wanted)
        try:
            remove_all(self._data_dir, removed)
        finally:
            self._rewrite(player.name)  # nobody can ask for this again: the player is gone
        return ForgottenPlayer(games, removed, (*find_owners_copies(*named), *find_held(*named)))

    def _others(self, player: KnownPlayer) -> tuple[str, ...]:
        """Return the names of all other players: one may hold this player's."""
        return tuple(other.name for other in self.players() if other.number != player.number)

    def _renamed(self, player: KnownPlayer, name: str) -> AbstractContextManager[None]:
        return self._renaming(player.name, name, self._others(player))

    @contextmanager
    def _voices_renamed(self, player: KnownPlayer, wish: VoiceWish) -> Iterator[None]:
        """Let the voices that bear a name have another one after the block. Raises Refused before it."""
        with ExitStack() as until_done:
            try:
                renamed = voices_renamed(self._data_dir, player.name, wish, self._others(player))
                until_done.enter_context(replacing(renamed))
            except OSError as error:
                raise Refused(
                    say("The name of a recorded voice cannot be changed: {cause}.", cause=cause_of(error)),
                    Reason.UNAVAILABLE,
                ) from error
            yield

    def _check_room(self, name: str) -> None:
        """Refuse to begin where the disk has no room for the journal once more: it is written afresh at the end."""
        if self._room(self._data_dir) >= (wanted := self._journal.bytes_to_rewrite):
            return
        raise Refused(
            say(
                "To forget {player} takes {size} MB of free disk, and there is less. "
                "Nothing was changed. Make room first.",
                player=name,
                size=1 + wanted // 1_000_000,
            ),
            Reason.UNAVAILABLE,
        )

    def _rewrite(self, name: str) -> None:
        try:
            self._journal.rewrite_file()
        except Unwritten as error:
            raise Refused(
                say(
                    "No game names {player} any more, but the file may still hold traces: {cause}. "
                    "Then run `vander players tidy`.",
                    player=name,
                    cause=message_of(error),
                ),
                Reason.UNAVAILABLE,
            ) from error

    def _check_name(self, player: KnownPlayer, name: str) -> None:
        self._check_away(player)
        others = [other.name for other in self.players() if other.number != player.number]
        try:
            for other in others:
                check_names([other, name])
        except BadStart as error:
            raise Refused(
                in_a_row(as_sentence(error), say("Merge the two if they are one person.")), Reason.CONFLICT
            ) from None

    def _check_away(self, *players: KnownPlayer) -> None:
        """Refuse to change the names of players who sit at the table."""
        seated = {as_read(name) for name in self._at_table()}
        for player in players:
            if as_read(player.name) in seated:
                raise Refused(
                    say("{player} sits at the table. Begin a game without {player} first.", player=player.name),
                    Reason.CONFLICT,
                )

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        try:
            with self._journal.writing(at_once=True) as connection:
                yield connection
        except Unwritten as error:
            raise Refused(as_sentence(error), Reason.UNAVAILABLE) from error


def told_of(forgotten: ForgottenPlayer, name: str) -> Iterator[str]:
    """Yield what came of forgetting a player, in sentences for people."""
    yield f"{name} is forgotten: the name is gone from {counted(forgotten.games, 'game')}."
    if forgotten.removed:
        yield f"Copies with the name were deleted: {', '.join(forgotten.removed)}."
    if forgotten.left:
        yield f"These copies are yours to delete, and may hold the name: {', '.join(forgotten.left)}."


def _check_look(colour: str, picture: str) -> None:
    if colour and colour not in COLOURS:
        raise Refused(
            say("There is no colour {wanted}; there are {known}.", wanted=repr(colour), known=", ".join(COLOURS))
        )
    if picture and picture not in PICTURES:
        raise Refused(
            say("There is no picture {wanted}; there are {known}.", wanted=repr(picture), known=", ".join(PICTURES))
        )
