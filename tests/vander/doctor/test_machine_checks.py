"""What the doctor says of the box: supply, heat, clock, wires, card, journal, models, dice, program and address."""

from __future__ import annotations

import re
import shutil
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hardware.system_health import Power
from referee.journal import Deed, Entry, Source
from referee.sentences import in_language
from vander.access.https import create_authority, issue
from vander.access.page_addresses import NetworkState
from vander.doctor import box_checks
from vander.resources import models_and_stores
from vander.storage.preferences import BoxSpeech, PreferenceStore
from vander.storage.settings import Settings, load
from web.languages import translations
from web.schemas.access_schemas import Finding, Verdict

GOOD, UNSURE, BAD = Verdict.GOOD, Verdict.UNSURE, Verdict.BAD
NOW = datetime(2027, 5, 1, 12, 0, tzinfo=UTC)


def settings(folder: Path, **chosen: object) -> Settings:
    return load(data_dir=folder, **chosen)


def holds(found: Finding, verdict: Verdict, says: str) -> None:
    """Judge a finding by its verdict and its words; what is not good comes with advice."""
    assert (found.verdict, says in found.told) == (verdict, True), found
    assert found.advice or found.verdict is GOOD


@pytest.mark.parametrize(
    ("now", "verdict", "says"),
    [
        (Power(), GOOD, "does not tell"),
        (Power(False, False), GOOD, "high enough"),
        (Power(False, True), UNSURE, "too low since the box was started"),
        (Power(True, True), BAD, "under 4.63 V"),
    ],
)
def test_a_weak_supply_is_told(now: Power, verdict: Verdict, says: str) -> None:
    holds(box_checks.check_power(now), verdict, says)


@pytest.mark.parametrize(
    ("now", "verdict", "says"),
    [
        (Power(), GOOD, "does not tell"),
        (Power(celsius=48.3), GOOD, "48 °C"),
        (Power(celsius=71.0), UNSURE, "71 °C"),
        (Power(celsius=83.0), BAD, "83 °C"),
        (Power(slowed_now=True, celsius=62.0), BAD, "slowed down just now"),
        (Power(slowed_now=True), BAD, "held back just now"),
    ],
)
def test_heat_is_told_before_it_does_harm(now: Power, verdict: Verdict, says: str) -> None:
    holds(box_checks.check_heat(now), verdict, says)


def test_a_clock_that_the_network_set_is_good(tmp_path: Path) -> None:
    holds(box_checks.check_clock(tmp_path, NOW, None), GOOD, "nothing speaks against it")
    (tmp_path / "run/systemd/timesync").mkdir(parents=True)
    holds(box_checks.check_clock(tmp_path, NOW, NOW), UNSURE, "it has not been set")
    (tmp_path / "run/systemd/timesync/synchronized").touch()
    holds(box_checks.check_clock(tmp_path, NOW, NOW), GOOD, "set by the network's time")


def test_a_clock_behind_what_was_written_is_wrong(tmp_path: Path) -> None:
    holds(box_checks.check_clock(tmp_path, NOW, NOW + timedelta(hours=20)), GOOD, "2027-05-01 12:00 UTC")
    holds(
        box_checks.check_clock(tmp_path, NOW, NOW + timedelta(days=400)),
        BAD,
        "it says 2027-05-01, and it is 2028-06-03 or later",
    )
    holds(box_checks.check_clock(tmp_path, datetime(1970, 1, 1, tzinfo=UTC), None), BAD, "1970-01-01")


def test_the_newest_file_tells_what_is_past(tmp_path: Path) -> None:
    (tmp_path / "old").touch()
    newest = box_checks.newest_modification([tmp_path / "old", tmp_path / "missing"])
    assert newest is not None
    assert abs((newest - datetime.now(UTC)).total_seconds()) < 3600
    assert box_checks.newest_modification([tmp_path / "missing"]) is None


