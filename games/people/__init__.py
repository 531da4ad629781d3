"""Players and their relations: accounts, friends, chat, limits, tokens and programs."""
