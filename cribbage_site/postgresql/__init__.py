"""Django's PostgreSQL backend, which refuses connections at once while the database is away."""
