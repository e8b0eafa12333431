"""The box's panel: lamp and buzzer follow the table; the button confirms, ends a turn, or shuts the box down."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from threading import Event, Lock, Thread
from typing import Final, TypeVar

from hardware.wiring import Button, Buzzer, Colour, LampSignal, PinUnavailable, PressLength, RgbLamp, Rhythm, Sound
from referee.actions import Action
from referee.journal import BUTTON, Source
from referee.sentences import Refused
from referee.snapshot import NoticeMood, Offer, Snapshot
from vander.box.health_monitor import LogThrottle
from vander.learning.learning_service import LearningService
from vander.storage.settings import Press, Settings
from vander.table.session import Session

# The signals of the box's lamp, and which of them a snapshot calls for. Pure functions


THROW = LampSignal(Colour.GREEN, Rhythm.STEADY)
DECIDE = LampSignal(Colour.BLUE, Rhythm.SLOW)
DOUBT = LampSignal(Colour.YELLOW, Rhythm.TWO)
BREACH = LampSignal(Colour.RED, Rhythm.FAST)
NO_CAMERA = LampSignal(Colour.MAGENTA, Rhythm.THREE)
UNDERVOLTAGE = LampSignal(Colour.RED, Rhythm.FOUR)
UNSAVED = LampSignal(Colour.RED, Rhythm.FIVE)
LENT = LampSignal(Colour.CYAN, Rhythm.WINK)
NO_GAME = LampSignal(Colour.WHITE, Rhythm.ONE)
HELD_LONG = LampSignal(Colour.WHITE, Rhythm.EVEN)
SHUTTING_DOWN = LampSignal(Colour.WHITE, Rhythm.LONG_SHORT)

MEANINGS: Mapping[LampSignal, str] = {
    THROW: "Throw the dice.",
    DECIDE: "Decide: the tablet shows what may be done.",
    DOUBT: "A doubt: the tablet asks what a die shows or whether a throw was read right, or the button was not enough.",
    BREACH: "Something was against the rules: the tablet says what, and how to go on.",
    NO_CAMERA: "The camera is gone, or sees no tray.",
    UNDERVOLTAGE: "The power supply is too weak.",
    UNSAVED: "Vander cannot write to its card: do not throw.",
    LENT: "Dice are being shown; a short press takes the picture.",
    NO_GAME: "No game is going on: set one up on the tablet.",
    HELD_LONG: "The button has been held for a long press: let go, or hold on for a very long one.",
    SHUTTING_DOWN: "The box shuts down.",
}
"""Every signal, and its meaning for the people at the table."""


def signal_of(snapshot: Snapshot) -> LampSignal:
    """Return the signal for a snapshot: the first of _PRIORITY that applies, else THROW."""
    return next((signal for signal, applies in _PRIORITY if applies(snapshot)), THROW)


def voluntary_offers(snapshot: Snapshot) -> tuple[Offer, ...]:
    """Return the offers that need no confirmation on the tablet, as giving the turn up does."""
    grave = snapshot.game.grave if snapshot.game else frozenset()
    return tuple(offer for offer in snapshot.offers if offer.action.verb not in grave and not offer.loses)


_PRIORITY: Final[tuple[tuple[LampSignal, Callable[[Snapshot], bool]], ...]] = (
    (UNSAVED, lambda snapshot: snapshot.unsaved),
    (UNDERVOLTAGE, lambda snapshot: snapshot.low_power),
    (LENT, lambda snapshot: snapshot.lent),
    (NO_CAMERA, lambda snapshot: bool(snapshot.camera_trouble)),
    (BREACH, lambda snapshot: snapshot.mood is NoticeMood.BREACH),
    (DOUBT, lambda snapshot: any(question.die for question in snapshot.questions) or snapshot.check is not None),
    (DECIDE, lambda snapshot: bool(snapshot.questions) or snapshot.mood is NoticeMood.ASK),
    (NO_GAME, lambda snapshot: not voluntary_offers(snapshot)),
    (DECIDE, lambda snapshot: not all(offer.action.is_throw for offer in voluntary_offers(snapshot))),
)
"""The signals by priority, each with its condition: what stops play comes first."""


# What a press of the button does, by the snapshot; no function chooses between offers or guesses a face


@dataclass(frozen=True)
class ConfirmReading:
    """The throw of this number was read right."""

    check: int


@dataclass(frozen=True)
class DoAction:
    """Do what is offered."""

    action: Action


@dataclass(frozen=True)
class ReadyToThrow:
    """Nothing to say: the next thing is a throw, which the camera sees."""


@dataclass(frozen=True)
class NeedsTablet:
    """A press cannot say what is meant; the tablet can."""


ButtonAction = ConfirmReading | DoAction | ReadyToThrow | NeedsTablet


def on_confirm(snapshot: Snapshot) -> ButtonAction:
    """Return what the press `confirm` does."""
    if snapshot.lent:
        return NeedsTablet()
    if snapshot.questions:
        return NeedsTablet()  # also where the dice may stay as they lie: that is asked twice, with what it changes
    if snapshot.check is not None:
        return ConfirmReading(snapshot.check)
    offers, ends = voluntary_offers(snapshot), _ending_verbs(snapshot)
    if len(offers) == 1 and offers[0].by_tap:
        return DoAction(offers[0].action)
    others = [offer for offer in offers if offer.action.verb not in ends]
    if snapshot.camera_trouble or not others:  # a throw that no camera sees does not count
        return NeedsTablet()
    return NeedsTablet() if any(offer.by_tap for offer in others) else ReadyToThrow()


def on_end_turn(snapshot: Snapshot) -> ButtonAction:
    """Return what the press `end-turn` does: the only offer that ends the turn and keeps its result."""
    if snapshot.lent:
        return NeedsTablet()
    ends = _ending_verbs(snapshot)
    actions = [offer.action for offer in snapshot.offers if offer.action.verb in ends]
    return DoAction(actions[0]) if len(actions) == 1 else NeedsTablet()


def _ending_verbs(snapshot: Snapshot) -> frozenset[str]:
    return snapshot.game.ends_turn if snapshot.game else frozenset()


def take_picture(learning: LearningService) -> bool:
    """Take a picture if dice are being shown; return whether they are.

    Raises Refused, and says so on the page, if the picture cannot be taken.
    """
    if learning.showing is None:
        return False
    try:
        learning.shutter()
    except Refused as refused:
        learning.report_trouble(str(refused))
        raise
    return True


# The lamp and the buzzer of the box, and which of several signals they give


ANSWER_S = 2.0
"""How long the lamp shows the result of a press."""
LOST_AFTER_S = 2.0
"""A hand over the tray hides it for a moment; the buzzer reports a camera that is lost for longer than this."""


class Indicators:
    """Show by lamp and buzzer, as far as they are wired, what the table waits for, and what the button does.

    Any thread may call any method.

    The lamp shows a press in progress; else, for ANSWER_S, the result of a press; else a code; else the table.
    One thread calls `update` every half second, which also ends what is shown for a time. After `close` nothing is
    shown.
    """

    def __init__(
        self,
        lamp: RgbLamp | None,
        buzzer: Buzzer | None,
        snapshot: Snapshot,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._lamp, self._buzzer, self._clock = lamp, buzzer, clock
        self._lock = Lock()
        self._closed = False
        self._now = snapshot
        self._held = self._leaving = False
        self._answer = (THROW, 0.0)  # the signal for the last press, and until when
        self._code: tuple[int, ...] = ()
        self._lost_at: float | None = None

    def update(self, snapshot: Snapshot) -> None:
        """Show the table's state; sound for a new breach, a camera that stays lost, and throws that cannot be kept."""
        before, self._now = self._now, snapshot
        if snapshot.unsaved and (not before.unsaved or snapshot.held_throws > before.held_throws):
            self._show(Sound.UNSAVED)
        elif _breach(snapshot) not in (None, _breach(before)):
            self._show(Sound.BREACH)
        elif self._is_lost_for_long(snapshot):
            self._show(Sound.LOST)
        self._show()

    def flash(self, code: Sequence[int]) -> None:
        """Flash a code until the next call; () ends it."""
        self._code = tuple(code)
        self._show()

    def button_held(self) -> None:
        """Show that the button has been held for a long press."""
        self._held = True
        self._show(Sound.TICK)

    def button_released(self) -> None:
        self._held = False
        self._show()

    def shutting_down(self) -> None:
        """Show that the box shuts down."""
        self._leaving = True
        self._show(Sound.CONFIRM)

    def shutdown_failed(self) -> None:
        """Stop showing a shutdown, which failed."""
        self._leaving = False
        self._show()

    def confirm(self, go_ahead: bool = False) -> None:
        """Confirm a press; `go_ahead` says that only a throw is left to do."""
        self._answer = (THROW, self._clock() + ANSWER_S if go_ahead else 0.0)
        self._show(Sound.CONFIRM)

    def reject(self) -> None:
        """Show that a press did nothing, and that the tablet has the choice."""
        self._answer = (DOUBT, self._clock() + ANSWER_S)
        self._show(Sound.NO)

    def close(self) -> None:
        """Turn lamp and buzzer off, and release the pins."""
        with self._lock:
            self._closed = True
            for part in (self._lamp, self._buzzer):
                if part:
                    part.close()

    def _is_lost_for_long(self, snapshot: Snapshot) -> bool:
        """True once, when the camera has been lost for LOST_AFTER_S."""
        if signal_of(snapshot) != NO_CAMERA:
            self._lost_at = None
        elif self._lost_at is None:
            self._lost_at = self._clock()
        elif self._clock() - self._lost_at >= LOST_AFTER_S:
            self._lost_at = float("inf")
            return True
        return False

    def _show(self, sound: Sound | None = None) -> None:
        with self._lock:
            if self._closed:
                return
            if sound is not None and self._buzzer:
                self._buzzer.sound(sound)
            pressed = self._pressed()
            if self._lamp is None:
                return
            if self._code and not pressed:
                self._lamp.flash(self._code)
            else:
                self._lamp.show(pressed or signal_of(self._now))

    def _pressed(self) -> LampSignal | None:
        """Return the signal of a press in progress or of its result, else None."""
        if self._leaving:
            return SHUTTING_DOWN
        answer, until = self._answer
        return HELD_LONG if self._held else answer if self._clock() < until else None


