"""Performance measurements with their goals."""
