"""Web pages of standard games, ratings and clubs."""
