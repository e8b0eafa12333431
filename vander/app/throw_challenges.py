"""Past throws as the pages need them: with their films and readings, and with what would follow from other faces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain

from referee.actions import Action, GameState
from referee.dice import Die, DieSet, FaceName, KindName
from referee.journal import NOBODY, Actor, Entry, Source
from referee.sentences import Reason, Refused, say, say_count
from referee.snapshot import DieRing, FaceTitle
from vander.storage.data_folder import DamagedFilm, PictureDeleted
from vander.storage.film_store import FilmDie, FilmFile, FilmIndex, FilmStore
from vander.table.challenges import Challenge, ChallengedDie, ChallengeResult, WhatIf, find_throw, predict, throws_of
from vander.table.match import Match
from vander.table.seen_dice import faces_of, title_of
from vander.table.session import Session
from vander.table.taps import playing
from web.schemas.challenge_schemas import (
    BeforeAfterResponse,
    ChallengedDieSchema,
    ChallengeResponse,
    ChangedDie,
    DepartureFrames,
    FaceShare,
    PastThrow,
    PastThrowsResponse,
    ScoreChange,
    WhatIfResponse,
)

BY_HAND = say("The dice were given by hand: there is no film.")
NO_FILM = say("No film was kept of this.")
DELETED = say("The film is gone: newer ones took its place.")
DAMAGED = say("The film is damaged; the throw itself stands in the journal.")
NO_PICTURE = say("There is no such picture in that film.")
SAME_ENTRY_S = 1.0
"""A film was made for another entry of its name if the times differ by more, as after another journal was put here."""


@dataclass(frozen=True)
class ThrowChallenges:
    """The past throws of the game in a session, with the films in a store."""

    session: Session
    films: FilmStore

    def throws(self) -> PastThrowsResponse:
        """Return the throws that stand, newest first; none without a game."""
        match = self.session.state.match
        rows = [PastThrow(*row) for row in throws_of(match).items()] if match else []
        return PastThrowsResponse(tuple(reversed(rows)))

    def sheet(self, entry: int) -> ChallengeResponse:
        """Return what was kept of a throw. Raises Refused where it does not stand."""
        match = playing(self.session.state)
        action = find_throw(match, entry)
        ruling = next(ruling for each, ruling in match.standing if each.number == entry)
        name, film, note = self._film_of(match, match.entries[entry - 1])
        index = film.index if film else FilmIndex("")
        return ChallengeResponse(
            entry=entry,
            action=str(action),
            step=match.step,
            calls=ruling.calls,
            film=f"/api/films/{name}" if index.times else "",
            film_note=note or ("" if index.times else NO_FILM),
            evidence=name,
            dice=_dice(match.start.dice, action, index, name),
            departures=tuple(_departure(index, gone.home, gone.moments) for gone in index.departures),
        )

    def what_if(self, entry: int, action: str, faces: Mapping[int, str]) -> WhatIfResponse:
        """Return what would follow. Raises Refused where the throw does not stand so."""
        match = playing(self.session.state)
        dice = tuple(ChallengedDie(place, face) for place, face in faces.items())
        return _what_if(match, predict(match, Challenge(entry, action, dice)))

    def challenge(  # noqa: PLR0913, PLR0917  # what people decided, and of what
        self, entry: int, action: str, faces: Mapping[int, str], verdict: str, step: str = "", by: Actor = NOBODY
    ) -> None:
        """Take what people decided. Raises Refused."""
        numbers = self._numbers(entry) if faces else {}
        dice = tuple(ChallengedDie(place, face, numbers.get(place, 0)) for place, face in faces.items())
        self.session.challenge(Challenge(entry, action, dice, ChallengeResult(verdict), step), by)

    def breach(self, name: str) -> BeforeAfterResponse:
        """Return the table before and after a breach, with the dice that changed. Raises Refused."""
        match = playing(self.session.state)
        at = next((entry.number for entry in match.entries if entry.evidence == name), None)
        if at is None:
            raise Refused(say("There is no breach with such a picture."), Reason.NOT_FOUND)
        _, film, _ = self._film_of(match, match.entries[at - 1])
        if film is None:
            return BeforeAfterResponse("", f"/pictures/{name}.jpg", "", ())
        index = film.index
        earlier = [entry.evidence for entry in match.entries[: at - 1] if entry.evidence]
        of_ruling = f"/pictures/{earlier[-1]}.jpg" if earlier else ""
        before = of_ruling or (f"/films/{name}/{index.before}.jpg" if index.times else "")
        changes = tuple(_changes(match.start.dice, index))
        return BeforeAfterResponse(
            before, f"/pictures/{name}.jpg", f"/api/films/{name}" if index.times else "", changes
        )

    def film(self, name: str) -> bytes:
        """Return the file of a film. Raises Refused."""
        return self._read(name).contents

    def film_picture(self, name: str, number: int) -> bytes:
        """Return a JPEG of a film, counted from 0. Raises Refused."""
        return _found(self._read(name).picture(number))

    def film_crop(self, name: str, number: int) -> bytes:
        """Return the JPEG of a die as it was ruled on, by its number. Raises Refused."""
        return _found(self._read(name).crop(number))

    def _numbers(self, entry: int) -> Mapping[int, int]:
        """Return the tracker's numbers of the dice of a throw by their places, as far as its film has them."""
        match = playing(self.session.state)
        action = find_throw(match, entry)
        _, film, _ = self._film_of(match, match.entries[entry - 1])
        pairs = _paired(action.dice, film.index.dice if film else ())
        return {place: read.number for place, read in enumerate(pairs) if read}

    def _film_of(self, match: Match, entry: Entry) -> tuple[str, FilmFile | None, str]:
        """Return the name of an entry's picture and film, the film, and why there is none."""
        if not entry.evidence:
            return "", None, BY_HAND if entry.source is Source.HAND else NO_FILM
        try:
            film = self.films.read(entry.evidence)
        except PictureDeleted:
            return entry.evidence, None, DELETED if self.films.is_on else NO_FILM
        except (DamagedFilm, LookupError):
            return entry.evidence, None, DAMAGED
        if not _is_of(film.index, match):
            return entry.evidence, None, NO_FILM
        return entry.evidence, film, ""

    def _read(self, name: str) -> FilmFile:
        try:
            return self.films.read(name)
        except PictureDeleted:
            raise Refused(DELETED, Reason.GONE) from None
        except DamagedFilm:
            raise Refused(DAMAGED, Reason.GONE) from None
        except LookupError:
            raise Refused(say("There is no film of that name."), Reason.NOT_FOUND) from None


