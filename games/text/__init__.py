"""Text for counts, moves and cards, in the reader's language."""
