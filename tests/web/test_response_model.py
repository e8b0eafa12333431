"""Responses: pydantic's serializers are built one at a time, and again where Python failed at it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from threading import Barrier, Lock, Thread
from time import sleep
from typing import Any

import pytest
from pydantic import TypeAdapter

from web.schemas import response_model


@dataclass(frozen=True)
class Red:
    """A red answer."""

    lamp: int = 1


@dataclass(frozen=True)
class Green:
    """A green answer."""

    lamp: int = 2


def test_two_requests_at_once_never_build_serializers_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    busy, overlaps = Lock(), []

    def build(response: type[Any]) -> TypeAdapter[Any]:
        if not busy.acquire(blocking=False):
            overlaps.append(response)
            return TypeAdapter(response)
        sleep(0.05)  # as long as pydantic needs for a large one
        busy.release()
        return TypeAdapter(response)

    monkeypatch.setattr(response_model, "TypeAdapter", build)
    monkeypatch.setattr(response_model, "_ADAPTERS", {})
    together, found = Barrier(4), []

    def answer(response: Red | Green) -> None:
        together.wait()
        found.append(json.loads(response_model.encode(response)))

    threads = [Thread(target=answer, args=(each,)) for each in (Red(), Green(), Red(), Green())]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert overlaps == []
    assert sorted(each["lamp"] for each in found) == [1, 1, 2, 2]


def test_a_serializer_is_built_while_another_library_parses(monkeypatch: pytest.MonkeyPatch) -> None:
    tries = []

    def build(response: type[Any]) -> TypeAdapter[Any]:
        tries.append(response)
        if len(tries) < 3:
            raise SystemError("AST constructor recursion depth mismatch (before=93, after=71)")
        return TypeAdapter(response)

    monkeypatch.setattr(response_model, "TypeAdapter", build)
    monkeypatch.setattr(response_model, "_ADAPTERS", {})
    assert json.loads(response_model.encode(Red())) == {"lamp": 1}
    assert tries == [Red, Red, Red]
