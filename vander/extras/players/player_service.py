"""The remembered players: renamed, merged and forgotten in all that is kept of them."""

from __future__ import annotations

import json
import lzma
import re
import shutil
import tomllib
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

import tomli_w
from sqlalchemy.engine import Connection

from models.atomic_files import remove, replacing
from referee.game import BadStart
from referee.known_players import (
    COLOURS,
    PICTURES,
    ForgetWishes,
    ForgottenPlayer,
    KnownPlayer,
    NamedVoice,
    NameTraces,
    VoiceWish,
    as_read,
    check_names,
    has_name,
    name_pattern,
    replace_name,
)
from referee.phrases import as_sentence, counted, in_a_row
from referee.sentences import Reason, Refused, cause_of, message_of, say
from vander.storage import player_tables
from vander.storage.data_folder import JOURNAL, PREVIOUS_DIR, RESTORE_DIR, Unwritten, is_ours
from vander.storage.evidence_store import free_bytes
from vander.storage.journal_store import Journal

# Files of the data folder besides the journal that may hold a name which is to be forgotten


OLD_JOURNALS = (f"{JOURNAL}.before-*", f"{JOURNAL}.unread-log")
"""What an update and a damaged log left. Each holds the names of all players of its time."""
DAMAGED_LISTS = "tablets.damaged-*.json"
BACKUPS = "vander-backup-*.zip"
VOICES = "voices/*/voice.toml"
"""The names of the voices that a family recorded for the caller."""
SETTINGS = "settings.toml"
"""May name the voice of the box's own loudspeaker."""
SOMEBODY = "Somebody"
"""Stands for a forgotten name in the name of a voice, as it does in that of a phone."""
_PICTURES = frozenset({".jpg", ".jpeg", ".png", ".npz", ".film", ".wav", ".lock", ".key", ".crt", ".pem"})
_CHUNK, _LAP = 1 << 20, 1 << 10
"""Chunk size of the search in bytes, and the overlap of chunks, so that no name is cut in two."""
_LARGEST = 1 << 30
"""Bytes that are looked through in one file, or in one file of an archive."""
_UNREADABLE = (OSError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, RuntimeError, ValueError)
"""What a file raises that cannot be read, or an archive that is damaged."""
_NUMBERS = re.compile(r"[A-Za-z0-9+/]{200,}={0,2}")
"""Numbers or a picture as base64, in which short names stand by chance."""
_OTHER_VOICE = re.compile(r"^\s*caller_voice\s*=.*$", re.MULTILINE)


def find_copies(data_dir: Path, name: str, others: Collection[str] = ()) -> tuple[str, ...]:
    """Return the names of old copies of the journal, and of damaged lists of tablets that hold the name."""
    lists = (path for path in _found(data_dir, DAMAGED_LISTS) if holds(path, name, others))
    return tuple(path.name for path in (*_found(data_dir, *OLD_JOURNALS), *lists))


def find_owners_copies(data_dir: Path, name: str, others: Collection[str] = ()) -> tuple[str, ...]:
    """Return what the owner may want deleted: what the last restore replaced, backups, and files with the name.

    The names are relative to the data folder. A backup is listed whatever it holds; of other files those that Vander
    does not need, such as exports that were left there.
    """
    previous = [PREVIOUS_DIR] if (data_dir / PREVIOUS_DIR).is_dir() else []
    backups = [path.name for path in _found(data_dir, BACKUPS)]
    theirs = (path for path in _searched(data_dir) if not is_ours(_name_in(data_dir, path)))
    found = (_name_in(data_dir, path) for path in theirs if holds(path, name, others))
    return (*previous, *backups, *found)


def find_held(data_dir: Path, name: str, others: Collection[str] = ()) -> tuple[str, ...]:
    """Return Vander's own files in which the name is written, such as the title of a die set: these are left."""
    ours = (path for path in _searched(data_dir) if is_ours(_name_in(data_dir, path)))
    return tuple(_name_in(data_dir, path) for path in ours if holds(path, name, others))


def remove_all(data_dir: Path, names: tuple[str, ...]) -> None:
    """Delete files that were found, as many as possible. Raises Refused (UNAVAILABLE) for the first that stays."""
    refusals: list[Refused] = []
    for name in names:
        try:
            _delete(data_dir / name)
        except Refused as refused:
            refusals.append(refused)
    if refusals:
        raise refusals[0]


def find_voices(data_dir: Path, name: str, others: Collection[str] = ()) -> tuple[NamedVoice, ...]:
    """Return the voices of the caller that bear a name, and not only as a part of another player's."""
    pattern = name_pattern(name, others=others)
    found = ((path.parent.name, _voice_name(path)) for path in _found(data_dir, VOICES))
    return tuple(NamedVoice(voice, called) for voice, called in found if has_name(called, pattern))


