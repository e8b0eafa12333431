"""`vander play`: serve the table."""

from __future__ import annotations

from typing import Annotated

from typer import Option

from hardware.cameras.base import CameraError
from models.dataset import DatasetError, SaveFailed
from models.die_sets import BadDieSet, NoSuchDieSet
from referee.game import BadSheet
from referee.games import NoSuchGame
from vander.access.https import CertificateError
from vander.app import server
from vander.box.web_server import PortTaken
from vander.cli import CameraName, DataDir, command_app
from vander.storage.data_folder import StorageError
from vander.storage.settings import SettingError, load
from vision.model_file import BrokenModel

EXPECTED_ERRORS = (
    SettingError,
    StorageError,
    CameraError,
    BrokenModel,
    NoSuchDieSet,
    NoSuchGame,
    BadSheet,
    BadDieSet,
    DatasetError,
    SaveFailed,
    PortTaken,
    CertificateError,
)

app = command_app()


@app.command()
def play(  # noqa: PLR0913, PLR0917  each is an option of the command
    camera: CameraName = None,
    host: Annotated[str | None, Option(help="the address to serve on")] = None,
    port: Annotated[int | None, Option(help="the port to serve on")] = None,
    https: Annotated[bool | None, Option(help="serve the page by https too, which a phone's camera needs")] = None,
    game: Annotated[str | None, Option(help="the game whose dice are expected before one is set up, or dice")] = None,
    data_dir: DataDir = None,
) -> None:
    """Serve the table: read the dice, keep the journal, show the page for the tablets."""
    server.play(load(host=host, port=port, https=https, game=game, data_dir=data_dir), camera)
