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
SOON_S = 0.05
"""How soon a player is looked after that should be at its end: it may begin and end late by so much."""
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


@dataclass(frozen=True)
class _QueuedSound:
    samples: bytes
    rate: int

    @property
    def length_s(self) -> float:
        return len(self.samples) / 2 / self.rate


class Loudspeaker:
    """Plays one sound at a time; a newer one ends an older one, or follows it. One thread calls it, no method waits."""

    def __init__(self, player: Sequence[str], clock: Callable[[], float] = time.monotonic) -> None:
        self._player, self._clock = tuple(player), clock
        self._now: _Playing | None = None
        self._waiting: list[_QueuedSound] = []

    @property
    def left_s(self) -> float:
        """Seconds until all is played that was given, at least SOON_S; 0 where nothing plays."""
        if self._now is None or self._now.process.poll() is not None:
            return sum(each.length_s for each in self._waiting)
        return max(SOON_S, self._now.ends_at - self._clock()) + sum(each.length_s for each in self._waiting)

    @property
    def waits_s(self) -> float:
        """Seconds after which `look` begins what waits, if the player is then at its end; 0 where nothing waits."""
        return max(SOON_S, self._now.ends_at - self._clock()) if self._now and self._waiting else 0.0

    def follow(self, samples: bytes, rate: int) -> None:
        """Play samples after all that was given before; at once where nothing plays. Raises NoLoudspeaker."""
        if self.left_s:
            self._waiting.append(_QueuedSound(samples, rate))
        else:
            self.play(samples, rate)

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
        self._now = _Playing(process, words, self._clock() + len(samples) / 2 / rate)

    def look(self) -> None:
        """Take in what became of the player, begin what waits, and end a player that hangs. Raises NoLoudspeaker."""
        now = self._now
        if now is None:
            return
        code, is_late = now.process.poll(), self._clock() > now.ends_at + SPARE_S
        if code is None and not is_late:
            return
        now.words.seek(0)
        told = (
            now.words.read(MOST_WORDS).decode(errors="replace").strip().rpartition("\n")[2]
        )  # aplay's reason comes last
        waiting = self._waiting
        self.stop()
        if code is None:
            raise NoLoudspeaker(f"{self._player[0]} did not finish in time and was ended")
        if code:
            raise NoLoudspeaker(f"{self._player[0]} failed: {told or f'status {code}'}")
        if waiting:
            self.play(waiting[0].samples, waiting[0].rate)
            self._waiting = waiting[1:]

    def stop(self) -> None:
        """End what plays, and forget what waits."""
        now, self._now, self._waiting = self._now, None, []
        if now is None:
            return
        now.process.kill()
        now.process.wait()
        now.words.close()