def voices_renamed(data_dir: Path, name: str, wish: VoiceWish, others: Collection[str] = ()) -> Mapping[Path, bytes]:
    """Return the new contents of the files that name a voice after somebody, as `wish` says, but for deleted ones.

    A voice of the loudspeaker that is deleted is taken out of the settings, one that is renamed is named anew there.
    """
    taken = {_voice_name(path).casefold() for path in _found(data_dir, VOICES)}
    new: dict[str, str] = {}
    contents: dict[Path, bytes] = {}
    for voice in find_voices(data_dir, name, others):
        without = replace_name(voice.name, name, SOMEBODY, any_case=True, others=others)
        called = "" if wish == "delete" else _free(without, taken)
        new[voice.name] = called
        taken.add(called.casefold())
        if called:
            contents[data_dir / "voices" / voice.voice / "voice.toml"] = tomli_w.dumps({"name": called}).encode()
    return {**contents, **_settings_with(data_dir / SETTINGS, new)}


def remove_voices(data_dir: Path, voices: tuple[NamedVoice, ...]) -> None:
    """Delete voices with their recordings, as far as possible; a voice is gone with its name."""
    for voice in voices:
        folder = data_dir / "voices" / voice.voice
        remove(folder / "voice.toml")
        remove(folder)


def holds(path: Path, name: str, others: Collection[str] = ()) -> bool:
    """True if a file holds a name as a word of its own, in whatever capitals; False for one that cannot be read.

    The names of `others` do not count. An archive is looked through file by file.
    """
    in_json = [json.dumps(other)[1:-1] for other in others]
    patterns = [name_pattern(name, others=others), name_pattern(json.dumps(name)[1:-1], others=in_json)]
    with suppress(*_UNREADABLE):
        if path.suffix.lower() != ".zip":
            with path.open("rb") as file:
                return _is_in(file, patterns)
        with zipfile.ZipFile(path) as packed:
            for entry in packed.infolist():
                with packed.open(entry) as file:
                    if has_name(entry.filename, patterns[0]) or _is_in(file, patterns):
                        return True
    return False


def _is_in(file: IO[bytes], patterns: Collection[re.Pattern[str]]) -> bool:
    """True if a stream holds a name, as text or as JSON without any other letters than those of ASCII."""
    before, read = b"", 0
    while read < _LARGEST and (chunk := file.read(_CHUNK)):
        text = _NUMBERS.sub(" ", (before + chunk).decode("utf-8", "replace"))
        if any(has_name(text, pattern) for pattern in patterns):
            return True
        before, read = chunk[-_LAP:], read + len(chunk)
    return False


def _searched(data_dir: Path) -> Iterator[Path]:
    """Yield the files in which a name may stand as text, without the journal, backups and what is listed as a whole."""
    for path in sorted(data_dir.rglob("*")):
        name = _name_in(data_dir, path)
        is_whole = name.startswith((JOURNAL, f"{PREVIOUS_DIR}/", f"{RESTORE_DIR}/")) or path.match(BACKUPS)
        if not is_whole and path.suffix.lower() not in _PICTURES and path.is_file() and not path.is_symlink():
            yield path


def _delete(path: Path) -> None:
    try:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    except OSError as error:
        raise Refused(
            say("{file} may hold the name and cannot be deleted: {cause}.", file=path.name, cause=cause_of(error)),
            Reason.UNAVAILABLE,
        ) from error


def _settings_with(path: Path, voices: Mapping[str, str]) -> Mapping[Path, bytes]:
    """Return the settings with another voice of the loudspeaker, where they name one of these; else nothing."""
    with suppress(OSError, ValueError):
        written = path.read_text("utf-8")
        now = str(tomllib.loads(written).get("caller_voice", ""))
        if now in voices:
            line = tomli_w.dumps({"caller_voice": voices[now]}).strip()
            return {path: _OTHER_VOICE.sub(lambda _: line, written, count=1).encode()}
    return {}


def _voice_name(path: Path) -> str:
    with suppress(OSError, ValueError, RecursionError):
        name = tomllib.loads(path.read_text("utf-8")).get("name", "")
        return name if isinstance(name, str) else ""
    return ""


def _free(name: str, taken: set[str]) -> str:
    number, free = 1, name
    while free.casefold() in taken:
        number += 1
        free = f"{name} {number}"
    return free


def _found(data_dir: Path, *patterns: str) -> Iterator[Path]:
    for pattern in patterns:
        yield from sorted(data_dir.glob(pattern))


def _name_in(data_dir: Path, path: Path) -> str:
    return path.relative_to(data_dir).as_posix()


# The remembered players: renamed, merged and forgotten in all that is kept of them


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
    """The players of a journal. Any thread may call any method.

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
