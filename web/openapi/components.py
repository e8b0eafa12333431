"""What the API tells and is told, by name: the components of its description."""

from __future__ import annotations

from web.openapi.json_schema import (
    COUNT,
    NUMBER,
    SHARE,
    TEXT,
    YES_NO,
    Shape,
    asked,
    because,
    line,
    named,
    one_of,
    or_null,
    row_of,
    told,
    whole,
)
from web.routes.simulator_routes import MOST_DEGREES, PLACES, TROUBLES
from web.schemas.game_requests import LARGEST_NUMBER, LONGEST_NAME, LONGEST_TEXT, MOST_PLAYERS
from web.schemas.learning_requests import MOST_LISTED, MOST_PICTURES, MOST_WRONG
from web.services.access_protocol import CODE_DICE, SIDES
from web.services.learning_protocol import LEAST_QUOTA_MB, MOST_QUOTA_MB, RAREST_CHECK

_VERDICT = one_of("good", "unsure", "bad")
_ROLE = one_of("watcher", "player", "keeper")
_FACE = told("A face and what people call it.", face=TEXT, title=TEXT)
_KIND_AND_FACE = told("A face of a kind of dice, and what people call it.", kind=TEXT, face=TEXT, title=TEXT)

TOLD: dict[str, Shape] = {
    "Refusal": told(
        "Why a request was turned down.",
        error=because(TEXT, "One sentence for the person who tapped."),
        rule=because(TEXT, "The number of the rule that says so, or ''."),
    ),
    "Done": told("It is done.", done={"const": True}),
    # the table
    "Snapshot": told(
        "All that a tablet shows at one moment.",
        number=because(COUNT, "Grows with every change."),
        game=or_null(told("The game that is played.", name=TEXT, title=TEXT, die_set=TEXT)),
        state=or_null(named("State")),
        calls=row_of(told("What happened, and the rule that says so.", sentence=TEXT, rule=TEXT)),
        notice=because(TEXT, "The one line at the top, or ''."),
        mood=one_of("calm", "ask", "breach", "lost"),
        rule=TEXT,
        evidence=because(TEXT, "The name of the picture that goes with the notice, or ''."),
        offers=row_of(named("OfferOnTable")),
        boards=row_of(named("Board")),
        dice=row_of(named("Die")),
        questions=row_of(named("Question")),
        last=because(row_of(TEXT), "The last few standing actions in words, newest first."),
        can_undo=YES_NO,
        camera=TEXT,
        camera_trouble=TEXT,
        turn_points={"type": "integer"},
        odds=because(YES_NO, "Whether chance has figures for this game."),
        extras={"type": "object", "additionalProperties": TEXT, "description": "Facts beside the game, by name."},
    ),
    "State": told(
        "Where the game stands.",
        players=row_of(told("A player.", seat=COUNT, name=TEXT, score={"type": "integer"})),
        to_act=row_of(COUNT),
        winner=row_of(COUNT),
        dice_awaited=row_of(told("Dice that are to be thrown.", kind=TEXT, title=TEXT, count=COUNT)),
        tell=TEXT,
        lots=because(YES_NO, "Whether it is thrown for who begins."),
    ),
    "Die": told(
        "A die as it was read.",
        number=COUNT,
        kind=TEXT,
        face=TEXT,
        title=TEXT,
        confidence=SHARE,
        sure=YES_NO,
        zone=TEXT,
        posture=TEXT,
        crop=because(TEXT, "The name of its picture, or ''."),
        faces=because(row_of(_FACE), "What it may be corrected to."),
    ),
    "Question": told(
        "What the referee asks.",
        number=COUNT,
        sentence=TEXT,
        choices=row_of(told("An answer.", answer=TEXT, title=TEXT)),
        picture=TEXT,
        die=because(COUNT, "The die that is asked about, 0 for none."),
    ),
    "Board": told(
        "What lies before a player, or (seat 0) in the middle of the table.",
        seat=COUNT,
        title=TEXT,
        facts=row_of(told("A fact.", name=TEXT, value=TEXT)),
        columns=row_of(TEXT),
        rows=row_of(
            told(
                "A row.",
                key=TEXT,
                cells=row_of(TEXT),
                mark=TEXT,
                taps=because(COUNT, "How many offers it is tapped for; /api/offers tells them."),
            )
        ),
    ),
    "Games": told(
        "What can be set up.",
        games=row_of(named("Game")),
        die_sets=row_of(told("Dice for a game that takes any.", name=TEXT, title=TEXT)),
    ),
    "Game": told(
        "A game.",
        name=TEXT,
        title=TEXT,
        die_set=TEXT,
        seats=because(row_of(COUNT, 2, 2), "The least and the most players."),
        options=row_of(
            told(
                "A choice of the rules.",
                name=TEXT,
                title=TEXT,
                default=TEXT,
                source=TEXT,
                readings=row_of(told("One way to read the rules.", value=TEXT, meaning=TEXT)),
            )
        ),
    ),
    "Offers": told("What may be done with a row.", number=COUNT, offers=row_of(named("Offer"))),
    "Odds": told("What chance gives.", chances=row_of(told("A figure.", what=TEXT, figure=TEXT, advised=YES_NO))),
    "Throws": told(
        "The throws whose dice may be given by hand.",
        step=TEXT,
        throws=row_of(
            told(
                "A throw, by whom it may be made.",
                seats=row_of(COUNT),
                verb=TEXT,
                choice=TEXT,
                title=TEXT,
                dice=row_of(told("A die, and its face where it is known.", kind=TEXT, face=TEXT)),
            )
        ),
        kinds=row_of(told("A kind of dice.", kind=TEXT, title=TEXT, faces=row_of(_FACE))),
    ),
    "CheckAsked": told("The throw that is asked about, or null.", check=or_null(named("Check"))),
    "Check": told(
        "A throw: was it read right?",
        number=COUNT,
        dice=row_of(told("A die as it was read.", number=COUNT, title=TEXT, picture=TEXT)),
    ),
    # the virtual tray
    "TrayDice": told(
        "Where the dice of the virtual tray lie, in fractions of the picture.",
        dice=row_of(told("A die.", number=COUNT, x=NUMBER, y=NUMBER, edge=NUMBER, place=one_of(*PLACES))),
    ),
    "Cupboard": told(
        "What can be put out, and what is.",
        sets=row_of(told("A die set.", name=TEXT, title=TEXT)),
        looks=row_of(told("Who may have drawn it.", name=TEXT, title=TEXT)),
        out=told("What is out.", set=TEXT, look=TEXT),
    ),
    # teaching
    "Overview": told(
        "All that the page of the dice begins with.",
        dice=row_of(named("DiceShown")),
        sitting=or_null(named("Sitting")),
        choices=named("Choices"),
        queued=COUNT,
        used_mb=NUMBER,
        trouble=TEXT,
    ),
    "Dice": told("One die set.", dice=named("DiceShown")),
    "DiceShown": told(
        "A die set with its meters.",
        name=TEXT,
        title=TEXT,
        own=YES_NO,
        kinds=row_of(told("A kind of dice.", name=TEXT, title=TEXT)),
        faces=row_of(named("FaceMeter")),
        sessions=COUNT,
        pictures=COUNT,
        version=COUNT,
        fresh=YES_NO,
    ),
    "FaceMeter": told(
        "How well a face is captured.",
        kind=TEXT,
        face=TEXT,
        title=TEXT,
        pictures=COUNT,
        wanted=COUNT,
        turns=NUMBER,
        places=NUMBER,
        lights=NUMBER,
        enough=YES_NO,
        advice=TEXT,
        picture=TEXT,
    ),
    "SittingNow": told("The guided capture that is going on, or null.", sitting=or_null(named("Sitting"))),
    "Sitting": told(
        "A guided capture.",
        dice=TEXT,
        title=TEXT,
        kind=TEXT,
        face=TEXT,
        says=TEXT,
        mood=one_of("wait", "look", "taken", "again", "trouble"),
        meter=named("FaceMeter"),
        taken=COUNT,
        in_view=COUNT,
        latest=row_of(TEXT),
        itself=YES_NO,
    ),
    "Pictures": told("Captured dice.", pictures=row_of(named("Captured"))),
    "Captured": told(
        "A captured die: what was said and read are null where nothing was.",
        picture=TEXT,
        dice=TEXT,
        said=or_null(_KIND_AND_FACE),
        read=or_null(_KIND_AND_FACE),
        likely=row_of(told("What it may be.", kind=TEXT, face=TEXT, title=TEXT, share=NUMBER)),
        by=TEXT,
        at=TEXT,
        doubt=NUMBER,
    ),
    "LearnedNow": told("The lesson in use.", learned=named("Lesson")),
    "Lesson": told(
        "What was learned from the pictures of a die set.",
        dice=TEXT,
        title=TEXT,
        version=COUNT,
        sentence=TEXT,
        at=TEXT,
        pictures=COUNT,
        faces=COUNT,
        sessions=COUNT,
        right=or_null(named("Share")),
        asked=or_null(named("Share")),
        checked_by=TEXT,
        pairs=row_of(named("Pair")),
        suspects=row_of(named("Captured")),
        versions=row_of(told("A lesson to go back to.", version=COUNT, at=TEXT, words=TEXT)),
    ),
    "Pair": told(
        "Two faces that look alike.",
        kind=TEXT,
        face=TEXT,
        title=TEXT,
        other=TEXT,
        other_title=TEXT,
        sentence=TEXT,
        pictures=row_of(TEXT),
        other_pictures=row_of(TEXT),
        alike=YES_NO,
    ),
    "Share": told("A share with its 95 % interval.", hits=COUNT, count=COUNT, share=NUMBER, low=NUMBER, high=NUMBER),
    "Certificate": told(
        "How well this table reads its dice; shares are null before the first check.",
        since=TEXT,
        right=or_null(named("Share")),
        throws=or_null(named("Share")),
        asked=or_null(named("Share")),
        corrected=or_null(named("Share")),
        waiting=COUNT,
        sentence=TEXT,
    ),
    # the door, the box and its doctor
    "Door": told(
        "Who this browser is at the table, and how it stands with the code.",
        door=because(YES_NO, "False where everybody is the keeper."),
        role=_ROLE,
        tablet=or_null(named("Tablet")),
        at_the_box=YES_NO,
        asking=told(
            "Whether the box shows a code, and when a new one may be asked for.",
            shown=YES_NO,
            left_s=NUMBER,
            tries=COUNT,
            wait_s=NUMBER,
        ),
        code=because(or_null(named("Code")), "Told to keepers alone."),
        trouble=TEXT,
    ),
    "Code": because(row_of(whole(1, SIDES), CODE_DICE, CODE_DICE), "Six dice as the box shows them."),
    "Tablet": told("A tablet that has joined in.", number=COUNT, name=TEXT),
    "Joined": told("This tablet has joined in.", role=_ROLE, tablet=named("Tablet")),
    "Box": told(
        "The tablets that have joined in, what was chosen, and what can be done with the box.",
        tablets=row_of(
            told(
                "A tablet.",
                number=COUNT,
                name=TEXT,
                role=_ROLE,
                paired_on=TEXT,
                used_on=TEXT,
                own=because(YES_NO, "Whether it is the one that asks."),
            )
        ),
        chosen=row_of(told("A setting.", name=TEXT, value=TEXT, meaning=TEXT)),
        there=told("What this box has.", doctor=YES_NO, teaching=YES_NO, power_off=YES_NO),
    ),
    "Findings": told(
        "What is well with the box and what is not.",
        findings=row_of(told("A finding.", name=TEXT, title=TEXT, verdict=_VERDICT, told=TEXT, advice=TEXT)),
    ),
    "Focus": told(
        "How sharp the picture is now.",
        verdict=_VERDICT,
        told=TEXT,
        share=NUMBER,
        markers=row_of(
            told("A marker in the picture.", number=COUNT, corners=row_of(row_of(NUMBER, 2, 2)), verdict=_VERDICT)
        ),
    ),
}

