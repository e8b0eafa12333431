"""Pair tablets by the code that the box shows, and know them again by their keys."""

from __future__ import annotations

import hmac
import logging
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from math import ceil
from pathlib import Path
from threading import Lock, Timer
from time import monotonic

from referee.journal import SeatRules
from referee.sentences import Reason, Refused, say, say_count
from vander.access.devices import DeviceRegistry, key_digest, write_private
from web.schemas.access_schemas import CODE_DICE, SIDES, NewPairing, PairingStatus, Role, Tablet, TooSoon

# Tell the lamp and the terminal which code to show, and when to stop


Listener = Callable[[tuple[int, ...] | None], None]
"""Called with the six faces that the box is to show, and with None when it is to stop."""

_log = logging.getLogger(__name__)


class CodeAnnouncer:
    """Call the listeners whenever the code that `current` returns has changed. Any thread may call any method."""

    def __init__(self, current: Callable[[], tuple[int, ...] | None]) -> None:
        self._current = current
        self._lock = Lock()
        self._listeners: list[Listener] = []
        self._announced: tuple[int, ...] | None = None
        self._timer: Timer | None = None

    def add_listener(self, listener: Listener) -> None:
        """Call this listener too. One that raises is logged and called again for the next change."""
        self._listeners.append(listener)

    def announce(self) -> None:
        """Call the listeners if the code has changed since the last call."""
        with self._lock:
            faces = self._current()
            if faces == self._announced:
                return
            self._announced = faces
            for listener in self._listeners:
                try:
                    listener(faces)
                except Exception:  # a broken lamp must not keep tablets out
                    _log.exception("pairing: the code cannot be shown")

    def announce_after(self, seconds: float) -> None:
        """Announce once more after this time, when the code has expired; an earlier request is cancelled."""
        self.cancel()
        self._timer = Timer(seconds, self.announce)
        self._timer.daemon = True
        self._timer.start()

    def cancel(self) -> None:
        """Drop the request of `announce_after`."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


# The code that lets a tablet join in: six dice, and what makes it slow to guess
#
# There are 46,656 codes. Five wrong tries, on one code or on several, burn the code that is shown. After that only a
# keeper gets a new one for half a minute, after the next five for a minute, and so on up to an hour. Guessing day and
# night then takes nine months for an even chance, and the lamp and the screen of the box show a code all that time.
# An attacker could burn codes to keep others out. A code that a keeper requested, `vander pair` included, is
# therefore not burnt by five wrong tries: each network address has five of its own, and fifty in all burn it.
# Nor may a stranger keep a code on the lamp and the pages all day: after UNUSED_CODES that let nobody in, people who
# only watch get no more, until a keeper requests one or allows more, or somebody presses the box's button.


SHOWN_S = 300.0
"""How long the box shows a code."""
TRIES = 5
TRIES_OF_ALL = 50
"""Wrong tries from all addresses that burn a keeper's code."""
UNUSED_CODES = 3
"""Codes in a row that are shown to people who only watch and then not used."""
FIRST_WAIT_S = 30.0
LONGEST_WAIT_S = 3600.0
MOST_DOUBLINGS = 12


@dataclass(frozen=True)
class PairingCode:
    """The code that is shown until `until`, on the clock of the service.

    `wrong` counts the wrong tries of each address if a keeper requested the code. Of any other code it is None: its
    wrong tries are counted over all codes, on disk.
    """

    faces: tuple[int, ...]
    until: float
    wrong: Counter[str] | None = None

    @classmethod
    def random(cls, until: float, *, keeper: bool) -> PairingCode:
        faces = tuple(1 + secrets.randbelow(SIDES) for _ in range(CODE_DICE))
        return cls(faces, until, Counter() if keeper else None)

    @property
    def by_keeper(self) -> bool:
        return self.wrong is not None

    def for_keeper(self) -> PairingCode:
        return self if self.by_keeper else replace(self, wrong=Counter())

    def matches(self, faces: Sequence[int]) -> bool:
        """True if these are the code's faces. Takes the same time for every wrong code of the same length."""
        return hmac.compare_digest(_encoded(self.faces), _encoded(faces))

    def is_closed_to(self, address: str) -> bool:
        """True if this address has used up its tries of a keeper's code."""
        return self.wrong is not None and self.wrong[address] >= TRIES


