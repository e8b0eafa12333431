"""The settings: the command line wins over the environment (`VANDER_PORT`), and that over `settings.toml`."""

from __future__ import annotations

import os
from errno import EISDIR
from pathlib import Path
from typing import Annotated, Literal, get_args

from platformdirs import user_data_dir
from pydantic import AfterValidator, Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, TomlConfigSettingsSource

from hardware.cameras import NAMES
from hardware.cameras.base import shown_name
from hardware.mqtt_broker import BrokerAddress, shown_broker
from referee.phrases import spell_list
from referee.sentences import say

PREFIX = "VANDER_"
INCONSISTENT = "inconsistent"
"""The type of an error of several settings together."""
SECRET = frozenset({"mqtt"})
"""The settings of which not even an invalid value is shown, since it may hold a password."""
RESERVED_PINS = frozenset({1, 2, 3, 9, 10, 11, 14, 15})
"""Pins that a Raspberry Pi uses itself: 1 for add-on boards, 2 and 3 for I2C, 9 to 11 for SPI, 14 and 15 for serial."""


class SettingError(ValueError):
    """A setting has an invalid value; the message names the setting, its value and what it is for."""


def _free_pin(pin: int) -> int:
    if pin in RESERVED_PINS:
        raise ValueError("a pin that the Raspberry Pi uses itself")
    return pin


def _three_pins(pins: str) -> str:
    numbers = [int(pin) for pin in pins.split(",")] if pins else []  # a word that is no number is a ValueError too
    if numbers and (len(set(numbers)) != 3 or not all(1 <= _free_pin(pin) <= 27 for pin in numbers)):
        raise ValueError("three different pins, as red,green,blue")
    return pins


def _broker(address: str) -> str:
    if address:
        BrokerAddress.parse(address)
    return address


def _either(choices: object) -> str:
    return spell_list(get_args(choices), "or")


Pin = Annotated[int, AfterValidator(_free_pin)]
Pins = Annotated[str, AfterValidator(_three_pins)]
Broker = Annotated[str, AfterValidator(_broker)]
CallerLevel = Literal["off", "low", "all"]
Press = Literal["confirm", "end-turn", "shutdown", "nothing"]