def _found(jpeg: bytes | None) -> bytes:
    if jpeg is None:
        raise Refused(NO_PICTURE, Reason.NOT_FOUND)
    return jpeg


def _is_of(index: FilmIndex, match: Match) -> bool:
    """True if a film was made for an entry of this very game."""
    try:
        made = datetime.fromisoformat(index.entry_at)
        return any(abs((entry.at - made).total_seconds()) < SAME_ENTRY_S for entry in match.entries)
    except (ValueError, TypeError):
        return False


# Dice


def _dice(dice: DieSet, action: Action, index: FilmIndex, name: str) -> tuple[ChallengedDieSchema, ...]:
    pairs = zip(action.dice, _paired(action.dice, index.dice), strict=True)
    return tuple(_die(dice, place, die, read, index, name) for place, (die, read) in enumerate(pairs))


def _paired(dice: Sequence[Die], readings: Sequence[FilmDie]) -> list[FilmDie | None]:
    """Return the reading of each die of an action: of one that shows the same, else of one that was corrected since."""
    left = [read for read in readings if read.thrown]
    pairs: list[FilmDie | None] = [_take(left, die, same_face=True) for die in dice]
    return [read or _take(left, die, same_face=False) for die, read in zip(dice, pairs, strict=True)]


def _take(left: list[FilmDie], die: Die, *, same_face: bool) -> FilmDie | None:
    """Take the first reading of such a die out of those that are left."""
    for read in left:
        if read.kind == die.kind and (read.face == die.face or not same_face):
            left.remove(read)
            return read
    return None


