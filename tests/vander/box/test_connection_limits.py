"""Which connections give way, by the facts alone."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import pytest

from vander.box.web_server import ConnectionLimits, is_overdue, surplus
from web.authorization import client_network

LIMITS = ConnectionLimits()
BOX = "127.0.0.1"


@dataclass(eq=False)
class Open:
    """A connection as the limits see it."""

    network: str
    waiting_since: float = 0.0
    busy: bool = False
    unread: bool = False


def opened(network: str, count: int, first: float = 0.0, *, busy: bool = False) -> list[Open]:
    """Connections that came one after the other."""
    return [Open(network, first + number, busy) for number in range(count)]


def test_the_limits_are_those_that_were_promised() -> None:
    assert (LIMITS.each, LIMITS.guests, LIMITS.patience_s, LIMITS.cleanup_s) == (24, 400, 40.0, 5.0)


def test_as_many_as_a_guest_may_have_all_stay() -> None:
    assert surplus(opened("10.0.0.1", LIMITS.each), LIMITS) == []


def test_beyond_a_guests_limit_those_that_waited_longest_go() -> None:
    crowd = opened("10.0.0.1", LIMITS.each + 3)
    assert surplus(list(reversed(crowd)), LIMITS) == crowd[:3]


def test_one_guests_crowd_touches_nobody_else() -> None:
    others = [*opened("10.0.0.2", 3), *opened(BOX, 3)]
    crowd = opened("10.0.0.1", 100, first=50.0)
    closed = surplus([*others, *crowd], LIMITS)
    assert len(closed) == 100 - LIMITS.each
    assert set(closed) <= set(crowd)


def test_what_is_being_answered_stays_and_the_newcomer_goes() -> None:
    answered, newcomer = opened("10.0.0.1", LIMITS.each, busy=True), Open("10.0.0.1", 99.0)
    assert surplus([*answered, newcomer], LIMITS) == [newcomer]


def test_beyond_the_limit_of_all_whoever_holds_most_gives_way_to_a_guest_with_few() -> None:
    quiet = [connection for number in range(25) for connection in opened(f"10.0.1.{number}", 2)]
    greedy = [
        connection for number in range(16) for connection in opened(f"10.0.2.{number}", LIMITS.each, first=1000.0)
    ]
    closed = surplus([*quiet, *greedy], LIMITS)
    assert len(quiet) + len(greedy) - len(closed) == LIMITS.guests
    assert set(closed) <= set(greedy)
    left = Counter(connection.network for connection in greedy if connection not in closed)
    assert max(left.values()) - min(left.values()) <= 1, "they give way evenly"


def test_the_box_has_its_place_when_the_guests_have_all_of_theirs() -> None:
    guests = [connection for number in range(17) for connection in opened(f"10.0.0.{number}", 24)]
    own = opened(BOX, 4) + opened("::1", 4)
    closed = surplus([*guests, *own], LIMITS)
    assert len(closed) == len(guests) - LIMITS.guests
    assert not set(closed) & set(own)


def test_the_box_takes_no_place_of_the_guests() -> None:
    guests = [connection for number in range(16) for connection in opened(f"10.0.0.{number}", 24)]
    assert surplus([*guests, *opened(BOX, LIMITS.box), *opened("10.1.1.1", 16)], LIMITS) == []


def test_behind_a_proxy_on_the_box_those_that_wait_give_way_to_the_boxs_own_screen() -> None:
    through_the_proxy, screen = opened(BOX, LIMITS.box), Open(BOX, 1000.0)
    assert surplus([*through_the_proxy, screen], LIMITS) == through_the_proxy[:1]


@pytest.mark.parametrize(
    ("busy", "unread", "overdue"), [(False, False, True), (False, True, True), (True, True, True), (True, False, False)]
)
def test_a_client_may_wait_for_its_answer_but_nobody_may_wait_for_a_client(
    busy: bool, unread: bool, overdue: bool
) -> None:
    connection = Open("10.0.0.1", 100.0, busy, unread)
    assert not is_overdue(connection, 100.0 + LIMITS.patience_s, LIMITS)
    assert is_overdue(connection, 100.1 + LIMITS.patience_s, LIMITS) is overdue


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("192.168.1.7", "::ffff:192.168.1.7"),
        ("2001:db8:1:2::7", "2001:db8:1:2:ffff::1"),
        ("fe80::1%2", "fe80::2%2"),
        ("127.0.0.1", "::ffff:127.0.0.1"),
    ],
)
def test_addresses_of_one_guest_count_as_one(one: str, other: str) -> None:
    assert client_network(one) == client_network(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("192.168.1.7", "192.168.1.8"),
        ("2001:db8:1:2::7", "2001:db8:1:3::7"),
        ("::1", "::2"),
        ("127.0.0.1", "127.0.0.2"),
    ],
)
def test_addresses_of_two_guests_count_as_two(one: str, other: str) -> None:
    assert client_network(one) != client_network(other)


def test_what_is_no_address_counts_as_itself() -> None:
    assert client_network("localhost") == "localhost"
