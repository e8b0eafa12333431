"""The services behind the web application, as one typed value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from flask import current_app

from referee.sentences import Reason, Refused, Sentence, say
from web.services.access_backend import AccessBackend, DiagnosticsBackend, HallLinkBackend, HttpsBackend, ListedSetting
from web.services.camera_backend import CameraBackend, PhoneCameraBackend, TrayCornersBackend
from web.services.game_backend import (
    BoxCallerBackend,
    CallerBackend,
    FacePictureBackend,
    GameBackend,
    SimulatorBackend,
    StageBackend,
)
from web.services.history_backend import ChallengeBackend, FairnessBackend, HistoryBackend, PlayerBackend
from web.services.learning_backend import LearningBackend, ThrowCheckBackend

Service = TypeVar("Service")

VIRTUAL = "virtual"
"""The kind of the camera over the virtual tray."""
PHONES = ("phone", "browser")
"""The kinds of the camera whose pictures a browser sends."""


@dataclass(frozen=True)
class Backends:
    """What the running program gives the web application. What is None is not part of this table; a hall has no `game`.

    Without `access` every caller is a keeper. `power_off` shuts the machine down and raises OSError, with one sentence
    as its message, where it cannot. `settings` are those that the box page lists. `page_urls` returns the addresses
    by which tablets and phones reach the page, the best for a QR code first, and none where only this machine does.
    `is_new` is true before the first game of this data folder, and `mat` draws the PDF of the mat for a paper; it
    raises ValueError for one that it does not know.
    """

    game: GameBackend | None = None
    simulator: SimulatorBackend | None = None
    learning: LearningBackend | None = None
    throw_checks: ThrowCheckBackend | None = None
    diagnostics: DiagnosticsBackend | None = None
    access: AccessBackend | None = None
    power_off: Callable[[], None] | None = None
    settings: tuple[ListedSetting, ...] = ()
    face_pictures: FacePictureBackend | None = None
    stage: StageBackend | None = None
    challenges: ChallengeBackend | None = None
    players: PlayerBackend | None = None
    history: HistoryBackend | None = None
    https: HttpsBackend | None = None
    fairness: FairnessBackend | None = None
    page_urls: Callable[[], Sequence[str]] = tuple
    is_new: Callable[[], bool] = bool
    mat: Callable[[str], bytes] | None = None
    phone_camera: PhoneCameraBackend | None = None
    tray_corners: TrayCornersBackend | None = None
    cameras: CameraBackend | None = None
    caller: CallerBackend | None = None
    box_caller: BoxCallerBackend | None = None
    hall_link: HallLinkBackend | None = None


def backends() -> Backends:
    """Return the services of the application that serves the current request."""
    found: Backends = current_app.extensions["backends"]
    return found


# Each service by its name, for the routes; Refused (NOT_FOUND) where there is none


def there(found: Service | None, sentence: Sentence) -> Service:
    if found is None:
        raise Refused(sentence, Reason.NOT_FOUND)
    return found


def game() -> GameBackend:
    return there(backends().game, say("Nobody plays at this address; it is a hall, and its tables play."))


def hall_link() -> HallLinkBackend:
    return there(backends().hall_link, say("This table cannot join a hall."))


def camera_kind() -> str:
    """Return the kind of the camera that is on, such as `virtual` or `phone`. Raises Refused in a hall."""
    return game().snapshot().camera.partition(":")[0]


def cameras() -> CameraBackend:
    return there(backends().cameras, say("At this table no camera can be chosen."))


def simulator() -> SimulatorBackend:
    """Return the virtual tray. Raises Refused (NOT_FOUND) while another camera is on."""
    return _of_virtual_tray(backends().simulator)


def stage() -> StageBackend:
    """Return what plays cheats and mishaps. Raises Refused (NOT_FOUND) while another camera is on."""
    return _of_virtual_tray(backends().stage)


def has_virtual_tray() -> bool:
    """True if the virtual tray is what the camera sees."""
    return backends().simulator is not None and camera_kind() == VIRTUAL


def _of_virtual_tray(found: Service | None) -> Service:
    if found is None or not has_virtual_tray():
        raise Refused(
            say("This table has a real tray. A keeper can choose the virtual tray under “Camera”."), Reason.NOT_FOUND
        )
    return found


def learning() -> LearningBackend:
    return there(backends().learning, say("Dice cannot be taught at this table; it runs without that part."))


def throw_checks() -> ThrowCheckBackend:
    return there(backends().throw_checks, say("This table never asks whether a throw was read right."))


def diagnostics() -> DiagnosticsBackend:
    return there(backends().diagnostics, say("Nobody examines this box."))


def access() -> AccessBackend:
    return there(backends().access, say("Everybody may decide at this table; nobody needs to join in."))


def challenges() -> ChallengeBackend:
    return there(backends().challenges, say("This table keeps no past throws to look at."))


def players() -> PlayerBackend:
    return there(backends().players, say("This table remembers no players."))


NOT_SECURE = say(
    "This table is not served by https. That begins when a phone is chosen under “Camera”, or with VANDER_HTTPS=true."
)


def https() -> HttpsBackend:
    return there(backends().https, NOT_SECURE)


def secure_urls() -> Sequence[str]:
    """Return the addresses of the secure page, at least one. Raises Refused (NOT_FOUND) where there is none."""
    found = https().urls()
    if not found:
        raise Refused(NOT_SECURE, Reason.NOT_FOUND)
    return found


def history() -> HistoryBackend:
    return there(backends().history, say("This table keeps no past games to look at."))


def fairness() -> FairnessBackend:
    return there(backends().fairness, say("This table keeps no past throws by which dice could be tested."))


def phone_camera() -> PhoneCameraBackend:
    """Return what takes a phone's pictures. Raises Refused (NOT_FOUND) while another camera is on."""
    found = backends().phone_camera
    if found is None or not found.is_wanted:
        raise Refused(
            say("This table has another camera. A keeper can choose a phone under “Camera”."), Reason.NOT_FOUND
        )
    return found


def tray_corners() -> TrayCornersBackend:
    """Return what keeps tapped corners. Raises Refused (NOT_FOUND) while the virtual tray is on, which has markers."""
    found = backends().tray_corners
    if found is None or has_virtual_tray():
        raise Refused(say("The virtual tray has markers; there are no corners to tap."), Reason.NOT_FOUND)
    return found


def caller_voices() -> CallerBackend:
    return there(backends().caller, say("This table keeps no voices of its own."))


def box_caller() -> BoxCallerBackend:
    return there(backends().box_caller, say("The box itself says nothing at this table."))
