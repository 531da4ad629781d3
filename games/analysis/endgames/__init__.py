"""Late decisions of the play with two seats, solved as games with hidden cards."""
