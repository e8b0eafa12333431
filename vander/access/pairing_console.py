"""The code on the console: `vander pair`, and the terminal in which `vander play` was started by hand."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TextIO

from vander.access.local_client import ServerUnreachable

PIPS = dict(enumerate("⚀⚁⚂⚃⚄⚅", 1))


class ApiPoster(Protocol):
    """The running Vander, as far as it is asked here."""

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Tell an address of the API something. Raises ServerUnreachable."""


def format_code(code: Sequence[int]) -> str:
    """The code as dice and as digits: `⚂ ⚀ ⚃ ⚀ ⚄ ⚁   3 1 4 1 5 2`."""
    return f"{' '.join(PIPS[face] for face in code)}   {' '.join(map(str, code))}"


def request_code(vander: ApiPoster) -> tuple[int, ...]:
    """Have the running Vander show a code, and give it. Raises ServerUnreachable."""
    told = vander.post("/api/door/ask", {})
    code = told.get("code")
    if not told.get("door"):
        raise ServerUnreachable("this Vander lets everybody decide; no code is needed")
    if not isinstance(code, list):
        raise ServerUnreachable("Vander shows its code to a keeper only; run this as the user that Vander runs as")
    return tuple(code)


def terminal_listener(out: TextIO | None = None) -> Callable[[tuple[int, ...] | None], None]:
    """A listener that prints each code where a person sits at a terminal; in a log no code is ever written."""
    to = out or sys.stdout

    def tell(code: tuple[int, ...] | None) -> None:
        if code is not None and to.isatty():
            print(f"A tablet asks to join in. Its code: {format_code(code)}", file=to, flush=True)

    return tell
