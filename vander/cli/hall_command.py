"""`vander hall`: serve a hall, which takes the entries of many tables."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

from platformdirs import user_data_dir
from typer import Option

from vander.access.https import CertificateError
from vander.access.page_addresses import own_url
from vander.box.web_server import PortTaken, exit_on_signals
from vander.cli import command_app
from vander.hall.hall_server import HALL_PORT, LocalMosquitto, LocalPostgres, NoLocalService, serve_hall
from vander.storage import data_folder
from vander.storage.data_folder import StorageError
from vander.storage.settings import SettingError, load

EXPECTED_ERRORS = (SettingError, StorageError, PortTaken, CertificateError, NoLocalService)

app = command_app()


@app.command()
def hall(  # noqa: PLR0913, PLR0917  each is an option of the command
    database: Annotated[str | None, Option(help="the PostgreSQL database, postgresql://user@host/name")] = None,
    host: Annotated[str | None, Option(help="the address to serve on")] = None,
    port: Annotated[int, Option(help="the port to serve on")] = HALL_PORT,
    https: Annotated[bool | None, Option(help="serve by https too")] = None,
    data_dir: Annotated[Path | None, Option("--data-dir", help="the folder of the hall's keys and settings")] = None,
    trial: Annotated[bool, Option("--try", help="bring up a PostgreSQL and a Mosquitto beside the folder")] = False,
) -> None:
    """Serve a hall: take the entries of many tables, and show them all."""
    exit_on_signals()
    folder = data_dir or Path(user_data_dir("vander-hall"))
    settings = load(data_dir=folder, host=host, port=port, https=https, database=database)
    with ExitStack() as on_exit:
        on_exit.enter_context(data_folder.hold(folder, own_url(settings)))  # before anything beside it is touched
        if trial:
            services = folder.with_name(f"{folder.name}-try")  # not in the data folder, which is closed to others
            postgres, mosquitto = LocalPostgres(services / "postgres"), LocalMosquitto(services / "mosquitto")
            postgres.start()
            on_exit.callback(postgres.stop)
            mosquitto.start()
            on_exit.callback(mosquitto.stop)
            settings = settings.model_copy(update={"database": postgres.address, "mqtt": mosquitto.address})
        serve_hall(settings)
