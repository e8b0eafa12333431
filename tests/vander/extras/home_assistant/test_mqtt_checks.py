"""What the doctor says of the MQTT broker: a real one, with a password."""

from __future__ import annotations

import socket
import threading
from pathlib import Path

from mosquitto_broker import PASSWORD, USER, Broker

from vander.extras.home_assistant.home_assistant_link import check_mqtt
from vander.storage.settings import load
from web.schemas.access_schemas import Verdict


def test_a_broker_is_good_refuses_or_is_not_there_and_its_password_is_never_said(tmp_path: Path) -> None:
    broker = Broker(tmp_path, password=True)
    broker.start()
    encoded = PASSWORD.replace("/", "%2F")

    def found(password: str = encoded) -> tuple[Verdict, str]:
        address = f"mqtt://{USER}:{password}@127.0.0.1:{broker.port}"
        finding = check_mqtt(load(data_dir=tmp_path, mqtt=address))
        assert password not in str(finding)
        assert PASSWORD not in str(finding)
        return finding.verdict, finding.told

    shown = broker.address
    assert found() == (Verdict.GOOD, f"The broker {shown} lets Vander in.")
    assert found("falsch99") == (Verdict.BAD, f"The broker {shown} refuses Vander: Not authorized.")
    broker.stop()
    verdict, told = found()
    assert (verdict, told.startswith(f"The broker {shown} cannot be reached: ")) == (Verdict.BAD, True)
    assert check_mqtt(load(data_dir=tmp_path)).verdict is Verdict.GOOD


def test_what_listens_and_is_no_broker_is_said_to_be_none(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:

        def hang_up() -> None:
            other.accept()[0].close()

        closing = threading.Thread(target=hang_up)
        closing.start()
        finding = check_mqtt(load(data_dir=tmp_path, mqtt=f"mqtt://127.0.0.1:{other.getsockname()[1]}"))
        closing.join()
    assert finding.told.endswith("cannot be reached: it does not answer as a broker does.")
