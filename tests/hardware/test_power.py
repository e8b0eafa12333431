"""The supply and the heat, from a made-up kernel's files."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.system_health import Power, read_power

FIRMWARE = "sys/devices/platform/soc/soc:firmware/get_throttled"


def write(root: Path, path: str, text: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)


def test_a_machine_that_tells_nothing_is_asked_in_peace(tmp_path: Path) -> None:
    assert read_power(tmp_path) == Power(None, None, None, None)


@pytest.mark.parametrize(
    ("word", "power"),
    [
        ("0\n", Power(False, False, False)),
        ("1\n", Power(True, True, False)),
        ("50005\n", Power(True, True, True)),
        ("50000\n", Power(False, True, False)),
        ("0x50000\n", Power(False, True, False)),
        ("80008\n", Power(False, False, True)),
        ("2\n", Power(False, False, True)),
        ("20000\n", Power(False, False, False)),
        ("rubbish\n", Power(None, None, None)),
        ("", Power(None, None, None)),
    ],
)
def test_each_bit_of_the_firmwares_word_is_understood(tmp_path: Path, word: str, power: Power) -> None:
    write(tmp_path, FIRMWARE, word)
    assert read_power(tmp_path) == power


@pytest.mark.parametrize(
    "place", ["soc@107c000000/soc@107c000000:firmware/get_throttled", "soc:firmware/get_throttled"]
)
def test_the_word_is_found_wherever_this_pi_has_it(tmp_path: Path, place: str) -> None:
    write(tmp_path, f"sys/devices/platform/{place}", "1\n")
    assert read_power(tmp_path).low_now is True


def test_the_kernels_own_alarm_serves_where_the_firmware_says_nothing(tmp_path: Path) -> None:
    write(tmp_path, "sys/class/hwmon/hwmon0/name", "cpu_thermal\n")
    write(tmp_path, "sys/class/hwmon/hwmon1/name", "rpi_volt\n")
    write(tmp_path, "sys/class/hwmon/hwmon1/in0_lcrit_alarm", "0\n")
    assert read_power(tmp_path) == Power(False, None, None)
    write(tmp_path, "sys/class/hwmon/hwmon1/in0_lcrit_alarm", "1\n")
    assert read_power(tmp_path) == Power(True, True, None)


def test_an_alarm_counts_though_the_firmware_has_calmed_down(tmp_path: Path) -> None:
    write(tmp_path, FIRMWARE, "50000\n")
    write(tmp_path, "sys/class/hwmon/hwmon0/name", "rpi_volt\n")
    write(tmp_path, "sys/class/hwmon/hwmon0/in0_lcrit_alarm", "1\n")
    assert read_power(tmp_path).low_now is True


def test_the_processors_heat_goes_before_that_of_other_parts(tmp_path: Path) -> None:
    for number, (kind, temperature) in enumerate([("acpitz", "99000"), ("cpu-thermal", "48312"), ("wifi", "70000")]):
        write(tmp_path, f"sys/class/thermal/thermal_zone{number}/type", f"{kind}\n")
        write(tmp_path, f"sys/class/thermal/thermal_zone{number}/temp", f"{temperature}\n")
    assert read_power(tmp_path).celsius == pytest.approx(48.312)


def test_without_a_processors_zone_the_warmest_counts_and_nonsense_does_not(tmp_path: Path) -> None:
    for number, temperature in enumerate(["31000", "-274000", "", "52000", "400000"]):
        write(tmp_path, f"sys/class/thermal/thermal_zone{number}/type", "acpitz\n")
        write(tmp_path, f"sys/class/thermal/thermal_zone{number}/temp", temperature)
    assert read_power(tmp_path).celsius == pytest.approx(52.0)


def test_this_machine_is_read_without_a_stumble() -> None:
    assert isinstance(read_power(), Power)
