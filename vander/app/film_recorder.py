"""Films of throws: how they are recorded, and past throws with their films as challenges need them."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain, pairwise
from queue import Full, Queue
from threading import Thread

from referee.actions import Action, GameState
from referee.dice import Die, DieSet, FaceName, KindName
from referee.journal import NOBODY, Actor, Entry, Source
from referee.sentences import Reason, Refused, say, say_count
from referee.snapshot import DieRing, FaceTitle
from vander.box.health_monitor import LogThrottle
from vander.storage.data_folder import DamagedFilm, PictureDeleted
from vander.storage.evidence_store import FilmDie, FilmFile, FilmIndex, FilmStore, film_bytes
from vander.table.challenges import Challenge, ChallengedDie, ChallengeResult, WhatIf, find_throw, predict, throws_of
from vander.table.match import Match
from vander.table.pictures import FilmedRuling
from vander.table.seen_dice import faces_of, title_of
from vander.table.session import Session
from vander.table.taps import playing
from vision.frame_reader import CameraPicture, CutPlace, FilmCut, ImageSource
from vision.frames import Frame, Pixels, small_image
from vision.image_io import encode_jpeg
from vision.observations import Observation
from web.schemas import game_schemas as shapes

# Films of throws: the last seconds of the small stream stay in memory, and each ruling puts its part on disk
#
# The camera loop hands pictures over and the session names rulings; both return at once. One thread cuts and encodes,
# another writes, so that a slow card holds up neither play nor the pictures.


log = logging.getLogger(__name__)

LENGTH_S = 10.0
"""Seconds before a ruling that its film shows at least."""
LONGEST_S = 60.0
"""Seconds before a ruling of which its film shows what moved since the ruling before: an answer may take a while."""
RESTING_S = 0.2
"""Seconds between pictures while nothing moves: five a second, so that an idle table costs little."""
MOST_PICTURES = 900
"""Pictures in memory: 30 s of movement at 30 pictures a second, some 8 MB."""
MOST_WAITING = 60
"""Pictures that wait to be encoded, 14 MB at most; while the processor is slower than the camera, some are dropped."""
MOST_UNWRITTEN = 4
"""Films that wait for the disk."""
CLOCK_JUMP_S = 1.0
"""A picture older than its predecessor by more than this restarts the film: the clock was set back."""
QUALITY = 70
"""JPEG quality of a film's pictures, 1 to 100: 8 kB each."""
NOWHERE = CutPlace(0, 0, 0, 0)
LONG_AGO = float("-inf")


@dataclass(frozen=True)
class RecordedPicture:
    """One picture of the film, cut to the tray. taken_at: seconds of the frames. place: the cut in the frame."""

    taken_at: float
    at_rest: bool
    jpeg: bytes
    place: CutPlace = NOWHERE


