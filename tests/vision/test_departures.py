"""Dice that leave the tray while they fly: seen, and marked when they come back; dice that only fly in are not."""

import numpy as np
import pytest
from small_tray import SmallTray

from hardware.simulator.staging import stage
from referee.dice import Departure, Handling, Homecoming, Zone
from vision.departures import Landing, RestingDie, find_departures
from vision.motion_burst import BlobSighting, BlobTrack, MotionBurst
from vision.observations import Observation


def play(small: SmallTray, situation: str) -> tuple[Observation, int]:
    """Stage a situation with three dice; return what was seen at the end, and the tracker's number of the die."""
    small.settle()
    small.tray.throw(small.numbers)
    before = small.settle()
    assert before.departures == ()
    staging = stage(small.tray, situation, small.numbers[:3], np.random.default_rng(small.seed))
    small.watch(0.1)
    for _ in range(60):
        if not staging.is_over:
            small.watch(0.1)
    assert staging.is_over
    seen = small.settle()
    die = small.tray.die(staging.picked[0])
    x, y = float(die["x"]) * 320, float(die["y"]) * 240
    nearest = min(seen.dice, key=lambda one: np.hypot(one.reading.sighting.x - x, one.reading.sighting.y - y))
    return seen, nearest.number


def marked(seen: Observation) -> list[int]:
    return [die.number for die in seen.dice if die.handled is Handling.RETURNED]


@pytest.mark.parametrize("seed", [1, 3, 4])
def test_a_die_that_flies_off_and_is_laid_back_at_once_has_left(seed: int) -> None:
    small = SmallTray("intersection", seed)
    seen, die = play(small, "off-and-back-at-once")
    assert len(seen.dice) == 6
    (departure,) = seen.departures
    assert (departure.throw, departure.home, departure.die) == (seen.throw, Homecoming.BY_HAND, die)
    assert marked(seen) == [die]
    inside, across, back = departure.moments
    assert small.now - 6 < inside < across < back <= small.now


def test_where_two_dice_may_have_been_laid_back_none_is_named() -> None:
    seen, _ = play(SmallTray("intersection", 2), "off-and-back-at-once")
    assert [(known.home, known.die) for known in seen.departures] == [(Homecoming.BY_HAND, 0)]
    assert marked(seen) == []


def test_a_die_that_bounces_over_the_edge_and_back_came_by_itself() -> None:
    seen, die = play(SmallTray("switch-16", 3), "bounce-back")
    assert [(known.home, known.die) for known in seen.departures] == [(Homecoming.BY_ITSELF, die)]
    assert marked(seen) == [die]


def test_a_die_that_flies_off_and_stays_away_has_left_and_is_shown_so_while_it_lies() -> None:
    small = SmallTray("rollers", 4)
    seen, _ = play(small, "fly-off")
    assert [known.home for known in seen.departures] == [Homecoming.NONE]
    assert marked(seen) == []
    assert small.watch(1.0).departures == seen.departures


def test_a_die_laid_back_after_the_table_was_read_is_the_one_that_left() -> None:
    seen, die = play(SmallTray("dice-county-fair", 5), "off-and-back-later")
    assert [(known.home, known.die) for known in seen.departures] == [(Homecoming.BY_HAND, die)]
    assert marked(seen) == [die]


def test_the_next_throw_forgets_departures_and_marks() -> None:
    small = SmallTray("intersection", 1)
    play(small, "off-and-back-at-once")
    small.tray.throw(small.numbers)
    seen = small.settle()
    assert (seen.departures, marked(seen)) == ((), [])


@pytest.mark.parametrize(("rate", "lost"), [(15.0, 0.05), (30.0, 0.0)])
def test_dice_that_fly_in_have_not_left(rate: float, lost: float) -> None:
    small = SmallTray("toss-up", 7, rate=rate, lost=lost)
    small.settle()
    departures: list[Departure] = []
    for count in (10, 4):
        small.tray.throw(small.numbers[:count])
        seen = small.settle()
        departures += seen.departures
    assert departures == []
    assert {die.zone for die in seen.dice} == {Zone.FIELD}
    assert {die.handled for die in seen.dice} == {None}


def test_a_hand_that_comes_and_goes_while_dice_fly_is_no_die_that_leaves() -> None:
    small = SmallTray("intersection", 1402)
    small.settle()
    for pause in (0.9, 1.4):
        small.tray.throw(small.numbers)
        small.watch(pause)
        small.tray.hand(True)
        small.watch(0.6)
        small.tray.hand(False)
        small.watch(1.0)
        assert small.settle().departures == ()


