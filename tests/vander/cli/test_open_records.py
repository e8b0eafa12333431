"""Game records on disk and in the journal: checked, exported and imported."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from models import die_sets
from referee.actions import Action
from referee.game import BadSheet
from referee.games import games, named
from referee.journal import Deed, Entry, Source
from referee.record_parser import BadRecord, RecordedEntry, parse_record
from vander.cli.check import RecordFileError, check_all
from vander.cli.journal_commands import NotImported, import_game, write_text
from vander.extras.players.exports import CLOCK_DOUBTED, NoSuchJournalGame, export_game
from vander.storage.data_folder import BrokenJournal
from vander.storage.journal_schema import KeptGame
from vander.storage.journal_store import Journal
from vander.table.match import Match

NOON = datetime(2026, 5, 1, 12, 0, 0, 123456, tzinfo=UTC)
GOLDEN = Path(__file__).parents[2] / "referee/golden"
HEAD = "game: intersection\nplayers: Ann\n"
ROLL = "1 roll signal:go traffic:happy traffic:sad traffic:star traffic:two traffic:two"
BREACH = 'breach I.2-6 "Nothing is parked yet."'
HOUSE_RULES = {"no-dice": "off", "leader-leaves": "ends"}
SHEETS = Path(__file__).parents[3] / "referee/games/dice_county_fair"


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with closing(Journal.in_folder(tmp_path / "data")) as opened:
        yield opened


def entries(*texts: str) -> tuple[Entry, ...]:
    """The entries of a record's lines, each a microsecond after the one before."""
    record = parse_record(HEAD + "\n".join(texts))
    told = record.journal_entries(NOON)
    return tuple(replace(entry, at=NOON + timedelta(microseconds=entry.number)) for entry in told)


EVERYTHING = entries(
    ROLL,
    "correct 1: 1 roll signal:go traffic:happy traffic:happy traffic:sad traffic:two traffic:two",
    f"{BREACH} @ 2026-05-01 camera game-1-entry-3",
    "laid signal:go traffic:happy@field traffic:sad@field traffic:star@field traffic:two@field traffic:two@field",
    "1 fix traffic:happy traffic:three =field @ 2026-05-01 camera game-1-entry-5",
    "1 give-up",
    "undo 6 @ 2026-05-01 button",
    'breach "Ein „Würfel“ fiel\\nvom Tisch # @ oder \\"so\\"."',
)
"""An entry of each kind, with all that an entry can hold."""


def kept(**changes: Any) -> KeptGame:
    """A game of Intersection that was played elsewhere."""
    ann = KeptGame(0, "intersection", ("Ann",), {}, "intersection", NOON, NOON + timedelta(hours=1))
    return replace(ann, **changes)


def record_file(folder: Path, *lines: str, head: str = HEAD) -> str:
    path = folder / "record.txt"
    path.write_text(head + "\n".join(lines), "utf-8")
    return str(path)


# Out of the journal and into it


@pytest.mark.parametrize("players", [("Ann",), ('"Bob", the die', "#4 ", "Zoë\n", "")])
def test_a_game_comes_back_exactly_from_its_record(players: tuple[str, ...], journal: Journal, tmp_path: Path) -> None:
    """Names too that no game can begin with come back, for the record is the journal's."""
    there = journal.keep(kept(players=players, options=HOUSE_RULES), EVERYTHING)
    text = export_game(journal, games())
    record = parse_record(text)
    assert record.journal_entries(NOON) == EVERYTHING == journal.entries(there.number)
    assert (record.players, record.options, record.dice) == (players, HOUSE_RULES, "intersection")
    assert (record.started, record.ended) == (there.started_at, there.ended_at)


def test_what_is_exported_and_imported_is_the_same_game_again(journal: Journal, tmp_path: Path) -> None:
    first = journal.keep(kept(players=("Ann # Lee",), options=HOUSE_RULES), EVERYTHING)
    text = export_game(journal, games())
    path = tmp_path / "record.txt"
    write_text(text, path)
    second, told = import_game(journal, str(path), games())
    assert told == ""
    assert second == replace(first, number=2, clock_doubted=True)
    assert journal.games() == (first, second)
    assert journal.entries(2) == EVERYTHING
    assert export_game(journal, games(), 1) == text
    assert export_game(journal, games(), 2).replace(f"# {CLOCK_DOUBTED}\n", "", 1) == text
    assert (CLOCK_DOUBTED in text, CLOCK_DOUBTED in export_game(journal, games(), 2)) == (False, True)


