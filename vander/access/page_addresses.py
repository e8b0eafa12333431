"""The addresses of the page as people type them, as QR codes on a terminal, and requests to it from the box itself."""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from io import BytesIO, StringIO
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import psutil  # type: ignore[import-untyped]  # it ships no types
import segno

from vander.access.pairing import BOX_KEY, PairingService
from vander.storage.settings import Settings
from web.schemas.access_schemas import COOKIE, joining_url

TIMEOUT_S = 10.0
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1", "*": "127.0.0.1"}  # noqa: S104 - what a server listens on
"""Addresses of a server that listens on all interfaces, and where it is then reached."""


class ServerUnreachable(ConnectionError):
    """The running Vander does not answer or refuses; the message is one sentence."""


class ServerTimeout(ServerUnreachable):
    """A server is there, but did not answer in time."""


class RequestRefused(ServerUnreachable):
    """Vander answered with an error."""


class LocalClient:
    """A client of the Vander that runs on this box with this data folder and serves on this host and port.

    The key in the data folder makes whoever can read it a keeper; without it `trust_local` decides. A request waits
    `timeout_s` seconds for its answer.
    """

    def __init__(self, data_dir: Path, host: str, port: int, timeout_s: float = TIMEOUT_S) -> None:
        self._host, self._port, self._timeout_s = EVERYWHERE.get(host, host), port, timeout_s
        try:
            self._key = (data_dir / BOX_KEY).read_text("ascii").strip()
        except (OSError, ValueError):
            self._key = ""

    def get(self, path: str) -> dict[str, Any]:
        """Send GET and return the answer. Raises ServerUnreachable, or its ServerTimeout or RequestRefused."""
        return self._request("GET", path, None)

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Send POST and return the answer. Raises ServerUnreachable."""
        return self._request("POST", path, json.dumps(body))

    def _request(self, method: str, path: str, body: str | None) -> dict[str, Any]:
        headers = {"Content-Type": "application/json", "X-Vander": "box", "Cookie": f"{COOKIE}={self._key}"}
        try:
            with closing(HTTPConnection(self._host, self._port, timeout=self._timeout_s)) as connection:
                connection.request(method, path, body, headers)
                answer = connection.getresponse()
                status, body_json = answer.status, dict(json.loads(answer.read()))
        except TimeoutError as error:
            raise ServerTimeout(
                f"the Vander at {self._host}:{self._port} did not answer within {self._timeout_s:g} seconds; "
                "it is busy or hangs: try again in a moment"
            ) from error
        except (OSError, HTTPException, ValueError, TypeError) as error:
            raise ServerUnreachable(
                f"no Vander answers at {self._host}:{self._port}; start it with `vander play` or the service, "
                "or say with --port where it listens"
            ) from error
        if status != HTTPStatus.OK:
            raise RequestRefused(self._refusal(str(body_json.get("error", f"status {status}"))))
        return body_json

    def _refusal(self, sentence: str) -> str:
        hint = "" if self._key else "; run this as the user that Vander runs as"
        return f"Vander answers: {sentence.removesuffix('.')}{hint}"


# The addresses of the page as people type them: for this machine, and for tablets and phones in its network


UNHEARD = {"0.0.0.0": True, "::": False}  # noqa: S104 - what a server may be told to listen on
"""Whether IPv6 (True) or IPv4 (False) is what a server does not hear that listens on an address of the other one."""
AVAHI = "run/avahi-daemon/pid"
"""The process file of the service that publishes NAME.local."""
NOBODY = (("192.0.2.1", socket.AF_INET), ("2001:db8::1", socket.AF_INET6))
"""Addresses that belong to nobody (RFC 5737, RFC 3849): the way to them is the way out of this network."""
BY_SOFTWARE = ("docker", "veth", "br-", "virbr", "vboxnet", "vmnet", "lxc", "tailscale", "zt")
"""Beginnings of the names of interfaces that no cable and no Wi-Fi is behind: they come last."""


@dataclass(frozen=True)
class NetworkState:
    """The machine's addresses, the likeliest first, and its name NAME.local, '' if nobody publishes it."""

    addresses: tuple[str, ...]
    local_name: str = ""

    @classmethod
    def now(cls, root: Path = Path("/")) -> NetworkState:
        """Return the present state; nothing is sent."""
        name = f"{socket.gethostname().split('.')[0]}.local" if (root / AVAHI).exists() else ""
        return cls(tuple(_local_addresses()), name)


