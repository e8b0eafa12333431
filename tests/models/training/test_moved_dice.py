"""Films of dice and a hand: what is said of a die is what became of it."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("mujoco", reason="MuJoCo comes with the train extra")

from models.training.arrival_examples import load_examples
from models.training.lying_dice import top_side
from models.training.moved_dice import EVENTS, FilmedBurst, Grasp, TrueWay, play

EDGE = 0.016
SEEDS = range(4)
WRITE = """
import pathlib, sys
from models.synthetic.canvas import Use
from models.training.moved_dice_films import write_films
write_films(pathlib.Path(sys.argv[1]), int(sys.argv[2]), 1, Use.TRAINING)
"""


def a_film(seed: int, count: int = 5) -> FilmedBurst:
    return FilmedBurst(EDGE, np.array([0.14, 0.105]), (), 20, 0.22, count, np.random.default_rng(seed))


def ways(film: FilmedBurst) -> dict[int, TrueWay]:
    """Return the way of each die that lies in the tray at the end."""
    there = [k for k in range(film.count) if k not in film.away]
    found = {k: film.way_of(k, 0, len(film.instants) - 1) for k in there}
    return {k: way for k, way in found.items() if way is not None}


def faces(film: FilmedBurst, frame: int) -> list[int]:
    return [top_side(turn) for turn in film.instants[frame].turns]


@pytest.mark.parametrize("event", ["carried", "slid", "tidied"])
def test_a_die_that_a_hand_moves_keeps_its_face_and_is_moved(event: str) -> None:
    for seed in SEEDS:
        film = play(a_film(seed), event)
        assert TrueWay.MOVED in ways(film).values()
        assert set(ways(film).values()) <= {TrueWay.MOVED, TrueWay.UNTOUCHED, TrueWay.KNOCKED}
        for k, way in ways(film).items():
            assert (faces(film, 0)[k] == faces(film, -1)[k]) is (way is not TrueWay.KNOCKED)


def test_a_thrown_die_ends_where_physics_puts_it() -> None:
    thrown = []
    for seed in SEEDS:
        film = play(a_film(seed), "thrown")
        assert not any(instant.held for instant in film.instants[-3:])
        for k in (k for k, way in ways(film).items() if way is TrueWay.THROWN):
            path = np.array([instant.centres[k] for instant in film.instants])
            assert path[:, 2].max() > 2 * EDGE
            assert path[-1, 2] == pytest.approx(EDGE / 2, abs=0.02 * EDGE)
            assert np.abs(path[-1] - path[-3]).max() < 0.02 * EDGE
            thrown.append(faces(film, 0)[k] == faces(film, -1)[k])
    assert len(thrown) > 3
    assert not all(thrown)


def test_a_die_flies_in_from_beyond_the_picture_without_a_hand() -> None:
    film = play(a_film(1), "tossed")
    assert TrueWay.THROWN in ways(film).values()
    assert all(instant.hand is None for instant in film.instants)


def test_a_die_that_fingers_turn_shows_another_face() -> None:
    for seed in SEEDS:
        film = play(a_film(seed), "turned")
        turned = [k for k, way in ways(film).items() if way is TrueWay.TURNED]
        assert len(turned) == 1
        assert faces(film, 0)[turned[0]] != faces(film, -1)[turned[0]]


def test_a_die_that_is_laid_in_was_moved_or_turned_and_a_dropped_one_fell() -> None:
    laid = [way for seed in SEEDS for way in ways(play(a_film(seed), "laid in")).values()]
    assert set(laid) >= {TrueWay.MOVED, TrueWay.TURNED, TrueWay.UNTOUCHED}
    assert TrueWay.THROWN not in laid
    assert all(list(ways(play(a_film(seed), "dropped")).values()).count(TrueWay.DROPPED) == 1 for seed in SEEDS)


def test_a_hand_that_only_passes_leaves_all_untouched() -> None:
    film = play(a_film(2), "passed")
    assert set(ways(film).values()) == {TrueWay.UNTOUCHED}
    assert any(instant.hand is not None for instant in film.instants)


def test_a_die_that_another_pushes_away_is_moved() -> None:
    film = a_film(3)
    pushing, pushed = film.lying[:2]
    to = film.where(pushed)
    film.enter(film.above(film.where(pushing)), Grasp.POINTING)
    film.take(pushing)
    film.carry(pushing, to)
    film.put_down(pushing)
    film.end()
    assert np.linalg.norm(film.where(pushed) - to) > 0.9 * EDGE
    assert ways(film)[pushing] is TrueWay.MOVED
    assert ways(film)[pushed] in (TrueWay.MOVED, TrueWay.KNOCKED)


def test_what_happened_before_a_frame_tells_nothing_of_what_came_after() -> None:
    film = play(a_film(0), "carried")
    last = len(film.instants) - 1
    (carried,) = [k for k, way in ways(film).items() if way is TrueWay.MOVED]
    gone = max(n for n, instant in enumerate(film.instants) if carried in instant.held)
    assert film.way_of(carried, 0, gone) is None  # in the hand
    assert film.way_of(carried, gone + 1, last) is TrueWay.UNTOUCHED


def test_a_die_out_of_the_tray_is_not_near_even_where_a_tilted_camera_has_it_behind() -> None:
    film = play(a_film(0), "passed")
    far = [k for k in range(film.count) if not film.is_near(k, len(film.instants) - 1)]
    assert far == film.away
    assert far


@pytest.mark.parametrize("event", EVENTS)
def test_the_same_seed_makes_the_same_film(event: str) -> None:
    first, second = (play(a_film(4), event) for _ in range(2))
    assert len(first.instants) == len(second.instants)
    for one, other in zip(first.instants, second.instants, strict=True):
        assert np.array_equal(one.centres, other.centres)
        assert np.array_equal(one.turns, other.turns)


@pytest.mark.slow
def test_films_that_are_kept_are_those_of_the_same_seed_made_at_once(tmp_path: Path) -> None:
    at_once, in_steps = tmp_path / "once", tmp_path / "steps"
    for folder, count in ((at_once, 2), (in_steps, 1), (in_steps, 2)):
        # MuJoCo chooses its window library on import.
        command = (sys.executable, "-c", WRITE, str(folder), str(count))
        subprocess.run(command, env={**os.environ, "MUJOCO_GL": "egl"}, check=True)  # noqa: S603
    one, other = (load_examples([folder]) for folder in (at_once, in_steps))
    assert [(a.way, a.facts) for a in one] == [(b.way, b.facts) for b in other]
    assert all(np.array_equal(a.seen.planes, b.seen.planes) for a, b in zip(one, other, strict=True))
    assert {example.facts["source"] for example in one} == {"mujoco"}
    assert {example.way for example in one} <= set(TrueWay)
