"""What the pages of the table and of the virtual tray need of the running program. Any thread may call any method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from referee.chances import Chance
from referee.dice import DieSet
from referee.fair_play import GameReport
from referee.game import Game
from referee.journal import NOBODY, Actor, OpenGame
from referee.snapshot import QuestionPictures, Snapshot
from referee.spoken_parts import FamilyVoice, SpokenLanguage, SpokenSentence, VoiceClips

# What the pages of the table and of the virtual tray need of the running program. Any thread may call any method


class GameBackend(Protocol):
    """The table and its game. Refusals are `Refused`.

    `step` is that of the snapshot that the page shows. An action that was offered at an earlier step is refused; ''
    refuses nothing. `by` is who asks for a change: the journal keeps it.
    """

    def snapshot(self) -> Snapshot:
        """Return the present snapshot: the same object until the table changes."""

    def wait(self, number: int, timeout: float) -> Snapshot:
        """Return the first snapshot whose number is not `number`, or the present one after `timeout` seconds."""

    def games(self) -> Sequence[Game]:
        """Return the games that can be set up."""

    def die_sets(self) -> Sequence[DieSet]:
        """Return the die sets for a game that takes any, the usual ones first."""

    def odds(self) -> Sequence[Chance]:
        """Return the chances of where the game stands.

        Raises Refused: CONFLICT without a game, UNAVAILABLE with a wait while they are computed in the background.
        """

    def fair_play(self) -> Sequence[GameReport]:
        """Return the fair-play reports of the last games, the newest first."""

    def start(  # noqa: PLR0913  # what is chosen on the set-up sheet
        self,
        game: str,
        players: Sequence[str],
        options: Mapping[str, str],
        die_set: str = "",
        *,
        step: str = "",
        starter: int = 0,
        leave_open: bool = False,
    ) -> None:
        """Set up a game; the one under way ends, or is left open. `die_set` chooses the dice of a game that takes any.

        `step` is `0.0` where the page shows no game that goes on: no other game is ended then. `starter` is the seat
        that begins by agreement, 0 where the game's own rules decide.
        """

    def open_games(self) -> Sequence[OpenGame]:
        """Return the games that stand open, the one that was on the table last first."""

    def play_on(self, number: int, *, step: str = "") -> None:
        """Go back to an open game; the one on the table stays open. Raises Refused (NOT_FOUND, CONFLICT)."""

    def end_open(self, number: int) -> None:
        """End an open game that is not on the table. Raises Refused (NOT_FOUND, CONFLICT)."""

    def act(self, text: str, *, step: str = "", by: Actor = NOBODY) -> None:
        """Do a tapped action, given in the notation of Action.

        It may take some seconds: an action that another player may interrupt waits before it counts.
        """

    def by_hand(self, text: str, *, step: str = "", by: Actor = NOBODY) -> None:
        """Enter a throw that the camera does not see: an action that throws, with all its faces."""

    def answer(self, question: int, choice: str, *, die: int = 0, by: Actor = NOBODY, confirmed: bool = False) -> None:
        """Answer an open question with one of its choices, for one `die` alone where it is not 0."""

    def correct(self, die: int, face: str, *, step: str = "", kind: str = "", by: Actor = NOBODY) -> None:
        """Say what a die really shows, and of which kind it is unless that is ''."""

    def play_again(self, *, step: str = "") -> None:
        """Begin the game that is over once more, with the same players, house rules and dice."""

    def undo(self, *, step: str = "", by: Actor = NOBODY) -> None:
        """Take back the last standing entry."""

    def void(self, *, step: str = "", by: Actor = NOBODY) -> None:
        """Take out the last throw: the table agrees that it does not count."""

    def confirm(self, number: int, *, agrees: bool, by: Actor = NOBODY, may_override: bool = False) -> None:
        """Confirm or decline the change that waits for another seat; `may_override` stands for any seat."""

    def picture(self, name: str, *, uncut: bool = False) -> bytes:
        """Return a JPEG by the name that a snapshot gave it.

        A name is one or more letters, digits, `-`, `_` and `.`, and belongs to one picture for ever. One that shows
        more than the tray is given only if it may be `uncut`: else Refused (NOT_ALLOWED) is raised.
        """

    def question_pictures(self, question: int) -> QuestionPictures:
        """Return what can be shown of what an open question is about. Raises Refused (NOT_FOUND) if it is not open."""

    def question_film(self, question: int) -> bytes:
        """Return the film of what an open question is about. Raises Refused (NOT_FOUND) where there is none."""

    def tray_picture(self) -> bytes:
        """Return a JPEG of the tray now, and grey in place of the room. Raises Refused (NOT_FOUND) if it is unseen."""

    def camera_picture(self) -> bytes:
        """Return a JPEG of all that the camera sees now: for keepers, and of a tray that is drawn. Raises Refused."""


class SimulatorBackend(Protocol):
    """The virtual tray: where its dice lie, never what they show.

    Positions are fractions of the picture's width and height, from the top left. Methods that take a die or a name
    raise LookupError for one that does not exist.
    """

    def dice(self) -> Sequence[Mapping[str, float | int | str]]:
        """Return for each die: number, kind, x, y, edge, place ('field', 'aside', 'out', 'off').

        The edge is a fraction of the width; `upright_x` and `upright_y` are of the picture from straight above.
        """

    def straight(self) -> tuple[float, ...]:
        """Return the homography, nine numbers row by row, from the picture to the tray as from straight above."""

    def rests_in(self) -> float:
        """Return after how many seconds of the tray's clock all dice lie still, less than 0 for since when they do."""

    def throw(self, numbers: Sequence[int]) -> None:
        """Pick up these dice and throw them together."""

    def move(self, number: int, x: float, y: float) -> None:
        """Move a die, keeping its face up."""

    def tip(self, number: int) -> None:
        """Turn a die over onto its next side; after all sides comes the first again."""

    def twist(self, number: int, degrees: float) -> None:
        """Turn a die where it lies, keeping its face up: clockwise in the picture, or back when negative."""

    def knock_off(self, number: int) -> None:
        """Knock a die off the table."""

    def put_back(self, wanted: Sequence[tuple[str, str, str]]) -> None:
        """Lay the dice by hand as they lay before something that hands did.

        Each wanted die is its kind, face and zone, '' for any; the best fit of what is remembered is taken.
        """

    def set_aside(self, numbers: Sequence[int]) -> None:
        """Let a hand carry dice into the bay, one by one."""

    def hand(self, inside: bool) -> None:
        """Reach into the tray, or take the hand out."""

    def sets(self) -> Mapping[str, str]:
        """Return the die sets that can be put into the tray: name to title."""

    def looks(self) -> Mapping[str, str]:
        """Return the styles in which dice can be drawn: name to title."""

    def out(self) -> tuple[str, str]:
        """Return the die set in the tray and its style, by name."""

    def set_out(self, die_set: str, look: str = "") -> None:
        """Put the dice of another die set into the tray, in that style, or in the present one for ''."""

    def trouble(self, kind: str) -> None:
        """Let the camera fail: 'covered', 'frozen' or 'unplugged', or '' for a camera that works."""


