"""The table's link to Home Assistant: it follows the session as a tablet does, and tells an MQTT broker.

A command that a broker has kept is none: it would be done again after every reconnect. So is a flood, and nobody who
presses in another room may lose a game that is going on.
"""

from __future__ import annotations

import json
import logging
import re
import secrets
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, Full, Queue
from threading import Event, Lock, Thread
from typing import Any
from unicodedata import normalize

from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from hardware import mqtt_broker
from referee.journal import Actor
from referee.phrases import in_a_row
from referee.sentences import Reason, Refused, Translations, in_language, message_of, say
from referee.snapshot import Snapshot
from vander.doctor import CheckSubject
from vander.extras.players.play_statistics_service import rematch_of
from vander.storage.settings import Settings
from vander.table.session import Session
from web.languages import languages, translations
from web.schemas.access_schemas import Finding

# The entities of a table


# The state of a table as Home Assistant gets it over MQTT, and a hall as a hint of what goes on. Pure


OK = "ok"
"""What `camera` and `box` say where nothing is wrong."""


def table_state(snapshot: Snapshot, language: str = "en") -> dict[str, Any]:
    """Return the state that is shown in a snapshot, with sentences in a language; English where that is not known.

    A tray that is lent is no trouble of the camera, as for the doctor.
    """
    state, game = snapshot.state, snapshot.game
    seat = state.on_turn if state else 0
    trouble = "" if snapshot.lent else snapshot.camera_trouble
    names = [player.name for player in state.players] if state else []
    return {
        "turn": state.name(seat) if state and seat else "",
        "seat": seat,
        "game": game.name if game else "",
        "scores": [
            {"name": name, "score": score} for name, score in zip(names, state.scores if state else (), strict=False)
        ],
        "ruling": spoken(in_a_row(*(call.sentence for call in snapshot.calls)), language),
        "waits_for": spoken(snapshot.notice, language),
        "dice": [{"kind": str(die.kind), "face": str(die.face)} for die in snapshot.dice],
        "camera": spoken(trouble, language) or OK,
        "box": spoken(in_a_row(*snapshot.alerts), language) or OK,
        "over": state is not None and not state.to_act,
        "number": snapshot.number,
    }


def is_same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """True if two states differ in no more than the number of their snapshots."""
    return {**one, "number": 0} == {**other, "number": 0}


def spoken(sentence: str, language: str) -> str:
    """Return a sentence in a language; in English where that is not known."""
    known: Translations | None = translations(language) if language in languages() else None
    return str(in_language(sentence, known)) if known else str(sentence)


# The topics of a table on an MQTT broker


DISCOVERY = "homeassistant"
"""The prefix under which Home Assistant looks for devices, and says that it has started."""
BIRTH_TOPIC, BIRTH = f"{DISCOVERY}/status", b"online"
ONLINE, OFFLINE = "online", "offline"


@dataclass(frozen=True)
class TableTopics:
    """The topics of the table whose kept name on the broker is `node`."""

    node: str

    @property
    def state(self) -> str:
        """Where the table's state is kept, as JSON."""
        return f"vander/{self.node}/state"

    @property
    def available(self) -> str:
        """Where it is kept whether the table is there: ONLINE or OFFLINE."""
        return f"vander/{self.node}/available"

    @property
    def answer(self) -> str:
        """Where the sentence is kept with which the last command was answered."""
        return f"vander/{self.node}/answer"

    @property
    def discovery(self) -> str:
        """Where Home Assistant finds what the table is made of."""
        return f"{DISCOVERY}/device/{self.node}/config"

    @property
    def commands(self) -> str:
        """The pattern of all topics to which commands are sent."""
        return self.command("+")

    def command(self, name: str) -> str:
        return f"vander/{self.node}/command/{name}"

    def command_of(self, topic: str) -> str:
        """Return the name of the command that a topic stands for."""
        return topic.rpartition("/")[2]


# Build the discovery message for Home Assistant: a table as one device with its entities. Pure
#
# The form is that of device-based discovery: https://www.home-assistant.io/integrations/mqtt/#device-discovery-
# payload


