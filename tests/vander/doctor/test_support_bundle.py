"""The pack for whoever helps: what is in it, and what must not be in any byte of it."""

from __future__ import annotations

import io
import json
import logging
import socket
import zipfile
from pathlib import Path

import cv2
import numpy as np
import pytest

from hardware.cameras.virtual_camera import VirtualCamera
from hardware.simulator.virtual_tray import VirtualTray
from vander.app.extras import secrets
from vander.cli.doctor import BundleNotWritten, write_bundle
from vander.doctor import box_checks
from vander.doctor.health_checks import DiagnosticsService, RunningState
from vander.doctor.support_bundle import (
    MOST_PICTURES,
    LogTail,
    Redactor,
    build_bundle,
    crop_private_background,
    redact_settings,
)
from vander.resources import models_and_stores
from vander.storage.settings import Settings, describe_settings, load
from vision.frames import Pixels
from vision.image_io import encode_jpeg
from vision.rectification import GREY
from vision.tray_calibration import TrayLayout
from web.schemas.access_schemas import Finding, Verdict

BOX_KEY = "qX7boxkeyofthisbox0123456789abcdef"
DIGEST = "5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8"
SECRETS = {
    "the database's password": "hunter2hunter",
    "the database's user": "dbuser_olga",
    "the database's other words": "sslsecretpath",
    "the box's key": BOX_KEY,
    "a tablet's digest": DIGEST,
    "a tablet's name": "Olgas Telefon",
    "a player": "Friederike",
    "the pairing code": "3 1 4 1 5 2",
    "a hardware address": "dc:a6:32:01:ab:cd",
    "a Wi-Fi's name": "FamilieMuster24",
    "a Wi-Fi's password": "wlan-geheim-99",
    "a user": "heinrich",
    "a token": "ghp_abcdefABCDEF0123456789",
    "an address in the world": "2a02:8108:1234:5678::9",
    "another in the world": "93.184.216.77",
    "a mail address": "olga.muster@example.org",
    "a host": "olgas-haus.example",
}


