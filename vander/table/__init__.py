"""A game in progress: what the camera saw and people tapped becomes journal entries and snapshots."""
