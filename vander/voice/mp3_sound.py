"""MP3, the form of the clips: written for tablets, and read for the box's own loudspeaker."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import soundfile

from vander.voice.voice_engines import VoiceError
from vander.voice.voice_sound import Waveform

COMPRESSION = 0.7
"""Of 0 to 1: about 32 kbit/s for speech at 16 kHz."""


def mp3_bytes(sound: Waveform) -> bytes:
    """Return a sound as MP3."""
    contents = BytesIO()
    soundfile.write(
        contents,
        sound.samples,
        sound.rate,
        format="MP3",
        subtype="MPEG_LAYER_III",
        compression_level=COMPRESSION,
        bitrate_mode="CONSTANT",
    )
    return contents.getvalue()


def read_mp3(path: Path) -> Waveform:
    """Return the sound of an MP3 file with one channel. Raises VoiceError."""
    return _read(path, path.name)


def decode_mp3(contents: bytes) -> Waveform:
    """Return the sound of MP3 with one channel. Raises VoiceError."""
    return _read(BytesIO(contents), "the voice")


def _read(source: Path | BytesIO, called: str) -> Waveform:
    try:
        samples, rate = soundfile.read(source, dtype="float32")
    except (soundfile.SoundFileError, OSError) as error:
        raise VoiceError(f"{called} cannot be read as MP3: {error}") from error
    return Waveform(samples if samples.ndim == 1 else samples[:, 0], rate)