def test_wires_are_told_pin_by_pin(tmp_path: Path) -> None:
    holds(box_checks.check_wiring(settings(tmp_path), tmp_path), GOOD, "None is set up.")
    wired = settings(tmp_path, button_pin=17, buzzer_pin=23)
    holds(box_checks.check_wiring(wired, tmp_path), BAD, "has no pins")
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev/gpiochip0").touch()
    holds(box_checks.check_wiring(wired, tmp_path), GOOD, "button at BCM 17, pin 11 of the header")


def test_pins_and_models_have_german_names(tmp_path: Path) -> None:
    german = translations("de")
    assert german is not None
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev" / "gpiochip0").touch()
    wired = box_checks.check_wiring(settings(tmp_path, button_pin=4, lamp_pins="22,27,24", buzzer_pin=23), tmp_path)
    told = in_language(wired.told, german)
    assert "Knopf an BCM 4, Pin 7 der Leiste (das andere Bein des Knopfs an GND, Pin 9; ohne Widerstand" in told
    assert "manche 1-Wire-Sensoren" in told
    assert "Lampe, rot an BCM 22, Pin 15 der Leiste (330 Ohm an das rote Bein" in told
    assert re.search(r"\b(?:the|leg|lamp|button|buzzer|use)\b", told) is None
    models = in_language(box_checks.check_models().told, german)
    assert re.fullmatch(r"Sucher \(\d,\d MB\), Leser \(\d,\d MB\) und zweiter Blick \(\d,\d MB\) sind .*", models)


def test_the_card_is_judged_by_its_room(tmp_path: Path) -> None:
    holds(box_checks.check_disk(settings(tmp_path / "not" / "yet" / "made", spare_mb=0)), GOOD, "GB are free")
    free_mb = shutil.disk_usage(tmp_path).free // 1_000_000
    if free_mb < 100_000:
        holds(box_checks.check_disk(settings(tmp_path, spare_mb=100_000)), UNSURE, "less than the 100000 MB")
    assert not (tmp_path / "not").exists()


@pytest.mark.parametrize(
    ("free", "verdict", "says"),
    [(20, BAD, "Only 20 MB"), (200, UNSURE, "less than the 300 MB"), (20_000, GOOD, "20.0 of 64.0 GB are free")],
)
def test_a_full_card_is_told_before_it_is_full(free: int, verdict: Verdict, says: str) -> None:
    holds(box_checks.disk_finding(free * 1_000_000, 64_000_000_000, 300), verdict, says)


def test_the_journal_is_read_and_not_touched(tmp_path: Path) -> None:
    chosen = settings(tmp_path)
    holds(box_checks.check_journal(chosen), GOOD, "No game has been played yet.")
    journal = models_and_stores.open_journal(chosen)
    journal.begin("dice", ["Ada", "Grace"], {}, "d6")
    holds(box_checks.check_journal(chosen), GOOD, "1 game with 0 entries")  # while it is open elsewhere
    assert box_checks.player_names(chosen) == {"Ada", "Grace"}
    journal.close()
    before = (tmp_path / "journal.sqlite").read_bytes()
    holds(box_checks.check_journal(chosen), GOOD, "whole")
    assert (tmp_path / "journal.sqlite").read_bytes() == before


@pytest.mark.parametrize("lost", ["journal.sqlite*", "journal.sqlite-wal"])
def test_games_that_the_journal_lost_are_told(tmp_path: Path, lost: str) -> None:
    folder = tmp_path / "killed"
    with closing(models_and_stores.open_journal(settings(tmp_path / "data"))) as journal:
        for _ in range(3):
            number = journal.begin("dice", ["Ada"], {}, "d6").number
            journal.write(number, Entry(1, NOW, Source.TABLET, Deed.BREACH, note="A die was turned."))
        shutil.copytree(tmp_path / "data", folder)
    for path in folder.glob(lost):
        path.unlink()
    found = box_checks.check_journal(settings(folder))
    holds(found, BAD, "lacks 3 games" if lost.endswith("*") else "lacks 1 entry of games that were played here")
    assert "vander restore" in found.advice
    assert found.acceptable
    journal = models_and_stores.open_journal(settings(folder))
    holds(box_checks.check_journal(settings(folder)), BAD, "lacks")
    journal.accept_missing()
    holds(box_checks.check_journal(settings(folder)), GOOD, "whole")
    journal.close()