def wait_after(burnt: int) -> float:
    """Return how many seconds nobody but a keeper gets a code, after the last of `burnt` burnt codes."""
    doublings = min(max(0, burnt - 1), MOST_DOUBLINGS)
    return min(LONGEST_WAIT_S, FIRST_WAIT_S * (1 << doublings))


def format_wait(seconds: float) -> str:
    """Return a wait in words: `30 seconds`, `4 minutes`, `an hour`."""
    whole = max(1, ceil(seconds))
    if whole < 90:
        return say_count("{count} second", "{count} seconds", whole)
    minutes = ceil(whole / 60)
    return say("an hour") if minutes == 60 else say_count("{count} minute", "{count} minutes", minutes)


def _encoded(faces: Sequence[int]) -> bytes:
    return " ".join(map(str, faces)).encode()


# Pair tablets by the code that the box shows, and know them again by their keys


BOX_KEY = "box.key"
"""A file in the data folder: whoever can read it is a keeper, so that `vander pair` works without a browser."""
BOX = Tablet(0, say("The box itself"), Role.KEEPER)
UNUSED = say("Three codes were shown and not used. Ask a keeper to allow more, or press the box's button.")


class PairingService:
    """The paired tablets and the code. Any thread may call any method.

    `clock` is a monotonic clock in seconds, so that setting the system's clock neither burns nor prolongs a code;
    `today` gives the days that are shown. A wait after burnt codes starts again with a restart.
    """

    def __init__(
        self,
        data_dir: Path,
        *,
        trust_local: bool = True,
        names: Iterable[str] = (),
        clock: Callable[[], float] = monotonic,
        today: Callable[[], date] = date.today,
    ) -> None:
        self.trust_local = trust_local
        self.names = frozenset(name.strip().lower() for name in names if name.strip())
        self._clock = clock
        self._lock = Lock()
        self._devices = DeviceRegistry(data_dir, clock, today)
        if self.trouble:
            _log.warning("pairing: %s", self.trouble)
        self._announcer = CodeAnnouncer(self.code)
        self._shown: PairingCode | None = None
        self._waits_until = self._wait_from_now() if self._devices.guesses.waiting else -1.0
        self._box_digest = _write_box_key(data_dir / BOX_KEY)

    @property
    def trouble(self) -> str:
        """What is wrong with the list of tablets, in one sentence, or ''."""
        return self._devices.trouble

    def listen(self, listener: Listener) -> None:
        """Call `listener` with each code that the box is to show, and with None when it is to stop."""
        self._announcer.add_listener(listener)

    def close(self) -> None:
        """Stop showing a code."""
        with self._lock:
            self._drop_code()
        self._announcer.announce()

    def tablet(self, key: str) -> Tablet | None:
        """Return the tablet that has this key, or None; the key in the file `box.key` is a keeper's."""
        digest = key_digest(key)
        if hmac.compare_digest(digest, self._box_digest):
            return BOX
        with self._lock:
            return self._devices.find(digest)

    def tablets(self) -> Sequence[Tablet]:
        with self._lock:
            return self._devices.tablets()

    def pairing_status(self) -> PairingStatus:
        """Return whether a code is shown, and when a new one may be requested."""
        self._announcer.announce()
        with self._lock:
            code, now = self._current(), self._clock()
            if code is None:
                return PairingStatus(wait_s=max(0.0, self._waits_until - now), refused=self._is_unused)
            wrong = self._devices.guesses.wrong if code.wrong is None else 0
            makes_keeper = self._devices.makes_keeper(by_keeper=code.by_keeper)
            return PairingStatus(True, code.until - now, TRIES - wrong, makes_keeper=makes_keeper)

    def code(self) -> tuple[int, ...] | None:
        """Return the six faces that the box shows now, or None."""
        with self._lock:
            code = self._current()
        return code.faces if code else None

    def show_code(self, keeper: bool = False) -> None:
        """Show a code for SHOWN_S; one that is shown already stays. A keeper's request allows others to ask again.

        Raises TooSoon, and Refused (CONFLICT) after UNUSED_CODES that nobody used, but never for a keeper.
        """
        with self._lock:
            code = self._current()
            if keeper:
                self._devices.count_guesses({"unused": 0})
            if code is not None:
                self._shown = code.for_keeper() if keeper else code
                return
            if not keeper:
                if self._is_unused:
                    raise Refused(UNUSED, Reason.CONFLICT)
                self._check_wait()
                self._devices.count_guesses({"waiting": False, "unused": self._devices.guesses.unused + 1})
            self._shown = PairingCode.random(self._clock() + SHOWN_S, keeper=keeper)
            self._announcer.announce_after(SHOWN_S)
        _log.warning("pairing: a tablet asks to join in; the box shows the code, and `vander pair` prints it")
        self._announcer.announce()

    def allow_codes(self) -> None:
        """Let people who only watch ask for codes again."""
        with self._lock:
            self._devices.count_guesses({"unused": 0})

    def on_button(self) -> bool:
        """Take in a press of the box's button that the game has no use for; return True if pairing has one.

        It lets people ask for codes again; and while there is no keeper it makes the code that is shown a keeper's,
        so that the tablet which gives it becomes one.
        """
        with self._lock:
            code = self._current()
            if code is not None and not code.by_keeper and not self._devices.has_keeper:
                self._shown = code.for_keeper()
                return True
            refused = code is None and self._is_unused
            if refused:
                self._devices.count_guesses({"unused": 0})
            return refused

    def pair(self, code: Sequence[int], name: str = "", address: str = "", *, as_camera: bool = False) -> NewPairing:
        """Pair a tablet at that address that gives the code, which lets in one tablet: the first ever as a keeper.

        The next are players; where no keeper is left, one becomes a keeper only if a keeper, as the box itself is,
        requested the code. A phone that joins in `as_camera` becomes the camera, and nothing else.

        Raises TooSoon when that address was wrong too often, and Refused: NOT_ALLOWED for a wrong code, CONFLICT when
        none is shown or too many are paired, UNAVAILABLE when it cannot be kept.
        """
        try:
            with self._lock:
                by_keeper = self._check_code(code, address)
                joined = self._devices.add(name, by_keeper=by_keeper, as_camera=as_camera)
                self._drop_code()
                self._waits_until = -1.0
        finally:
            self._announcer.announce()
        _log.warning("pairing: tablet %d has joined in as a %s", joined.tablet.number, joined.tablet.role.word)
        return joined

    def rename(self, number: int, name: str) -> None:
        """Give a tablet another name. Raises Refused (NOT_FOUND, UNAVAILABLE)."""
        with self._lock:
            self._devices.rename(number, name)

    def set_role(self, number: int, role: Role, *, confirmed: bool = False) -> None:
        """Make a tablet a keeper, or a player again. Raises Refused (NOT_FOUND, UNAVAILABLE; CONFLICT: last keeper)."""
        with self._lock:
            self._devices.set_role(number, role, confirmed=confirmed)

    def bind(self, number: int, player: str) -> None:
        """Say whose phone a tablet is, '' for the table's. Raises Refused (NOT_FOUND, UNAVAILABLE)."""
        with self._lock:
            self._devices.bind(number, player)

    @contextmanager
    def renaming_player(self, old: str, new: str, others: Iterable[str]) -> Iterator[None]:
        """Give a player another name on all phones, in their own names too, after the block if that succeeds.

        '' frees the phones of a forgotten player. The names of `others` stay whole. Raises Refused (UNAVAILABLE) before
        the block.
        """
        with self._lock, self._devices.renaming_player(old, new, others):
            yield

    def seat_rules(self) -> SeatRules:
        """Return what the table wants of phones that are bound to a player."""
        with self._lock:
            return self._devices.seat_rules

    def set_seat_rules(self, *, own_seat_only: bool, confirm: bool) -> None:
        """Change what the table wants of them. Raises Refused (UNAVAILABLE)."""
        with self._lock:
            self._devices.set_seat_rules(own_seat_only=own_seat_only, confirm=confirm)

    def forget(self, number: int, *, confirmed: bool = False) -> None:
        """Forget a tablet: its key is no longer known. Raises Refused as `set_role` does."""
        with self._lock:
            self._devices.remove(number, confirmed=confirmed)

    @property
    def _is_unused(self) -> bool:
        """True if too many codes were shown to people who only watch, and not used."""
        return self._devices.guesses.unused >= UNUSED_CODES

    def _check_wait(self) -> None:
        left = self._waits_until - self._clock()
        if left > 0:
            wait = format_wait(left)
            raise TooSoon(
                say(
                    "Too many wrong codes were given: ask for a new one in {wait}, on the box at once.",
                    wait=wait,
                ),
                left,
            )

    def _check_code(self, faces: Sequence[int], address: str) -> bool:
        """Check the code that a tablet gives, and return whether a keeper requested it; a wrong one is counted.

        Raises Refused and TooSoon.
        """
        code = self._current()
        if code is None:
            raise Refused(say("The box shows no code now; ask for a new one."), Reason.CONFLICT)
        if code.is_closed_to(address):
            left = code.until - self._clock()
            raise TooSoon(
                say("Five wrong codes came from this tablet; it may try again in {wait}.", wait=format_wait(left)), left
            )
        if code.matches(faces):
            return code.by_keeper
        left_tries = self._count_wrong(code, address)
        if left_tries < 0:
            raise Refused(self._burn_code(), Reason.NOT_ALLOWED)
        raise Refused(_wrong_in_words(left_tries), Reason.NOT_ALLOWED)

    def _count_wrong(self, code: PairingCode, address: str) -> int:
        """Count a wrong code; return the tries left for this code and address, -1 if the code is to be burnt."""
        if code.wrong is None:
            self._devices.count_guesses({"wrong": self._devices.guesses.wrong + 1})
            return TRIES - self._devices.guesses.wrong or -1
        code.wrong[address] += 1
        return TRIES - code.wrong[address] if code.wrong.total() < TRIES_OF_ALL else -1

    def _burn_code(self) -> str:
        """Drop the code after too many wrong tries, begin a wait, and return the sentence that says so."""
        burnt = self._devices.guesses.burnt + 1
        self._devices.count_guesses({"wrong": 0, "burnt": burnt, "waiting": True})
        self._drop_code()
        self._waits_until = self._wait_from_now()
        _log.warning("pairing: code burnt: too many wrong codes; a new one may be requested after a wait")
        wait = format_wait(self._waits_until - self._clock())
        return say(
            "That was one wrong code too many: the box no longer shows it. Ask for a new one in {wait}.",
            wait=wait,
        )

    def _wait_from_now(self) -> float:
        return self._clock() + wait_after(self._devices.guesses.burnt)

    def _current(self) -> PairingCode | None:
        """Return the code that is shown; an expired one is dropped, and its timer tells the listeners."""
        if self._shown is not None and self._clock() >= self._shown.until:
            self._shown = None
        return self._shown

    def _drop_code(self) -> None:
        self._announcer.cancel()
        self._shown = None


def _wrong_in_words(left_tries: int) -> str:
    if not left_tries:
        return say("Those are not the six dice that the box shows; no tries are left.")
    return say_count(
        "Those are not the six dice that the box shows; one try is left.",
        "Those are not the six dice that the box shows; {count} tries are left.",
        left_tries,
    )


def _write_box_key(path: Path) -> str:
    """Write a new key for this run, and return its digest."""
    key = secrets.token_urlsafe(32)
    try:
        write_private(path, key.encode())
    except OSError as error:
        _log.warning("pairing: %s: cannot be written, `vander pair` will not work: %s", path, error.strerror or error)
    return key_digest(key)
