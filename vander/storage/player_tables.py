"""Players, their seats, and what their ended games came to, in the journal's tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from datetime import date, datetime
from typing import Any

from sqlalchemy import ColumnElement, String, and_, cast, delete, func, insert, or_, select, text, update
from sqlalchemy.engine import Connection, Row

from referee.dice import Die
from referee.feats import Achievement, CareerGame, Feat, Occasion, Progress, SeatFeat, counting_method
from referee.game_results import METHOD, SeatResult
from referee.journal import Deed
from referee.known_players import KnownPlayer, as_read, first_look, replace_name, stand_in
from referee.past_result import ALL_GAMES, GameSum, PastGame, PastGameFilter, PastSeat
from vander.storage.journal_schema import CAREERS, COUNTED, ENTRIES, FEATS, GAMES, PLAYERS, READ_FACES, RESULTS, SEATS
from vander.storage.outbox_tables import tell_names

# How far players have come with the achievements, in the journal's tables, within a connection that is given


def read_progress(
    connection: Connection, player: int, achievements: Sequence[Achievement]
) -> tuple[Progress, ...] | None:
    """Return a player's progress as it is kept; None where it is not, or was counted by another method."""
    wanted = select(CAREERS).where(CAREERS.c.player_id == player, CAREERS.c.method == counting_method(achievements))
    occasions: dict[str, int] = {}
    levels: defaultdict[str, list[Occasion]] = defaultdict(list)
    for row in connection.execute(wanted.order_by(CAREERS.c.level)):
        if row.level:
            levels[row.achievement].append(Occasion(row.game, row.entry))
        else:
            occasions[row.achievement] = row.occasions
    if any(each.name not in occasions for each in achievements):
        return None
    return tuple(Progress(each, occasions[each.name], tuple(levels[each.name])) for each in achievements)


def write_progress(connection: Connection, player: int, found: Sequence[Progress]) -> None:
    method = counting_method([each.achievement for each in found])
    rows = [{"player_id": player, "method": method, **row} for each in found for row in _rows(each)]
    connection.execute(insert(CAREERS), rows)


def _rows(found: Progress) -> Iterator[dict[str, object]]:
    name = found.achievement.name
    yield {"achievement": name, "level": 0, "occasions": found.occasions, "game": 0, "entry": 0}
    for level, where in enumerate(found.levels, start=1):
        least = found.achievement.levels[level - 1]
        yield {"achievement": name, "level": level, "occasions": least, "game": where.game, "entry": where.entry}


def players_without_progress(connection: Connection, achievements: Sequence[Achievement]) -> list[int]:
    """Return the numbers of the remembered players whose progress is not kept, in order."""
    kept = select(CAREERS.c.player_id).where(CAREERS.c.method == counting_method(achievements))
    wanted = select(PLAYERS.c.id).where(PLAYERS.c.forgotten_at.is_(None), PLAYERS.c.id.not_in(kept))
    return [int(number) for number in connection.execute(wanted.order_by(PLAYERS.c.id)).scalars()]


def drop_progress_of_player(connection: Connection, player: int) -> None:
    connection.execute(delete(CAREERS).where(CAREERS.c.player_id == player))


def drop_progress_of(connection: Connection, game: int) -> None:
    """Delete the progress of all players of a game, whose results go or come."""
    seated = select(SEATS.c.player_id).where(SEATS.c.game_id == game)
    connection.execute(delete(CAREERS).where(CAREERS.c.player_id.in_(seated)))


def drop_progress(connection: Connection) -> None:
    """Delete the progress of all players, as when two of them become one: their company counts."""
    connection.execute(delete(CAREERS))


# How often each face was read in ended games, in the journal's tables, within a connection that the journal gives


ReadFace = tuple[str, str, str]
"""A kind of dice, the face as which one was read, and the face to which people corrected it, '' where nobody did."""


