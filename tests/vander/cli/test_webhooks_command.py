"""The owner's file, the command and the doctor: what is wrong is one sentence, and no secret is ever in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from loopback_receiver import LoopbackReceiver, listening
from test_commands import vander

from vander.app.extras import secrets
from vander.doctor.support_bundle import Redactor
from vander.extras.webhooks.delivery import DeliveryAnswer, DeliveryQueue, FollowedGame
from vander.extras.webhooks.receivers import (
    BadReceivers,
    EventType,
    WebhookEvent,
    new_secret,
    read_receivers,
    secret_words,
)
from vander.extras.webhooks.webhook_service import check_webhooks
from vander.storage.settings import Settings
from web.schemas.access_schemas import Verdict

SECRET = new_secret()
GOOD = f'[board]\nurl = "https://example.org:8443/api/webhook/a1b2c3d4?key=xyzzy"\nsecret = "{SECRET}"\n'


@pytest.fixture
def board() -> Iterator[LoopbackReceiver]:
    with listening() as scene:
        yield scene


def write(folder: Path, text: str) -> Path:
    path = folder / "webhooks.toml"
    path.write_text(text, "utf-8")
    path.chmod(0o600)
    return path


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[board", "not readable as TOML"),
        (f'secret = "{SECRET}"', "a receiver is a table"),
        (f'[Board]\nurl = "http://a"\nsecret = "{SECRET}"', "a receiver is a table"),
        (f'{GOOD}colour = "red"', "nothing else"),
        (GOOD.replace("https", "ftp"), "http or https"),
        (GOOD.replace("example", "me:hunter2@example"), "http or https"),
        (GOOD.replace(":8443", ":port"), "http or https"),
        (GOOD.replace(SECRET, "whsec_QUJD"), "a secret of 24 to 64 bytes"),
        (GOOD.replace(SECRET, SECRET.removeprefix("whsec_")), "a secret of 24 to 64 bytes"),
        (GOOD.replace(SECRET, "whsec_äöü"), "a secret of 24 to 64 bytes"),
        (f'{GOOD}events = ["ruling", "dance"]', "a list of game.begun"),
        (f"{GOOD}events = []", "a list of game.begun"),
    ],
    ids=range(12),  # a secret of chance in a name would differ from worker to worker
)
def test_a_file_that_is_wrong_is_refused_in_one_sentence(tmp_path: Path, text: str, why: str) -> None:
    write(tmp_path, text)
    with pytest.raises(BadReceivers, match=re.escape(why)) as refused:
        read_receivers(tmp_path)
    told = vander("webhooks", folder=tmp_path)
    assert (told.returncode, told.stdout) == (2, "")
    for sentence in (str(refused.value), told.stderr, check_webhooks(Settings(data_dir=tmp_path)).told):
        assert SECRET not in sentence
        assert "hunter2" not in sentence
        assert "a1b2c3d4" not in sentence


@pytest.mark.parametrize("lay", [Path.mkdir, lambda file: file.symlink_to("/mnt/stick/webhooks.toml")])
def test_receivers_that_are_no_file_are_said(lay: Callable[[Path], None], tmp_path: Path) -> None:
    assert read_receivers(tmp_path) == ()
    lay(tmp_path / "webhooks.toml")
    with pytest.raises(BadReceivers, match=r"^webhooks.toml cannot be read: "):
        read_receivers(tmp_path)


def test_the_command_lists_pings_and_resumes(tmp_path: Path, board: LoopbackReceiver) -> None:
    assert "nobody is told" in vander("webhooks", folder=tmp_path).stdout
    secret = vander("webhooks", "secret").stdout.strip()
    write(tmp_path, f'[board]\nurl = "{board.url}"\nsecret = "{secret}"\nevents = ["turn"]\n')
    listed = vander("webhooks", folder=tmp_path).stdout
    assert "turn: not told yet" in listed
    assert "secret-path" not in listed
    board.answers = [204, 500]
    taken = vander("webhooks", "test", folder=tmp_path)
    assert (taken.returncode, taken.stdout) == (0, "board: HTTP 204, taken\n")
    failed = vander("webhooks", "test", "board", folder=tmp_path)
    assert (failed.returncode, failed.stdout) == (1, "board: HTTP 500, not taken\n")
    assert vander("webhooks", "test", "nobody", folder=tmp_path).returncode == 2
    with closing(DeliveryQueue.in_folder(tmp_path)) as queue:
        receivers = read_receivers(tmp_path)
        queue.register(receivers)
        queue.put((), receivers, FollowedGame(1, 1))
    assert "0 wait" in vander("webhooks", folder=tmp_path).stdout
    assert vander("webhooks", "resume", "board", folder=tmp_path).stdout == "board is told again\n"


def test_the_doctor_says_what_is_not_taken_given_up_or_switched_off(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    assert check_webhooks(settings).verdict is Verdict.GOOD
    path = write(tmp_path, GOOD)
    assert check_webhooks(settings).told == "Receivers of webhooks: 1; messages that wait: 0."
    path.chmod(0o644)
    assert "other users" in check_webhooks(settings).told.lower()
    path.chmod(0o600)
    with closing(DeliveryQueue.in_folder(tmp_path)) as queue:
        queue.register(read_receivers(tmp_path))
        events = [WebhookEvent(f"1.{number}", EventType.TURN, datetime.now(UTC), {}) for number in (1, 2)]
        queue.put(events, read_receivers(tmp_path), FollowedGame(1, 2))
        for _ in range(3):
            queue.settle(queue.first("board"), DeliveryAnswer(0, "ConnectionRefusedError"))  # type: ignore[arg-type]
        assert check_webhooks(settings).told == "Not taken, and tried again: board (ConnectionRefusedError); 2 wait."
        queue.settle(queue.first("board"), DeliveryAnswer(410))  # type: ignore[arg-type]
        assert "Switched off" in check_webhooks(settings).told
        queue.resume("board")
        assert check_webhooks(settings).verdict is Verdict.GOOD
    (tmp_path / "webhooks.sqlite").write_bytes(b"no database at all, and long enough to be one" * 40)
    assert check_webhooks(settings).verdict is Verdict.BAD


def test_no_secret_is_in_what_is_packed_for_support(tmp_path: Path) -> None:
    write(tmp_path, GOOD)
    assert SECRET in secret_words(tmp_path)
    redactor = Redactor.of(Settings(data_dir=tmp_path), secrets(tmp_path))
    line = f"failed: https://example.org:8443/api/webhook/a1b2c3d4?key=xyzzy with {SECRET}, /api/webhook/a1b2c3d4"
    assert not re.search("a1b2c3d4|xyzzy|whsec_[A-Z]", redactor.text(line))
    write(tmp_path, "[broken")
    assert SECRET not in Redactor.of(Settings(data_dir=tmp_path), secrets(tmp_path)).text(f"found {SECRET}.")
