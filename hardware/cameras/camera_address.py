"""The address of a camera in the network, and how much of it may be shown: the name and the password in it never.

Many cameras want the password elsewhere: behind the `?`, or in the path (`/user=admin_password=1234_channel=1`). So
nothing behind the host is shown at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote, urlsplit

from hardware.cameras.base import NoSuchCamera
from referee.sentences import say

KIND = "url"
SCHEMES = ("http", "https", "rtsp", "rtsps")
FORM = "http://HOST:PORT/PATH"


@dataclass(frozen=True)
class CameraAddress:
    """An address without the name and the password for it, which stand apart, decoded; both are '' without any.

    scheme: one of SCHEMES. host: with its port, as in the address. rest: all that follows the host.
    """

    scheme: str
    host: str
    rest: str
    user: str = ""
    password: str = ""
    credentials: str = ""
    """Name and password as they stand in the address, encoded."""

    @classmethod
    def parse(cls, text: str) -> CameraAddress:
        """Return the address in a text. Raises NoSuchCamera, which never repeats the text."""
        try:
            parts = urlsplit(text)
            has_host = bool(parts.hostname) and (parts.port is None or parts.port > 0)
        except ValueError:
            has_host = False
        if not has_host or parts.scheme not in SCHEMES or not text.isprintable() or " " in text:
            raise NoSuchCamera(say("that is no address of a camera; write {form}", form=FORM))
        credentials, _, host = parts.netloc.rpartition("@")
        rest = text.partition("//")[2][len(parts.netloc) :]
        if "@" in rest or "@" in credentials:  # else a password with a slash would be shown as a part of the host
            raise NoSuchCamera(say("in the camera's address, write @ as %40, and in the password / as %2F"))
        user, _, password = credentials.partition(":")
        return cls(parts.scheme, host, rest, unquote(user), unquote(password), credentials)

    @property
    def shown(self) -> str:
        """Return what people may see: the scheme and the host."""
        return f"{self.scheme}://{self.host}"

    @property
    def bare(self) -> str:
        """Return the whole address but name and password."""
        return f"{self.shown}{self.rest}"

    @property
    def whole(self) -> str:
        """Return the whole address, with name and password."""
        return f"{self.scheme}://{self.credentials}@{self.host}{self.rest}" if self.credentials else self.bare

    @property
    def secrets(self) -> Iterator[str]:
        """Yield each text that must not be seen outside, encoded and decoded."""
        raw = self.credentials.partition(":")
        yield from filter(None, (self.user, self.password, raw[0], raw[2]))
        if "=" in self.rest:
            yield self.rest.strip("/")
        yield from (value for _, value in parse_qsl(urlsplit(self.bare).query))


def address_of(name: str) -> str | None:
    """Return the address in a camera's name, `url:http://...` or `rtsp://...`; None for any other camera."""
    kind, _, place = name.partition(":")
    if kind == KIND:
        return place
    return name if place.startswith("//") else None


def shown_name(name: str) -> str:
    """Return a camera's name as people may see it: of an address in the network, no more than the host."""
    address = address_of(name)
    if address is None:
        return name
    try:
        return CameraAddress.parse(address).shown
    except NoSuchCamera:
        return f"{KIND}:?"  # it may have a password where nobody looks for one


def secrets_in(name: str) -> tuple[str, ...]:
    """Return the texts of a camera's name that must not be seen: () but for a camera in the network."""
    address = address_of(name)
    if address is None:
        return ()
    try:
        return tuple(CameraAddress.parse(address).secrets)
    except NoSuchCamera:
        return (address,)
