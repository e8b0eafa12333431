"""Programs that speak a text into a sound file: how each is called, and what may be done with what it says."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

SLOWEST_S = 60
"""The time that a program has for one sentence, or to encode a whole pack."""


class VoiceError(OSError):
    """A program that is not there, fails or hangs, or a recording that is missing; the message says what would help."""


@dataclass(frozen=True)
class Engine:
    """A program that speaks.

    `package` is the Debian package of the voice, `licence` what may be done with what it says. `voices` maps a
    language's code to a voice. `words(voice, path)` are the arguments with which the program reads a text on standard
    input and writes a WAV file to `path`; `argued` is True where the text is its last argument instead.
    """

    name: str
    program: str
    package: str
    licence: str
    voices: Mapping[str, str]
    words: Callable[[str, Path], tuple[str, ...]]
    argued: bool = False

    def voice_of(self, language: str) -> str:
        """Return the voice for a language. Raises VoiceError."""
        if language not in self.voices:
            raise VoiceError(f"{self.name} has no voice for {language!r}, only for {', '.join(self.voices)}")
        return self.voices[language]

    @property
    def is_installed(self) -> bool:
        """True if the program is there."""
        return shutil.which(self.program) is not None

    def say(self, text: str, voice: str, path: Path, *, within_s: float = SLOWEST_S) -> None:
        """Speak a text into a WAV file. Raises VoiceError."""
        spoken = (text,) if self.argued else ()
        words = (*self.words(voice, path), *spoken)
        run_program(self.program, *words, package=self.package, said=text, within_s=within_s)

    def version(self) -> str:
        """Return the version of the voice's Debian package; raises VoiceError where it did not come from one."""
        return run_program("dpkg-query", "--show", "--showformat=${Version}", self.package, package="dpkg")


def run_program(name: str, *words: str, package: str, said: str = "", within_s: float = SLOWEST_S) -> str:
    """Run a program with a text on standard input, and return what it prints. Raises VoiceError."""
    path = shutil.which(name)
    if path is None:
        raise VoiceError(f"{name} is not installed; on Debian it is in the package {package}")
    try:
        done = subprocess.run(  # noqa: S603  a program of the developer's own machine, without a shell
            [path, *words], input=said.encode(), capture_output=True, timeout=within_s, check=False
        )
    except subprocess.TimeoutExpired:
        raise VoiceError(f"{name} did not answer within {within_s:g} s") from None
    if done.returncode:
        raise VoiceError(f"{name} failed: {done.stderr.decode(errors='replace').strip()[-300:]}")
    return done.stdout.decode(errors="replace")


ENGINES = {
    each.name: each
    for each in (
        Engine(
            name="pico",
            program="pico2wave",
            package="libttspico-data",
            licence="Apache-2.0, the voice too; in Debian's non-free, since the voice's source is not published",
            voices={"en": "en-US", "de": "de-DE", "es": "es-ES", "fr": "fr-FR", "it": "it-IT"},
            words=lambda voice, path: (f"--lang={voice}", f"--wave={path}"),
            argued=True,
        ),
        Engine(
            name="espeak-ng",
            program="espeak-ng",
            package="espeak-ng-data",
            licence="GPL-3.0-or-later, the voice data too",
            voices={code: code for code in ("en", "de", "es", "fr", "it", "nl", "pl", "pt", "sv")},
            words=lambda voice, path: ("-v", voice, "-w", str(path), "--stdin"),
        ),
        Engine(
            name="flite",
            program="flite",
            package="flite",
            licence="BSD-like, of Carnegie Mellon University, the voice too",
            voices={"en": "slt"},
            words=lambda voice, path: ("-voice", voice, "-o", str(path), "-t"),
            argued=True,
        ),
        Engine(
            name="festival",
            program="text2wave",
            package="festvox-kallpc16k",
            licence="BSD-like, of Carnegie Mellon University, the voice too",
            voices={"en": "voice_kal_diphone"},
            words=lambda voice, path: ("-eval", f"({voice})", "-o", str(path)),
        ),
    )
}
"""The programs that `vander voice render` knows, by name."""
