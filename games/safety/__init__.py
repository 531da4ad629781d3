"""Reports, moderation, and export and deletion of personal data."""