def _die(  # noqa: PLR0913, PLR0917  # the die as it counts, and what was kept of it
    dice: DieSet, place: int, die: Die, read: FilmDie | None, index: FilmIndex, name: str
) -> ChallengedDieSchema:
    runners_up = read.runners_up if read else ()
    return ChallengedDieSchema(
        place=place,
        kind=str(die.kind),
        face=str(die.face),
        title=title_of(dice, die.kind, die.face or FaceName("")),
        read=_title(dice, read) if read and read.face != die.face else "",
        confidence=read.confidence if read else None,
        runners_up=tuple(FaceShare(face, title_of(dice, die.kind, FaceName(face)), p) for face, p in runners_up),
        handled=read.handled if read else "",
        crop=f"/films/{name}/die-{read.number}.jpg" if read and read.crop else "",
        ring=_ring(index, read) if read else None,
        faces=tuple(FaceTitle(face, title_of(dice, die.kind, face)) for face in faces_of(dice, die.kind)),
    )


def _title(dice: DieSet, read: FilmDie) -> str:
    return title_of(dice, KindName(read.kind), FaceName(read.face))


def _ring(index: FilmIndex, die: FilmDie) -> DieRing | None:
    """Return where a die lies in the film's pictures; None where that is not known, or beyond them."""
    if not die.edge or index.width <= 0 or index.height <= 0:
        return None
    x, y = (die.x - index.left) / index.width, (die.y - index.top) / index.height
    return DieRing.at(x, y, die.edge / index.width) if 0 <= x <= 1 and 0 <= y <= 1 else None


def _departure(index: FilmIndex, home: str, moments: Sequence[float]) -> DepartureFrames:
    inside, crossed, after = (index.index_at(moment) for moment in moments)
    return DepartureFrames(home, (inside, crossed, after))


def _changes(dice: DieSet, index: FilmIndex) -> chain[ChangedDie]:
    """Return the dice that do not show or lie as they did at the ruling before."""
    lay, lie = ({die.number: die for die in each} for each in (index.lay, index.dice))
    both = ((lay.get(number), lie.get(number)) for number in sorted({*lay, *lie}))
    return chain.from_iterable(_change(dice, index, old, new) for old, new in both)


def _change(dice: DieSet, index: FilmIndex, old: FilmDie | None, new: FilmDie | None) -> tuple[ChangedDie, ...]:
    if old is None and new is not None:
        return (ChangedDie(say("{die} came in.", die=_title(dice, new)), None, _ring(index, new)),)
    if old is None or new is None:
        return (ChangedDie(say("{die} is gone.", die=_title(dice, old)), _ring(index, old), None),) if old else ()
    rings = _ring(index, old), _ring(index, new)
    if (old.kind, old.face) != (new.kind, new.face):
        return (ChangedDie(say("{old} became {new}.", old=_title(dice, old), new=_title(dice, new)), *rings),)
    if new.thrown or old.zone != new.zone:
        return (ChangedDie(say("{die} was moved.", die=_title(dice, new)), *rings),)
    return ()


# What would follow


def _what_if(match: Match, found: WhatIf) -> WhatIfResponse:
    illegal = found.illegal
    scores = zip(match.state.players, found.now.scores, found.state.scores, strict=True)
    return WhatIfResponse(
        step=match.step,
        scores=tuple(ScoreChange(player.seat, player.name, now, then) for player, now, then in scores),
        rows=found.consequences,
        turn_now=_turn(found.now),
        turn_then=_turn(found.state),
        refusal=found.refusal.sentence if found.refusal else "",
        rule=found.refusal.rule if found.refusal else "",
        can_take=illegal is None and bool(found.consequences),
        can_take_back=illegal is not None and illegal.entry != found.entry,
    )


def _turn(state: GameState) -> str:
    """Say who is to act, or who has won."""
    if state.to_act:
        return say("{names} to act", names=state.names(state.to_act))
    if not state.winner:
        return say("The game is over")
    return say_count("{names} won", "{names} won", len(state.winner), names=state.names(state.winner))
