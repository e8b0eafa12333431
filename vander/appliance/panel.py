"""The box's panel: lamp and buzzer say what the table waits for; the button says yes, ends a turn, or shuts down."""

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
from referee.journal import Source
from referee.refused import Refused
from referee.snapshot import Snapshot
from vander.appliance.button_actions import (
    ButtonAction,
    ConfirmReading,
    ContinueAsLaid,
    DoAction,
    NeedsTablet,
    ReadyToThrow,
    on_confirm,
    on_end_turn,
)
from vander.appliance.indicators import Indicators
from vander.appliance.log_throttle import LogThrottle
from vander.session.prompts import AS_IT_LIES
from vander.storage.settings import Press, Settings

log = logging.getLogger(__name__)

LOOK_S = 0.5
"""How long the panel waits for news of the table before it looks whether what it shows is over."""
LAST_PRESS_S = 6.0
"""An action waits for hands to leave, and for another player to interrupt it; no longer than that."""

Part = TypeVar("Part")
Other = TypeVar("Other")


class PanelTable(Protocol):
    """The table, as far as the panel follows it and speaks to it. Every refusal is Refused."""

    def snapshot(self) -> Snapshot:
        """What is shown now."""

    def wait(self, number: int, timeout: float) -> Snapshot:
        """The first snapshot whose number is not `number`, or the present one after `timeout` seconds."""

    def act(self, text: str, source: Source = Source.TABLET) -> None:
        """Do an action, given in the notation of Action."""

    def answer(self, question: int, choice: str, source: Source = Source.TABLET) -> None:
        """Answer an open question."""

    def checked(self, number: int, wrong: Mapping[int, str]) -> None:
        """Say of the throw that is asked about that all its dice but these were read right."""


class ButtonHandle(Protocol):
    """A button that listens."""

    def close(self) -> None:
        """Give the pin back."""


Wire = Callable[[Callable[[PressLength], None], Callable[[], None]], ButtonHandle]
"""Opens a button that calls the first at each press, and the second when it has been held for a long one."""


@dataclass(frozen=True)
class ButtonBindings:
    """What each press is for. `shutter` takes a picture of dice that are being shown, and says whether there were any.

    `shutdown` shuts the box down, or raises what is in its way.
    """

    does: Mapping[PressLength, Press]
    shutter: Callable[[], bool]
    shutdown: Callable[[], None]


class Panel:
    """The panel of a table, from `start` to `close`; `wire` opens the button, None: there is none. Any thread may call.

    What goes wrong with the table, the lamp or a press is logged, and ends nothing.
    """

    def __init__(
        self, table: PanelTable, indicators: Indicators, presses: ButtonBindings, wire: Wire | None = None
    ) -> None:
        self._table, self._indicators, self._presses, self._wire = table, indicators, presses, wire
        self._lock = Lock()
        self._over = Event()
        self._hand = ThreadPoolExecutor(1, "panel-press")
        self._press: Future[None] | None = None
        self._button: ButtonHandle | None = None
        self._stumbles = LogThrottle(log, "the panel stumbled")
        self._thread = Thread(target=self._follow, name="panel", daemon=True)

    def start(self) -> None:
        """Follow the table, and listen to the button."""
        self._thread.start()
        self._button = self._wire(self.press, self.on_long_hold) if self._wire else None

    def close(self) -> None:
        """Let a press come to its end, darken the lamp and give the pins back."""
        if self._button is not None:
            self._button.close()
        with self._lock:  # no press comes in from here on
            self._over.set()
        self._hand.shutdown(wait=False)
        wait([self._press] if self._press else [], LAST_PRESS_S)
        if self._thread.is_alive():
            self._thread.join(2 * LOOK_S)
        self._indicators.close()

    def show_code(self, code: Sequence[int] | None) -> None:
        """Flash a code on the lamp, six numbers from 1 to 6, until it is told None or another one."""
        self._indicators.flash(code or ())

    def press(self, held: PressLength) -> None:
        """Do what such a press is for; returns at once. While one is being done, another is told no: it was hasty."""
        with self._lock:
            does = self._presses.does[held]
            busy = self._press is not None and not self._press.done()
            self._indicators.button_released()
            if self._over.is_set() or does == "nothing":
                return
            if busy and does != "shutdown":
                self._indicators.reject()
            else:
                self._press = self._hand.submit(self._do, does)

    def on_long_hold(self) -> None:
        """Say that the button has been held so long that letting it go is a long press, where that does something."""
        if self._presses.does[PressLength.LONG] != "nothing":
            self._indicators.button_held()

    def _follow(self) -> None:
        snapshot = self._table.snapshot()
        while not self._over.is_set():
            try:
                self._indicators.update(snapshot)
                snapshot = self._table.wait(snapshot.number, LOOK_S)
            except Exception as error:
                self._stumbles.tell(error)
                self._over.wait(LOOK_S)

    def _do(self, does: Press) -> None:
        try:
            self._carry_out(does)
        except Refused:
            self._indicators.reject()
        except Exception as error:
            log.warning("the button's press could not be done: %s", error, exc_info=True)
            self._indicators.reject()

    def _carry_out(self, does: Press) -> None:
        if does == "shutdown":
            self._shut_down()
        elif does == "end-turn":
            self._say(on_end_turn(self._table.snapshot()))
        elif self._presses.shutter():
            self._indicators.confirm()
        else:
            self._say(on_confirm(self._table.snapshot()))

    def _say(self, meant: ButtonAction) -> None:
        """Say to the table what a press means. Raises Refused."""
        match meant:
            case NeedsTablet():
                return self._indicators.reject()
            case ConfirmReading(check):
                self._table.checked(check, {})
            case ContinueAsLaid(question):
                self._table.answer(question, AS_IT_LIES, Source.BUTTON)
            case DoAction(action):
                self._table.act(str(action), Source.BUTTON)
        return self._indicators.confirm(go_ahead=isinstance(meant, ReadyToThrow))

    def _shut_down(self) -> None:
        self._indicators.shutting_down()
        try:
            self._presses.shutdown()
        except Exception:
            self._indicators.shutdown_failed()
            raise


def open_panel(
    settings: Settings, table: PanelTable, shutter: Callable[[], bool], shutdown: Callable[[], None]
) -> Panel:
    """The panel that the settings wire; what is not wired is left out, and so is, with a warning, what cannot be had.

    Nobody at the table should go without a game for a lamp's sake.
    """
    lamp = _open_or_fallback(partial(_lamp, settings.lamp_pins), NullLamp)
    buzzer = _open_or_fallback(partial(_buzzer, settings.buzzer_pin if settings.sound else 0), NullBuzzer)
    does = {
        PressLength.SHORT: settings.button_short,
        PressLength.LONG: settings.button_long,
        PressLength.VERY_LONG: settings.button_very_long,
    }
    wire = partial(_button, settings) if settings.button_pin else None
    return Panel(table, Indicators(lamp, buzzer, table.snapshot()), ButtonBindings(does, shutter, shutdown), wire)


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
    """No button: nobody presses it."""

    def close(self) -> None:
        """There is nothing to give back."""


def _open_or_fallback(wanted: Callable[[], Part], instead: Callable[[], Other]) -> Part | Other:
    try:
        return wanted()
    except PinUnavailable as error:
        log.warning("%s; the box goes on without it", error)
        return instead()
