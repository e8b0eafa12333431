"""The whole examination: from the command line, and from inside a running program."""

from __future__ import annotations

import json
import logging
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import cv2
import pytest

from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.virtual_tray import VirtualTray
from referee.sentences import Refused
from vander.app.extras import checks
from vander.cli import doctor
from vander.doctor import CheckSubject, HealthCheck, run_checks
from vander.doctor.health_checks import CameraSample, DiagnosticsService, RunningState, apply_alerts, run_all_checks
from vander.doctor.support_bundle import LogTail
from vander.resources import models_and_stores
from vander.storage import data_folder
from vander.storage.data_folder import Unwritten
from vander.storage.journal_schema import JournalCount
from vander.storage.settings import Settings, load
from vander.table.session_state import HealthAlert
from vision.frames import Pixels
from web.schemas.access_schemas import Finding, Verdict

GOOD, UNSURE, BAD = Verdict.GOOD, Verdict.UNSURE, Verdict.BAD
OF_THE_BOX = [
    *(
        "models",
        "dice",
        "journal",
        "disk",
        "power",
        "heat",
        "clock",
        "address",
        "https",
        "webhooks",
        "hall",
        "mqtt",
        "wiring",
        "speaker",
        "program",
    ),
]
OF_THE_PICTURE = ["camera", "exposure", "focus", "light", "glare", "tray"]
PORT = 8452


@pytest.fixture(scope="module")
def pixels() -> Pixels:
    camera = VirtualCamera(VirtualTray("intersection", seed=1), paced=False, seed=1)
    camera.open()
    frame = camera.frame()
    camera.close()
    return frame.pixels


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load(data_dir=tmp_path / "data", camera="virtual", port=PORT)


def test_a_check_that_raises_is_a_finding(caplog: pytest.LogCaptureFixture) -> None:
    subject = CheckSubject("moon", "The moon")

    def stumble() -> Finding:
        raise KeyError("cheese")

    (told,) = run_checks([HealthCheck(subject, stumble)])
    assert (told.name, told.title, told.verdict) == ("moon", "The moon", UNSURE)
    assert "KeyError" in told.told
    assert "doctor: check moon: failed" in caplog.text


def test_everything_is_looked_at_and_nothing_is_made(settings: Settings, pixels: Pixels, tmp_path: Path) -> None:
    sample = CameraSample("virtual", pixels, 9, 8, 1.0, (76.0,))
    found = run_all_checks(settings, sample, serving=True, extras=checks(settings), root=tmp_path)
    assert [finding.name for finding in found] == [*OF_THE_PICTURE, *OF_THE_BOX]
    assert all(finding.advice for finding in found if finding.verdict is not GOOD)
    assert list(tmp_path.iterdir()) == []


def test_what_the_box_worries_about_is_found_as_well() -> None:
    power, clock = CheckSubject("power", "Power"), CheckSubject("clock", "Clock")
    found = apply_alerts(
        [power.bad("Weak.", "Mend it."), clock.good("Fine.")], [HealthAlert("power", "W."), HealthAlert("clock", "C.")]
    )
    assert [(finding.verdict, finding.told) for finding in found] == [(BAD, "Weak."), (UNSURE, "C.")]


def test_the_exit_status_is_1_when_something_is_bad(
    settings: Settings, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert doctor.print_findings(settings.model_copy(update={"camera": "replay:/nowhere/at/all"}), as_json=True) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["name"] for line in lines] == ["camera", *OF_THE_BOX]
    assert lines[0].keys() == {"name", "title", "verdict", "told", "advice", "acceptable", "measured", "place"}
    assert (lines[0]["verdict"], "/nowhere/at/all" in lines[0]["told"]) == ("bad", True)
    assert not (tmp_path / "data").exists()


