"""Episodes that were once decided wrong are decided as they should be: what the camera saw and what people did is kept.

`episodes.jsonl.gz` was recorded by `python bench/fair_play.py --keep FOLDER` with the situations, games and seeds that
stand in it. An episode that changes for a good reason is recorded again by the same words.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.fair_cases.episodes import Episode, read_episodes, replay

EPISODES = tuple(read_episodes(Path(__file__).with_name("episodes.jsonl.gz")))


def _name(episode: Episode) -> str:
    return "-".join(map(str, (episode.game, *episode.case.values())))


@pytest.mark.parametrize("episode", EPISODES, ids=_name)
def test_an_episode_is_decided_as_it_was_recorded(episode: Episode) -> None:
    assert replay(episode) is None


def test_a_session_that_decides_otherwise_is_found() -> None:
    episode = EPISODES[0]
    episode.events[-1].told["mood"] = "other"
    found = replay(episode)
    assert found is not None
    assert found.place == len(episode.events) - 1