LONGEST_STATE = 255
"""Characters of a state in Home Assistant, which refuses a longer one: the whole sentence is an attribute."""
PRESS = "PRESS"
"""What Home Assistant sends when somebody presses a button."""
SCORES = "{% for one in value_json.scores %}{{ one.name }} {{ one.score }}{{ '' if loop.last else ', ' }}{% endfor %}"
"""All scores as a text, in the language of Home Assistant's templates."""
NEW_GAME, TAKE_BACK = "new-game", "take-back"
"""The names of the commands."""


@dataclass(frozen=True)
class DeviceFacts:
    """What Home Assistant shows of the device itself; `page` is the address of the table's page, '' for none."""

    name: str
    version: str
    page: str = ""


def device_discovery(topics: TableTopics, facts: DeviceFacts, language: str = "en") -> dict[str, Any]:
    """Return the payload of the table's discovery topic, with names in a language."""
    device = {"identifiers": [topics.node], "name": facts.name, "manufacturer": "Vander", "model": "Vander"}
    origin = {"name": "Vander", "sw_version": facts.version}
    page = {"configuration_url": facts.page} if facts.page else {}
    support = {"support_url": f"{facts.page}/doctor"} if facts.page else {}
    return {
        "device": device | {"sw_version": facts.version} | page,
        "origin": origin | support,
        "availability_topic": topics.available,
        "state_topic": topics.state,
        "qos": 1,
        "components": {
            each.key: each.config
            | {
                "platform": each.platform,
                "name": spoken(each.name, language),
                "unique_id": f"{topics.node}_{each.key}",
                # What Home Assistant makes of the names by itself where they are English: before 2025.10 it does not
                # read this, and would give other ids than it does since.
                "default_entity_id": f"{each.platform}.{_slug(facts.name)}_{_slug(each.name)}",
            }
            for each in _entities(topics)
        },
    }


@dataclass(frozen=True)
class _Entity:
    """An entity of the device: its key, what Home Assistant makes of it, its name, and the rest of its description."""

    key: str
    platform: str
    name: str
    config: dict[str, Any]


def _entities(topics: TableTopics) -> tuple[_Entity, ...]:
    return (
        _Entity("turn", "sensor", say("Whose turn"), _turn(topics.state)),
        _Entity("score", "sensor", say("Score"), _scores(topics.state)),
        _Entity("ruling", "sensor", say("Last ruling"), _sentence(topics.state, "ruling") | {"icon": "mdi:gavel"}),
        _Entity(
            "waits_for", "sensor", say("Waits for"), _sentence(topics.state, "waits_for") | {"icon": "mdi:timer-sand"}
        ),
        _Entity("answer", "sensor", say("Last answer"), _sentence(topics.answer, "answer", "number")),
        _Entity("over", "binary_sensor", say("Game over"), {"value_template": _on_if("value_json.over")}),
        _Entity("camera", "binary_sensor", say("Camera"), _problem(topics.state, "camera")),
        _Entity("box", "binary_sensor", say("Box"), _problem(topics.state, "box")),
        _Entity("new_game", "button", say("New game"), _pressed(topics.command(NEW_GAME), "mdi:restart")),
        _Entity("take_back", "button", say("Take back"), _pressed(topics.command(TAKE_BACK), "mdi:undo")),
    )


def _text(field: str) -> dict[str, Any]:
    """Return a sensor of a short text; '' is `unknown`, which Home Assistant writes `None`."""
    return {"value_template": f"{{{{ (value_json.{field} or 'None')[:{LONGEST_STATE}] }}}}"}


def _turn(topic: str) -> dict[str, Any]:
    """Return a sensor of whose turn it is; the seat among its attributes is the same whoever plays."""
    return _text("turn") | {"icon": "mdi:account-arrow-right"} | _attributes(topic, "{'seat': value_json.seat}")


def _scores(topic: str) -> dict[str, Any]:
    """Return a sensor of all scores in the order of the seats: who leads depends on the game."""
    scores = f"{{% set all %}}{SCORES}{{% endset %}}{{{{ (all | string or 'None')[:{LONGEST_STATE}] }}}}"
    fields = _attributes(topic, "{'scores': value_json.scores, 'game': value_json.game}")
    return {"value_template": scores, "icon": "mdi:scoreboard"} | fields


def _sentence(topic: str, field: str, *others: str) -> dict[str, Any]:
    """Return a sensor of a sentence, whole among its attributes, with the values of other fields."""
    fields = "".join(f", '{other}': value_json.{other}" for other in others)
    return {"state_topic": topic} | _text(field) | _attributes(topic, f"{{'sentence': value_json.{field}{fields}}}")


