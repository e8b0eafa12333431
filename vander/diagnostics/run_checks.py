"""All health checks, in the order of the page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from hardware import power
from referee.sentences import say
from vander.access.page_addresses import NetworkState
from vander.diagnostics import (
    camera_checks,
    hall_checks,
    installation_checks,
    machine_checks,
    mqtt_checks,
    network_checks,
    storage_checks,
    webhook_checks,
)
from vander.diagnostics.camera_probe import CameraSample
from vander.diagnostics.doctor_check import HealthCheck, run_checks
from vander.resources import vision_models
from vander.session.session_state import HealthAlert
from vander.storage.settings import Settings
from web.schemas.diagnostics_schemas import Finding, Verdict
from web.services.hall_link_backend import JoinedHall

SUBJECTS = {"power": "power", "heat": "heat", "disk": "disk", "clock": "clock", "journal": "journal"}
"""The finding that each kind of alert belongs to."""
HELPS = say("The table says so too while it lasts.")


def run_all_checks(  # noqa: PLR0913  # what is looked at
    settings: Settings,
    sample: CameraSample,
    *,
    serving: bool = False,
    alerts: Sequence[HealthAlert] = (),
    hall: Callable[[], JoinedHall | None] | None = None,
    root: Path = Path("/"),
) -> tuple[Finding, ...]:
    """Return all findings, of the camera's sample and of the box below `root`. Raises nothing.

    `hall` returns the hall that the table belongs to; None where no Vander runs that could know how it goes.
    """
    of_camera = camera_checks.checks(sample, vision_models.tray_layout(settings))
    found = run_checks([*of_camera, *_checks(settings, root, hall, serving=serving)])
    return tuple(apply_alerts(found, alerts))


def apply_alerts(findings: Iterable[Finding], alerts: Sequence[HealthAlert]) -> list[Finding]:
    """Return the findings; a GOOD one becomes UNSURE where the health monitor has an alert."""
    told = {SUBJECTS[alert.kind]: alert.sentence for alert in alerts}
    return [
        replace(found, verdict=Verdict.UNSURE, told=told[found.name], advice=HELPS)
        if found.name in told and found.verdict is Verdict.GOOD
        else found
        for found in findings
    ]


def _checks(
    settings: Settings, root: Path, hall: Callable[[], JoinedHall | None] | None, *, serving: bool
) -> tuple[HealthCheck, ...]:
    now = power.read_power(root)
    return (
        HealthCheck(installation_checks.MODELS, installation_checks.check_models),
        HealthCheck(installation_checks.DICE, lambda: installation_checks.check_dice(settings)),
        HealthCheck(storage_checks.JOURNAL, lambda: storage_checks.check_journal(settings)),
        HealthCheck(storage_checks.DISK, lambda: storage_checks.check_disk(settings)),
        HealthCheck(machine_checks.POWER, lambda: machine_checks.check_power(now)),
        HealthCheck(machine_checks.HEAT, lambda: machine_checks.check_heat(now)),
        HealthCheck(
            machine_checks.CLOCK,
            lambda: machine_checks.check_clock(
                root, datetime.now(UTC), machine_checks.newest_modification(_written(settings))
            ),
        ),
        HealthCheck(
            network_checks.ADDRESS,
            lambda: network_checks.check_address(settings, NetworkState.now(root), serving=serving),
        ),
        HealthCheck(
            network_checks.HTTPS, lambda: network_checks.check_https(settings, datetime.now(UTC), serving=serving)
        ),
        HealthCheck(webhook_checks.WEBHOOKS, lambda: webhook_checks.check_webhooks(settings)),
        HealthCheck(hall_checks.HALL, lambda: hall_checks.check_hall(settings, hall)),
        HealthCheck(mqtt_checks.MQTT, lambda: mqtt_checks.check_mqtt(settings)),
        HealthCheck(machine_checks.WIRING, lambda: machine_checks.check_wiring(settings, root)),
        HealthCheck(machine_checks.SPEAKER, lambda: machine_checks.check_speaker(settings, root)),
        HealthCheck(installation_checks.PROGRAM, lambda: installation_checks.check_program(settings)),
    )


def _written(settings: Settings) -> tuple[Path, ...]:
    """Return files that were written before now: the journal, and the program itself."""
    journal = settings.data_dir / "journal.sqlite"
    return journal, journal.with_name(f"{journal.name}-wal"), Path(__file__)