def _breach(snapshot: Snapshot) -> tuple[str, str, tuple[int, ...]] | None:
    """Return what tells one breach from the next, or None if the snapshot shows none."""
    if signal_of(snapshot) != BREACH:
        return None
    return snapshot.step, snapshot.rule, tuple(question.number for question in snapshot.questions)


# The box's panel: lamp and buzzer follow the table; the button confirms, ends a turn, or shuts the box down


log = logging.getLogger(__name__)

UPDATE_S = 0.5
"""How long the panel waits for a new snapshot before it updates the indicators, which may show something for a time."""
LAST_PRESS_S = 6.0
"""How long `close` waits for the last press: an action waits for hands to leave and for interrupting players."""

Part = TypeVar("Part")


Wire = Callable[[Callable[[PressLength], None], Callable[[], None]], Button | None]
"""Open a button that calls the first at each press, and the second when it has been held for a long press."""


@dataclass(frozen=True)
class ButtonBindings:
    """What each press does. `shutter` takes a picture if dice are being shown, and returns whether they are.

    `pairing` takes in a press that the game has no use for, and returns whether it is about pairing a tablet.
    `shutdown` shuts the box down, or raises.
    """

    does: Mapping[PressLength, Press]
    shutter: Callable[[], bool]
    pairing: Callable[[], bool]
    shutdown: Callable[[], None]