def write_faces(connection: Connection, game: int, faces: Mapping[ReadFace, int]) -> None:
    """Write how often each face was read in a game of which that is not written yet."""
    rows = [
        {"game_id": game, "kind": kind, "read_as": read_as, "truth": truth, "dice": dice}
        for (kind, read_as, truth), dice in faces.items()
    ]
    if rows:
        connection.execute(insert(READ_FACES), rows)


def sum_faces(connection: Connection, die_set: str) -> Mapping[ReadFace, int]:
    """Return how often each face of a die set was read in all ended games."""
    face = (READ_FACES.c.kind, READ_FACES.c.read_as, READ_FACES.c.truth)
    wanted = (
        select(*face, func.sum(READ_FACES.c.dice))
        .join(GAMES, GAMES.c.id == READ_FACES.c.game_id)
        .where(GAMES.c.die_set == die_set)
        .group_by(*face)
    )
    return {(kind, read_as, truth): int(dice) for kind, read_as, truth, dice in connection.execute(wanted)}


def die_sets_read(connection: Connection) -> tuple[str, ...]:
    """Return the names of the die sets of which a die was read in an ended game, in order."""
    with_faces = select(READ_FACES.c.game_id).where(READ_FACES.c.game_id == GAMES.c.id).exists()
    wanted = select(GAMES.c.die_set).where(with_faces).distinct().order_by(GAMES.c.die_set)
    return tuple(connection.execute(wanted).scalars())


# Feats of ended games in the journal's tables, and a player's games with them, within a connection that is given


BESIDES = (Feat.DECIDED, Feat.LUCKIEST)
"""Feats that a result shows and no achievement counts."""


def write_feats(connection: Connection, game: int, feats: Sequence[SeatFeat]) -> None:
    if feats:
        connection.execute(insert(FEATS), [{"game_id": game, **asdict(feat)} for feat in feats])


def list_feats(connection: Connection, game: int) -> tuple[SeatFeat, ...]:
    wanted = select(FEATS).where(FEATS.c.game_id == game).order_by(FEATS.c.seat, FEATS.c.feat)
    return tuple(SeatFeat(row.seat, row.feat, row.entry, row.value) for row in connection.execute(wanted))


def read_career(connection: Connection, player: int) -> tuple[CareerGame, ...]:
    """Return a player's finished games, in the order in which they ended: one may have stood open for days."""
    theirs = SEATS.alias("theirs")
    with_feats = (
        select(FEATS.c.game_id, FEATS.c.feat, FEATS.c.entry)
        .join(theirs, (theirs.c.game_id == FEATS.c.game_id) & (theirs.c.seat == FEATS.c.seat))
        .where(theirs.c.player_id == player, FEATS.c.feat.not_in(BESIDES))
    )
    feats: defaultdict[int, dict[str, int]] = defaultdict(dict)
    for game, feat, entry in connection.execute(with_feats):
        feats[game][feat] = entry
    company = func.aggregate_strings(cast(SEATS.c.player_id, String), " ").label("company")
    together = select(company).where(SEATS.c.game_id == GAMES.c.id).correlate(GAMES).scalar_subquery()
    wanted = (
        select(GAMES.c.id, GAMES.c.game, RESULTS.c.won, GAMES.c.ended_at, GAMES.c.clock_doubted, together)
        .join(theirs, theirs.c.game_id == GAMES.c.id)
        .join(RESULTS, (RESULTS.c.game_id == theirs.c.game_id) & (RESULTS.c.seat == theirs.c.seat))
        .where(theirs.c.player_id == player, RESULTS.c.finished)
        .order_by(GAMES.c.ended_at, GAMES.c.id)
    )
    return tuple(
        CareerGame(number, game, won, _day(ended, doubted), frozenset(map(int, seated.split())), feats.get(number, {}))
        for number, game, won, ended, doubted, seated in connection.execute(wanted)
    )


def _day(ended: datetime, is_doubted: bool) -> date | None:
    """Return the day on which a game ended, where the table stands."""
    return None if is_doubted else ended.astimezone().date()


