"""The doorkeeper: pairs tablets by a code of six dice, knows them again, and makes a code slow to guess.

There are 46,656 codes. Five wrong tries, on one code or on several, burn the code that is shown; then nobody but a
keeper gets a new one for half a minute, after the next five for a minute, and so on to an hour. So whoever guesses day
and night needs nine months for an even chance, and the lamp and the screen of the box show a code all that time.

Whoever guesses on purpose burns codes under the hands of others. So a code that a keeper asked for, `vander pair` too,
is not burnt by five wrong tries: each address in the network has five of its own, and only fifty in all burn it.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from math import ceil
from pathlib import Path
from threading import Lock, Timer
from time import monotonic

from referee.refused import Reason, Refused
from vander.access.device_store import DeviceList, DeviceStore, PairedDevice, write_private
from web.schemas.access_schemas import CODE_DICE, SIDES, PairingStatus
from web.services.access_protocol import Joined, Role, Tablet, TooSoon

LASTS_S = 300.0
"""So long the box shows a code."""
TRIES = 5
TRIES_OF_ALL = 50
"""So many wrong tries burn a code that a keeper asked for."""
FIRST_WAIT_S = 30.0
LONGEST_WAIT_S = 3600.0
NOTED_EVERY_S = 12 * 3600.0
"""That a tablet was used is written down no more often than this: it is only kept to know which is unused."""
BOX_KEY = "box.key"
"""A file in the data folder: whoever may read it is a keeper, so that `vander pair` works without a browser."""
BOX = Tablet(0, "The box itself", Role.KEEPER)

Listener = Callable[[tuple[int, ...] | None], None]
"""Hears the six faces when the box is to show them, and None when it is to stop."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Code:
    """What is shown, until when, and, where a keeper asked for it, how often each address was wrong."""

    faces: tuple[int, ...]
    until: float
    wrong: Counter[str] | None = None


