"""Films on disk: whole or not at all, within their quota, and never in the way of play."""

from __future__ import annotations

import errno
from pathlib import Path
from zlib import crc32

import pytest

from vander.storage.data_folder import DamagedFilm, PictureDeleted
from vander.storage.evidence_store import (
    MAGIC,
    MEGABYTE,
    EvidenceStore,
    FilmDie,
    FilmFile,
    FilmIndex,
    FilmStore,
    film_bytes,
    read_film,
)

DICE = (
    FilmDie(1, "traffic", "happy", 0.97, (("star", 0.02),), 40.0, 50.0, 16.0, "field", thrown=True, crop=4),
    FilmDie(2, "signal", "go", 0.5),
)
INDEX = FilmIndex("2026-11-22T18:00:00+00:00", (1.0, 1.5, 2.0), (True, False, True), (3, 2, 5), 0, dice=DICE)


def film(megabytes: float = 0.0) -> bytes:
    size = round(megabytes * MEGABYTE)
    index = FilmIndex("", (1.0,), (True,), (size,)) if size else INDEX
    return film_bytes(index, [bytes(size)] if size else [b"one", b"2!", b"three"], [] if size else [b"crop"])


def names(folder: Path) -> list[str]:
    return sorted(path.stem for path in folder.glob("*"))


def full_disk(path: Path, contents: bytes) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_film_reads_back() -> None:
    found = read_film(film())
    assert [found.picture(number) for number in range(4)] == [b"one", b"2!", b"three", None]
    assert (found.crop(1), found.crop(2), found.crop(3)) == (b"crop", None, None)
    assert found.index.dice == DICE


def test_a_film_without_pictures_holds_the_readings() -> None:
    found = read_film(film_bytes(FilmIndex("", dice=DICE), [], [b"crop"]))
    assert found.picture(0) is None
    assert found.crop(1) == b"crop"


def test_a_film_that_also_tells_which_dice_left_the_tray_opens() -> None:
    """Films had that in their index until the dice at rest told it."""
    whole, pictures = film(), b"one2!threecrop"
    text = whole[len(MAGIC) + 8 : -len(pictures)]
    text = text.replace(b'"crc"', b'"departures":[{"die":2,"home":"laid","moments":[1.0,1.1,1.9]}],"crc"')
    found = read_film(b"".join((MAGIC, len(text).to_bytes(4), crc32(text).to_bytes(4), text, pictures)))
    assert b"departures" in found.contents
    assert found.index == read_film(film()).index
    assert found.crop(1) == b"crop"


@pytest.mark.parametrize("kept", [0, 5, 20, 60, -9, -1])
def test_a_film_that_was_cut_short_is_damaged(kept: int) -> None:
    with pytest.raises(DamagedFilm):
        read_film(film()[:kept])


def test_a_film_with_one_wrong_byte_is_damaged() -> None:
    whole = film()
    for place in range(0, len(whole), 7):
        wrong = bytearray(whole)
        wrong[place] ^= 0xFF
        with pytest.raises(DamagedFilm):
            read_film(bytes(wrong))


def test_the_oldest_films_go_first_within_the_quota(tmp_path: Path) -> None:
    store = FilmStore(tmp_path, quota_mb=2)
    for entry in (9, 10, 11):
        assert store.keep(f"game-1-entry-{entry}", film(0.8))
    assert names(tmp_path) == ["game-1-entry-10", "game-1-entry-11"]
    with pytest.raises(PictureDeleted):
        store.read("game-1-entry-9")
    assert isinstance(store.read("game-1-entry-11"), FilmFile)


def test_without_a_quota_no_film_is_kept_and_nothing_is_said(tmp_path: Path) -> None:
    store = FilmStore(tmp_path, quota_mb=0)
    assert not store.keep("game-1-entry-1", film())
    assert (names(tmp_path), store.trouble) == ([], "")


def test_a_full_card_costs_the_oldest_films_and_then_this_one_with_a_sentence(tmp_path: Path) -> None:
    FilmStore(tmp_path, quota_mb=5).keep("game-1-entry-1", film())
    store = FilmStore(tmp_path, quota_mb=5, write=full_disk)
    assert not store.keep("game-1-entry-2", film())
    assert names(tmp_path) == []
    assert store.trouble.startswith("The film of the last throw could not be kept (No space left on device).")


def test_films_leave_the_megabytes_free_that_the_owner_wants(tmp_path: Path) -> None:
    store = FilmStore(tmp_path, quota_mb=5, spare_mb=300, room=lambda _: 200 * MEGABYTE)
    assert not store.keep("game-1-entry-2", film())
    assert "the card is nearly full" in store.trouble


def test_films_give_way_before_any_evidence_does(tmp_path: Path) -> None:
    films = FilmStore(tmp_path / "films", quota_mb=5)
    evidence = EvidenceStore(tmp_path / "evidence", give_way=films.make_room)
    evidence.keep("game-1-entry-1", b"picture")
    films.keep("game-2-entry-1", film())
    assert evidence.make_room()
    assert "game-1-entry-1" in evidence
    assert evidence.make_room()
    assert "game-1-entry-1" not in evidence


@pytest.mark.parametrize("name", ["../journal", "game-1-entry-1/../x", "", "journal.sqlite"])
def test_only_names_of_films_are_read(tmp_path: Path, name: str) -> None:
    with pytest.raises(LookupError):
        FilmStore(tmp_path, quota_mb=5).read(name)


def test_what_a_power_cut_left_and_what_a_lower_quota_bears_no_more_is_deleted(tmp_path: Path) -> None:
    FilmStore(tmp_path, quota_mb=5).keep("game-1-entry-1", film(0.6))
    FilmStore(tmp_path, quota_mb=5).keep("game-1-entry-2", film(0.6))
    (tmp_path / "game-1-entry-3.film.part").write_bytes(b"half")
    FilmStore(tmp_path, quota_mb=1).clean_up()
    assert names(tmp_path) == ["game-1-entry-2"]