class Settings(BaseSettings):
    """All that an owner may choose, each with its help line. `load` builds it."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="forbid", frozen=True)

    data_dir: Path = Field(
        default_factory=lambda: Path(user_data_dir("vander")),
        description=say("the folder of the journal, the evidence and settings.toml"),
    )
    database: str = Field(
        "", description=say("the journal's database as an SQLAlchemy address; empty: a file in data_dir")
    )
    camera: str = Field("virtual", description=say("{names}; addresses may hold NAME:PASSWORD@", names=NAMES))
    host: str = Field("127.0.0.1", min_length=1, description=say("the address to serve on; 0.0.0.0 lets tablets in"))
    port: int = Field(8080, ge=1, le=65535, description=say("the port to serve on, 1 to 65535"))
    https: bool = Field(False, description=say("whether the page is served by https too, which a phone's camera needs"))
    https_port: int = Field(8443, ge=1, le=65535, description=say("the port to serve https on, 1 to 65535"))
    https_certificate: str = Field(
        "", description=say("the file of a certificate of your own (PEM) for https; empty: the box makes one")
    )
    https_key: str = Field("", description=say("the file of its key; empty: the key is in the same file"))
    game: str = Field("intersection", description=say("the game whose dice are expected before one is set up"))
    tray_width_mm: float | None = Field(
        None, gt=50, le=3000, description=say("the marked rectangle's width in millimetres; empty: the markers tell it")
    )
    tray_height_mm: float | None = Field(
        None,
        gt=50,
        le=3000,
        description=say("the marked rectangle's height in millimetres; empty: the markers tell it"),
    )
    bay: bool = Field(
        True, description=say("whether the tray has a bay for dice set aside; without one, taps set them aside")
    )
    pause_s: float = Field(
        2.0, ge=0, le=5, description=say("seconds before a tap takes effect, in which another player may interrupt")
    )
    button_pin: Pin = Field(
        0, ge=0, le=27, description=say("the BCM number of the button's pin: 4 to 8, 12, 13, 16 to 27; 0: no button")
    )
    button_short: Press = Field("confirm", description=say("what a short press does: {known}", known=_either(Press)))
    button_long: Press = Field("end-turn", description=say("what a long press does: {known}", known=_either(Press)))
    button_very_long: Press = Field(
        "shutdown", description=say("what a very long press does: {known}", known=_either(Press))
    )
    long_press_s: float = Field(1.0, ge=0.3, le=5, description=say("seconds from which a press is long"))
    very_long_press_s: float = Field(6.0, ge=2, le=20, description=say("seconds from which a press is very long"))
    lamp_pins: Pins = Field(
        "", description=say("the BCM numbers of the lamp's pins, as red,green,blue; empty: no lamp")
    )
    buzzer_pin: Pin = Field(0, ge=0, le=27, description=say("the BCM number of the buzzer's pin; 0: no buzzer"))
    sound: bool = Field(True, description=say("whether the buzzer sounds"))
    caller: CallerLevel = Field(
        "off", description=say("what the caller says on the box's own loudspeaker: off, low (a little) or all")
    )
    caller_language: str = Field(
        "en", pattern="^[a-z]{2,3}$", description=say("the language of the caller on the box's own loudspeaker")
    )
    caller_voice: str = Field(
        "", description=say("the name of the family's voice there; empty: the voice that comes with Vander")
    )
    mqtt: Broker = Field(
        "", description=say("the MQTT broker, mqtt://NAME:PASSWORD@HOST:PORT, or mqtts:// for TLS; empty: none")
    )
    mqtt_name: str = Field(
        "", max_length=60, description=say("the table's name in Home Assistant; empty: the box's host name")
    )
    spare_mb: int = Field(
        300, ge=0, le=100_000, description=say("megabytes of the disk to keep free; old evidence is deleted first")
    )
    film_mb: int = Field(
        200,
        ge=0,
        le=100_000,
        description=say("megabytes for films of throws, the oldest go first; 0: no films are kept"),
    )
    trust_local: bool = Field(True, description=say("whether a browser on the box itself is a keeper without a code"))
    hall: str = Field("", description=say("the address of the hall that this table may join, https://hall.local:8443"))
    names: str = Field("", description=say("further host names of the box, separated by commas"))

    @model_validator(mode="after")
    def _check_together(self) -> Settings:
        if self.very_long_press_s < 2 * self.long_press_s:
            raise PydanticCustomError(
                INCONSISTENT, "very_long_press_s must be twice long_press_s or more, so that a person can time both"
            )
        if self.https and self.https_port == self.port:
            raise PydanticCustomError(INCONSISTENT, "port and https_port must differ, since both are served")
        return self

    @property
    def shown_camera(self) -> str:
        """The camera's name as people may see it: of an address in the network, no more than the host."""
        return shown_name(self.camera)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Return the sources, the strongest first: command line, environment, the file in the data folder."""
        folder = init_settings().get("data_dir") or os.environ.get(f"{PREFIX}DATA_DIR") or user_data_dir("vander")
        file = Path(folder) / "settings.toml"
        if os.path.lexists(file) and not file.is_file():  # pydantic would leave it out without a word
            raise OSError(EISDIR, "it is no file")
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, file)


def load(**given: object) -> Settings:
    """Return the settings: `given` (None: not given) over the environment, and that over `settings.toml`.

    Raises SettingError.
    """
    try:
        return Settings.model_validate({name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        raise SettingError(_sentence(error)) from error
    except OSError as error:
        raise SettingError(f"settings.toml in the data folder cannot be read: {error.strerror or error}") from error


def _sentence(error: ValidationError) -> str:
    first = error.errors()[0]
    if first["type"] == INCONSISTENT:
        return f"the settings do not go together: {first['msg']}"
    if not first["loc"]:  # the file could not be read, so that no value was validated
        return f"settings.toml in the data folder is not readable as TOML: {first['msg']}"
    name = ".".join(str(part) for part in first["loc"])
    field = Settings.model_fields.get(name)
    if field is None:  # its value may be the password of a setting whose name is mistyped
        return f"there is no setting {name}; the settings are {', '.join(Settings.model_fields)}"
    value = first["input"] if name not in SECRET else "(hidden)"
    return f"the setting {name} cannot be {value!r}: it is {field.description}"


def describe_settings(settings: Settings) -> list[tuple[str, str, str]]:
    """Return each setting's name, value and help line; what may hold a password is left out or shortened."""
    given = {name: getattr(settings, name) for name in Settings.model_fields}
    values = {name: "" if value is None else str(value) for name, value in given.items()}
    values["camera"] = settings.shown_camera
    values["hall"] = shown_hall(settings.hall)
    values["mqtt"] = shown_broker(settings.mqtt)
    values["database"] = say("chosen in the settings") if settings.database else ""
    return [(name, value, Settings.model_fields[name].description or "") for name, value in values.items()]


def shown_hall(address: str) -> str:
    """Return a hall's address as people may see it: without a name and a password, and without what follows."""
    scheme, separator, rest = address.strip().partition("://")
    host = rest.split("/")[0].rpartition("@")[2]
    return f"{scheme}://{host}" if separator else ""
