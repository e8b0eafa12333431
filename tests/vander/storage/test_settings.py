from pathlib import Path

import pytest

from referee.sentences import Sentence
from vander.storage.settings import SettingError, Settings, describe_settings, load


def test_every_setting_has_its_help_line() -> None:
    assert all(field.description for field in Settings.model_fields.values())


def test_the_command_line_wins_over_the_environment_and_that_over_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "settings.toml").write_text("port = 8101\nhost = '127.0.0.9'\ngame = 'dice'\n")
    monkeypatch.setenv("VANDER_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("VANDER_PORT", "8102")
    assert load().port == 8102
    chosen = load(port=8103, host=None)
    assert (chosen.port, chosen.host, chosen.game) == (8103, "127.0.0.9", "dice")


@pytest.mark.parametrize(("name", "value"), [("port", "abc"), ("port", "0"), ("tray_width_mm", "-3"), ("bay", "maybe")])
def test_a_bad_value_is_one_sentence_that_names_the_setting_and_the_value(
    name: str, value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"VANDER_{name.upper()}", value)
    with pytest.raises(SettingError, match=f"{name} cannot be '{value}'") as caught:
        load(data_dir=tmp_path)
    assert "\n" not in str(caught.value)


def test_an_unknown_name_in_the_file_is_refused_without_its_value_which_may_be_a_password(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text("mqqt = 'mqtt://box:secret@house'\n")
    with pytest.raises(SettingError, match="there is no setting mqqt") as caught:
        load(data_dir=tmp_path)
    assert "secret" not in str(caught.value)


def test_a_file_that_is_no_toml_is_refused(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text("port = = 1\n")
    with pytest.raises(SettingError, match="not readable as TOML"):
        load(data_dir=tmp_path)


def test_a_very_long_press_takes_longer_than_a_long_one() -> None:
    with pytest.raises(SettingError, match="very_long_press_s must be twice long_press_s"):
        load(long_press_s=5, very_long_press_s=2)


def test_the_settings_that_a_page_lists_hold_no_password_of_a_camera(tmp_path: Path) -> None:
    settings = load(data_dir=tmp_path, camera="rtsp://ann:gehe1m@10.0.0.7:554/stream?key=gehe2m")
    assert settings.shown_camera == "rtsp://10.0.0.7:554"
    assert "gehe" not in str(describe_settings(settings))


def test_the_brokers_password_is_neither_listed_nor_in_the_sentence_about_a_bad_address(tmp_path: Path) -> None:
    settings = load(data_dir=tmp_path, mqtt="mqtt://ann:gehe1m@10.0.0.7")
    assert ("mqtt", "mqtt://10.0.0.7:1883") in [row[:2] for row in describe_settings(settings)]
    assert "gehe" not in str(describe_settings(settings))
    for bad in ("mqtt://ann:gehe#1m@10.0.0.7", "http://gehe1m@10.0.0.7", "mqtt://ann:gehe@1m@h", "gehe1m"):
        with pytest.raises(SettingError, match="mqtt cannot be '\\(hidden\\)'") as caught:
            load(data_dir=tmp_path, mqtt=bad)
        assert "gehe" not in str(caught.value)


def test_what_each_setting_means_can_be_said_in_another_language() -> None:
    meanings = {name: field.description for name, field in Settings.model_fields.items()}
    assert [name for name, meaning in meanings.items() if not isinstance(meaning, Sentence)] == []
