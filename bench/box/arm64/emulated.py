"""A Raspberry Pi that this machine emulates: Vander in a Debian for arm64, and somebody at its tablet."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any
from urllib.request import Request, urlopen

NOBODY = 65534
START_S = 300.0
"""A program starts some thirty times slower when it is emulated."""
ANSWER_S = 120.0
TURN_S = 900.0
LEAVE_S = 60.0
GLANCE_S = 1.0
"""How often the tablet is looked at."""

# The shell's mounts go with it. Its place is taken by the program, so that a signal reaches that and nobody else.
_INSIDE = (
    'mount --rbind /proc "$1/proc" && mount -t tmpfs shm "$1/dev/shm" && mount --bind "$2" "$1/mnt" && '
    'root=$1 who=$3 cpu=$4 && shift 4 && exec chroot --userspec="$who" "$root" '
    "/usr/bin/env -i HOME=/mnt LANG=C.UTF-8 PATH=/usr/bin:/bin VANDER_DATA_DIR=/mnt QEMU_CPU=$cpu "
    '/opt/vander/bin/vander "$@"'
)

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Board:
    """A Raspberry Pi: the processor that is emulated, the system on it, and the folder that it keeps its data in."""

    cpu: str
    suite: str
    data: Path

    def start(self, *words: str, to: IO[str] | int = subprocess.PIPE) -> subprocess.Popen[str]:
        """Start `vander` with these words, as a user without rights."""
        root = system(self.suite)
        who = NOBODY if os.geteuid() == 0 else os.geteuid()
        if os.geteuid() == 0:
            os.chown(self.data, who, who)
        return subprocess.Popen(  # noqa: S603  # our own words
            [
                *([] if os.geteuid() == 0 else ["sudo"]),
                *("nice", "-n", "10", "unshare", "--mount", "bash", "-c", _INSIDE, "inside"),
                *(str(root), str(self.data), f"{who}:{who}", self.cpu, *words),
            ],
            stdout=to,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, *words: str) -> str:
        """What `vander` prints when it is run to its end, which must be a good one."""
        with self.start(*words) as program:
            told, _ = program.communicate(timeout=START_S)
        assert program.returncode == 0, told
        return told


def system(suite: str) -> Path:
    """The folder of that suite's system, which must be there and whole."""
    cache = os.environ.get("VANDER_BOX_CACHE", "")
    assert cache, "VANDER_BOX_CACHE must name the folder that bench/box/arm64/build.sh filled."
    root = Path(cache).resolve() / suite
    assert (root / "opt" / "project.stamp").is_file(), f"{root} is not built; run bench/box/arm64/build.sh {cache}"
    return root


@dataclass(frozen=True)
class Turn:
    """What the page said in a turn, each sentence once: the rulings, and what was wrong with the camera."""

    ruled: tuple[str, ...]
    troubles: tuple[str, ...]


@dataclass(frozen=True)
class Tablet:
    """Somebody at the tablet of an emulated Vander, with hands for the virtual tray."""

    port: int

    def get(self, path: str) -> bytes:
        """What the page at that address is."""
        with urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=ANSWER_S) as answer:  # http
            found: bytes = answer.read()
        return found

    def now(self) -> Json:
        """What the tablet shows."""
        found: Json = json.loads(self.get("/api/snapshot"))
        return found

    def post(self, path: str, body: Json) -> Json:
        """Tap something, or use the tray's hands."""
        headers = {"Content-Type": "application/json", "X-Vander": "tablet"}
        asked = Request(f"http://127.0.0.1:{self.port}{path}", json.dumps(body).encode(), headers)  # http
        with urlopen(asked, timeout=ANSWER_S) as answer:  # noqa: S310  # http
            found: Json = json.load(answer)
        return found

    def until(self, seat: int) -> Turn:
        """Play as the page says until it is that seat's turn."""
        ruled, troubles = dict[str, None](), dict[str, None]()
        ends = time.monotonic() + TURN_S
        while time.monotonic() < ends:
            now = self.now()
            ruled |= dict.fromkeys(now["last"])
            troubles |= dict.fromkeys(filter(None, [now["camera_trouble"]]))
            if list(now["state"]["to_act"]) == [seat]:
                return Turn(tuple(ruled), tuple(troubles))
            self._step(now)
        raise AssertionError(f"in {TURN_S:.0f} seconds the turn did not come round; the page says {self.now()!r}")

    def _step(self, now: Json) -> None:
        """Do the one thing that the page asks for: answer, wait, end the turn, or throw."""
        taps = {offer["verb"]: offer["action"] for offer in now["offers"] if offer["by_tap"]}
        if now["questions"]:
            asked = now["questions"][0]
            self.post("/api/answer", {"question": asked["number"], "choice": asked["choices"][0]["answer"]})
        elif now["extras"]["table"] != "quiet":
            time.sleep(GLANCE_S)
        elif "end" in taps:
            self.post("/api/act", {"action": taps["end"]})
        else:
            self._throw(now)

    def _throw(self, before: Json) -> None:
        """Throw all dice, and wait until the page says something new of them, or is quiet again without a word."""
        dice = [die["number"] for die in json.loads(self.get("/api/tray/dice"))["dice"]]
        self.post("/api/tray/throw", {"dice": dice})
        ends = time.monotonic() + ANSWER_S
        while time.monotonic() < ends:
            now = self.now()
            if now["extras"]["table"] == "quiet" and (now["notice"], now["last"]) != (before["notice"], before["last"]):
                return
            time.sleep(GLANCE_S)


@contextmanager
def playing(board: Board, port: int, told: Path, *words: str) -> Iterator[tuple[Tablet, subprocess.Popen[str]]]:
    """Vander serving on that port, what it prints going to the file `told`; it is made to leave at the end."""
    with (
        told.open("w") as to,
        board.start("play", "--camera", "virtual", "--port", str(port), *words, to=to) as program,
    ):
        try:
            _wait_until_ready(program, told)
            yield Tablet(port), program
        finally:
            if program.poll() is None:
                program.terminate()
                try:
                    program.wait(LEAVE_S)
                except subprocess.TimeoutExpired:
                    program.kill()


def _wait_until_ready(program: subprocess.Popen[str], told: Path) -> None:
    ends = time.monotonic() + START_S
    while "ready" not in told.read_text("utf-8"):
        assert program.poll() is None, f"Vander did not start: {told.read_text('utf-8')}"
        assert time.monotonic() < ends, f"Vander was not ready in {START_S:.0f} seconds"
        time.sleep(GLANCE_S)