def test_a_die_that_lies_outside_is_the_one_that_left_wherever_it_was_seen_last() -> None:
    """It rolled on beyond the edge where nothing was seen of it, while another came to rest inside."""
    edge = 12.0
    inside = [(k / 15, 100.0 + 8 * k, 150.0) for k in range(9)]
    leaving = [(k / 15, 200.0, 160.0 + 12 * k) for k in range(9)]
    late = [(k / 15, 40.0 + 6 * k, 100.0) for k in range(13)]
    tracks = [_track(number, way, edge) for number, way in enumerate((inside, leaving, late), 1)]
    times = sorted({seen.at for track in tracks for seen in track.sightings})
    blobs = tuple(tuple(seen for track in tracks for seen in track.sightings if seen.at == at) for at in times)
    nothing = np.zeros((240, 320), np.uint8)
    burst = MotionBurst(1.0, nothing, tracks=tuple(tracks), blobs=blobs)
    dice = (
        RestingDie(1, 164, 150, thrown=True, is_out=False),
        RestingDie(2, 300, 236, thrown=True, is_out=True),
        RestingDie(3, 112, 100, thrown=True, is_out=False),
    )
    landing = Landing(dice, 0, taken=False, throw=4, edge=edge, width=320.0)
    (departure,) = find_departures(burst, landing, lambda blob: (blob.y - 200) / edge)
    assert (departure.home, departure.die) == (Homecoming.NONE, 0)


@pytest.mark.parametrize(("depth", "homes"), [(0.4, []), (1.0, [Homecoming.BY_ITSELF])])
def test_a_die_that_flies_over_the_rim_and_back_has_not_left(depth: float, homes: list[Homecoming]) -> None:
    """Above the rim it seems to be outside; one that bounces back off the table was an edge away at least."""
    edge = 12.0
    heights = [150.0, 155.0, 160.0, 170.0, 180.0, 190.0, 201.0, 200 + depth * edge, 190.0, 180.0, 170.0, 165.0]
    track = _track(1, [(k / 15, 100.0 + 8 * k, y) for k, y in enumerate(heights)], edge)
    blobs = tuple((seen,) for seen in track.sightings)
    burst = MotionBurst(1.0, np.zeros((240, 320), np.uint8), tracks=(track,), blobs=blobs)
    dice = (RestingDie(1, 180, 165, thrown=True, is_out=False),)
    landing = Landing(dice, 0, taken=False, throw=4, edge=edge, width=320.0)
    assert [one.home for one in find_departures(burst, landing, lambda blob: (blob.y - 200) / edge)] == homes


def test_dice_that_a_hand_takes_out_one_after_the_other_are_none_that_flies_in() -> None:
    """At 15 pictures a second the first is outside where the second is a picture later, nearer to the tray."""
    edge = 12.0
    out = [(0, 200.0, 190.0), (1, 200.0, 212.0)], [(0, 170.0, 175.0), (1, 180.0, 190.0), (2, 190.0, 206.0)]
    in_ = [(8, 100.0, 215.0), (9, 110.0, 180.0), (10, 115.0, 150.0)], [(9, 250.0, 210.0), (10, 250.0, 180.0)]
    ways = [[(number / 15, x, y) for number, x, y in way] for way in (*out, *in_)]
    tracks = tuple(_track(number, way, edge) for number, way in enumerate(ways))
    times = sorted({seen.at for track in tracks for seen in track.sightings})
    blobs = tuple(tuple(seen for track in tracks for seen in track.sightings if seen.at == at) for at in times)
    nothing = np.zeros((240, 320), np.uint8)
    burst = MotionBurst(1.0, nothing, tracks=tracks, blobs=blobs)
    dice = tuple(RestingDie(number, 115 + 60 * number, 150, thrown=True, is_out=False) for number in (0, 1))
    landing = Landing(dice, 0, taken=True, throw=4, edge=edge, width=320.0)
    assert find_departures(burst, landing, lambda blob: (blob.y - 200) / edge) == ()


def _track(number: int, way: list[tuple[float, float, float]], edge: float) -> BlobTrack:
    return BlobTrack(number, tuple(BlobSighting(at, x, y, edge, held=False, at_border=False) for at, x, y in way))
