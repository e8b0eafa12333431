"""The table's side of a hall: join it, and send it the outbox of the journal."""
