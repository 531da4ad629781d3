"""Jobs: work beside the game, stored with the data that needs it and done by workers."""
