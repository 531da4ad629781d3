"""The game: rules, computer players, storage, live tables and pages."""
