"""A box that boots: a small Debian with a systemd of its own, in a container that knows nothing of this checkout."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

HOUSE = Path(__file__).parent.parent.parent.parent
CHECKOUT, WHEELS = "/checkout", "/wheels"
PORT = 8385
PATIENCE_S = 120.0
PIP = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": WHEELS, "PIP_ROOT_USER_ACTION": "ignore"}


@dataclass(frozen=True)
class Done:
    """A command that ended in the box."""

    status: int
    out: str
    err: str


@dataclass(frozen=True)
class Box:
    """A box that is switched on; `init` is its first process, as this machine counts them."""

    init: int
    root: Path
    power: subprocess.Popen[bytes]

    def do(self, *command: str, check: bool = True, **environment: str) -> Done:
        """Run a command in the box, as root."""
        said = [f"{name}={value}" for name, value in {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", **environment}.items()]
        entering = ["nsenter", "--target", str(self.init), "--all", "--root", "env", "-C", "/", "-i", *said]
        done = subprocess.run(  # noqa: S603
            [*entering, *command], check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=900
        )
        assert done.returncode == 0 or not check, f"{command}: {done.stdout}\n{done.stderr}\n{self.log()}"
        return Done(done.returncode, done.stdout, done.stderr)

    def log(self, lines: int = 60) -> str:
        """The last that the service said."""
        return self.do("journalctl", "--unit=vander", "--no-pager", f"--lines={lines}", check=False).out

    def is_now(self, name: str) -> str:
        """A property of the service."""
        return self.do("systemctl", "show", "--value", f"--property={name}", "vander").out.strip()

    def wait(self, holds: Callable[[], bool], what: str, patience_s: float = PATIENCE_S) -> None:
        """Wait until it is so."""
        until = time.monotonic() + patience_s
        while not holds():
            assert time.monotonic() < until, f"waited in vain until {what}\n{self.log()}"
            time.sleep(0.5)

    def write(self, path: str, text: str) -> None:
        """Put a file into the box."""
        place = self.root / path.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")

    @property
    def is_on(self) -> bool:
        """Whether the box runs."""
        return self.power.poll() is None


def ask(path: str, told: object = None) -> Any:
    """What the page's server says, or None while it says nothing."""
    headers = {"X-Vander": "tablet", "Content-Type": "application/json"}
    body = None if told is None else json.dumps(told).encode()
    try:
        with urlopen(Request(f"http://localhost:{PORT}{path}", body, headers), timeout=10) as answer:
            text = answer.read()
    except HTTPError:
        raise
    except (URLError, ConnectionError, TimeoutError):
        return None
    return json.loads(text) if text[:1] in b"{[" else text


@contextmanager
def switched_on(tree: Path, wheels: Path, folder: Path) -> Iterator[Box]:
    """A box made of the tree, which stays as it is; all that happens in it is gone at the end."""
    with _laid_over(tree, folder) as root:
        command = ["systemd-nspawn", "--quiet", f"--directory={root}", "--boot", "--register=no", "--keep-unit"]
        binds = [f"--bind-ro={HOUSE}:{CHECKOUT}", f"--bind-ro={wheels}:{WHEELS}"]
        with (folder / "console").open("wb") as console:
            power = subprocess.Popen(  # noqa: S603
                [*command, "--console=pipe", *binds], stdin=subprocess.DEVNULL, stdout=console, stderr=console
            )
            try:
                yield _booted(power, root, folder / "console")
            finally:
                power.terminate()
                _end(power)


@contextmanager
def _laid_over(tree: Path, folder: Path) -> Iterator[Path]:
    upper, work, root = (folder / name for name in ("upper", "work", "root"))
    for made in (upper, work, root):
        made.mkdir()
    options = f"lowerdir={tree},upperdir={upper},workdir={work}"
    subprocess.run(["mount", "-t", "overlay", "overlay", "-o", options, str(root)], check=True)  # noqa: S603, S607
    try:
        yield root
    finally:
        subprocess.run(["umount", str(root)], check=True)  # noqa: S603, S607


def _booted(power: subprocess.Popen[bytes], root: Path, console: Path) -> Box:
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until and power.poll() is None:
        children = Path(f"/proc/{power.pid}/task/{power.pid}/children").read_text("ascii").split()
        box = Box(int(children[-1]), root, power) if children else None
        if box and box.do("systemctl", "is-system-running", check=False).out.strip() in ("running", "degraded"):
            return box
        time.sleep(0.5)
    raise AssertionError(f"the box does not start: {console.read_text('utf-8', 'replace')[-3000:]}")


def _end(power: subprocess.Popen[bytes]) -> None:
    try:
        power.wait(60)
    except subprocess.TimeoutExpired:
        power.kill()
        power.wait()
