"""A real Home Assistant finds the table, shows what goes on there, and presses its buttons. The tests run in order."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable
from pathlib import Path

from conftest import HomeAssistant, until
from mosquitto_broker import Broker, Listener

from bench.box.soak.guest import Guest, standing
from bench.box.soak.served import Assistant, Tablet
from vander.extras.home_assistant.home_assistant_link import LEAST_GAP_S, DeviceFacts, TableTopics, device_discovery
from vander.resources.models_and_stores import LoadedModels

HOUSE = Path(__file__).parents[3]
COMPONENTS = device_discovery(TableTopics("vander_0123456789ab"), DeviceFacts("Kitchen table", "1"))["components"]
IDS = {each["default_entity_id"] for each in COMPONENTS.values()}
TURN, SCORE = "sensor.kitchen_table_whose_turn", "sensor.kitchen_table_score"
ANSWER, CAMERA = "sensor.kitchen_table_last_answer", "binary_sensor.kitchen_table_camera"
PLAYERS = ("Ann", "Ben")


def are_there(home: HomeAssistant) -> bool:
    """True if every entity of the table is there and says something."""
    states = home.states()
    return all(states.get(name, {"state": "unavailable"})["state"] != "unavailable" for name in IDS)


def is_off(home: HomeAssistant) -> bool:
    return home.state(TURN) == "unavailable"


def pressed(home: HomeAssistant, button: str) -> str:
    """Press a button, and return how that was answered."""

    def number() -> object:
        return home.states()[ANSWER]["attributes"].get("number")

    before = number()
    time.sleep(LEAST_GAP_S)  # two presses in one second are one too many
    home.press(button)
    until(lambda: number() != before, f"{button} was not answered")
    return home.state(ANSWER)


def steps(folder: Path) -> int:
    """How many entries of the game stand."""
    match = standing(folder)
    return len(match.standing) if match else 0


def is_true_of_the_table(home: HomeAssistant, table: Tablet) -> Callable[[], bool]:
    """Whether Home Assistant shows the score and the turn that the table's page shows."""

    def is_so() -> bool:
        shown = table.look("/api/snapshot")[1]["state"]
        scores = ", ".join(f"{each['name']} {each['score']}" for each in shown["players"])
        return home.state(SCORE) == scores and home.state(TURN) == PLAYERS[shown["on_turn"] - 1]

    return is_so


def test_home_assistant_finds_the_table_under_the_ids_of_the_documentation(home: HomeAssistant) -> None:
    until(lambda: are_there(home), f"not found; there are {sorted(home.states())}")


def test_it_shows_whose_turn_it_is_and_the_lamp_follows(
    home: HomeAssistant, vander: Assistant, listener: Listener
) -> None:
    table = Tablet(vander.port)
    assert table.tell("/api/game", game="toss-up", players=PLAYERS)[0] == 200
    until(is_true_of_the_table(home, table), "the score is another")
    guest = Guest(table, vander.folder, random.Random(1), LoadedModels.load())  # noqa: S311
    before = home.state(TURN)
    lit = len(listener.on("lamp/set"))
    for _ in range(200):
        guest.step()
        if home.state(TURN) in set(PLAYERS) - {before}:
            break
    until(is_true_of_the_table(home, table), "the turn is another")
    until(lambda: len(listener.on("lamp/set")) > lit, "the lamp did not change")
    colours = {"Ann": {"r": 255, "g": 165, "b": 0}, "Ben": {"r": 0, "g": 0, "b": 255}}
    until(lambda: listener.last("lamp/set")["color"] == colours[home.state(TURN)], "the lamp has another colour")


def test_the_buttons_are_answered(home: HomeAssistant, vander: Assistant) -> None:
    before = steps(vander.folder)
    assert pressed(home, "button.kitchen_table_new_game").startswith("A game is going on")
    assert pressed(home, "button.kitchen_table_take_back").startswith("Taken back: ")
    assert steps(vander.folder) < before


def test_a_trouble_of_the_camera_is_told(home: HomeAssistant, vander: Assistant) -> None:
    table = Tablet(vander.port)
    triggered = home.states()["automation.troubles"]["attributes"]["last_triggered"]
    table.tell("/api/tray/trouble", kind="covered")
    until(lambda: home.state(CAMERA) == "on", "the camera's trouble is not shown")
    assert home.states()[CAMERA]["attributes"]["sentence"]
    until(lambda: home.states()["automation.troubles"]["attributes"]["last_triggered"] != triggered, "nothing was told")
    table.tell("/api/tray/trouble", kind="")
    until(lambda: home.state(CAMERA) == "off", "the camera's trouble stays")


def test_the_dashboard_shows_the_scores(home: HomeAssistant) -> None:
    dashboard = (HOUSE / "docs/home-assistant/dashboard.yaml").read_text("utf-8")
    template = re.search(r"\{% for .* endfor %\}", dashboard, re.DOTALL)
    assert template is not None
    shown = str(home.ask("POST", "/api/template", {"template": template[0]}))
    assert all(f"**{name}**" in shown for name in PLAYERS)


def test_everything_is_there_again_after_a_restart_of_each(
    home: HomeAssistant, vander: Assistant, broker: Broker
) -> None:
    vander.stop()
    until(lambda: is_off(home), "the table was not missed")
    vander.start()
    until(lambda: are_there(home), "the table did not come back")
    home.stop()
    home.start()
    until(lambda: are_there(home), "Home Assistant lost the table")
    broker.stop()
    until(lambda: is_off(home), "the broker was not missed")
    broker.start()
    until(lambda: are_there(home), "the broker lost the table")
    until(is_true_of_the_table(home, Tablet(vander.port)), "something else is shown")
    assert home.states().keys() >= IDS
    assert not [name for name in home.states() if re.search(r"kitchen_table.*_2$", name)]


def test_nothing_in_home_assistants_log_is_about_the_table(home: HomeAssistant) -> None:
    home.stop()
    about = re.compile(r"deprecat|kitchen_table|vander|blueprint|automation", re.IGNORECASE)
    assert [line for line in home.said.splitlines() if about.search(line) and str(home.folder) not in line] == []