def _problem(topic: str, field: str) -> dict[str, Any]:
    """Return a binary sensor that is on while there is a problem, with what it is as its attribute."""
    is_wrong = f"value_json.{field} != '{OK}'"
    attributes = _attributes(topic, f"{{'sentence': value_json.{field} if {is_wrong} else ''}}")
    return {"device_class": "problem", "value_template": _on_if(is_wrong)} | attributes


def _pressed(topic: str, icon: str) -> dict[str, Any]:
    """Return a button; what is pressed is sent once at most, since twice would take back two."""
    return {"command_topic": topic, "payload_press": PRESS, "qos": 0, "retain": False, "icon": icon}


def _on_if(condition: str) -> str:
    return f"{{{{ 'ON' if {condition} else 'OFF' }}}}"


def _attributes(topic: str, fields: str) -> dict[str, Any]:
    return {"json_attributes_topic": topic, "json_attributes_template": f"{{{{ {fields} | tojson }}}}"}


def _slug(name: str) -> str:
    """Return a name as a part of an entity's id."""
    plain = normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
    return re.sub("[^a-z0-9]+", "_", plain).strip("_") or "table"


log = logging.getLogger(__name__)

HOME_ASSISTANT = Actor("Home Assistant")
"""Who stands in the journal for what is pressed there."""
LEAST_GAP_S = 1.0
"""A command that comes sooner after the last one is refused."""
MOST_A_MINUTE, MINUTE_S = 6, 60.0
LATEST_S = 5.0
"""A command that waited longer is refused: play has moved on since somebody pressed."""
CLOSE_S = 2.0
"""How long `close` waits for the broker to learn that the table is gone, and for each thread."""
TOO_LATE = say("The table was busy for too long. Press again if you still want that.")
TOO_MANY = say("Too many commands came at once. Wait a minute, then press once.")
UNKNOWN = say("Vander does not know that command.")
GOING_ON = say("A game is going on: play it to its end, or begin another on the table's page.")
NOT_BEGUN = say("The new game is on the table already; nothing was played yet.")
NO_GAME = say("No game is on the table: set one up on the table's page.")
TAKEN_BACK = say("The last step was taken back.")
BROKEN = say("That failed; the log says why.")


@dataclass(frozen=True)
class _Command:
    name: str
    came_at: float