class FilmBuffer:
    """The last pictures, oldest first: all of the last LENGTH_S, and what moved since the last ruling."""

    def __init__(self) -> None:
        self._pictures: deque[RecordedPicture] = deque(maxlen=MOST_PICTURES)
        self._ruled_at = self._pruned_at = LONG_AGO

    @property
    def pictures(self) -> tuple[RecordedPicture, ...]:
        return tuple(self._pictures)

    def add(self, picture: RecordedPicture) -> None:
        """Add a picture. Drop repeated and late ones; restart the film if the clock was set back."""
        last_at = self._pictures[-1].taken_at if self._pictures else LONG_AGO
        if picture.taken_at < last_at - CLOCK_JUMP_S:
            self._pictures.clear()  # nothing of another clock can be put in order
            self._ruled_at = self._pruned_at = LONG_AGO
        elif picture.taken_at <= last_at:
            return
        self._pictures.append(picture)
        if picture.taken_at - self._pruned_at >= 1:
            self._prune(picture.taken_at)

    def cut_film(self) -> tuple[tuple[RecordedPicture, ...], int]:
        """Return the film of a ruling that is made now, and the index of the picture of the ruling before."""
        found = self.cut_since_ruling()
        self._ruled_at = self._pictures[-1].taken_at if self._pictures else LONG_AGO
        return found

    def cut_since_ruling(self) -> tuple[tuple[RecordedPicture, ...], int]:
        """Return what a ruling would have for its film now, and the index of the picture of the last ruling."""
        if not self._pictures:
            return (), 0
        now, ruled_at = self._pictures[-1].taken_at, self._ruled_at
        self._prune(now)
        film = tuple(each for each in self._pictures if each.taken_at >= min(now - LENGTH_S, ruled_at))
        since = (place for place, each in enumerate(film) if each.at_rest and each.taken_at >= ruled_at)
        return film, next(since, 0)

    def _prune(self, now: float) -> None:
        """Drop what is too old. Of a pause before the last LENGTH_S the picture before each movement stays."""
        self._pruned_at = now
        pictures = (*self._pictures, None)
        kept = [each for each, later in pairwise(pictures) if each and self._is_kept(each, later, now)]
        self._pictures = deque(kept, MOST_PICTURES)

    def _is_kept(self, each: RecordedPicture, later: RecordedPicture | None, now: float) -> bool:
        if now - each.taken_at <= LENGTH_S:
            return True
        is_still = each.at_rest and (later is None or later.at_rest)
        return not is_still and each.taken_at >= max(self._ruled_at, now - LONGEST_S)


@dataclass(frozen=True, eq=False)
class _Taken:
    """A picture that is to be cut and encoded, and the frame that tells where the tray lies."""

    small: Pixels
    taken_at: float
    at_rest: bool
    settled: CameraPicture


@dataclass(frozen=True)
class _Asked:
    """The numbers of questions that are open, and the film of what they are about; b"" until it is cut."""

    questions: frozenset[int] = frozenset()
    film: bytes = b""


