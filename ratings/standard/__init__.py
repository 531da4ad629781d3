"""Standard games: catalogue, field of each seat, par, daily games and challenges."""
