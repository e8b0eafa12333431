"""Films of throws: the last seconds of the small stream stay in memory, and each ruling puts its part on disk.

The camera loop hands pictures over and the session names rulings; both return at once. One thread cuts and encodes,
another writes, so that a slow card holds up neither play nor the pictures.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from queue import Full, Queue
from threading import Thread

from vander.box.health_monitor import LogThrottle
from vander.storage.film_store import FilmIndex, FilmStore, film_bytes
from vander.table.pictures import FilmedRuling
from vision.frame_reader import CameraPicture, CutPlace, FilmCut, ImageSource
from vision.frames import Frame, Pixels, small_image
from vision.image_io import encode_jpeg
from vision.observations import Observation

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
        """Return all pictures in memory."""
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
        """Start to encode and to write."""
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
    """Return the file of a ruling's film."""
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
        departures=ruling.departures,
    )
    return film_bytes(index, [picture.jpeg for picture in pictures], crops)
