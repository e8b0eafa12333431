"""The box's panel: lamp and buzzer say what the table waits for; the button says yes, ends a turn, or shuts down."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import partial
from threading import Event, Lock, Thread
from typing import Protocol, TypeVar

from hardware.gpio.button import Button, Held
from hardware.gpio.buzzer import Buzzer, Silent
from hardware.gpio.lamp import Lamp, Unlit
from hardware.gpio.pins import NoPin
from referee.journal import Source
from referee.refused import Refused
from referee.snapshot import Snapshot
from vander.appliance.button_actions import Agree, Do, GoOn, Meant, Throw, Unclear, confirmed, ended
from vander.appliance.indicators import Face
from vander.appliance.log_throttle import Stumbles
from vander.session.session import AS_IT_LIES
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


class Wired(Protocol):
    """A button that listens."""

    def close(self) -> None:
        """Give the pin back."""


Wire = Callable[[Callable[[Held], None], Callable[[], None]], Wired]
"""Opens a button that calls the first at each press, and the second when it has been held for a long one."""


@dataclass(frozen=True)
class Presses:
    """What each press is for. `shutter` takes a picture of dice that are being shown, and says whether there were any.

    `shutdown` shuts the box down, or raises what is in its way.
    """

    does: Mapping[Held, Press]
    shutter: Callable[[], bool]
    shutdown: Callable[[], None]


class Panel:
    """The panel of a table, from `start` to `close`; `wire` opens the button, None: there is none. Any thread may call.

    What goes wrong with the table, the lamp or a press is logged, and ends nothing.
    """

    def __init__(self, table: PanelTable, face: Face, presses: Presses, wire: Wire | None = None) -> None:
        self._table, self._face, self._presses, self._wire = table, face, presses, wire
        self._lock = Lock()
        self._over = Event()
        self._hand = ThreadPoolExecutor(1, "panel-press")
        self._press: Future[None] | None = None
        self._button: Wired | None = None
        self._stumbles = Stumbles(log, "the panel stumbled")
        self._thread = Thread(target=self._follow, name="panel", daemon=True)

    def start(self) -> None:
        """Follow the table, and listen to the button."""
        self._thread.start()
        self._button = self._wire(self.press, self.held_long) if self._wire else None

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
        self._face.close()

    def show_code(self, code: Sequence[int] | None) -> None:
        """Flash a code on the lamp, six numbers from 1 to 6, until it is told None or another one."""
        self._face.flash(code or ())

    def press(self, held: Held) -> None:
        """Do what such a press is for; returns at once. While one is being done, another is told no: it was hasty."""
        with self._lock:
            does = self._presses.does[held]
            busy = self._press is not None and not self._press.done()
            self._face.let_go()
            if self._over.is_set() or does == "nothing":
                return
            if busy and does != "shutdown":
                self._face.no()
            else:
                self._press = self._hand.submit(self._do, does)

    def held_long(self) -> None:
        """Say that the button has been held so long that letting it go is a long press, where that does something."""
        if self._presses.does[Held.LONG] != "nothing":
            self._face.hold()

    def _follow(self) -> None:
        snapshot = self._table.snapshot()
        while not self._over.is_set():
            try:
                self._face.take_in(snapshot)
                snapshot = self._table.wait(snapshot.number, LOOK_S)
            except Exception as error:
                self._stumbles.tell(error)
                self._over.wait(LOOK_S)

    def _do(self, does: Press) -> None:
        try:
            self._carry_out(does)
        except Refused:
            self._face.no()
        except Exception as error:
            log.warning("the button's press could not be done: %s", error, exc_info=True)
            self._face.no()

    def _carry_out(self, does: Press) -> None:
        if does == "shutdown":
            self._shut_down()
        elif does == "end-turn":
            self._say(ended(self._table.snapshot()))
        elif self._presses.shutter():
            self._face.yes()
        else:
            self._say(confirmed(self._table.snapshot()))

    def _say(self, meant: Meant) -> None:
        """Say to the table what a press means. Raises Refused."""
        match meant:
            case Unclear():
                return self._face.no()
            case Agree(check):
                self._table.checked(check, {})
            case GoOn(question):
                self._table.answer(question, AS_IT_LIES, Source.BUTTON)
            case Do(action):
                self._table.act(str(action), Source.BUTTON)
        return self._face.yes(go_ahead=isinstance(meant, Throw))

    def _shut_down(self) -> None:
        self._face.leave()
        try:
            self._presses.shutdown()
        except Exception:
            self._face.stay()
            raise


def panel(settings: Settings, table: PanelTable, shutter: Callable[[], bool], shutdown: Callable[[], None]) -> Panel:
    """The panel that the settings wire; what is not wired is left out, and so is, with a warning, what cannot be had.

    Nobody at the table should go without a game for a lamp's sake.
    """
    lamp = _had(partial(_lamp, settings.lamp_pins), Unlit)
    buzzer = _had(partial(_buzzer, settings.buzzer_pin if settings.sound else 0), Silent)
    does = {
        Held.SHORT: settings.button_short,
        Held.LONG: settings.button_long,
        Held.VERY_LONG: settings.button_very_long,
    }
    wire = partial(_button, settings) if settings.button_pin else None
    return Panel(table, Face(lamp, buzzer, table.snapshot()), Presses(does, shutter, shutdown), wire)


def _lamp(pins: str) -> Lamp | Unlit:
    return Lamp(*(int(pin) for pin in pins.split(","))) if pins else Unlit()


def _buzzer(pin: int) -> Buzzer | Silent:
    return Buzzer(pin) if pin else Silent()


def _button(settings: Settings, pressed: Callable[[Held], None], held_long: Callable[[], None]) -> Button | Unwired:
    wired = partial(Button, settings.button_pin, pressed, settings.long_press_s, settings.very_long_press_s, held_long)
    return _had(wired, Unwired)


class Unwired:
    """No button: nobody presses it."""

    def close(self) -> None:
        """There is nothing to give back."""


def _had(wanted: Callable[[], Part], instead: Callable[[], Other]) -> Part | Other:
    try:
        return wanted()
    except NoPin as error:
        log.warning("%s; the box goes on without it", error)
        return instead()