_OFFER = {
    "action": because(TEXT, "In the notation of the game record."),
    "player": because(COUNT, "The seat, 0 for anybody."),
    "verb": TEXT,
    "choice": TEXT,
    "title": TEXT,
    "by_tap": YES_NO,
    "grave": YES_NO,
    "means": TEXT,
}
TOLD["Offer"] = told("Something that may be done.", **_OFFER)
TOLD["OfferOnTable"] = told("Something that may be done.", **_OFFER, tied=because(YES_NO, "To a row of a board."))

_TEXT = line(LONGEST_TEXT, 1)
_MAYBE = line(LONGEST_TEXT)
_DIE = whole(0, LARGEST_NUMBER)
_STEP = because(_MAYBE, "The moment that the page shows, so that a late tap is turned down.")
_PICTURES = row_of({"type": "string", "pattern": r"^[A-Za-z0-9_-]{1,100}$"}, 1, MOST_PICTURES)

ASKED: dict[str, Shape] = {
    "Choices": asked(
        keep_play=YES_NO, quota_mb=whole(LEAST_QUOTA_MB, MOST_QUOTA_MB), check_one_in=whole(0, RAREST_CHECK)
    ),
    "counter.start": asked(
        may=("options", "die_set", "step"),
        game=_TEXT,
        players=row_of(line(LONGEST_NAME, 1), 1, MOST_PLAYERS),
        options={"type": "object", "additionalProperties": _MAYBE},
        die_set=_MAYBE,
        step=because(_MAYBE, "The moment that the page shows, 0.0 without a game, so that no other game is ended."),
    ),
    "counter.act": asked(may=("step",), action=_TEXT, step=_STEP),
    "counter.by_hand": asked(may=("step",), action=_TEXT, step=_STEP),
    "counter.answer": asked(question=_DIE, choice=_TEXT),
    "counter.correct": asked(may=("step",), die=_DIE, face=_TEXT, step=_STEP),
    "counter.undo": asked(may=("step",), step=_STEP),
    "tray.throw": asked(dice=row_of(_DIE, 1)),
    "tray.move": asked(die=_DIE, x=SHARE, y=SHARE),
    "tray.tip": asked(die=_DIE),
    "tray.twist": asked(die=_DIE, degrees={"type": "number", "minimum": -MOST_DEGREES, "maximum": MOST_DEGREES}),
    "tray.knock_off": asked(die=_DIE),
    "tray.hand": asked(inside=YES_NO),
    "tray.set_out": asked(may=("look",), set=_TEXT, look=_MAYBE),
    "tray.trouble": asked(kind=one_of(*TROUBLES)),
    "teaching.make": asked(
        title=line(LONGEST_NAME, 1),
        edge_mm=NUMBER,
        kinds=row_of(
            asked(
                may=("count",),
                title=line(LONGEST_NAME, 1),
                count=_DIE,
                faces=because(row_of(line(LONGEST_NAME), 1, MOST_LISTED), "'' is called by its place."),
            ),
            1,
            MOST_LISTED,
        ),
    ),
    "teaching.go_back": asked(version=_DIE),
    "teaching.merge": asked(kind=_TEXT, face=_TEXT, other=_TEXT),
    "teaching.label": asked(pictures=_PICTURES, kind=_TEXT, face=_TEXT),
    "teaching.discard": asked(pictures=_PICTURES),
    "teaching.sit": asked(may=("kind", "face"), dice=_TEXT, kind=_MAYBE, face=_MAYBE),
    "teaching.by_itself": asked(on=YES_NO),
    "teaching.choices": named("Choices"),
    "teaching.checked": asked(
        may=("wrong",),
        number=_DIE,
        wrong={
            "type": "object",
            "maxProperties": MOST_WRONG,
            "propertyNames": {"pattern": "^[0-9]{1,9}$"},
            "additionalProperties": _TEXT,
        },
    ),
    "doctor.pack": asked(pictures=YES_NO),
    "door.pair": asked(may=("name",), code=named("Code"), name=line(LONGEST_NAME)),
    "door.rename": asked(name=line(LONGEST_NAME, 1)),
    "door.entrust": asked(keeper=YES_NO),
    "door.power_off": asked(sure={"const": True}),
}
"""What a request gives, by the endpoint; those that are not here need an empty object."""