def is_loopback_host(host: str) -> bool:
    """True if a server that listens on this host is reached from its own machine alone."""
    parsed = _parse_address(host)
    return host == "localhost" if parsed is None else parsed.is_loopback


def tablet_urls(settings: Settings, network: NetworkState) -> tuple[str, ...]:
    """Return the addresses by which tablets reach the page, the name first; () where none can."""
    return tuple(_tablet_urls(settings, network))


def numbered_urls(settings: Settings, network: NetworkState) -> tuple[str, ...]:
    """Return what `tablet_urls` does without the name, which not every phone can look up."""
    return tuple(url for url in tablet_urls(settings, network) if not url.endswith(f".local:{settings.port}"))


def secure_urls(settings: Settings, network: NetworkState) -> tuple[str, ...]:
    """Return the addresses by which tablets and phones reach the page by https, numbers first; () without https."""
    if not settings.https:
        return ()
    plain = (*numbered_urls(settings, network), *tablet_urls(settings, network)) or (own_url(settings),)
    ports = f":{settings.port}", f":{settings.https_port}"
    return tuple(dict.fromkeys(f"https{url.removeprefix('http').removesuffix(ports[0])}{ports[1]}" for url in plain))


def own_url(settings: Settings) -> str:
    """Return the address of the page on this machine itself."""
    everywhere = settings.host in EVERYWHERE or is_loopback_host(settings.host)
    return _url("localhost" if everywhere and settings.host != "::1" else settings.host, settings.port)


def _tablet_urls(settings: Settings, network: NetworkState) -> Iterator[str]:
    if settings.host not in EVERYWHERE and is_loopback_host(settings.host):
        return
    if network.local_name and (settings.host in EVERYWHERE or settings.host in network.addresses):
        yield _url(network.local_name, settings.port)
    for one in network.addresses if settings.host in EVERYWHERE else (settings.host,):
        if (":" in one) is not UNHEARD.get(settings.host):
            yield _url(one, settings.port)


def _url(host: str, port: int) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def _local_addresses() -> Iterator[str]:
    """Yield the addresses that a tablet in the same network can use: those of the way out first, then IPv4 first."""
    stats = psutil.net_if_stats()
    names = sorted(psutil.net_if_addrs(), key=lambda name: name.startswith(BY_SOFTWARE))
    entries = [
        entry for name in names if name not in stats or stats[name].isup for entry in psutil.net_if_addrs()[name]
    ]
    found = [parsed for entry in entries if (parsed := _parse_address(entry.address)) is not None]
    usable = [one for one in found if not (one.is_loopback or one.is_link_local or one.is_unspecified)]
    ways_out = [way for nobody, family in NOBODY if (way := _way_out(nobody, family))]
    yield from sorted(map(str, usable), key=lambda text: (":" in text, text not in ways_out))


def _way_out(nobody: str, family: socket.AddressFamily) -> str:
    """Return the address that packets to `nobody` would leave from, '' for none; connecting UDP sends nothing."""
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as trial:
        trial.connect((nobody, 9))
        return str(trial.getsockname()[0])
    return ""


def _parse_address(text: str) -> IPv4Address | IPv6Address | None:
    """Return an address, or None for other text: the list holds hardware addresses too."""
    try:
        return ip_address(text.partition("%")[0])
    except ValueError:
        return None


# The page's address and the pairing code on a terminal, as text and as QR codes


MOST_URLS = 3
ONLY_HERE = "Only this machine can open it. Tablets and phones get in with VANDER_HOST=0.0.0.0 in front of the command."
PIPS = dict(enumerate("⚀⚁⚂⚃⚄⚅", 1))


