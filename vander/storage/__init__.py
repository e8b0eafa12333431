"""Everything on disk but pictures for training: journal, settings, preferences, locks, migrations."""