def _newer(path: Path) -> None:
    with sqlite3.connect(path) as journal:
        journal.execute("UPDATE vander_schema SET version = 99")
    journal.close()


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda path: path.write_bytes(b"rubbish" * 1000), "cannot be read"),
        (lambda path: path.write_bytes(b""), "it has no entries, games, vander_schema"),
        (_newer, "of version 99"),
    ],
    ids=["damaged", "empty", "newer"],
)
def test_a_journal_that_will_not_do_is_told(tmp_path: Path, spoil: object, says: str) -> None:
    chosen = settings(tmp_path)
    models_and_stores.open_journal(chosen).close()
    assert callable(spoil)
    spoil(tmp_path / "journal.sqlite")
    holds(box_checks.check_journal(chosen), BAD, says)


@pytest.mark.parametrize("address", ["nonsense", "postgresql+nothing://somebody:pass@somewhere/x"])
def test_a_database_that_cannot_be_opened_is_told_without_its_password(tmp_path: Path, address: str) -> None:
    found = box_checks.check_journal(settings(tmp_path, database=address))
    holds(found, BAD, "VANDER_DATABASE")
    assert "pass" not in found.told


def test_the_models_are_held_against_their_cards(tmp_path: Path) -> None:
    holds(box_checks.check_models(), GOOD, "Finder")
    for suffix in (".onnx", ".toml"):
        shutil.copy(models_and_stores.weights_path("finder").with_suffix(suffix), tmp_path / f"finder{suffix}")
    (tmp_path / "finder.onnx").write_bytes(b"another")
    holds(box_checks.check_models((tmp_path / "finder.onnx",)), BAD, "not the one its card describes")


def test_dice_sheets_and_lessons_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    holds(box_checks.check_dice(settings(tmp_path)), GOOD, "6 die sets")
    (tmp_path / "lessons/d6").mkdir(parents=True)
    (tmp_path / "lessons/d6/in-use").write_text("1\n")
    holds(box_checks.check_dice(settings(tmp_path)), UNSURE, "0001.npz")
    (tmp_path / "dice").mkdir()
    (tmp_path / "dice/moon.toml").write_text("nonsense")
    holds(box_checks.check_dice(settings(tmp_path)), BAD, "moon.toml")


def test_the_program_tells_its_version_and_misses_the_pis_camera(tmp_path: Path) -> None:
    holds(
        box_checks.check_program(settings(tmp_path)),
        GOOD,
        f"Vander {box_checks.program_version()} on Python 3.",
    )
    holds(box_checks.check_program(settings(tmp_path, camera="picamera:0")), BAD, "without picamera2")


