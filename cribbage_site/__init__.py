"""Settings, addresses and servers of the site; no game logic."""