class PairingService:
    """Who may do what, kept in the data folder. Implements `web.services.AccessBackend`.

    Every method may be called from any thread.

    `clock` gives seconds that only go forward, so that a box which learns the time late neither burns nor keeps a code
    for it; `today` is only shown. A restart begins a wait anew.
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
        self._clock, self._today = clock, today
        self._lock, self._telling = Lock(), Lock()
        self._listeners: list[Listener] = []
        self._book = DeviceStore(data_dir)
        self._list, self.trouble = self._book.read()
        if self.trouble:
            _log.warning("%s", self.trouble)
        self._code: _Code | None = None
        self._told: tuple[int, ...] | None = None
        self._ends: Timer | None = None
        self._waits_until = self._wait_from_now() if self._list.waiting else -1.0
        self._noted: dict[int, float] = {}
        self._box_digest = self._make_box_key(data_dir / BOX_KEY)

    def _make_box_key(self, path: Path) -> str:
        key = secrets.token_urlsafe(32)
        try:
            write_private(path, key.encode())
        except OSError as error:
            _log.warning("%s cannot be kept, so that `vander pair` may not work: %s", path, error.strerror or error)
        return _digest(key)

    def listen(self, listener: Listener) -> None:
        """Have the lamp or the console hear of every code that comes and goes."""
        self._listeners.append(listener)

    def close(self) -> None:
        """Show no code any more."""
        with self._lock:
            self._drop_code()
        self._tell()

    def tablet(self, key: str) -> Tablet | None:
        """The tablet that has this key; the box's own key, in the file `box.key`, is a keeper's."""
        digest = _digest(key)
        if hmac.compare_digest(digest, self._box_digest):
            return BOX
        with self._lock:
            guest = self._list.by_key(digest)
            return self._seen(guest).tablet if guest else None

    def _seen(self, guest: PairedDevice) -> PairedDevice:
        now = self._clock()
        if now - self._noted.get(guest.number, -NOTED_EVERY_S) < NOTED_EVERY_S:
            return guest
        self._noted[guest.number] = now
        used = guest.model_copy(update={"used_on": self._today().isoformat()})
        with suppress(Refused):  # a full disk forgets only when a tablet was used last
            self._keep(self._list.with_latest(used))
        return used

    def tablets(self) -> Sequence[Tablet]:
        """Who has joined in, in the order of joining."""
        with self._lock:
            return [guest.tablet for guest in sorted(self._list.guests, key=lambda guest: guest.number)]

    def asking(self) -> PairingStatus:
        """How it stands with the code. Whoever shows one that has just ended is told."""
        self._tell()
        with self._lock:
            code, now = self._shown(), self._clock()
            if code is None:
                return PairingStatus(wait_s=max(0.0, self._waits_until - now))
            return PairingStatus(True, code.until - now, TRIES - (self._list.wrong if code.wrong is None else 0))

    def code(self) -> tuple[int, ...] | None:
        """The six faces that the box shows now, or None."""
        with self._lock:
            code = self._shown()
        return code.faces if code else None

    def ask(self, keeper: bool = False) -> None:
        """Have the box show a code for five minutes; one that is shown already stays. Raises TooSoon.

        A keeper stands at the box or has its trust, so that a keeper's asking waits for nothing, and its code is not
        burnt by what strangers try.
        """
        with self._lock:
            shown = self._shown()
            if shown is not None:
                self._code = replace(shown, wrong=Counter()) if keeper and shown.wrong is None else shown
                return
            if not keeper:
                self._raise_too_soon()
                self._note({"waiting": False})
            self._show_code(Counter() if keeper else None)
        _log.warning("A tablet asks to join in; the box shows the code, and so does `vander pair`.")
        self._tell()

    def _raise_too_soon(self) -> None:
        left = self._waits_until - self._clock()
        if left > 0:
            said = f"Too many wrong codes were given: a new one may be asked for in {spoken(left)}, on the box at once."
            raise TooSoon(said, left)

    def _show_code(self, wrong: Counter[str] | None) -> None:
        self._drop_code()
        faces = tuple(1 + secrets.randbelow(SIDES) for _ in range(CODE_DICE))
        self._code = _Code(faces, self._clock() + LASTS_S, wrong)
        self._ends = Timer(LASTS_S, self._tell)
        self._ends.daemon = True
        self._ends.start()

    def pair(self, code: Sequence[int], name: str = "", address: str = "") -> Joined:
        """Let a tablet in that gives the code. A code lets one tablet in; a wrong one says no more than that."""
        try:
            with self._lock:
                self._try(code, address)
                joined = self._let_in(name)
                self._drop_code()
                self._waits_until, self.trouble = -1.0, ""
        finally:
            self._tell()
        _log.warning("Tablet %d has joined in as a %s.", joined.tablet.number, joined.tablet.role.word)
        return joined

    def _try(self, code: Sequence[int], address: str) -> None:
        shown = self._shown()
        if shown is None:
            raise Refused("The box shows no code now; ask for a new one.", Reason.CONFLICT)
        self._raise_out_of_tries(shown, address)
        if hmac.compare_digest(_written(shown.faces), _written(code)):
            return
        left = self._left_after_wrong(shown, address)
        if left < 0:
            raise Refused(self._burn(), Reason.NOT_ALLOWED)
        tries = "one try is" if left == 1 else f"{left or 'no'} tries are"
        raise Refused(f"Those are not the six dice that the box shows; {tries} left.", Reason.NOT_ALLOWED)

    def _raise_out_of_tries(self, shown: _Code, address: str) -> None:
        if shown.wrong is not None and shown.wrong[address] >= TRIES:
            left = shown.until - self._clock()
            raise TooSoon(f"Five wrong codes came from this tablet; it may try again in {spoken(left)}.", left)

    def _left_after_wrong(self, shown: _Code, address: str) -> int:
        """Count a wrong code; how many tries are left for this code and address, -1 when the code is to be burnt."""
        if shown.wrong is None:
            self._note({"wrong": self._list.wrong + 1})
            return TRIES - self._list.wrong or -1
        shown.wrong[address] += 1
        return TRIES - shown.wrong[address] if shown.wrong.total() < TRIES_OF_ALL else -1

    def _burn(self) -> str:
        self._note({"wrong": 0, "burnt": self._list.burnt + 1, "waiting": True})
        self._drop_code()
        self._waits_until = self._wait_from_now()
        _log.warning("Too many wrong codes were given at the door; a new one may be asked for after a wait.")
        return (
            f"That was one wrong code too many: the box shows it no longer, and a new one may be asked for in "
            f"{spoken(self._waits_until - self._clock())}."
        )

    def _wait_from_now(self) -> float:
        doublings = min(max(0, self._list.burnt - 1), 12)
        return self._clock() + min(LONGEST_WAIT_S, FIRST_WAIT_S * (1 << doublings))

    def _let_in(self, name: str) -> Joined:
        key, number = secrets.token_urlsafe(32), self._list.last + 1
        role = Role.PLAYER if any(guest.role == "keeper" for guest in self._list.guests) else Role.KEEPER
        day = self._today().isoformat()
        guest = PairedDevice(
            number=number,
            name=name or f"Tablet {number}",
            role="keeper" if role is Role.KEEPER else "player",
            digest=_digest(key),
            paired_on=day,
            used_on=day,
        )
        reset = {"wrong": 0, "burnt": 0, "waiting": False}
        self._keep(self._list.with_room().with_latest(guest).model_copy(update=reset))
        return Joined(guest.tablet, key)

    def rename(self, number: int, name: str) -> None:
        """Call a tablet by another name."""
        self._change(number, {"name": name})

    def entrust(self, number: int, role: Role) -> None:
        """Make a tablet a keeper, or a player again."""
        self._change(number, {"role": "keeper" if role is Role.KEEPER else "player"})

    def forget(self, number: int) -> None:
        """Forget a tablet: its key opens nothing any more."""
        with self._lock:
            self._list.by_number(number)
            self._keep(self._list.without(number))

    def _change(self, number: int, update: dict[str, object]) -> None:
        with self._lock:
            changed = self._list.by_number(number).model_copy(update=update)
            guests = tuple(changed if guest.number == number else guest for guest in self._list.guests)
            self._keep(self._list.model_copy(update={"guests": guests}))

    def _keep(self, guests: DeviceList) -> None:
        self._book.write(guests)
        self._list = guests

    def _note(self, update: dict[str, object]) -> None:
        """Count, on disk where that takes it: a full disk does not make guessing free."""
        noted = self._list.model_copy(update=update)
        if noted != self._list:
            self._list = noted
            with suppress(Refused):
                self._book.write(noted)

    def _shown(self) -> _Code | None:
        if self._code is not None and self._clock() >= self._code.until:
            self._code = None  # its timer still goes, and tells whoever shows it
        return self._code

    def _drop_code(self) -> None:
        if self._ends is not None:
            self._ends.cancel()
        self._code = self._ends = None

    def _tell(self) -> None:
        with self._telling:
            faces = self.code()
            if faces == self._told:
                return
            self._told = faces
            for listener in self._listeners:
                try:
                    listener(faces)
                except Exception:  # a lamp that is broken must not shut the door
                    _log.exception("The code could not be shown")


def spoken(seconds: float) -> str:
    """A wait in words: `30 seconds`, `4 minutes`, `an hour`."""
    whole = max(1, ceil(seconds))
    if whole < 90:
        return f"{whole} second{'s' if whole > 1 else ''}"
    minutes = ceil(whole / 60)
    return "an hour" if minutes == 60 else f"{minutes} minutes"


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def _written(faces: Sequence[int]) -> bytes:
    return " ".join(map(str, faces)).encode()