class FilmRecorder:
    """Keep the last seconds of the stream; put the film of each ruling into a store, hold that of open questions."""

    def __init__(self, store: FilmStore) -> None:
        self.store = store
        self._buffer = FilmBuffer()
        self._cut: tuple[Frame, FilmCut] | None = None
        self._last: tuple[float, bool] | None = None
        self._asked = _Asked()
        self._jobs: Queue[_Taken | FilmedRuling | _Asked | None] = Queue()
        self._films: Queue[tuple[str, bytes] | None] = Queue(MOST_UNWRITTEN)
        self._failures = LogThrottle(log, "films: failed")
        self._encoder = Thread(target=self._run, args=(self._next_job,), name="film-encoder", daemon=True)
        self._writer = Thread(target=self._run, args=(self._next_film,), name="film-writer", daemon=True)

    @property
    def trouble(self) -> str:
        """Return why the last film could not be kept; '' when it was."""
        return self.store.trouble

    def start(self) -> None:
        self.store.clean_up()
        self._encoder.start()
        self._writer.start()

    def stop(self) -> None:
        """Write what is waiting, and end."""
        for thread, jobs in ((self._encoder, self._jobs), (self._writer, self._films)):
            if thread.is_alive():
                jobs.put(None)
                thread.join()

    def take(self, observation: Observation, images: ImageSource) -> None:
        """Take in the last frame; where no tray was found since the dice were counted, there is nothing to keep."""
        current, settled = images.current_picture(), images.settled_picture()
        if not self.store.is_on or current is None or not isinstance(settled, CameraPicture) or settled.last is None:
            return
        frame, at_rest = current.frame, observation.at_rest and not observation.hands_in
        if self._is_needed(frame.taken_at, at_rest) and self._jobs.qsize() < MOST_WAITING:
            self._last = frame.taken_at, at_rest
            self._jobs.put(_Taken(small_image(frame), frame.taken_at, at_rest, settled))

    def keep(self, ruling: FilmedRuling) -> None:
        """Keep the film of a ruling that is made now; returns at once."""
        if self.store.is_on:
            self._jobs.put(ruling)

    def ask(self, questions: Collection[int]) -> None:
        """Hold the film of what open questions are about, by their numbers; returns at once."""
        if self.store.is_on:
            self._jobs.put(_Asked(frozenset(questions)))

    def asked(self, question: int) -> bytes:
        """Return the film of what an open question is about; b"" where there is none, or not yet."""
        asked = self._asked
        return asked.film if question in asked.questions else b""

    def _is_needed(self, taken_at: float, at_rest: bool) -> bool:
        """False for a picture that shows what the last one showed, while nothing moves."""
        if self._last is None or not (at_rest and self._last[1]):
            return True
        return not 0 <= taken_at - self._last[0] < RESTING_S

    def _run(self, do_next: Callable[[], bool]) -> None:
        is_on = True
        while is_on:
            try:
                is_on = do_next()
            except Exception as error:  # a film never stops play, and the next one may be kept
                self._failures.error(error)

    def _next_job(self) -> bool:
        """Encode a picture, or cut a film; False at the end."""
        job = self._jobs.get()
        if isinstance(job, _Taken):
            self._buffer.add(self._encoded(job))
        elif isinstance(job, _Asked):
            film, before = self._buffer.cut_since_ruling()
            self._asked = replace(job, film=film_of(FilmedRuling("", ""), film, before) if film else b"")
        elif job is not None:
            film, before = self._buffer.cut_film()
            try:
                self._films.put_nowait((job.name, film_of(job, film, before)))
            except Full:
                log.warning("films: dropped one: the card is too slow")
        return job is not None

    def _next_film(self) -> bool:
        """Write a film; False at the end."""
        film = self._films.get()
        if film is not None:
            self.store.keep(*film)
        return film is not None

    def _encoded(self, taken: _Taken) -> RecordedPicture:
        cut = self._cut_for(taken.settled)
        return RecordedPicture(taken.taken_at, taken.at_rest, encode_jpeg(cut.cut(taken.small), QUALITY), cut.place)

    def _cut_for(self, settled: CameraPicture) -> FilmCut:
        """Return where the tray lies since it was last read."""
        if self._cut is None or self._cut[0] is not settled.frame:
            if settled.last is None:
                raise ValueError("no tray was in sight")
            self._cut = settled.frame, FilmCut.of(settled.frame, settled.last)
        return self._cut[1]


def film_of(ruling: FilmedRuling, pictures: Sequence[RecordedPicture], before: int) -> bytes:
    place = pictures[-1].place if pictures else NOWHERE
    crops = [ruling.crops.get(die.number, b"") for die in ruling.dice]
    index = FilmIndex(
        entry_at=ruling.entry_at,
        times=tuple(picture.taken_at for picture in pictures),
        resting=tuple(picture.at_rest for picture in pictures),
        sizes=tuple(len(picture.jpeg) for picture in pictures),
        before=before,
        left=place.left,
        top=place.top,
        width=place.width,
        height=place.height,
        dice=tuple(replace(die, crop=len(crop)) for die, crop in zip(ruling.dice, crops, strict=True)),
        lay=ruling.lay,
    )
    return film_bytes(index, [picture.jpeg for picture in pictures], crops)