@pytest.fixture
def held() -> Iterator[int]:
    """A port that another program has."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen(1)
        yield other.getsockname()[1]


def test_a_port_that_another_has_is_told_before_the_start(tmp_path: Path, held: int) -> None:
    chosen = settings(tmp_path, host="127.0.0.1", port=held)
    holds(box_checks.check_address(chosen, NetworkState(()), serving=False), BAD, f"Port {held} is taken by")
    assert "process" in box_checks.why_not_bindable("127.0.0.1", held)


def test_an_address_that_the_box_has_not_is_told(tmp_path: Path) -> None:
    chosen = settings(tmp_path, host="192.0.2.7", port=8459)
    holds(box_checks.check_address(chosen, NetworkState(()), serving=False), BAD, "cannot listen at 192.0.2.7:8459")


def test_tablets_are_told_the_name_first_and_the_numbers_after_it(tmp_path: Path) -> None:
    network = NetworkState(("192.168.1.20", "fd00::5"), "vander.local")
    found = box_checks.check_address(settings(tmp_path, host="*"), network, serving=True)
    holds(found, GOOD, "http://vander.local:8080, http://192.168.1.20:8080 or http://[fd00::5]:8080.")


def test_a_box_that_no_tablet_can_reach_is_told(tmp_path: Path) -> None:
    holds(
        box_checks.check_address(settings(tmp_path), NetworkState(("10.0.0.2",)), serving=True),
        UNSURE,
        "127.0.0.1 only",
    )
    everywhere = settings(tmp_path, host="0.0.0.0")  # noqa: S104 - no server is started
    holds(box_checks.check_address(everywhere, NetworkState(()), serving=True), UNSURE, "in no network")


def test_a_secure_port_that_another_has_is_told_before_the_start(tmp_path: Path, held: int) -> None:
    chosen = settings(tmp_path, host="127.0.0.1", https=True, https_port=held)
    holds(box_checks.check_https(chosen, NOW, serving=False), BAD, f"Port {held} is taken by")
    holds(box_checks.check_https(chosen, NOW, serving=True), BAD, f"port {held} does not answer")


def test_without_https_nothing_is_wrong(tmp_path: Path) -> None:
    holds(box_checks.check_https(settings(tmp_path), NOW, serving=True), GOOD, "by http alone")


def test_an_owners_certificate_that_ran_out_is_told(tmp_path: Path) -> None:
    names = ("dice.example.org",)
    signed = issue(create_authority("elsewhere", names), names, NOW)
    (tmp_path / "own.pem").write_bytes(signed.certificate_pem() + signed.key_pem())
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    chosen = settings(tmp_path, https=True, https_port=port, https_certificate=str(tmp_path / "own.pem"))
    holds(box_checks.check_https(chosen, NOW, serving=False), GOOD, "with your own certificate")
    holds(box_checks.check_https(chosen, NOW + timedelta(days=400), serving=False), BAD, "ran out on 2028-06-01")
    (tmp_path / "own.pem").write_text("nothing")
    holds(box_checks.check_https(chosen, NOW, serving=False), BAD, "cannot be used")


def test_this_machine_is_looked_at_without_a_stumble() -> None:
    network = NetworkState.now()
    assert all(":" in address or address.count(".") == 3 for address in network.addresses)
    assert not any(address.startswith(("127.", "169.254.")) for address in network.addresses)


def test_the_doctor_says_which_player_and_which_device_the_caller_has(tmp_path: Path) -> None:
    cards = tmp_path / "proc/asound/cards"
    cards.parent.mkdir(parents=True)
    speaks = load(data_dir=tmp_path, caller="all")
    assert box_checks.check_speaker(load(data_dir=tmp_path), tmp_path, ()).verdict is Verdict.GOOD
    missing = box_checks.check_speaker(speaks, tmp_path, ())
    assert (missing.verdict, "alsa-utils" in missing.advice) == (Verdict.BAD, True)
    silent = box_checks.check_speaker(speaks, tmp_path, ("/usr/bin/aplay",))
    assert (silent.verdict, "no sound device" in silent.told) == (Verdict.UNSURE, True)
    cards.write_text(" 0 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0\n                      vc4-hdmi-0\n")
    found = box_checks.check_speaker(speaks, tmp_path, ("/usr/bin/aplay",))
    assert (found.verdict, str(found.told)) == (Verdict.GOOD, "aplay plays the caller's voice on vc4-hdmi-0.")
    PreferenceStore(tmp_path).choose_speech(BoxSpeech("off", "en"))
    chosen = box_checks.check_speaker(speaks, tmp_path, ("/usr/bin/aplay",))
    assert str(chosen.told) == "The caller is silent on the box itself."