def test_a_good_picture_is_well_from_the_command_line(
    settings: Settings, pixels: Pixels, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cv2.imwrite(str(tmp_path / "tray.png"), pixels)
    assert doctor.print_findings(settings.model_copy(update={"camera": f"replay:{tmp_path / 'tray.png'}"})) == 0
    out = capsys.readouterr().out
    focus = next(line for line in out.splitlines() if line.startswith("good    Focus: "))
    assert "The markers' edges are spread over 0.9 mm" in focus
    assert "        -> Let tablets in with VANDER_HOST=0.0.0.0." in out
    assert out.splitlines()[-1].startswith("It goes, but look to: ")


@pytest.mark.parametrize(
    ("verdicts", "says"),
    [
        ([], "All is well."),
        ([GOOD], "All is well."),
        ([UNSURE, GOOD], "It goes, but look to: 0."),
        ([UNSURE, BAD, BAD], "Not well: 1, 2; not sure: 0."),
    ],
)
def test_it_is_all_said_in_one_sentence(verdicts: list[Verdict], says: str) -> None:
    assert doctor.summarize([Finding(str(n), str(n), verdict, "") for n, verdict in enumerate(verdicts)]) == says


@contextmanager
def answering(body: object, status: int = 200) -> Iterator[int]:
    """A program that answers every request so; gives its port."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.end_headers()
            self.wfile.write(json.dumps(body).encode())

        def log_message(self, *_: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Answer)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server.server_port
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_vander_that_runs_is_asked_and_its_camera_left_alone(settings: Settings) -> None:
    told = {"name": "power", "title": "Power", "verdict": "bad", "told": "Weak.", "advice": "Mend it."}
    with answering({"findings": [told]}) as port, data_folder.hold(settings.data_dir, f"http://127.0.0.1:{port}"):
        assert doctor.examine(settings)[1] == (Finding("power", "Power", BAD, "Weak.", "Mend it."),)


@pytest.mark.parametrize(
    ("body", "status"),
    [({"error": "No."}, 403), ({}, 200), ({"findings": 3}, 200), ({"findings": [{"name": "x"}]}, 200), ([1], 200)],
)
def test_a_vander_that_runs_and_does_not_tell_keeps_its_camera(settings: Settings, body: object, status: int) -> None:
    with answering(body, status) as port, data_folder.hold(settings.data_dir, f"http://127.0.0.1:{port}"):
        found = doctor.examine(settings)[1]
    assert [finding.name for finding in found] == ["camera", *OF_THE_BOX]
    assert "A Vander that is running (process" in found[0].told
    assert (found[0].verdict, "end" in f"{found[0].told} {found[0].advice}") == (UNSURE, False)
    assert found[OF_THE_BOX.index("address") + 1].verdict is not BAD


def test_a_vander_that_is_too_busy_to_answer_is_not_ill_for_that(
    settings: Settings,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = busy.getsockname()[1]
        with data_folder.hold(settings.data_dir, f"http://127.0.0.1:{port}"):
            camera = doctor.examine(settings, timeout_s=0.2)[1][0]
    assert (camera.name, camera.verdict, camera.advice) == ("camera", UNSURE, doctor.ASK_AGAIN)
    assert f"the Vander at 127.0.0.1:{port} did not answer within 0.2 seconds" in camera.told


def test_a_vander_that_is_running_but_serves_no_page_yet_is_not_ill_for_that(settings: Settings) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    with data_folder.hold(settings.data_dir, f"http://127.0.0.1:{port}"):
        camera = doctor.examine(settings)[1][0]
    assert (camera.name, camera.verdict) == ("camera", UNSURE)
    assert "it serves no page now" in camera.told


def test_a_refusal_is_told_with_its_reason(settings: Settings) -> None:
    with (
        answering({"error": "Join in first."}, 403) as port,
        data_folder.hold(settings.data_dir, f"http://127.0.0.1:{port}"),
    ):
        camera = doctor.examine(settings)[1][0]
    assert camera.verdict is UNSURE
    assert "Vander answers: Join in first; run this as the user that Vander runs as" in camera.told


def test_the_running_program_says_the_same_from_its_own_pictures(
    settings: Settings, pixels: Pixels, tmp_path: Path
) -> None:
    pictures = [pixels.copy() for _ in range(3)]
    taken = iter(pictures * 1000)
    running = RunningState(frame=lambda: next(taken), extras=checks(settings))
    examiner = DiagnosticsService(settings, running, seconds=0.2, root=tmp_path)
    found = examiner.findings()
    assert [finding.name for finding in found] == [*OF_THE_PICTURE, *OF_THE_BOX]
    assert examiner.findings() is found  # whoever asks at once is told the same
    assert {finding.name: finding.verdict for finding in found}["focus"] is GOOD


def test_of_a_lost_camera_nothing_is_seen(settings: Settings, pixels: Pixels, tmp_path: Path) -> None:
    lost = RunningState(frame=lambda: pixels, trouble=lambda: "the camera is gone")
    examiner = DiagnosticsService(settings, lost, seconds=0.1, root=tmp_path)
    sight = examiner.sight()
    assert (sight.findings[0].told, sight.markers, sight.sharpness) == ("The camera is gone.", (), 0.0)
    assert next(finding.told for finding in examiner.findings()) == "The camera is gone."
    blind = DiagnosticsService(settings, RunningState(), seconds=0.1, root=tmp_path).sight()
    assert blind.findings[0].told == "virtual gives no picture."


def test_the_last_lines_of_the_log_are_kept_and_older_ones_go() -> None:
    lines, log = LogTail(3), logging.getLogger("of.a.test")
    log.addHandler(lines)
    try:
        for number in range(5):
            log.warning("line %d", number)
        log.warning("long %s", "x" * 10_000)
    finally:
        log.removeHandler(lines)
    kept = lines.lines()
    assert [line.split(": ")[1][:6] for line in kept] == ["line 3", "line 4", "long ."]
    assert kept[-1].endswith("long ...")


def test_a_loss_is_accepted_and_found_no_more(settings: Settings, tmp_path: Path) -> None:
    models_and_stores.open_journal(settings).close()
    (settings.data_dir / "journal.count").write_text(str(JournalCount(3, 9, 3)))
    with closing(models_and_stores.open_journal(settings)) as journal:
        running = RunningState(accept_missing=journal.accept_missing)
        examiner = DiagnosticsService(settings, running, seconds=0.1, root=tmp_path)
        (lost,) = [found for found in examiner.findings() if found.name == "journal"]
        assert (lost.verdict, lost.acceptable) == (BAD, True)
        (found,) = [found for found in examiner.accept_missing_games() if found.name == "journal"]
        assert (found.verdict, found.acceptable) == (GOOD, False)


def test_a_loss_that_cannot_be_accepted_is_refused(settings: Settings, tmp_path: Path) -> None:
    def full() -> None:
        raise Unwritten("the journal's count file cannot be written: No space left on device")

    examiner = DiagnosticsService(settings, RunningState(accept_missing=full), seconds=0.1, root=tmp_path)
    with pytest.raises(Refused, match="No space left"):
        examiner.accept_missing_games()