EXAMPLES: dict[str, dict[str, object]] = {
    "counter.start": {"game": "intersection", "players": ["Ann", "Bob"], "options": {"below-300": "nothing"}},
    "counter.act": {"action": "1 end"},
    "counter.by_hand": {"action": "1 roll traffic:happy traffic:happy traffic:star traffic:two traffic:four signal:go"},
    "counter.answer": {"question": 1, "choice": "go on"},
    "counter.correct": {"die": 2, "face": "star"},
    "tray.throw": {"dice": [1, 2]},
    "tray.move": {"die": 1, "x": 0.5, "y": 0.25},
    "tray.tip": {"die": 2},
    "tray.twist": {"die": 2, "degrees": -30},
    "tray.knock_off": {"die": 3},
    "tray.hand": {"inside": True},
    "tray.set_out": {"set": "d6"},
    "tray.trouble": {"kind": "covered"},
    "teaching.make": {"title": "Moons", "edge_mm": 16, "kinds": [{"title": "Moon", "faces": ["full", "new"]}]},
    "teaching.go_back": {"version": 0},
    "teaching.merge": {"kind": "traffic", "face": "happy", "other": "star"},
    "teaching.label": {"pictures": ["c-1"], "kind": "traffic", "face": "happy"},
    "teaching.discard": {"pictures": ["c-1"]},
    "teaching.sit": {"dice": "intersection", "kind": "traffic", "face": "happy"},
    "teaching.by_itself": {"on": True},
    "teaching.choices": {"keep_play": True, "quota_mb": 500, "check_one_in": 20},
    "teaching.checked": {"number": 12, "wrong": {"3": "star"}},
    "doctor.pack": {"pictures": False},
    "door.pair": {"code": [3, 1, 4, 1, 5, 2], "name": "Kitchen"},
    "door.rename": {"name": "Kitchen"},
    "door.entrust": {"keeper": True},
    "door.power_off": {"sure": True},
}
"""A request as it may be, by the endpoint."""
