"""What a tablet may have to show: one snapshot for each, with Intersection's dice and words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from referee.dice import Die, FaceName, KindName
from referee.game import Action, Call, Game, GameState, Option, Player, Refusal
from referee.journal import Offer, Question, ShownDie, Snapshot
from referee.odds import Chance


def _never(*_: Any) -> Any:
    raise AssertionError("a page never plays")


OPTIONS = (
    Option(
        "parked-happy",
        "Unparking a happy while one lies on the field",
        (("either", "the player chooses which happy to roll"), ("field-first", "a happy on the field is rolled first")),
        "AMB-I-1",
    ),
    Option(
        "below-300",
        "Ending below 300 before coming in",
        (("refused", "the player has to go on"), ("nothing", "the turn may end and records nothing")),
        "AMB-I-10",
    ),
)


def _game(name: str, title: str, die_set: str, options: tuple[Option, ...], seats: tuple[int, int]) -> Game:
    return Game(
        name=name,
        title=title,
        die_set=die_set,
        seats=seats,
        options=options,
        setup=_never,
        legal=_never,
        play=_never,
        lay=lambda _: (),
        thrown=lambda *_: (),
        tell=_tell,
        offer_title=_never,
        why_not=lambda *_: Refusal("", ""),
        fault=lambda *_: Refusal("", ""),
        verbs={"give-up": "Give up the turn for nothing.", "vander": "A die left the table: the turn is over."},
        grave=frozenset({"give-up", "vander"}),
    )


def _tell(state: GameState) -> str:
    if state.winner:
        return "The game is over."
    if state.dice_awaited:
        return "Bob: roll all six dice."
    return "Ann, 250 parked: play on with the other 2 dice, end the turn and keep 250 or declare double or nothing."


CHANCES = (
    Chance("Every die left can be parked", 0.2222, "chance"),
    Chance("Worth on average when played on", 312.4, "points", advised=True),
    Chance("To 5000 from here", 7.763, "turns"),
)
PAPER_GAME = _game("intersection", "Intersection", "intersection", OPTIONS, (1, 8))
GAMES = (PAPER_GAME, _game("dice", "Plain dice", "", (), (1, 12)))

FACES = {
    "traffic": ("happy", "star", "sad", "two", "three", "four"),
    "signal": ("go", "slow", "stop"),
}


def die(number: int, face: str, zone: str = "field", confidence: float = 0.99, posture: str = "flat") -> ShownDie:
    """A die as the tablet shows it."""
    kind = "signal" if face in FACES["signal"] else "traffic"
    return ShownDie(
        number, kind, face, face.capitalize(), confidence, zone, posture, crop=f"crop-{face}", faces=FACES[kind]
    )


def tap(text: str, title: str) -> Offer:
    """Something to tap."""
    return Offer(Action.parse(text), title, by_tap=True)


def by_hand(text: str, title: str) -> Offer:
    """Something that the camera sees."""
    return Offer(Action.parse(text), title, by_tap=False)


def state_of(dice: Any, names: str, scores: tuple[int, ...], **fields: Any) -> GameState:
    """A state with these players."""
    players = tuple(Player(seat, name) for seat, name in enumerate(names.split(), start=1))
    return GameState(players, dice, scores=scores, **fields)


def _intersection() -> Any:
    from models import die_sets

    return die_sets.load("intersection")


DICE = _intersection()
TRAFFIC = Die(KindName("traffic"))
SIGNAL = Die(KindName("signal"))
HAPPY = FaceName("happy")

IDLE = Snapshot(1, camera="virtual")
START = Snapshot(
    2,
    game=PAPER_GAME,
    state=state_of(DICE, "Ann Bob Cy", (1250, 800, 0), to_act=(2,), dice_awaited=(*(TRAFFIC,) * 5, SIGNAL)),
    calls=(
        Call("Ann ends the turn with four parked dice.", "I.2-17"),
        Call("450 points for Ann.", "I.2-17"),
    ),
    offers=(
        by_hand("2 roll signal:? traffic:? traffic:? traffic:? traffic:? traffic:?", "Roll all six dice together"),
    ),
    dice=(die(1, "happy", "aside"), die(2, "happy", "aside"), die(3, "two"), die(6, "go", "signal")),
    last=("Ann ended the turn: 450", "Ann parked happy, happy", "Ann rolled happy happy two two star, go"),
    can_undo=True,
    camera="virtual",
)
PLAYING = Snapshot(
    3,
    game=PAPER_GAME,
    state=state_of(DICE, "Ann Bob Cy", (1250, 800, 0), to_act=(1,)),
    calls=(
        Call("Ann rolled happy, happy, star, two, four, and the signal shows go.", "I.2-2"),
        Call("Ann parked two happies and a star for 250.", "I.2-10"),
    ),
    offers=(
        by_hand("1 roll traffic:? traffic:?", "Play on: roll the two dice on the field"),
        tap("1 end", "End the turn and take 250"),
        tap("1 double", "Double or nothing"),
        tap("1 give-up", "Give up the turn"),
        tap("1 vander", "A die left the table"),
    ),
    dice=(
        die(1, "two"),
        die(2, "four", confidence=0.71),
        die(3, "happy", "aside"),
        die(4, "happy", "aside"),
        die(5, "star", "aside", 0.96),
        die(6, "go", "signal"),
    ),
    last=(
        "Ann parked happy, happy, star",
        "Ann rolled happy happy star two four, go",
        "Cy gave up",
        "Bob ended the turn: 300",
    ),
    can_undo=True,
    camera="virtual",
    turn_points=250,
    extras={"Signal": "Go", "doubts": "A die leans on the wall, and another one cannot be read for certain."},
)
DOUBT = replace(
    PLAYING,
    number=4,
    mood="ask",
    notice="One die needs a look.",
    offers=(),
    questions=(
        Question(
            7,
            "What does this die show?",
            (
                ("four", "Four"),
                ("star", "Star"),
                ("sad", "Sad"),
                ("happy", "Happy"),
                ("two", "Two"),
                ("three", "Three"),
            ),
            "crop-four",
            2,
        ),
    ),
)
WAYS = replace(
    PLAYING,
    number=5,
    mood="ask",
    questions=(
        Question(
            8,
            "Two dice were thrown again. What did Ann do?",
            (("1", "Rolled a happy and a sad to mend the sad"), ("2", "Rolled the two dice of the field to play on")),
            "evidence-1",
        ),
    ),
)
BREACH = replace(
    PLAYING,
    number=6,
    mood="breach",
    notice="Three dice were thrown, but only the two on the field may be rolled.",
    rule="I.2-12",
    evidence="evidence-1",
)
VANDER = replace(
    START,
    number=7,
    mood="breach",
    notice="A die left the table: Bob\u2019s turn is over.",
    rule="I.2-19",
    evidence="evidence-1",
    dice=(die(1, "happy"), die(2, "sad"), die(3, "two", posture="cocked"), die(4, "star", "out"), die(6, "stop")),
)
TROUBLE = replace(START, number=8, mood="lost", camera_trouble="Something covers the lens; uncover it to go on.")
WON = replace(
    PLAYING,
    number=9,
    state=state_of(DICE, "Ann Bob Cy", (4800, 5350, 3100), winner=(2,)),
    offers=(),
    calls=(Call("Bob wins with 5350 points.", "I.2-20"),),
    turn_points=0,
)
MANY = replace(
    PLAYING,
    number=10,
    state=state_of(
        DICE,
        "Ann Bartholomew-Maximilian Cy Dee Eve Flo Gus Hal",
        (1250, 12800, 0, 450, 3300, 4950, 700, 5000),
        to_act=(2,),
    ),
    offers=(
        *PLAYING.offers,
        *(tap(f"2 park traffic:{face}", f"Park one {face} (50)") for face in FACES["traffic"][:3]),
        *(by_hand(f"2 park traffic:{face}", f"Park one {face} (100)") for face in FACES["traffic"]),
    ),
)
