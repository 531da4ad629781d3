"""The site: settings, URLs and server processes, without game logic."""