DICE = "rollers-black:pip-1 rollers-purple:pip-1 rollers-purple:pip-1 " + " ".join(["rollers-purple:pip-4"] * 3)
SKIPPED = ("1 begin", f"1 roll {DICE}", "1 stop", "1 open rollers-black:pip-1 =1", "1 skip")


def test_a_game_of_before_an_option_is_played_as_it_was_and_its_record_says_so(journal: Journal) -> None:
    """What a skipped turn had brought once stayed."""
    older = kept(game="rollers", players=("Ann", "Bob"), options={"target": "3"}, die_set="rollers")
    number = journal.keep(older, entries(*SKIPPED)).number
    match = Match.of(journal.games()[0], named("rollers"), die_sets.load("rollers"), journal.entries(number))
    assert named("rollers").facts(match.state)["boards"] == [["open", *["empty"] * 4], ["empty"] * 5]
    record = parse_record(export_game(journal, games()))
    assert record.options == {"skipped-turn": "stays-open", "target": "3"}


def test_a_record_that_does_not_name_an_option_is_kept_with_the_default(journal: Journal, tmp_path: Path) -> None:
    path = record_file(tmp_path, *SKIPPED, head="game: rollers\nplayers: Ann, Bob\n")
    assert import_game(journal, path, games())[0].options == {"skipped-turn": "taken-back"}
    assert parse_record(export_game(journal, games())).options == {}


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.txt")), ids=lambda path: path.stem)
def test_every_golden_game_goes_into_the_journal_and_out_again(path: Path, journal: Journal, tmp_path: Path) -> None:
    before = parse_record(path.read_text("utf-8"))
    number = import_game(journal, str(path), games())[0].number
    after = parse_record(export_game(journal, games(), number))
    assert (after.game, after.players, after.options) == (before.game, before.players, before.options)
    assert [str(entry) for entry in after.entries] == [str(entry) for entry in before.entries]
    match = Match.of(journal.games()[0], named(after.game), die_sets.load(after.dice), journal.entries(number))
    claims = [str(line) for line in after.lines if not isinstance(line, RecordedEntry)]
    scores, winner = (", ".join(map(str, seats)) for seats in (match.state.scores, match.state.winner))
    last = [f"{name}: {told}" for name, told in (("scores", scores), ("winner", winner)) if told]
    assert claims[len(claims) - len(last) :] == last
    assert ("chips" in str(claims)) == (after.game == "rollers")
    assert ("disk-on" in str(claims)) == (after.game == "switch-16")
    again = record_file(tmp_path, export_game(journal, games(), number), head="")
    assert check_all([again], (), as_json=False) == 0


def test_the_latest_game_is_exported_and_another_by_its_number(journal: Journal) -> None:
    with pytest.raises(NoSuchJournalGame, match=r"^the journal has no game; it has no games yet$"):
        export_game(journal, games())
    journal.begin("intersection", ("Ann",), {}, "intersection")
    journal.keep(kept(players=("Bob",)), ())
    assert parse_record(export_game(journal, games())).players == ("Bob",)
    assert parse_record(export_game(journal, games(), 1)).players == ("Ann",)
    with pytest.raises(NoSuchJournalGame, match=r"^the journal has no game 7; it has 1, 2$"):
        export_game(journal, games(), 7)


def test_a_game_that_goes_on_is_exported_without_an_end(journal: Journal) -> None:
    begun = journal.begin("intersection", ("Ann",), {}, "intersection")
    journal.write(begun.number, *EVERYTHING[:1])
    record = parse_record(export_game(journal, games()))
    assert (record.started, record.ended) == (begun.started_at, None)


def test_a_game_that_the_rules_cannot_follow_is_exported_without_claims(journal: Journal) -> None:
    journal.keep(kept(), entries("1 end"))
    journal.keep(kept(game="chess"), ())
    assert "scores" not in export_game(journal, games(), 1)
    assert export_game(journal, games(), 2).startswith("game: chess\n")


