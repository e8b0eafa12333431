"""`vander webhooks`: who is told what happens at the table, and what waits for them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from typing import Annotated

import typer
from typer import Argument, Context

from vander.cli.command_options import FAILED, DataDir, command_app
from vander.extras.webhooks.delivery import DeliveryQueue, ReceiverState, deliver
from vander.extras.webhooks.receivers import (
    BadReceivers,
    EventType,
    WebhookEvent,
    WebhookReceiver,
    new_secret,
    read_receivers,
)
from vander.storage import data_folder
from vander.storage.data_folder import WEBHOOK_QUEUE, StorageError
from vander.storage.settings import SettingError, Settings, load


class NoSuchReceiver(LookupError):
    """`webhooks.toml` names no receiver of that name."""

    def __str__(self) -> str:
        return str(self.args[0])


EXPECTED_ERRORS = (SettingError, StorageError, BadReceivers, NoSuchReceiver)

app = command_app("webhooks", "List who is told of the games by webhooks, and what waits for them.", runs_alone=True)

ReceiverName = Annotated[str, Argument(help="a receiver, as webhooks.toml names it", metavar="NAME")]


@app.callback()
def list_command(context: Context, data_dir: DataDir = None) -> None:
    """List who is told of the games by webhooks, and what waits for them."""
    if context.invoked_subcommand:
        return
    settings = load(data_dir=data_dir)
    with data_folder.share(settings.data_dir):
        receivers, states = read_receivers(settings.data_dir), {state.name: state for state in _states(settings)}
    if not receivers:
        typer.echo("nobody is told: webhooks.toml in the data folder names no receiver")
    for receiver in receivers:
        told = _told(states.get(receiver.name))
        typer.echo(f"{receiver.name:20}  {receiver.place}  {', '.join(sorted(receiver.events))}: {told}")


@app.command("test")
def ping_command(
    name: Annotated[str, Argument(help="one receiver alone", metavar="NAME")] = "", data_dir: DataDir = None
) -> None:
    """Send each receiver a ping now, and say what came back."""
    settings = load(data_dir=data_dir)
    ping = _ping()
    failed = False
    for receiver in _chosen(settings, name):
        answer = deliver(receiver, f"msg_ping_{ping.key}", ping.body().encode())
        typer.echo(f"{receiver.name}: {answer}, {'taken' if answer.is_taken else 'not taken'}")
        failed |= not answer.is_taken
    if failed:
        raise typer.Exit(FAILED)


@app.command("secret")
def secret_command() -> None:
    """Make a secret for a receiver, and print it."""
    typer.echo(new_secret())


@app.command("resume")
def resume_command(name: ReceiverName, data_dir: DataDir = None) -> None:
    """Tell a receiver again that was switched off, and forget what was given up."""
    settings = load(data_dir=data_dir)
    _chosen(settings, name)
    with data_folder.share(settings.data_dir):
        if (settings.data_dir / WEBHOOK_QUEUE).exists():
            with closing(DeliveryQueue.in_folder(settings.data_dir)) as queue:
                queue.resume(name)
    typer.echo(f"{name} is told again")


def _states(settings: Settings) -> Sequence[ReceiverState]:
    if not (settings.data_dir / WEBHOOK_QUEUE).exists():
        return ()
    with closing(DeliveryQueue.in_folder(settings.data_dir)) as queue:
        return queue.states()


def _chosen(settings: Settings, name: str) -> Sequence[WebhookReceiver]:
    with data_folder.share(settings.data_dir):
        receivers = read_receivers(settings.data_dir)
    chosen = [each for each in receivers if name in ("", each.name)]
    if not chosen:
        known = ", ".join(each.name for each in receivers) or "nobody"
        raise NoSuchReceiver(f"webhooks.toml names no receiver {name!r}; it has {known}".replace(" ''", ""))
    return chosen


def _ping() -> WebhookEvent:
    now = datetime.now(UTC)
    facts = {"sentence": "A ping from Vander: webhooks arrive."}
    return WebhookEvent(now.strftime("%Y%m%d%H%M%S%f"), EventType.PING, now, facts)


def _told(state: ReceiverState | None) -> str:
    if state is None:
        return "not told yet; Vander reads webhooks.toml at its start"
    parts = ["switched off: it answered 410 Gone"] if state.is_gone else []
    parts.append(f"{state.waiting} wait")
    parts += [f"{state.failures} attempts failed in a row, the last with {state.last_answer}"] if state.failures else []
    parts += [f"{state.dropped} given up"] if state.dropped else []
    return ", ".join(parts)
