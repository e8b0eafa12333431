"""Load models: ONNX files, each checked against the SHA-256 in the card (TOML) next to it."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import onnxruntime as ort

from referee.error_messages import cause_of, message_of
from referee.sentences import say


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
    """Return options for few threads that sleep between frames: the camera and the web server need the cores too."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return options