class StageBackend(Protocol):
    """Cheats and mishaps that are played on the virtual tray by name."""

    def situations(self) -> Sequence[Mapping[str, str]]:
        """Return for each situation: name, title, intent ('cheat' or 'mishap')."""

    def stage(self, name: str, numbers: Sequence[int]) -> None:
        """Begin a situation with these dice, or with all in the field. Raises LookupError for one there is not."""


# What the table page needs of the running program to show what faces look like at this table


class FacePictureBackend(Protocol):
    """The table's own pictures of faces: dice that people said show them, cut to the die. Any thread may ask."""

    def face_picture(self, die_set: str, kind: str, face: str) -> bytes | None:
        """Return a JPEG of a die of that set and kind that shows the face; None without one."""


# What the pages need of the running program for the caller: a family's voices, and the box's own loudspeaker


class CallerBackend(Protocol):
    """The caller. Any thread may call any method; refusals are `Refused`, NOT_FOUND for what is not there."""

    def languages(self) -> Sequence[SpokenLanguage]:
        """Return the languages in which a voice can be recorded."""

    def sentences(self, language: str) -> Sequence[SpokenSentence]:
        """Return what is recorded in a language, what is said most first."""

    def voices(self) -> Sequence[FamilyVoice]:
        """Return the voices by their names."""

    def add(self, name: str) -> FamilyVoice:
        """Begin a voice. Raises Refused (CONFLICT) for a name that is taken, and where there are too many."""

    def delete(self, voice: str) -> None:
        """Delete a voice with all of its recordings."""

    def keep(self, voice: str, language: str, key: str, recording: bytes) -> FamilyVoice:
        """Keep a recording of a sentence, in place of an earlier one. Raises Refused (INVALID) for what is none."""

    def recording(self, voice: str, language: str, key: str) -> bytes:
        """Return a recording as it is kept, a WAV file."""

    def clips(self, voice: str, language: str) -> VoiceClips:
        """Return the clips that a voice has in a language."""


class BoxCallerBackend(Protocol):
    """The caller on the box's own loudspeaker. Any thread may call any method."""

    @property
    def level(self) -> str:
        """How much the caller says there: off, low or all."""

    def choose(self, level: str, language: str) -> None:
        """Choose and keep how much is said there, and in which language. Raises Refused."""
