"""The box's own loudspeaker: plays sound by a program of the system, which may hang without anybody waiting for it."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import IO

PLAYERS: Mapping[str, tuple[str, ...]] = {
    "aplay": ("-q", "-t", "raw", "-f", "S16_LE", "-c", "1", "-r", "{rate}"),
    "paplay": ("--raw", "--format=s16le", "--channels=1", "--rate={rate}"),
}
"""Programs that play samples from standard input, the best first: of Debian's alsa-utils and pulseaudio-utils."""
SPARE_S = 4.0
"""How much longer than its sound a player may take, before it is ended."""
MOST_WORDS = 8192
"""Bytes that are read of what a player says."""


class NoLoudspeaker(OSError):
    """There is no player, it fails or it hangs; the message is one sentence."""

    def __str__(self) -> str:
        return str(self.args[0])


def find_player(which: Callable[[str], str | None] = shutil.which) -> tuple[str, ...]:
    """Return the path of the first player that is installed, and its arguments; () without one."""
    found = ((which(name), words) for name, words in PLAYERS.items())
    return next(((path, *words) for path, words in found if path), ())


@dataclass(frozen=True)
class _Playing:
    process: subprocess.Popen[bytes]
    words: IO[bytes]
    ends_at: float


class Loudspeaker:
    """Plays one sound at a time; a newer one ends an older one. One thread calls it, and no method waits."""

    def __init__(self, player: Sequence[str], clock: Callable[[], float] = time.monotonic) -> None:
        self._player, self._clock = tuple(player), clock
        self._now: _Playing | None = None

    def play(self, samples: bytes, rate: int) -> None:
        """Begin to play samples of 16 bits, low byte first, mono. Raises NoLoudspeaker."""
        self.stop()
        if not self._player:
            raise NoLoudspeaker("no player is installed; on Debian aplay is in the package alsa-utils")
        words = TemporaryFile()  # noqa: SIM115  # closed by `stop`
        with TemporaryFile() as sound:  # a pipe would hold two seconds, and then wait for a player that hangs
            sound.write(samples)
            sound.seek(0)
            try:
                command = [word.format(rate=rate) for word in self._player]
                process = subprocess.Popen(command, stdin=sound, stdout=subprocess.DEVNULL, stderr=words)  # noqa: S603  a player of PLAYERS
            except OSError as error:
                words.close()
                raise NoLoudspeaker(f"{self._player[0]} cannot be started: {error.strerror or error}") from error
        self._now = _Playing(process, words, self._clock() + len(samples) / 2 / rate + SPARE_S)

    def look(self) -> None:
        """Take in what became of the player, and end one that hangs. Raises NoLoudspeaker."""
        now = self._now
        if now is None:
            return
        code, is_late = now.process.poll(), self._clock() > now.ends_at
        if code is None and not is_late:
            return
        now.words.seek(0)
        told = (
            now.words.read(MOST_WORDS).decode(errors="replace").strip().rpartition("\n")[2]
        )  # aplay's reason comes last
        self.stop()
        if code is None:
            raise NoLoudspeaker(f"{self._player[0]} did not finish in time and was ended")
        if code:
            raise NoLoudspeaker(f"{self._player[0]} failed: {told or f'status {code}'}")

    def stop(self) -> None:
        """End what plays."""
        now, self._now = self._now, None
        if now is None:
            return
        now.process.kill()
        now.process.wait()
        now.words.close()
