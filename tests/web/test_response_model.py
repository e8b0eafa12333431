"""Responses: pydantic's serializers are built one at a time, and again where Python failed at it."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Barrier, Lock, Thread
from time import sleep

import pytest
from pydantic import TypeAdapter

from web.schemas import response_model
from web.schemas.response_model import ResponseModel


@dataclass(frozen=True)
class Red(ResponseModel):
    """A red answer."""

    lamp: int = 1


@dataclass(frozen=True)
class Green(ResponseModel):
    """A green answer."""

    lamp: int = 2


def test_two_requests_at_once_never_build_serializers_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    busy, overlaps = Lock(), []

    def build(response: type[ResponseModel]) -> TypeAdapter[ResponseModel]:
        if not busy.acquire(blocking=False):
            overlaps.append(response)
            return TypeAdapter(response)
        sleep(0.05)  # as long as pydantic needs for a large one
        busy.release()
        return TypeAdapter(response)

    monkeypatch.setattr(response_model, "TypeAdapter", build)
    monkeypatch.setattr(response_model, "_ADAPTERS", {})
    together, found = Barrier(4), []

    def answer(response: ResponseModel) -> None:
        together.wait()
        found.append(response_model.as_json(response))

    threads = [Thread(target=answer, args=(each,)) for each in (Red(), Green(), Red(), Green())]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert overlaps == []
    assert sorted(each["lamp"] for each in found) == [1, 1, 2, 2]


def test_a_serializer_is_built_while_another_library_parses(monkeypatch: pytest.MonkeyPatch) -> None:
    tries = []

    def build(response: type[ResponseModel]) -> TypeAdapter[ResponseModel]:
        tries.append(response)
        if len(tries) < 3:
            raise SystemError("AST constructor recursion depth mismatch (before=93, after=71)")
        return TypeAdapter(response)

    monkeypatch.setattr(response_model, "TypeAdapter", build)
    monkeypatch.setattr(response_model, "_ADAPTERS", {})
    assert response_model.as_json(Red()) == {"lamp": 1}
    assert tries == [Red, Red, Red]
