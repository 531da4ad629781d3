"""Development scripts, run by make."""
