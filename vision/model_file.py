"""Model files with their cards, the values that networks take and give, and the interval behind a figure."""

from __future__ import annotations

import hashlib
import math
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import onnxruntime as ort

from referee.sentences import cause_of, message_of, say
from vision.frames import Pixels

# Files


class BrokenModel(ValueError):
    """A model file is missing, damaged, or not the one its card describes; the message says which."""


def read_card(weights: Path) -> Mapping[str, Any]:
    """Return the card of a model, the TOML file next to it. Raises BrokenModel."""
    card = weights.with_suffix(".toml")
    try:
        return tomllib.loads(card.read_text("utf-8"))
    except OSError as error:
        raise BrokenModel(
            say("the model card {card} cannot be read: {cause}", card=card, cause=cause_of(error))
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BrokenModel(
            say("the model card {card} is damaged: {cause}", card=card, cause=message_of(error))
        ) from error


def load_model(weights: Path, threads: int = 1) -> tuple[ort.InferenceSession, Mapping[str, Any]]:
    """Return an inference session on the CPU and the model's card. Raises BrokenModel, also if the checksum differs."""
    model, card = read_checked(weights)
    try:
        return ort.InferenceSession(model, _session_options(threads), providers=["CPUExecutionProvider"]), card
    except Exception as error:  # onnxruntime's errors have no other common base class
        raise BrokenModel(
            say("the model {weights} cannot be loaded: {cause}", weights=weights, cause=message_of(error))
        ) from error


def read_checked(weights: Path) -> tuple[bytes, Mapping[str, Any]]:
    """Return a model's bytes and its card. Raises BrokenModel, also if the checksum differs."""
    card = read_card(weights)
    try:
        model = weights.read_bytes()
    except OSError as error:
        raise BrokenModel(
            say("the model {weights} cannot be read: {cause}", weights=weights, cause=cause_of(error))
        ) from error
    if hashlib.sha256(model).hexdigest() != card.get("sha256"):
        raise BrokenModel(
            say(
                "the model {weights} is not the one its card describes: its sha256 differs; install it again",
                weights=weights,
            )
        )
    return model, card


def _session_options(threads: int) -> ort.SessionOptions:
    """Return options for few threads that sleep between frames: the camera and the web server need the cores too.

    What a run needed is given back after it: kept for the next one, it took 65 MB and made no run faster.
    """
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return options


# Values

Floats = npt.NDArray[np.float32]


def network_input(crops: Sequence[Pixels]) -> Floats:
    """Return upright BGR crops as a network takes them: float32, (n, 3, INPUT_SIDE, INPUT_SIDE), 0 to 1."""
    return np.asarray(cv2.dnn.blobFromImages(list(crops), 1 / 255), np.float32)


def softmax(logits: Floats) -> Floats:
    """Return probabilities along the last axis."""
    exponentials = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(exponentials / exponentials.sum(axis=-1, keepdims=True), np.float32)


def rotated(crop: Pixels, quarters: int) -> Pixels:
    """Return a crop rotated by quarter turns."""
    return np.ascontiguousarray(np.rot90(crop, quarters))


# Intervals

Z95 = 1.959964
"""Standard deviations on each side that hold 95 % of a normal distribution."""


def wilson_interval(part: int, whole: int) -> tuple[float, float]:
    """Return the 95 % score interval (Wilson 1927) of the share `part` of `whole`, 0 to 1; (0, 1) if `whole` is 0."""
    if whole == 0:
        return 0.0, 1.0
    share, z2 = min(part / whole, 1.0), Z95 * Z95
    middle = share + z2 / (2 * whole)
    spread = Z95 * math.sqrt(share * (1 - share) / whole + z2 / (4 * whole * whole))
    low, high = ((middle + side * spread) / (1 + z2 / whole) for side in (-1, 1))
    return max(0.0, min(low, share)), min(1.0, max(high, share))  # rounding must not exclude the share itself
