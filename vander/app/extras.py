"""The extras of a table: what each starts, what the doctor checks of it, and what no support bundle may hold of it."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from hardware.loudspeaker import Loudspeaker, find_player
from hardware.mqtt_broker import BrokerAddress
from referee.actions import GameState
from referee.game import Game, begin_again
from vander.access.page_addresses import page_urls
from vander.app.composition import Composition
from vander.doctor import HealthCheck
from vander.doctor.box_checks import program_version
from vander.extras.hall_link import membership
from vander.extras.home_assistant import home_assistant_link
from vander.extras.home_assistant.home_assistant_link import DeviceFacts, HomeAssistantLink, TableOnBroker
from vander.extras.voice.box_caller import BoxCaller, BoxVoices
from vander.extras.voice.family_voices import FamilyVoices
from vander.extras.webhooks import receivers, webhook_service
from vander.extras.webhooks.delivery import DeliveryQueue
from vander.extras.webhooks.receivers import WebhookReceiver
from vander.extras.webhooks.webhook_service import JournalFollower, open_webhooks
from vander.storage.data_folder import mqtt_node
from vander.storage.journal_schema import KeptGame
from vander.storage.preferences import BoxSpeech
from vander.storage.settings import Settings


@dataclass(frozen=True)
class Extra:
    """What one extra adds to the program.

    `start` begins what runs beside the game; `on_exit` ends it. `check` is given None where no Vander runs. `secrets`
    returns words of the data folder that may be in no log and no support bundle.
    """

    start: Callable[[Composition, ExitStack], None]
    check: Callable[[Settings, Composition | None], HealthCheck] | None = None
    secrets: Callable[[Path], Iterable[str]] = lambda _folder: ()


def _start_caller(parts: Composition, on_exit: ExitStack) -> None:
    """Let the caller speak on the box's own loudspeaker, as far as that is chosen; play goes on without one."""
    settings = parts.settings
    voices = BoxVoices(settings.caller_voice, FamilyVoices(settings.data_dir))

    def speech() -> BoxSpeech:
        return parts.stores.preferences.speech(settings)

    caller = BoxCaller(parts.session, Loudspeaker(find_player()), voices.voice, speech)
    caller.start()
    on_exit.callback(caller.close)


def _start_webhooks(parts: Composition, on_exit: ExitStack) -> None:
    """Tell other programs what happens, as far as `webhooks.toml` names any."""
    games = {game.name: game for game in parts.session.games()}

    def set_up(kept: KeptGame) -> tuple[Game, GameState]:
        game = games[kept.game]
        return game, begin_again(game, kept.players, parts.stores.die_sets.load(kept.die_set), kept.options)

    def follow(queue: DeliveryQueue, receivers: Sequence[WebhookReceiver], put: Callable[[], None]) -> JournalFollower:
        return JournalFollower(parts.session, parts.journal, queue, receivers, set_up, put)

    webhooks = open_webhooks(parts.settings.data_dir, follow)
    if webhooks is not None:
        webhooks.start()
        on_exit.callback(webhooks.close)


def _start_home_assistant(parts: Composition, on_exit: ExitStack) -> None:
    """Start the link to the MQTT broker, if one is set. A broker that fails does not stop play."""
    settings = parts.settings
    if not settings.mqtt:
        return

    def facts() -> DeviceFacts:
        name = settings.mqtt_name or socket.gethostname()
        return DeviceFacts(name, program_version(), next(iter(page_urls(settings)), ""))

    def language() -> str:
        return parts.stores.preferences.speech(settings).language

    shown = TableOnBroker(mqtt_node(settings.data_dir), facts, language)
    link = HomeAssistantLink(parts.session, BrokerAddress.parse(settings.mqtt), shown)
    link.start()
    on_exit.callback(link.close)


def _start_hall_link(parts: Composition, on_exit: ExitStack) -> None:
    parts.hall_link.start()
    on_exit.callback(parts.hall_link.close)


def _check_webhooks(settings: Settings, _parts: Composition | None) -> HealthCheck:
    return HealthCheck(webhook_service.WEBHOOKS, lambda: webhook_service.check_webhooks(settings))


def _check_hall(settings: Settings, parts: Composition | None) -> HealthCheck:
    joined = parts.hall_link.joined if parts is not None else None
    return HealthCheck(membership.HALL, lambda: membership.check_hall(settings, joined))


def _check_mqtt(settings: Settings, _parts: Composition | None) -> HealthCheck:
    return HealthCheck(home_assistant_link.MQTT, lambda: home_assistant_link.check_mqtt(settings))


EXTRAS = (
    Extra(_start_caller),
    Extra(_start_webhooks, _check_webhooks, receivers.secret_words),
    Extra(_start_hall_link, _check_hall, membership.secret_words),
    Extra(_start_home_assistant, _check_mqtt),
)
"""In the order in which they start, and in which the doctor tells of them."""


def checks(settings: Settings, parts: Composition | None = None) -> tuple[HealthCheck, ...]:
    """Return the health checks of all extras; `parts` are those of the running program."""
    return tuple(extra.check(settings, parts) for extra in EXTRAS if extra.check is not None)


def secrets(folder: Path) -> tuple[str, ...]:
    """Return what of all extras may be in no log and no support bundle."""
    return tuple(word for extra in EXTRAS for word in extra.secrets(folder))
