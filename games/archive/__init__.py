"""Finished matches: access rules, lists, replays, records, imports and statistics."""
