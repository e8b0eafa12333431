"""Every kind of question of a real session, and all that tablets show with it, can be said in another language."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest
from question_scenes import SCENES, Scene
from test_languages import plain_texts

from web.schemas.response_model import adapter
from web.schemas.snapshot_response import snapshot_response


@pytest.mark.parametrize("name", SCENES)
def test_whatever_a_question_says_can_be_said_in_another_language(name: str, tmp_path: Path) -> None:
    with ExitStack() as closed:
        snapshot = SCENES[name](Scene(tmp_path, closed)).snapshot()
    response = snapshot_response(snapshot)
    assert snapshot.state is not None
    names = {player.name for player in snapshot.state.players}
    assert set(plain_texts(adapter(type(response)).dump_python(response))) <= names
