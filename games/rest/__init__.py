"""JSON API: read-only access for programs to the data that pages show."""
