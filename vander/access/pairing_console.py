"""The page's address and the pairing code on a terminal, as text and as QR codes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, TextIO

from vander.access.local_client import ServerUnreachable
from web.qr_codes import qr_terminal
from web.schemas.access_schemas import joining_url

MOST_URLS = 3
ONLY_HERE = "Only this machine can open it. Tablets and phones get in with VANDER_HOST=0.0.0.0 in front of the command."
PIPS = dict(enumerate("⚀⚁⚂⚃⚄⚅", 1))


class ApiPoster(Protocol):
    """A client of the running Vander."""

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Send POST and return the answer. Raises ServerUnreachable."""


def format_code(code: Sequence[int]) -> str:
    """Return the code as dice and as digits: `⚂ ⚀ ⚃ ⚀ ⚄ ⚁   3 1 4 1 5 2`."""
    return f"{' '.join(PIPS[face] for face in code)}   {' '.join(map(str, code))}"


class RequestedCode(NamedTuple):
    """The faces of a code, and whether the tablet that gives it becomes a keeper's."""

    faces: tuple[int, ...]
    makes_keeper: bool


def request_code(vander: ApiPoster) -> RequestedCode:
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
