"""The remembered players: renamed, merged and forgotten in all that is kept of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy.engine import Connection

from referee.error_messages import message_of
from referee.game import BadStart
from referee.known_players import COLOURS, PICTURES, ForgottenPlayer, KnownPlayer
from referee.phrases import as_sentence, counted, in_a_row
from referee.player_names import as_read, check_names
from referee.refused import Reason, Refused
from referee.sentences import say
from vander.memory.kept_copies import find_owners_copies, remove_copies
from vander.storage import player_tables
from vander.storage.journal_store import Journal
from vander.storage.storage_errors import Unwritten

Renamed = Callable[[str, str], None]
"""Told of a player's old name and the new one, '' for a player who is forgotten: the paired phones go by names."""


def nobody_listens(_old: str, _new: str) -> None:
    """Tell nobody of a new name."""


class PlayerService:
    """The players of a journal; implements `web.services.PlayerBackend`. Any thread may call any method.

    `at_table` returns the names of those who sit at the table now: a name that is in use is not changed, since the
    game that is on would write it again. While a name is changed `standing_still` lets no other game come to the table.
    `data_dir` is searched for copies of what is forgotten.
    """

    def __init__(
        self,
        journal: Journal,
        data_dir: Path,
        *,
        at_table: Callable[[], Collection[str]] = tuple,
        renamed: Renamed = nobody_listens,
        standing_still: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        self._journal, self._data_dir = journal, data_dir
        self._at_table, self._renamed, self._standing_still = at_table, renamed, standing_still

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
            with self._writing() as connection:
                if "name" in changed:
                    player_tables.name_seats(connection, number, name)
                player_tables.set_player(connection, number, **changed)
            if "name" in changed:
                self._renamed(player.name, name)

    def merge(self, number: int, into: int) -> None:
        """Make one player of two: the games of the first are the other's, who keeps name, colour and picture.

        Raises Refused: NOT_FOUND, CONFLICT where they sat in one game, or while either sits at the table.
        """
        with self._standing_still():
            one, other = self.player(number), self.player(into)
            if one == other:
                raise Refused(say("{player} is one player already.", player=one.name))
            self._check_away(one, other)
            with self._writing() as connection:
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
            self._renamed(one.name, other.name)

    def forget(self, number: int) -> ForgottenPlayer:
        """Take a player's name out of everything that Vander keeps; the games stay, under `Player 1` and so on.

        Copies of the journal that an update left are deleted, since they hold the name; what only the owner may delete
        is returned. Raises Refused: NOT_FOUND, CONFLICT while the player sits at the table, UNAVAILABLE where the disk
        does not let the name go.
        """
        with self._standing_still():
            player = self.player(number)
            self._check_away(player)
            with self._writing() as connection:
                games = player_tables.name_seats(connection, number, "")
                player_tables.blank_player(connection, number, datetime.now(UTC))
            self._renamed(player.name, "")
        removed = remove_copies(self._data_dir, player.name)
        self._rewrite(player.name)
        return ForgottenPlayer(games, removed, find_owners_copies(self._data_dir, player.name))

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
