"""Pair tablets by the code that the box shows, and know them again by their keys."""

from __future__ import annotations

import hmac
import logging
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from threading import Lock
from time import monotonic

from referee.refused import Reason, Refused
from referee.seat_rules import SeatRules
from referee.sentences import say, say_count
from vander.access.code_announcer import CodeAnnouncer, Listener
from vander.access.device_registry import DeviceRegistry, key_digest
from vander.access.device_store import write_private
from vander.access.pairing_code import (
    SHOWN_S,
    TRIES,
    TRIES_OF_ALL,
    UNUSED_CODES,
    PairingCode,
    format_wait,
    wait_after,
)
from web.schemas.access_schemas import PairingStatus
from web.services.access_backend import NewPairing, Role, Tablet, TooSoon

BOX_KEY = "box.key"
"""A file in the data folder: whoever can read it is a keeper, so that `vander pair` works without a browser."""
BOX = Tablet(0, say("The box itself"), Role.KEEPER)
UNUSED = say("Three codes were shown and not used. Ask a keeper to allow more, or press the box's button.")

_log = logging.getLogger(__name__)


class PairingService:
    """The paired tablets and the code; implements `web.services.AccessBackend`. Any thread may call any method.

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
        """Return the paired tablets in the order of pairing."""
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
                self._check_unused()
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
        """Pair a tablet that gives the code, which lets in one tablet; see `AccessBackend` for what is refused."""
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

    def _check_unused(self) -> None:
        if self._is_unused:
            raise Refused(UNUSED, Reason.CONFLICT)

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
