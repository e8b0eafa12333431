"""The signature of Standard Webhooks 1.0.0, with a secret that sender and receiver share.

https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md ("Signature scheme")
"""

from __future__ import annotations

import base64
import hmac


def sign(key: bytes, message_id: str, sent_at: int, body: bytes) -> str:
    """Return the value of `webhook-signature`; `sent_at` is in seconds since 1970. An id has no full stop in it."""
    content = b".".join((message_id.encode(), str(sent_at).encode(), body))
    return f"v1,{base64.b64encode(hmac.digest(key, content, 'sha256')).decode()}"


def signed_headers(key: bytes, message_id: str, sent_at: int, body: bytes) -> dict[str, str]:
    """Return the three headers of a message."""
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(sent_at),
        "webhook-signature": sign(key, message_id, sent_at, body),
    }