class Panel:
    """Lamp, buzzer and button of a session, from `start` to `close`; `wire` opens the button, None: there is none.

    Any thread may call any method. Errors of the session, the lamp or a press are logged, and end nothing.
    """

    def __init__(
        self, table: Session, indicators: Indicators, presses: ButtonBindings, wire: Wire | None = None
    ) -> None:
        self._table, self._indicators, self._presses, self._wire = table, indicators, presses, wire
        self._lock = Lock()
        self._over = Event()
        self._executor = ThreadPoolExecutor(1, "panel-press")
        self._press: Future[None] | None = None
        self._button: Button | None = None
        self._failures = LogThrottle(log, "panel: update failed")
        self._thread = Thread(target=self._follow, name="panel", daemon=True)

    def start(self) -> None:
        """Start to follow the session, and open the button."""
        self._thread.start()
        self._button = self._wire(self.press, self.on_long_hold) if self._wire else None

    def close(self) -> None:
        """Wait for a press in progress, turn the lamp off and release the pins."""
        if self._button is not None:
            self._button.close()
        with self._lock:  # no press comes in from here on
            self._over.set()
        self._executor.shutdown(wait=False)
        wait([self._press] if self._press else [], LAST_PRESS_S)
        if self._thread.is_alive():
            self._thread.join(2 * UPDATE_S)
        self._indicators.close()

    def show_code(self, code: Sequence[int] | None) -> None:
        """Flash a code on the lamp, six numbers from 1 to 6; None ends it."""
        self._indicators.flash(code or ())

    def press(self, held: PressLength) -> None:
        """Start what such a press does, and return at once; while another press is in progress it is rejected."""
        with self._lock:
            does = self._presses.does[held]
            busy = self._press is not None and not self._press.done()
            self._indicators.button_released()
            if self._over.is_set() or does == "nothing":
                return
            if busy and does != "shutdown":
                self._indicators.reject()
            else:
                self._press = self._executor.submit(self._do, does)

    def on_long_hold(self) -> None:
        """Show that releasing the button now is a long press, if that does something."""
        if self._presses.does[PressLength.LONG] != "nothing":
            self._indicators.button_held()

    def _follow(self) -> None:
        snapshot = self._table.snapshot()
        while not self._over.is_set():
            try:
                self._indicators.update(snapshot)
                snapshot = self._table.wait(snapshot.number, UPDATE_S)
            except Exception as error:
                self._failures.error(error)
                self._over.wait(UPDATE_S)

    def _do(self, does: Press) -> None:
        try:
            self._carry_out(does)
        except Refused:
            self._indicators.reject()
        except Exception as error:
            log.warning("panel: press %s: failed: %s", does, error, exc_info=True)
            self._indicators.reject()

    def _carry_out(self, does: Press) -> None:
        if does == "shutdown":
            self._shut_down()
        elif does == "end-turn":
            self._send(on_end_turn(self._table.snapshot()))
        elif self._presses.shutter():
            self._indicators.confirm()
        else:
            self._confirm(on_confirm(self._table.snapshot()))

    def _confirm(self, meant: ButtonAction) -> None:
        """Send the session what a press means; one that would change nothing there may be about pairing."""
        if isinstance(meant, NeedsTablet | ReadyToThrow) and self._presses.pairing():
            self._indicators.confirm()
        else:
            self._send(meant)

    def _send(self, meant: ButtonAction) -> None:
        """Send the session what a press means. Raises Refused."""
        match meant:
            case NeedsTablet():
                return self._indicators.reject()
            case ConfirmReading(check):
                self._table.checked(check, {}, by=BUTTON)
            case DoAction(action):
                self._table.act(str(action), Source.BUTTON, by=BUTTON)
        return self._indicators.confirm(go_ahead=isinstance(meant, ReadyToThrow))

    def _shut_down(self) -> None:
        self._indicators.shutting_down()
        try:
            self._presses.shutdown()
        except Exception:
            self._indicators.shutdown_failed()
            raise


