"""The receivers of webhooks, as the owner names them in `webhooks.toml`, and the signature that each can check."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from referee.sentences import cause_of, say
from vander.webhooks.webhook_events import EventType

# The signature of Standard Webhooks 1.0.0, with a secret that sender and receiver share
#
# https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md ("Signature scheme")


def sign(key: bytes, message_id: str, sent_at: int, body: bytes) -> str:
    """Return the value of `webhook-signature`; `sent_at` is in seconds since 1970. An id has no full stop in it."""
    content = b".".join((message_id.encode(), str(sent_at).encode(), body))
    return f"v1,{base64.b64encode(hmac.digest(key, content, 'sha256')).decode()}"


def signed_headers(key: bytes, message_id: str, sent_at: int, body: bytes) -> dict[str, str]:
    """Return the three headers of a message."""
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(sent_at),
        "webhook-signature": sign(key, message_id, sent_at, body),
    }


# The receivers of webhooks, as the owner names them in `webhooks.toml` of the data folder


RECEIVERS_FILE = "webhooks.toml"
SECRET_PREFIX = "whsec_"  # noqa: S105  # what a secret begins with, as Standard Webhooks 1.0.0 writes it
SHORTEST_KEY, LONGEST_KEY = 24, 64
"""Bytes of a key, as Standard Webhooks 1.0.0 has it."""
MOST_RECEIVERS = 16
"""Each has a thread of its own."""
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_KEYS = frozenset({"url", "secret", "events"})


class BadReceivers(ValueError):
    """`webhooks.toml` cannot be used; the message says which receiver is wrong, and holds no address and no secret."""

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True)
class WebhookReceiver:
    """A receiver of webhooks: its name, its URL, its signing key, and the event types that it subscribes to."""

    name: str
    url: str = field(repr=False)
    key: bytes = field(repr=False)
    events: frozenset[EventType]

    @property
    def place(self) -> str:
        """Scheme, host and port: an address's path and query often are a password."""
        parts = urlsplit(self.url)
        port = f":{parts.port}" if parts.port else ""
        return f"{parts.scheme}://{parts.hostname}{port}"

    @property
    def url_digest(self) -> str:
        """A digest of the address, by which a receiver with another address is known."""
        return hashlib.sha256(self.url.encode()).hexdigest()


def new_secret() -> str:
    """Return a new secret for a receiver."""
    return SECRET_PREFIX + base64.b64encode(secrets.token_bytes(32)).decode()


def read_receivers(folder: Path) -> tuple[WebhookReceiver, ...]:
    """Return the receivers of a data folder, none without `webhooks.toml`. Raises BadReceivers."""
    try:
        read = tomllib.loads((folder / RECEIVERS_FILE).read_text("utf-8"))
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise BadReceivers(say("webhooks.toml cannot be read: {cause}", cause=cause_of(error))) from error
    except ValueError:  # whose message may quote a line with a secret
        raise BadReceivers(say("webhooks.toml is not readable as TOML")) from None
    if len(read) > MOST_RECEIVERS:
        raise BadReceivers(say("webhooks.toml names more than {most} receivers", most=MOST_RECEIVERS))
    return tuple(_receiver(name, each) for name, each in read.items())


def _receiver(name: str, given: object) -> WebhookReceiver:
    if not (_NAME.fullmatch(name) and isinstance(given, dict)):
        raise BadReceivers(
            say("webhooks.toml: a receiver is a table such as [scoreboard], named in small letters, digits and hyphens")
        )
    if not given.keys() <= _KEYS:
        raise BadReceivers(say("webhooks.toml: {name} may have url, secret and events, and nothing else", name=name))
    return WebhookReceiver(name, _url(name, given.get("url")), _key(name, given.get("secret")), _events(name, given))


def _url(name: str, given: object) -> str:
    url = given if isinstance(given, str) else ""
    parts = _split(url)
    if parts is None or parts.scheme not in ("http", "https") or not parts.hostname or parts.username is not None:
        raise BadReceivers(
            say(
                "webhooks.toml: {name} needs url as an http or https address, without a name in front of @",
                name=name,
            )
        )
    return url


def _split(url: str) -> SplitResult | None:
    """Return the parts of an address, None where it is none or has characters that an address does not have."""
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises where it is no number
    except ValueError:
        return None
    return parts if url.isascii() and url.isprintable() and " " not in url else None


def _key(name: str, given: object) -> bytes:
    text = str(given)
    key = _decoded(text.removeprefix(SECRET_PREFIX)) if text.startswith(SECRET_PREFIX) else b""
    if not SHORTEST_KEY <= len(key) <= LONGEST_KEY:
        raise BadReceivers(
            say(
                "webhooks.toml: {name} needs a secret of {fewest} to {most} bytes; `vander webhooks secret` makes one",
                name=name,
                fewest=SHORTEST_KEY,
                most=LONGEST_KEY,
            )
        )
    return key


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:  # no base64, or no ASCII
        return b""


def _events(name: str, given: dict[str, object]) -> frozenset[EventType]:
    wanted = given.get("events", list(EventType.chosen()))
    if not (isinstance(wanted, list) and wanted and all(each in EventType.chosen() for each in wanted)):
        known = ", ".join(EventType.chosen())
        raise BadReceivers(say("webhooks.toml: {name} needs events as a list of {known}", name=name, known=known))
    return frozenset(map(EventType, wanted))


def secret_words(folder: Path) -> tuple[str, ...]:
    """Return what of the receivers may be in no log and no bundle: secrets, and addresses with their paths."""
    try:
        read = tomllib.loads((folder / RECEIVERS_FILE).read_text("utf-8"))
    except (OSError, ValueError):
        return ()
    given = [each for each in read.values() if isinstance(each, dict)]
    urls = [each["url"] for each in given if isinstance(each.get("url"), str)]
    parts = [split for split in map(_split, urls) if split is not None]
    told = [str(each["secret"]) for each in given if "secret" in each]
    ways = [way for part in parts for way in (part.path.strip("/"), part.query)]
    return tuple(word for word in (*told, *urls, *ways) if word)