def test_what_a_record_has_no_words_for_is_not_exported(journal: Journal) -> None:
    journal.keep(kept(), [replace(entries(ROLL)[0], note="An action with a note.")])
    with pytest.raises(BadRecord, match="game 1 holds what a record has no words for"):
        export_game(journal, games())


def test_a_file_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "record.txt"
    path.write_text("dear")
    with pytest.raises(RecordFileError, match=r"record.txt is there already; name another file"):
        write_text("new", path)
    assert path.read_text() == "dear"
    with pytest.raises(RecordFileError, match="cannot be written: No such file"):
        write_text("new", tmp_path / "none" / "record.txt")
    with pytest.raises(RecordFileError, match=r"give --game-number 1 for that game, or a name such as game-1\.txt"):
        write_text("new", tmp_path / "1")
    assert not (tmp_path / "1").exists()


def test_a_record_goes_to_standard_output_as_utf_8(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    write_text("players: Zoë\n", None)
    sys.stdout.flush()
    assert capfdbinary.readouterr().out == "players: Zoë\n".encode()


# What is imported


def test_a_record_written_by_hand_is_taken_as_told_to_a_tablet(journal: Journal, tmp_path: Path) -> None:
    path = record_file(tmp_path, "started: 2026-05-01", "", ROLL, f"{BREACH} @ 2026-05-02 camera pic", "1 give-up")
    game, told = import_game(journal, path, games())
    assert told == ""
    began, later = datetime(2026, 5, 1, tzinfo=UTC), datetime(2026, 5, 2, tzinfo=UTC)
    assert (game.die_set, game.started_at, game.ended_at) == ("intersection", began, later)
    first, breach, last = journal.entries(game.number)
    assert (first.at, first.source, first.evidence) == (began, Source.TABLET, "")
    assert (breach.at, breach.source, breach.evidence, breach.deed) == (later, Source.CAMERA, "pic", Deed.BREACH)
    assert last.action == Action.parse("1 give-up")


def test_a_record_without_moments_is_of_now(journal: Journal, tmp_path: Path) -> None:
    before = datetime.now(UTC)
    game, _ = import_game(journal, record_file(tmp_path, ROLL), games())
    assert before <= game.started_at <= datetime.now(UTC)
    assert game.ended_at == game.started_at == journal.entries(game.number)[0].at


def test_the_days_of_an_imported_game_say_nothing_of_the_boxs_clock(journal: Journal, tmp_path: Path) -> None:
    game, _ = import_game(
        journal, record_file(tmp_path, "started: 2099-05-01", "", f"{ROLL} @ 2099-05-02 tablet"), games()
    )
    assert game.clock_doubted
    assert journal.newest() is None
    begun = journal.begin("intersection", ("Bob",), {}, "intersection")
    assert journal.newest() == begun.started_at


def test_a_game_that_is_going_on_goes_on_when_another_is_imported(journal: Journal, tmp_path: Path) -> None:
    begun = journal.begin("intersection", ("Bob",), {}, "intersection")
    import_game(journal, record_file(tmp_path, ROLL), games())
    assert journal.latest() == begun
    with pytest.raises(NotImported, match=r"^Game 1 \(intersection\) is going on; end it first. Nothing is imported.$"):
        import_game(journal, record_file(tmp_path, ROLL), games(), go_on=True)
    assert len(journal.games()) == 2


def test_an_imported_game_can_go_on(journal: Journal, tmp_path: Path) -> None:
    game, _ = import_game(journal, record_file(tmp_path, "ended: 2026-05-01", ROLL), games(), go_on=True)
    assert game.ended_at is None
    assert journal.latest() == game
    assert journal.games() == (game,)


def test_a_game_that_is_over_cannot_go_on(journal: Journal) -> None:
    with pytest.raises(NotImported, match="is over"):
        import_game(journal, str(GOLDEN / "intersection-solo.txt"), games(), go_on=True)
    assert journal.games() == ()


def test_a_last_entry_against_the_rules_is_kept_as_a_breach(journal: Journal, tmp_path: Path) -> None:
    path = record_file(tmp_path, ROLL, "1 on traffic:two @ 2026-05-02 camera pic", "# so it was", "scores: 0")
    game, told = import_game(journal, path, games())
    _, breach = journal.entries(game.number)
    assert (breach.deed, breach.action, breach.evidence) == (Deed.BREACH, None, "pic")
    assert breach.note.startswith("1 on traffic:two: ")
    assert breach.rule.startswith("I.2-")
    assert told == f"line 4, entry 2, {breach.note} ({breach.rule}) It is kept as a breach."
    assert parse_record(export_game(journal, games())).entries[-1] == RecordedEntry.of(breach)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (
            (ROLL, "1 end", "1 give-up"),
            r"^line 4, entry 2, 1 end: .* \(I\.2-.*\) What follows it has no meaning then.",
        ),
        ((ROLL, "1 end", BREACH), "What follows it has no meaning then. Nothing is imported.$"),
        ((ROLL, "scores: 100"), "^line 4, scores: 100: Here the scores are 0, not 100. Nothing is imported.$"),
    ],
)
def test_what_no_journal_may_hold_is_not_imported(
    lines: Sequence[str], words: str, journal: Journal, tmp_path: Path
) -> None:
    with pytest.raises(NotImported, match=words):
        import_game(journal, record_file(tmp_path, *lines), games())
    assert journal.games() == ()


