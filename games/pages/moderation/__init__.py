"""The moderators' pages: queue, cases and log."""
