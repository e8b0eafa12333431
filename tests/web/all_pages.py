"""Every page from a real server: a game, the doctor, players with a past game, https, a phone as the camera."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from browsers import lent_app, served
from past_scene import remembered
from stub_diagnostics import StubDiagnostics
from stub_game import StubGame, StubSimulator
from stub_learning import StubChecks, StubLearning
from test_https_page import StubHttps
from test_phone_camera_routes import StubPhoneCamera

from vander.app.backends import Backends
from vander.extras.voice.family_voices import FamilyVoices


@contextmanager
def serve_all_pages(
    game: StubGame, tray: StubSimulator, learning: StubLearning, checks: StubChecks, folder: Path
) -> Iterator[str]:
    """Serve every page until the end of the block, and yield its address; players and games are kept in `folder`."""
    with remembered(folder) as (players, history, fairness):
        services = Backends(
            *(game, tray, learning, checks, StubDiagnostics()),
            face_pictures=game,
            stage=tray,
            players=players,
            history=history,
            fairness=fairness,
            caller=FamilyVoices(folder),
            https=StubHttps(),
            phone_camera=StubPhoneCamera(),
        )
        with served(lent_app(services)) as address:
            yield address