def test_a_record_that_cannot_be_read_leaves_the_journal_as_it_is(journal: Journal, tmp_path: Path) -> None:
    for lines in (["sing"], ["undo 1"], ["1 sing"], ["players: Bob"]):
        with pytest.raises(BadRecord):
            import_game(journal, record_file(tmp_path, *lines), games())
    with pytest.raises(RecordFileError):
        import_game(journal, str(tmp_path / "none.txt"), games())
    assert journal.games() == ()


def test_an_import_that_cannot_be_written_whole_is_not_there_at_all(journal: Journal) -> None:
    twice = entries(ROLL) * 2
    with pytest.raises(OSError, match="cannot be written"):
        journal.keep(kept(), twice)
    assert journal.games() == ()


def test_a_game_of_plain_dice_keeps_its_dice(journal: Journal, tmp_path: Path) -> None:
    path = record_file(tmp_path, "dice: rollers", "1 roll rollers-black:zap", head="game: dice\nplayers: Ann\n")
    game, _ = import_game(journal, path, games())
    assert game.die_set == "rollers"
    assert "\ndice: rollers\n" in export_game(journal, games())


# Checking


def checked(
    capsys: pytest.CaptureFixture[str], *paths: str | Path, sheets: Sequence[Path] = (), as_json: bool = False
) -> tuple[int, list[str], list[str]]:
    """The exit status, and the lines on standard output and on standard error."""
    status = check_all(list(map(str, paths)), sheets, as_json)
    told = capsys.readouterr()
    return status, told.out.splitlines(), told.err.splitlines()


def test_a_game_within_the_rules_is_told_in_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    solo, shared, plain = (GOLDEN / f"{n}.txt" for n in ("intersection-solo", "toss-up-shared-win", "dice-plain"))
    status, said, wrong = checked(capsys, solo, shared, plain)
    assert (status, wrong) == (0, [])
    assert said == [
        f"{solo}: 24 entries, all within the rules. Ann 5000. Ann has 5000 points in 6 turns.",
        f"{shared}: 38 entries, all within the rules. Ann 106, Bob 105, Cy 106. Ann and Cy have won with 106.",
        f"{plain}: 11 entries, all within the rules. Ann, Bob. Ann or Bob is to act.",
    ]


