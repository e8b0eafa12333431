"""The teacher's counter: what each address of the teaching pages answers to good and to bad requests."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from stub_learning import MEASURED, StubChecks, StubLearning

from referee.sentences import Reason, Refused
from web.schemas.access_schemas import Role
from web.schemas.learning_schemas import LEAST_QUOTA_MB, MOST_QUOTA_MB, RAREST_CHECK, Choices, NewKind

DICE = "/api/teaching/dice"
NEW = {"title": "Star dice", "kinds": [{"title": "Die", "count": 2, "faces": ["Star", "", "Sun"]}]}
DOUBTED = "20261122T150000-1-3-12"
GOOD: dict[str, dict[str, Any]] = {
    DICE: NEW,
    f"{DICE}/moon/drop": {},
    f"{DICE}/moon/teach": {},
    f"{DICE}/intersection/go-back": {"version": 1},
    f"{DICE}/moon/merge": {"kind": "die", "face": "moon", "other": "crescent"},
    f"{DICE}/moon/played/switch": {"on": False},
    f"{DICE}/moon/played/label": {"die": DOUBTED, "kind": "die", "face": "comet"},
    f"{DICE}/moon/played/forget": {},
    "/api/teaching/label": {"pictures": ["q-moon-0"], "kind": "die", "face": "owl"},
    "/api/teaching/discard": {"pictures": ["q-moon-0"]},
    "/api/teaching/sit": {"dice": "moon"},
    "/api/teaching/shutter": {},
    "/api/teaching/by-itself": {"on": False},
    "/api/teaching/rise": {},
    "/api/teaching/choices": {"keep_play": True, "quota_mb": 1000, "check_one_in": 10},
    "/api/check": {"number": 12, "wrong": {"3": "star"}},
}
ROLES = {
    "GET /api/check": Role.WATCHER,
    "POST /api/check": Role.PLAYER,
    "GET /api/teaching": Role.KEEPER,
    "POST /api/teaching/by-itself": Role.KEEPER,
    "GET /api/teaching/certificate": Role.KEEPER,
    "POST /api/teaching/choices": Role.KEEPER,
    "POST /api/teaching/dice": Role.KEEPER,
    "GET /api/teaching/dice/{name}": Role.KEEPER,
    "POST /api/teaching/dice/{name}/drop": Role.KEEPER,
    "POST /api/teaching/dice/{name}/go-back": Role.KEEPER,
    "GET /api/teaching/dice/{name}/learned": Role.KEEPER,
    "POST /api/teaching/dice/{name}/merge": Role.KEEPER,
    "GET /api/teaching/dice/{name}/pictures": Role.KEEPER,
    "GET /api/teaching/dice/{name}/played": Role.KEEPER,
    "GET /played/{name}/{die}.jpg": Role.KEEPER,
    "POST /api/teaching/dice/{name}/played/forget": Role.KEEPER,
    "POST /api/teaching/dice/{name}/played/label": Role.KEEPER,
    "POST /api/teaching/dice/{name}/played/switch": Role.KEEPER,
    "POST /api/teaching/dice/{name}/teach": Role.KEEPER,
    "POST /api/teaching/discard": Role.KEEPER,
    "POST /api/teaching/label": Role.KEEPER,
    "GET /api/teaching/queue": Role.KEEPER,
    "POST /api/teaching/rise": Role.PLAYER,
    "POST /api/teaching/shutter": Role.KEEPER,
    "POST /api/teaching/sit": Role.KEEPER,
    "GET /api/teaching/sitting": Role.KEEPER,
    "GET /captured/{name}.jpg": Role.KEEPER,
    "GET /dice": Role.KEEPER,
    "GET /dice/queue": Role.KEEPER,
    "GET /dice/{name}": Role.KEEPER,
    "GET /dice/{name}/capture": Role.KEEPER,
    "GET /dice/{name}/pictures": Role.KEEPER,
}
"""The role that each route of these tests requires: a change of authorization is a change of this list."""
READ = (
    "/api/teaching",
    f"{DICE}/moon",
    f"{DICE}/moon/learned",
    f"{DICE}/moon/pictures",
    f"{DICE}/moon/played",
    f"/played/moon/{DOUBTED}.jpg",
    "/api/teaching/queue",
    "/api/teaching/sitting",
    "/api/teaching/certificate",
    "/captured/c-moon-1.jpg",
    "/dice",
    "/dice/queue",
    "/dice/moon",
    "/dice/moon/capture",
    "/dice/moon/pictures",
)


def refused(answer: Any, status: int) -> str:
    """The sentence of a refusal."""
    assert answer.status_code == status, answer.text
    body = answer.get_json()
    assert set(body) == {"error", "rule"}
    assert body["error"].endswith(".")
    return str(body["error"])


def new(**changed: Any) -> dict[str, Any]:
    """New dice with something else about them."""
    return {**NEW, **changed}


def kind(**changed: Any) -> dict[str, Any]:
    """New dice of one kind with something else about it."""
    return new(kinds=[{"title": "Die", "count": 1, "faces": ["A", "B"], **changed}])


def test_the_overview_tells_the_dice_what_goes_on_and_what_was_chosen(client: Any) -> None:
    shown = client.get("/api/teaching").get_json()
    assert [dice["name"] for dice in shown["dice"]] == ["moon", "intersection", "twenties"]
    assert shown["choices"] == {"keep_play": False, "quota_mb": 500, "check_one_in": 20}
    assert (shown["queued"], shown["used_mb"], shown["sitting"]) == (9, 87.4, None)
    moon = shown["dice"][0]
    assert (moon["title"], moon["own"], moon["version"], moon["fresh"]) == ("Moon dice", True, 0, True)
    assert moon["kinds"] == [{"name": "die", "title": "Moon die"}]


def test_a_die_set_comes_with_its_meters(client: Any) -> None:
    faces = client.get(f"{DICE}/moon").get_json()["dice"]["faces"]
    assert [(face["face"], face["pictures"], face["enough"]) for face in faces[2:5]] == [
        ("comet", 10, True),
        ("crescent", 7, False),
        ("owl", 3, False),
    ]
    assert faces[4] == {
        **{"kind": "die", "face": "owl", "title": "Owl", "pictures": 3, "wanted": 10, "picture": "c-owl-2"},
        **{"turns": 0.3, "places": 0.27, "lights": 0.15, "enough": False, "advice": "Turn the dice between pictures."},
    }


def test_dice_are_made_with_trimmed_names_and_a_face_may_be_left_unnamed(
    client: Any, learning_stub: StubLearning
) -> None:
    made = client.post(DICE, json=new(title=" Star dice ")).get_json()["dice"]
    assert made["name"] == "star-dice"
    assert learning_stub.asked == [("make", "Star dice", (NewKind("Die", ("Star", "Face 2", "Sun"), 2),))]


def test_twenty_faces_of_eight_kinds_are_made(client: Any, learning_stub: StubLearning) -> None:
    kinds = [{"title": f"Kind {place}", "faces": [""] * 20} for place in range(8)]
    assert client.post(DICE, json=new(kinds=kinds)).status_code == 200
    made = learning_stub.asked[0][2]
    assert isinstance(made, tuple)
    assert [len(one.faces) for one in made] == [20] * 8
    assert {one.count for one in made} == {1}


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (new(title=""), "'title'"),
        (new(title="  "), "'title'"),
        (new(title=7), "'title'"),
        (new(title="x" * 25), "24 is the most"),
        (new(title="Star\ndice"), "cannot be shown"),
        (new(kinds=[]), "1 to 50 kinds"),
        (new(kinds={}), "1 to 50 kinds"),
        (new(kinds=[NEW["kinds"]] * 51), "1 to 50 kinds"),
        (new(kinds=["Die"]), "an object"),
        (new(kinds=[{"title": "Die", "faces": ["A"]}, {"title": "die", "faces": ["A"]}]), "Two kinds"),
        (kind(title=""), "'title'"),
        (kind(title="x" * 25), "24 is the most"),
        (kind(faces=[]), "1 to 50 titles"),
        (kind(faces=[""] * 51), "1 to 50 titles"),
        (kind(faces="ABC"), "1 to 50 titles"),
        (kind(faces=["A", 2]), "as a text"),
        (kind(faces=["A", "x" * 25]), "24 is the most"),
        (kind(faces=["A", "B\u0000"]), "cannot be shown"),
        (kind(faces=["Moon", "moon "]), "Two faces of 'Die' are called 'Moon'"),
        (kind(faces=["face 2", ""]), "Two faces"),
        (kind(count=-1), "the count of the kind 'Die'"),
        (kind(count=10**10), "the count of the kind 'Die'"),
        (kind(count=1.5), "the count of the kind 'Die'"),
        (kind(count=True), "the count of the kind 'Die'"),
    ],
)
def test_dice_that_make_no_sense_are_refused_in_a_sentence(
    client: Any, learning_stub: StubLearning, body: dict[str, Any], says: str
) -> None:
    assert says in refused(client.post(DICE, json=body), 400)
    assert learning_stub.asked == []


@pytest.mark.parametrize("body", [kind(count=0), kind(count=21), kind(faces=[""] * 21)])
def test_how_many_dice_can_be_the_desk_says(client: Any, learning_stub: StubLearning, body: dict[str, Any]) -> None:
    assert client.post(DICE, json=body).status_code == 200
    assert [asked[0] for asked in learning_stub.asked] == ["make"]


def test_each_request_reaches_the_desk(client: Any, learning_stub: StubLearning) -> None:
    for address, body in GOOD.items():
        if address not in (DICE, "/api/check", f"{DICE}/moon/drop", "/api/teaching/discard"):
            assert client.post(address, json=body).status_code == 200, address
    assert learning_stub.asked == [
        ("teach", "moon"),
        ("go_back", "intersection", 1),
        ("merge", "moon", "die", "moon", "crescent"),
        ("learning", "moon", False),
        ("label_played", "moon", DOUBTED, "die", "comet"),
        ("forget", "moon"),
        ("label", ("q-moon-0",), "die", "owl"),
        ("sit", "moon", "", ""),
        ("shutter",),
        ("by_itself", False),
        ("rise",),
        ("choose", Choices(True, 1000, 10)),
    ]


def test_own_dice_are_dropped_and_others_are_not(client: Any, learning_stub: StubLearning) -> None:
    left = client.post(f"{DICE}/moon/drop", json={}).get_json()["dice"]
    assert [dice["name"] for dice in left] == ["intersection", "twenties"]
    assert "came with Vander" in refused(client.post(f"{DICE}/intersection/drop", json={}), 409)
    assert learning_stub.asked == [("drop", "moon")]


def test_a_capture_is_told_as_it_stands(client: Any) -> None:
    assert client.get("/api/teaching/sitting").get_json() == {"sitting": None, "halts_game": False}
    begun = client.post("/api/teaching/sit", json={"dice": "moon"}).get_json()["sitting"]
    assert (begun["face"], begun["mood"], begun["itself"]) == ("crescent", "wait", True)
    assert begun["says"] == "Lay the dice with Crescent upward."
    taken = client.post("/api/teaching/shutter", json={}).get_json()["sitting"]
    assert (taken["taken"], taken["latest"]) == (1, ["c-crescent-101"])
    assert taken["meter"]["pictures"] == 8
    assert client.get("/api/teaching/sitting").get_json()["sitting"] == taken
    assert client.post("/api/teaching/rise", json={}).get_json() == {"sitting": None, "halts_game": False}


def test_a_capture_that_would_halt_a_game_is_begun_only_where_the_table_lends_the_tray(
    client: Any, learning_stub: StubLearning
) -> None:
    learning_stub.halts_game = True
    assert client.get("/api/teaching/sitting").get_json()["halts_game"] is True
    assert (
        refused(client.post("/api/teaching/sit", json={"dice": "moon"}), 409)
        == "A game is running. Let its players lend the tray first."
    )
    assert client.post("/api/teaching/sit", json={"dice": "moon", "lend": True}).get_json()["sitting"]


def test_a_lesson_is_told_with_its_doubts(client: Any) -> None:
    before = client.get(f"{DICE}/moon/learned").get_json()["learned"]
    assert (before["version"], before["right"], before["versions"]) == (0, None, [])
    learned = client.post(f"{DICE}/moon/teach", json={}).get_json()["learned"]
    assert learned["right"] == {"hits": 398, "count": 400, "share": 0.995, "low": 0.982, "high": 0.999}
    assert learned["versions"][0]["version"] == 1
    assert [(pair["face"], pair["other"], pair["alike"]) for pair in learned["pairs"]] == [
        ("moon", "crescent", True),
        ("sun", "comet", False),
    ]
    suspect = learned["suspects"][0]
    assert suspect["said"] == {"kind": "die", "face": "moon", "title": "Moon"}
    assert suspect["likely"][0] == {"kind": "die", "face": "crescent", "title": "Crescent", "share": 0.91}


def test_what_was_learned_in_play_is_told_with_what_looks_wrong(client: Any) -> None:
    played = client.get(f"{DICE}/moon/played").get_json()["played"]
    assert (played["on"], played["answers"], played["now"], played["before"]) == (
        True,
        31,
        {"asked": 9, "dice": 60},
        {"asked": 31, "dice": 60},
    )
    assert played["faces"][1] == {"kind": "die", "face": "sun", "title": "Sun", "dice": 7}
    assert (played["doubted"][0]["sentence"], played["doubted"][0]["throw"]) == (
        "This looks like the others called Comet.",
        12,
    )
    left = client.post(f"{DICE}/moon/played/label", json={"die": DOUBTED, "kind": "die", "face": "comet"}).get_json()
    assert len(left["played"]["doubted"]) == 1
    assert client.get(f"/played/moon/{DOUBTED}.jpg").status_code == 404
    assert not client.post(f"{DICE}/moon/played/switch", json={"on": False}).get_json()["played"]["on"]


def test_pictures_are_chosen_by_kind_and_face(client: Any) -> None:
    assert len(client.get(f"{DICE}/moon/pictures").get_json()["pictures"]) == 42
    found = client.get(f"{DICE}/moon/pictures?kind=die&face=owl").get_json()["pictures"]
    assert [one["picture"] for one in found] == ["c-owl-2", "c-owl-1", "c-owl-0"]
    assert found[0]["by"] == "guided capture"


def test_the_queue_begins_with_the_most_doubtful(client: Any) -> None:
    found = client.get("/api/teaching/queue?most=3").get_json()["pictures"]
    assert len(found) == 3
    assert found[0]["doubt"] >= found[1]["doubt"] >= found[2]["doubt"] > 0
    assert found[0]["said"] is None


@pytest.mark.parametrize("most", ["0", "201", "-1", "six", "", "9" * 400, "\u0665"])
def test_a_queue_of_no_sensible_length_is_refused(client: Any, most: str) -> None:
    assert "'most'" in refused(client.get("/api/teaching/queue", query_string={"most": most}), 400)


def test_the_certificate_is_told_with_its_intervals(client: Any, learning_stub: StubLearning) -> None:
    assert client.get("/api/teaching/certificate").get_json()["right"] is None
    learning_stub.measured = MEASURED
    told = client.get("/api/teaching/certificate").get_json()
    assert (told["right"]["low"], told["right"]["high"], told["waiting"]) == (0.982, 0.999, 5)


@pytest.mark.parametrize(
    ("address", "body", "status"),
    [
        (f"{DICE}/nothing/teach", {}, 404),
        (f"{DICE}/{'x' * 101}/teach", {}, 404),
        (f"{DICE}/..%2fetc/teach", {}, 404),
        (f"{DICE}/a b/teach", {}, 404),
        (f"{DICE}/moon/go-back", {}, 400),
        (f"{DICE}/moon/go-back", {"version": -1}, 400),
        (f"{DICE}/moon/go-back", {"version": True}, 400),
        (f"{DICE}/moon/go-back", {"version": 99}, 404),
        (f"{DICE}/moon/merge", {"kind": "die", "face": "moon"}, 400),
        (f"{DICE}/moon/merge", {"kind": "die", "face": "", "other": "sun"}, 400),
        (f"{DICE}/moon/played/switch", {}, 400),
        (f"{DICE}/moon/played/switch", {"on": 1}, 400),
        (f"{DICE}/nothing/played/switch", {"on": True}, 404),
        (f"{DICE}/nothing/played/forget", {}, 404),
        (f"{DICE}/moon/played/label", {"kind": "die", "face": "moon"}, 400),
        (f"{DICE}/moon/played/label", {"die": "nobody", "kind": "die", "face": "moon"}, 404),
        (f"{DICE}/moon/played/label", {"die": DOUBTED, "kind": "die", "face": "whale"}, 404),
        ("/api/teaching/label", {"kind": "die", "face": "moon"}, 400),
        ("/api/teaching/label", {"pictures": [], "kind": "die", "face": "moon"}, 400),
        ("/api/teaching/label", {"pictures": "q-moon-0", "kind": "die", "face": "moon"}, 400),
        ("/api/teaching/label", {"pictures": [3], "kind": "die", "face": "moon"}, 400),
        ("/api/teaching/label", {"pictures": [["q-moon-0"]], "kind": "die", "face": "moon"}, 400),
        ("/api/teaching/label", {"pictures": ["../etc"], "kind": "die", "face": "moon"}, 400),
        ("/api/teaching/label", {"pictures": ["q" * 101], "kind": "die", "face": "moon"}, 400),
        ("/api/teaching/label", {"pictures": ["q-moon-0"] * 501, "kind": "die", "face": "moon"}, 400),
        ("/api/teaching/label", {"pictures": ["q-moon-0"], "kind": "die"}, 400),
        ("/api/teaching/label", {"pictures": ["q-moon-0"], "kind": 1, "face": "moon"}, 400),
        ("/api/teaching/label", {"pictures": ["q-moon-0"], "kind": "die", "face": "x" * 201}, 400),
        ("/api/teaching/label", {"pictures": ["q-moon-0"], "kind": "die", "face": "whale"}, 404),
        ("/api/teaching/label", {"pictures": ["q-moon-99"], "kind": "die", "face": "moon"}, 404),
        ("/api/teaching/discard", {"pictures": None}, 400),
        ("/api/teaching/discard", {"pictures": ["q-moon-99"]}, 404),
        ("/api/teaching/sit", {}, 400),
        ("/api/teaching/sit", {"dice": ""}, 400),
        ("/api/teaching/sit", {"dice": "nothing"}, 404),
        ("/api/teaching/sit", {"dice": "moon", "kind": "die", "face": "whale"}, 404),
        ("/api/teaching/sit", {"dice": "moon", "kind": 1}, 400),
        ("/api/teaching/sit", {"dice": "moon", "face": "x" * 201}, 400),
        ("/api/teaching/by-itself", {"on": "yes"}, 400),
        ("/api/teaching/by-itself", {}, 400),
        ("/api/teaching/shutter", {}, 409),
        ("/api/teaching/choices", {"keep_play": 1, "quota_mb": 500, "check_one_in": 20}, 400),
        ("/api/teaching/choices", {"keep_play": True, "quota_mb": LEAST_QUOTA_MB - 1, "check_one_in": 20}, 400),
        ("/api/teaching/choices", {"keep_play": True, "quota_mb": MOST_QUOTA_MB + 1, "check_one_in": 20}, 400),
        ("/api/teaching/choices", {"keep_play": True, "quota_mb": 500.5, "check_one_in": 20}, 400),
        ("/api/teaching/choices", {"keep_play": True, "quota_mb": 500, "check_one_in": -1}, 400),
        ("/api/teaching/choices", {"keep_play": True, "quota_mb": 500, "check_one_in": RAREST_CHECK + 1}, 400),
        ("/api/teaching/choices", {"keep_play": True, "quota_mb": 500}, 400),
        ("/api/check", {}, 400),
        ("/api/check", {"number": "12"}, 400),
        ("/api/check", {"number": 12, "wrong": []}, 400),
        ("/api/check", {"number": 12, "wrong": {"three": "happy"}}, 400),
        ("/api/check", {"number": 12, "wrong": {"-3": "happy"}}, 400),
        ("/api/check", {"number": 12, "wrong": {"9999999999": "happy"}}, 400),
        ("/api/check", {"number": 12, "wrong": {"3": ""}}, 400),
        ("/api/check", {"number": 12, "wrong": {"3": 4}}, 400),
        ("/api/check", {"number": 12, "wrong": {"3": "x" * 201}}, 400),
        ("/api/check", {"number": 12, "wrong": {str(die): "happy" for die in range(200)}}, 400),
        ("/api/check", {"number": 13}, 409),
    ],
)
def test_a_bad_request_gets_one_sentence_and_changes_nothing(
    client: Any, learning_stub: StubLearning, checks_stub: StubChecks, address: str, body: dict[str, Any], status: int
) -> None:
    refused(client.post(address, json=body), status)
    assert learning_stub.asked == []
    assert checks_stub.asked == []


@pytest.mark.parametrize("address", GOOD)
@pytest.mark.parametrize("body", [b"", b"{", b"[1]", b"null", b"\xff\xfe", b"[" * 60_000])
def test_a_body_that_is_no_json_object_is_refused_everywhere(
    client: Any, learning_stub: StubLearning, address: str, body: bytes
) -> None:
    refused(client.post(address, data=body, content_type="application/json"), 400)
    assert learning_stub.asked == []


@pytest.mark.parametrize("address", GOOD)
def test_another_pages_request_a_form_and_a_flood_are_refused(
    client: Any, learning_stub: StubLearning, address: str
) -> None:
    body = GOOD[address]
    refused(client.post(address, json=body, headers={"Origin": "http://elsewhere.example"}), 403)
    refused(client.post(address, data=json.dumps(body), content_type="text/plain"), 415)
    flood = json.dumps({**body, "padding": "x" * 70_000})
    refused(client.post(address, data=flood, content_type="application/json"), 413)
    assert learning_stub.asked == []


def test_a_refusal_of_the_desk_keeps_its_sentence(client: Any, learning_stub: StubLearning) -> None:
    learning_stub.refusal = Refused("The disk is full; throw pictures away or make room.", Reason.UNAVAILABLE)
    assert "disk is full" in refused(client.post(f"{DICE}/moon/teach", json={}), 503)


@pytest.mark.parametrize("address", READ)
def test_a_table_without_a_teachers_desk_says_so(bare_client: Any, address: str) -> None:
    answer = bare_client.get(address)
    assert answer.status_code == 404
    assert "cannot be taught" in answer.text


@pytest.mark.parametrize("address", GOOD)
def test_a_table_without_a_teachers_desk_takes_no_request_of_it(bare_client: Any, address: str) -> None:
    sentence = refused(bare_client.post(address, json=GOOD[address]), 404)
    assert "never asks" in sentence or "cannot be taught" in sentence


def test_only_a_table_with_a_teachers_desk_shows_the_way_to_it(client: Any, bare_client: Any) -> None:
    assert 'id="to-dice"' in client.get("/box").text
    assert 'id="to-dice"' not in bare_client.get("/box").text
    assert "never asks" in refused(bare_client.get("/api/check"), 404)


def test_captured_pictures_are_jpegs_that_a_browser_asks_for_only_once(client: Any) -> None:
    answer = client.get("/captured/c-moon-1.jpg")
    assert answer.mimetype == "image/jpeg"
    assert answer.data.startswith(b"\xff\xd8")
    again = client.get("/captured/c-moon-1.jpg", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304


@pytest.mark.parametrize("name", ["nothing", "..", "..%2f..%2fetc", "a b", "x" * 200, ".hidden", "c.moon"])
def test_an_unknown_captured_picture_is_not_found(client: Any, name: str) -> None:
    assert client.get(f"/captured/{name}.jpg").status_code == 404


@pytest.mark.parametrize("address", [address for address in READ if not address.endswith(".jpg")])
def test_every_answer_carries_the_strict_headers(client: Any, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 200
    assert "unsafe" not in answer.headers["Content-Security-Policy"]
    assert "<style" not in answer.text
    assert answer.text.count("<script") == len(re.findall(r'<script(?: type="module")? src="/static/', answer.text))


@pytest.mark.parametrize("leaf", ["", "/capture", "/pictures"])
def test_dice_that_nobody_knows_have_no_page(client: Any, leaf: str) -> None:
    answer = client.get(f"/dice/nothing{leaf}")
    assert answer.status_code == 404
    assert "no dice of that name" in answer.text


def test_a_check_is_asked_and_answered(client: Any, checks_stub: StubChecks) -> None:
    asked = client.get("/api/check").get_json()["check"]
    assert asked["number"] == 12
    assert asked["dice"][1] == {"number": 3, "title": "Happy", "picture": "crop-happy"}
    assert client.post("/api/check", json={"number": 12, "wrong": {"3": " star "}}).get_json() == {"check": None}
    assert checks_stub.asked == [(12, {3: "star"})]


def test_that_all_is_right_needs_no_list(client: Any, checks_stub: StubChecks) -> None:
    assert client.post("/api/check", json={"number": 12}).status_code == 200
    assert checks_stub.asked == [(12, {})]


def test_titles_never_become_markup_on_a_page(client: Any, learning_stub: StubLearning) -> None:
    made = learning_stub.make_die_set("<b>Moon</b>", [NewKind("Die", ("A",))])
    learning_stub._sets["plain"] = replace(made, name="plain")
    page = client.get("/dice/plain")
    assert "<b>Moon" not in page.text
    assert "&lt;b&gt;Moon" in page.text