# The players and their seats in the journal's tables, within a connection that the journal gives


NOTATION = (str(Deed.LAID), str(Deed.BLIND))
"""Deeds whose notes are in a notation of their own, which holds no names."""
NOBODY_KNOWN = 0
"""Stands for a player's number where nobody is remembered."""


def find_or_add_players(connection: Connection, names: Sequence[str], now: datetime) -> list[tuple[int, str]]:
    """Return the number and the remembered name of each player, who is added where the name is new.

    Of two names in one game that read alike, which older journals may hold, only the first is a player's.
    """
    found: list[tuple[int, str]] = []
    for name in names:
        if not as_read(name):
            found.append((NOBODY_KNOWN, name))
            continue
        known = _find(connection, name) or _add(connection, name.strip(), now)
        is_doubled = known[0] in (number for number, _ in found)
        found.append((NOBODY_KNOWN, name) if is_doubled else known)
    return found


def seat_players(connection: Connection, game: int, players: Sequence[int]) -> None:
    """Write who sits where in a game; the players are in the order of the seats."""
    rows = [
        {"game_id": game, "seat": seat, "player_id": player}
        for seat, player in enumerate(players, start=1)
        if player != NOBODY_KNOWN
    ]
    if rows:
        connection.execute(insert(SEATS), rows)


def list_players(connection: Connection) -> tuple[KnownPlayer, ...]:
    """Return the players who are not forgotten, in the order in which they came, with how many of their games ended."""
    games = func.count(GAMES.c.id)
    wanted = (
        select(PLAYERS, games.label("games"))
        .outerjoin(SEATS, SEATS.c.player_id == PLAYERS.c.id)
        .outerjoin(GAMES, and_(GAMES.c.id == SEATS.c.game_id, GAMES.c.ended_at.is_not(None)))
        .where(PLAYERS.c.forgotten_at.is_(None))
        .group_by(PLAYERS.c.id)
        .order_by(PLAYERS.c.id)
    )
    return tuple(
        KnownPlayer(row.id, row.name, row.colour, row.picture, row.made_at, row.games)
        for row in connection.execute(wanted)
    )


def remembered(connection: Connection, numbers: Iterable[int]) -> frozenset[int]:
    """Return which of these numbers are those of players who are not forgotten."""
    wanted = select(PLAYERS.c.id).where(PLAYERS.c.id.in_(tuple(numbers)), PLAYERS.c.forgotten_at.is_(None))
    return frozenset(int(number) for number in connection.execute(wanted).scalars())


def set_player(connection: Connection, number: int, **values: str) -> None:
    """Change a player's `name`, `colour` or `picture`; seats and notes keep the name that they have."""
    key = {"name_key": as_read(values["name"])} if "name" in values else {}
    connection.execute(update(PLAYERS).where(PLAYERS.c.id == number).values(**values, **key))


def games_with_both(connection: Connection, one: int, other: int) -> list[int]:
    """Return the numbers of the games in which both players sat."""
    theirs = select(SEATS.c.game_id).where(SEATS.c.player_id == other)
    wanted = select(SEATS.c.game_id).where(SEATS.c.player_id == one, SEATS.c.game_id.in_(theirs))
    return [int(game) for game in connection.execute(wanted).scalars()]


def move_seats(connection: Connection, one: int, to: int) -> None:
    """Give all seats of one player to another, and delete the first."""
    drop_progress(connection)
    connection.execute(update(SEATS).where(SEATS.c.player_id == one).values(player_id=to))
    connection.execute(delete(PLAYERS).where(PLAYERS.c.id == one))


def blank_player(connection: Connection, number: int, now: datetime) -> None:
    """Keep of a player no more than a number, so that seats still point to it."""
    drop_progress_of_player(connection, number)
    nothing = {"name": "", "name_key": None, "colour": "", "picture": "", "forgotten_at": now}
    connection.execute(update(PLAYERS).where(PLAYERS.c.id == number).values(**nothing))


