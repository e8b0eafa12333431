"""The tables of messages that wait to be delivered, at a table and in a hall."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Integer, MetaData, String, Table, Text, UniqueConstraint, false

WEBHOOK_TABLES = MetaData()
SOURCE = Table("webhook_source", WEBHOOK_TABLES, Column("id", String(40), primary_key=True))
"""Where messages come from: one row with an id that chance gave, which is part of each message's id."""
RECEIVERS = Table(
    "webhook_receivers",
    WEBHOOK_TABLES,
    Column("name", String(40), primary_key=True),
    Column("url_digest", String(64), nullable=False),
    Column("is_gone", Boolean, nullable=False, server_default=false()),
    Column("failures", Integer, nullable=False, server_default="0"),
    Column("last_answer", Text, nullable=False, server_default=""),
    Column("tried_at", BigInteger, nullable=False, server_default="0"),
    Column("dropped", Integer, nullable=False, server_default="0"),
)
"""`failures`: attempts that failed since the last that did not. `tried_at`: seconds since 1970, 0 for never.
`dropped`: messages that were given up, until somebody has been told and resumes the receiver."""
DELIVERIES = Table(
    "webhook_deliveries",
    WEBHOOK_TABLES,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("receiver", String(40), nullable=False, index=True),
    Column("message_id", String(80), nullable=False),
    Column("body", Text, nullable=False),
    Column("made_at", BigInteger, nullable=False),
    Column("attempts", Integer, nullable=False, server_default="0"),
    UniqueConstraint("receiver", "message_id"),
)
"""In the order of `number`, receiver by receiver. `made_at` is in seconds since 1970."""
FOLLOWED = Table(
    "webhook_followed",
    WEBHOOK_TABLES,
    Column("game", Integer, primary_key=True, autoincrement=False),
    Column("entry", Integer, nullable=False),
    Column("is_over", Boolean, nullable=False, server_default=false()),
)
"""Up to which entry each game of the journal has been told."""
TOLD = Table(
    "webhook_told",
    WEBHOOK_TABLES,
    Column("subject", String(80), primary_key=True),
    Column("told", Text, nullable=False),
)
"""What a hall has told of each game and tournament, so that a change is found after a restart. It holds no names."""
