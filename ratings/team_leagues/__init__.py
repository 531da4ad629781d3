"""Team leagues: teams of two, their fixtures, and the way from sign-up to titles."""
