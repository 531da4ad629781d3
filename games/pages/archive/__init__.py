"""Pages of finished matches: lists, results, replays, profiles, records and imports."""