def name_seats(connection: Connection, number: int, name: str) -> int:
    """Replace a player's name in every game, and in the notes and devices of entries; return in how many games.

    '' stands for a forgotten player: each seat is called by its number then. What was typed in another spelling is
    replaced too.
    """
    seats = dict(_seats_of(connection, number))
    spellings = {str(connection.execute(select(PLAYERS.c.name).where(PLAYERS.c.id == number)).scalar() or "")}
    games = 0
    for game, names in _games_with(connection, seats, spellings):
        changed = _renamed(names, seats.get(game, 0), spellings, name)
        swapped = {old: new for old, new in zip(names, changed, strict=True) if old != new}
        if swapped:
            games += 1
            connection.execute(update(GAMES).where(GAMES.c.id == game).values(players=changed))
            _replace_in_notes(connection, game, swapped, [each for each in names if each not in swapped])
            tell_names(connection, game, changed)
        spellings |= swapped.keys()
    others = [player.name for player in list_players(connection) if player.number != number]
    for spelling in spellings - {""}:
        _replace_in_devices(connection, spelling, name or "Somebody", others)
    return games


def _find(connection: Connection, name: str) -> tuple[int, str] | None:
    row = connection.execute(select(PLAYERS.c.id, PLAYERS.c.name).where(PLAYERS.c.name_key == as_read(name))).first()
    return (row.id, row.name) if row else None


def _add(connection: Connection, name: str, now: datetime) -> tuple[int, str]:
    number = connection.execute(select(func.coalesce(func.max(PLAYERS.c.id), 0) + 1)).scalar_one()
    colour, picture = first_look(number)
    row = {"id": number, "name": name, "name_key": as_read(name), "colour": colour, "picture": picture, "made_at": now}
    connection.execute(insert(PLAYERS).values(row))
    return number, name


def _seats_of(connection: Connection, number: int) -> Iterator[tuple[int, int]]:
    wanted = select(SEATS.c.game_id, SEATS.c.seat).where(SEATS.c.player_id == number)
    yield from ((row.game_id, row.seat) for row in connection.execute(wanted))


def _games_with(
    connection: Connection, seats: Mapping[int, int], spellings: Iterable[str]
) -> Iterator[tuple[int, list[str]]]:
    """Yield the games, with their names, in which the player sits or a name reads like the player's."""
    keys = {as_read(spelling) for spelling in spellings} - {""}
    for row in connection.execute(select(GAMES.c.id, GAMES.c.players).order_by(GAMES.c.id)).all():
        if row.id in seats or any(as_read(name) in keys for name in row.players):
            yield row.id, list(row.players)


def _renamed(names: Sequence[str], seat: int, spellings: Iterable[str], new: str) -> list[str]:
    """Return a game's names with the player's replaced; without a new name each seat is called by its number."""
    keys = {as_read(spelling) for spelling in spellings} - {""}
    theirs = [place == seat or as_read(name) in keys for place, name in enumerate(names, start=1)]
    others = [name for name, is_theirs in zip(names, theirs, strict=True) if not is_theirs]
    return [
        (new if new and place == seat else stand_in(place, others)) if is_theirs else name
        for place, (name, is_theirs) in enumerate(zip(names, theirs, strict=True), start=1)
    ]


def _replace_in_notes(connection: Connection, game: int, names: Mapping[str, str], others: Sequence[str]) -> None:
    said = or_(*(ENTRIES.c.note.contains(name, autoescape=True) for name in names))
    wanted = select(ENTRIES.c.number, ENTRIES.c.note).where(
        ENTRIES.c.game_id == game, ENTRIES.c.deed.not_in(NOTATION), said
    )
    for row in connection.execute(wanted).all():
        note = row.note
        for old, new in names.items():
            note = replace_name(note, old, new, others=others)
        entry = (ENTRIES.c.game_id == game, ENTRIES.c.number == row.number)
        connection.execute(update(ENTRIES).where(*entry).values(note=note))


