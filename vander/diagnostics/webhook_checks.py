"""The check of the webhooks: whether their file can be used, and whether each receiver takes what it is told."""

from __future__ import annotations

import stat
from collections.abc import Sequence
from contextlib import closing

from referee.phrases import spell_list
from referee.sentences import as_whole, say, say_count
from vander.diagnostics.doctor_check import CheckSubject
from vander.storage.data_folder_names import WEBHOOK_QUEUE
from vander.storage.settings import Settings
from vander.webhooks.delivery_queue import BrokenQueue, DeliveryQueue, ReceiverState
from vander.webhooks.webhook_receivers import RECEIVERS_FILE, BadReceivers, read_receivers
from web.schemas.diagnostics_schemas import Finding

WEBHOOKS = CheckSubject("webhooks", say("Webhooks"))
FAILING = 3
"""From so many failures in a row a receiver counts as one that does not answer."""
RESUME = say("Mend the receiver, then `vander webhooks resume {name}`.", name="NAME")


def check_webhooks(settings: Settings) -> Finding:
    """Check that each receiver takes what it is told, and that nothing was given up."""
    folder = settings.data_dir
    try:
        receivers = read_receivers(folder)
        if not receivers:
            return WEBHOOKS.good(say("Webhooks send the games to no other program."))
        if stat.S_IMODE((folder / RECEIVERS_FILE).stat().st_mode) & 0o077:
            return WEBHOOKS.unsure(
                say("Other users of this computer can read webhooks.toml, which holds secrets."),
                say("Close it with `chmod 600 webhooks.toml` in the data folder."),
            )
        states = _states(settings) if (folder / WEBHOOK_QUEUE).exists() else ()
    except BadReceivers as error:
        return WEBHOOKS.bad(as_whole(error.args[0]), say("Mend the file, then restart Vander."))
    except BrokenQueue as error:
        return WEBHOOKS.bad(
            as_whole(error.args[0]), say("Make room on the disk; if the file is damaged, move webhooks.sqlite away.")
        )
    return _finding(len(receivers), states)


def _states(settings: Settings) -> Sequence[ReceiverState]:
    with closing(DeliveryQueue.in_folder(settings.data_dir)) as queue:
        return queue.states()


def _finding(receivers: int, states: Sequence[ReceiverState]) -> Finding:
    gone = [state.name for state in states if state.is_gone]
    if gone:
        named = spell_list(gone, "and")
        return WEBHOOKS.unsure(say("Switched off, since it answered that it is gone: {names}.", names=named), RESUME)
    dropped = sum(state.dropped for state in states)
    if dropped:
        named = spell_list([state.name for state in states if state.dropped], "and")
        told = say_count(
            "{count} message was given up, for {names}.",
            "{count} messages were given up, for {names}.",
            dropped,
            names=named,
        )
        return WEBHOOKS.unsure(told, RESUME)
    failing = [state for state in states if state.failures >= FAILING]
    if failing:
        named = spell_list([f"{state.name} ({state.last_answer})" for state in failing], "and")
        waiting = sum(state.waiting for state in failing)
        told = say("Not taken, and tried again: {names}; {count} wait.", names=named, count=waiting)
        return WEBHOOKS.unsure(told, say("See whether the receiver runs: `vander webhooks test`."))
    waiting = sum(state.waiting for state in states)
    return WEBHOOKS.good(
        say("Receivers of webhooks: {count}; messages that wait: {waiting}.", count=receivers, waiting=waiting)
    )
