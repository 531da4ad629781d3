"""Standard games and ratings. Enters games by games.api alone."""
