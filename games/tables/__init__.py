"""Tables in the database: creating, joining, filling and leaving them, rematches, branches."""