def log_lines() -> list[str]:
    """A log in which everything that should not be there is there."""
    told = list(SECRETS.values())
    password, user, path, key, digest, tablet, player, code, hardware, wifi, psk, login, token, *rest = told
    there, four, mail, host = rest
    return [
        f"cannot open postgresql://{user}:{password}@db.lan/vander",
        f"sslkey={path} was not found",
        f"the key {key} and the digest {digest}",
        f"the tablet {tablet} joined in with the code {code}",
        f"{player} threw; {player.upper()}, {player.lower()}'s turn",
        f'wlan0 {hardware} ssid={wifi} psk: "{psk}"',
        f'File "/home/{login}/vander/x.py", C:\\Users\\{login}\\x, /Users/{login}/x',
        f"Authorization: Bearer {token} --token {token} API_KEY={token}",
        f"a visitor from {there} and {four}, mail {mail}",
        f"the name {host} was asked for",
        "KeyError: 'face' at 192.168.1.20:8080 after 23:10:05",
    ]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A box with secrets in every corner of its data folder."""
    data = tmp_path / "data"
    plain = load(data_dir=data, camera="virtual", port=8453)
    journal = models_and_stores.open_journal(plain)
    journal.begin("dice", [SECRETS["a player"], "Bo"], {}, "d6")
    journal.close()
    (data / "box.key").write_text(BOX_KEY)
    guests = [{"number": 1, "name": SECRETS["a tablet's name"], "role": "player", "digest": DIGEST}]
    (data / "tablets.json").write_text(json.dumps({"format": 1, "guests": guests}))
    return plain.model_copy(update={"names": SECRETS["a host"]})


@pytest.fixture(scope="module")
def pixels() -> Pixels:
    camera = VirtualCamera(VirtualTray("intersection", seed=1), paced=False, seed=1)
    camera.open()
    frame = camera.frame()
    camera.close()
    return frame.pixels


def files(contents: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(contents)) as pack:
        return {name.removeprefix("vander-support/"): pack.read(name) for name in pack.namelist()}


def nowhere(contents: bytes, secret: str) -> bool:
    """Whether a secret is in no byte of a zip, packed or unpacked, in whatever case."""
    wanted = secret.lower().encode()
    return all(wanted not in part.lower() for part in (contents, *files(contents).values()))


DATABASE = "postgresql://dbuser_olga:hunter2hunter@db.lan/vander?sslkey=sslsecretpath"
FINDING = Finding("power", "Power", Verdict.BAD, "Weak, says /home/heinrich.", "Mend it.")


@pytest.mark.parametrize("what", SECRETS)
def test_no_byte_of_the_pack_holds_a_secret(settings: Settings, tmp_path: Path, what: str) -> None:
    finding = Finding("x", "X", Verdict.UNSURE, " ".join(log_lines()), "\n".join(log_lines()))
    chosen = settings if what == "a player" else settings.model_copy(update={"database": DATABASE})
    contents = build_bundle(chosen, [FINDING, finding], log_lines(), pictures=True, root=tmp_path, secrets=())
    assert nowhere(contents, SECRETS[what])


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("psk=my pass phrase", "psk=(hidden)"),
        ('psk="my pass, \\" phrase" of wlan0', "psk=(hidden) of wlan0"),
        ("wpa_passphrase: my pass, and; phrase & all\nnext line", "wpa_passphrase: (hidden)\nnext line"),
        ("ssid=Smith Home", "ssid=(hidden)"),
        ("{'password': 'my pass phrase', 'port': 8080}", "{'password': (hidden), 'port': 8080}"),
        ('joined wifi "Smith Home" again', "joined wifi (hidden) again"),
        ("device (wlan0): Activation: (wifi) connection 'Olga's Home' has security", None),
        ("Trying to associate with SSID 'Smith Home'", "Trying to associate with SSID (hidden)"),
        ("the Wi-Fi “Smith Home” is gone", "the Wi-Fi (hidden) is gone"),
        ("token=abc from /etc/vander", "token=(hidden) from /etc/vander"),
        ("the network isn't up: KeyError: 'face'", "the network isn't up: KeyError: 'face'"),
        ("KeyError: 'face'", "KeyError: 'face'"),
    ],
)
def test_a_networks_name_and_its_password_are_hidden_to_their_last_word(words: str, says: str | None) -> None:
    told = Redactor({}).text(words)
    assert told == says or says is None
    assert "Home" not in told
    assert "phrase" not in told.replace("passphrase", "")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("at fd00::a2b1:c3ff:fed4:e5f6", "at (address)"),
        ("fe80::a2b1:c3ff:fed4:e5f6%wlan0 is up", "(address)%wlan0 is up"),
        ("http://[fd12:3456:789a:1:a2b1:c3ff:fed4:e5f6]:8080/", "http://[(address)]:8080/"),
        ("from fd12:3456:789a:1:a2b1:c3ff:fed4:e5f6: refused", "from (address): refused"),
        ("from fd00::a2b1:c3ff:fed4:e5f6: refused", "from (address): refused"),
        ("from 2a02:8108:1234:5678::9: refused", "from (address): refused"),
        ("to 93.184.216.77:443, to 93.184.216.77.", "to (address):443, to (address)."),
        ("::ffff:93.184.216.77", "(address):(address)"),
        ("at fd00::1, fe80::1:2%eth0, 192.168.1.20:8080.", "at fd00::1, fe80::1:2%eth0, 192.168.1.20:8080."),
        ("at 23:10:05, at 23:10:05: nothing", "at 23:10:05, at 23:10:05: nothing"),
    ],
)
def test_an_address_that_is_the_worlds_or_made_of_a_hardware_address_is_hidden(words: str, says: str) -> None:
    assert Redactor({}).text(words) == says


LOG_OF_A_STUMBLE = """2025-01-04 20:10:00,123 ERROR vander.app.camera_loop: Friederike's throw stumbled
Traceback (most recent call last):
  File "/opt/vander/assistant/watch.py", line 149, in _follow
    table.act("Friederike")
sqlalchemy.exc.DatabaseError: malformed [parameters: ('["Friederike", "Bo"]',)]
BO threw
Bo: a word
2025-01-04T20:10:01+0000 vander[7]: 2025-01-04 20:10:01,123 vander.app.web_app: Bo and Friederike play
2025-01-04T20:10:02+0000 systemd[1]: vander.service: Watchdog timeout"""
BARE = """2025-01-04 20:10:00,123 ERROR vander.app.camera_loop: (left out)
Traceback (most recent call last):
  File "/opt/vander/assistant/watch.py", line 149, in _follow
