"""Pulled plugs and failing disks: whatever was shown is kept, nothing is there twice, and the game goes on.

    pytest bench/box/crash [--kills 200] [--operation-kills 40] [--failures 100] [--seed 1]

It takes about ten seconds a kill of the served assistant, one a kill of an operation, and twenty a failure.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bench.box.crash.killed_operations import OPERATIONS, kill
from bench.box.crash.ordeal import Ordeal, Told
from vander.resources.models_and_stores import LoadedModels

Ask = Callable[[Told], None]


@pytest.fixture
def tell(capsys: pytest.CaptureFixture[str], request: pytest.FixtureRequest) -> Ask:
    """Prints the figures, kept or not."""

    def print_it(told: Told) -> None:
        with capsys.disabled():
            print(f"\n{request.node.name}: {told.in_words()}")

    return print_it


def test_nothing_shown_is_lost_or_there_twice_whenever_the_plug_is_pulled(
    tmp_path: Path, pytestconfig: pytest.Config, built: Path, tell: Ask
) -> None:
    kills = pytestconfig.getoption("--kills")
    ordeal = Ordeal(
        tmp_path / "data", _port(pytestconfig), pytestconfig.getoption("--seed"), LoadedModels.load(), built
    )
    told = ordeal.be_killed(kills)
    tell(told)
    assert told.faults == []
    assert sum(told.kills.values()) == kills
    assert told.entries > kills, "hardly anything was played between the kills"
    assert told.moments_shown > told.entries


@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_operation_that_is_killed_loses_nothing_doubles_nothing_and_swaps_nothing_by_halves(
    tmp_path: Path, pytestconfig: pytest.Config, built: Path, capsys: pytest.CaptureFixture[str], operation: str
) -> None:
    kills = pytestconfig.getoption("--operation-kills")
    (tally,) = kill(built, tmp_path / "killed", [operation], kills, pytestconfig.getoption("--seed"))
    with capsys.disabled():
        print(f"\n{tally.row()}")
    assert tally.faults == []
    assert tally.kills == kills


def test_a_disk_that_fails_or_fills_costs_nothing_that_was_shown(
    tmp_path: Path, pytestconfig: pytest.Config, built: Path, tell: Ask
) -> None:
    failures = pytestconfig.getoption("--failures")
    ordeal = Ordeal(
        tmp_path / "data", _port(pytestconfig) + 1, pytestconfig.getoption("--seed"), LoadedModels.load(), built
    )
    told = ordeal.have_a_sick_disk(failures)
    tell(told)
    assert told.faults == []
    assert sum(told.failures.values()) >= failures
    assert told.said["refused with a sentence"] + told.said["told on the page"] > 0, "no failure was ever said"


def test_a_start_on_a_failing_disk_ends_in_one_sentence_or_succeeds(
    tmp_path: Path, pytestconfig: pytest.Config, built: Path, tell: Ask
) -> None:
    starts = max(1, pytestconfig.getoption("--failures") // 5)
    ordeal = Ordeal(
        tmp_path / "data", _port(pytestconfig) + 2, pytestconfig.getoption("--seed"), LoadedModels.load(), built
    )
    told = ordeal.start_ill(starts)
    tell(told)
    assert told.faults == []
    assert told.said["did not start, and said why"] > 0


def _port(config: pytest.Config) -> int:
    port: int = config.getoption("--first-port")
    return port