def _replace_in_devices(connection: Connection, name: str, new: str, others: Sequence[str]) -> None:
    for device in connection.execute(select(ENTRIES.c.device).distinct()).scalars().all():
        renamed = replace_name(device, name, new, any_case=True, others=others)
        if renamed != device:
            connection.execute(update(ENTRIES).where(ENTRIES.c.device == device).values(device=renamed))


# What ended games came to, in the journal's tables, within a connection that the journal gives


_THEIRS = """
    FROM seats s
    JOIN results r ON r.game_id = s.game_id AND r.seat = s.seat
    JOIN games g ON g.id = r.game_id
    LEFT JOIN results o ON o.game_id = r.game_id AND o.seat = 2
    WHERE s.player_id = :player AND r.finished AND (:against = 0 OR EXISTS (
        SELECT 1 FROM seats t WHERE t.game_id = r.game_id AND t.player_id = :against))
"""
"""The finished games of a player: `o` is there in a game with other players."""
_ABOVE = 10_000_000_000
"""More than any game's number: points times this, less the number of their game, are highest for the most points in the
first game that brought them. So one pass finds both; sorting the games took twice as long as all other sums."""
SUMS = text(
    "\n".join(
        (
            "SELECT g.game, COUNT(*), COUNT(o.seat), SUM(CASE WHEN r.won AND o.seat IS NOT NULL THEN 1 ELSE 0 END),",
            f"AVG(r.score), MAX(r.score * {_ABOVE} - r.game_id), MAX(r.best_turn * {_ABOVE} - r.game_id),",
            "SUM(r.turns), SUM(r.throws), SUM(r.stops), SUM(r.stop_chance), SUM(r.stop_variance),",
            "SUM(r.points_luck), SUM(r.points_variance), SUM(r.risks), SUM(r.risk)",
            _THEIRS,
            "GROUP BY g.game ORDER BY g.game",
        )
    )
)


def uncounted_games(connection: Connection) -> list[int]:
    """Return the numbers of the ended games whose results are missing, or were counted by another method."""
    counted = select(RESULTS.c.game_id).where(RESULTS.c.method == METHOD)
    wanted = select(GAMES.c.id).where(GAMES.c.ended_at.is_not(None), GAMES.c.id.not_in(counted)).order_by(GAMES.c.id)
    return [int(number) for number in connection.execute(wanted).scalars()]


def write_results(  # noqa: PLR0913  # all that is counted of a game
    connection: Connection,
    game: int,
    results: Sequence[SeatResult],
    entries: int,
    *,
    feats: Sequence[SeatFeat] = (),
    faces: Mapping[ReadFace, int] | None = None,
) -> None:
    """Write what an ended game came to by so many `entries`, in place of what was counted before.

    With it the `feats` of the seats, and how often each face was read. Nothing is written of a game that has gone on
    since.
    """
    held = select(func.count()).where(ENTRIES.c.game_id == game).scalar_subquery()
    if not connection.execute(select(GAMES.c.id).where(GAMES.c.id == game, held == entries)).first():
        return
    drop_count(connection, game)
    drop_progress_of(connection, game)
    connection.execute(insert(RESULTS), [{"game_id": game, "method": METHOD, **asdict(result)} for result in results])
    write_feats(connection, game, feats)
    write_faces(connection, game, faces or {})


def drop_count(connection: Connection, game: int) -> None:
    """Delete what was counted of a game, and with it the progress of its players."""
    held = [connection.execute(delete(counted).where(counted.c.game_id == game)).rowcount for counted in COUNTED]
    if any(held):
        drop_progress_of(connection, game)


def delete_results(connection: Connection) -> None:
    """Delete all that was counted, so that every game is counted again."""
    for counted in COUNTED:
        connection.execute(delete(counted))
    drop_progress(connection)