def open_panel(
    settings: Settings,
    table: Session,
    *,
    shutter: Callable[[], bool],
    pairing: Callable[[], bool],
    shutdown: Callable[[], None],
) -> Panel:
    """Return the panel that the settings wire. A pin that cannot be opened is left out with a warning: play goes on."""
    pins = [int(pin) for pin in settings.lamp_pins.split(",")] if settings.lamp_pins else []
    lamp = _opened(lambda: RgbLamp(*pins)) if pins else None
    buzzer = _opened(lambda: Buzzer(settings.buzzer_pin)) if settings.buzzer_pin and settings.sound else None
    does = {
        PressLength.SHORT: settings.button_short,
        PressLength.LONG: settings.button_long,
        PressLength.VERY_LONG: settings.button_very_long,
    }

    def wire(pressed: Callable[[PressLength], None], on_long_hold: Callable[[], None]) -> Button | None:
        lengths = settings.long_press_s, settings.very_long_press_s
        return _opened(lambda: Button(settings.button_pin, pressed, *lengths, on_long_hold))

    bindings = ButtonBindings(does, shutter, pairing, shutdown)
    indicators = Indicators(lamp, buzzer, table.snapshot())
    return Panel(table, indicators, bindings, wire if settings.button_pin else None)


def _opened(wanted: Callable[[], Part]) -> Part | None:
    try:
        return wanted()
    except PinUnavailable as error:
        log.warning("panel: pin left out: %s", error)
        return None
