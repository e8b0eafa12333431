"""Players' names for the box's loudspeaker, spoken by espeak-ng where that is installed."""

from __future__ import annotations

import logging
from collections import OrderedDict
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from vander.voice.voice_engines import ENGINES, Engine, VoiceError
from vander.voice.voice_sound import Samples, cut_clip, read_wav, resampled

log = logging.getLogger(__name__)

ENGINE = ENGINES["espeak-ng"]
LONGEST_S = 1.0
"""A program that has not spoken a name by then is not waited for."""
KEPT = 24
"""Names whose sound is kept: those of two tables full of people."""


class SpokenNames:
    """Says names in a language, at one rate. A name is spoken once and kept; one thread calls it."""

    def __init__(self, language: str, rate: int, engine: Engine = ENGINE) -> None:
        self._language, self._rate, self._engine = language, rate, engine
        self._kept: OrderedDict[str, Samples] = OrderedDict()

    def sound(self, name: str) -> Samples:
        """Return the sound of a name; no samples where it cannot be said."""
        if name not in self._kept:
            self._kept[name] = self._spoken(name)
        self._kept.move_to_end(name)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return self._kept[name]

    def _spoken(self, name: str) -> Samples:
        if not name.strip() or not self._engine.is_installed:
            return np.zeros(0, np.float32)
        try:
            with TemporaryDirectory() as folder:
                path = Path(folder) / "name.wav"
                self._engine.say(name, self._engine.voice_of(self._language), path, within_s=LONGEST_S)
                spoken = cut_clip(read_wav(path))
        except (VoiceError, OSError) as error:
            log.warning("caller: a name is left out: %s", error)
            return np.zeros(0, np.float32)
        return resampled(spoken, self._rate).samples
