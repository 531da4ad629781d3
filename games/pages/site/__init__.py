"""Pages of the site as a whole, and helpers for all views."""
