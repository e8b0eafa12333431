"""The services behind the web application, as one typed value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from referee.sentences import Reason, Refused, Sentence, say
from web.authorization import NO_GAME, Service, services, there
from web.schemas.access_schemas import ListedSetting

if TYPE_CHECKING:  # types alone: a hall serves some of these pages without a camera, a session or a virtual tray
    from hardware.simulator.staging import TrayStage
    from hardware.simulator.virtual_tray import VirtualTray
    from vander.access import PairingService
    from vander.access.https import HttpsService
    from vander.app.cameras import CameraChooser
    from vander.app.composition import KnownFaces
    from vander.app.film_recorder import ThrowChallenges
    from vander.app.phone_camera_service import PhoneCameraService
    from vander.app.tray_corners_service import TrayCornersService
    from vander.box.web_server import SecurePage
    from vander.doctor.health_checks import DiagnosticsService
    from vander.extras.hall_link.membership import HallMembershipService
    from vander.extras.players.dice_fairness import FairnessService
    from vander.extras.players.play_statistics_service import PlayStatisticsService
    from vander.extras.players.player_service import PlayerService
    from vander.extras.voice.box_caller import BoxCallerSwitch
    from vander.extras.voice.family_voices import FamilyVoices
    from vander.learning.learning_service import LearningService
    from vander.table.session import Session

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

    game: Session | None = None
    simulator: VirtualTray | None = None
    learning: LearningService | None = None
    throw_checks: Session | None = None
    diagnostics: DiagnosticsService | None = None
    access: PairingService | None = None
    power_off: Callable[[], None] | None = None
    settings: tuple[ListedSetting, ...] = ()
    face_pictures: KnownFaces | None = None
    stage: TrayStage | None = None
    challenges: ThrowChallenges | None = None
    players: PlayerService | None = None
    history: PlayStatisticsService | None = None
    https: HttpsService | SecurePage | None = None
    fairness: FairnessService | None = None
    page_urls: Callable[[], Sequence[str]] = tuple
    is_new: Callable[[], bool] = bool
    mat: Callable[[str], bytes] | None = None
    phone_camera: PhoneCameraService | None = None
    tray_corners: TrayCornersService | None = None
    cameras: CameraChooser | None = None
    caller: FamilyVoices | None = None
    box_caller: BoxCallerSwitch | None = None
    hall_link: HallMembershipService | None = None


def backends() -> Backends:
    """Return the services of the application that serves the current request."""
    return cast("Backends", services())


# Each service by its name, for the routes; Refused (NOT_FOUND) where there is none


def service(pick: Callable[[Backends], Service | None], missing: Sentence) -> Callable[[], Service]:
    return lambda: there(pick(backends()), missing)


game = service(lambda found: found.game, NO_GAME)
hall_link = service(lambda found: found.hall_link, say("This table cannot join a hall."))
cameras = service(lambda found: found.cameras, say("At this table no camera can be chosen."))
learning = service(lambda found: found.learning, say("Dice cannot be taught at this table; it runs without that part."))
throw_checks = service(lambda found: found.throw_checks, say("This table never asks whether a throw was read right."))
diagnostics = service(lambda found: found.diagnostics, say("Nobody examines this box."))
access = service(lambda found: found.access, say("Everybody may decide at this table; nobody needs to join in."))
challenges = service(lambda found: found.challenges, say("This table keeps no past throws to look at."))
players = service(lambda found: found.players, say("This table remembers no players."))
history = service(lambda found: found.history, say("This table keeps no past games to look at."))
fairness = service(lambda found: found.fairness, say("This table keeps no past throws by which dice could be tested."))
caller_voices = service(lambda found: found.caller, say("This table keeps no voices of its own."))
box_caller = service(lambda found: found.box_caller, say("The box itself says nothing at this table."))


def camera_kind() -> str:
    """Return the kind of the camera that is on, such as `virtual` or `phone`. Raises Refused in a hall."""
    return game().snapshot().camera.partition(":")[0]


def simulator() -> VirtualTray:
    """Return the virtual tray. Raises Refused (NOT_FOUND) while another camera is on."""
    return _of_virtual_tray(backends().simulator)


def stage() -> TrayStage:
    """Return what plays cheats and mishaps. Raises Refused (NOT_FOUND) while another camera is on."""
    return _of_virtual_tray(backends().stage)


def has_virtual_tray() -> bool:
    return backends().simulator is not None and camera_kind() == VIRTUAL


def _of_virtual_tray(found: Service | None) -> Service:
    if found is None or not has_virtual_tray():
        raise Refused(
            say("This table has a real tray. A keeper can choose the virtual tray under “Camera”."), Reason.NOT_FOUND
        )
    return found


NOT_SECURE = say(
    "This table is not served by https. That begins when a phone is chosen under “Camera”, or with VANDER_HTTPS=true."
)


def https() -> HttpsService | SecurePage:
    found = backends().https
    if found is None:
        raise Refused(NOT_SECURE, Reason.NOT_FOUND)
    return found


def secure_urls() -> Sequence[str]:
    """Return the addresses of the secure page, at least one. Raises Refused (NOT_FOUND) where there is none."""
    found = https().urls()
    if not found:
        raise Refused(NOT_SECURE, Reason.NOT_FOUND)
    return found


def phone_camera() -> PhoneCameraService:
    """Return what takes a phone's pictures. Raises Refused (NOT_FOUND) while another camera is on."""
    found = backends().phone_camera
    if found is None or not found.is_wanted:
        raise Refused(
            say("This table has another camera. A keeper can choose a phone under “Camera”."), Reason.NOT_FOUND
        )
    return found


def tray_corners() -> TrayCornersService:
    """Return what keeps tapped corners. Raises Refused (NOT_FOUND) while the virtual tray is on, which has markers."""
    found = backends().tray_corners
    if found is None or has_virtual_tray():
        raise Refused(say("The virtual tray has markers; there are no corners to tap."), Reason.NOT_FOUND)
    return found
