"""The doorkeeper: codes that are slow to guess, tablets that stay, and a list that is never lost silently."""

from __future__ import annotations

import json
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from referee.sentences import Reason, Refused
from vander.access import PairingService
from vander.access.devices import MOST
from vander.access.page_addresses import LocalClient, ServerUnreachable, format_code, request_code, terminal_listener
from vander.access.pairing import SHOWN_S, TRIES, TRIES_OF_ALL, format_wait
from web.schemas.access_schemas import Role, TooSoon


class Clock:
    """A clock that a test sets on."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


Opened = Callable[[], PairingService]


@pytest.fixture
def opened(tmp_path: Path, clock: Clock) -> Iterator[Opened]:
    """Opens the door of the same box; each call is a restart."""
    doors: list[PairingService] = []

    def open_door() -> PairingService:
        doors.append(PairingService(tmp_path, clock=clock, today=lambda: date(2026, 3, 1)))
        return doors[-1]

    yield open_door
    for door in doors:
        door.close()


@pytest.fixture
def door(opened: Opened) -> PairingService:
    return opened()


def wrong(door: PairingService) -> tuple[int, ...]:
    """A code that the box does not show."""
    first, *rest = door.code() or (1,) * 6
    return (first % 6 + 1, *rest)


def join(door: PairingService, name: str = "") -> str:
    """Join in, and give the key."""
    door.show_code(keeper=True)
    return door.pair(door.code() or (), name).key


def burn(door: PairingService) -> str:
    """Give wrong codes until the code is gone; the last sentence."""
    for _ in range(TRIES):
        with pytest.raises(Refused) as refused:
            door.pair(wrong(door))
    return str(refused.value)


@contextmanager
def refused(reason: Reason, *words: str) -> Iterator[None]:
    with pytest.raises(Refused) as refused:
        yield
    assert refused.value.reason is reason
    for word in words:
        assert word in str(refused.value)


def kept(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "tablets.json").read_text("utf-8"))
    return found


def test_nobody_has_joined_in_at_first_and_no_code_is_shown(door: PairingService) -> None:
    assert door.tablets() == []
    assert door.code() is None
    assert door.trouble == ""
    assert not door.pairing_status().shown
    assert door.tablet("anything") is None


def test_a_code_is_six_faces_and_differs_each_time(door: PairingService, clock: Clock) -> None:
    codes = set()
    for _ in range(20):
        door.show_code(keeper=True)
        code = door.code()
        assert code is not None
        assert len(code) == 6
        assert set(code) <= set(range(1, 7))
        codes.add(code)
        clock.now += SHOWN_S
    assert len(codes) > 15


def test_who_gives_the_code_has_joined_in_and_the_first_is_the_keeper(door: PairingService) -> None:
    keys = [join(door, "Kitchen"), join(door), join(door, "Phone")]
    found = [door.tablet(key) for key in keys]
    assert [(one.number, one.name, one.role) for one in found if one] == [
        (1, "Kitchen", Role.KEEPER),
        (2, "Tablet 2", Role.PLAYER),
        (3, "Phone", Role.PLAYER),
    ]
    assert found[0] is not None
    assert found[0].paired_on == found[0].used_on == "2026-03-01"
    assert len(set(keys)) == 3
    assert all(len(key) >= 43 for key in keys)  # 256 bits


def test_a_code_lets_one_tablet_in_and_is_gone(door: PairingService) -> None:
    door.show_code()
    code = door.code() or ()
    door.pair(code)
    assert door.code() is None
    with refused(Reason.CONFLICT, "ask for a new one"):
        door.pair(code)


def test_a_code_is_shown_for_five_minutes(door: PairingService, clock: Clock) -> None:
    door.show_code()
    assert door.pairing_status().left_s == 5 * 60
    code = door.code() or ()
    clock.now += SHOWN_S - 1
    assert door.pairing_status().left_s == 1
    door.show_code()
    assert door.code() == code  # asking again neither changes it nor makes it last
    clock.now += 1
    assert door.code() is None
    with refused(Reason.CONFLICT):
        door.pair(code)


def test_tablets_stay_over_a_restart_and_codes_do_not(door: PairingService, opened: Opened) -> None:
    key = join(door, "Kitchen")
    door.show_code()
    again = opened()
    found = again.tablet(key)
    assert found is not None
    assert (found.name, found.role) == ("Kitchen", Role.KEEPER)
    assert again.code() is None


def test_no_key_is_ever_kept_and_the_file_is_private(door: PairingService, tmp_path: Path) -> None:
    key = join(door)
    contents = (tmp_path / "tablets.json").read_bytes()
    assert key.encode() not in contents
    assert len(kept(tmp_path)["guests"][0]["digest"]) == 64
    for name in ("tablets.json", "box.key"):
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600
    door.rename(1, "Other")  # the file is written anew
    assert stat.S_IMODE((tmp_path / "tablets.json").stat().st_mode) == 0o600


def test_a_wrong_code_says_how_many_tries_are_left_and_nothing_of_the_dice(door: PairingService) -> None:
    door.show_code()
    code = door.code() or ()
    sentences = set()
    for place in range(3):
        guess = tuple(face % 6 + 1 if at == place else face for at, face in enumerate(code))
        with pytest.raises(Refused) as refused:
            door.pair(guess)
        assert refused.value.reason == Reason.NOT_ALLOWED
        sentences.add(str(refused.value).replace(str(4 - place), "N"))
    assert sentences == {"Those are not the six dice that the box shows; N tries are left."}
    assert door.pairing_status().tries == 2
    assert door.pair(code).tablet.role is Role.KEEPER


@pytest.mark.parametrize("code", [(), (1,), (1, 2, 3, 4, 5, 6, 1), (0,) * 6, (999,) * 6])
def test_what_is_no_code_is_a_wrong_one(code: tuple[int, ...], door: PairingService) -> None:
    door.show_code()
    with refused(Reason.NOT_ALLOWED):
        door.pair(code)


def test_five_wrong_tries_burn_a_code(door: PairingService) -> None:
    door.show_code()
    code = door.code() or ()
    assert "30 seconds" in burn(door)
    assert door.code() is None
    with refused(Reason.CONFLICT):
        door.pair(code)
    with pytest.raises(TooSoon) as soon:
        door.show_code()
    assert soon.value.wait_s == door.pairing_status().wait_s == 30


def test_tries_are_counted_over_codes_that_ran_out(door: PairingService, clock: Clock) -> None:
    for _ in range(TRIES - 1):
        door.allow_codes()
        door.show_code()
        with refused(Reason.NOT_ALLOWED):
            door.pair(wrong(door))
        clock.now += SHOWN_S
    door.show_code()
    with refused(Reason.NOT_ALLOWED, "too many"):
        door.pair(wrong(door))


def test_the_wait_doubles_to_an_hour_and_joining_in_ends_it(door: PairingService, clock: Clock) -> None:
    waits = []
    for _ in range(10):
        door.allow_codes()
        door.show_code()
        burn(door)
        waits.append(door.pairing_status().wait_s)
        clock.now += waits[-1]
    assert waits == [30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]
    join(door)
    door.show_code()
    burn(door)
    assert door.pairing_status().wait_s == 30


def test_the_wait_survives_a_restart_and_a_wait_that_was_over_does_not(
    door: PairingService, opened: Opened, clock: Clock
) -> None:
    door.show_code()
    burn(door)
    clock.now += 25
    again = opened()
    assert again.pairing_status().wait_s == 30
    clock.now += 30
    again.show_code()
    assert opened().pairing_status().wait_s == 0
    again.show_code()
    burn(again)
    assert again.pairing_status().wait_s == 60


def test_wrong_tries_survive_a_restart(door: PairingService, opened: Opened) -> None:
    for _ in range(TRIES - 1):
        door.allow_codes()
        door.show_code()
        with refused(Reason.NOT_ALLOWED):
            door.pair(wrong(door))
    again = opened()
    again.show_code()
    assert again.pairing_status().tries == 1


def test_a_keeper_is_shown_a_code_at_once_and_others_go_on_waiting(door: PairingService, clock: Clock) -> None:
    door.show_code()
    burn(door)
    door.show_code(keeper=True)
    assert door.pairing_status().tries == TRIES
    clock.now += SHOWN_S
    door.show_code(keeper=True)
    burn(door)
    assert door.code() is not None
    clock.now += SHOWN_S
    door.show_code()


def test_a_code_that_a_keeper_asked_for_outlasts_the_guesses_of_one_address(door: PairingService) -> None:
    door.show_code()
    door.show_code(keeper=True)  # the code that is shown already becomes the keeper's
    code = door.code() or ()
    for left in ("4 tries are", "3 tries are", "2 tries are", "one try is", "no tries are"):
        with refused(Reason.NOT_ALLOWED, left):
            door.pair(wrong(door), address="192.168.1.66")
    with pytest.raises(TooSoon):
        door.pair(code, address="192.168.1.66")
    assert door.pair(code, address="192.168.1.7").tablet.role is Role.KEEPER


def test_fifty_wrong_tries_from_anywhere_burn_a_keepers_code_too(door: PairingService) -> None:
    door.show_code(keeper=True)
    for number in range(TRIES_OF_ALL - 1):
        with refused(Reason.NOT_ALLOWED, "left"):
            door.pair(wrong(door), address=f"192.168.1.{number}")
    with refused(Reason.NOT_ALLOWED, "too many"):
        door.pair(wrong(door), address="192.168.2.1")
    assert door.code() is None


def test_the_lamp_hears_of_the_end_of_a_code_that_somebody_looked_for_first(door: PairingService, clock: Clock) -> None:
    told: list[tuple[int, ...] | None] = []
    door.listen(told.append)
    door.show_code()
    shown = door.code()
    clock.now += SHOWN_S
    assert door.code() is None
    assert door.pairing_status().shown is False
    assert told == [shown, None]


def test_a_forgotten_tablet_only_watches_and_its_number_is_not_given_again(
    door: PairingService, opened: Opened
) -> None:
    keys = [join(door), join(door)]
    door.forget(2)
    assert door.tablet(keys[1]) is None
    assert opened().tablet(keys[1]) is None
    assert door.tablet(keys[0]) is not None
    with refused(Reason.NOT_FOUND):
        door.forget(2)
    found = door.tablet(join(door))
    assert found is not None
    assert found.number == 3


def join_as_camera(door: PairingService) -> int:
    """Join in as the camera, and give the number."""
    door.show_code()
    return door.pair(door.code() or (), as_camera=True).tablet.number


def test_cameras_that_left_a_new_box_leave_the_first_tablet_its_key(door: PairingService, opened: Opened) -> None:
    for _ in range(2):
        door.forget(join_as_camera(door))
    join_as_camera(door)
    after_restart = opened()
    after_restart.show_code()
    assert after_restart.pair(after_restart.code() or ()).tablet.role is Role.KEEPER


@pytest.mark.parametrize("turned", [False, True])
def test_where_a_tablet_was_ever_paired_a_camera_that_leaves_makes_no_stranger_the_keeper(
    door: PairingService, turned: bool
) -> None:
    camera = join_as_camera(door)
    if turned:
        door.set_role(camera, Role.PLAYER)
    else:
        join(door)
        door.forget(2, confirmed=True)
    door.forget(camera)
    door.show_code()
    assert door.pair(door.code() or ()).tablet.role is Role.PLAYER


def test_while_there_is_no_keeper_the_next_to_join_in_is_one(door: PairingService) -> None:
    join(door)
    join(door)
    door.forget(1, confirmed=True)
    found = door.tablet(join(door))
    assert found is not None
    assert found.role is Role.KEEPER


def end_last_keeper(door: PairingService, how: str) -> None:
    """Pair a keeper and a player, and leave the box without a keeper."""
    join(door)
    join(door)
    if how == "forgotten":
        door.forget(1, confirmed=True)
    else:
        door.set_role(1, Role.PLAYER, confirmed=True)


@pytest.mark.parametrize("how", ["forgotten", "demoted"])
def test_without_a_keeper_a_code_that_a_stranger_asks_for_makes_a_player(
    how: str, door: PairingService, opened: Opened
) -> None:
    end_last_keeper(door, how)
    again = opened()
    again.show_code()
    assert not again.pairing_status().makes_keeper
    assert again.pair(again.code() or ()).tablet.role is Role.PLAYER
    again.show_code(keeper=True)  # as `vander pair` does
    assert again.pairing_status().makes_keeper
    assert again.pair(again.code() or ()).tablet.role is Role.KEEPER
    again.show_code(keeper=True)
    assert again.pair(again.code() or ()).tablet.role is Role.PLAYER


def test_without_a_keeper_a_press_of_the_button_while_a_code_is_shown_makes_one(door: PairingService) -> None:
    end_last_keeper(door, "demoted")
    assert not door.on_button()
    door.show_code()
    assert door.on_button()
    assert not door.on_button()
    assert door.pair(door.code() or ()).tablet.role is Role.KEEPER
    door.show_code()
    assert not door.on_button()
    assert door.pair(door.code() or ()).tablet.role is Role.PLAYER


def test_the_last_keeper_is_demoted_and_forgotten_only_when_that_is_confirmed(
    door: PairingService, opened: Opened
) -> None:
    keys = [join(door), join(door)]
    for change in (lambda: door.set_role(1, Role.PLAYER), lambda: door.forget(1)):
        with refused(Reason.CONFLICT, "last keeper", "the box itself"):
            change()
        found = opened().tablet(keys[0])
        assert found is not None
        assert found.role is Role.KEEPER
    door.set_role(1, Role.KEEPER)
    door.set_role(2, Role.KEEPER)
    door.set_role(1, Role.PLAYER)  # one of two needs no confirmation
    door.forget(1)
    door.forget(2, confirmed=True)
    assert door.tablets() == []


def test_a_list_of_before_opens_and_its_box_without_a_keeper_gets_one_by_the_console(
    opened: Opened, tmp_path: Path
) -> None:
    player = {"number": 2, "name": "Phone", "role": "player", "digest": "0" * 64}
    old = {"format": 1, "last": 2, "wrong": 1, "burnt": 0, "waiting": False, "guests": [player]}
    (tmp_path / "tablets.json").write_text(json.dumps(old), "utf-8")
    door = opened()
    assert door.trouble == ""
    door.show_code()
    assert door.pair(door.code() or ()).tablet.role is Role.PLAYER
    assert set(kept(tmp_path)) == set(old)  # the Vander of before can read it, too
    assert door.tablet(join(door)) == door.tablets()[-1]
    assert door.tablets()[-1].role is Role.KEEPER


def let_expire(door: PairingService, clock: Clock, codes: int) -> None:
    """Ask for codes, and use none."""
    for _ in range(codes):
        door.show_code()
        clock.now += SHOWN_S


def test_after_three_unused_codes_a_stranger_gets_no_more_and_the_lamp_stays_dark(
    door: PairingService, opened: Opened, clock: Clock
) -> None:
    shown: list[tuple[int, ...] | None] = []
    let_expire(door, clock, 2)
    assert not door.pairing_status().refused
    let_expire(door, clock, 1)
    for one in (door, opened()):
        one.listen(shown.append)
        assert one.pairing_status().refused
        clock.now += 24 * 3600
        with refused(Reason.CONFLICT, "not used", "button"):
            one.show_code()
        assert one.code() is None
    assert not any(shown)


def test_a_code_that_is_asked_for_while_it_is_shown_counts_once(door: PairingService, clock: Clock) -> None:
    for _ in range(20):
        door.show_code()
        clock.now += 1
    clock.now += SHOWN_S
    door.show_code()
    assert door.code() is not None


def test_codes_that_are_burnt_are_unused_too(door: PairingService, clock: Clock) -> None:
    for _ in range(3):
        door.show_code()
        burn(door)
        clock.now += 3600
    with refused(Reason.CONFLICT, "not used"):
        door.show_code()


@pytest.mark.parametrize(
    "allow",
    [
        PairingService.allow_codes,
        lambda door: door.show_code(keeper=True),
        join,
        lambda door: door.on_button() or pytest.fail("the press was not taken"),
    ],
)
def test_a_keeper_and_the_button_let_people_ask_again(
    allow: Callable[[PairingService], object], door: PairingService, opened: Opened, clock: Clock
) -> None:
    let_expire(door, clock, 3)
    allow(door)
    clock.now += SHOWN_S
    assert not opened().pairing_status().refused
    let_expire(door, clock, 3)
    with refused(Reason.CONFLICT):
        door.show_code()


def test_a_press_that_nobody_waits_for_is_not_about_pairing(door: PairingService) -> None:
    join(door)
    assert not door.on_button()
    door.show_code()
    assert not door.on_button()


def test_a_keeper_that_shows_a_code_to_a_stranger_lets_it_ask_again(door: PairingService, clock: Clock) -> None:
    let_expire(door, clock, 2)
    door.show_code()
    door.show_code(keeper=True)  # the code that is shown already becomes the keeper's
    clock.now += SHOWN_S
    assert not door.pairing_status().refused


def test_a_tablet_is_renamed_and_made_a_keeper_and_a_player_again(door: PairingService, opened: Opened) -> None:
    join(door)
    key = join(door)
    door.rename(2, "Oma")
    door.set_role(2, Role.KEEPER)
    found = opened().tablet(key)
    assert found is not None
    assert (found.name, found.role) == ("Oma", Role.KEEPER)
    door.set_role(2, Role.PLAYER)
    found = door.tablet(key)
    assert found is not None
    assert found.role is Role.PLAYER
    for change in (lambda: door.rename(9, "x"), lambda: door.set_role(9, Role.KEEPER)):
        with refused(Reason.NOT_FOUND):
            change()


def test_the_longest_unused_player_makes_room_and_a_keeper_never_does(door: PairingService, clock: Clock) -> None:
    keys = [join(door) for _ in range(MOST)]
    clock.now += 24 * 3600
    assert door.tablet(keys[1]) is not None  # used a day later than all others
    join(door)
    assert len(door.tablets()) == MOST
    assert door.tablet(keys[0]) is not None
    assert door.tablet(keys[1]) is not None
    assert door.tablet(keys[2]) is None


def test_fifty_keepers_leave_no_room(door: PairingService) -> None:
    for number in range(1, MOST + 1):
        join(door)
        door.set_role(number, Role.KEEPER)
    door.show_code()
    with refused(Reason.CONFLICT, "50 tablets"):
        door.pair(door.code() or ())


@pytest.mark.parametrize(
    "contents",
    [b"", b"{", b"[]", b"\xff", b'{"format": 2}', b'{"guests": [{"number": 1}]}', b'{"format": 1, "more": 1}'],
)
def test_a_damaged_list_is_said_and_set_aside_and_nobody_is_known(
    contents: bytes, opened: Opened, tmp_path: Path
) -> None:
    (tmp_path / "tablets.json").write_bytes(contents)
    door = opened()
    assert "damaged" in door.trouble
    assert door.trouble.endswith("tablets.damaged-1.json.")
    assert (tmp_path / "tablets.damaged-1.json").read_bytes() == contents
    assert door.tablets() == []
    key = join(door)
    assert door.trouble == ""
    assert opened().tablet(key) is not None


def test_a_second_damaged_list_does_not_write_over_the_first(opened: Opened, tmp_path: Path) -> None:
    for contents in (b"one", b"two"):
        (tmp_path / "tablets.json").write_bytes(contents)
        opened()
    assert [(tmp_path / f"tablets.damaged-{number}.json").read_bytes() for number in (1, 2)] == [b"one", b"two"]


def test_a_list_that_cannot_be_kept_lets_nobody_in_and_costs_no_code(door: PairingService, tmp_path: Path) -> None:
    door.show_code()
    code = door.code() or ()
    (tmp_path / "tablets.json.part").mkdir()  # nothing can be written there
    with refused(Reason.UNAVAILABLE, "cannot be kept"):
        door.pair(code)
    assert door.tablets() == []
    (tmp_path / "tablets.json.part").rmdir()
    assert door.pair(code).tablet.number == 1


def test_a_full_disk_does_not_make_guessing_free(door: PairingService, tmp_path: Path) -> None:
    (tmp_path / "tablets.json.part").mkdir()
    door.show_code()
    burn(door)
    with pytest.raises(TooSoon):
        door.show_code()


def test_the_lamp_hears_of_a_code_that_comes_and_goes(door: PairingService, clock: Clock) -> None:
    heard: list[tuple[int, ...] | None] = []

    def broken(_code: tuple[int, ...] | None) -> None:
        raise OSError("the lamp is out")

    door.listen(broken)
    door.listen(heard.append)
    door.show_code()
    first = door.code()
    with refused(Reason.NOT_ALLOWED):
        door.pair(wrong(door))
    assert heard == [first]
    door.pair(first or ())
    assert heard == [first, None]
    door.show_code()
    second = door.code()
    burn(door)
    assert heard == [first, None, second, None]
    clock.now += 30
    door.show_code()
    third = door.code()
    door.close()
    assert heard == [first, None, second, None, third, None]


def test_the_boxs_own_key_is_a_keepers_and_new_with_every_start(
    door: PairingService, opened: Opened, tmp_path: Path
) -> None:
    key = (tmp_path / "box.key").read_text("ascii")
    found = door.tablet(key)
    assert found is not None
    assert (found.number, found.role) == (0, Role.KEEPER)
    assert door.tablets() == []
    assert opened().tablet(key) is None


def test_a_folder_that_cannot_be_written_opens_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "box.key.part").mkdir()
    door = PairingService(tmp_path)
    assert door.tablets() == []


def test_names_are_compared_in_small_letters(tmp_path: Path) -> None:
    assert PairingService(tmp_path, names=("Dice.Example", " ", "")).names == {"dice.example"}


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.2, "1 second"),
        (30, "30 seconds"),
        (89, "89 seconds"),
        (90, "2 minutes"),
        (1920, "32 minutes"),
        (3600, "an hour"),
    ],
)
def test_a_wait_is_said_in_words(seconds: float, words: str) -> None:
    assert format_wait(seconds) == words


class PaperVander:
    """Answers one thing to all that is asked."""

    def __init__(self, **told: object) -> None:
        self.told = told

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        assert (path, body) == ("/api/door/ask", {})
        return self.told


def test_vander_pair_gives_the_code_as_dice_and_digits() -> None:
    code = request_code(PaperVander(door=True, code=[3, 1, 4, 1, 5, 2], asking={"makes_keeper": False}))
    assert format_code(code.faces) == "⚂ ⚀ ⚃ ⚀ ⚄ ⚁   3 1 4 1 5 2"
    assert not code.makes_keeper


def test_vander_pair_says_that_the_tablet_becomes_the_keepers() -> None:
    code = request_code(PaperVander(door=True, code=[1] * 6, asking={"makes_keeper": True}))
    assert code.makes_keeper


def test_vander_pair_says_why_there_is_no_code() -> None:
    with pytest.raises(ServerUnreachable, match="no code is needed"):
        request_code(PaperVander(door=False, code=None))
    with pytest.raises(ServerUnreachable, match="keeper only"):
        request_code(PaperVander(door=True, code=None))


def test_vander_pair_says_that_no_vander_runs(tmp_path: Path) -> None:
    with pytest.raises(ServerUnreachable, match=r"no Vander answers at 127\.0\.0\.1:9"):
        LocalClient(tmp_path, "0.0.0.0", 9).get("/api/door")  # noqa: S104 - it is only asked


class Out:
    """A terminal, or a log."""

    def __init__(self, terminal: bool) -> None:
        self.terminal, self.text = terminal, ""

    def isatty(self) -> bool:
        return self.terminal

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        pass


@pytest.mark.parametrize("terminal", [True, False])
def test_a_code_is_printed_on_a_terminal_and_in_no_log(
    terminal: bool, caplog: pytest.LogCaptureFixture, door: PairingService
) -> None:
    out = Out(terminal)
    door.listen(terminal_listener(out=out))  # type: ignore[arg-type]  # as much of a text file as is used
    door.show_code()
    words = format_code(door.code() or ())
    assert (words in out.text) is terminal
    assert "vander pair" in caplog.text
    digits = " ".join(map(str, door.code() or ()))
    assert digits not in caplog.text
    assert words.replace(" ", "") not in caplog.text.replace(" ", "")