def sum_games(connection: Connection, player: int, against: int = 0) -> tuple[GameSum, ...]:
    """Return a player's finished games, summed game by game; `against` another player only those of both."""
    who = {"player": player, "against": against}
    return tuple(
        GameSum(
            game, games, shared, wins, float(average), *_decoded(score), *_best_turn(connection, player, turn), *sums
        )
        for game, games, shared, wins, average, score, turn, *sums in connection.execute(SUMS, who).all()
    )


def _decoded(best: int) -> tuple[int, int]:
    """Return the points of `points * _ABOVE - game`, and the game."""
    points = best // _ABOVE + 1
    return points, points * _ABOVE - best


def _best_turn(connection: Connection, player: int, best: int) -> tuple[int, int, int]:
    """Return the points of a best turn, its game, and the entry that ended it."""
    points, game = _decoded(best)
    theirs = (SEATS.c.game_id == RESULTS.c.game_id) & (SEATS.c.seat == RESULTS.c.seat)
    wanted = select(RESULTS.c.best_entry).join(SEATS, theirs)
    entry = connection.execute(wanted.where(RESULTS.c.game_id == game, SEATS.c.player_id == player)).scalar_one()
    return points, game, int(entry)


def list_played(
    connection: Connection, wanted: PastGameFilter = ALL_GAMES, *, most: int = 0, number: int | None = None
) -> tuple[PastGame, ...]:
    """Return the ended games that are wanted, the newest first, each with its seats.

    `most` of them, or that of a `number`, where these are given.
    """
    query = select(GAMES).where(GAMES.c.ended_at.is_not(None), *_narrowing(wanted)).order_by(GAMES.c.id.desc())
    query = query if number is None else query.where(GAMES.c.id == number)
    query = query.limit(most) if most else query
    games = connection.execute(query).all()
    lowest, highest = min((row.id for row in games), default=0), max((row.id for row in games), default=0)
    between = RESULTS.c.game_id.between(lowest, highest)
    results = {(row.game_id, row.seat): row for row in connection.execute(select(RESULTS).where(between))}
    seats = select(SEATS).where(SEATS.c.game_id.between(lowest, highest))
    known = {(row.game_id, row.seat): row.player_id for row in connection.execute(seats)}
    return tuple(_played(row, known, results) for row in games)


def _narrowing(wanted: PastGameFilter) -> Iterator[ColumnElement[bool]]:
    if wanted.before:
        yield GAMES.c.id < wanted.before
    if wanted.game:
        yield GAMES.c.game == wanted.game
    if wanted.die_set:
        yield GAMES.c.die_set == wanted.die_set
    if wanted.face:
        yield _has_read(wanted.face)
    for one in filter(None, (wanted.player, wanted.against)):
        yield GAMES.c.id.in_(select(SEATS.c.game_id).where(SEATS.c.player_id == one))


def _has_read(die: Die) -> ColumnElement[bool]:
    """Return whether a game has a throw in which the face of such a die was read."""
    faces = READ_FACES.c
    read = select(faces.game_id).where(faces.game_id == GAMES.c.id, faces.kind == die.kind, faces.read_as == die.face)
    return read.where(faces.truth == "").exists()


def _played(
    row: Row[Any], known: Mapping[tuple[int, int], int], results: Mapping[tuple[int, int], Row[Any]]
) -> PastGame:
    seats = tuple(
        PastSeat(seat, name, known.get((row.id, seat), 0), _result(results.get((row.id, seat))))
        for seat, name in enumerate(row.players, start=1)
    )
    is_doubted = row.clock_doubted or row.ended_at < row.started_at
    return PastGame(row.id, row.game, row.started_at, row.ended_at, is_doubted, seats)


def _result(row: Row[Any] | None) -> SeatResult | None:
    return SeatResult(*(getattr(row, name) for name in _FIELDS)) if row else None


_FIELDS = tuple(field.name for field in fields(SeatResult))