def test_the_first_breach_is_named_with_its_line_and_rule(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = record_file(tmp_path, ROLL, "1 park traffic:two", "1 give-up")
    status, (breach, rest), wrong = checked(capsys, path)
    assert (status, wrong) == (1, [])
    assert breach.startswith(f"{path}, line 4, entry 2, 1 park traffic:two: ")
    assert breach.endswith(". (I.2-6)")
    assert rest == (
        f"{path}: What follows that line is not ruled on, for the game has no state there. Up to it: "
        "Ann 0. Ann is to act."
    )


def test_a_recorded_breach_and_a_false_claim_are_told_and_the_check_goes_on(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = record_file(tmp_path, ROLL, BREACH, 'breach "\x1b[2JUnseen."', "scores: 7")
    status, said, _ = checked(capsys, path)
    assert status == 2
    path = record_file(tmp_path, ROLL, BREACH, 'breach "\\u001b[2JUnseen."', "scores: 7")
    status, said, _ = checked(capsys, path)
    assert status == 1
    assert said == [
        f"{path}, line 4, entry 2, recorded at the table: Nothing is parked yet. (I.2-6)",
        f"{path}, line 5, entry 3, recorded at the table: \\u001b[2JUnseen.",
        f"{path}, line 6, scores: 7: Here the scores are 0, not 7.",
        f"{path}: 3 entries, otherwise all within the rules. Ann 0. Ann is to act.",
    ]


def test_a_single_entry_is_one_entry(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = record_file(tmp_path, ROLL)
    assert checked(capsys, path)[1] == [f"{path}: 1 entry, all within the rules. Ann 0. Ann is to act."]


def test_a_json_object_tells_of_each_entry_and_one_of_the_standing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = record_file(tmp_path, f"{ROLL} @ 2026-05-01 camera", "scores: 0", "scores: 1", BREACH, "1 end", "1 give-up")
    status, said, _ = checked(capsys, path, as_json=True)
    rulings = list(map(json.loads, said))
    assert status == 1
    assert [(each.get("line"), each.get("accepted"), each.get("rule")) for each in rulings[1:4]] == [
        (5, False, ""),
        (6, False, "I.2-6"),
        (7, False, rulings[3]["rule"]),
    ]
    first, last = rulings[0], rulings[-1]
    assert list(first) == [
        *("record", "line", "number", "action", "accepted", "rule", "sentence", "calls", "scores", "turn_points"),
        *("left", "state"),
    ]
    assert (first["record"], first["line"], first["action"]) == (path, 3, ROLL)
    assert (first["accepted"], first["rule"], first["sentence"], first["scores"]) == (True, "", "", [0])
    assert list(first["calls"][0]) == ["sentence", "rule"]
    assert (last["record"], list(last)) == (path, ["record", "standing"])
    assert last["standing"] | {"state": 0} == {
        "players": ["Ann"],
        "scores": [0],
        "winner": [],
        "to_act": [1],
        "over": False,
        "turn_points": 0,
        "left": [],
        "state": 0,
    }
    assert len(rulings) == 5


def test_the_standing_of_a_game_that_is_over(capsys: pytest.CaptureFixture[str]) -> None:
    status, said, _ = checked(capsys, GOLDEN / "intersection-two-players.txt", as_json=True)
    assert status == 0
    standing = json.loads(said[-1])["standing"]
    assert standing.pop("state")["phase"] == "game-over"
    assert standing == {
        "players": ["Ann", "Bob"],
        "scores": [5600, 300],
        "winner": [1],
        "to_act": [],
        "over": True,
        "turn_points": 0,
        "left": [],
    }


SAID = {
    "intersection-two-players": ("signal", "field", "parked", "turns", "last_turns"),
    "toss-up-two-players": ("field", "aside", "last_turns"),
    "dice-county-fair-two-players": ("turn", "roller", "roll", "excess", "sheets"),
    "rollers-three-players": ("boards", "chips", "saved", "rolls", "round"),
    "switch-16-two-players": ("decks", "dealt_to", "disk", "disk_on", "rolled"),
}


@pytest.mark.parametrize("name", SAID)
def test_each_ruling_says_its_entrys_number_and_what_the_game_counts(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _, said, _ = checked(capsys, GOLDEN / f"{name}.txt", as_json=True)
    *rulings, _ = map(json.loads, said)
    assert [ruling["number"] for ruling in rulings] == list(range(1, len(rulings) + 1))
    assert all(set(SAID[name]) <= set(ruling["state"]) for ruling in rulings)
    assert len({json.dumps(ruling["state"]) for ruling in rulings}) > len(rulings) / 5


def test_turn_points_are_said_with_every_ruling(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    roll = "1 roll signal:go traffic:happy traffic:happy traffic:star traffic:two traffic:two"
    path = record_file(tmp_path, roll, "1 park traffic:happy", "1 park traffic:happy traffic:star")
    _, said, _ = checked(capsys, path, as_json=True)
    assert [json.loads(line).get("turn_points") for line in said[:3]] == [0, 100, 250]
    assert json.loads(said[2])["state"]["parked"] == ["happy", "happy", "star"]
    assert checked(capsys, path)[1] == [
        f"{path}: 3 entries, all within the rules. Ann 0. The turn has 250 so far. Ann is to act."
    ]


ROLLERS = "game: rollers\nplayers: Ann, Bob\n"
FIVE_ONE = "1 roll rollers-black:pip-1 rollers-purple:pip-1 rollers-purple:pip-1 rollers-purple:pip-4 "
COLLECTED = (
    "1 lot rollers-purple:pip-5",
    "2 lot rollers-purple:pip-4",
    f"{FIVE_ONE}rollers-purple:pip-4 rollers-purple:pip-4",
    "1 stop",
    "1 open rollers-black:pip-1 =1",
    "1 close rollers-purple:pip-1 =1",
    "1 collect rollers-purple:pip-1 =1",
)


def test_a_record_claims_what_the_game_counts(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = record_file(tmp_path, *COLLECTED, "chips: 56, 54", "to-act: 1", "turn-points: 0", head=ROLLERS)
    assert checked(capsys, path) == (
        0,
        [f"{path}: 7 entries, all within the rules. Ann 0, Bob 0. chips: 56, 54. Ann is to act."],
        [],
    )
    path = record_file(tmp_path, *COLLECTED, "chips: 55, 55", head=ROLLERS)
    status, said, _ = checked(capsys, path)
    assert (status, said[0]) == (1, f"{path}, line 10, chips: 55, 55: Here the chips are 56, 54, not 55, 55.")


def test_an_agreement_that_was_refused_is_kept_as_a_breach_that_reads_back(journal: Journal, tmp_path: Path) -> None:
    path = record_file(tmp_path, ROLL, "1 begin")
    assert import_game(journal, path, games())[1].endswith("(A.1-5) It is kept as a breach.")
    again = record_file(tmp_path, export_game(journal, games()), head="")
    assert check_all([again], (), as_json=False) == 1


def test_a_check_says_who_has_left(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    head = "game: toss-up\nplayers: Ann, Bob, Cy\n"
    path = record_file(tmp_path, "1 quit", "left: 1", "2 skip", head=head)
    assert checked(capsys, path)[1] == [
        f"{path}: 2 entries, all within the rules. Ann 0, Bob 0, Cy 0. Ann has left. Cy is to act."
    ]
    rulings = list(map(json.loads, checked(capsys, path, as_json=True)[1]))
    assert [rulings[0]["left"], rulings[-1]["standing"]["left"]] == [[1], [1]]


def test_a_claim_cites_the_rule_of_the_ruling_before_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = record_file(tmp_path, *COLLECTED, "chips: 56, 54 by R.2-10", head=ROLLERS)
    assert checked(capsys, path)[0] == 0
    path = record_file(tmp_path, *COLLECTED, "chips: 56, 54 by R.2-9", head=ROLLERS)
    status, said, _ = checked(capsys, path, as_json=True)
    wrong = json.loads(said[-2])
    assert (status, wrong["number"], wrong["rule"]) == (1, 7, "R.2-9")
    assert wrong["sentence"] == "The ruling before this cites R.2-10, not R.2-9."
    path = record_file(tmp_path, *COLLECTED, "chips: 1, 1 by R.2-10", head=ROLLERS)
    assert json.loads(checked(capsys, path, as_json=True)[1][-2])["rule"] == "R.2-10"


BAD = {
    "an empty file": (b"", "line 1: the heading 'game' is missing"),
    "binary junk": (bytes(range(256)) * 20, "line 1: this is no text in UTF-8"),
    "another encoding": (b"game: intersection\nplayers: Z\xfc\n", "line 2: this is no text in UTF-8"),
    "an unknown game": (b"players: A\ngame: chess\n", "line 2: there is no game 'chess'; there are dice"),
    "an unknown verb": (HEAD.encode() + b"1 sing\n", "line 3: Intersection has no 'sing'"),
    "a die of another set": (HEAD.encode() + b"1 roll d6:pip-1\n", "line 3: the Intersection dice have no kind 'd6'"),
    "a line cut in half": (HEAD.encode() + b"1 roll signal:go traf", "line 3: 'traf' is no die"),
    "a line without an end": (HEAD.encode() + "ä".encode() * 3_000_000, "line 3: the line is longer than 10000 char"),
    "a million lines": (HEAD.encode() + b"1 end\n" * 1_000_000, "line 100001: a record has at most 100000 lines"),
    "a claim by no rule of the game": (HEAD.encode() + b"scores: 0 by I.2-99", "line 3: Intersection has no rule"),
    "a claim about no such thing": (HEAD.encode() + b"chips: 3", "line 3: Intersection has no chips"),
    "no players": (b"game: toss-up\nplayers: A\n", "line 2: Toss Up! is for 2 to 6 players, not 1"),
    "unknown dice": (HEAD.encode() + b"dice: bones", "line 3: there is no die set 'bones'"),
    "no dice": (b"game: dice\nplayers: A\n", "line 1: Plain dice is played with any dice; name them: dice: one of d6"),
    "a target that does not stand": (HEAD.encode() + b"undo 3", "line 3: entry 1 says undo of entry 3, which"),
}  # fmt: skip


@pytest.mark.parametrize("what", BAD)
def test_a_record_that_cannot_be_read_is_one_sentence(
    what: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    contents, words = BAD[what]
    path = tmp_path / "record.txt"
    path.write_bytes(contents)
    status, said, wrong = checked(capsys, path)
    assert (status, said) == (2, [])
    (sentence,) = wrong
    assert sentence.startswith(f"vander: {path}, {words}")


def test_a_file_that_cannot_be_opened_is_one_sentence_and_the_others_are_checked(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    status, said, wrong = checked(capsys, tmp_path, tmp_path / "none", record_file(tmp_path, "1 end"))
    assert status == 2
    assert wrong == [
        f"vander: the record {tmp_path} cannot be read: Is a directory",
        f"vander: the record {tmp_path / 'none'} cannot be read: No such file or directory",
    ]
    assert len(said) == 2


def test_a_record_from_a_windows_editor_is_read(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "record.txt"
    path.write_bytes(b"\xef\xbb\xbf" + f"{HEAD}{ROLL}\n1 give-up".replace("\n", "\r\n").encode())
    assert checked(capsys, path)[0] == 0


def test_a_sheet_of_ones_own_is_played_on(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    own = tmp_path / "kitchen.toml"
    own.write_text((SHEETS / "county.toml").read_text("utf-8"), "utf-8")
    game = named("dice-county-fair")
    assert game.on_sheets
    sheet = game.on_sheets({"kitchen": own.read_text("utf-8")}).options[0].readings[-1][0]
    head = f"game: dice-county-fair\nplayers: Ann\noptions: sheet={sheet}\n"
    path = record_file(tmp_path, "1 copy", "1 ready", head=head)
    assert checked(capsys, path, sheets=[own])[0] == 0
    status, _, (wrong,) = checked(capsys, path)
    assert status == 2
    assert f"line 3: the option sheet cannot be '{sheet}'" in wrong


def test_a_sheet_that_cannot_be_played_on_is_one_sentence(tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text("experience = ten")
    with pytest.raises(BadSheet, match="bad"):
        check_all([], [bad], as_json=False)
    with pytest.raises(BadSheet, match=r"none\.toml cannot be read"):
        check_all([], [tmp_path / "none.toml"], as_json=False)
    own, other = tmp_path / "own.toml", tmp_path / "more/own.toml"
    other.parent.mkdir()
    for path in (own, other):
        path.write_text((SHEETS / "county.toml").read_text("utf-8"), "utf-8")
    with pytest.raises(BadSheet, match=r"two sheets have the name own; .*more/own.toml needs another"):
        check_all([], [own, other], as_json=False)


def test_a_damaged_journal_is_told_as_such(journal: Journal, tmp_path: Path) -> None:
    journal.keep(kept(), [replace(entries(ROLL)[0], rule="I.2-2")])
    journal.close()
    path = tmp_path / "data/journal.sqlite"
    path.write_bytes(b"no database " * 999)
    with pytest.raises(BrokenJournal):
        export_game(journal, games())
