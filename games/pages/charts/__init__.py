"""Charts of all pages: one way to draw them, and the pictures of matches and players."""