# Past throws as the pages need them: with their films and readings, and with what would follow from other faces


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

    def throws(self) -> shapes.PastThrowsResponse:
        """Return the throws that stand, newest first; none without a game."""
        match = self.session.state.match
        rows = [shapes.PastThrow(*row) for row in throws_of(match).items()] if match else []
        return shapes.PastThrowsResponse(tuple(reversed(rows)))

    def sheet(self, entry: int) -> shapes.ChallengeResponse:
        """Return what was kept of a throw. Raises Refused where it does not stand."""
        match = playing(self.session.state)
        action = find_throw(match, entry)
        ruling = next(ruling for each, ruling in match.standing if each.number == entry)
        name, film, note = self._film_of(match, match.entries[entry - 1])
        index = film.index if film else FilmIndex("")
        return shapes.ChallengeResponse(
            entry=entry,
            action=str(action),
            step=match.step,
            calls=ruling.calls,
            film=f"/api/films/{name}" if index.times else "",
            film_note=note or ("" if index.times else NO_FILM),
            evidence=name,
            dice=_dice(match.start.dice, action, index, name),
        )

    def what_if(self, entry: int, action: str, faces: Mapping[int, str]) -> shapes.WhatIfResponse:
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

    def breach(self, name: str) -> shapes.BeforeAfterResponse:
        """Return the table before and after a breach, with the dice that changed. Raises Refused."""
        match = playing(self.session.state)
        at = next((entry.number for entry in match.entries if entry.evidence == name), None)
        if at is None:
            raise Refused(say("There is no breach with such a picture."), Reason.NOT_FOUND)
        _, film, _ = self._film_of(match, match.entries[at - 1])
        if film is None:
            return shapes.BeforeAfterResponse("", f"/pictures/{name}.jpg", "", ())
        index = film.index
        earlier = [entry.evidence for entry in match.entries[: at - 1] if entry.evidence]
        of_ruling = f"/pictures/{earlier[-1]}.jpg" if earlier else ""
        before = of_ruling or (f"/films/{name}/{index.before}.jpg" if index.times else "")
        changes = tuple(_changes(match.start.dice, index))
        return shapes.BeforeAfterResponse(
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


def _dice(dice: DieSet, action: Action, index: FilmIndex, name: str) -> tuple[shapes.ChallengedDieSchema, ...]:
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
) -> shapes.ChallengedDieSchema:
    runners_up = read.runners_up if read else ()
    return shapes.ChallengedDieSchema(
        place=place,
        kind=str(die.kind),
        face=str(die.face),
        title=title_of(dice, die.kind, die.face or FaceName("")),
        read=_title(dice, read) if read and read.face != die.face else "",
        confidence=read.confidence if read else None,
        runners_up=tuple(shapes.FaceShare(face, title_of(dice, die.kind, FaceName(face)), p) for face, p in runners_up),
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


def _changes(dice: DieSet, index: FilmIndex) -> chain[shapes.ChangedDie]:
    """Return the dice that do not show or lie as they did at the ruling before."""
    lay, lie = ({die.number: die for die in each} for each in (index.lay, index.dice))
    both = ((lay.get(number), lie.get(number)) for number in sorted({*lay, *lie}))
    return chain.from_iterable(_change(dice, index, old, new) for old, new in both)


def _change(dice: DieSet, index: FilmIndex, old: FilmDie | None, new: FilmDie | None) -> tuple[shapes.ChangedDie, ...]:
    if old is None and new is not None:
        return (shapes.ChangedDie(say("{die} came in.", die=_title(dice, new)), None, _ring(index, new)),)
    if old is None or new is None:
        return (
            (shapes.ChangedDie(say("{die} is gone.", die=_title(dice, old)), _ring(index, old), None),) if old else ()
        )
    rings = _ring(index, old), _ring(index, new)
    if (old.kind, old.face) != (new.kind, new.face):
        return (shapes.ChangedDie(say("{old} became {new}.", old=_title(dice, old), new=_title(dice, new)), *rings),)
    if new.thrown or old.zone != new.zone:
        return (shapes.ChangedDie(say("{die} was moved.", die=_title(dice, new)), *rings),)
    return ()


# What would follow


def _what_if(match: Match, found: WhatIf) -> shapes.WhatIfResponse:
    illegal = found.illegal
    scores = zip(match.state.players, found.now.scores, found.state.scores, strict=True)
    return shapes.WhatIfResponse(
        step=match.step,
        scores=tuple(shapes.ScoreChange(player.seat, player.name, now, then) for player, now, then in scores),
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
