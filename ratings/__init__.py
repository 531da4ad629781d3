"""Standard games, ratings and clubs. The app imports only `games.api` from games."""