(left out)
sqlalchemy.exc.DatabaseError: (left out)
(left out)
(left out)
2025-01-04T20:10:01+0000 vander[7]: 2025-01-04 20:10:01,123 vander.app.web_app: (left out)
2025-01-04T20:10:02+0000 systemd[1]: vander.service: Watchdog timeout"""


def test_where_the_players_cannot_be_looked_up_the_log_is_packed_without_its_words(
    settings: Settings, tmp_path: Path
) -> None:
    lines = LOG_OF_A_STUMBLE.splitlines()
    known = files(build_bundle(settings, [], lines, root=tmp_path, secrets=()))
    assert "(player)'s throw stumbled" in known["log.txt"].decode()
    assert "could not be looked up" not in known["README.txt"].decode()
    (settings.data_dir / "journal.sqlite").write_bytes(b"no journal at all, but long enough" * 100)
    contents = build_bundle(settings, [], lines, root=tmp_path, secrets=())
    assert files(contents)["log.txt"].decode() == f"{BARE}\n"
    assert "The names of the players could not be looked up" in files(contents)["README.txt"].decode()
    assert nowhere(contents, "Friederike")


def test_nobody_has_played_where_no_journal_is(tmp_path: Path) -> None:
    fresh = load(data_dir=tmp_path / "fresh", camera="virtual")
    found = files(build_bundle(fresh, [], ["the camera is gone"], root=tmp_path, secrets=()))
    assert found["log.txt"].decode() == "the camera is gone\n"


@pytest.mark.parametrize("name", ["what? 100% #1", "a&b=c", "mode=rw?%3f"])
def test_players_are_known_wherever_their_journal_lies(tmp_path: Path, name: str) -> None:
    journal = models_and_stores.open_journal(load(data_dir=tmp_path / "plain", camera="virtual"))
    journal.begin("dice", ["Friederike", "x" * 200_000], {}, "d6")
    journal.close()
    chosen = load(data_dir=(tmp_path / "plain").rename(tmp_path / name), camera="virtual")
    assert box_checks.player_names(chosen) == {"Friederike", "x" * 200_000}
    size = (chosen.data_dir / "journal.sqlite").stat().st_size / 1e6
    assert size > 0.2  # the long name is in it
    assert box_checks.check_journal(chosen).told == f"1 game with 0 entries in {size:.1f} MB, whole."


def test_what_helps_is_left_in(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/os-release").write_text('PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n')
    found = files(build_bundle(settings, [FINDING], log_lines(), root=tmp_path, secrets=()))
    assert list(found) == [
        *("README.txt", "findings.txt", "findings.json", "settings.json", "versions.txt", "log.txt", "system-log.txt"),
    ]
    log = found["log.txt"].decode()
    assert "KeyError: 'face' at 192.168.1.20:8080 after 23:10:05" in log
    assert "(player) threw; (player), (player)'s turn" in log
    assert "/home/(user)/vander/x.py" in log
    assert json.loads(found["findings.json"])[0]["verdict"] == "bad"
    assert "bad     Power: Weak" in found["findings.txt"].decode()
    assert "no pictures were packed" in found["README.txt"].decode()
    versions = found["versions.txt"].decode()
    assert "Debian GNU/Linux 12 (bookworm)" in versions
    assert "\nnumpy " in versions


def test_the_settings_are_shown_without_what_is_secret_in_them(settings: Settings) -> None:
    told = redact_settings(
        settings.model_copy(update={"database": "postgresql://olga:hunter2hunter@db/vander?sslkey=x"})
    )
    assert told.keys() == Settings.model_fields.keys()
    assert told["database"] == "postgresql://(hidden)"
    assert told["names"] == "(1 name)"
    assert (told["port"], told["camera"], told["sound"]) == (8453, "virtual", True)
    assert redact_settings(settings)["database"] == ""
    network = settings.model_copy(update={"camera": "url:http://ann:gehe1m@10.0.0.7/shot?pwd=gehe2m"})
    assert redact_settings(network)["camera"] == "http://10.0.0.7"
    assert "gehe" not in Redactor.of(network, secrets(network.data_dir)).text(
        "asked for shot?pwd=gehe2m, then gehe1m and gehe2m"
    )
    assert redact_settings(settings.model_copy(update={"database": "no address at all"}))["database"] == "(hidden)"
    home = settings.model_copy(update={"mqtt": "mqtts://ann:gehe1m@10.0.0.7", "mqtt_name": "Olga's table"})
    assert (redact_settings(home)["mqtt"], redact_settings(home)["mqtt_name"]) == ("mqtts://10.0.0.7:8883", "(hidden)")
    assert "gehe" not in Redactor.of(home, secrets(home.data_dir)).text("the broker refused gehe1m")
    assert redact_settings(settings)["caller_voice"] == ""
    assert redact_settings(settings.model_copy(update={"caller_voice": "Grandma Olga"}))["caller_voice"] == "(hidden)"


def test_every_setting_that_may_be_secret_is_hidden_by_its_name(settings: Settings) -> None:
    class Wider(Settings):
        mqtt_password: str = "let-me-in"  # noqa: S105 - it is to be hidden
        api_token: str = "12345678"  # noqa: S105 - it is to be hidden

    told = redact_settings(Wider(data_dir=settings.data_dir))
    assert (told["mqtt_password"], told["api_token"]) == ("(hidden)", "(hidden)")


def test_the_hosts_own_name_is_hidden_unless_it_is_everybodys(settings: Settings) -> None:
    host = socket.gethostname().split(".")[0]
    words = Redactor.of(settings, secrets(settings.data_dir)).text(f"at http://{host}.local:8080")
    assert words == ("at http://(host).local:8080" if host not in {"vander", "localhost", "raspberrypi"} else words)


def test_a_picture_is_packed_only_where_it_is_allowed_and_shows_only_the_tray(
    settings: Settings, pixels: Pixels, tmp_path: Path
) -> None:
    evidence = settings.data_dir / "evidence"
    evidence.mkdir()
    for number in range(1, 12):
        (evidence / f"game-1-entry-{number}.jpg").write_bytes(encode_jpeg(pixels))
    (evidence / "game-1-entry-12.jpg").write_bytes(b"no picture")
    (evidence / "game-1-entry-13.jpg").write_bytes(encode_jpeg(np.full_like(pixels, 90)))
    refused = files(build_bundle(settings, [], view=pixels, root=tmp_path, secrets=()))
    assert not [name for name in refused if name.startswith("pictures/")]
    allowed = files(build_bundle(settings, [], pictures=True, view=pixels, root=tmp_path, secrets=()))
    pictures = {name: picture for name, picture in allowed.items() if name.startswith("pictures/")}
    assert 1 < len(pictures) <= MOST_PICTURES
    for picture in pictures.values():
        cut = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
        assert cut is not None
        assert cut.shape[0] < 0.9 * pixels.shape[0]
        assert np.abs(cut[2, cut.shape[1] - 3].astype(int) - GREY).max() < 12  # beyond the slanted edge


def test_a_picture_without_the_tray_is_no_place_of_the_tray(pixels: Pixels) -> None:
    assert crop_private_background(np.full_like(pixels, 90), TrayLayout()) is None
    cut = crop_private_background(pixels, TrayLayout())
    assert cut is not None
    assert cut.size < pixels.size


def test_the_running_program_packs_its_own_log(settings: Settings, pixels: Pixels, tmp_path: Path) -> None:
    lines, log = LogTail(), logging.getLogger("of.another.test")
    log.addHandler(lines)
    log.warning("the camera is gone, says %s", SECRETS["a player"])
    log.removeHandler(lines)
    examiner = DiagnosticsService(settings, RunningState(frame=lambda: pixels), lines, seconds=0.1, root=tmp_path)
    found = files(examiner.pack(pictures=True))
    assert "the camera is gone, says (player)" in found["log.txt"].decode()
    assert "pictures/1.jpg" in found
    assert "pictures/1.jpg" not in files(examiner.pack(pictures=False))


def test_the_command_writes_one_new_file_and_says_what_to_do(
    settings: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = settings.model_copy(update={"camera": "replay:/nowhere/at/all"})
    write_bundle(chosen, tmp_path / "help.zip")
    assert "Look through it before you send it" in capsys.readouterr().out
    assert "findings.txt" in files((tmp_path / "help.zip").read_bytes())
    with pytest.raises(BundleNotWritten, match="is there already"):
        write_bundle(chosen, tmp_path / "help.zip")
    with pytest.raises(BundleNotWritten, match="cannot be written"):
        write_bundle(chosen, tmp_path / "no" / "folder" / "help.zip")


def test_the_hall_is_shown_without_a_password_and_its_key_nowhere(settings: Settings) -> None:
    ours = settings.model_copy(update={"hall": "https://ann:gehe1mnis@hall.local:8443/x"})
    assert redact_settings(ours)["hall"] == "https://hall.local:8443"
    assert {name: value for name, value, _ in describe_settings(ours)}["hall"] == "https://hall.local:8443"
    settings.data_dir.mkdir(exist_ok=True)
    (settings.data_dir / "hall.json").write_text('{"key": "Sch1uessel", "link": "verb1ndung"}', "utf-8")
    told = Redactor.of(ours, secrets(ours.data_dir)).text("gehe1mnis and Sch1uessel and verb1ndung")
    assert told == "(hidden) and (hidden) and (hidden)"