class MqttCommands:
    """Takes commands in on any thread, and does them one after another on its own, from `start` to `close`.

    `report` is called, on either thread, with the sentence that answers a command.
    """

    def __init__(
        self, table: Session, report: Callable[[str], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._table, self._report, self._clock = table, report, clock
        self._admitted: deque[float] = deque(maxlen=MOST_A_MINUTE)
        self._waiting: Queue[_Command | None] = Queue(maxsize=1)
        self._thread = Thread(target=self._work, name="mqtt-commands", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """Do no more; waits a moment for one that is being done."""
        with suppress(Empty):
            self._waiting.get_nowait()
        self._waiting.put(None)
        if self._thread.is_alive():
            self._thread.join(CLOSE_S)

    def take(self, name: str, payload: bytes) -> None:
        """Take a command in, or refuse it at once. Only one thread may call this."""
        if name not in (NEW_GAME, TAKE_BACK) or payload != PRESS.encode():
            self._report(UNKNOWN)
        elif not self._admits():
            self._report(TOO_MANY)
        else:
            try:
                self._waiting.put_nowait(_Command(name, self._clock()))
            except Full:
                self._report(TOO_MANY)

    def _admits(self) -> bool:
        """True if another command may be done now; it counts from then on."""
        now, before = self._clock(), self._admitted
        is_soon = bool(before) and now - before[-1] < LEAST_GAP_S
        if is_soon or (len(before) == MOST_A_MINUTE and now - before[0] < MINUTE_S):
            return False
        before.append(now)
        return True

    def _work(self) -> None:
        while (command := self._waiting.get()) is not None:
            is_late = self._clock() - command.came_at > LATEST_S
            self._report(TOO_LATE if is_late else self._answer(command.name))

    def _answer(self, name: str) -> str:
        """Do a command, and return the sentence with which it is answered. Raises nothing."""
        try:
            return self._do(name)
        except Refused as refused:
            return refused.sentence
        except Exception:
            log.exception("home assistant: command %s: failed", name)
            return BROKEN

    def _do(self, name: str) -> str:
        now = self._table.snapshot()
        if now.camera_trouble:  # a tray that is lent is one
            raise Refused(now.camera_trouble, Reason.CONFLICT)
        return self._begin_again(now) if name == NEW_GAME else self._take_back(now)

    def _take_back(self, now: Snapshot) -> str:
        """Take back what is the last step in the snapshot, or the tapped action that waits."""
        self._table.undo(now.step, by=HOME_ASSISTANT)
        said = now.waiting.title if now.waiting else next(iter(now.last), "")
        return say("Taken back: {said}", said=said) if said else TAKEN_BACK

    def _begin_again(self, now: Snapshot) -> str:
        """Begin the last game again with its players; a game that is going on stays as it is."""
        match = self._table.state.match
        if match is None:
            raise Refused(NO_GAME, Reason.CONFLICT)
        if not match.over:
            raise Refused(GOING_ON if match.standing else NOT_BEGUN, Reason.CONFLICT)
        again = rematch_of(match.kept, match.game)
        # Where somebody begins a game at the same moment, the step is old; that game would also stay open.
        self._table.start(again.game, again.players, again.options, again.die_set, step=now.step, leave_open=True)
        return say("A new game begins: {game}.", game=match.game.title)


# What a broker is to keep, topic by topic: the newest payload alone is sent, and not too often


GAP_S = 0.1
"""The least time between two messages: ten a second."""
IDLE_S = 0.2
"""How long to wait where nothing is due: somebody may ask for everything meanwhile."""
SURE = 1
"""The quality of service: the broker acknowledges each message, and gets it again until it does."""


class RetainedTopics:
    """Payloads that the broker keeps. Any thread may call any method; `send_one` and `is_settled` are one thread's.

    Of a topic nothing is sent until the broker has acknowledged what was sent before: after a reconnect the older
    message, which is sent once more then, would come last and stay.
    """

    def __init__(self, client: Client, clock: Callable[[], float] = time.monotonic) -> None:
        self._client, self._clock, self._lock = client, clock, Lock()
        self._wanted: dict[str, str] = {}
        self._sent: dict[str, str] = {}
        self._numbers: dict[str, int] = {}
        self._acknowledged: set[int] = set()
        self._last_at = float("-inf")

    def want(self, topic: str, payload: str) -> None:
        """Let the broker keep this; what was wanted before and is not sent yet is dropped. Older topics go first."""
        with self._lock:
            self._wanted[topic] = payload

    def send_all_again(self) -> None:
        """Take nothing for sent, after a reconnect or when somebody asks for everything."""
        with self._lock:
            self._sent.clear()

    def acknowledge(self, number: int) -> None:
        """Take in that the broker has the message of that number.

        The client holds a lock of its own meanwhile, which `publish` takes too: no other lock may be taken here.
        """
        self._acknowledged.add(number)

    @property
    def is_settled(self) -> bool:
        """True if the broker has all that is wanted."""
        with self._lock:
            return self._sent == self._wanted and all(map(self._is_free, self._wanted))

    def send_one(self) -> float:
        """Send the first that is due; return how many seconds later it is worth looking again."""
        with self._lock:
            wait_s = self._last_at + GAP_S - self._clock()
            due = [topic for topic in self._wanted if self._is_due(topic)]
            if not due or wait_s > 0:
                return max(wait_s, 0.0) if due else IDLE_S
            topic, self._last_at = due[0], self._clock()
            payload = self._sent[topic] = self._wanted[topic]
        self._numbers[topic] = self._client.publish(topic, payload, SURE, retain=True).mid
        return GAP_S

    def _is_due(self, topic: str) -> bool:
        return self._sent.get(topic) != self._wanted[topic] and self._is_free(topic)

    def _is_free(self, topic: str) -> bool:
        """True if no message of the topic waits for the broker's acknowledgement."""
        number = self._numbers.get(topic)
        if number is not None and number in self._acknowledged:
            self._acknowledged.discard(number)
            del self._numbers[topic]
        return topic not in self._numbers


SAME_S = 600.0
"""Seconds before an identical line may be logged again."""
MOST_LINES = 100
"""How many different lines are remembered."""


class TroubleLog:
    """Logs what is wrong with the broker at an address. One thread at a time calls it."""

    def __init__(self, address: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._address, self._clock = address, clock
        self._logged: dict[str, float] = {}
        self.is_open = False
        """True from a trouble until the broker is there again."""

    def report(self, trouble: str) -> None:
        """Log a trouble, unless it was logged lately."""
        self.is_open = True
        self.note(trouble)

    def recovered(self) -> None:
        """Log that the broker is there again, where a trouble was logged."""
        if self.is_open:
            self.note("connected again")
        self.is_open = False

    def note(self, line: str) -> None:
        """Log a line that is about no trouble with the broker itself, unless it was logged lately."""
        now, last = self._clock(), self._logged.get(line)
        if last is None or now - last > SAME_S:
            log.warning("home assistant: broker %s: %s", self._address, line)
            self._logged = {**self._logged, line: now} if len(self._logged) < MOST_LINES else {line: now}


# The table's link to Home Assistant: it follows the session as a tablet does, and tells an MQTT broker
#
# Two threads: paho's talks to the broker, and connects again with growing waits; the other sends the newest snapshot.
# Neither is ever waited for by the session.


AT_MOST_ONCE = 0
"""The quality of service of commands: one that the broker sends twice would be done twice."""


@dataclass(frozen=True)
class TableOnBroker:
    """How a table appears: its kept name on the broker, what people read of it, and in which language."""

    node: str
    facts: Callable[[], DeviceFacts]
    language: Callable[[], str] = lambda: "en"


class HomeAssistantLink:
    """Tells a broker what goes on at the table, from `start` to `close`, and does what people press there."""

    def __init__(self, table: Session, address: mqtt_broker.BrokerAddress, shown: TableOnBroker) -> None:
        self._table, self._shown = table, shown
        self._topics = TableTopics(shown.node)
        self._client = mqtt_broker.open_client(address, shown.node)
        self._retained = RetainedTopics(self._client)
        self._commands = MqttCommands(table, self._report_answer)
        self._troubles, self._over_tls = TroubleLog(address.shown), address.scheme == "mqtts"
        self._state: dict[str, Any] = {}
        self._language = ""
        self._over, self._is_asked = Event(), Event()
        self._is_let_in = self._is_subscribed = False
        self._thread = Thread(target=self._follow, name="home-assistant", daemon=True)
        self._wire()

    def start(self) -> None:
        """Start to connect, and to follow the session. Waits for nobody."""
        self._report_answer("")
        self._commands.start()
        self._client.loop_start()
        self._thread.start()

    def close(self) -> None:
        """Say that the table is gone, and disconnect; waits some seconds at most."""
        self._over.set()
        self._commands.close()
        if self._thread.is_alive():
            self._thread.join(2 * CLOSE_S)
        ending = Thread(target=self._end_client, daemon=True)  # the client's thread may hang in a look-up of a name
        ending.start()
        ending.join(CLOSE_S)

    def _end_client(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def _wire(self) -> None:
        client = self._client
        client.suppress_exceptions = True  # one in a callback would end the thread that connects again
        client.will_set(self._topics.available, OFFLINE, SURE, retain=True)
        client.on_connect, client.on_disconnect = self._on_connect, self._on_disconnect
        client.on_connect_fail, client.on_message = self._on_connect_fail, self._on_message
        client.on_publish, client.on_subscribe = self._on_publish, self._on_subscribe
        mqtt_broker.hear_tls_alerts(client, self._report_unreached)

    # On the thread of this class

    def _follow(self) -> None:
        number, pause_s = -1, 0.0
        while not self._over.is_set():
            snapshot = self._table.wait(number, pause_s)
            number, pause_s = snapshot.number, IDLE_S
            try:
                self._want(snapshot)
                if self._is_subscribed:  # a table that is said to be online earlier would miss a command
                    pause_s = self._retained.send_one()
            except Exception as error:
                self._troubles.report(f"failed: {error}")
        self._say_goodbye()

    def _want(self, snapshot: Snapshot) -> None:
        """Let the broker keep what a snapshot shows, and what the device is where somebody may ask for it."""
        language, topics = self._shown.language(), self._topics
        if language != self._language or self._is_asked.is_set():
            self._is_asked.clear()
            self._language = language
            self._retained.want(topics.available, ONLINE)
            self._retained.want(topics.discovery, _json(device_discovery(topics, self._shown.facts(), language)))
        state = table_state(snapshot, language)
        if not is_same(state, self._state):
            self._state = state
            self._retained.want(topics.state, _json(state))

    def _say_goodbye(self) -> None:
        self._retained.want(self._topics.available, OFFLINE)
        until = time.monotonic() + CLOSE_S
        while self._is_subscribed and not self._retained.is_settled and time.monotonic() < until:
            time.sleep(self._retained.send_one() / 2)

    def _report_answer(self, sentence: str) -> None:
        """Let the broker keep an answer; its number tells it from the same one to an earlier command."""
        answer = spoken(sentence, self._shown.language())
        self._retained.want(self._topics.answer, _json({"answer": answer, "number": time.time_ns() // 1_000_000}))

    # On the client's thread

    def _on_connect(
        self, client: Client, _: object, __: ConnectFlags, reason: ReasonCode, ___: Properties | None
    ) -> None:
        if reason.is_failure:
            self._troubles.report(f"refused: {reason}")
            return
        self._is_let_in = True
        client.subscribe([(self._topics.commands, AT_MOST_ONCE), (BIRTH_TOPIC, SURE)])

    def _on_subscribe(self, _: Client, __: object, ___: int, ____: list[ReasonCode], _____: Properties) -> None:
        self._send_all_again()
        self._is_subscribed = True
        self._troubles.recovered()

    def _send_all_again(self) -> None:
        self._retained.send_all_again()
        self._is_asked.set()

    def _on_connect_fail(self, _: Client, __: object) -> None:
        error = sys.exception()  # the client calls this while it handles the error, and does not pass it on
        self._report_unreached(mqtt_broker.broker_trouble(error, over_tls=self._over_tls))

    def _report_unreached(self, trouble: mqtt_broker.BrokerTrouble) -> None:
        if not self._troubles.is_open:
            self._troubles.report(f"not reached: {trouble.why}")

    def _on_disconnect(
        self, _: Client, __: object, ___: DisconnectFlags, reason: ReasonCode, ____: Properties | None
    ) -> None:
        was_let_in, self._is_let_in, self._is_subscribed = self._is_let_in, False, False
        if self._over.is_set() or self._troubles.is_open:
            return
        if self._over_tls and not was_let_in:
            self._report_unreached(mqtt_broker.REFUSES_TLS)
        else:
            self._troubles.report(f"connection lost: {reason}")

    def _on_publish(self, _: Client, __: object, number: int, ___: ReasonCode, ____: Properties) -> None:
        self._retained.acknowledge(number)

    def _on_message(self, _: Client, __: object, message: MQTTMessage) -> None:
        if message.topic == BIRTH_TOPIC:
            if message.payload == BIRTH:
                self._send_all_again()
        elif message.retain:
            self._troubles.note("a command that the broker has kept was ignored: send commands without retain")
        elif not self._over.is_set():
            self._commands.take(self._topics.command_of(message.topic), bytes(message.payload))


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)


# The check of the MQTT broker, by which Home Assistant and a hall get what goes on at the table


MQTT = CheckSubject("mqtt", say("MQTT"))


def check_mqtt(settings: Settings) -> Finding:
    """Check that the broker of the settings lets this box in; takes some seconds where nobody answers."""
    if not settings.mqtt:
        return MQTT.good(say("No MQTT broker is set, so that Home Assistant hears nothing of the table."))
    address = mqtt_broker.BrokerAddress.parse(settings.mqtt)
    try:
        mqtt_broker.try_broker(address, f"vander_doctor_{secrets.token_hex(4)}")
    except mqtt_broker.NoBroker as error:
        return _no_broker(address, error)
    return MQTT.good(say("The broker {address} lets Vander in.", address=address.shown))


def _no_broker(address: mqtt_broker.BrokerAddress, error: mqtt_broker.NoBroker) -> Finding:
    if error.is_refusal:
        return MQTT.bad(
            say("The broker {address} refuses Vander: {why}.", address=address.shown, why=message_of(error)),
            say("Put the broker's name and password into VANDER_MQTT, then restart Vander. Play goes on without it."),
        )
    return MQTT.bad(
        say("The broker {address} cannot be reached: {why}.", address=address.shown, why=message_of(error)),
        error.advice
        or say("Check the address in VANDER_MQTT, and that the broker is running. Play goes on without it."),
    )