def format_code(code: Sequence[int]) -> str:
    """Return the code as dice and as digits: `⚂ ⚀ ⚃ ⚀ ⚄ ⚁   3 1 4 1 5 2`."""
    return f"{' '.join(PIPS[face] for face in code)}   {' '.join(map(str, code))}"


class RequestedCode(NamedTuple):
    """The faces of a code, and whether the tablet that gives it becomes a keeper's."""

    faces: tuple[int, ...]
    makes_keeper: bool


def request_code(vander: LocalClient) -> RequestedCode:
    """Request a code from the running Vander, which then shows it. Raises ServerUnreachable."""
    answer = vander.post("/api/door/ask", {})
    code = answer.get("code")
    if not answer.get("door"):
        raise ServerUnreachable("this Vander lets everybody decide; no code is needed")
    if not isinstance(code, list):
        raise ServerUnreachable("Vander shows its code to a keeper only; run this as the user that Vander runs as")
    return RequestedCode(tuple(code), bool(answer["asking"]["makes_keeper"]))


def announce(own: str, urls: Sequence[str], out: TextIO | None = None) -> str:
    """Print where the page is, on a terminal with a QR code; return the line that says it."""
    to = out or sys.stdout
    line = f"Vander is ready at {own}"
    if urls and urls[0] != own:
        line += f"; tablets and phones open {' or '.join(urls[:MOST_URLS])}"
    print(line, file=to, flush=True)
    if to.isatty():
        print(qr_terminal(urls[0]) if urls else ONLY_HERE, file=to, flush=True)
    return line


def announce_secure(urls: Sequence[str], own: str, out: TextIO | None = None) -> None:
    """Print where the page is by https, and which page helps a phone to trust it."""
    places = " or ".join(urls[:MOST_URLS])
    print(f"By https, which a phone's camera needs: {places}; {own}/https helps", file=out or sys.stdout, flush=True)


def terminal_listener(
    urls: Callable[[], Sequence[str]] = tuple, out: TextIO | None = None
) -> Callable[[tuple[int, ...] | None], None]:
    """Return a listener that prints each code if `out` is a terminal: a code must never get into a log."""
    to = out or sys.stdout

    def print_code(code: tuple[int, ...] | None) -> None:
        if code is None or not to.isatty():
            return
        print(f"A tablet asks to join in. Its code: {format_code(code)}", file=to, flush=True)
        for url in urls()[:1]:
            print(qr_terminal(joining_url(url, code)), file=to, flush=True)

    return print_code


def page_urls(settings: Settings) -> tuple[str, ...]:
    """Return the addresses by which tablets and phones reach the page now, numbers before the name."""
    network = NetworkState.now()
    return tuple(dict.fromkeys((*numbered_urls(settings, network), *tablet_urls(settings, network))))


def open_pairing(settings: Settings) -> PairingService:
    """Open the pairing service; where a person sits at the terminal, it prints the code there too."""
    pairing = PairingService(settings.data_dir, trust_local=settings.trust_local, names=settings.names.split(","))
    pairing.listen(terminal_listener(partial(page_urls, settings)))
    return pairing


# QR codes of addresses


QUIET_MODULES = 4
"""The light margin that ISO/IEC 18004 asks for, in modules."""


def qr_svg(text: str) -> bytes:
    """Return a text as a QR code: dark on light in every theme, since many phones read no inverted one."""
    drawing = BytesIO()
    code = segno.make(text, error="m", micro=False)
    code.save(drawing, kind="svg", scale=8, border=QUIET_MODULES, dark="#000", light="#fff", omitsize=True)
    return drawing.getvalue()


def qr_terminal(text: str) -> str:
    """Return a text as a QR code of half blocks, two modules a character, with the terminal's colour codes."""
    drawing = StringIO()
    segno.make(text, error="l", micro=False).terminal(drawing, compact=True, border=2)
    return drawing.getvalue()
