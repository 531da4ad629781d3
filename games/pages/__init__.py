"""Web pages of the games app: views and forms, in folders named after the rooms they show."""
