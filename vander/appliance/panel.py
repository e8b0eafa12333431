"""The box's panel: lamp and buzzer follow the table; the button confirms, ends a turn, or shuts the box down."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import partial
from threading import Event, Lock, Thread
from typing import Protocol, TypeVar

from hardware.gpio.button import Button, PressLength
from hardware.gpio.buzzer import Buzzer, NullBuzzer
from hardware.gpio.lamp import NullLamp, RgbLamp
from hardware.gpio.pins import PinUnavailable
from referee.journal import BUTTON, NOBODY, Actor, Source
from referee.refused import Refused
from referee.snapshot import Snapshot
from vander.appliance.button_actions import (
    ButtonAction,
    ConfirmReading,
    DoAction,
    NeedsTablet,
    ReadyToThrow,
    on_confirm,
    on_end_turn,
)
from vander.appliance.lamp_and_buzzer import Indicators
from vander.appliance.log_throttle import LogThrottle
from vander.storage.settings import Press, Settings

log = logging.getLogger(__name__)

UPDATE_S = 0.5
"""How long the panel waits for a new snapshot before it updates the indicators, which may show something for a time."""
LAST_PRESS_S = 6.0
"""How long `close` waits for the last press: an action waits for hands to leave and for interrupting players."""

Part = TypeVar("Part")
Other = TypeVar("Other")


class PanelTable(Protocol):
    """The session, as far as the panel needs it. Every refusal is Refused."""

    def snapshot(self) -> Snapshot:
        """Return the present snapshot."""

    def wait(self, number: int, timeout: float) -> Snapshot:
        """Return the first snapshot whose number is not `number`, or the present one after `timeout` seconds."""

    def act(self, text: str, source: Source = Source.TABLET, *, by: Actor = NOBODY) -> None:
        """Do an action, given in the notation of Action."""

    def checked(self, number: int, wrong: Mapping[int, str], *, by: Actor = NOBODY) -> None:
        """Say that all dice of the throw that is asked about were read right, except these."""


class ButtonHandle(Protocol):
    """An open button."""

    def close(self) -> None:
        """Release the pin."""


Wire = Callable[[Callable[[PressLength], None], Callable[[], None]], ButtonHandle]
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
        self, table: PanelTable, indicators: Indicators, presses: ButtonBindings, wire: Wire | None = None
    ) -> None:
        self._table, self._indicators, self._presses, self._wire = table, indicators, presses, wire
        self._lock = Lock()
        self._over = Event()
        self._executor = ThreadPoolExecutor(1, "panel-press")
        self._press: Future[None] | None = None
        self._button: ButtonHandle | None = None
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
    table: PanelTable,
    *,
    shutter: Callable[[], bool],
    pairing: Callable[[], bool],
    shutdown: Callable[[], None],
) -> Panel:
    """Return the panel that the settings wire. A pin that cannot be opened is left out with a warning: play goes on."""
    lamp = _open_or_fallback(partial(_lamp, settings.lamp_pins), NullLamp)
    buzzer = _open_or_fallback(partial(_buzzer, settings.buzzer_pin if settings.sound else 0), NullBuzzer)
    does = {
        PressLength.SHORT: settings.button_short,
        PressLength.LONG: settings.button_long,
        PressLength.VERY_LONG: settings.button_very_long,
    }
    wire = partial(_button, settings) if settings.button_pin else None
    bindings = ButtonBindings(does, shutter, pairing, shutdown)
    return Panel(table, Indicators(lamp, buzzer, table.snapshot()), bindings, wire)


def _lamp(pins: str) -> RgbLamp | NullLamp:
    return RgbLamp(*(int(pin) for pin in pins.split(","))) if pins else NullLamp()


def _buzzer(pin: int) -> Buzzer | NullBuzzer:
    return Buzzer(pin) if pin else NullBuzzer()


def _button(
    settings: Settings, pressed: Callable[[PressLength], None], on_long_hold: Callable[[], None]
) -> Button | UnwiredButton:
    wired = partial(
        Button, settings.button_pin, pressed, settings.long_press_s, settings.very_long_press_s, on_long_hold
    )
    return _open_or_fallback(wired, UnwiredButton)


class UnwiredButton:
    """No button is wired."""

    def close(self) -> None:
        """Release nothing."""


def _open_or_fallback(wanted: Callable[[], Part], instead: Callable[[], Other]) -> Part | Other:
    try:
        return wanted()
    except PinUnavailable as error:
        log.warning("panel: pin left out: %s", error)
        return instead()
