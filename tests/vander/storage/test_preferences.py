from dataclasses import asdict, replace
from pathlib import Path

import pytest

from referee.sentences import Refused
from vander.storage.data_folder import StorageError, Unwritten
from vander.storage.preferences import BadPreferences, PreferenceStore
from web.schemas.learning_schemas import LEAST_QUOTA_MB, MOST_QUOTA_MB, RAREST_CHECK, Choices, ChoicesRequest
from web.schemas.response_model import parse

CHOSEN = Choices(keep_play=True, quota_mb=120, check_one_in=5)


def test_nothing_is_kept_of_play_until_somebody_says_so(tmp_path: Path) -> None:
    assert PreferenceStore(tmp_path).current == Choices(keep_play=False, quota_mb=500, check_one_in=20)


def test_what_was_chosen_is_chosen_after_a_restart(tmp_path: Path) -> None:
    kept = PreferenceStore(tmp_path / "not there yet")
    assert kept.save(CHOSEN) == kept.current == CHOSEN
    assert PreferenceStore(tmp_path / "not there yet").current == CHOSEN
    assert [path.name for path in (tmp_path / "not there yet").iterdir()] == ["choices.toml"]


def test_a_file_may_say_only_some(tmp_path: Path) -> None:
    (tmp_path / "choices.toml").write_text("check_one_in = 7\n")
    assert PreferenceStore(tmp_path).current == Choices(check_one_in=7)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("keep_play = ", "choices.toml is damaged"),
        ("\x00\xff", "choices.toml is damaged"),
        ("keep_play = 1", "whether play is kept, true or false (keep_play), cannot be 1"),
        ("quota_mb = 'much'", "(quota_mb), cannot be 'much'"),
        ("quota_mb = true", "(quota_mb), cannot be True"),
        ("check_one_in = -1", "(check_one_in), cannot be -1"),
        ("colour = 'red'", "no choice 'colour'; there are keep_play, quota_mb, check_one_in, not_learned, box_caller"),
        ("not_learned = 'rollers'", "(not_learned), cannot be 'rollers'"),
        ("not_learned = [1]", "(not_learned), cannot be [1]"),
        ("box_caller = 'loud'", "(box_caller), cannot be 'loud'"),
        ("box_caller_language = '../x'", "(box_caller_language), cannot be '../x'"),
    ],
)
def test_a_damaged_file_is_one_sentence_and_left_as_it_is(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "choices.toml"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(BadPreferences) as damaged:
        PreferenceStore(tmp_path)
    assert said in str(damaged.value)
    assert "\n" not in str(damaged.value)
    assert isinstance(damaged.value, StorageError)  # so that the command line says it without a traceback
    assert path.read_bytes() == text.encode("latin-1")


@pytest.mark.parametrize("choices", [Choices(quota_mb=3), Choices(check_one_in=-1), Choices(check_one_in=5000)])
def test_what_cannot_be_is_turned_down_and_nothing_changes(tmp_path: Path, choices: Choices) -> None:
    kept = PreferenceStore(tmp_path)
    kept.save(CHOSEN)
    with pytest.raises(Refused, match=r"^(How many|One throw) .*, cannot be "):
        kept.save(choices)
    assert kept.current == PreferenceStore(tmp_path).current == CHOSEN


@pytest.mark.parametrize(
    "choices",
    [Choices(True, LEAST_QUOTA_MB, 0), Choices(False, MOST_QUOTA_MB, RAREST_CHECK)],
)
def test_the_page_and_the_file_have_the_same_limits(tmp_path: Path, choices: Choices) -> None:
    assert PreferenceStore(tmp_path).save(parse(ChoicesRequest, asdict(choices)).choices()) == choices
    beyond = replace(choices, quota_mb=MOST_QUOTA_MB + 1)
    for chosen in (PreferenceStore(tmp_path).save, lambda found: parse(ChoicesRequest, asdict(found))):
        with pytest.raises(Refused):
            chosen(beyond)


def test_where_nothing_can_be_written_what_was_chosen_stands(tmp_path: Path) -> None:
    kept = PreferenceStore(tmp_path)
    kept.save(CHOSEN)
    (tmp_path / "choices.toml.part").mkdir()
    with pytest.raises(Unwritten, match="cannot be kept"):
        kept.save(Choices())
    assert kept.current == PreferenceStore(tmp_path).current == CHOSEN


def test_dice_are_learned_in_play_until_somebody_switches_it_off(tmp_path: Path) -> None:
    kept = PreferenceStore(tmp_path)
    assert kept.learns("rollers")
    kept.set_learning("rollers", on=False)
    assert [kept.learns(name) for name in ("rollers", "d6")] == [False, True]
    assert not PreferenceStore(tmp_path).learns("rollers")
    PreferenceStore(tmp_path).save(CHOSEN)
    assert not PreferenceStore(tmp_path).learns("rollers"), "other choices leave it as it is"
    kept.set_learning("rollers", on=True)
    assert PreferenceStore(tmp_path).learns("rollers")


def test_a_file_of_before_learning_in_play_opens_unchanged_and_one_without_a_choice_of_it_is_like_it(
    tmp_path: Path,
) -> None:
    (tmp_path / "choices.toml").write_text("keep_play = true\nquota_mb = 120\ncheck_one_in = 5\n")
    kept = PreferenceStore(tmp_path)
    assert (kept.current, kept.learns("rollers")) == (CHOSEN, True)
    kept.save(CHOSEN)
    assert "not_learned" not in (tmp_path / "choices.toml").read_text()


def test_where_nothing_can_be_written_a_switch_stays_as_it_was(tmp_path: Path) -> None:
    kept = PreferenceStore(tmp_path)
    (tmp_path / "choices.toml.part").mkdir()
    with pytest.raises(Unwritten, match="cannot be kept"):
        kept.set_learning("rollers", on=False)
    assert kept.learns("rollers")
